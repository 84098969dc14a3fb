"""Percentile bootstraps: units (readings, texts) are drawn with a fixed seed, as many as there are, and a figure is computed of
each sample; its interval is the middle 95 % of these values (Efron 1979). Pure.

A figure is computed for many samples at once, from how often each unit is in each sample. Used for how far annotators agree
(`agreement.py`) and for scores (`analysis/evaluate/`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from readers.engine import on_first_use

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    np = on_first_use.module("numpy")

SEED = 20060522
FEW = 20  # units; with fewer, an interval is too narrow
MOSTLY = 0.9  # the share of samples in which a figure must be defined, for an interval
_MOST_CELLS = 4_000_000  # units times samples that are held at once, 8 bytes each

Array: TypeAlias = "npt.NDArray[np.float64]"
# From weights, a row for each sample and a column for each unit, to a value, or a row of values, for each sample.
Statistic = Callable[[Array], Array]


def resampled(units: int, statistic: Statistic, *, resamples: int) -> Array:
    """The values of a statistic for samples of this many units. What is undefined in a sample is NaN there."""
    if units * resamples <= _MOST_CELLS:
        return statistic(_samples(units, resamples))
    block = max(1, _MOST_CELLS // units)
    generator = np.random.default_rng(SEED)
    sizes = [min(block, resamples - start) for start in range(0, resamples, block)]
    return np.concatenate([statistic(_drawn(generator, units, size)) for size in sizes])


def middle(found: Array) -> tuple[float, float] | None:
    """The middle 95 % of the values of samples; None if too few of them are defined."""
    defined = found[~np.isnan(found)]
    if len(defined) < MOSTLY * len(found):
        return None
    low, high = np.percentile(defined, (2.5, 97.5))
    return float(low), float(high)


def divided(above: Array, below: Array) -> Array:
    """The quotient; NaN for a divisor of zero."""
    empty = np.full(np.broadcast(above, below).shape, np.nan)
    found: Array = np.divide(above, below, out=empty, where=np.abs(below) > 1e-12)
    return found


@lru_cache(maxsize=4)
def _samples(units: int, resamples: int) -> Array:
    return _drawn(np.random.default_rng(SEED), units, resamples)


def _drawn(generator: np.random.Generator, units: int, resamples: int) -> Array:
    """How often each unit is in each sample."""
    drawn = generator.integers(units, size=(resamples, units))
    cells = drawn + np.arange(resamples)[:, np.newaxis] * units
    return np.bincount(cells.ravel(), minlength=resamples * units).reshape(resamples, units).astype(np.float64)
