"""What the tree is made of, whatever its shape: segments, and even groups of consecutive parts. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from readers.engine.text import split
from readers.engine.text.document import Span

_Item = TypeVar("_Item")


def segments(text: str, limit: int) -> list[Span]:
    """Spans of at most `limit` tokens besides white space: a span of white space alone is joined to the one before it, or to the
    next at the very start."""
    found: list[Span] = []
    for span in split.segments(text, limit):
        blank = text[span.start : span.end].isspace()
        if found and (blank or text[found[-1].start : found[-1].end].isspace()):
            found[-1] = Span(found[-1].start, span.end)
        else:
            found.append(span)
    return found


def even_groups(items: Sequence[_Item], most: int) -> Iterator[Sequence[_Item]]:
    """Consecutive groups of at most `most`, as few as possible; their sizes differ by at most one."""
    return grouped(items, -(-len(items) // most))


def grouped(items: Sequence[_Item], groups: int) -> Iterator[Sequence[_Item]]:
    """So many consecutive groups, as even as possible."""
    for number in range(groups):
        yield items[number * len(items) // groups : (number + 1) * len(items) // groups]
