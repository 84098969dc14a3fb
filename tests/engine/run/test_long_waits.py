"""While a reading waits long for a reply, its record says for which call and since when."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from readers import get
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.record.journal import Wait
from readers.engine.run import batches, calls_in_flight
from readers.engine.run.batches import BatchPlan
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store
from tests.support.models.scripted_models import parts_of


class Slow:
    """The offline model; call 1 ends once `seen` says so."""

    def __init__(self, seen: Callable[[], bool]) -> None:
        self.seen = seen

    def complete(self, call: Call) -> Reply:
        until = time.monotonic() + 10
        while call.seq == 1 and not self.seen() and time.monotonic() < until:
            time.sleep(0.01)
        return Offline().complete(call)


def begun(store: Store) -> Run:
    reader = get("memagent")
    return create_run(store, parts_of(3), reader, RunSpec(reader.id, reader.version, "Where?", options={"chunk_tokens": 64}))


@pytest.mark.parametrize("long", [0.2, 60.0])
def test_the_oldest_call_is_noted_once_it_has_waited_long(store: Store, monkeypatch: pytest.MonkeyPatch, long: float) -> None:
    monkeypatch.setattr(calls_in_flight, "LONG_WAIT_SECONDS", long)
    run, found = begun(store), []
    ends = time.monotonic() + 0.5

    def seen() -> bool:
        with Store(store.path) as other:
            found.append(other.runs.tape(run.id).wait())
        return bool(found[-1]) or (long > 1 and time.monotonic() > ends)

    done = execute(store, run.id, get("memagent"), Execution(Slow(seen)))
    assert done.outcome == "answered"
    assert (found[-1] is None) == (long > 1)
    if found[-1]:
        assert found[-1].seq == 1
        assert long <= found[-1].seconds < 10
    assert store.runs.tape(run.id).wait() is None


def test_what_a_killed_process_waited_for_is_forgotten_when_the_reading_is_resumed(store: Store) -> None:
    run = begun(store)
    store.runs.claim(run.id)
    store.runs.tape(run.id).note_wait(Wait(0, 100.0))
    noted = store.runs.tape(run.id).wait()
    assert noted
    assert noted.seconds >= 100
    store.runs.settle(run.id, "cancelled")
    store.runs.claim(run.id)
    assert store.runs.tape(run.id).wait() is None


def test_of_a_batch_the_call_that_has_waited_longest_is_known(store: Store) -> None:
    document = parts_of(3)
    asked = tuple(SetQuestion(f"q{n}", document.id, f"What begins in part {n}?") for n in range(3))
    set_id = store.question_sets.add(QuestionSet("Parts", asked, (document,))).id
    batch = batches.add(store, set_id, BatchPlan((RunSpec("whole", get("whole").version, ""),)), readers=get)
    others = begun(store)
    store.runs.claim(others.id)
    store.runs.tape(others.id).note_wait(Wait(1, 900.0))
    assert store.batches.wait(batch.id) is None
    for cell, seconds in zip(store.batches.cells(batch.id), (20.0, 40.0), strict=False):
        run = store.batches.begin(
            batch.id, cell, Run("", document.id, "whole", "What?", {"model": "offline/extractive"}, "queued")
        )
        assert run is not None
        store.runs.claim(run.id)
        store.runs.tape(run.id).note_wait(Wait(cell.number + 5, seconds))
    found = store.batches.wait(batch.id)
    assert found is not None
    assert (found.seq, 40 <= found.seconds < 60) == (6, True)
