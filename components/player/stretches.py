"""How a document travels to the player: in stretches cut at paragraph breaks. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from readers.engine.text.document import Document

STRETCH = 4_000
SENT_WHOLE = 1_000_000


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


def words_at(document: Document, offsets: Sequence[int]) -> dict[int, int]:
    """How many words stand before each offset."""
    text, counted, at = document.text, 0, 0
    found = {}
    for offset in sorted(set(offsets)):
        counted += len(text[at:offset].split())
        at = offset
        found[offset] = counted
    return found
