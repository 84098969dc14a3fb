"""How far a reader's score moves when the same questions are read again: the spread of a batch with several samples. Pure.

It is the noise of sampling alone, on these questions; the interval of the table is about other texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from readers.engine.analysis.evaluate.rows import ScoredReading


@dataclass(frozen=True)
class Spread:
    """The score of each repeat, in order, over the `questions` that every repeat has. `deviation` is the standard deviation
    between repeats (with n − 1); `changed` counts the questions whose score is not the same in every repeat."""

    reader: str
    score: str
    by_repeat: tuple[float, ...]
    questions: int
    changed: int

    @property
    def low(self) -> float:
        return min(self.by_repeat)

    @property
    def high(self) -> float:
        return max(self.by_repeat)

    @property
    def deviation(self) -> float:
        mean = sum(self.by_repeat) / len(self.by_repeat)
        return float((sum((one - mean) ** 2 for one in self.by_repeat) / (len(self.by_repeat) - 1)) ** 0.5)


def spread(rows: Iterable[ScoredReading], reader: str, score: str) -> Spread | None:
    """The spread of a reader's repeats; None with fewer than two, or without a question that all of them have."""
    values: dict[int, dict[tuple[str, str], float]] = {}
    for row in rows:
        of = row.scores.get(score)
        if row.reader == reader and of is not None and of.value is not None:
            values.setdefault(row.sample, {})[row.text, row.question] = of.value
    repeats = [values[sample] for sample in sorted(values)]
    shared = set.intersection(*map(set, repeats)) if repeats else set()
    if len(repeats) < 2 or not shared:
        return None
    means = tuple(sum(one[asked] for asked in shared) / len(shared) for one in repeats)
    changed = sum(len({one[asked] for one in repeats}) > 1 for asked in shared)
    return Spread(reader, score, means, len(shared), changed)
