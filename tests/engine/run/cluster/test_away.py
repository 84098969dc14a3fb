"""Runs executed on workers: lost ones are given away again, ends are checked, and batches go on as on one machine."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from readers import get
from readers.engine.errors import ModelFailed, StoreError
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import Model
from readers.engine.models.offline import Offline
from readers.engine.run import batches
from readers.engine.run.cluster import away as room
from readers.engine.run.cluster import home_client
from readers.engine.run.cluster.home_client import HomeClient
from readers.engine.run.cluster.home_service import HomeService
from readers.engine.run.cluster.posted import save_post
from readers.engine.run.cluster.worker import Task, work
from readers.engine.run.execute import Execution, RunSpec, create_run
from readers.engine.run.jobs import Jobs
from readers.engine.store import Run, Store
from tests.support.models.noting_models import NotingModels
from tests.support.processes.cluster_work import ASKED, Threads, at_home, away, new_batch, new_run, shape, some_text, start
from tests.support.readings.every_reading import SMALL


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "AGAIN_SECONDS", 0.01)
    monkeypatch.setattr(room, "CHECK_SECONDS", 0.01)
    monkeypatch.setattr(home_client, "CANCEL_CHECK_SECONDS", 0.05)


def read(store: Store, service: HomeService, cluster: Threads, models: Callable[[RunSpec], Model]) -> Run:
    run = new_run(store, "memagent")
    return away(cluster, service, models)(store, run.id, get("memagent"), Execution(Offline(), concurrency=3))


@pytest.mark.slow
@pytest.mark.parametrize("is_own", [False, True])
def test_a_batch_on_workers_is_the_batch_of_one_machine(store: Store, tmp_path: Path, *, is_own: bool) -> None:
    models = NotingModels(tmp_path / "asked")
    there, here = (new_batch(store, "memagent") for _ in range(2))
    with at_home(store) as service:
        assert start(store, there, away(Threads(is_own=is_own), service, models)).wait(60)
    assert start(store, here, None, models=models).wait(60)
    found = shape(store, there)
    assert {end[0][0] for end in found.values()} == {"finished"}
    assert found == shape(store, here)
    assert len(found) == 4


def test_a_reading_whose_worker_is_lost_goes_to_another_which_asks_nothing_again(store: Store, tmp_path: Path) -> None:
    models, lives = NotingModels(tmp_path / "asked"), iter(range(100))

    @dataclass
    class CutOff:
        """The first two workers are cut off from home at their third call."""

        service: HomeService
        run: str = ""

        def __call__(self, spec: RunSpec) -> Model:
            model, life, left = models(spec), next(lives), [2]

            def complete(call: Call) -> Reply:
                left[0] -= 1
                if life < 2 and left[0] < 0:
                    visits = self.service.home.visits
                    visits.opened(self.run, 99)  # whoever has the lease after this, it is not this worker
                    raise ModelFailed("gone")
                return model.complete(call)

            return Answering(complete)

    cluster = Threads()
    with at_home(store) as service:
        run = new_run(store, "memagent")
        how = away(cluster, service, CutOff(service, run.id))
        run = how(store, run.id, get("memagent"), Execution(Offline(), concurrency=3))
    assert (run.status, [task.turn for task in cluster.tasks]) == ("finished", [1, 2, 3])
    assert set(Counter(line.key for line in models.lines("?")).values()) == {1}
    assert len(models.lines("?")) == len(store.runs.tape(run.id).records())


@dataclass(frozen=True)
class Answering:
    """A model that is one function."""

    complete: Callable[[Call], Reply]


class KilledWorker(Exception):
    """By its name what dask raises for a reading whose workers died."""


def test_a_reading_that_kills_every_worker_fails_with_a_sentence(store: Store, tmp_path: Path) -> None:
    def die(task: Task) -> None:
        raise KilledWorker

    cluster = Threads(die)
    with at_home(store) as service:
        run = read(store, service, cluster, NotingModels(tmp_path / "asked"))
    assert run.status == "failed"
    assert "died, one after the other; the reading can be resumed" in (run.error or "")
    assert len(cluster.tasks) == room.MOST_FRUITLESS


@pytest.mark.parametrize(
    ("error", "turns", "said"),
    [
        (ModuleNotFoundError("No module named 'readers'"), 1, "ModuleNotFoundError: No module named 'readers'"),
        (StoreError("the home of this reading cannot be reached"), 3, "cannot be reached"),
    ],
)
def test_what_no_worker_can_do_fails_at_once_and_what_may_pass_is_tried_again(
    store: Store, tmp_path: Path, error: Exception, turns: int, said: str
) -> None:
    def fail(task: Task) -> None:
        raise error

    cluster = Threads(fail)
    with at_home(store) as service:
        run = read(store, service, cluster, NotingModels(tmp_path / "asked"))
    assert (run.status, len(cluster.tasks)) == ("failed", turns)
    assert said in (run.error or "")


def test_replies_that_cost_nothing_are_posted_together(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readers.engine.run.cluster.worker.POST_SECONDS", 60.0)
    with at_home(store) as service:
        posts: list[str] = []
        answer = service.home.answer
        service.home.answer = lambda *where, verb, **post: (posts.append(verb), answer(*where, verb=verb, **post))[1]  # type: ignore[method-assign]
        run = read(store, service, Threads(), lambda spec: Offline())
    assert run.status == "finished"
    assert [verb for verb in posts if verb != "document"] == ["open", "end"]  # it may have the text already
    assert len(store.runs.tape(run.id).records()) > 3


def test_a_worker_asks_its_home_once_for_a_reply_that_its_readings_share(store: Store, tmp_path: Path) -> None:
    models, asked = NotingModels(tmp_path / "asked"), list[str]()
    with at_home(store) as service:
        answer = service.home.answer
        service.home.answer = lambda *where, verb, **post: (asked.append(verb), answer(*where, verb=verb, **post))[1]  # type: ignore[method-assign]
        spec = RunSpec("memwalker", get("memwalker").version, "", options=SMALL["memwalker"])
        runs = [create_run(store, some_text(), get("memwalker"), replace(spec, question=question)) for question in ASKED[:2]]
        for run in runs:
            asked.clear()
            away(Threads(), service, models)(store, run.id, get("memwalker"), Execution(Offline(), concurrency=3))
    first, second = ([row for row in store.runs.tape(run.id).records() if row.shared] for run in runs)
    assert {row.origin for row in first} == {"live"}
    assert [(row.origin, row.reply) for row in second] == [("cached", row.reply) for row in first]
    assert "shared" not in asked


def test_an_end_that_does_not_follow_from_its_replies_is_refused(store: Store, tmp_path: Path) -> None:
    """A worker that changes the answer in the last event, and posts all else as it is."""

    def forge(task: Task) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("readers.engine.run.cluster.worker.save_post", _forged)
            work(task)

    with at_home(store) as service:
        run = read(store, service, Threads(forge), NotingModels(tmp_path / "asked"))
    assert (run.status, run.answer) == ("failed", None)
    assert "what its worker posted is incomplete" in (run.error or "")


def test_an_own_worker_that_ends_a_reading_without_its_last_event_fails_it(store: Store, tmp_path: Path) -> None:
    def forget(task: Task) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("readers.engine.run.cluster.worker.save_post", _unended)
            work(task)

    with at_home(store) as service:
        run = read(store, service, Threads(forget, is_own=True), NotingModels(tmp_path / "asked"))
    assert (run.status, run.answer) == ("failed", None)
    assert "its end is not on record" in (run.error or "")


def _unended(calls: Any, start: int, lines: list[str]) -> dict[str, Any]:
    return save_post(calls, start, [line for line in lines if '"kind":"answered"' not in line])


def _forged(calls: Any, start: int, lines: list[str]) -> dict[str, Any]:
    made = [line.replace('"text":"', '"text":"Not ', 1) if '"kind":"answered"' in line else line for line in lines]
    return save_post(calls, start, made)


def test_what_a_real_server_says_about_its_replies_is_on_record(store: Store, tmp_path: Path) -> None:
    """How long they took, with how many others in flight, and what of the prompt was there already."""

    def complete(call: Call) -> Reply:
        time.sleep(0.002)
        return replace(Offline().complete(call), ms=2, tokens_cached=7)

    with at_home(store) as service:
        run = read(store, service, Threads(), lambda spec: Answering(complete))
    assert (run.status, run.error) == ("finished", None)
    rows = store.runs.tape(run.id).records()
    assert {row.tokens_cached for row in rows} == {7}
    assert all(row.at_once for row in rows)


def test_a_reply_that_the_reading_does_not_use_is_refused(store: Store, tmp_path: Path) -> None:
    with at_home(store) as service:
        done = read(store, service, Threads(), NotingModels(tmp_path / "asked"))
        row = store.runs.tape(done.id).records()[-1]
        store.connection.execute(
            "INSERT INTO calls SELECT run, 99, 0, asked, identity, prompt, task, shared, parts, note, sample, origin, model, "
            "reply, parsed, tokens_in, tokens_out, cost_usd, ms, error, messages, thoughts, finish, sampled, refused, "
            "tokens_cached, at_once FROM calls "
            "WHERE run = ? AND seq = ?",
            (done.id, row.seq),
        )
        store.runs.settle(done.id, "interrupted")
        store.runs.queue(done.id)
        again = away(Threads(), service, NotingModels(tmp_path / "again"))(
            store, done.id, get("memagent"), Execution(Offline(), concurrency=3)
        )
    assert again.status == "failed"
    assert "replies, and the reading uses" in (again.error or "")
    assert not NotingModels(tmp_path / "again").lines()


@pytest.mark.slow
def test_cancelling_from_another_process_stops_a_batch_and_resuming_ends_it(store: Store, tmp_path: Path) -> None:
    models = NotingModels(tmp_path / "asked", delay=0.2)
    batch = new_batch(store, "memagent")
    with at_home(store) as service:
        jobs = start(store, batch, away(Threads(), service, models), at_once=2)
        while len(models.lines("=")) < 4:
            time.sleep(0.02)
        with Store(store.path) as other:  # as the page Questions does in its own process
            batches.cancel(Jobs(other.path), other, batch.id)
        assert jobs.wait(30)
        stopped = batches.progress(store, batch.id)
        assert (stopped.done, stopped.going, stopped.stopped) == (0, 0, 2)
        asked = len(models.lines("?"))
        time.sleep(0.3)
        assert len(models.lines("?")) == asked == sum(len(store.runs.tape(run.id).records()) for run in store.runs.listed())
        assert start(store, batch, away(Threads(), service, models)).wait(60)
    assert batches.progress(store, batch.id).done == 4
    assert set(Counter(line.key for line in models.lines("?")).values()) == {1}


@pytest.mark.slow
def test_a_run_that_is_cancelled_before_a_worker_begins_is_withdrawn(store: Store, tmp_path: Path) -> None:
    begun = threading.Event()

    def wait(task: Task) -> None:
        begun.set()
        time.sleep(0.3)
        work(task)

    run = new_run(store, "memagent")

    def cancel() -> None:
        assert begun.wait(10)
        with Store(store.path) as other:
            other.runs.cancel(run.id)

    threading.Thread(target=cancel, daemon=True).start()
    with at_home(store) as service:
        done = away(Threads(wait), service, NotingModels(tmp_path / "asked"))(
            store, run.id, get("memagent"), Execution(Offline(), concurrency=3)
        )
        time.sleep(0.5)
    assert done.status == store.runs.get(run.id).status == "cancelled"
    assert not NotingModels(tmp_path / "asked").lines()


def test_a_run_that_is_cancelled_while_its_worker_is_dead_is_given_to_no_other(store: Store, tmp_path: Path) -> None:
    run = new_run(store, "memagent")

    def die(task: Task) -> None:
        with HomeClient(task.home, task.run) as home:
            home.open(task.turn)
        with Store(store.path) as other:
            other.runs.cancel(run.id)
        raise KilledWorker

    cluster = Threads(die)
    with at_home(store) as service:
        done = away(cluster, service, NotingModels(tmp_path / "asked"))(
            store, run.id, get("memagent"), Execution(Offline(), concurrency=3)
        )
    assert (done.status, len(cluster.tasks)) == ("cancelled", 1)


def test_no_key_or_text_travels_with_a_task(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    cluster = Threads()
    with at_home(store) as service:
        read(store, service, cluster, NotingModels(tmp_path / "asked"))
    words = json.dumps([repr(task) for task in cluster.tasks])
    assert "sk-secret" not in words
    assert service.token not in words
    assert len(words) < 1_000
