"""How fast a model was, learnt from its calls on record: the fixed delay of a call, tokens a second in and out, how far calls
that were in flight together shared its speed, and how long it took to load. Pure.

The fit is robust: a call that hung or was paused changes little. It has no coefficient below zero. Not here: which calls are
taken (`store/runs.py`), the speed as measured by a test (`speed.py`), and what a reading then takes (`run/estimate.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import log
from statistics import mean, median
from typing import NamedTuple

from readers.engine.models.speed import Speed

FEWEST_CALLS = 6  # to tell a delay from tokens a second; of fewer, a call takes what the others took
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
CLEARLY_BETTER = 0.97  # the error that another share must get below, to be believed rather than the usual one
_ROUNDS = 6
_LEAST_SECONDS = 0.001
_SPARE = 1e-4  # keeps columns apart that say the same


class TimedCall(NamedTuple):
    """An answered call: tokens, those of the prompt that the server had from an earlier one, seconds, and how many calls were in
    flight with it on average, itself included. `first`: the first call of its reading."""

    prompt: str
    sent: int
    received: int
    seconds: float
    at_once: float = 1.0
    cached: int = 0
    first: bool = False


def learn_speed(calls: Sequence[TimedCall], *, shares: float) -> Speed | None:
    """The speed that explains these calls best; None without any. `shares` is how far calls at once are taken to share the speed
    if the calls do not show it: 0 not at all, 1 entirely."""
    timed = [call for call in calls if call.seconds > 0]
    if not timed:
        return None
    cached = sum(call.cached for call in timed) / max(1, sum(call.sent for call in timed))
    if len(timed) < FEWEST_CALLS:
        alone = [call.seconds / call.at_once**shares for call in timed]
        return Speed(float("inf"), float("inf"), delay=median(alone), shared=shares, cached=cached)
    usual, *others = sorted((_fit(timed, share) for share in SHARES), key=lambda fit: abs(fit.share - shares))
    best = min(others, key=lambda fit: fit.error)
    found = best if best.error < CLEARLY_BETTER * usual.error else usual
    delay, per_sent, per_received = found.terms
    return Speed(_rate(per_sent), _rate(per_received), delay, _load(timed, found), found.share, cached)


class _Fit(NamedTuple):
    share: float
    terms: tuple[float, float, float]
    error: float

    def seconds(self, call: TimedCall) -> float:
        delay, per_sent, per_received = self.terms
        alone = delay + per_sent * (call.sent - call.cached) + per_received * call.received
        return max(_LEAST_SECONDS, float(alone * call.at_once**self.share))


def _fit(calls: Sequence[TimedCall], share: float) -> _Fit:
    """The terms that explain the calls best: least squares of relative errors, again and again with less weight for outliers."""
    rows = [(1.0, float(max(0, call.sent - call.cached)), float(call.received)) for call in calls]
    times = [call.seconds / call.at_once**share for call in calls]
    weights = [1 / time for time in times]
    fit = _Fit(share, (0.0, 0.0, 0.0), 0.0)
    for _ in range(_ROUNDS):
        fit = _Fit(share, _least_squares(rows, times, weights), 0.0)
        off = [abs(log(call.seconds / fit.seconds(call))) for call in calls]
        usual = 1.5 * 1.4826 * median(off) + 0.02
        seconds = [max(_LEAST_SECONDS, sum(t * x for t, x in zip(fit.terms, row, strict=True))) for row in rows]
        weights = [min(1.0, usual / max(error, 1e-9)) / time for error, time in zip(off, seconds, strict=True)]
    return fit._replace(error=mean(min(error, 1.0) for error in off))


def _least_squares(
    rows: Sequence[tuple[float, float, float]], times: Sequence[float], weights: Sequence[float]
) -> tuple[float, float, float]:
    """The weighted least squares with no term below zero: the best of those of every subset of the terms."""
    scale = [max(1e-9, mean(row[n] for row in rows)) for n in range(3)]
    normal = [
        [sum(w * row[i] * row[j] for w, row in zip(weights, rows, strict=True)) / scale[i] / scale[j] for j in range(3)]
        for i in range(3)
    ]
    spare = _SPARE * sum(weights)
    target = [sum(w * row[i] * t for w, row, t in zip(weights, rows, times, strict=True)) / scale[i] for i in range(3)]
    best, least = (0.0, 0.0, 0.0), 0.0
    for size in (1, 2, 3):
        for chosen in combinations(range(3), size):
            part = _solve([[normal[i][j] + spare * (i == j) for j in chosen] for i in chosen], [target[i] for i in chosen])
            if min(part) < 0:
                continue
            gain = -sum(found * target[i] for found, i in zip(part, chosen, strict=True))
            if gain < least:
                terms = dict(zip(chosen, part, strict=True))
                best, least = tuple(terms.get(i, 0.0) / scale[i] for i in range(3)), gain  # type: ignore[assignment]
    return best


def _solve(matrix: list[list[float]], target: list[float]) -> list[float]:
    """The solution of a few equations, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, target, strict=True)]
    for n, row in enumerate(rows):
        for other in rows[n + 1 :]:
            by = other[n] / row[n]
            other[n:] = [b - by * a for a, b in zip(row[n:], other[n:], strict=True)]
    found: list[float] = []
    for n in reversed(range(len(rows))):
        known = sum(a * x for a, x in zip(rows[n][n + 1 : -1], found, strict=True))
        found.insert(0, (rows[n][-1] - known) / rows[n][n])
    return found


def _load(calls: Sequence[TimedCall], fit: _Fit) -> float:
    """The seconds that first calls of readings took beyond their own, where they clearly did: the model was loaded."""
    beyond = [call.seconds - fit.seconds(call) for call in calls if call.first and call.seconds > 2 * fit.seconds(call) + 1]
    return median(beyond) if beyond else 0.0


def _rate(seconds: float) -> float:
    return 1 / seconds if seconds > 0 else float("inf")
