"""A deletion takes all that hangs on an item at once, and is undone to the last row within ten seconds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from readers import READERS
from readers.engine.errors import BadOptions, NotFound
from readers.engine.labels.project import Settings, Viewer
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store, deletions
from readers.engine.text.document import Document

TEXT = Document.of("The lamp was lit.\n\nNobody saw “it”, in 1850.", title="Lamp")
READER = READERS[0]


def dump(store: Store) -> list[str]:
    """All rows but those of deletions, in an order of their own."""
    return sorted(line for line in store.connection.db.iterdump() if "deleted_rows" not in line)


@pytest.fixture
def run(store: Store) -> str:
    """A reading with a tag, in a batch of a set."""
    made = execute(store, create_run(store, TEXT, READER, RunSpec(READER.id, READER.version, "When?")).id, READER,
                   Execution(Offline()))  # fmt: skip
    store.run_list.tag([made.id], "kept")
    kept = store.question_sets.add(QuestionSet("set", (SetQuestion("q", TEXT.id, "When?"),)))
    plan = BatchPlan((RunSpec(READER.id, READER.version, "", model="offline/extractive"),))
    batches.add(store, kept.id, plan, readers=lambda _: READER, numbers=[0])
    store.connection.execute("UPDATE batch_runs SET run = ?", (made.id,))
    return made.id


DELETED: dict[str, Callable[[Store, str], object]] = {
    "reading": lambda store, run: store.runs.delete(run),
    "text": lambda store, run: store.documents.delete(TEXT.id),
    "batch": lambda store, run: store.batches.delete(store.batches.listed()[0].id),
}


@pytest.mark.parametrize("kind", DELETED)
def test_what_is_undone_is_as_it_was_to_the_last_row(store: Store, run: str, kind: str) -> None:
    before = dump(store)
    deletion, _ = store.deletions.undoably(lambda: DELETED[kind](store, run))
    assert store.deletions.keeps(deletion)
    assert dump(store) != before
    with Store(store.path) as another:  # also after the process that deleted it was killed
        another.deletions.undo(deletion)
    assert dump(store) == before
    with pytest.raises(NotFound, match="too late"):
        store.deletions.undo(deletion)


def test_a_project_and_a_set_come_back(store: Store, run: str) -> None:
    project = store.projects.create("Lamps", Settings(lead="Lea"), runs=[run], by="Lea")
    store.projects.join(project.id, "Ann")
    store.batches.delete(store.batches.listed()[0].id)
    before = dump(store)

    def both() -> None:
        store.projects.delete(project.id, Viewer("Lea"))
        store.question_sets.delete(store.question_sets.listed()[0].id)

    deletion, _ = store.deletions.undoably(both)
    assert (store.projects.listed(), store.question_sets.listed()) == ([], [])
    store.deletions.undo(deletion)
    assert dump(store) == before


def test_a_deletion_that_fails_keeps_nothing_and_later_ones_are_not_kept(store: Store, run: str) -> None:
    with pytest.raises(NotFound):
        store.deletions.undoably(lambda: store.runs.delete("no such"))
    store.runs.delete(run)
    assert store.connection.execute("SELECT count(*) FROM deleted_rows").fetchone() == (0,)


def test_after_ten_seconds_it_is_gone(store: Store, run: str, monkeypatch: pytest.MonkeyPatch) -> None:
    deletion, _ = store.deletions.undoably(lambda: store.runs.delete(run))
    store.deletions.purge()
    assert store.deletions.keeps(deletion)
    monkeypatch.setattr(deletions, "UNDO_SECONDS", -1.0)
    with pytest.raises(NotFound, match="too late"):
        store.deletions.undo(deletion)
    store.deletions.purge()
    assert store.connection.execute("SELECT count(*) FROM deleted_rows").fetchone() == (0,)


def test_a_reading_does_not_come_back_without_its_text(store: Store, run: str) -> None:
    reading, _ = store.deletions.undoably(lambda: store.runs.delete(run))
    text, _ = store.deletions.undoably(lambda: store.documents.delete(TEXT.id))
    with pytest.raises(BadOptions, match="undo that first"):
        store.deletions.undo(reading)
    store.deletions.undo(text)
    store.deletions.undo(reading)
    assert store.runs.get(run).outcome


def test_what_was_added_again_since_stays(store: Store, run: str) -> None:
    deletion, _ = store.deletions.undoably(lambda: store.documents.delete(TEXT.id))
    store.documents.add(TEXT)
    store.deletions.undo(deletion)
    assert [one.id for one in store.documents.listed()] == [TEXT.id]
    assert store.runs.get(run).document == TEXT.id
