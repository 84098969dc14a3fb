"""A text for the browser: offsets in its units, and a long text in stretches cut at paragraph breaks. Pure.

Python counts characters; JavaScript counts UTF-16 units, of which a character beyond U+FFFF (an emoji, say) takes two. Offsets
sent to the player are in its units. Those that come back, and those in the address, are characters: the places that a visitor
marked.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from readers.engine.text import structure
from readers.engine.text.document import Document, Span

STRETCH = 4_000
SENT_WHOLE = 1_000_000
_BEYOND = re.compile("[\U00010000-\U0010ffff]")


# Places


@lru_cache(maxsize=8)
def _beyond(text: str) -> tuple[int, ...]:
    return tuple(match.start() for match in _BEYOND.finditer(text))


def counter(text: str) -> Callable[[int], int]:
    """A function from an offset in characters to the offset in units."""
    beyond = _beyond(text)
    return lambda place: place + bisect_left(beyond, place) if beyond else place


def spans(text: str, found: Sequence[Span]) -> list[tuple[int, int]]:
    unit = counter(text)
    return [(unit(start), unit(end)) for start, end in found]


def counted(text: str) -> dict[str, Any] | None:
    """What the player needs to count in characters: how many there are, and those before each stretch. None if units are the
    same."""
    return {"all": len(text), "starts": list(cuts(text))} if _beyond(text) else None


def picture(text: str, drawn: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """A reader's picture with its offsets in units, at any depth: `span`, `spans`, `start` and `end` of a page, and the source
    span in a sentence's version `v`."""
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
    if name == "v":  # memory, text, how, what changed, and its source, if known
        return [[*version[:4], *([unit(place) for place in span] for span in version[4:])] for version in value]
    if isinstance(value, Mapping):
        return {inner: _in_units(inner, each, unit) for inner, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_in_units("", each, unit) for each in value]
    return value


# A text in stretches


@lru_cache(maxsize=8)
def cuts(text: str, size: int = STRETCH) -> tuple[int, ...]:
    """Where the stretches begin: 0 first, each at most twice `size` characters, cut after a paragraph where there is one."""
    found = [0]
    while len(text) - found[-1] > size * 3 // 2:
        near = found[-1] + size
        at = text.rfind("\n\n", near - size // 2, near + size // 4)
        at = at + 2 if at >= 0 else text.rfind("\n", near - size // 2, near) + 1 or text.rfind(" ", near - 200, near) + 1 or near
        found.append(at)
    return tuple(found)


def stretch(text: str, number: int) -> str:
    """One stretch, by its number. Raises IndexError for one that is not there."""
    at = cuts(text)
    return text[at[number] : at[number + 1] if number + 1 < len(at) else len(text)]


def blocks(text: str, number: int) -> list[tuple[str, int, int, int, list[tuple[int, int]]]]:
    """The blocks of a stretch (`engine/text/structure.py`), by offsets in it: what each is, its ends, its depth, its words."""
    at, unit = cuts(text), counter(text)
    within = Span(at[number], at[number + 1] if number + 1 < len(at) else len(text))
    first = unit(within.start)
    return [
        (kind, unit(start) - first, unit(end) - first, depth, [(unit(a) - first, unit(b) - first) for a, b in words])
        for start, end, kind, words, depth in structure.blocks_in(text, within)
    ]


def words_at(document: Document, offsets: Sequence[int]) -> dict[int, int]:
    """The number of words before each offset."""
    text, counted, at = document.text, 0, 0
    found = {}
    for offset in sorted(set(offsets)):
        counted += len(text[at:offset].split())
        at = offset
        found[offset] = counted
    return found
