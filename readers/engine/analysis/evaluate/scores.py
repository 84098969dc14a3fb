"""Readers by scores: each as published and over everything asked, with intervals and the traps between the two; readers in pairs;
and the spread of repeats. Pure.

As published, readings that the published scorer leaves out are not in the denominator; over everything asked, a question without
an answer counts 0. Readers are compared over everything asked, never as published: readers whose empty replies are dropped would
be compared on different questions. Nothing is called ahead unless the interval of the difference leaves out 0 and, for scores of
right and wrong, McNemar's exact test agrees, corrected for the number of pairs (Holm 1979). The variation between repeats of the
same question is only sampling noise; the interval in the table is about other texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import fmean
from typing import Literal, TypeVar

from readers.engine.analysis.measures import FIGURES
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores import Score, Scored
from readers.engine.statistics.intervals import SHARE, MeanEstimate, estimate, holm, mcnemar

LEVEL = 0.05
DIFFERENCE = (-1.0, 1.0)  # the bounds of a difference of two shares


@dataclass(frozen=True)
class ScoredReading:
    """A reading, or a question that was asked and has none yet. `reader` is what the table calls the reader with its model and
    options; `question` is the same for all its readings, `text` for all questions of a text; `sample` distinguishes repeats."""

    reader: str
    text: str
    question: str
    scores: Mapping[str, Scored] = field(default_factory=dict)
    sample: int = 0
    run: str = ""

    def value(self, score: str) -> float | None:
        """A score over everything asked; None where it does not apply."""
        found = self.scores.get(score)
        return found.value if found else None


Reading = TypeVar("Reading", bound=ScoredReading)


def scored_row(
    row: Reading, answer: str | None, known: KnownAnswer | None, scores: Iterable[Score], *, reply: str | None = None
) -> Reading:
    """The row with these scores of its answer added; None is for a reading that gave no answer. `reply` is what the answer was
    taken from."""
    return with_scores(row, {one.name: one.of(answer, known, reply=reply) for one in scores})


def with_scores(row: Reading, scores: Mapping[str, Scored]) -> Reading:
    """The row with these scores added."""
    return replace(row, scores={**row.scores, **scores})


def with_figures(row: Reading, figures: Mapping[str, float]) -> Reading:
    """The row with figures added to its scores; a figure is the same as published and over everything asked."""
    return with_scores(row, {name: Scored(value, value) for name, value in figures.items()})


# Readers by scores


@dataclass(frozen=True)
class ScoreCell:
    """A score of a reader. `dropped` readings are not in the published denominator; `traps` says how many readings each trap
    changed; `unscored` are readings that the score does not apply to."""

    reader: str
    score: str
    asked: MeanEstimate
    published: MeanEstimate
    dropped: int = 0
    unscored: int = 0
    traps: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Scores:
    """Readers and scores in their original order, and the cells of combinations with values."""

    readers: tuple[str, ...]
    scores: tuple[str, ...]
    cells: Mapping[tuple[str, str], ScoreCell]

    def cell(self, reader: str, score: str) -> ScoreCell | None:
        return self.cells.get((reader, score))


def scores_of(rows: Iterable[ScoredReading]) -> Scores:
    """The table of these rows. Rows of one reader and question with different samples all count."""
    by_reader: dict[str, list[ScoredReading]] = {}
    for row in rows:
        by_reader.setdefault(row.reader, []).append(row)
    scores = tuple(dict.fromkeys(score for of in by_reader.values() for row in of for score in row.scores))
    cells: dict[tuple[str, str], ScoreCell] = {}
    for reader, of in by_reader.items():
        cells |= _cells(reader, of, scores)
    return Scores(tuple(by_reader), tuple(name for name in scores if any(name == of for _, of in cells)), cells)


def _cells(reader: str, rows: Sequence[ScoredReading], scores: Sequence[str]) -> dict[tuple[str, str], ScoreCell]:
    cells = {}
    for name in scores:
        bounds = FIGURES[name].bounds if name in FIGURES else SHARE
        asked, published = (estimate(_values(rows, name, published=of), bounds) for of in (False, True))
        if not asked.of:
            continue
        traps = Counter(trap for row in rows if name in row.scores for trap in row.scores[name].traps)
        cells[reader, name] = ScoreCell(
            reader, name, asked, published, dropped=asked.of - published.of, unscored=len(rows) - asked.of,
            traps=dict(traps.most_common()),
        )  # fmt: skip
    return cells


def _values(rows: Iterable[ScoredReading], score: str, *, published: bool = False) -> list[tuple[str, str, float]]:
    """The values of a score over everything asked, or as published, without the rows that it does not apply to or leaves out."""
    numbers = ((row, row.scores.get(score)) for row in rows)
    picked = ((row, of.published if published else of.value) for row, of in numbers if of is not None)
    return [(row.text, row.question, number) for row, number in picked if number is not None]


# Readers in pairs


@dataclass(frozen=True)
class Comparison:
    """The first reader's score minus the second's on the questions that both were asked, as the mean over these questions (of
    repeats, the mean of each question).

    For a score of right and wrong, `only_first` and `only_second` count the questions that only that reader got right, in the
    first sample of each; `p` is McNemar's exact probability, two-sided, and `corrected` the same after Holm for all pairs of a
    table. All are None for other scores, where `why` says so.
    """

    score: str
    first: str
    second: str
    difference: MeanEstimate
    only_first: int | None = None
    only_second: int | None = None
    p: float | None = None
    corrected: float | None = None
    why: str = ""

    @property
    def ahead(self) -> Literal["first", "second", "open"]:
        """Which reader is ahead beyond chance; *open* where the interval or the test leaves it open."""
        low, high = self.difference.low, self.difference.high
        p = self.p if self.corrected is None else self.corrected
        if low is None or high is None or low <= 0 <= high or (p is not None and p >= LEVEL):
            return "open"
        return "first" if low > 0 else "second"

    @property
    def sentence(self) -> str:
        """Which reader is ahead of which; empty where that is open."""
        if self.ahead == "open":
            return ""
        one, other = (self.first, self.second) if self.ahead == "first" else (self.second, self.first)
        return f"{one} is ahead of {other}"


def compare_all(rows: Iterable[ScoredReading], score: str) -> list[Comparison]:
    """Every pair of readers by one score, in the order of the readers, with Holm's correction over these pairs."""
    by_reader: dict[str, dict[tuple[str, str], dict[int, float]]] = {}
    for row in rows:
        if (value := row.value(score)) is not None:
            by_reader.setdefault(row.reader, {}).setdefault((row.text, row.question), {})[row.sample] = value
    found = [_compared(score, first, second, by_reader) for first, second in combinations(by_reader, 2)]
    return [replace(one, corrected=p) for one, p in zip(found, holm([one.p for one in found]), strict=True)]


