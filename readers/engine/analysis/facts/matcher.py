"""Whether a text still states a fact, decided only by words and values: no model is asked, and nothing is understood.

A fact is one or more sentences of the document; a carrier is what a model wrote from it, such as a summary or a memory. The
verdict is *carried*, *altered* (another number in place of the fact's), *lost* or *unclear*. What the rules cannot decide is
unclear, never lost; so is what a carrier says about somebody else. The best sentence of a carrier decides, together with the next
one if that opens with a pronoun (for a fact of several sentences, as many in a row): words of the fact that are scattered over a
carrier do not state it. A word that occurs all over the document says nothing about the fact, nor does a number that counts other
things. `make bench-facts` measures how often the verdicts are right; `THRESHOLDS` were set on one half of its pairs.

The time is linear in the length of the carrier. Not here: which texts could carry a fact at all (`facts/life.py`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log
from typing import Literal, NamedTuple

from readers.engine.analysis.facts.figures_and_names import (
    Name,
    TextFigure,
    figures_in,
    is_about,
    is_said,
    is_same,
    named_before,
    names_in,
    opens_with_pronoun,
    replaced,
    spoken_names,
    terms_of,
    without_dates,
)
from readers.engine.questions.normalise_answer import comparable_words, is_figure
from readers.engine.text import split
from readers.engine.text.document import Span
from readers.engine.text.words import WORD, rarity, term

Verdict = Literal["carried", "altered", "unclear", "lost"]
VERDICTS: tuple[Verdict, ...] = ("carried", "altered", "unclear", "lost")  # the more of the fact is left, the earlier
BY_ITS_WORDS: Mapping[Verdict, str] = {
    "carried": "still said, by its words",
    "altered": "said with another value, by its words",
    "unclear": "cannot be told by its words",
    "lost": "no longer said, by its words",
}
"""What is said about a text: a clause."""


class Thresholds(NamedTuple):
    """Shares, 0 to 1, of a fact's words by weight that the nearest stretch of a carrier has."""

    carried: float = 0.75  # at least so many, with every figure, the first name and half of all names, and nobody else's
    altered: float = 0.6  # at least this share, if another figure is in the place of one of the fact's
    lost: float = 0.4  # at most so many, and none of its figures
    undated: float = 0.5  # and at most so many of those that are not dates in brackets
    from_it: float = 0.3  # and no sentence of the carrier has more of its words from the fact: it may say it shorter
    short: float = 0.12  # if the sentence has at least so many of the fact's


THRESHOLDS = Thresholds()

COMMON_WORD = 0.05  # the weight of the commonest word; the rarest weighs 1 more
_TELLING = 0.2  # from this weight on, a word can make a stretch the nearest
_SHORT = 3  # letters of a stem that its word surely begins with
_PLACE = 120  # characters: a word that occurs once in this many says nothing about a fact
_FEW_PLACES = 10  # for a document so short that no word occurs everywhere by chance
_EVERYWHERE = 10_000  # characters: a name that occurs once in this many
_OFTEN = 4  # and at least so often


@dataclass(frozen=True)
class ComparableFact:
    """A sentence in comparable form: the weight of each of its terms, its figures, and its names; the terms outside of brackets
    that have only dates; and, if it opens with a pronoun, whom it may be about. A name that occurs all over the document does not
    count: its presence in a carrier says nothing about the fact. `asked` are those of its figures that the known answer has;
    `sentences`: how many it has."""

    weights: Mapping[str, float]
    figures: frozenset[TextFigure]
    names: tuple[Name, ...]
    undated: frozenset[str]
    about: tuple[Name, ...] = ()
    asked: frozenset[TextFigure] = frozenset()
    sentences: int = 1

    @cached_property
    def beginnings(self) -> tuple[str, ...]:
        """The beginnings of its informative words in a text, if their stems are spelled like them: `countr` for `country`. A
        figure does not count, because it may be written there in words."""
        telling = (word for word, weight in self.weights.items() if weight >= _TELLING and not is_figure(word))
        return tuple(sorted(set(map(_beginning, telling))))

    @cached_property
    def words(self) -> frozenset[str]:
        """Its terms, without those that occur all over the document."""
        return frozenset(word for word, weight in self.weights.items() if weight)

    @classmethod
    def of(cls, sentence: str, document: str = "", *, answers: Iterable[str] = ()) -> ComparableFact:
        """The fact that a sentence of this document states; `answers`: of the question that it is the evidence of."""
        words = comparable_words(sentence)
        figures = figures_in(words)
        asked = {figure.value for answer in answers for figure in figures_in(comparable_words(answer))}
        telling = [name for name in spoken_names(sentence) if not document or not _everywhere(name, document)]
        return cls(
            {term(word): (COMMON_WORD + rarity(word)) * _rare_in(document, word) for word in words},
            figures,
            tuple(dict.fromkeys(map(terms_of, telling))),
            frozenset(map(term, comparable_words(without_dates(sentence)))),
            named_before(sentence, document),
            frozenset(figure for figure in figures if figure.value in asked),
            len(split.sentences(sentence)),
        )


