"""What each reader's picture is, by the reader's id; a reader without one is shown by its steps alone.

A picture is made from the trace and from the ids of what a person opened by hand; it is data for the player, and pure.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

from components.readers import memwalker
from readers.engine.trace import Trace

VIEWS: dict[str, Callable[[Trace, Set[str]], dict[str, Any] | None]] = {"memwalker": memwalker.draw}


def picture(reader: str, trace: Trace, *, opened: Set[str] = frozenset()) -> dict[str, Any] | None:
    """The picture of a reading; None where the reader has none, or nothing is there yet to draw."""
    view = VIEWS.get(reader)
    return view(trace, opened) if view else None
