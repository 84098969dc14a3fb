"""Two visitors of a public demo who bring the same text or questions do not learn of each other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from readers.engine.errors import BadOptions, NotFound
from readers.engine.files.labels.import_labels import import_labels
from readers.engine.files.labels.read_labels import LabelFile
from readers.engine.files.runs.run_file import run_file
from readers.engine.labels.project import Settings, Viewer
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.run.estimate import estimate
from readers.engine.run.execute import RunSpec, create_run
from readers.engine.store import Run, Store, open_reading
from readers.engine.store.run_list import RunFilter
from readers.engine.text.document import Document
from readers.engine.text.plant import plant
from tests.engine.store.test_delete import READER, read
from tests.support.labels import BOOK, about
from tests.support.models.scripted_models import parts_of

TEXT = parts_of(6).text
SECRET, OWN = Document("Anna's secret", TEXT), Document("Ben's", TEXT)


@pytest.fixture
def anna(store: Store) -> Iterator[Store]:
    with Store(visitor="anna") as opened:
        yield opened


@pytest.fixture
def ben(store: Store) -> Iterator[Store]:
    with Store(visitor="ben") as opened:
        yield opened


def on_record(store: Store, document: Document, question: str = "Who?") -> Run:
    return create_run(store, document, READER, RunSpec(READER.id, READER.version, question))


def titles(store: Store) -> dict[str, object]:
    """Every place where the title of their only document shows."""
    (run,), (document,) = store.runs.listed(), store.documents.listed()
    found = store.run_list.find(RunFilter(sort="title"))
    return {
        "library": document.title,
        "document": store.documents.get(document.id).title,
        "list": [one.title for one in found],
        "filter": list(store.run_list.facets().documents.values()),
        "reading": open_reading(store, run.id).document.title,
        "file": run_file(store, run.id, READER)["document"]["title"],
    }


def test_each_sees_the_title_that_they_gave_to_the_same_text(store: Store, anna: Store, ben: Store) -> None:
    hers, his = on_record(anna, SECRET), on_record(ben, OWN)
    assert hers.document == his.document
    for owner, own in ((anna, SECRET.title), (ben, OWN.title)):
        assert titles(owner) == {
            "library": own, "document": own, "list": [own], "filter": [own], "reading": own, "file": own,
        }  # fmt: skip
        (run,) = owner.runs.listed()
        assert open_reading(store, run.id).document.title == own  # what all visitors' pages cache
    assert ben.run_list.count(RunFilter(words="secret")) == 0
    assert anna.run_list.count(RunFilter(words="secret")) == 1


def test_a_text_was_added_when_its_owner_added_it(store: Store, anna: Store, ben: Store) -> None:
    anna.documents.add(SECRET)
    store.connection.execute("UPDATE visits SET added = '2020-01-01T00:00:00+00:00'")
    store.connection.execute("UPDATE documents SET created = '2020-01-01T00:00:00+00:00'")
    ben.documents.add(OWN)
    assert [anna.documents.listed()[0].created[:4], ben.documents.listed()[0].created[:4] > "2020"] == ["2020", True]


def test_what_the_host_adds_is_the_hosts_though_a_visitor_brought_it_first(store: Store, anna: Store, ben: Store) -> None:
    anna.documents.add(SECRET)
    store.documents.add(Document("The host's", TEXT))
    assert [one.title for one in (*anna.documents.listed(), *ben.documents.listed())] == ["The host's"] * 2
    assert store.visits.end("anna")
    assert [one.title for one in ben.documents.listed()] == ["The host's"]


def made(name: str, note: str) -> QuestionSet:
    asked = SetQuestion("q", SECRET.id, "What begins in part 1?")
    return QuestionSet(name, (asked,), (Document(name, TEXT),), note)


def test_the_same_questions_have_two_names_and_either_can_be_deleted(store: Store, anna: Store, ben: Store) -> None:
    set_id = anna.question_sets.add(made("Anna's secret", "for my thesis")).id
    assert ben.question_sets.add(made("Ben's", "")).id == set_id
    assert [(one.name, one.note) for one in ben.question_sets.listed()] == [("Ben's", "")]
    assert ben.question_sets.documents(set_id) == {SECRET.id: "Ben's"}
    ben.question_sets.rename(set_id, "Ben's own")
    assert (anna.question_sets.get(set_id).name, ben.question_sets.get(set_id).name) == ("Anna's secret", "Ben's own")
    plan = BatchPlan((RunSpec(READER.id, READER.version, ""),))
    batches.add(anna, set_id, plan, readers=lambda _: READER, numbers=[0])
    ben.question_sets.delete(set_id)  # her batch is nothing to him
    assert ben.question_sets.listed() == []
    assert [one.name for one in anna.question_sets.listed()] == ["Anna's secret"]
    with pytest.raises(BadOptions, match="a batch uses"):
        anna.question_sets.delete(set_id)


def test_a_name_that_two_visitors_chose_hides_nothing_from_either(anna: Store, ben: Store) -> None:
    hers = on_record(anna, SECRET)
    where = anna.projects.create("Hers", Settings(), runs=[hers.id])
    anna.projects.join(where.id, "Ann")
    assert anna.projects.hidden_questions("Ann") == {(SECRET.id, "Who?")}
    assert ben.projects.hidden_questions("Ann") == frozenset()


def test_a_project_of_the_hosts_is_not_for_visitors(store: Store, anna: Store) -> None:
    """They would label in it, and could take the name of its lead, who sees and changes all of it."""
    reading = on_record(store, OWN)
    where = store.projects.create("The host's", Settings(start_stage=3, lead="Lea"), runs=[reading.id])
    store.projects.join(where.id, "Ann")
    store.turns.open(where.id, reading.id, "Ann")
    assert anna.runs.get(reading.id).id == reading.id
    assert anna.projects.listed() == anna.projects.of_run(reading.id) == []
    assert anna.projects.hidden_questions("Ann") == frozenset()
    label = about(where, reading.id, "Ann", "outcome", "wrong")
    for act in (
        lambda: anna.projects.get(where.id),
        lambda: anna.projects.join(where.id, "Lea"),
        lambda: anna.projects.viewer(where.id, "Lea"),
        lambda: anna.labels.load(where.id, run=reading.id, annotator="Ann"),
        lambda: anna.labels.put(label, 0),
        lambda: anna.turns.open(where.id, reading.id, "Ann"),
        lambda: anna.turns.skip(where.id, reading.id, "Ann", reason="to disturb"),
        lambda: anna.turns.release(where.id, "Ann", Viewer("Ann")),
        lambda: anna.projects.rename(where.id, "Hers", Viewer("Lea", whole=True)),
        lambda: anna.projects.delete(where.id, Viewer("Lea", whole=True)),
        lambda: anna.codebooks.add(where.id, BOOK, Viewer("Lea", whole=True)),
        lambda: import_labels(anna, where.id, LabelFile((label,), ()), viewer=Viewer("Lea", whole=True)),
    ):
        with pytest.raises(NotFound):
            act()
    assert store.projects.get(where.id) == where
    assert [one.name for one in store.projects.annotators(where.id)] == ["Ann"]


def test_a_reply_is_reused_from_the_hosts_and_ones_own_readings_alone(store: Store, anna: Store, ben: Store) -> None:
    def origins(owner: Store, question: str) -> set[str]:
        return {record.origin for record in owner.runs.tape(read(owner, parts_of(6), question).id).records()}

    assert origins(anna, "Where is word1x3?") == {"live"}
    assert origins(ben, "Where is word1x3?") == {"live"}
    assert origins(anna, "Where is word2x3?") == {"live", "cached"}
    with Store(visitor="cleo") as cleo:
        read(store, parts_of(6), "Where is word3x3?")
        assert origins(cleo, "Where is word4x3?") == {"live", "cached"}


def test_an_estimate_does_not_tell_what_others_have_read(anna: Store, ben: Store, store: Store) -> None:
    spec = RunSpec(READER.id, READER.version, "Where is word2x3?", options=read(anna, parts_of(6)).spec["options"])
    hers, his, hosts = (estimate(parts_of(6), READER, spec, store=one) for one in (anna, ben, store))
    assert hers.calls != his.calls
    assert his.calls == hosts.calls


def test_nothing_of_another_is_found_by_the_beginning_of_an_id_or_by_its_text(anna: Store, ben: Store) -> None:
    hers = on_record(anna, SECRET)
    assert anna.runs.get(hers.id[:4]).id == hers.id
    for ask in (lambda: ben.runs.get(hers.id), lambda: ben.runs.get(hers.id[:4]), lambda: ben.documents.get(hers.document)):
        with pytest.raises(NotFound):
            ask()
    asked = SetQuestion("q", hers.document, "Who?")
    with pytest.raises(NotFound, match="no longer in the library"):
        ben.question_sets.add(QuestionSet("Guessed", (asked,)))


def test_where_a_visitor_planted_a_sentence_is_theirs_to_know(anna: Store, ben: Store, store: Store) -> None:
    planted = plant(OWN, "The key is under the third stone.", 0.5)
    anna.planted.add(planted)
    ben.documents.add(planted.document)
    assert (anna.planted.of(planted.document.id), ben.planted.of(planted.document.id)) == (planted.span, None)
    store.planted.add(planted)
    assert ben.planted.of(planted.document.id) == planted.span
    assert store.planted.of(OWN.id) is None
    store.documents.delete(planted.document.id)
    assert store.planted.of(planted.document.id) is None


@pytest.mark.parametrize("leaves", ["the visit", "the text"])
def test_where_a_sentence_was_planted_goes_with_its_visitor_though_the_text_stays(
    leaves: str, anna: Store, ben: Store, store: Store
) -> None:
    planted = plant(OWN, "The key is under the third stone.", 0.5)
    anna.planted.add(planted)
    ben.planted.add(planted)
    if leaves == "the visit":
        assert store.visits.end("anna")
    else:
        anna.visits.leave(planted.document.id)
    assert ben.planted.of(planted.document.id) == planted.span
    assert store.connection.execute("SELECT visitor FROM planted").fetchall() == [("ben",)]
