"""Places in a text as a browser counts them. Pure.

Python counts characters; JavaScript counts UTF-16 units, of which a character beyond U+FFFF (an emoji, say) takes two. What
goes to the player is counted its way; only numbers of stretches come back.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from readers.engine.text.document import Span

_BEYOND = re.compile("[\U00010000-\U0010ffff]")


@lru_cache(maxsize=8)
def _beyond(text: str) -> tuple[int, ...]:
    return tuple(match.start() for match in _BEYOND.finditer(text))


def counter(text: str) -> Callable[[int], int]:
    """A place in characters to the same place in units."""
    beyond = _beyond(text)
    return lambda place: place + bisect_left(beyond, place) if beyond else place


def spans(text: str, found: Sequence[Span]) -> list[tuple[int, int]]:
    unit = counter(text)
    return [(unit(start), unit(end)) for start, end in found]


def picture(text: str, drawn: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """A reader's picture with its places in units, however deep they lie: `span`, `spans`, `start` and `end` of a page, and
    the last of a sentence's version `v`."""
    if not drawn or not _beyond(text):
        return drawn
    return {name: _in_units(name, value, counter(text)) for name, value in drawn.items()}


def _in_units(name: str, value: Any, unit: Callable[[int], int]) -> Any:
    if name in ("start", "end") and isinstance(value, int):
        return unit(value)
    if name == "span" and value is not None:
        return [unit(place) for place in value]
    if name == "spans":
        return [[unit(place) for place in span] for span in value]
    if name == "v":  # number, text, step, how, and where it came from, if that is known
        return [[*version[:4], *([unit(place) for place in span] for span in version[4:])] for version in value]
    if isinstance(value, Mapping):
        return {inner: _in_units(inner, each, unit) for inner, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_in_units("", each, unit) for each in value]
    return value
