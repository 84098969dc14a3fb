"""Batches that the offline model read to their end."""

from __future__ import annotations

from readers import get
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution, BatchPlan
from readers.engine.run.execute import Execution, RunSpec
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store
from readers.engine.text.document import Document


def planned(store: Store, document: Document, asked: list[SetQuestion], *variants: RunSpec, name: str = "Lamps") -> str:
    """The id of a batch on these questions about one text."""
    made = store.question_sets.add(QuestionSet(name, tuple(asked), (document,)))
    return batches.add(store, made.id, BatchPlan(variants), readers=get).id


def read(batch: str) -> str:
    """The batch, once all its readings have ended."""
    jobs = Jobs()
    batches.start(jobs, batch, BatchExecution(get, lambda run: Execution(Offline())))
    assert jobs.wait(30)
    return batch
