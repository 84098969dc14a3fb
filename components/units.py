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

from readers.engine.text import Span

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
    """A reader's picture with the places of its nodes, pages, chunks and sentences in units."""
    if not drawn or not _beyond(text):
        return drawn
    unit = counter(text)
    found = dict(drawn)
    for kind in ("nodes", "snapshots"):
        if kind in drawn:
            found[kind] = [{**each, "span": [unit(place) for place in each["span"]]} for each in drawn[kind]]
    if "pages" in drawn:
        found["pages"] = [{**page, "start": unit(page["start"]), "end": unit(page["end"])} for page in drawn["pages"]]
    if "lanes" in drawn:
        found["lanes"] = [{**lane, "v": [_sourced(version, unit) for version in lane["v"]]} for lane in drawn["lanes"]]
    return found


def _sourced(version: Sequence[Any], unit: Callable[[int], int]) -> Sequence[Any]:
    """A version of a sentence; the place it came from, where it has one, is its last."""
    return [*version[:4], [unit(place) for place in version[4]]] if len(version) > 4 else version
