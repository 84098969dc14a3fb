"""A project travels whole to another store and back: by content ids, twice without doubles, and both people's labels are kept."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from readers import get
from readers.engine.errors import BadFile, BadOptions
from readers.engine.files.labels.export_labels import Export, as_csv, as_jsonl, gathered
from readers.engine.files.labels.import_labels import import_labels
from readers.engine.files.labels.import_project import ProjectImport, import_project
from readers.engine.files.labels.project_file import export_project, read_project_file
from readers.engine.files.labels.read_labels import read_label_file
from readers.engine.files.runs.content import content_of
from readers.engine.files.runs.import_run import import_run
from readers.engine.files.runs.run_file import run_file
from readers.engine.labels.label import Decision, Label
from readers.engine.labels.project import HOST, Project, Settings
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run.execute import Execution, create_run, execute
from readers.engine.store import Store
from readers.engine.text.document import Document, Span
from tests.engine.files.runs.import_run.conftest import QUESTION, spec_of, text, there
from tests.support.labelled_projects import code, field
from tests.support.labels import BOOK

__all__ = ["text", "there"]  # fixtures
READERS = ("memagent", "memwalker", "readagent")


@pytest.fixture
def where(store: Store, text: Document) -> Project:
    """Three real readings of a question whose answer is known; Ada has labelled two of them, Ben has one open, one is decided."""
    runs = [
        execute(store, create_run(store, text, get(name), spec_of(get(name))).id, get(name), Execution(Offline())).id
        for name in READERS
    ]
    known = SetQuestion("q1", text.id, QUESTION, answers=("Nobody",), answerable=True, evidence=(Span(10, 40),))
    store.question_sets.add(QuestionSet("Lamps", (known,)))
    settings = Settings(lead="Lea", start_stage=3, share=1.0, annotators=3, seed=7)
    made = store.projects.create("Lamps", settings, runs=runs, book=BOOK, by="Lea")
    store.codebooks.add(made.id, BOOK.rename("N1", "Wrong part"), HOST)
    for name in ("Ada", "Ben"):
        store.projects.join(made.id, name)
    for run in runs[:2]:
        label(store, made, "Ada", field(made, run, "Ada", "outcome", "wrong"), code(made, run, "Ada", 2))
        store.turns.finish(made.id, run, "Ada")
    store.turns.open(made.id, runs[0], "Ben")
    verdict = Decision(made.id, runs[0], {"field": "outcome"}, {"value": "partly"}, "half of it", "Lea")
    store.decisions.decide(verdict, 0)
    return made


def label(store: Store, where: Project, name: str, *labels: Label) -> None:
    for one in labels:
        store.turns.open(where.id, one.run, name)
        store.labels.put(one, 0)


def exported(store: Store, where: Project) -> bytes:
    return export_project(store, where.id, readers=get)


def imported(store: Store, data: bytes, **more: Any) -> ProjectImport:
    return import_project(store, read_project_file("lamps.zip", data), offered=get, **more)


def state(store: Store, where: Project) -> dict[str, Any]:
    """All that a project consists of, its readings by content id."""
    ids = {run: content_of(store, store.runs.get(run)) for run in store.projects.readings(where.id)}
    project = store.projects.get(where.id)

    def unnamed(rows: list[Any]) -> list[Any]:
        as_rows = [row._asdict() if hasattr(row, "_asdict") else vars(row) for row in rows]
        return sorted(({**row, "run": ids[row["run"]]} for row in as_rows), key=repr)

    return {
        "project": project,
        "readings": list(ids.values()),
        "questions": [store.question_sets.question_of(store.runs.get(run)) for run in ids],
        "annotators": store.projects.annotators(where.id),
        "upcoming": {one.name: store.turns.upcoming(where.id, one.name) for one in store.projects.annotators(where.id)},
        "codebooks": store.codebooks.versions(where.id, HOST),
        "labels": unnamed(store.labels.in_project(where.id, HOST)),
        "turns": unnamed(store.turns.in_project(where.id, HOST)),
        "decisions": unnamed(store.decisions.in_project(where.id, HOST, history=True)),
        "board": store.boards.arrangement(where.id),
    }


def test_a_project_arrives_whole_and_a_second_time_adds_nothing(store: Store, there: Store, where: Project) -> None:
    data = exported(store, where)
    first = imported(there, data)
    assert (first.is_new, first.readings, first.readings_here, first.refused, first.differs) == (True, 3, 0, (), ())
    assert (first.codebooks, first.decisions, first.labels.added, first.labels.turns) == (2, 1, 4, 3)
    assert state(there, first.project) == state(store, where)
    second = imported(there, data)
    assert (second.is_new, second.readings, second.readings_here, second.codebooks, second.decisions) == (False, 0, 3, 0, 0)
    assert (second.labels.added, second.labels.same, second.labels.turns, second.differs) == (0, 4, 0, ())
    assert state(there, first.project) == state(store, where)
    assert len(there.runs.listed()) == 3


def test_the_same_project_is_the_same_file(store: Store, there: Store, where: Project) -> None:
    data = exported(store, where)
    assert exported(store, where) == data
    made = zipfile.ZipFile(io.BytesIO(exported(there, imported(there, data).project)))
    original = zipfile.ZipFile(io.BytesIO(data))
    assert made.namelist() == original.namelist()
    assert made.read("project.json") == original.read("project.json")


def test_two_copies_that_were_labelled_apart_become_one(store: Store, there: Store, where: Project) -> None:
    imported(there, exported(store, where))
    first, second, third = store.projects.readings(where.id)
    label(there, where, "Ben", field(where, first, "Ben", "outcome", "correct"), code(where, first, "Ben", 3))
    there.turns.finish(where.id, first, "Ben")
    there.projects.join(where.id, "Cai")
    label(there, where, "Cai", field(where, second, "Cai", "outcome", "wrong"))
    verdict = Decision(where.id, second, {"field": "outcome"}, {"value": "wrong"}, "", "Lea")
    there.decisions.decide(verdict, 0)
    label(store, where, "Ada", field(where, third, "Ada", "outcome", "partly"))

    back = imported(store, exported(there, where))
    assert (back.labels.added, back.decisions, back.differs) == (3, 1, ())
    assert [one.name for one in store.projects.annotators(where.id)] == ["Ada", "Ben", "Cai"]
    assert "done" in {one.standing for one in store.turns.in_project(where.id, HOST, run=first, annotator="Ben")}
    forth = imported(there, exported(store, where))
    assert forth.labels.added == 1
    assert state(there, where) == state(store, where)


def test_what_both_copies_have_in_two_forms_stays_and_is_listed(store: Store, there: Store, where: Project) -> None:
    imported(there, exported(store, where))
    first = store.projects.readings(where.id)[0]
    target = {"field": "outcome"}
    for copy, value in ((store, "correct"), (there, "wrong")):
        copy.decisions.decide(Decision(where.id, first, target, {"value": value}, "", "Lea"), 1)
        book = copy.codebooks.latest(where.id, HOST)
        assert book
        copy.codebooks.add(where.id, book.book.rename("N1", f"Said {value}"), HOST)
        latest = replace(code(where, first, "Ben", 3), codebook=3)
        label(copy, where, "Ben", latest if value == "wrong" else replace(latest, value={**latest.value, "severity": 1}))
    new = replace(code(where, first, "Ben", 4), codebook=3)
    label(there, where, "Ben", new)

    merged = imported(store, exported(there, where))
    assert len(merged.differs) == 2
    assert merged.differs[0].startswith("Version 3 of the codebook differs")
    assert merged.differs[1] == "1 disagreement was decided in both copies; this one’s stay."
    assert [
        (clash.imported.value["severity"], clash.stored and clash.stored.value["severity"]) for clash in merged.labels.clashes
    ] == [(2, 1)]
    assert store.labels.get(new.id, HOST).codebook == 2  # the last version that both copies share
    decided = store.decisions.in_project(where.id, HOST, run=first)
    assert [one.value for one in decided] == [{"value": "correct"}]


def test_a_reading_that_is_here_under_another_id_is_found_by_its_content(store: Store, there: Store, where: Project) -> None:
    first = store.projects.readings(where.id)[0]
    data = json.dumps(run_file(store, first, get(READERS[0]))).encode()
    here = import_run(there, data, "one.json", readers=get)
    done_ = imported(there, exported(store, where))
    assert (done_.readings, done_.readings_here) == (2, 1)
    assert here.id in there.projects.readings(where.id)
    assert {one.run for one in there.labels.in_project(where.id, HOST)} == {here.id, store.projects.readings(where.id)[1]}


def test_a_taken_id_of_another_reading_is_not_overwritten(store: Store, there: Store, where: Project, text: Document) -> None:
    first = store.projects.readings(where.id)[0]
    other = create_run(there, text, get("memagent"), spec_of(get("memagent")))
    there.connection.execute("UPDATE runs SET id = ? WHERE id = ?", (first, other.id))
    imported(there, exported(store, where))
    assert there.runs.get(first).status == "queued"
    assert first not in there.projects.readings(where.id)
    assert len(there.projects.readings(where.id)) == 3


@pytest.mark.parametrize("form", [("a.jsonl", as_jsonl), ("a.csv", as_csv)])
def test_a_file_of_labels_finds_its_readings_on_another_machine(
    store: Store, there: Store, where: Project, form: tuple[str, Callable[[Export], str]]
) -> None:
    runs = [json.dumps(run_file(store, run, get(store.runs.get(run).reader))) for run in store.projects.readings(where.id)]
    here = [import_run(there, data.encode(), "one.json", readers=get).id for data in runs]
    settings = Settings(start_stage=3, share=1.0, annotators=3)
    project = there.projects.create("Lamps elsewhere", settings, runs=here, book=BOOK)
    there.codebooks.add(project.id, BOOK.rename("N1", "Wrong part"), HOST)
    name, words = form
    file = read_label_file(name, words(gathered(store, where.id, HOST)).encode())
    for added, same in ((4, 0), (0, 4)):
        done = import_labels(there, project.id, file, viewer=HOST)
        assert (done.added, done.same) == (added, same)
    assert {one.run for one in there.labels.in_project(project.id, HOST)} == set(here[:2])


def test_only_who_sees_everything_merges(store: Store, where: Project) -> None:
    data = exported(store, where)
    with pytest.raises(BadOptions, match="only its owner"):
        imported(store, data, by="Ada")
    assert imported(store, data, by="Lea").labels.same == 4


def changed(data: bytes, name: str, change: Callable[[bytes], bytes | None]) -> bytes:
    """The zip with one of its files changed, or left out."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for entry in given.namelist():
            words = change(given.read(entry)) if entry == name else given.read(entry)
            if words is not None:
                made.writestr(entry, words)
    return packed.getvalue()


