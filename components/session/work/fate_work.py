"""Following the evidence of many readings in the background: one thread for each batch or project, which its page polls and can
cancel.

What it computes is saved in the store (`analysis/facts/evidence.py`), and held here for as long as the process lives,
should the store refuse it. Readings go first: the thread pauses after each one that it followed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field

from components.session import process_cache
from readers import get
from readers.engine.analysis.facts.evidence import EvidenceFate, Wanted, make_fates
from readers.engine.errors import ReadingError
from readers.engine.store import Store

PAUSE = 0.002  # seconds
MOST_WORKS = 16  # whose fates are held


@dataclass
class Following:
    """The work on one batch or project: the readings that are followed, and what was found of them, by `Wanted.key`."""

    asked: frozenset[str]
    found: dict[str, EvidenceFate | None] = field(default_factory=dict)
    cancelled: bool = False
    error: ReadingError | None = None
    over: threading.Event = field(default_factory=threading.Event)


class FateWork:
    """The work on all batches and projects of this process. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._works: dict[str, Following] = {}

    def of(self, readings_of: str) -> Following | None:
        """The last work on a batch or a project."""
        with self._lock:
            return self._works.get(readings_of)

    def start(self, readings_of: str, missing: Sequence[Wanted]) -> Following:
        """Follow these readings of a batch or a project, unless a thread is at work on it."""
        with self._lock:
            work = self._works.get(readings_of)
            if work and not work.over.is_set():
                return work
            over = [name for name, one in self._works.items() if one.over.is_set()]
            for name in over[: max(0, len(self._works) - MOST_WORKS)]:
                del self._works[name]
            self._works[readings_of] = work = Following(frozenset(one.key for one in missing))
        threading.Thread(target=_follow, args=(work, missing), name=f"fates-{readings_of}", daemon=True).start()
        return work

    def cancel(self, readings_of: str) -> None:
        """Stop the work after the reading that is followed now; what was computed stays."""
        if work := self.of(readings_of):
            work.cancelled = True


def _follow(work: Following, missing: Sequence[Wanted]) -> None:
    try:
        with Store() as store, closing(make_fates(store, missing, get)) as made:
            for want, fate in made:
                work.found[want.key] = fate
                if work.cancelled:
                    break
                time.sleep(PAUSE)
    except ReadingError as error:
        work.error = error
    except Exception:
        work.error = ReadingError("The evidence could not be followed; the log of the server says why.")
        raise
    finally:
        work.over.set()


@process_cache.lasting
def fate_work() -> FateWork:
    return FateWork()
