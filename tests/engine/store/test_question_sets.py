"""Question sets are stored once, listed, renamed and deleted; a visitor's go with the visit."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from readers.engine.errors import BadOptions, NotFound
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run.execute import RunSpec, create_run
from readers.engine.store import Store
from readers.engine.store.migrations import migrate
from readers.engine.text.document import Document, Span
from readers.memwalker import MemWalker

TEXT = "The lamp was lit at five."


def made_set(store: Store, count: int = 3, **known: Any) -> QuestionSet:
    document = Document.of(TEXT, title="Lamp")
    asked = [SetQuestion(f"q{n}", document.id, f"Question {n}?", **known) for n in range(count)]
    made = QuestionSet("Lamps", tuple(asked), (document,))
    store.question_sets.add(made)
    return made


def test_a_set_is_kept_once_with_its_texts_and_found_by_id_and_name(store: Store) -> None:
    made = made_set(store, answers=("five",), answerable=True, evidence=(Span(17, 24),), note="n")
    again = store.question_sets.add(QuestionSet("Other name", made.questions, made.documents))
    assert (again.name, again.questions, again.documents) == ("Lamps", 3, 1)
    assert [kept.id for kept in store.question_sets.listed()] == [made.id]
    assert tuple(store.question_sets.questions(made.id)) == made.questions
    assert store.question_sets.documents(made.id) == {made.documents[0].id: "Lamp"}
    assert store.question_sets.get("Lamps") == store.question_sets.get(made.id)
    store.question_sets.rename(made.id, " New\nname ")
    assert store.question_sets.get("New name").id == made.id
    with pytest.raises(NotFound, match="python -m readers questions"):
        store.question_sets.get("Lamps")
    store.question_sets.delete(made.id)
    assert (store.question_sets.listed(), store.question_sets.questions(made.id)) == ([], [])
    assert [shelved.title for shelved in store.documents.listed()] == ["Lamp"]


def test_a_set_whose_text_is_gone_is_not_kept(store: Store) -> None:
    with pytest.raises(NotFound, match="no longer in the library"):
        store.question_sets.add(QuestionSet("x", (SetQuestion("a", "nowhere", "Who?"),)))
    assert store.question_sets.listed() == []


def test_the_batches_of_an_older_database_have_one_sample_of_each(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrate(old, before="m011_samples")
        old.execute("INSERT INTO batches (id, name, question_set, created, plan) VALUES ('b', 'B', 's', '2026-01-01', '{}')")
        old.execute("INSERT INTO batch_runs (batch, number, variant, error) VALUES ('b', 0, 0, 'why'), ('b', 0, 1, NULL)")
    with Store(path) as store:
        assert [(cell.variant, cell.sample, cell.error) for cell in store.batches.cells("b")] == [(0, 0, "why"), (1, 0, None)]
        store.batches.delete("b")
        assert store.connection.execute("SELECT count(*) FROM batch_runs").fetchone() == (0,)


def test_a_set_with_batches_stays(store: Store) -> None:
    made = made_set(store)
    batch = store.batches.add("b", made.id, {"variants": []}, variants=1, numbers=[0])
    with pytest.raises(BadOptions, match="a batch uses this question set"):
        store.question_sets.delete(made.id)
    store.batches.delete(batch.id)
    store.question_sets.delete(made.id)


def test_what_is_known_of_a_reading_that_was_begun_by_hand(store: Store) -> None:
    made = made_set(store, answers=("five",), answerable=True)
    reader = MemWalker()
    run = create_run(store, made.documents[0], reader, RunSpec("memwalker", reader.version, "Question 1?"))
    assert store.question_sets.question_of(run) == made.questions[1]
    other = create_run(store, made.documents[0], reader, RunSpec("memwalker", reader.version, "Another?"))
    assert store.question_sets.question_of(other) is None


def test_a_visitor_sees_their_own_sets_and_leaves_nothing_behind(store: Store, own_home: Path) -> None:
    hosts = made_set(store)
    with Store(visitor="ann") as ann, Store(visitor="ben") as ben:
        document = Document.of("Ann's.", title="Ann's")
        mine = QuestionSet("Mine", (SetQuestion("a", document.id, "Who?"),), (document,))
        ann.question_sets.add(mine)
        batch = ann.batches.add("b", mine.id, {"variants": []}, variants=1, numbers=[0])
        assert {kept.id for kept in ann.question_sets.listed()} == {hosts.id, mine.id}
        assert [kept.id for kept in ben.question_sets.listed()] == [hosts.id]
        assert (ben.batches.listed(), len(ann.batches.listed())) == ([], 1)
        with pytest.raises(NotFound):
            ben.batches.get(batch.id)
        ben.question_sets.add(mine)
    assert store.visits.end("ann")
    assert {kept.id for kept in store.question_sets.listed()} == {hosts.id, mine.id}  # Ben brought it too
    assert store.batches.listed() == []
    assert store.visits.end("ben")
    assert [kept.id for kept in store.question_sets.listed()] == [hosts.id]
    assert [shelved.title for shelved in store.documents.listed()] == ["Lamp"]