class Match(NamedTuple):
    """A verdict and its basis: the stretch of the carrier nearest to the fact, its share of the fact's words, and which of the
    fact's figures and names are not there."""

    verdict: Verdict
    share: float = 0.0
    start: int = 0
    end: int = 0
    missing: tuple[str, ...] = ()


class _ComparableWords(NamedTuple):
    """The words of a sentence, or of several, in comparable form."""

    terms: frozenset[str]
    figures: frozenset[TextFigure]
    names: frozenset[Name]


class _SentenceRun(NamedTuple):
    """Sentences in a row of a carrier: the number of the first, the words of each, and of all."""

    first: int
    sentences: Sequence[_ComparableWords]
    words: _ComparableWords

    @property
    def end(self) -> int:
        """The number of the sentence after the last."""
        return self.first + len(self.sentences)

    def nearest_to(self, fact: ComparableFact) -> int:
        """The number of the sentence that is nearest to a fact."""
        return max(range(self.first, self.end), key=lambda n: _shared(fact, self.sentences[n - self.first].terms))


def match(fact: ComparableFact, carrier: str, *, at: Thresholds = THRESHOLDS) -> Match:
    """What became of a fact in a carrier. If the fact is the evidence for a figure, a carrier without this figure has lost the
    essential part, however much of the rest it says."""
    spans = split.sentences(carrier)
    found = _match(fact, carrier, spans, at)
    if found.verdict == "unclear" and fact.asked:
        there = {figure for start, end in spans for figure in _words(carrier[start:end]).figures}
        if not any(is_same(figure, other) for figure in fact.asked for other in there):
            return found._replace(verdict="lost")
    return found


def _match(fact: ComparableFact, carrier: str, spans: Sequence[Span], at: Thresholds) -> Match:
    """What became of a fact in a carrier of these sentences, only by the words of the fact."""
    total = sum(fact.weights.values())
    if not total:
        return Match("unclear")
    stretches = list(_stretches(fact, carrier, spans))
    if not stretches:  # no telling word, but perhaps a figure
        return Match("unclear" if _has_a_figure(fact, (carrier[start:end] for start, end in spans)) else "lost")
    stretch = max(stretches, key=lambda one: _shared(fact, one.words.terms))
    near = _near(fact, stretch)
    verdict = _verdict(fact, near, at)
    if verdict == "lost" and any(_is_from(fact, words.terms, at) for one in stretches for words in one.sentences):
        verdict = "unclear"
    if verdict in ("carried", "altered") and fact.about:
        sentences = [carrier[start:end] for start, end in spans[: stretch.end]]
        verdict = verdict if is_about(fact.about, sentences, stretch.nearest_to(fact)) else "unclear"
    missing = (*sorted(figure.value for figure in near.figures), *(" ".join(sorted(name)) for name in near.names))
    return Match(verdict, near.share, spans[stretch.first].start, spans[stretch.end - 1].end, missing)


class _NearestWords(NamedTuple):
    """What the nearest stretch contains of a fact: the share of its words, and of those that are not dates in brackets; the
    figures that are missing there; others in its sentence nearest to the fact, or in one that names nobody; the names that it
    does not mention; and whether it has a figure of the fact, of the same things."""

    share: float
    undated: float
    figures: frozenset[TextFigure]
    others: frozenset[TextFigure]
    names: tuple[Name, ...]
    figures_said: bool


def _near(fact: ComparableFact, stretch: _SentenceRun) -> _NearestWords:
    words, nearest = stretch.words, stretch.nearest_to(fact)
    same = [one for n, one in enumerate(stretch.sentences, stretch.first) if n == nearest or not one.names]
    undated = sum(weight for word, weight in fact.weights.items() if word in fact.undated)
    return _NearestWords(
        _shared(fact, words.terms) / sum(fact.weights.values()),
        _shared(fact, words.terms & fact.undated) / undated if undated else 0.0,
        frozenset(figure for figure in fact.figures if figure.value not in words.terms),
        frozenset(figure for one in same for figure in one.figures if figure.value not in fact.weights),
        tuple(name for name in fact.names if not is_said(name, words.names, words.terms)),
        any(is_same(figure, other) for figure in fact.figures for other in words.figures),
    )


