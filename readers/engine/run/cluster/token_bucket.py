"""How many requests and tokens a minute all workers of a cluster may send together. Pure: the clock is given.

A bucket fills at an even rate and holds a tenth of a minute's worth, so that in any minute at most a tenth more than its rate
goes out. What is taken may exceed what is there: the bucket is then in debt, and its taker waits until that is paid. Nothing is
too large for it, and the mean rate is kept exactly. Thread-safe.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

BURST = 0.1  # of a minute
_MINUTE = 60.0


class TokenBucket:
    """A bucket that starts full."""

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = per_minute / _MINUTE
        self._room = max(1.0, per_minute * BURST)
        self._level = self._room
        self._clock = clock
        self._at = clock()
        self._lock = threading.Lock()

    def take(self, amount: float) -> float:
        """Take an amount, and return for how many seconds its taker must wait before it goes out."""
        with self._lock:
            now = self._clock()
            self._level = min(self._room, self._level + (now - self._at) * self._rate) - amount
            self._at = now
            return max(0.0, -self._level / self._rate)


@dataclass(frozen=True)
class Pace:
    """The buckets of one cluster; None for no limit."""

    requests: TokenBucket | None = None
    tokens: TokenBucket | None = None

    @classmethod
    def of(cls, requests_per_minute: float | None, tokens_per_minute: float | None) -> Pace:
        return cls(*(TokenBucket(rate) if rate else None for rate in (requests_per_minute, tokens_per_minute)))

    @property
    def is_limited(self) -> bool:
        return bool(self.requests or self.tokens)

    def reserve(self, tokens: int) -> float:
        """Take a request with a prompt of so many tokens; returns the seconds it must wait."""
        return max(self.requests.take(1) if self.requests else 0.0, self.tokens.take(tokens) if self.tokens else 0.0)

    def charge(self, tokens: int) -> None:
        """Take the tokens of a reply, once it is there: those after it wait."""
        if self.tokens:
            self.tokens.take(tokens)
