"""Two readers on the same questions: the difference of a score with its interval, and McNemar's exact test. Pure.

Nothing is called ahead unless the interval of the difference leaves out 0 and, for scores of right and wrong, McNemar's test
agrees, corrected for the number of pairs (Holm 1979). Differences are over everything asked, never as published: readers whose
empty replies are dropped would be compared on different questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from readers.engine.analysis.evaluate.rows import ScoredReading
from readers.engine.statistics.intervals import MeanEstimate, QuestionValue, estimate
from readers.engine.statistics.pairs import holm, mcnemar

LEVEL = 0.05
DIFFERENCE = (-1.0, 1.0)  # the bounds of a difference of two shares
Ahead = Literal["first", "second", "open"]


@dataclass(frozen=True)
class Comparison:
    """The first reader's score minus the second's on the questions that both were asked, as the mean over these questions (of
    repeats, the mean of each question).

    For a score of right and wrong, `only_first` and `only_second` count the questions that one alone got right, in the first
    sample of each; `p` is McNemar's exact probability, two-sided, and `corrected` the same after Holm for all pairs of a table.
    All are None for other scores, where `why` says so.
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
    def ahead(self) -> Ahead:
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


def compare(rows: Iterable[ScoredReading], score: str, *, first: str, second: str) -> Comparison:
    """Two readers by one score."""
    found = _sides(rows, score)
    one, other = (found.get(reader, _ReaderValues(reader, {})) for reader in (first, second))
    return _compared(score, one, other=other)


def compare_all(rows: Iterable[ScoredReading], score: str) -> list[Comparison]:
    """Every pair of readers by one score, in the order of the readers, with Holm's correction over these pairs."""
    pairs = combinations(_sides(rows, score).values(), 2)
    found = [_compared(score, one, other=other) for one, other in pairs]
    return [replace(one, corrected=p) for one, p in zip(found, holm([one.p for one in found]), strict=True)]


Asked = tuple[str, str]  # a text and a question of it


@dataclass(frozen=True)
class _ReaderValues:
    """A reader and the values of its questions, by sample."""

    reader: str
    values: Mapping[Asked, Sequence[float]]


def _sides(rows: Iterable[ScoredReading], score: str) -> dict[str, _ReaderValues]:
    found: dict[str, dict[Asked, list[tuple[int, float]]]] = {}
    for row in rows:
        of = row.scores.get(score)
        if of is not None and of.value is not None:
            found.setdefault(row.reader, {}).setdefault((row.text, row.question), []).append((row.sample, of.value))
    return {
        reader: _ReaderValues(reader, {asked: [value for _, value in sorted(values)] for asked, values in questions.items()})
        for reader, questions in found.items()
    }


def _compared(score: str, one: _ReaderValues, *, other: _ReaderValues) -> Comparison:
    both = [asked for asked in one.values if asked in other.values]
    values = [QuestionValue(*asked, _mean(one.values[asked]) - _mean(other.values[asked])) for asked in both]
    found = Comparison(score, one.reader, other.reader, estimate(values, DIFFERENCE))
    if not both:
        return replace(found, why="no question was asked of both")
    firsts = [(one.values[asked][0], other.values[asked][0]) for asked in both]
    if any(value not in (0.0, 1.0) for pair in firsts for value in pair):
        return replace(found, why="McNemar's test is for scores of right and wrong")
    only_first, only_second = sum(a > b for a, b in firsts), sum(a < b for a, b in firsts)
    return replace(found, only_first=only_first, only_second=only_second, p=mcnemar(only_first, only_second))


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
