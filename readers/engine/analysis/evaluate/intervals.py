"""The mean of scores with its interval: a bootstrap over questions, clustered by text. Pure.

The questions of one text are not independent, so texts are drawn with all their questions. Where there is one text only,
questions are drawn, and the interval says nothing of other texts. Every reading weighs the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from readers.engine import on_first_use
from readers.engine.labels.figures.bootstrap import FEW, Array, divided, middle, resampled

if TYPE_CHECKING:
    import numpy as np
else:
    np = on_first_use.module("numpy")

RESAMPLES = 2000


@dataclass(frozen=True)
class Value:
    """One number of one question of a text."""

    text: str
    question: str
    number: float


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % interval, `of` so many readings of `questions` questions about `texts` texts. `value` is None if there
    are no readings, and `low` and `high` if there is one question only. `note` says what else must be known of it."""

    value: float | None
    low: float | None = None
    high: float | None = None
    of: int = 0
    questions: int = 0
    texts: int = 0
    note: str = ""


def estimates(columns: Mapping[str, Sequence[Value]], *, resamples: int = RESAMPLES) -> dict[str, Estimate]:
    """The estimate of each column of values. Columns over the same texts are drawn together: many cost little more than one."""
    found: dict[str, Estimate] = {}
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, values in columns.items():
        alike.setdefault(tuple(dict.fromkeys(one.text for one in values)), []).append(name)
    for texts, names in alike.items():
        found |= _together({name: columns[name] for name in names}, texts, resamples)
    return {name: found[name] for name in columns}


def _together(columns: Mapping[str, Sequence[Value]], texts: tuple[str, ...], resamples: int) -> dict[str, Estimate]:
    if not texts:
        return {name: Estimate(None, note="nothing was scored") for name in columns}
    if len(texts) == 1:
        return {name: _one_text(values, resamples) for name, values in columns.items()}
    row = {text: number for number, text in enumerate(texts)}
    sums, counts = np.zeros((len(texts), len(columns))), np.zeros((len(texts), len(columns)))
    for column, values in enumerate(columns.values()):
        for one in values:
            sums[row[one.text], column] += one.number
            counts[row[one.text], column] += 1
    means = resampled(len(texts), lambda weights: divided(weights @ sums, weights @ counts), resamples=resamples)
    note = f"fewer than {FEW} texts: the interval is too narrow" if len(texts) < FEW else ""
    return {name: _estimate(values, means[:, column], note) for column, (name, values) in enumerate(columns.items())}


def _one_text(values: Sequence[Value], resamples: int) -> Estimate:
    by_question: dict[str, list[float]] = {}
    for one in values:
        by_question.setdefault(one.question, []).append(one.number)
    if len(by_question) == 1:
        return _estimate(values, None, "no interval: there is one question only")
    sums, counts = (np.array([size(numbers) for numbers in by_question.values()], dtype=np.float64) for size in (sum, len))
    means = resampled(len(by_question), lambda weights: divided(weights @ sums, weights @ counts), resamples=resamples)
    return _estimate(values, means, "one text only: the interval is over its questions and says nothing of other texts")


def _estimate(values: Sequence[Value], means: Array | None, note: str) -> Estimate:
    low, high = (None if means is None else middle(means)) or (None, None)
    questions = len({(one.text, one.question) for one in values})
    value = sum(one.number for one in values) / len(values)
    return Estimate(value, low, high, len(values), questions, len({one.text for one in values}), note)
