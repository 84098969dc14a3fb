"""The 95 % intervals of every figure here, one rule for scores, figures of methods and agreement; and tests of pairs. Pure.

What belongs to one unit (a text with its questions, a reading with its steps) is not independent, so the figure is computed again
without each unit in turn, and its variance is taken from these values (the jackknife, which keeps a unit together). Then

  - a figure with bounds, such as a share, has Wilson's interval (1927) for as many independent items as would vary as much
    (Korn and Graubard 1998), with Student's t for one less than there are units;
  - where each unit is wholly one bound or wholly the other (all right or all wrong; one question each; 0 % and 100 %), units are
    independent items, and it is Wilson's own interval with each unit counted once;
  - a figure without bounds has Student's interval.

There is none for fewer than `FEWEST` units. `tests/engine/statistics/test_intervals.py` measures how often these intervals
contain the true value: about as often as stated for right and wrong answers, but too seldom for graded scores near a bound, whose
spread few units show. Percentile bootstraps of five units held it in 65 to 87 % of most draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from readers.engine import on_first_use

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    np = on_first_use.module("numpy")

FEWEST = 5  # units
_Z = NormalDist().inv_cdf(0.975)
_MOST_CELLS = 4_000_000  # units times samples held in memory together, 8 bytes each
_NOTHING = 1e-9  # less is rounding

Array: TypeAlias = "npt.NDArray[np.float64]"
# From weights, a row for each sample and a column for each unit, to a value, or a row of values, for each sample.
Statistic = Callable[[Array], Array]
Bounds = tuple[float, float]
SHARE: Bounds = (0.0, 1.0)

ABOUT = (
    "The 95 % intervals are about other texts like these. They keep the questions of a text together: the figure is computed "
    "again without each text in turn, and the interval is Wilson’s with Student’s t, or Student’s own for a figure that is not a "
    "share. Where each text is all right or all wrong, it counts once. No interval is given for fewer than five texts."
)
"""What every page and file says of the intervals."""


class Interval(NamedTuple):
    """A 95 % interval and its `kind`; or neither, and `why` there is none."""

    low: float | None = None
    high: float | None = None
    kind: str = ""
    why: str = ""


def wilson(count: float, of: float, *, quantile: float = _Z) -> tuple[float, float] | None:
    """The 95 % interval of a share of independent items; None if `of` is 0."""
    if not of:
        return None
    share, square = count / of, quantile * quantile
    middle = (share + square / (2 * of)) / (1 + square / of)
    reach = quantile / (1 + square / of) * (share * (1 - share) / of + square / (4 * of * of)) ** 0.5
    return (0.0 if count == 0 else middle - reach), (1.0 if count == of else middle + reach)


def clustered(value: float, without: Array, unit: str, *, bounds: Bounds | None) -> Interval:
    """The interval of a figure, from its values `without` each unit. `unit` is what units are called: texts, readings."""
    units = len(without)
    if units < FEWEST:
        return Interval(why=f"no interval: there are fewer than {FEWEST} {unit}")
    if np.isnan(without).any():
        return Interval(why=f"no interval: without one of these {unit} the figure is undefined")
    deviation = float(((without - without.mean()) ** 2).sum() * (units - 1) / units) ** 0.5
    low, high = bounds or (0.0, 0.0)
    wide = high - low
    share = min(1.0, max(0.0, (value - low) / wide)) if bounds else 0.0
    apart = (share * (1 - share)) ** 0.5
    if bounds and abs(apart - deviation / wide * (units - 1) ** 0.5) < _NOTHING:
        ends, kind = wilson(share * units, units), f"Wilson, each of {units:,} {unit} counted once"
    elif deviation < _NOTHING * max(1.0, abs(value)):
        return Interval(why=f"no interval: the figure is the same without any of the {unit}")
    elif not bounds:
        reach = _t(units - 1) * deviation
        return Interval(value - reach, value + reach, f"t, clustered by {units:,} {unit}")
    else:
        size = (apart * wide / deviation) ** 2
        ends, kind = wilson(share * size, size, quantile=_t(units - 1)), f"Wilson, clustered by {units:,} {unit}"
    assert ends
    return Interval(low + wide * ends[0], low + wide * ends[1], kind)


def without_each(units: int, statistic: Statistic) -> Array:
    """The values of a statistic without each unit in turn; NaN where it is undefined."""
    numbers, block = np.arange(units), max(1, _MOST_CELLS // units)
    blocks = (numbers[start : start + block] for start in range(0, units, block))
    return np.concatenate([statistic((numbers != left_out[:, np.newaxis]).astype(np.float64)) for left_out in blocks])


def divided(above: Array, below: Array) -> Array:
    """The quotient; NaN for a divisor of zero."""
    empty = np.full(np.broadcast(above, below).shape, np.nan)
    found: Array = np.divide(above, below, out=empty, where=np.abs(below) > 1e-12)
    return found


def _t(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution, to 0.001 from 4 degrees of freedom on (Abramowitz and Stegun, 26.7.5)."""
    z, n = _Z, freedom
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92_160
    return z + first / n + second / n**2 + third / n**3 + fourth / n**4


# The mean of numbers of texts


@dataclass(frozen=True)
class MeanEstimate:
    """A mean and its 95 % interval, of the kind `interval`; `of` is the number of readings of `questions` questions about `texts`
    texts. `value` is None if there are no readings. Where there is no interval, `note` says why."""

    value: float | None
    low: float | None = None
    high: float | None = None
    of: int = 0
    questions: int = 0
    texts: int = 0
    interval: str = ""
    note: str = ""


def estimate(values: Sequence[tuple[str, str, float]], bounds: Bounds | None) -> MeanEstimate:
    """The mean of the numbers of these (text, question, number); `bounds` are the smallest and largest possible number, None if
    there are none."""
    if not values:
        return MeanEstimate(None, note="nothing was scored")
    row = {text: number for number, text in enumerate(dict.fromkeys(text for text, _, _ in values))}
    of_text, numbers = [row[text] for text, _, _ in values], [number for _, _, number in values]
    sums, counts = np.bincount(of_text, weights=numbers), np.bincount(of_text)
    value, rest = sum(numbers) / len(values), len(values) - counts
    without = (sum(numbers) - sums) / np.where(rest > 0, rest, np.nan)
    found = clustered(value, without, "texts", bounds=bounds)
    questions = len({(text, question) for text, question, _ in values})
    return MeanEstimate(value, found.low, found.high, len(values), questions, len(row), found.kind, found.why)


# Tests of pairs


def mcnemar(one: int, other: int) -> float:
    """McNemar's exact probability, two-sided, that this many of the questions that only one reader got right are the first
    reader's: twice the smaller tail of a fair coin's binomial distribution, at most 1."""
    total = one + other
    tail: int = sum(comb(total, k) for k in range(min(one, other) + 1))
    return min(1.0, float(Fraction(2 * tail, 2**total)))


def holm(probabilities: Sequence[float | None]) -> list[float | None]:
    """The probabilities after Holm's step-down correction (1979), in the same order; None stays None and is not counted."""
    order = sorted((p, n) for n, p in enumerate(probabilities) if p is not None)
    found = list(probabilities)
    above = 0.0
    for rank, (p, n) in enumerate(order):
        above = max(above, min(1.0, p * (len(order) - rank)))
        found[n] = above
    return found
