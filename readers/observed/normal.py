"""A text as texts are compared, and where each of its characters stands in the original.

White space in a run is one blank; quotation marks and dashes are plain; letters are composed and small; what JSON and HTML
escape is itself. Two texts that differ only in this have the same wording. Nothing is removed, so every range of the normal text
is a range of the original. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

_PLAIN = str.maketrans("’‘‚‛“”„‟«»–—‒−‐‑", '\'\'\'\'""""""------')
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " ", "#39": "'", "#x27": "'", "#34": '"'}
# What is not one character for one: white space other than a single blank, and what is escaped.
_CHANGED = re.compile(
    r"(?: (?=\s|\\[ntr])|[^\S ]|\\[ntr])(?:\s|\\[ntr])*"
    r"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[\"\\/]"
    r"|&(?:amp|lt|gt|quot|apos|nbsp|#39|#x27|#34);"
)
# A word, or one sign of a script that sets no blanks.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|(?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])\w)+"
)


@dataclass(frozen=True)
class Normal:
    """A normal text, and the blanks in it that end a line in the original. `_at` are the places in it from which on `_raw` counts
    in the original, in order."""

    text: str
    line_ends: tuple[int, ...] = field(repr=False)
    _at: tuple[int, ...] = field(repr=False)
    _raw: tuple[int, ...] = field(repr=False)

    def raw(self, at: int) -> int:
        """Where the character at this place begins in the original; for the end of the text, the original's end."""
        known = bisect_right(self._at, at) - 1
        return self._raw[known] + at - self._at[known]

    def lines(self, start: int, end: int) -> list[tuple[int, int]]:
        """Where each line in a part of the text begins and ends."""
        ends = self.line_ends[bisect_left(self.line_ends, start) : bisect_left(self.line_ends, end)]
        return list(zip([start, *(at + 1 for at in ends)], [*ends, end], strict=True))

    @cached_property
    def words(self) -> list[int]:
        """Where each word begins."""
        return [found.start() for found in _WORD.finditer(self.text)]


def normal(text: str) -> Normal:
    """The normal form of a text."""
    parts: list[str] = []
    at, raw, line_ends = [0], [0], []
    length = done = 0
    for start, end, plain in _changes(text):
        before = text[done:start]
        parts += [before, plain]
        length += len(before) + len(plain)
        done = end
        if end - start != len(plain) or len(plain) > 1:
            at += [length - len(plain), length]
            raw += [start, end]
        if plain == " " and ("\n" in text[start:end] or "\\n" in text[start:end]):
            line_ends.append(length - 1)
    parts.append(text[done:])
    return Normal(_small("".join(parts).translate(_PLAIN)), tuple(line_ends), tuple(at), tuple(raw))


def _changes(text: str) -> Iterator[tuple[int, int, str]]:
    """What is written otherwise in the normal text, in order: where it begins and ends, and the characters in its place."""
    changes = [(found.start(), found.end(), _meant(found[0])) for found in _CHANGED.finditer(text)]
    if not unicodedata.is_normalized("NFC", text):
        changes = sorted([*changes, *_composed(text)])
    done = 0
    for start, end, plain in changes:
        if start >= done:
            done = end
            yield start, end, plain


def _composed(text: str) -> Iterator[tuple[int, int, str]]:
    """The letters that are written as several characters, and as one."""
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not (unicodedata.combining(text[end]) or "\u1160" <= text[end] <= "\u11ff"):
            if end - start > 1:
                yield start, end, unicodedata.normalize("NFC", text[start:end])
            start = end


def _meant(changed: str) -> str:
    if changed[0] == "&":
        return _ENTITIES[changed[1:-1]]
    if changed[:2] == "\\u":
        units = b"".join(bytes.fromhex(four) for four in changed.split("\\u")[1:])
        return units.decode("utf-16-be", errors="replace")
    return changed[1] if changed[0] == "\\" and changed[1] in '"\\/' else " "


def _small(text: str) -> str:
    """In small letters, one for one."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(one.lower()[:1] for one in text)
