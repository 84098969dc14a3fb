"""Whether a text still says a fact, decided by words and values alone: no model is asked, and nothing is understood.

A fact is a sentence of the document; a carrier is what a model wrote from it, such as a summary or a memory. The verdict is
*carried*, *altered* (the same words with another number), *lost* or *unclear*. What the rules cannot tell is unclear, never lost.
How often the verdicts are right is measured by `make bench-facts`; `THRESHOLDS` were set on one half of its pairs.

The time is linear in the length of the carrier. Not here: which texts could carry a fact at all (`life.py`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

import regex

from readers.engine.questions.normalise_answer import comparable_words, is_figure
from readers.engine.text import split
from readers.engine.text.entities import find_entities
from readers.engine.text.words import WORD, rarity, term

Verdict = Literal["carried", "altered", "unclear", "lost"]
VERDICTS: tuple[Verdict, ...] = ("carried", "altered", "unclear", "lost")  # the more of the fact is left, the earlier


class Thresholds(NamedTuple):
    """Shares, 0 to 1, of a fact's words by weight that the nearest stretch of a carrier has."""

    carried: float = 0.7  # at least so many, with every figure and half of the names
    altered: float = 0.6  # at least so many, where a figure of the fact has another one in its place
    lost: float = 0.25  # at most so many, and none of its figures and names
    window: int = 2  # sentences in a stretch


THRESHOLDS = Thresholds()

COMMON_WORD = 0.05  # the weight of the commonest word; the rarest weighs 1 more
_TELLING = 0.2  # the weight from which a word can make a stretch the nearest
_SHORT = 3  # letters of a stem that its word surely begins with
_NO_FIGURE = frozenset({"1"})  # "one" mostly counts nothing
_EVERYWHERE = 10_000
_YEAR = regex.compile(r"1[0-9]\d\d|20\d\d")
_A_YEAR = "a year"


@dataclass(frozen=True)
class Fact:
    """A sentence in comparable form: the weight of each of its terms, its figures with what each counts, and the terms of each of
    its names. A name that stands all over the document is none: that a carrier has it says nothing of the fact."""

    weights: Mapping[str, float]
    figures: frozenset[tuple[str, str]]
    names: tuple[frozenset[str], ...]

    @cached_property
    def beginnings(self) -> tuple[str, ...]:
        """How its telling words begin in a text, as far as their stems are spelled like them: `countr` for `country`. A figure is
        none, for it may stand there in words."""
        telling = (word for word, weight in self.weights.items() if weight >= _TELLING and not is_figure(word))
        return tuple(sorted({word.removesuffix("i") if len(word) > _SHORT else word[:_SHORT] for word in telling}))

    @classmethod
    def of(cls, sentence: str, document: str = "") -> Fact:
        """The fact that a sentence of this document states."""
        words = comparable_words(sentence)
        spoken = (sentence[entity.start : entity.end] for entity in find_entities(sentence) if entity.kind == "name")
        telling = [name for name in spoken if not document or not _everywhere(name, document)]
        names = dict.fromkeys(frozenset(map(term, comparable_words(name))) for name in telling)
        return cls({term(word): COMMON_WORD + rarity(word) for word in words}, _figures(words), tuple(names))


class Match(NamedTuple):
    """A verdict and what it rests on: the stretch of the carrier nearest to the fact, its share of the fact's words, and which of
    the fact's figures and names are not there."""

    verdict: Verdict
    share: float = 0.0
    start: int = 0
    end: int = 0
    missing: tuple[str, ...] = ()


class _Stretch(NamedTuple):
    start: int
    end: int
    terms: frozenset[str]
    figures: frozenset[tuple[str, str]]


def match(fact: Fact, carrier: str, *, at: Thresholds = THRESHOLDS) -> Match:
    """What became of a fact in a carrier."""
    total = sum(fact.weights.values())
    if not total:
        return Match("unclear")
    stretches = list(_stretches(fact, carrier, at.window))
    if not stretches:  # no telling word, but perhaps a figure
        return Match("unclear" if _has_a_figure(fact, carrier) else "lost")
    stretch = max(stretches, key=lambda one: _shared(fact, one.terms))
    near = _Nearest(
        _shared(fact, stretch.terms) / total,
        {figure for figure in fact.figures if figure[0] not in stretch.terms},
        [" ".join(sorted(name)) for name in fact.names if not name & stretch.terms],
        stretch.figures - fact.figures,
    )
    missing = (*sorted(figure for figure, _ in near.figures), *near.names)
    return Match(_verdict(fact, near, at), near.share, stretch.start, stretch.end, missing)


