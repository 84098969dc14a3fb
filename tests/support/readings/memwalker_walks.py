"""Walks of MemWalker over small trees, for what shows them."""

from __future__ import annotations

from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.memwalker import MemWalker
from tests.support.models.scripted_models import parts_of, walker

READER = MemWalker()


def walked(
    actions: list[int | str], *, parts: int = 9, most: int = 3, max_steps: int | None = None, reasoning: bool = True
) -> Trace:
    """A walk that takes these actions over a document of so many segments."""
    options = {"segment_tokens": 64, "max_children": most, "max_steps": max_steps, "reasoning": reasoning}
    spec = RunSpec("memwalker", READER.version, "Where is it?", options=options)
    return rehearse(parts_of(parts), READER, spec, walker(actions))


def decisions(trace: Trace) -> list[tuple[str, str]]:
    """Each decision of a walk, and what it chose by the name it has on the pages."""
    names = READER.names(trace)
    return [(event.action, names.get(event.picked, event.picked)) for event in trace.decisions()]
