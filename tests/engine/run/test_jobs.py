"""Background runs: a few at a time, the others queued, each stopped and resumed."""

from __future__ import annotations

import threading

import pytest

from readers.engine.models.call import Call, Reply
from readers.engine.run.execute import Execution, RunSpec, create_run
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store
from readers.memwalker import MemWalker
from tests.support.models.scripted_models import COMMIT, Scripted, parts_of, walker
from tests.support.waiting import until

READER = MemWalker()


class Gate:
    """A model that answers only once it is released."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.asked = 0
        self._model = walker([0, COMMIT])

    def complete(self, call: Call) -> Reply:
        self.asked += 1
        assert self.open.wait(20)
        return self._model.complete(call)


def new_run(store: Store) -> str:
    options = {"segment_tokens": 64, "max_children": 8}
    return create_run(store, parts_of(3), READER, RunSpec("memwalker", READER.version, "Where?", options=options, reuse=False)).id


def test_a_run_executes_in_the_background(store: Store) -> None:
    jobs, run_id = Jobs(), new_run(store)
    jobs.start(run_id, READER, Execution(walker([1, COMMIT])))
    assert jobs.wait(20)
    assert (store.runs.get(run_id).status, store.runs.get(run_id).answer) == ("finished", "forty-two")


def test_only_a_few_runs_execute_at_once_and_the_others_know_their_queue_position(store: Store) -> None:
    jobs, gate = Jobs(at_once=1), Gate()
    first, second, third = (new_run(store) for _ in range(3))
    for run_id in (first, second, third):
        jobs.start(run_id, READER, Execution(gate if run_id == first else walker([0, COMMIT])))
    until(lambda: gate.asked > 0)
    assert [store.runs.get(run_id).status for run_id in (first, second, third)] == ["running", "queued", "queued"]
    assert [jobs.queue_position(run_id) for run_id in (first, second, third)] == [None, 0, 1]
    gate.open.set()
    assert jobs.wait(20)
    assert {store.runs.get(run_id).status for run_id in (first, second, third)} == {"finished"}


def test_cancel_takes_effect_while_a_call_is_in_flight_and_keeps_its_late_reply(store: Store) -> None:
    jobs, gate, run_id = Jobs(at_once=1), Gate(), new_run(store)
    jobs.start(run_id, READER, Execution(gate))
    until(lambda: gate.asked == 3)
    jobs.cancel(run_id)
    until(lambda: store.runs.get(run_id).status == "cancelled")
    assert [record.reply for record in store.runs.tape(run_id).records()] == []
    other = new_run(store)
    jobs.start(other, READER, Execution(walker([0, COMMIT])))
    until(lambda: store.runs.get(other).status == "finished")  # the place is free although a call is still in flight
    gate.open.set()
    assert jobs.wait(20)
    assert [record.reply is not None for record in store.runs.tape(run_id).records()] == [True, True, True]
    jobs.resume(store, run_id, READER, Execution(again := walker([0, COMMIT])))
    assert jobs.wait(20)
    assert store.runs.get(run_id).status == "finished"
    assert not [call for call in again.calls if call.prompt.id == "memwalker.leaf_summary"]


def test_a_queued_run_that_is_cancelled_never_starts(store: Store) -> None:
    jobs, gate = Jobs(at_once=1), Gate()
    first, second = new_run(store), new_run(store)
    model = walker([0, COMMIT])
    jobs.start(first, READER, Execution(gate))
    jobs.start(second, READER, Execution(model))
    jobs.cancel(second)
    gate.open.set()
    assert jobs.wait(20)
    assert (store.runs.get(second).status, model.calls) == ("cancelled", [])


def test_starting_a_run_twice_executes_it_once(store: Store) -> None:
    jobs, gate, run_id = Jobs(at_once=2), Gate(), new_run(store)
    jobs.start(run_id, READER, Execution(gate))
    jobs.start(run_id, READER, Execution(gate))
    gate.open.set()
    assert jobs.wait(20)
    assert gate.asked == 5


def test_a_reader_that_raises_is_recorded_and_the_next_run_starts(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(MemWalker):
        def read(self, *_: object) -> None:  # type: ignore[override]
            raise ZeroDivisionError("by nothing")

    jobs = Jobs(at_once=1)
    bad, good = new_run(store), new_run(store)
    jobs.start(bad, Broken(), Execution(Scripted([])))
    jobs.start(good, READER, Execution(walker([0, COMMIT])))
    assert jobs.wait(20)
    assert store.runs.get(bad).status == "failed"
    assert "by nothing" in (store.runs.get(bad).error or "")
    assert store.runs.get(good).status == "finished"
