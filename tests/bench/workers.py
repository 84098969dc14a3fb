"""A batch on two local workers against the same on one: a server that answers in 0.3 s, eight calls of a reading at once."""

from __future__ import annotations

import tempfile
import time
from functools import partial
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
from tests.bench.serving import Server, server
from tests.support.servers.model_server import memwalker_reply

DELAY, WIDTH = 0.3, 8
READINGS, LEAVES = 8, 24
OPTIONS = {"segment_tokens": 400, "summary_limit_tokens": 100}
AIM = 1.8  # times as fast


def two_against_one() -> tuple[str, str, float, float]:
    with server(memwalker_reply, delay=DELAY) as running:
        one, two = (_seconds(running, workers) for workers in (1, 2))
    what = f"two local workers, a server of {DELAY} s, {WIDTH} calls at once each"
    return what, "half the seconds of one worker", two / (one / 2), 2 / AIM


def _seconds(running: Server, workers: int) -> float:
    """Seconds for the batch, on workers that have read before."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "a.db") as store:
        with HomeService(Home(), path=store.path) as service, local_workers(workers, 1) as cluster:
            how = Away(cluster, service, get, partial(open_models, timeout=None, log_probs=False))
            _read(store, running, how, readings=2 * workers, places=2 * workers)
            began = time.perf_counter()
            _read(store, running, how, readings=READINGS, places=2 * workers)
            return time.perf_counter() - began


def _read(store: Store, running: Server, how: Away, *, readings: int, places: int) -> None:
    text = Document.of(long_text(LEAVES * 420)[: LEAVES * 1_600])
    rows = tuple(SetQuestion(str(n), text.id, f"Who lit the lamp on day {readings}.{n}?") for n in range(readings))
    kept = store.question_sets.add(QuestionSet(f"{readings}", rows, (text,)))
    spec = RunSpec(
        "memwalker", get("memwalker").version, "", options=OPTIONS, model="openai/test", api_base=running.url, reuse=False
    )
    batch = batches.add(store, kept.id, BatchPlan((spec,)), readers=get)
    jobs = Jobs(store.path, at_once=places + 1, how=how)
    batches.start(jobs, batch.id, BatchExecution(get, lambda run: Execution(Offline(), concurrency=WIDTH), path=store.path))
    assert jobs.wait(300)
    assert batches.progress(store, batch.id).done == readings
