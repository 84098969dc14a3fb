"""The home of a cluster: the readings that workers have been given, what it does with their posts, and the pace of all requests.

It opens readings for workers, and records their calls and events. Every answer is JSON data. A repeated post changes nothing:
there is one row for each run, call and attempt, and an answered row is never overwritten. A reading is given in turns: if a
worker is lost, the next turn goes to another. The worker that opens the reading last does it; posts of earlier workers are
refused, so that no two write one record.

A bucket for requests and one for tokens keep the pace. Each fills at an even rate and holds a tenth of a minute's worth, so that
in any minute at most a tenth more than its rate goes out. A request may take more than is there: the bucket is then in debt, and
the requester waits until it is paid. Nothing is too large for it, and the mean rate is kept exactly. Not here: HTTP
(`home_service.py`), and the end of a reading (`away.py`).
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from readers.engine.canonical import encodable
from readers.engine.errors import Busy, Diverged, NotFound
from readers.engine.record.journal import Wait
from readers.engine.run.cluster import posted
from readers.engine.run.cluster.posted import EndPost
from readers.engine.store import AT_WORK, Store

Answer = dict[str, Any]
BURST = 0.1  # of a minute
_MINUTE = 60.0


class Home:
    """The home of all workers of one cluster. Thread-safe; the store is that of the calling thread."""

    def __init__(self, pace: Pace | None = None) -> None:
        self.visits = WorkerVisits()
        self._pace = pace or Pace()
        self._verbs: dict[str, Callable[[Store, Visit, bytes], Answer]] = {
            "document": self._document,
            "shared": self._shared,
            "save": self._save,
            "wait": self._wait,
            "reserve": self._reserve,
            "stop": self._stop,
            "end": self._end,
        }

    @property
    def verbs(self) -> tuple[str, ...]:
        return ("open", *self._verbs)

    def answer(self, store: Store, run: str, *, verb: str, lease: str, body: bytes) -> Answer:
        """Do what a worker asks for. Raises BadInput for a post that is not in order, Busy and NotFound for one of a worker that
        does not do this reading."""
        if verb == "open":
            return self._open(store, run, posted.read(body, posted.OpenPost).turn)
        return self._verbs[verb](store, self.visits.of(run, lease), body)

    def _open(self, store: Store, run_id: str, turn: int) -> Answer:
        """All that is known about a reading so far. From now on it is running."""
        with self.visits.lock:
            visit = self.visits.opened(run_id, turn)
            run = store.runs.get(run_id)
            if run.status == "queued":
                store.runs.claim(run.id)
            elif run.status not in AT_WORK:
                raise Busy(f"reading {run_id!r} is {run.status}")
            tape = store.runs.tape(run.id)
            lines = tape.events()
            visit.events = len(lines)
            records = [asdict(record) for record in tape.records()]
            about = {"spec": run.spec, "document": run.document, "paced": self._pace.is_limited}
            return {"lease": visit.lease, **about, "records": records, "events": lines}

    def _document(self, store: Store, visit: Visit, body: bytes) -> Answer:
        posted.read(body, posted.EmptyPost)
        document = store.documents.get(store.runs.get(visit.run).document)
        return {"title": document.title, "text": document.text, "pages": document.pages}

    def _shared(self, store: Store, visit: Visit, body: bytes) -> Answer:
        record = store.runs.tape(visit.run).find_shared(posted.read(body, posted.SharedPost).identity)
        return {"record": record and asdict(record)}

    def _save(self, store: Store, visit: Visit, body: bytes) -> Answer:
        self._record(store, visit, posted.read(body, posted.SavePost))
        return {}

    def _record(self, store: Store, visit: Visit, post: posted.SavePost) -> None:
        calls, start, lines = posted.checked_calls(post, chars=visit.chars), post.start, post.events
        with self.visits.lock:
            self.visits.of(visit.run, visit.lease)
            tape = store.runs.tape(visit.run)
            kept = tape.events_after(start - 1) if start < visit.events else []  # which the posted ones repeat
            if start > visit.events or lines[: len(kept)] != kept:
                raise Diverged(f"the events from {start} on that a worker posted do not follow the {visit.events} on record")
            tape.save_all(calls, start + len(kept), lines[len(kept) :])
            visit.events = max(visit.events, start + len(lines))
            for record in (record for record, _ in calls if record.reply is not None):
                visit.answered += 1
                if record.origin == "live":
                    self._pace.charge(record.tokens_out or 0)

    def _wait(self, store: Store, visit: Visit, body: bytes) -> Answer:
        post = posted.read(body, posted.WaitPost)
        store.runs.tape(visit.run).note_wait(None if post.seq is None else Wait(post.seq, post.seconds))
        return {}

    def _reserve(self, store: Store, visit: Visit, body: bytes) -> Answer:
        return {"seconds": self._pace.reserve(posted.read(body, posted.ReservePost).tokens)}

    def _stop(self, store: Store, visit: Visit, body: bytes) -> Answer:
        posted.read(body, posted.EmptyPost)
        return {"stop": store.runs.cancel_asked(visit.run)}

    def _end(self, store: Store, visit: Visit, body: bytes) -> Answer:
        post = posted.read(body, posted.EndPost)
        if post.rest:
            self._record(store, visit, post.rest)
        visit.finish(post)
        return {}


# Who does each reading


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


class WorkerVisits:
    """The whole state of one home."""

    def __init__(self) -> None:
        self._by_run: dict[str, Visit] = {}
        self.lock = threading.RLock()
        """Held while a post is recorded and while a reading is opened."""

    def expect(self, run: str, chars: int) -> Visit:
        """Let workers open a reading, of a text with this many characters."""
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


# Pace. The clock is given


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
        """Take a request with a prompt of this many tokens; returns the seconds it must wait."""
        return max(self.requests.take(1) if self.requests else 0.0, self.tokens.take(tokens) if self.tokens else 0.0)

    def charge(self, tokens: int) -> None:
        """Take the tokens of a reply, once it is there: those after it wait."""
        if self.tokens:
            self.tokens.take(tokens)
