"""Cancelling a reading: before its first call, and while one is in flight, whose late reply is recorded and no more."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from readers.engine.errors import Cancelled, KeyRefused, ModelFailed
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import Model
from readers.engine.run.execute import Execution, execute
from readers.engine.store import Run, Store
from tests.engine.models.test_model import WALKER, walk
from tests.support.models.scripted_models import COMMIT, Scripted, walker


def test_a_reading_cancelled_before_its_first_call_makes_none(store: Store) -> None:
    model = walker([0, COMMIT])
    run = walk(store)
    assert execute(store, run.id, WALKER, Execution(model, stopped=lambda: True)).status == "cancelled"
    assert model.calls == []


@dataclass
class Slow:
    """Holds back its first call until released; the call then ends with `outcome`."""

    model: Model
    outcome: BaseException | None = None
    held: threading.Event = field(default_factory=threading.Event)
    go: threading.Event = field(default_factory=threading.Event)
    asked: int = 0

    def complete(self, call: Call) -> Reply:
        self.asked += 1
        if self.asked == 1:
            self.held.set()
            assert self.go.wait(20)
            if self.outcome:
                raise self.outcome
        return self.model.complete(call)


def cancelled(store: Store, slow: Slow, **how: Any) -> Run:
    """A reading cancelled while its first call is in flight."""
    run = walk(store)
    return execute(store, run.id, WALKER, Execution(slow, concurrency=1, stopped=slow.held.is_set, **how))


def test_a_reading_is_cancelled_while_a_call_is_in_flight_without_waiting_for_it(store: Store) -> None:
    slow = Slow(walker([0, COMMIT]))
    began = time.monotonic()
    done = cancelled(store, slow)
    took = time.monotonic() - began
    slow.go.set()
    assert done.status == "cancelled"
    assert took < 8
    assert store.runs.tape(done.id).records() == []


def test_the_late_reply_of_a_cancelled_reading_is_recorded_after_its_status_and_used_by_resume(store: Store) -> None:
    slow = Slow(walker([0, COMMIT]))
    seen: list[str] = []

    def settled() -> None:
        seen.append(store.runs.listed()[0].status)
        slow.go.set()

    done = cancelled(store, slow, linger=20.0, on_settled=settled)
    assert seen == ["cancelled"]
    (record,) = store.runs.tape(done.id).records()
    assert (record.seq, record.reply, done.status) == (0, "Part 0 begins", "cancelled")
    assert slow.asked == 1
    model = walker([0, COMMIT])
    assert execute(store, done.id, WALKER, Execution(model)).outcome == "answered"
    assert sorted(call.seq for call in model.calls) == list(range(1, 8))


@pytest.mark.parametrize("outcome", [KeyRefused("the key ran out"), ModelFailed("no luck")])
def test_a_late_failure_leaves_a_cancelled_reading_cancelled(store: Store, outcome: BaseException) -> None:
    slow = Slow(walker([0, COMMIT]), outcome)
    done = cancelled(store, slow, linger=20.0, on_settled=slow.go.set)
    assert (done.status, done.error) == ("cancelled", None)
    assert [record.error for record in store.runs.tape(done.id).records()] == [str(outcome)]


def test_a_late_reply_does_not_reach_a_reading_that_another_process_has_resumed(store: Store) -> None:
    slow = Slow(walker([0, COMMIT]))

    def taken() -> None:
        with store.connection.writing():
            store.connection.execute("UPDATE runs SET worker = '1:0.00', status = 'running'")
        slow.go.set()

    done = cancelled(store, slow, linger=20.0, on_settled=taken)
    assert store.runs.tape(done.id).records() == []


def test_a_late_reply_does_not_overwrite_a_recorded_answer(store: Store) -> None:
    slow = Slow(Scripted(["the late one"]))

    def done_elsewhere() -> None:
        model = Scripted(lambda call: "the first one" if call.seq == 0 else walker([0, COMMIT]).complete(call).text)
        with Store() as other:
            execute(
                other, store.runs.listed()[0].id, WALKER, Execution(model, stopped=lambda: len(model.calls) > 1, concurrency=1)
            )
        slow.go.set()

    done = cancelled(store, slow, linger=20.0, on_settled=done_elsewhere)
    assert store.runs.tape(done.id).records()[0].reply == "the first one"


def test_no_exception_handler_of_a_reader_can_swallow_a_cancel() -> None:
    assert not issubclass(Cancelled, Exception)
