"""Executing a run on a worker: the run is given to a worker, watched, given to another worker if lost, and ended when its end has
reached home.

For `Jobs`, this replaces `execute`; batches, progress, cancelling and resuming work as on one machine: the run always belongs to
the home's process, so that it counts as interrupted when that process dies. Before a reading by another machine counts as
finished, its home repeats it from the record, without a model: every reply must be to the call that the reading makes, every row
as the engine writes it, and every event must follow, as for an imported run file. Outcome, answer and evidence are taken from the
replay. It cannot be checked that a model gave these replies. Processes that the home has started itself run its own program, as
its threads do, and what they did is not repeated. Not here: the workers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from readers.engine.canonical import encodable
from readers.engine.errors import BadOptions, Diverged, ReadingError, StoreError
from readers.engine.models.call import Call, Reply, Sampled
from readers.engine.models.model import Model, RefusingModel
from readers.engine.models.received import read_reply
from readers.engine.record import events
from readers.engine.record.journal import Journal, Record, live_record
from readers.engine.run.cluster.dask_cluster import DaskCluster, Lost, Submitted
from readers.engine.run.cluster.home_answers import Visit
from readers.engine.run.cluster.home_service import HomeService
from readers.engine.run.cluster.posted import EndPost
from readers.engine.run.cluster.worker import LINGER_SECONDS, Task
from readers.engine.run.execute import Execution, RunSpec, outcome_columns, read_through, spec_to_execute
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Store
from readers.engine.text.phrases import call_number

CHECK_SECONDS = 0.25
MOST_FRUITLESS = 3  # turns of one reading in which no reply came home
CANCEL_SECONDS = 5.0  # within which a worker must have stopped; a dead worker never will
AGAIN_SECONDS = 2.0  # before a reading that was lost is given to another worker
OVER = "over_budget"


@dataclass(frozen=True)
class Away:
    """Executes runs on the workers of a cluster, whose home is this process. `readers` and `models` travel by name."""

    cluster: DaskCluster
    service: HomeService
    readers: Callable[[str], Reader]
    models: Callable[[RunSpec], Model]

    def __call__(self, store: Store, run_id: str, reader: Reader, execution: Execution) -> Run:
        """What `execute` does; the execution's model is not called here. Raises BadOptions for a fork."""
        run = store.runs.get(run_id)
        spec_to_execute(run, reader)
        if run.parent:
            raise BadOptions(f"reading {run.id!r} is a fork, and forks are read on one machine")
        visits = self.service.home.visits
        visit = visits.expect(run.id, len(store.documents.get(run.document).text))
        last: Submitted | None = None
        try:
            last = self._until_its_end(store, visit, execution.concurrency)
            if visit.end:
                _settle(store, run, reader, visit.end, _whole if self.cluster.is_own else replayed)
        except Exception as error:
            store.runs.settle(run.id, "failed", error=f"giving it to a worker broke down: {type(error).__name__}: {error}")
            raise
        finally:
            execution.on_settled()
            if last:
                _let_finish(last)
            visits.dismiss(run.id)
        return store.runs.get(run.id)

    def _until_its_end(self, store: Store, visit: Visit, concurrency: int) -> Submitted | None:
        """Give the reading to workers until one has posted its end, or it was cancelled before one began."""
        fruitless, answered = 0, visit.answered
        while True:
            submitted, lost = self._give(store, visit, concurrency)
            if lost is None:
                return submitted
            fruitless = fruitless + 1 if visit.answered == answered else 0
            answered = visit.answered
            if lost.final or fruitless == MOST_FRUITLESS:
                visit.finish(EndPost(status="failed", seconds=0.0, error=f"{lost.why}; the reading can be resumed"))
                return submitted
            visit.ended.wait(AGAIN_SECONDS)

    def _give(self, store: Store, visit: Visit, concurrency: int) -> tuple[Submitted | None, Lost | None]:
        """One turn: the reading, and why it was lost, or None if it has ended."""
        turn = self.service.home.visits.next_turn(visit)
        try:
            submitted = self.cluster.submit(Task(self.service.address, visit.run, turn, self.readers, self.models, concurrency))
        except StoreError as error:
            return None, Lost(str(error))
        asked_at: float | None = None
        while not visit.ended.wait(CHECK_SECONDS):
            if store.runs.get(visit.run).status == "cancelled":  # before a worker has begun it
                submitted.withdraw()
                return None, None
            lost = submitted.lost()
            if asked_at is None and store.runs.cancel_asked(visit.run):
                asked_at = time.monotonic()
            if asked_at is not None and (lost or time.monotonic() - asked_at > CANCEL_SECONDS):
                visit.finish(EndPost(status="cancelled", seconds=0.0, error=None))
            elif lost and not visit.ended.is_set():
                return submitted, lost
        return submitted, None


