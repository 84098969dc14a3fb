"""A batch of many questions on one text: its last quarter against its first, and five times as many questions against these.

The processor's time is measured, with progress asked for as the command line does, so that other programs do not count.
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
from readers.engine.run.execute import Execution, RunSpec
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store
from readers.engine.text.document import Document

WARM, MANY, VERY_MANY, ROUNDS = 40, 1_000, 5_000, 5
AIM = 1.1
TEXT = "Doris kept the lamp. It cost 98 pounds. The boats lay in the harbour, and nobody sailed that winter. "


def last_quarter() -> tuple[str, str, float, float]:
    quarters = [min(each) for each in zip(*_rounds(MANY), strict=True)]
    return f"the slowest of four quarters of {MANY:,} questions in a batch", "the fastest", max(quarters) / min(quarters), AIM


def very_many() -> tuple[str, str, float, float]:
    # Means, not the best: few questions are read in more rounds, and the best of more rounds is shorter whatever is measured.
    few, many = (fmean(sum(quarters) for quarters in _rounds(questions)) / questions for questions in (MANY, VERY_MANY))
    return f"a question of {VERY_MANY:,} in a batch", f"one of {MANY:,}", many / few, AIM


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
