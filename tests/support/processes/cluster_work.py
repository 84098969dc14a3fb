"""A batch for workers, and a cluster of threads in the place of dask's. For tests of reading on several processes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from readers import get
from readers.engine.models.model import Model
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.record.journal import Record
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution, BatchPlan
from readers.engine.run.cluster.away import Away
from readers.engine.run.cluster.dask_cluster import Submitted
from readers.engine.run.cluster.home_answers import Home
from readers.engine.run.cluster.home_service import HomeService
from readers.engine.run.cluster.worker import Task, work
from readers.engine.run.execute import Execution, RunSpec, create_run
from readers.engine.run.jobs import Jobs
from readers.engine.store import Run, Store
from readers.engine.store.batches import Batch
from readers.engine.text.document import Document
from tests.support.models.noting_models import name
from tests.support.paths import LAMP
from tests.support.readings.every_reading import SMALL

WIDTH = 3  # calls of a reading at once
ASKED = ("Who lit the lamp?", "Who strolled about the harbour?", "Which post was it?", "When were the boats in?")
Models = Callable[[RunSpec], Model]


def some_text(chars: int = 2_300) -> Document:
    return Document.of(LAMP.read_text(encoding="utf-8")[13_500 : 13_500 + chars], title="Some of the lamp")


def new_run(store: Store, reader: str = "memwalker") -> Run:
    spec = RunSpec(reader, get(reader).version, ASKED[0], options=SMALL[reader], reuse=False)
    return create_run(store, some_text(), get(reader), spec)


def new_batch(store: Store, *readers: str, times: int = 1) -> Batch:
    """The questions, each so many times in other words, by these readers. No reply is shared."""
    text = some_text()
    words = [f"{question}{' Say it.' * n}" for n in range(times) for question in ASKED]
    rows = tuple(
        SetQuestion(str(n), text.id, question, answers=("the keeper",), answerable=True) for n, question in enumerate(words)
    )
    kept = store.question_sets.add(QuestionSet("Lamp", rows, (text,)))
    variants = tuple(RunSpec(reader, get(reader).version, "", options=SMALL[reader], reuse=False) for reader in readers)
    return batches.add(store, kept.id, BatchPlan(variants), readers=get)


class Threads:
    """A cluster that does each reading on a thread of this process."""

    def __init__(self, do: Callable[[Task], None] = work, *, is_own: bool = False) -> None:
        self._do = do
        self.is_own = is_own
        self.tasks: list[Task] = []

    def submit(self, task: Task) -> Submitted:
        self.tasks.append(task)
        future = _Future()
        threading.Thread(target=future.run, args=(self._do, task), daemon=True).start()
        return Submitted(future)


class _Future:
    """As much of dask's as `Submitted` uses."""

    def __init__(self) -> None:
        self.status = "pending"
        self._error: BaseException | None = None

    def run(self, do: Callable[[Task], None], task: Task) -> None:
        try:
            do(task)
            self.status = "finished"
        except BaseException as error:
            self._error, self.status = error, "error"

    def exception(self, timeout: float) -> BaseException | None:
        return self._error

    def cancel(self) -> None:
        self.status = "cancelled"


@contextmanager
def at_home(store: Store, home: Home | None = None, **options: Any) -> Iterator[HomeService]:
    with HomeService(home or Home(), path=store.path, **options) as service:
        yield service


def away(cluster: Any, service: HomeService, models: Models) -> Away:
    return Away(cluster, service, get, models)


def start(store: Store, batch: Batch, how: Away | None, *, models: Models | None = None, at_once: int = 4) -> Jobs:
    """Begin or resume a batch: away, or here with these models."""
    jobs = Jobs(store.path, at_once=at_once + 1, **({"how": how} if how else {}))

    def execution(run: Run) -> Execution:
        return Execution(models(RunSpec.from_json(run.spec)) if models else Offline(), concurrency=WIDTH)

    batches.start(jobs, batch.id, BatchExecution(get, execution, path=store.path))
    return jobs


def shape(store: Store, batch: Batch) -> dict[str, tuple[Any, list[str], list[Record]]]:
    """All of a batch's readings that does not depend on time, by what they read."""
    found = {}
    for run in store.batches.runs_of(batch.id):
        tape = store.runs.tape(run.id)
        end = (run.status, run.outcome, run.answer, run.evidence, run.error)
        found[name_of(run)] = (end, tape.events(), [replace(row, ms=0) for row in tape.records()])
    return found


def name_of(run: Run) -> str:
    return name(RunSpec.from_json(run.spec))
