"""An export of labels has what is known of each question and answer, for those who may know it."""

from __future__ import annotations

import csv
import io
import json

import pytest

from readers import get
from readers.engine.files.labels.export_labels import as_csv, as_jsonl, gathered
from readers.engine.files.labels.read_labels import read_label_file
from readers.engine.labels.project import HOST, Project, Viewer
from readers.engine.questions.question_set import QuestionField, QuestionSet, SetQuestion
from readers.engine.store import Store
from tests.support import labelled_projects
from tests.support.labelled_projects import done, field, keep


@pytest.fixture
def where(store: Store) -> Project:
    """A project of two readings; the answer to the first one's question is known, and has a field of its own."""
    made = labelled_projects.project(store, 2, names=("Ada",))
    first = store.runs.get(store.projects.readings(made.id)[0])
    question = SetQuestion(
        "q1", first.document, first.question, answers=("Nobody did.",), answerable=True, fields=(QuestionField("type", "=who"),)
    )
    store.question_sets.add(QuestionSet("Lamps", (question,)))
    store.connection.execute("UPDATE runs SET outcome = 'answered', answer = 'Nobody did.'")
    keep(store, made, [field(made, first.id, "Ada", "outcome", "correct")], [done(made, first.id, "Ada")])
    return made


def readings(store: Store, where: Project, viewer: Viewer) -> list[dict[str, object]]:
    lines = map(json.loads, as_jsonl(gathered(store, where.id, viewer, readers=get)).splitlines())
    return [line for line in lines if line.get("what") == "reading"]


def test_a_reading_has_its_known_answer_verdict_fields_and_measures(store: Store, where: Project) -> None:
    first, second = readings(store, where, HOST)
    assert (first["known"], first["verdict"], first["fields"]) == (["Nobody did."], "correct", {"type": "=who"})
    assert first["certainty"] == "certain"
    assert str(first["reason"]).endswith(".")
    assert first["measures"]["calls_live"] == 0  # type: ignore[index]
    assert "known" not in second
    assert "verdict" not in second


def test_an_annotator_before_the_codebook_gets_no_answers(store: Store, where: Project) -> None:
    (first, _) = readings(store, where, Viewer("Cai", stage=1))
    assert not {"known", "verdict", "certainty", "reason"} & set(first)


def test_a_question_that_another_project_hides_stays_hidden(store: Store, where: Project) -> None:
    other = store.projects.create("Notes", labelled_projects.Settings(start_stage=1), runs=store.projects.readings(where.id))
    store.projects.join(other.id, "Ada")
    (first, _) = readings(store, where, store.projects.viewer(where.id, "Ada"))
    assert not {"known", "verdict", "certainty", "reason"} & set(first)


def test_the_table_has_columns_for_what_there_is_and_is_imported_again(store: Store, where: Project) -> None:
    text = as_csv(gathered(store, where.id, HOST, readers=get))
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    assert (row["known"], row["verdict"], row["field.type"], row["calls_live"]) == ("Nobody did.", "correct", "'=who", "0")
    assert len(read_label_file("x.csv", text.encode()).labels) == 1
