"""The picture of each reader, by the reader's id; one that carries a memory along has that of a memory without an entry. A reader
without a picture is shown by its steps alone.

A picture is pure data for the player, made from the trace and the ids of the parts that the viewer unfolded. Its kind says which
of the player's scripts draws it, and what data that needs: `axis` in `on_axis.py`, `graph`, `slices` and `net` in
`components/player/graph_layout.py`, `memory` in `memory.py`, `pages` in `readagent.py`, `calls` in `observed.py`. In all of them
steps are counted from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from functools import partial
from typing import Any, Literal, NamedTuple

import readers
from components.player.pictures import memory, memwalker, observed, on_axis, qrmem, readagent, recursive
from readers.engine.analysis.memory_snapshots import LIMITS, MemoryState
from readers.engine.record.trace import Trace

Kind = Literal["graph", "slices", "pages", "net", "memory", "axis", "calls"]
NETWORKS: tuple[Kind, ...] = ("graph", "net", "slices")  # those that vis-network draws


class ReaderPicture(NamedTuple):
    """A kind of picture, and the function that makes it; `asks` for the question or the options of the reading, if it is given
    them. `before` says when there will be something to draw, where the kind has no words for that."""

    kind: Kind
    draw: Callable[..., dict[str, Any] | None]
    asks: tuple[Literal["question", "options"], ...] = ()
    before: str = ""


PICTURES: dict[str, ReaderPicture] = {
    "memwalker": ReaderPicture("graph", memwalker.draw, asks=("question",)),
    "readagent": ReaderPicture("pages", readagent.draw, asks=("question",)),
    "qrmem": ReaderPicture("net", qrmem.draw),
    "chain_of_agents": ReaderPicture("memory", partial(memory.draw_chain, "chain_of_agents")),
    "recursive": ReaderPicture("slices", recursive.draw),
    "retrieval": ReaderPicture("axis", on_axis.draw_ranking, before="The ranking will appear here once the text is scored."),
    "observed": ReaderPicture("calls", observed.draw, asks=("options",)),
    "whole": ReaderPicture(
        "axis", on_axis.draw_window, before="What there is room for will appear here once the text is fitted."
    ),
}


def kind(reader: str) -> Kind | None:
    """The kind of a reader's picture; None if it has none."""
    made = _picture_of(reader)
    return made.kind if made else None


def before(reader: str) -> str:
    """When there will be a picture of a reading that has none yet; empty where the kind of picture has words for that."""
    made = _picture_of(reader)
    return made.before if made else ""


def _picture_of(reader: str) -> ReaderPicture | None:
    if reader in PICTURES:
        return PICTURES[reader]
    remembers = any(one.id == reader and issubclass(one.State, MemoryState) for one in readers.READERS)
    return ReaderPicture("memory", partial(memory.draw, reader)) if remembers else None


def picture(
    reader: str,
    trace: Trace,
    *,
    opened: Set[str] = frozenset(),
    options: Mapping[str, Any] | None = None,
    question: str = "",
) -> dict[str, Any] | None:
    """The picture of a reading; None if the reader has none or there is nothing to draw yet.

    `options` and `question` are those of the reading: the limit of a memory, whether the model's own queries are used, and the
    words of the question are in no event.
    """
    made = _picture_of(reader)
    known = {"question": question, "options": options or {}}
    asked = {name: known[name] for name in made.asks} if made else {}
    drawn = made.draw(trace, opened, **asked) if made else None
    limit = next((options[name] for name in LIMITS if options and name in options), None)
    more = {"limit": limit, "unused_queries": (options or {}).get("recall_query") == "question"}
    return {**drawn, **{name: value for name, value in more.items() if value}} if drawn else drawn
