"""Real workers, schedulers and homes that are killed (SIGKILL) at random moments: nothing that is home is lost or asked again.

What a worker was killed between reply and post may be asked again; how often that was is told at the end of the first test.
"""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from readers.engine.analysis.evaluate.evaluated import evaluate
from readers.engine.analysis.evaluate.scores import scores_of
from readers.engine.run import batches
from readers.engine.run.cluster import away as room
from readers.engine.run.cluster.dask_cluster import local_workers, remote_workers
from readers.engine.run.cluster.home_answers import Home
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store
from readers.engine.store.batches import Batch
from tests.support.models.noting_models import Key, NotingModels
from tests.support.paths import ROOT
from tests.support.processes.cluster_work import WIDTH, at_home, away, name_of, new_batch, shape, start
from tests.support.servers.model_server import ModelServer, replying

pytestmark = pytest.mark.scale
pytest.importorskip("distributed", reason="`make cluster` installs it")

KILLS, SEED, READINGS = 8, 21, 2
SECONDS = 240.0  # more than anything here takes on a busy machine


class StampingHome(Home):
    """A home that notes when each reply was on record."""

    def __init__(self) -> None:
        super().__init__()
        self.at: dict[tuple[str, int, int], float] = {}

    def answer(self, store: Store, run: str, *, verb: str, lease: str, body: bytes) -> dict[str, Any]:
        found = super().answer(store, run, verb=verb, lease=lease, body=body)
        calls = json.loads(body)["calls"] if verb == "save" else []
        for row in (call["record"] for call in calls if call["record"]["reply"] is not None):
            self.at.setdefault((run, row["seq"], row["attempt"]), time.monotonic())
        return found


def wait_until(holds: Callable[[], object], seconds: float = SECONDS) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"it did not come about within {seconds:.0f} seconds"
        time.sleep(0.02)


def recorded(store: Store, batch: Batch) -> set[Key]:
    """The replies that are home."""
    runs = store.batches.runs_of(batch.id)
    return {
        (name_of(run), row.seq, row.attempt) for run in runs for row in store.runs.tape(run.id).records() if row.reply is not None
    }


def kill_one(models: NotingModels, moment: random.Random) -> bool:
    """Kill a worker that has just asked, some replies after the last one and at any moment between two; whether there was one."""
    enough = len(models.lines("=")) + moment.randint(3, 13)
    wait_until(lambda: len(models.lines("=")) >= enough)
    time.sleep(moment.uniform(0.0, 0.3))
    for pid in sorted({line.pid for line in models.lines()[-6:]}, key=lambda _: moment.random()):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            return True
    return False


def same_as_on_one_machine(store: Store, batch: Batch, readers: tuple[str, ...], models: NotingModels, times: int) -> None:
    here = new_batch(store, *readers, times=times)
    assert start(store, here, None, models=models, at_once=8).wait(SECONDS)
    assert shape(store, batch) == shape(store, here)
    tables = [scores_of(evaluate(store, batches.results(store, one), names=readers).readings) for one in (batch, here)]
    assert tables[0] == tables[1]
    assert tables[0].scores


