"""The mean of scores with its interval, clustered by text. Pure.

The questions of one text are not independent, so an interval is about how far the mean would move with other texts
(`labels/figures/intervals.py`). Every reading weighs the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from readers.engine import on_first_use
from readers.engine.labels.figures.intervals import Bounds, clustered

if TYPE_CHECKING:
    import numpy as np
else:
    np = on_first_use.module("numpy")

ABOUT = (
    "The 95 % intervals are about other texts like these. They keep the questions of a text together: the figure is computed "
    "again without each text in turn, and the interval is Wilson’s with Student’s t, or Student’s own for a figure that is not a "
    "share. Where each text is all right or all wrong, it counts once. No interval is given for fewer than five texts."
)
"""What every page and file says of the intervals."""


@dataclass(frozen=True)
class Value:
    """One number of one question of a text."""

    text: str
    question: str
    number: float


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % interval, of the kind `interval`; `of` so many readings of `questions` questions about `texts` texts.
    `value` is None if there are no readings. Where there is no interval, `note` says why."""

    value: float | None
    low: float | None = None
    high: float | None = None
    of: int = 0
    questions: int = 0
    texts: int = 0
    interval: str = ""
    note: str = ""


def estimate(values: Sequence[Value], bounds: Bounds | None) -> Estimate:
    """The mean of these values; `bounds` are the least and the most that a value can be, None if there are none."""
    if not values:
        return Estimate(None, note="nothing was scored")
    row = {text: number for number, text in enumerate(dict.fromkeys(one.text for one in values))}
    of_text, numbers = [row[one.text] for one in values], [one.number for one in values]
    sums, counts = np.bincount(of_text, weights=numbers), np.bincount(of_text)
    value, rest = sum(numbers) / len(values), len(values) - counts
    without = (sum(numbers) - sums) / np.where(rest > 0, rest, np.nan)
    found = clustered(value, without, "texts", bounds=bounds)
    questions = len({(one.text, one.question) for one in values})
    return Estimate(value, found.low, found.high, len(values), questions, len(row), found.kind, found.why)
