"""The beginning and the end of a text by tokens, for readers that show as much of it as a limit holds.

Both hold to the limit whatever the text, and are as long as it allows, but for a word that the limit would break. They look at as
much of the text as they need, so a text of any length costs what its ends do. Cutting all of a text is `split.py`.
"""

from __future__ import annotations

import regex

from readers.engine.text import tokens

# How far from the limit a word's end is looked for, in characters: no farther, where a text has no white space.
_WORD = 40
_CLUSTER = 64
_GRAPHEME = regex.compile(r"\X")


def beginning(text: str, limit: int) -> int:
    """Where the first `limit` tokens of a text end: all of it, if it has no more."""
    end = tokens.prefix(text, limit)
    if end < len(text):
        end = _word_end(text, end)
    while (over := tokens.count(text[:end]) - limit) > 0:  # cut here, some tokens are not those they were in the longer text
        end = _word_end(text, max(1, end - over))
    return end


def ending(text: str, limit: int) -> int:
    """Where the last `limit` tokens of a text begin: 0, if it has no more."""
    start = len(text) - tokens.suffix(text, limit)
    if start > 0:
        start = _word_start(text, start)
    while (over := tokens.count(text[start:]) - limit) > 0:
        start = _word_start(text, start + over)
    return start


def _word_end(text: str, at: int) -> int:
    """The end of the last whole word before `at`, if there is one near."""
    if text[at].isspace() or text[at - 1].isspace():
        return at
    space = max(text.rfind(blank, at - _WORD, at) for blank in " \n") if at > _WORD else -1
    return space + 1 if space >= 0 else _boundary(text, at)


def _word_start(text: str, at: int) -> int:
    """The start of the first whole word from `at` on, if there is one near."""
    if text[at - 1].isspace():
        return at
    found = [place for blank in " \n" if (place := text.find(blank, at, at + _WORD)) >= 0]
    return min(found) + 1 if found else _boundary(text, at, forward=True)


def _boundary(text: str, at: int, *, forward: bool = False) -> int:
    """The place nearest to `at`, before or after it, that lies inside no grapheme; `at` itself inside a monstrous one."""
    stop = min(len(text), at + _CLUSTER)
    ends = [match.end() for match in _GRAPHEME.finditer(text, max(0, at - _CLUSTER), stop)]
    found = [end for end in ends if (at <= end < stop if forward else end <= at)]
    return (min(found) if forward else max(found)) if found else at
