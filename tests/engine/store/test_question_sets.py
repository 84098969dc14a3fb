"""Question sets are stored once, listed, renamed and deleted; a visitor's go with the visit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from readers.engine.errors import BadOptions, NotFound
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run.execute import RunSpec, begin
from readers.engine.store import Store
from readers.engine.text.document import Document, Span
from readers.memwalker import MemWalker

TEXT = "The lamp was lit at five."


def made_set(store: Store, count: int = 3, **known: Any) -> QuestionSet:
    document = Document.of(TEXT, title="Lamp")
    asked = [SetQuestion(f"q{n}", document.id, f"Question {n}?", **known) for n in range(count)]
    made = QuestionSet("Lamps", tuple(asked), (document,))
    store.questions.add(made)
    return made


def test_a_set_is_kept_once_with_its_texts_and_found_by_id_and_name(store: Store) -> None:
    made = made_set(store, answers=("five",), answerable=True, evidence=(Span(17, 24),), note="n")
    again = store.questions.add(QuestionSet("Other name", made.questions, made.documents))
    assert (again.name, again.questions, again.documents) == ("Lamps", 3, 1)
    assert [kept.id for kept in store.questions.sets()] == [made.id]
    assert tuple(store.questions.of(made.id)) == made.questions
    assert store.questions.texts(made.id) == {made.documents[0].id: "Lamp"}
    assert store.questions.question_set("Lamps") == store.questions.question_set(made.id)
    store.questions.rename(made.id, " New\nname ")
    assert store.questions.question_set("New name").id == made.id
    with pytest.raises(NotFound, match="python -m readers questions"):
        store.questions.question_set("Lamps")
    store.questions.delete(made.id)
    assert (store.questions.sets(), store.questions.of(made.id)) == ([], [])
    assert [shelved.title for shelved in store.documents()] == ["Lamp"]


def test_a_set_whose_text_is_gone_is_not_kept(store: Store) -> None:
    with pytest.raises(NotFound, match="no longer in the library"):
        store.questions.add(QuestionSet("x", (SetQuestion("a", "nowhere", "Who?"),)))
    assert store.questions.sets() == []


def test_a_set_with_batches_stays(store: Store) -> None:
    made = made_set(store)
    batch = store.questions.add_batch("b", made.id, {"variants": []}, variants=1, numbers=[0])
    with pytest.raises(BadOptions, match="a batch was made"):
        store.questions.delete(made.id)
    store.questions.delete_batch(batch.id)
    store.questions.delete(made.id)


def test_what_is_known_of_a_reading_that_was_begun_by_hand(store: Store) -> None:
    made = made_set(store, answers=("five",), answerable=True)
    reader = MemWalker()
    run = begin(store, made.documents[0], reader, RunSpec("memwalker", reader.version, "Question 1?"))
    assert store.questions.asked(run) == made.questions[1]
    other = begin(store, made.documents[0], reader, RunSpec("memwalker", reader.version, "Another?"))
    assert store.questions.asked(other) is None


def test_a_visitor_sees_their_own_sets_and_leaves_nothing_behind(store: Store, own_home: Path) -> None:
    hosts = made_set(store)
    with Store(visitor="ann") as ann, Store(visitor="ben") as ben:
        document = Document.of("Ann's.", title="Ann's")
        mine = QuestionSet("Mine", (SetQuestion("a", document.id, "Who?"),), (document,))
        ann.questions.add(mine)
        batch = ann.questions.add_batch("b", mine.id, {"variants": []}, variants=1, numbers=[0])
        assert {kept.id for kept in ann.questions.sets()} == {hosts.id, mine.id}
        assert [kept.id for kept in ben.questions.sets()] == [hosts.id]
        assert (ben.questions.batches(), len(ann.questions.batches())) == ([], 1)
        with pytest.raises(NotFound):
            ben.questions.batch(batch.id)
        ben.questions.add(mine)
    assert store.end_visit("ann")
    assert {kept.id for kept in store.questions.sets()} == {hosts.id, mine.id}  # Ben brought it too
    assert store.questions.batches() == []
    assert store.end_visit("ben")
    assert [kept.id for kept in store.questions.sets()] == [hosts.id]
    assert [shelved.title for shelved in store.documents()] == ["Lamp"]
