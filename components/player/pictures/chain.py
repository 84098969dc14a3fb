"""The picture of a chain of agents: that of a memory (`memory.py`), with who wrote each message and for whom, and what each hop
added and lost. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from components.player.pictures import memory
from readers.engine.analysis.sentence_history import HOWS, NOWHERE
from readers.engine.record.events import Cut
from readers.engine.record.trace import Trace


def draw(reader: str, trace: Trace, opened: Set[str]) -> dict[str, Any] | None:
    """The picture of a reading by this reader; None before there is a message."""
    drawn = memory.draw(reader, trace, opened)
    if drawn is None:
        return None
    workers = next(len(event.spans) for event in trace.events if isinstance(event, Cut))
    hops = range(1, len(drawn["snapshots"]) + 1)
    captions = [f"The message of worker {n}, for {f'worker {n + 1}' if n < workers else 'the manager'}" for n in hops]
    return {**drawn, "captions": captions, "hops": [hop(drawn, n - 1) for n in hops]}


def hop(drawn: Mapping[str, Any], number: int) -> tuple[int, int]:
    """How many sentences came into message `number` (from 0), and how many of the message before it are gone for good: a sentence
    that became part of another one is neither."""
    came = sum(HOWS[how] in ("new", "restored") for _, _, how, _ in drawn["memories"][number])
    gone = sum((number, NOWHERE) in lane["gone"] for lane in drawn["lanes"])
    return came, gone