def test_a_reading_that_was_changed_is_refused_with_its_labels_and_the_others_come_in(
    store: Store, there: Store, where: Project
) -> None:
    first = store.projects.readings(where.id)[0]
    data = changed(exported(store, where), f"readings/{first}.json", lambda words: words.replace(b'"answered"', b'"no_answer"'))
    found = imported(there, data)
    assert (found.readings, len(found.refused), found.labels.added, found.decisions) == (2, 1, 2, 0)
    assert first in found.refused[0]


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("project.json", lambda words: None, "it lacks 'project.json'"),
        ("labels.jsonl", lambda words: None, "it lacks 'labels.jsonl'"),
        ("project.json", lambda words: words.replace(b"palimpsest.project/1", b"palimpsest.project/9"), "palimpsest.project/9"),
        ("project.json", lambda words: words.replace(b'"stage": 3', b'"stage": 9'), "from 1 to 3, not 9"),
        ("project.json", lambda words: b"{}", "at schema"),
        ("project.json", lambda words: b"\xff", "project.json"),
        ("labels.jsonl", lambda words: words.replace(b'"severity":2', b'"severity":9'), "labels.jsonl"),
    ],
)
def test_a_file_that_is_not_a_whole_project_is_refused_and_nothing_is_written(
    store: Store, there: Store, where: Project, name: str, change: Callable[[bytes], bytes | None], says: str
) -> None:
    with pytest.raises(BadFile, match=says):
        imported(there, changed(exported(store, where), name, change))
    assert (there.runs.listed(), there.projects.listed()) == ([], [])


def test_hostile_settings_and_codes_leave_nothing_of_the_project(store: Store, there: Store, where: Project) -> None:
    for old, new in ((b'"share": 1.0', b'"share": 7'), (b'"name": "Wrong part"', b'"name": 5'), (b'"Ada"', b'"  "')):
        data = changed(exported(store, where), "project.json", lambda words, old=old, new=new: words.replace(old, new))
        assert data != exported(store, where)
        with pytest.raises((BadOptions, BadFile)):
            imported(there, data)
        assert there.projects.listed() == []
