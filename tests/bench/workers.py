"""A batch on two local workers against the same on one, and against this process: with a server that answers in 0.3 s, eight
calls of a reading at once, and with the offline model, where the processor works."""

from __future__ import annotations

import tempfile
import time
from functools import cache, partial
from pathlib import Path

from readers import get
from readers.cli.workers import open_models
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution, BatchPlan
from readers.engine.run.cluster.away import Away
from readers.engine.run.cluster.dask_cluster import local_workers
from readers.engine.run.cluster.home_answers import Home
from readers.engine.run.cluster.home_service import HomeService
from readers.engine.run.execute import Execution, RunSpec
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.bench.cutting import long_text
from tests.bench.serving import server
from tests.support.servers.model_server import memwalker_reply

DELAY, WIDTH = 0.3, 8
READINGS, LEAVES = 8, 24
OPTIONS = {"segment_tokens": 400, "summary_limit_tokens": 100}
AIM, AIM_OF_PROCESSOR = 1.8, 1.6  # times as fast
OFFLINE_READINGS = 250


def two_against_one() -> tuple[str, str, float, float]:
    with server(memwalker_reply, delay=DELAY) as running:
        (_, one), (_, two) = (_on_workers(running.url, workers, READINGS) for workers in (1, 2))
    what = f"two local workers, a server of {DELAY} s, {WIDTH} calls at once each"
    return what, "half the seconds of one worker", two / (one / 2), 2 / AIM


def processor() -> tuple[str, str, float, float]:
    one, two, _, _ = _offline()
    what = f"two local workers, {OFFLINE_READINGS} readings by the offline model"
    return what, "half the seconds of one worker", two / (one / 2), 2 / AIM_OF_PROCESSOR


def against_none() -> tuple[str, str, float, float]:
    _, two, started, here = _offline()
    what = f"start two local workers and let them do {OFFLINE_READINGS} readings by the offline model"
    return what, "the same readings in this process", (started + two) / here, 1.0


@cache
def _offline() -> tuple[float, float, float, float]:
    """Seconds of the readings on one worker, on two, until these two stood and had read first, and in this process."""
    (_, one), (started, two) = (_on_workers("", workers, OFFLINE_READINGS) for workers in (1, 2))
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "a.db") as store:
        _read(store, "", None, readings=4, places=3)
        began = time.perf_counter()
        _read(store, "", None, readings=OFFLINE_READINGS, places=3)
        return one, two, started, time.perf_counter() - began


def _on_workers(url: str, workers: int, readings: int) -> tuple[float, float]:
    """Seconds until the workers stand and have read first, and for the batch on them."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "a.db") as store:
        started = time.perf_counter()
        with HomeService(Home(), path=store.path) as service, local_workers(workers, 1) as cluster:
            how = Away(cluster, service, get, partial(open_models, timeout=None, log_probs=False))
            _read(store, url, how, readings=2 * workers, places=2 * workers)
            began = time.perf_counter()
            _read(store, url, how, readings=readings, places=2 * workers)
            return began - started, time.perf_counter() - began


def _read(store: Store, url: str, how: Away | None, *, readings: int, places: int) -> None:
    """A batch of so many readings, with a server, or with the offline model if there is none."""
    text = Document.of(long_text(LEAVES * 420)[: LEAVES * 1_600])
    rows = tuple(SetQuestion(str(n), text.id, f"Who lit the lamp on day {readings}.{n}?") for n in range(readings))
    kept = store.question_sets.add(QuestionSet(f"{readings}", rows, (text,)))
    served = {"model": "openai/test", "api_base": url, "reuse": False} if url else {}
    spec = RunSpec("memwalker", get("memwalker").version, "", options=OPTIONS, **served)
    batch = batches.add(store, kept.id, BatchPlan((spec,)), readers=get)
    jobs = Jobs(store.path, at_once=places + 1, **({"how": how} if how else {}))
    batches.start(jobs, batch.id, BatchExecution(get, lambda run: Execution(Offline(), concurrency=WIDTH), path=store.path))
    assert jobs.wait(600)
    assert batches.progress(store, batch.id).done == readings
