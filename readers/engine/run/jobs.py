"""Runs in the background: a few at a time, each on its own thread, the others queued.

The database is the channel: pages poll it. Each thread opens its own store. Not here: what a run does (`execute.py`).
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path

from readers.engine.errors import BadOptions, NotFound, ReadingError, StoreError
from readers.engine.run.execute import Execution, execute, spec_to_execute
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Store
from readers.engine.store.database import this_worker

AT_ONCE = 3
MAX_AT_ONCE = 64
MAX_WAITING = 200  # runs that wait for a person; each occupies two sleeping threads
LINGER_SECONDS = 600.0
RECHECK_SECONDS = 1.0
PATIENCE_SECONDS = 60.0  # that the database may fail, such as on a full disk, before work that consists of runs ends

Execute = Callable[[Store, str, Reader, Execution], Run]
"""Does what `execute` does."""

logger = logging.getLogger(__name__)


def configured_at_once() -> int:
    """How many runs execute at a time: PALIMPSEST_AT_ONCE, default 3. Raises BadOptions for an invalid value."""
    value = os.environ.get("PALIMPSEST_AT_ONCE", "").strip()
    if not value:
        return AT_ONCE
    if not value.isdecimal() or not 1 <= int(value) <= MAX_AT_ONCE:
        raise BadOptions(f"PALIMPSEST_AT_ONCE is {value!r}; set it to a number from 1 to {MAX_AT_ONCE}, or unset it")
    return int(value)


class Jobs:
    """All background runs of one process. Thread-safe.

    A stopped run frees its place at once; its thread stays until the replies in flight are recorded, and the same run does not
    start again before that. Runs that wait for a person occupy no place, so a whole class can be the model at the same time.
    """

    def __init__(
        self, path: Path | None = None, *, at_once: int = AT_ONCE, how: Execute = execute, patience: float = PATIENCE_SECONDS
    ) -> None:
        """`how` executes a run: here, unless something else is given, such as a cluster. `patience` is how many seconds the
        database may fail before followed work ends."""
        self._path = path
        self._at_once = at_once
        self._execute = how
        self._patience = patience
        self._changed = threading.Condition()
        self._queue: list[tuple[str, Reader, Execution]] = []
        self._threads: set[str] = set()
        self._running: set[str] = set()
        self._waiting: set[str] = set()
        self._followed: dict[str, Callable[[], bool]] = {}
        self._troubles: dict[str, tuple[str, float]] = {}  # why the database does not let work continue, and since when
        self._unsettled: dict[str, StoreError] = {}
        self._stops = 0  # how many runs have stopped so far

    @property
    def places(self) -> int:
        """How many runs can execute at a time."""
        return self._at_once

    def start(self, run_id: str, reader: Reader, execution: Execution) -> None:
        """Start a run that is queued on record as soon as there is room. Does nothing if it is queued or running here already."""
        with self._changed:
            if not self._has(run_id):
                self._add(run_id, reader, execution)

    def resume(self, store: Store, run_id: str, reader: Reader, execution: Execution) -> None:
        """Queue a stopped run, and continue it as soon as there is room. Does nothing if it is queued or running here already.

        Raises Busy if another live process is working on it, and like `spec_to_execute`; the run is then as it was.
        """
        with self._changed:
            if not self._has(run_id):
                spec_to_execute(store.runs.get(run_id), reader)
                store.runs.queue(run_id)
                self._add(run_id, reader, execution)

    def _has(self, run_id: str) -> bool:
        return run_id in self._running | self._waiting or any(run_id == queued for queued, _, _ in self._queue)

    def _add(self, run_id: str, reader: Reader, execution: Execution) -> None:
        self._queue.append((run_id, reader, execution))
        self._start_queued()

    def queue_position(self, run_id: str) -> int | None:
        """How many runs start before this one; None if it is not queued here."""
        with self._changed:
            return next((n for n, (queued, _, _) in enumerate(self._queue) if queued == run_id), None)

    def cancel(self, run_id: str) -> None:
        """Stop a run before its next call; remove it from the queue if it is waiting there."""
        with self._changed:
            self._queue = [job for job in self._queue if job[0] != run_id]
        with Store(self._path) as store:
            store.runs.cancel(run_id)

    def end_visit(
        self,
        visitor: str,
        *,
        after: float = 0.0,
        unless: Callable[[], bool] = lambda: False,
        then: Callable[[], None] = lambda: None,
    ) -> None:
        """After some seconds, delete everything a visitor made, including active runs as soon as they have stopped; `then` runs
        once all is gone."""
        timer = threading.Timer(after, self._end_visit, (visitor, unless, then))
        timer.daemon = True
        timer.start()

    def _end_visit(self, visitor: str, unless: Callable[[], bool], then: Callable[[], None]) -> None:
        if unless():
            return
        with Store(self._path) as store:
            gone = store.visits.end(visitor)
        if gone:
            then()
        else:
            self.end_visit(visitor, after=RECHECK_SECONDS, unless=unless, then=then)

    def follow(self, name: str, step: Callable[[], bool]) -> None:
        """Call `step` now and whenever a run has stopped, on its own thread, until it returns False.

        For work that consists of runs, such as a batch: it is not queued and occupies no place. Another step under the same name
        replaces the previous one. While the database fails, the step is tried again until patience is at an end.
        """
        with self._changed:
            self._troubles.pop(name, None)
            new = name not in self._followed
            self._followed[name] = step
            if new:
                threading.Thread(target=self._follow, args=(name,), name=f"follow-{name}", daemon=True).start()

    def is_following(self, name: str) -> bool:
        """Whether the work under this name is still active."""
        with self._changed:
            return name in self._followed

    def trouble(self, name: str) -> str:
        """Why the database does not let the work under this name continue, or made it end; empty if it does."""
        with self._changed:
            return self._troubles.get(name, ("", 0.0))[0]

    def check_settled(self, runs: Collection[str]) -> None:
        """Raise StoreError if the database did not take the end of one of these runs, which therefore looks as if it were
        running."""
        with self._changed:
            if error := next((self._unsettled[run] for run in runs if run in self._unsettled), None):
                raise error

    def _follow(self, name: str) -> None:
        while True:
            with self._changed:
                step, seen = self._followed[name], self._stops
            goes_on = self._run_step(name, step)
            with self._changed:
                if self._followed[name] is not step:
                    continue
                if not goes_on:
                    del self._followed[name]
                    self._changed.notify_all()
                    return
                self._changed.wait_for(partial(self._stopped_since, seen), RECHECK_SECONDS)

    def _stopped_since(self, stops: int) -> bool:
        return self._stops != stops

    def _run_step(self, name: str, step: Callable[[], bool]) -> bool:
        try:
            goes_on = step()
        except StoreError as error:
            return self._is_patient(name, error)
        except ReadingError as error:
            logger.warning("%s could not go on: %s", name, error)
            return False
        except Exception:
            logger.exception("%s broke down", name)  # as in `_run`
            return False
        with self._changed:
            self._troubles.pop(name, None)
        return goes_on

    def _is_patient(self, name: str, error: StoreError) -> bool:
        """Note that the database fails; returns whether the step is tried again."""
        with self._changed:
            is_new = name not in self._troubles
            _, since = self._troubles.setdefault(name, (str(error), time.monotonic()))
        if is_new:
            logger.warning("%s cannot go on now: %s", name, error)
        return time.monotonic() - since < self._patience

    def wait(self, timeout: float | None = None) -> bool:
        """Wait at most `timeout` seconds until no run is queued or active and no work is followed; returns whether that
        happened."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._queue or self._threads or self._followed), timeout)

    def _start_queued(self) -> None:
        for job in list(self._queue):
            run_id, _, execution = job
            there = self._waiting if execution.waits_for_person else self._running
            if len(there) < (MAX_WAITING if execution.waits_for_person else self._at_once) and run_id not in self._threads:
                self._queue.remove(job)
                there.add(run_id)
                self._threads.add(run_id)
                threading.Thread(target=self._run, args=job, name=f"reading-{run_id}", daemon=True).start()

    def _run(self, run_id: str, reader: Reader, execution: Execution) -> None:
        try:
            with Store(self._path) as store:
                if store.runs.get(run_id).status == "queued":
                    self._execute(
                        store, run_id, reader, replace(execution, linger=LINGER_SECONDS, on_settled=lambda: self._release(run_id))
                    )
        except StoreError as error:
            logger.warning("reading %s could not go on: %s", run_id, error)
            self._note_failure(run_id, error)
        except ReadingError as error:
            logger.warning("reading %s could not go on: %s", run_id, error)
        except Exception:
            # Nothing above this thread would log it: execute() has recorded the failure.
            logger.exception("reading %s broke down", run_id)
        finally:
            self._forget(run_id)
            self._release(run_id)

    def _note_failure(self, run_id: str, error: StoreError) -> None:
        """Record the end of a run that the database could not take, as soon as it can: until then the run appears to be running.
        It gives up after a while."""
        until = time.monotonic() + self._patience
        with self._changed:
            self._unsettled[run_id] = error
        self._release(run_id)
        while not self._settle(run_id, error):
            time.sleep(RECHECK_SECONDS)
            if time.monotonic() > until:
                self._forget(run_id)
        with self._changed:
            del self._unsettled[run_id]

    def _settle(self, run_id: str, error: StoreError) -> bool:
        try:
            with Store(self._path) as store:
                run = store.runs.get(run_id)
                if run.status == "running" and run.worker == this_worker():
                    store.runs.settle(run_id, "failed", error=str(error))
        except StoreError:
            return False
        except NotFound:
            pass
        return True

    def _forget(self, run_id: str) -> None:
        with self._changed:
            self._threads.discard(run_id)
            self._changed.notify_all()

    def _release(self, run_id: str) -> None:
        with self._changed:
            self._running.discard(run_id)
            self._waiting.discard(run_id)
            self._stops += 1
            self._start_queued()
            self._changed.notify_all()