def test_workers_killed_at_random_moments(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models, home, moment = NotingModels(tmp_path / "asked", delay=0.15), StampingHome(), random.Random(SEED)
    readers, times, kills = ("memagent", "memwalker"), 2, 0
    batch = new_batch(store, *readers, times=times)
    with at_home(store, home) as service, local_workers(2, READINGS) as cluster:
        jobs = start(store, batch, away(cluster, service, models))
        while kills < KILLS and jobs.is_following(batch.id):
            kills += kill_one(models, moment)
        assert jobs.wait(SECONDS)
        stands = batches.progress(store, batch.id)
    assert (kills, stands.done, stands.of) == (KILLS, 4 * times * len(readers), 4 * times * len(readers))
    names = {run.id: name_of(run) for run in store.batches.runs_of(batch.id)}
    at = {(names[run], seq, attempt): when for (run, seq, attempt), when in home.at.items()}
    asked, answered = models.lines("?"), {line.key for line in models.lines("=")}
    again = [line.key for line in asked if line.at > at[line.key]]
    assert not again, "these replies were home, and asked for again"
    assert recorded(store, batch) == answered == at.keys()
    lost = Counter(line.key for line in models.lines("="))
    twice = lost.total() - len(lost)
    assert twice <= KILLS * WIDTH * READINGS
    with capsys.disabled():
        print(
            f"\n{kills} kills, {len(answered)} replies home, none asked for again; {len(asked) - len(answered)} calls were asked"
        )
        print(f"a second time before that, {twice} of them answered and not posted yet")
    same_as_on_one_machine(store, batch, readers, NotingModels(tmp_path / "here"), times)


def test_homes_killed_and_resumed(store: Store, tmp_path: Path) -> None:
    models, moment = NotingModels(tmp_path / "asked", delay=0.1), random.Random(SEED)
    batch = new_batch(store, "memagent", times=3)
    lives, known = 0, set[Key]()
    while True:
        before, since = set(known), len(models.lines())
        home = subprocess.Popen(
            [sys.executable, "-m", "tests.support.processes.cluster_home", batch.id, str(models.file), str(models.delay)],
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
        )
        wait_until(lambda home=home, since=since: len(models.lines()) > since or home.poll() is not None)  # type: ignore[misc]
        children = psutil.Process(home.pid).children(recursive=True) if home.poll() is None else []
        if lives < 3:
            time.sleep(moment.uniform(0.1, 1.2))
            home.kill()
        assert home.wait(SECONDS) in (0, -signal.SIGKILL)
        psutil.wait_procs(children, timeout=20)
        assert not [one for one in children if one.is_running() and one.status() != psutil.STATUS_ZOMBIE], "workers outlive it"
        known = recorded(store, batch)
        assert before <= known
        assert not {line.key for line in models.lines("?")[len([x for x in models.lines()[:since] if x.kind == "?"]) :]} & before
        lives += 1
        if home.returncode == 0:
            break
        assert batches.progress(store, batch.id).going == 0
    assert lives == 4
    assert batches.progress(store, batch.id).done == 12
    same_as_on_one_machine(store, batch, ("memagent",), NotingModels(tmp_path / "here"), 3)


@contextmanager
def scheduler_and_worker(address: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The scheduler; it and its worker end with the block."""
    host, _, port = address.removeprefix("tcp://").partition(":")
    dask = [sys.executable, "-m", "dask"]
    quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": ROOT}
    scheduler = subprocess.Popen([*dask, "scheduler", "--host", host, "--port", port, "--no-dashboard"], **quiet)
    worker = subprocess.Popen(
        [*dask, "worker", address, "--nthreads", "3", "--no-dashboard", "--local-directory", folder], **quiet
    )
    try:
        yield scheduler
    finally:
        children = psutil.Process(worker.pid).children(recursive=True) if worker.poll() is None else []
        for process in (scheduler, worker, *children):
            with suppress(psutil.NoSuchProcess, ProcessLookupError):
                process.kill()
        scheduler.wait()
        worker.wait()


def test_a_scheduler_that_is_killed_and_started_again(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "AGAIN_SECONDS", 0.5)
    models, batch = NotingModels(tmp_path / "asked", delay=0.2), new_batch(store, "memagent", times=2)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    with at_home(store) as service:
        with scheduler_and_worker(address, tmp_path) as scheduler, remote_workers(address) as cluster:
            jobs = start(store, batch, away(cluster, service, models))
            wait_until(lambda: len(models.lines("=")) > 5)
            began = time.monotonic()
            scheduler.kill()
            assert jobs.wait(SECONDS), "the batch waits for ever"
            print(f"{time.monotonic() - began:.1f} s until the readings ended")
            stands = batches.progress(store, batch.id)
            assert stands.going == 0
            assert stands.failed
            errors = {run.error for run in store.batches.runs_of(batch.id) if run.status == "failed"}
            assert all("scheduler" in (error or "") for error in errors), errors
        before, asked = recorded(store, batch), len(models.lines("?"))
        with scheduler_and_worker(address, tmp_path), remote_workers(address) as cluster:
            jobs = start(store, batch, away(cluster, service, models))
            assert jobs.wait(SECONDS)
    assert batches.progress(store, batch.id).done == 8
    assert not {line.key for line in models.lines("?")[asked:]} & before
    same_as_on_one_machine(store, batch, ("memagent",), NotingModels(tmp_path / "here"), 2)


def test_a_cancel_stops_real_workers(store: Store, tmp_path: Path) -> None:
    models, batch = NotingModels(tmp_path / "asked", delay=0.2), new_batch(store, "memagent", times=2)
    with at_home(store) as service, local_workers(2, READINGS) as cluster:
        jobs = start(store, batch, away(cluster, service, models))
        wait_until(lambda: len(models.lines("=")) > 3)
        with Store(store.path) as other:
            batches.cancel(Jobs(other.path), other, batch.id)
        assert jobs.wait(30)
        asked = len(models.lines("?"))
        time.sleep(1.0)
        assert len(models.lines("?")) == asked
    stands = batches.progress(store, batch.id)
    assert (stands.going, stands.failed) == (0, 0)
    assert stands.stopped
    assert recorded(store, batch) == {line.key for line in models.lines("=")}


def test_ctrl_c_stops_the_workers_of_a_command_in_order(store: Store, tmp_path: Path) -> None:
    rows = [
        {"text": f"Part {n}.\n\n" + "The boats were in by four. " * 60, "question": "When?", "answer": "four"} for n in range(3)
    ]
    questions = tmp_path / "boats.jsonl"
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with ModelServer(replying(lambda words: "In by four. \\boxed{four}", delay=0.5)) as server:
        model = ["--model", "openai/test", "--api-base", server.base_url, "--reader", "memagent", "--set", "chunk_tokens=40"]
        words = [sys.executable, "-m", "readers", "evaluate", questions, *model, "--workers", "2"]
        heard = signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
        command = subprocess.Popen(words, cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        signal.signal(signal.SIGINT, heard)
        wait_until(lambda: len(server.requests) > 3)
        os.killpg(command.pid, signal.SIGINT)
        printed = command.communicate(timeout=SECONDS)[1].decode()
        asked = len(server.requests)
        time.sleep(1.0)
        assert len(server.requests) == asked
    assert (command.returncode, "Traceback" in printed) == (1, False), printed
    assert "3 were not read to the end" in printed
    (batch,) = store.batches.listed()
    assert [run.status for run in store.batches.runs_of(batch.id)] == ["cancelled"] * len(store.batches.runs_of(batch.id))
    records = [row for run in store.runs.listed() for row in store.runs.tape(run.id).records()]
    assert len([row for row in records if row.reply is not None]) == asked
