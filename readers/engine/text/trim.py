"""Trim a text to its beginning or end, by tokens.

Both functions return at most `limit` tokens, and as many as possible without splitting a word. They read only as much of the text
as they need, so the time does not grow with its length. Not here: cutting a whole text (`split.py`).
"""

from __future__ import annotations

import regex

from readers.engine.text import tokens

# How many characters from the limit the end of a word is searched, for texts without white space.
_WORD = 40
_CLUSTER = 64
_GRAPHEME = regex.compile(r"\X")


def beginning(text: str, limit: int) -> int:
    """The end of the first `limit` tokens of a text; its length if it has no more."""
    end = tokens.prefix(text, limit)
    if end < len(text):
        end = _word_end(text, end)
    while (over := tokens.count(text[:end]) - limit) > 0:  # cut here, the tokens can differ from those in the longer text
        end = _word_end(text, max(1, end - over))
    return end


def ending(text: str, limit: int) -> int:
    """The start of the last `limit` tokens of a text; 0 if it has no more."""
    start = len(text) - tokens.suffix(text, limit)
    if start > 0:
        start = _word_start(text, start)
    while (over := tokens.count(text[start:]) - limit) > 0:
        start = _word_start(text, start + over)
    return start


def _word_end(text: str, at: int) -> int:
    """The end of the last whole word before `at`, if one is near."""
    if text[at].isspace() or text[at - 1].isspace():
        return at
    space = max(text.rfind(blank, at - _WORD, at) for blank in " \n") if at > _WORD else -1
    return space + 1 if space >= 0 else _boundary(text, at)


def _word_start(text: str, at: int) -> int:
    """The start of the first whole word from `at` on, if one is near."""
    if text[at - 1].isspace():
        return at
    found = [place for blank in " \n" if (place := text.find(blank, at, at + _WORD)) >= 0]
    return min(found) + 1 if found else _boundary(text, at, forward=True)


def _boundary(text: str, at: int, *, forward: bool = False) -> int:
    """The nearest grapheme boundary before (or after) `at`; `at` itself inside an extremely long grapheme."""
    stop = min(len(text), at + _CLUSTER)
    ends = [match.end() for match in _GRAPHEME.finditer(text, max(0, at - _CLUSTER), stop)]
    found = [end for end in ends if (at <= end < stop if forward else end <= at)]
    return (min(found) if forward else max(found)) if found else at
