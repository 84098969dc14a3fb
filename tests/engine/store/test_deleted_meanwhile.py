"""What somebody else deletes between two steps of a person: a new reading has its text, and all else is a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from readers import get
from readers.engine.errors import NotFound
from readers.engine.forks.fork import fork
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.record.edits import ReplyEdit
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution, BatchPlan
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store, open_reading
from readers.engine.store.runs import Runs
from tests.engine.store.test_delete import READER, read
from tests.support.models.scripted_models import parts_of

SPEC = RunSpec(READER.id, READER.version, "Who?", options={"segment_tokens": 64})


def deleted_before(monkeypatch: pytest.MonkeyPatch, owner: Any, method: str, document: str) -> None:
    """Somebody else deletes the document, with its readings, just before this method does its work."""
    original = getattr(owner, method)

    def later(self: Any, *args: Any, **more: Any) -> Any:
        with Store() as other:
            if other.documents.listed(document):
                other.documents.delete(document)
        return original(self, *args, **more)

    monkeypatch.setattr(owner, method, later)


def test_a_reading_whose_text_is_deleted_while_it_is_put_on_record_has_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.documents.add(parts_of(3))
    deleted_before(monkeypatch, Runs, "add", parts_of(3).id)
    run = create_run(store, parts_of(3), READER, SPEC)
    assert execute(store, run.id, READER, Execution(Offline())).status == "finished"


def test_a_fork_of_a_reading_that_is_deleted_meanwhile_is_a_sentence(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = open_reading(store, read(store, parts_of(6)).id)
    deleted_before(monkeypatch, Runs, "add", reading.document.id)
    with pytest.raises(NotFound, match=r"its text .* was deleted; add it again"):
        fork(store, reading, READER, ReplyEdit(0, 0, "Another summary."))
    assert store.runs.listed() == []


def test_a_batch_goes_on_without_a_text_that_is_deleted_meanwhile(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [parts_of(3), parts_of(4)]
    asked = [SetQuestion(text.id, text.id, "What begins here?") for text in texts]
    made = store.question_sets.add(QuestionSet("Parts", tuple(asked), tuple(texts)))
    batch = batches.add(store, made.id, BatchPlan((RunSpec("whole", get("whole").version, ""),)), readers=get)
    deleted_before(monkeypatch, type(store.batches), "begin", texts[0].id)
    jobs = Jobs()
    batches.start(jobs, batch.id, BatchExecution(get, lambda run: Execution(Offline())))
    assert jobs.wait(20)
    stands = batches.progress(store, batch.id)
    assert (stands.done, stands.refused) == (1, 1)
    (refused,) = (cell for cell in store.batches.cells(batch.id) if cell.error)
    assert "was deleted; add it again" in str(refused.error)


@pytest.mark.parametrize("act", ["queue", "claim"])
def test_a_reading_that_is_deleted_before_it_goes_on_is_a_sentence(store: Store, act: str) -> None:
    run = create_run(store, parts_of(3), READER, SPEC)
    store.runs.cancel(run.id)
    store.runs.delete(run.id)
    with pytest.raises(NotFound, match="it may have been deleted"):
        getattr(store.runs, act)(run.id)
