"""Tests of pairs: McNemar's exact test, and Holm's correction for several tests. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb


def mcnemar(one: int, other: int) -> float:
    """McNemar's exact probability, two-sided, that so many of the questions that one reader alone got right are the first's:
    twice the smaller tail of a fair coin's binomial distribution, at most 1."""
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
