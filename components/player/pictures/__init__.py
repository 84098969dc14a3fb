"""What each reader's picture is, by the reader's id; a reader without one is shown by its steps alone.

A picture is made from the trace and from the ids of what a person opened by hand; it is data for the player, and pure. Its kind
says which of the player's modules draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from functools import partial
from typing import Any, Literal, NamedTuple

from components.player.pictures import memagent, memwalker, qrmem, readagent
from readers.engine.record.trace import Trace

Kind = Literal["graph", "pages", "net", "memory"]


class View(NamedTuple):
    """A kind of picture, and how it is made."""

    kind: Kind
    draw: Callable[[Trace, Set[str]], dict[str, Any] | None]


VIEWS: dict[str, View] = {
    "memwalker": View("graph", memwalker.draw),
    "readagent": View("pages", readagent.draw),
    "qrmem": View("net", qrmem.draw),
    "memagent": View("memory", partial(memagent.draw, "memagent")),
    "rememr1": View("memory", partial(memagent.draw, "rememr1")),
    "recurrence": View("memory", partial(memagent.draw, "recurrence")),
}


def kind(reader: str) -> Kind | None:
    """Which kind of picture a reader has; None for none."""
    return VIEWS[reader].kind if reader in VIEWS else None


def picture(
    reader: str, trace: Trace, *, opened: Set[str] = frozenset(), options: Mapping[str, Any] | None = None
) -> dict[str, Any] | None:
    """The picture of a reading; None where the reader has none, or nothing is there yet to draw. `options` are those the reading
    was made with: the limit of a memory stands in them and in no event."""
    drawn = VIEWS[reader].draw(trace, opened) if reader in VIEWS else None
    given = options or {}
    limit = given.get("memory_tokens", given.get("summary_tokens"))
    return {**drawn, "limit": limit} if drawn and limit is not None else drawn
