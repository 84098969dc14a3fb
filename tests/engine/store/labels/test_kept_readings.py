"""The readings of a project are kept: no road deletes them but the end of the visit that made the project."""

from __future__ import annotations

import sqlite3

import pytest

from readers.engine.errors import InProject, NotFound
from readers.engine.labels.project import HOST, Settings
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.store import Store
from readers.engine.store.database import this_worker
from tests.support.labels import about, opened, project, readings


def test_a_reading_of_a_project_is_not_deleted_on_any_road(store: Store) -> None:
    where = project(store, 2)
    held = store.projects.readings(where.id)
    (free,) = readings(store, 1)
    document = store.runs.get(free).document
    with pytest.raises(InProject, match=r"project 'Lamps'.*delete the project first"):
        store.runs.delete(held[0])
    with pytest.raises(InProject):
        store.documents.delete(document)
    assert {run.id for run in store.runs.listed()} == {*held, free}
    done = store.run_list.delete([held[0], free, held[1]])
    assert (done.gone, done.kept, done.busy, done.missing) == ((free,), held, (), ())
    store.projects.delete(where.id, HOST)
    store.documents.delete(document)
    assert store.runs.listed() == []


def test_a_sample_in_a_project_keeps_the_reading_it_belongs_to(store: Store) -> None:
    parent, sample, other = readings(store, 3)
    with sqlite3.connect(store.path) as database:
        database.execute("UPDATE runs SET parent = ?, experiment = 'e' WHERE id IN (?, ?)", (parent, sample, other))
    store.projects.create("Samples", Settings(), runs=[sample])
    with pytest.raises(InProject, match="Samples"):
        store.runs.delete(parent)
    assert store.run_list.delete([parent]).kept == (parent,)
    assert {run.id for run in store.runs.listed(samples=True)} == {parent, sample, other}


def test_nobody_else_sees_a_visitors_project(store: Store) -> None:
    with Store(visitor="anna") as anna:
        held, free = readings(anna, 2)
        where = anna.projects.create("Hers", Settings(), runs=[held])
        assert [one.id for one in anna.projects.listed()] == [where.id]
        with pytest.raises(InProject):
            anna.visits.leave(anna.runs.get(held).document)
        assert {run.id for run in anna.runs.listed()} == {held, free}
    with Store(visitor="ben") as ben:
        assert (ben.runs.listed(), ben.documents.listed(), ben.projects.listed()) == ([], [], [])
        for ask in (ben.projects.get, ben.turns.progress):
            with pytest.raises(NotFound):
                ask(where.id)
        for ask_as in (ben.projects.viewer, ben.projects.join, ben.projects.annotator, ben.turns.upcoming):
            with pytest.raises(NotFound, match="no project"):
                ask_as(where.id, "Ada")
        with pytest.raises(NotFound):
            ben.projects.create("Mine", Settings(), runs=[held])


def test_the_end_of_a_visit_deletes_its_projects_with_all_that_was_put_into_them(store: Store) -> None:
    (hosts,) = readings(store, 1)
    kept = store.projects.create("The host's", Settings(), runs=[hosts])
    with Store(visitor="anna") as anna:
        where = project(anna, 2)
        held = anna.projects.readings(where.id)
        anna.labels.put(about(where, opened(anna, where, "Ann"), "Ann", "outcome", "wrong"), 0)
        parent, sample = readings(anna, 2)
        with sqlite3.connect(store.path) as other:
            other.execute("UPDATE runs SET parent = ?, experiment = 'e' WHERE id = ?", (parent, sample))
        anna.projects.create("Samples", Settings(), runs=[sample, hosts])
        anna.question_sets.add(QuestionSet("Hers", (SetQuestion("q", anna.runs.get(held[0]).document, "Who?"),)))
    store.projects.add_readings(kept.id, [held[0]], HOST)  # no page lets a visitor do that, and yet nothing stays
    with sqlite3.connect(store.path) as other:
        other.execute("UPDATE visits SET worker = '999999:1.0' WHERE visitor = 'anna'")
    store.visits.sweep()  # as after a restart
    assert [run.id for run in store.runs.listed(samples=True)] == [hosts]
    assert [one.id for one in store.projects.listed()] == [kept.id]
    assert store.projects.readings(kept.id) == (hosts,)
    with sqlite3.connect(store.path) as other:
        assert other.execute("SELECT count(*) FROM visits").fetchone() == (0,)
        for table in ("labels", "label_history", "annotators", "turns", "decisions", "question_sets", "questions"):
            assert other.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table


def test_a_visit_does_not_end_before_its_reading_in_a_project_has_stopped(store: Store) -> None:
    with Store(visitor="anna") as anna:
        (held,) = readings(anna, 1)
        anna.projects.create("Hers", Settings(), runs=[held])
    with sqlite3.connect(store.path) as other:
        other.execute("UPDATE runs SET status = 'running', worker = ? WHERE id = ?", (this_worker(), held))
    assert not store.visits.end("anna")
    assert store.runs.get(held).cancel
    store.runs.settle(held, "cancelled")
    assert store.visits.end("anna")
    assert store.runs.listed() == []
