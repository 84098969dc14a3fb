"""A batch of many questions on one text: its last quarter against its first, and five times as many questions against these.

The processor's time is measured, with progress asked for as the command line does, so that other programs do not count. And how
soon a very large set is begun.
"""

from __future__ import annotations

import itertools
import tempfile
import time
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import fmean

from readers import get
from readers.cli.progress import POLL_SECONDS
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution, BatchPlan
from readers.engine.run.estimate import price_batch
from readers.engine.run.execute import Execution, RunSpec
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store
from readers.engine.text.document import Document

WARM, MANY, VERY_MANY, LARGE, ROUNDS = 40, 1_000, 5_000, 20_000, 5
AIM = 1.1
TEXT = "Doris kept the lamp. It cost 98 pounds. The boats lay in the harbour, and nobody sailed that winter. "


def last_quarter() -> tuple[str, str, float, float]:
    quarters = [min(each) for each in zip(*_rounds(MANY), strict=True)]
    return f"the slowest of four quarters of {MANY:,} questions in a batch", "the fastest", max(quarters) / min(quarters), AIM


def very_many() -> tuple[str, str, float, float]:
    # Means, not the best: few questions are read in more rounds, and the best of more rounds is shorter whatever is measured.
    few, many = (fmean(sum(quarters) for quarters in _rounds(questions)) / questions for questions in (MANY, VERY_MANY))
    return f"a question of {VERY_MANY:,} in a batch", f"one of {MANY:,}", many / few, AIM


def very_large_set() -> tuple[str, str, float, float]:
    took = min(_begun(LARGE) for _ in range(2))
    return f"list, draw from, price and begin a set of {LARGE:,} questions, processor time", "1 s", took, 1.0


def _begun(questions: int) -> float:
    """The seconds of the processor from a set on record until its first answer."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "a.db") as store:
        texts = tuple(Document.of(f"{TEXT * 20}{n}", title=f"Text {n}") for n in range(20))
        rows = tuple(SetQuestion(str(n), texts[n % 20].id, f"Who kept the lamp on day {n}?") for n in range(questions))
        kept = store.question_sets.add(QuestionSet("Large", rows, texts))
        began, reader = time.process_time(), get("whole")
        asked = store.question_sets.questions(kept.id)
        numbers, _ = batches.draw(asked, questions // 2, seed=1)
        plan = BatchPlan((RunSpec(reader.id, reader.version, ""),))
        price_batch(store, [asked[number] for number in numbers], plan, readers=get)
        batch = batches.add(store, kept.id, plan, readers=get)
        jobs = Jobs(store.path, at_once=3)
        batches.start(jobs, batch.id, BatchExecution(get, lambda run: Execution(Offline()), path=store.path))
        while not batches.progress(store, batch.id).done:
            jobs.wait(0.01)
        took = time.process_time() - began
        batches.cancel(jobs, store, batch.id)
        jobs.wait()
        return took


class _Timed(Offline):
    """Notes the processor's time at every quarter of the calls, of which each reading has one."""

    def __init__(self, questions: int) -> None:
        self.calls, self.quarter = itertools.count(1), questions // 4
        self.marks = [time.process_time()]

    def complete(self, call: Call) -> Reply:
        if next(self.calls) % self.quarter == 0:
            self.marks.append(time.process_time())
        return super().complete(call)


@cache
def _rounds(questions: int) -> list[list[float]]:
    """The seconds of the processor that each quarter of a batch takes, in each round."""
    _read(WARM)
    return [_read(questions) for _ in range(ROUNDS if questions == MANY else 1)]


def _read(questions: int) -> list[float]:
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "a.db") as store:
        text = Document.of(TEXT)
        rows = tuple(SetQuestion(str(n), text.id, f"Who kept the lamp on day {n}?") for n in range(questions))
        kept = store.question_sets.add(QuestionSet("Many", rows, (text,)))
        reader = get("whole")
        batch = batches.add(store, kept.id, BatchPlan((RunSpec(reader.id, reader.version, ""),)), readers=get)
        jobs, model = Jobs(store.path, at_once=3), _Timed(questions)
        batches.start(jobs, batch.id, BatchExecution(get, lambda run: Execution(model), path=store.path))
        while not jobs.wait(POLL_SECONDS):
            batches.progress(store, batch.id)
        assert batches.progress(store, batch.id).done == questions
        return [after - before for before, after in pairwise(model.marks)]
