"""What a worker does: a reading by the ordinary engine, with its record at the home.

A worker has no database. Its tape is in memory, and each call and event is posted home before it is used; what costs nothing to
get again may be posted a little later. It keeps the last texts it has read, and the replies that its readings share, so that they
are sent once and not for each question. The keys of models are those in the environment of the worker's machine: no key is sent.
"""

from __future__ import annotations

import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from readers.engine.errors import Diverged
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import Model
from readers.engine.models.offline import Offline
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.journal import MemoryTape, Record, Wait
from readers.engine.run.cluster.home_client import HomeAddress, HomeClient
from readers.engine.run.cluster.posted import MOST_SAVED, RecordedCall, save_post
from readers.engine.run.execute import Execution, RunSpec, carry_out
from readers.engine.run.reader import Reader
from readers.engine.text import tokens
from readers.engine.text.document import Document

LINGER_SECONDS = 60.0  # that calls in flight have to be recorded when a reading is stopped
POST_SECONDS = 0.5  # after which even what costs nothing is posted, for those who follow the reading
MOST_CHARACTERS = 100_000_000  # of the texts that a worker keeps
MOST_SHARED = 10_000  # replies that a worker keeps for its next readings


@dataclass(frozen=True)
class Task:
    """One reading for a worker. `readers` and `models` must be functions of a module, or instances of a class of one: they travel
    by name."""

    home: HomeAddress
    run: str
    turn: int
    readers: Callable[[str], Reader]
    models: Callable[[RunSpec], Model]
    concurrency: int


def work(task: Task) -> None:
    """Run a reading as far as it gets, and report its end to the home.

    Raises what kept it from starting; Busy if it was given to another worker; StoreError if the home was lost.
    """
    with HomeClient(task.home, task.run) as home:
        opened = home.open(task.turn)
        spec = RunSpec.from_json(opened.spec)
        reader = task.readers(spec.reader)
        if spec.version != reader.version:
            raise Diverged(
                f"this reading is for version {spec.version} of {reader.title}, and the worker has version {reader.version}: "
                "all machines need the same Palimpsest"
            )
        model = task.models(spec)
        tape = RemoteTape(home, opened.records, opened.events, free=isinstance(model, Offline))
        carry_out(
            spec,
            reader,
            Execution(Paced(model, home) if opened.paced else model, concurrency=task.concurrency, linger=LINGER_SECONDS),
            document=partial(DOCUMENTS.get, opened.document, home.document),
            tape=tape,
            settle=tape.settle,
            cancel_asked=home.cancel_asked,
            reuse=spec.reuse,
        )


class RemoteTape(MemoryTape):
    """A `Tape` that begins with the record at the home. What costs nothing to get again is posted with what comes next: shared
    replies, and all replies and events if the model is `free`."""

    def __init__(self, home: HomeClient, records: Sequence[Record], events: Sequence[str], *, free: bool = False) -> None:
        super().__init__()
        self._home = home
        self._free = free
        self._unposted: list[RecordedCall] = []
        self._posted_events = len(events)
        self._post_by = 0.0
        self.records = {(record.seq, record.attempt): record for record in records}
        self.lines = list(events)

    def find_shared(self, identity: str) -> Record | None:
        found = SHARED.find(self._home.address, identity) or self._home.find_shared(identity)
        if found:
            SHARED.keep(self._home.address, found)
        return found

    def save(self, record: Record | None, prompt: Prompt | None, start: int, new_events: list[str]) -> None:
        saved = [*self._unposted, (record, prompt)] if record and prompt else self._unposted
        waits = self._has_rest()
        if not self._may_wait(record, others=waits):
            self._home.post(
                "save", save_post(saved, self._posted_events, [*self.lines[self._posted_events : start], *new_events])
            )
            self._note_posted(start + len(new_events))
        else:
            self._post_by = self._post_by if waits else time.monotonic() + POST_SECONDS
            self._unposted = saved
        super().save(record, prompt, start, new_events)
        if record and record.shared and record.origin == "live" and record.reply is not None:
            SHARED.keep(self._home.address, record)

    def _has_rest(self) -> bool:
        return bool(self._unposted) or len(self.lines) > self._posted_events

    def _may_wait(self, record: Record | None, *, others: bool) -> bool:
        """Whether a call, or events alone, may be posted later; with `others`, some wait already."""
        is_free = (self._free and (not record or record.task != "score")) or (record and record.origin == "cached")
        return bool(is_free) and (not others or (len(self._unposted) < MOST_SAVED - 1 and time.monotonic() < self._post_by))

    def settle(self, status: str, **end: Any) -> None:
        """Post how the reading ended, with what was not posted yet."""
        rest = save_post(self._unposted, self._posted_events, self.lines[self._posted_events :]) if self._has_rest() else None
        self._home.settle(status, rest=rest, **end)
        self._note_posted(len(self.lines))

    def _note_posted(self, events: int) -> None:
        self._unposted, self._posted_events = [], events

    def note_wait(self, wait: Wait | None) -> None:
        super().note_wait(wait)
        self._home.post("wait", {"seq": wait and wait.seq, "seconds": wait.seconds if wait else 0.0})


@dataclass(frozen=True)
class Paced:
    """A model whose requests wait for their turn in the whole cluster."""

    model: Model
    home: HomeClient

    def complete(self, call: Call) -> Reply:
        prompt = sum(tokens.count(message["content"]) for message in call.messages)
        time.sleep(self.home.reserve(prompt))
        return self.model.complete(call)


class RecentDocuments:
    """The texts that this worker has read last, by id. Thread-safe."""

    def __init__(self, most: int = MOST_CHARACTERS) -> None:
        self._most = most
        self._kept: OrderedDict[str, Document] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, document: str, pull: Callable[[], Document]) -> Document:
        """The text with this id; it is pulled if it is not here."""
        with self._lock:  # also while it is pulled: its other readings wait for it
            if document not in self._kept:
                self._kept[document] = pull()
            self._kept.move_to_end(document)
            while len(self._kept) > 1 and sum(len(one.text) for one in self._kept.values()) > self._most:
                self._kept.popitem(last=False)
            return self._kept[document]


class SharedReplies:
    """The shared replies that this worker has read or made last, for the home that it works for. Thread-safe."""

    def __init__(self, most: int = MOST_SHARED) -> None:
        self._most = most
        self._home: HomeAddress | None = None
        self._kept: OrderedDict[str, Record] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, home: HomeAddress, identity: str) -> Record | None:
        with self._lock:
            return self._kept.get(identity) if home == self._home else None

    def keep(self, home: HomeAddress, record: Record) -> None:
        with self._lock:
            if home != self._home:
                self._home = home
                self._kept.clear()
            self._kept[record.identity] = record
            self._kept.move_to_end(record.identity)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


DOCUMENTS, SHARED = RecentDocuments(), SharedReplies()


def dask_setup(worker: object) -> None:
    """Called by dask when a worker process on this machine has started, on its main thread: Ctrl+C, which reaches them all, is
    for their home, which stops them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
