"""How often something may happen within some time, for each key: what strangers could otherwise repeat a thousand times a second.

It is counted in this process alone, and no longer than the time that counts.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Callable, Hashable
from threading import Lock

MOST_KEYS = 10_000  # more than this are looked through for those whose time is over


class Rate:
    """At most `most` times within `seconds`, for each key."""

    def __init__(self, most: int, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._taken: defaultdict[Hashable, deque[float]] = defaultdict(deque)
        self._lock = Lock()

    def take(self, key: Hashable) -> bool:
        """Count one more, if there may be one more now; otherwise False."""
        with self._lock:
            at = self._clock()
            if len(self._taken) > MOST_KEYS:
                for other in [one for one, times in self._taken.items() if not times or times[-1] <= at - self._seconds]:
                    del self._taken[other]
            taken = self._taken[key]
            while taken and taken[0] <= at - self._seconds:
                taken.popleft()
            if len(taken) >= self._most:
                return False
            taken.append(at)
            return True

    def give_back(self, key: Hashable) -> None:
        """Uncount the last one."""
        with self._lock:
            if self._taken[key]:
                self._taken[key].pop()