def _compared(
    score: str, first: str, second: str, by_reader: Mapping[str, Mapping[tuple[str, str], Mapping[int, float]]]
) -> Comparison:
    """Two readers, given the values of each by question (with its text) and sample."""
    one, other = by_reader[first], by_reader[second]
    both = [asked for asked in one if asked in other]
    values = [(*asked, fmean(one[asked].values()) - fmean(other[asked].values())) for asked in both]
    found = Comparison(score, first, second, estimate(values, DIFFERENCE))
    if not both:
        return replace(found, why="no question was asked of both")
    firsts = [(one[asked][min(one[asked])], other[asked][min(other[asked])]) for asked in both]
    if any(value not in (0.0, 1.0) for pair in firsts for value in pair):
        return replace(found, why="McNemar's test is for scores of right and wrong")
    only_first, only_second = sum(a > b for a, b in firsts), sum(a < b for a, b in firsts)
    return replace(found, only_first=only_first, only_second=only_second, p=mcnemar(only_first, only_second))


# Repeats


def repeats(rows: Iterable[ScoredReading], reader: str, score: str) -> tuple[list[float], int, int]:
    """The score of each repeat of a reader, in order, over the questions that every repeat has; how many these are; and of how
    many the score is not the same in every repeat. Nothing if there are fewer than two repeats or no such question."""
    values: dict[int, dict[tuple[str, str], float]] = {}
    for row in rows:
        if row.reader == reader and (value := row.value(score)) is not None:
            values.setdefault(row.sample, {})[row.text, row.question] = value
    by_repeat = [values[sample] for sample in sorted(values)]
    shared = set.intersection(*map(set, by_repeat)) if by_repeat else set()
    if len(by_repeat) < 2 or not shared:
        return [], 0, 0
    changed = sum(len({one[asked] for one in by_repeat}) > 1 for asked in shared)
    return [sum(one[asked] for asked in shared) / len(shared) for one in by_repeat], len(shared), changed
