"""Find a quotation in a text, whatever the white space between its words. Pure.

The search runs on a copy with single blanks, and maps positions back by the starts of words; so the time grows with the length of
the text, and hardly with that of the quotation. Not here: approximate matches.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from readers.engine.text.document import Span

_WORD = re.compile(r"\S+")


def find(words: str, text: str, *, near: int = 0) -> Span | None:
    """The occurrence of these words that begins nearest to `near`; None if the text does not contain them."""
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


class _PlainWords(NamedTuple):
    """A text with one blank between its words, and the start of each word, in `words` and in the original text."""

    words: str
    here: list[int]
    original: list[int]

    def place(self, at: int) -> int:
        """The position in the original text of a character that is no blank."""
        word = bisect_right(self.here, at) - 1
        return self.original[word] + at - self.here[word]


@lru_cache(maxsize=2)  # the questions of a set are checked text by text
def _plain(text: str) -> _PlainWords:
    found = [(match.start(), match[0]) for match in _WORD.finditer(text)]
    here, at = [], 0
    for _, word in found:
        here.append(at)
        at += len(word) + 1
    return _PlainWords(" ".join(word for _, word in found), here, [start for start, _ in found])
