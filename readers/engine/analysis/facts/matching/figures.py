"""The figures of a sentence, and which figure of another stands in the place of one of them. Pure.

A figure counts the word after it. A year and a day of a month count none: what stands in their place is known by the nearest
telling words on either side. Not here: whether figures are equal, which is decided by `normalise_answer`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import regex

from readers.engine.questions.grading.word_lists import MONTHS
from readers.engine.questions.normalise_answer import comparable_words, is_figure
from readers.engine.text.words import rarity, term

_NO_FIGURE = frozenset({"1"})  # "one" mostly counts nothing
_YEAR = regex.compile(r"1[0-9]\d\d|20\d\d")
_A_YEAR, _A_DAY = "a year", "a day"
_TELLING = 0.2  # the rarity from which a word beside a date tells what happened then
_BRACKETS = regex.compile(r"\([^()]{1,80}\)")
_OF_LIVES = MONTHS | {"born", "died", "b", "d", "c", "circa", "and", "in", "on"}


class TextFigure(NamedTuple):
    """A figure, the term of what it counts (`a year` of a year, nothing of some), and the terms by which its place is known."""

    value: str
    counts: str
    beside: frozenset[str]


def figures_in(words: Sequence[str]) -> frozenset[TextFigure]:
    """The figures among the words of a sentence."""
    return frozenset(_figure(words, n) for n, word in enumerate(words) if is_figure(word) and word not in _NO_FIGURE)


def replaced(missing: Iterable[TextFigure], others: Iterable[TextFigure]) -> bool:
    """Whether another figure stands where a missing one stood."""
    there = list(others)
    return any(one.counts and one.counts == other.counts and one.beside & other.beside for one in missing for other in there)


def is_same(one: TextFigure, other: TextFigure) -> bool:
    """Whether two figures are one, of the same things as far as is known: nine tons are no nine days."""
    return one.value == other.value and (one.counts == other.counts or not one.counts or not other.counts)


def without_dates(sentence: str) -> str:
    """A sentence without its brackets that have only dates, as after a name: `(1 May 1890 – 3 June 1960)`."""
    return str(_BRACKETS.sub(lambda found: " " if _is_dates(found[0]) else found[0], sentence))


def _is_dates(words: str) -> bool:
    inside = comparable_words(words)
    return any(map(_YEAR.fullmatch, inside)) and all(is_figure(word) or word in _OF_LIVES for word in inside)


def _figure(words: Sequence[str], n: int) -> TextFigure:
    before, after = words[n - 1] if n else "", words[n + 1] if n + 1 < len(words) else ""
    if _YEAR.fullmatch(words[n]):
        return TextFigure(words[n], _A_YEAR, _beside(words, n))
    if before in MONTHS or after in MONTHS:
        return TextFigure(words[n], _A_DAY, _beside(words, n))
    counts = term(after) if after and rarity(after) and not is_figure(after) else ""
    return TextFigure(words[n], counts, frozenset({counts}))


def _beside(words: Sequence[str], n: int) -> frozenset[str]:
    """The nearest telling word before and after a date."""
    sides = (reversed(words[:n]), iter(words[n + 1 :]))
    found = (next((word for word in side if _tells(word)), "") for side in sides)
    return frozenset(term(word) for word in found if word)


def _tells(word: str) -> bool:
    return word not in MONTHS and not is_figure(word) and rarity(word) >= _TELLING
