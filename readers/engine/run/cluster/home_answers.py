"""What the home of a cluster does with what workers post: it opens readings for them, and puts their calls and events on record.

Every answer is JSON data. A repeated post changes nothing: a row is one for its run, call and attempt, and an answered one is
never overwritten. Not here: HTTP (`home_service.py`), who may post (`visits.py`), and the end of a reading (`away.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from readers.engine.errors import Busy, Diverged
from readers.engine.record.journal import Wait
from readers.engine.run.cluster import posted
from readers.engine.run.cluster.posted import Saved
from readers.engine.run.cluster.token_bucket import Pace
from readers.engine.run.cluster.visits import Visit, Visits
from readers.engine.store import AT_WORK, Store

Answer = dict[str, Any]


class Home:
    """The home of all workers of one cluster. Thread-safe; the store is that of the calling thread."""

    def __init__(self, pace: Pace | None = None) -> None:
        self.visits = Visits()
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
        """All that is known of a reading so far. From now on it is running."""
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
        return {"title": document.title, "text": document.text}

    def _shared(self, store: Store, visit: Visit, body: bytes) -> Answer:
        record = store.runs.tape(visit.run).find_shared(posted.read(body, posted.SharedPost).identity)
        return {"record": record and asdict(record)}

    def _save(self, store: Store, visit: Visit, body: bytes) -> Answer:
        saved = posted.read_save(body, chars=visit.chars)
        with self.visits.lock:
            self.visits.of(visit.run, visit.lease)
            tape = store.runs.tape(visit.run)
            kept = tape.events_after(saved.start - 1) if saved.start < visit.events else []
            _check_events(saved, kept, visit.events)
            tape.save(saved.record, saved.prompt, saved.start + len(kept), saved.events[len(kept) :])
            visit.events = max(visit.events, saved.start + len(saved.events))
            if saved.record and saved.record.reply is not None:
                visit.answered += 1
                if saved.record.origin == "live":
                    self._pace.charge(saved.record.tokens_out or 0)
        return {}

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
        visit.finish(posted.read(body, posted.EndPost))
        return {}


def _check_events(saved: Saved, kept: list[str], known: int) -> None:
    """Raise Diverged unless the events follow those on record, or repeat them."""
    if saved.start > known or len(kept) > len(saved.events) or saved.events[: len(kept)] != kept:
        raise Diverged(f"the events from {saved.start} on that a worker posted do not follow the {known} on record")