class _Nearest(NamedTuple):
    """What the nearest stretch has of a fact: the share of its words, the figures and names that are missing, other figures."""

    share: float
    figures: set[tuple[str, str]]
    names: list[str]
    others: frozenset[tuple[str, str]]


def _verdict(fact: Fact, near: _Nearest, at: Thresholds) -> Verdict:
    if near.share >= at.altered and _replaced(near.figures, near.others):
        return "altered"
    if near.share >= at.carried and not near.figures and len(near.names) * 2 <= len(fact.names):
        return "carried"
    gone = len(near.figures) == len(fact.figures) and len(near.names) == len(fact.names)
    return "lost" if near.share <= at.lost and gone else "unclear"


def _has_a_figure(fact: Fact, carrier: str) -> bool:
    """Whether a carrier has one of the fact's figures, whatever it counts there."""
    figures = {figure for figure, _ in fact.figures}
    sentences = split.sentences(carrier) if figures else ()
    return any(figure in figures for start, end in sentences for figure, _ in _words(carrier[start:end]).figures)


def _replaced(missing: set[tuple[str, str]], others: frozenset[tuple[str, str]]) -> bool:
    """Whether another figure counts what a missing one counted."""
    return bool({counted for _, counted in missing if counted} & {counted for _, counted in others})


def _figures(words: Sequence[str]) -> frozenset[tuple[str, str]]:
    """The figures among words, each with the term of what it counts: the word after it, `a year` of a year, nothing of others."""
    found = set()
    for n, word in enumerate(words):
        if is_figure(word) and word not in _NO_FIGURE:
            after = words[n + 1] if n + 1 < len(words) else ""
            counted = (
                _A_YEAR if _YEAR.fullmatch(word) else term(after) if after and rarity(after) and not is_figure(after) else ""
            )
            found.add((word, counted))
    return frozenset(found)


def _everywhere(name: str, document: str) -> bool:
    """Whether a document has every word of a name once in `_EVERYWHERE` characters, or more often."""
    return min((document.count(word) for word in WORD.findall(name)), default=0) * _EVERYWHERE >= len(document)


def _shared(fact: Fact, terms: frozenset[str]) -> float:
    return sum(weight for word, weight in fact.weights.items() if word in terms)


class _Words(NamedTuple):
    """The words of a sentence in comparable form."""

    terms: frozenset[str]
    figures: frozenset[tuple[str, str]]


@lru_cache(maxsize=1 << 14)
def _words(sentence: str) -> _Words:
    """Kept, for the next memory repeats most sentences of the one before."""
    words = comparable_words(sentence)
    return _Words(frozenset(map(term, words)), _figures(words))


def _stretches(fact: Fact, carrier: str, size: int) -> Iterator[_Stretch]:
    """Every stretch of so many sentences in a row that may have a telling word of the fact; the whole of a shorter carrier."""
    places = list(_places(fact, carrier))
    if not places:
        return
    spans = split.sentences(carrier)
    starts = [start for start, _ in spans]
    last = max(len(spans) - size, 0)
    likely = {bisect_right(starts, place) - 1 for place in places}
    for first in sorted({min(max(n - back, 0), last) for n in likely for back in range(size)}):
        inside = spans[first : first + size]
        words = [_words(carrier[start:end]) for start, end in inside]
        terms, figures = (frozenset().union(*sets) for sets in zip(*words, strict=True))
        yield _Stretch(inside[0].start, inside[-1].end, terms, figures)


def _places(fact: Fact, carrier: str) -> Iterable[int]:
    """Where a telling word of the fact may begin."""
    folded = carrier.lower()
    if not fact.beginnings or len(folded) != len(carrier):  # a letter became two: its places are not those of the carrier
        return range(len(carrier))
    return (place for begins in fact.beginnings for place in _occurrences(begins, folded))


def _occurrences(word: str, text: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)
