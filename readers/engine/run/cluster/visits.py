"""The readings that workers have been given: who does each now, how far it is, and how it ended. Thread-safe.

A reading is given in turns: if a worker is lost, the next turn goes to another. Whoever opens the reading last does it; what
earlier workers still post is refused, so that no two write one record.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass, field

from readers.engine.canonical import encodable
from readers.engine.errors import Busy, NotFound
from readers.engine.run.cluster.posted import EndPost


@dataclass
class Visit:
    """One reading that a worker may open. `events` are those on record, `answered` the replies that were posted."""

    run: str
    chars: int
    turn: int = 0
    lease: str = ""
    events: int = 0
    answered: int = 0
    end: EndPost | None = None
    ended: threading.Event = field(default_factory=threading.Event)

    def finish(self, end: EndPost) -> None:
        """Note how the worker's execution ended; a repeated post changes nothing."""
        if self.end is None:
            self.end = EndPost(status=end.status, seconds=end.seconds, error=encodable(end.error) if end.error else None)
        self.ended.set()


class Visits:
    """All of one home."""

    def __init__(self) -> None:
        self._by_run: dict[str, Visit] = {}
        self.lock = threading.RLock()
        """Held while a post is recorded and while a reading is opened."""

    def expect(self, run: str, chars: int) -> Visit:
        """Let workers open a reading, of a text with so many characters."""
        with self.lock:
            self._by_run[run] = Visit(run, chars)
            return self._by_run[run]

    def dismiss(self, run: str) -> None:
        """Refuse what workers still post of a reading."""
        with self.lock:
            self._by_run.pop(run, None)

    def next_turn(self, visit: Visit) -> int:
        """The number of another turn, with which a worker may open the reading."""
        with self.lock:
            visit.turn += 1
            return visit.turn

    def opened(self, run: str, turn: int) -> Visit:
        """The visit, with a new lease. Raises Busy for an earlier turn, or if the reading has ended."""
        with self.lock:
            visit = self._of(run)
            if turn < visit.turn or visit.ended.is_set():
                raise Busy(f"reading {run!r} was given to another worker")
            visit.lease = secrets.token_hex(16)
            return visit

    def of(self, run: str, lease: str) -> Visit:
        """The visit of the worker with this lease. Raises Busy if another has opened the reading since."""
        with self.lock:
            visit = self._of(run)
            if not lease or not secrets.compare_digest(visit.lease.encode(), lease.encode("utf-8", "replace")):
                raise Busy(f"another worker has opened reading {run!r} since")
            return visit

    def _of(self, run: str) -> Visit:
        visit = self._by_run.get(run)
        if visit is None:
            raise NotFound(f"reading {run[:40]!r} is not given to workers, or no longer")
        return visit