def _verdict(fact: ComparableFact, near: _NearestWords, at: Thresholds) -> Verdict:
    first = not fact.names or fact.names[0] not in near.names
    if first and near.share >= at.altered and replaced(near.figures, near.others):
        return "altered"
    if first and near.share >= at.carried and not near.figures and len(near.names) * 2 <= len(fact.names):
        return "carried"
    gone = near.share <= at.lost and near.undated <= at.undated and not near.figures_said
    return "lost" if gone else "unclear"


def _is_from(fact: ComparableFact, sentence: frozenset[str], at: Thresholds) -> bool:
    """Whether many of the words of a sentence, by weight, are the fact's, and not too few of the fact's: it may be a shorter form
    of the fact."""
    shared = sentence & fact.words
    enough = _shared(fact, shared) >= at.short * sum(fact.weights.values())
    return bool(shared) and enough and _weight(shared) > at.from_it * _weight(sentence)


@lru_cache(maxsize=1 << 14)
def _weight(words: frozenset[str]) -> float:
    return sum(COMMON_WORD + rarity(word) for word in words)


def _rare_in(document: str, word: str) -> float:
    """How rare a word is in a document: 1 if it occurs there at most once, 0 if it occurs once in `_PLACE` characters. A figure
    is always rare, because it may be written there in words."""
    if is_figure(word) or not document:
        return 1.0
    often = _folded(document).count(f" {_beginning(term(word))}")
    return max(0.0, 1 - log(max(often, 1)) / log(max(len(document) / _PLACE, _FEW_PLACES)))


@lru_cache(maxsize=2)
def _folded(document: str) -> str:
    return document.lower()


def _beginning(stem: str) -> str:
    """The beginning of a word in a text, if its stem is spelled like it: `countr` for `country`."""
    return stem.removesuffix("i") if len(stem) > _SHORT else stem[:_SHORT]


def _has_a_figure(fact: ComparableFact, sentences: Iterable[str]) -> bool:
    """Whether a carrier has one of the fact's figures, no matter what it counts there."""
    figures = {figure.value for figure in fact.figures}
    return bool(figures) and any(figure.value in figures for sentence in sentences for figure in _words(sentence).figures)


def _everywhere(name: str, document: str) -> bool:
    """Whether a document has every word of a name `_OFTEN` and once in `_EVERYWHERE` characters, or more often."""
    often = min((document.count(word) for word in WORD.findall(name)), default=0)
    return often >= _OFTEN and often * _EVERYWHERE >= len(document)


def _shared(fact: ComparableFact, terms: frozenset[str]) -> float:
    return sum(weight for word, weight in fact.weights.items() if word in terms)


@lru_cache(maxsize=1 << 14)
def _words(sentence: str) -> _ComparableWords:
    """Cached, because the next memory repeats most sentences of the one before."""
    words = comparable_words(sentence)
    return _ComparableWords(frozenset(map(term, words)), figures_in(words), frozenset(names_in(sentence)))


def _stretches(fact: ComparableFact, carrier: str, spans: Sequence[Span]) -> Iterator[_SentenceRun]:
    """Every stretch of as many sentences in a row as the fact has, and of the next one if that opens with a pronoun, which may
    have an informative word of the fact; or of fewer to the end of a paragraph, because readers join texts by paragraphs."""
    places = list(_places(fact, carrier))
    starts = [start for start, _ in spans]
    likely = {bisect_right(starts, place) - 1 for place in places}
    for first in sorted({max(n - back, 0) for n in likely for back in range(fact.sentences + 1)}):
        sentences = [carrier[start:end] for start, end in spans[first : first + fact.sentences + 1]]
        inside = list(_paragraph(sentences if opens_with_pronoun(sentences[-1]) else sentences[: fact.sentences]))
        joined = _ComparableWords(*(frozenset().union(*sets) for sets in zip(*inside, strict=True)))
        yield _SentenceRun(first, inside, joined)


def _paragraph(sentences: Sequence[str]) -> Iterator[_ComparableWords]:
    """The words of the first sentences, to the end of a paragraph."""
    for sentence in sentences:
        yield _words(sentence)
        if sentence.endswith("\n\n"):
            return


def _places(fact: ComparableFact, carrier: str) -> Iterable[int]:
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
