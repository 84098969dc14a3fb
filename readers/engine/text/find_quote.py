"""Where quoted words stand in a text, whatever white space is between them. Pure.

The text is searched with every run of white space as one blank, and places are found again by where its words begin; so the time
it takes grows with the length of the text, and hardly with that of the quotation. Not here: words that are almost the same.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from readers.engine.text.document import Span

_WORD = re.compile(r"\S+")


def find(words: str, text: str, *, near: int = 0) -> Span | None:
    """The place of these words in a text that begins nearest to a place; None where it does not have them."""
    sought = " ".join(words.split())
    if not sought:
        return None
    plain = _plain(text)
    before, at = -1, plain.words.find(sought)
    while at >= 0 and plain.place(at) < near:
        before, at = at, plain.words.find(sought, at + len(sought))
    starts = [start for start in (before, at) if start >= 0]
    if not starts:
        return None
    start = min(starts, key=lambda start: abs(plain.place(start) - near))
    return Span(plain.place(start), plain.place(start + len(sought) - 1) + 1)


class _Plain(NamedTuple):
    """A text with one blank between its words; where each word begins, here and in the text itself."""

    words: str
    here: list[int]
    there: list[int]

    def place(self, at: int) -> int:
        """In the text itself, of a character that is no blank."""
        word = bisect_right(self.here, at) - 1
        return self.there[word] + at - self.here[word]


@lru_cache(maxsize=2)  # the questions of a set come text by text
def _plain(text: str) -> _Plain:
    found = [(match.start(), match[0]) for match in _WORD.finditer(text)]
    here, at = [], 0
    for _, word in found:
        here.append(at)
        at += len(word) + 1
    return _Plain(" ".join(word for _, word in found), here, [start for start, _ in found])