def _settle(store: Store, run: Run, reader: Reader, end: EndPost, check: Callable[[Store, Run, Reader], dict[str, Any]]) -> None:
    """End a run as its worker ended it; a finished run is checked first, which gives the columns of its end."""
    if end.status != "finished":
        store.runs.settle(run.id, end.status, seconds=end.seconds, error=end.error)
        return
    try:
        columns = check(store, run, reader)
    except ReadingError as error:
        store.runs.settle(
            run.id, "failed", seconds=end.seconds, error=encodable(f"what its worker posted is incomplete: {error}")
        )
    else:
        store.runs.settle(run.id, "finished", seconds=end.seconds, **columns)


def _let_finish(submitted: Submitted) -> None:
    """Let the worker post the replies that were in flight when it ended."""
    until = time.monotonic() + LINGER_SECONDS
    while not submitted.is_over and time.monotonic() < until:
        time.sleep(CHECK_SECONDS)


# The end of a reading


def _whole(store: Store, run: Run, reader: Reader) -> dict[str, Any]:
    """The columns of a finished run. Raises Diverged if its record does not have its end."""
    ends = [events.from_json(line) for line in store.runs.tape(run.id).events()[-1:]]
    if not ends or not isinstance(ends[0], events.Answered | events.Ended):
        raise Diverged("its end is not on record")
    return outcome_columns(ends[0])


def replayed(store: Store, run: Run, reader: Reader) -> dict[str, Any]:
    """The columns of a finished run. Raises Diverged, or another ReadingError, if its record is not that of a whole reading."""
    spec = RunSpec.from_json(run.spec)
    tape = store.runs.tape(run.id)
    stored = len(tape.events())
    journal = _CheckedJournal(tape, reuse=False)
    read_through(journal, Execution(RefusingModel()), store.documents.get(run.document), reader, spec)
    if len(journal.emitted) != stored:
        raise Diverged(f"a worker posted {stored:,} events, and its replies lead to {len(journal.emitted):,}")
    last = journal.emitted[-1]
    answered = {(row.seq, row.attempt) for row in tape.records() if row.reply is not None}
    if answered != journal.recalled and not (isinstance(last, events.Ended) and last.outcome == OVER):
        raise Diverged(f"a worker posted {len(answered):,} replies, and the reading uses {len(journal.recalled):,}")
    return outcome_columns(last)


class _CheckedJournal(Journal):
    """A journal that recalls only rows that are as it would have written them."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.recalled: set[tuple[int, int]] = set()

    def recall(self, call: Call) -> Record | None:
        record = super().recall(call)
        if record is not None and record.reply is not None:
            self._check(call, record, record.reply)
            self.recalled.add((call.seq, call.attempt))
        return record

    def _check(self, call: Call, record: Record, text: str) -> None:
        finish, thoughts = record.finish or "", record.thoughts or ""
        figures = (record.tokens_in, record.tokens_out, record.cost_usd, record.ms)
        reply = Reply(text, *figures, thoughts=thoughts, finish=finish, sampled=Sampled.of(record.sampled))
        read = read_reply(call, text, finish=finish, thought=bool(thoughts))
        expected = replace(
            live_record(call, reply, read.parsed),
            origin=record.origin, tokens_cached=record.tokens_cached, at_once=record.at_once,
        )  # fmt: skip
        if record.origin == "cached":  # the reading it is from may have worded the same request in another prompt
            expected = replace(expected, prompt=record.prompt)
        if expected != record:
            raise Diverged(f"{call_number(call.seq)} differs on record from what the reading makes; start a new reading")
