"""The readings of a project are kept: no road deletes them, and the end of a visit leaves them."""

from __future__ import annotations

import sqlite3

import pytest

from readers.engine.errors import InProject, NotFound
from readers.engine.labels.project import HOST, Settings
from readers.engine.store import Store
from readers.engine.store.workers import this_worker
from tests.support.labels import project, readings


def test_a_reading_of_a_project_is_not_deleted_on_any_road(store: Store) -> None:
    where = project(store, 2)
    held = store.projects.readings(where.id)
    (free,) = readings(store, 1)
    document = store.run(free).document
    with pytest.raises(InProject, match=r"project 'Lamps'.*delete the project first"):
        store.delete_run(held[0])
    with pytest.raises(InProject):
        store.delete_document(document)
    assert {run.id for run in store.runs()} == {*held, free}
    done = store.run_list.delete([held[0], free, held[1]])
    assert (done.gone, done.kept, done.busy, done.missing) == ((free,), held, (), ())
    store.projects.delete(where.id, HOST)
    store.delete_document(document)
    assert store.runs() == []


def test_a_sample_in_a_project_keeps_the_reading_it_belongs_to(store: Store) -> None:
    parent, sample, other = readings(store, 3)
    with sqlite3.connect(store.path) as database:
        database.execute("UPDATE runs SET parent = ?, experiment = 'e' WHERE id IN (?, ?)", (parent, sample, other))
    store.projects.create("Samples", Settings(), runs=[sample])
    with pytest.raises(InProject, match="Samples"):
        store.delete_run(parent)
    assert store.run_list.delete([parent]).kept == (parent,)
    assert {run.id for run in store.runs(samples=True)} == {parent, sample, other}


def test_the_end_of_a_visit_leaves_readings_of_projects_and_nobody_else_sees_them(store: Store) -> None:
    with Store(visitor="anna") as anna:
        held, free = readings(anna, 2)
        where = anna.projects.create("Hers", Settings(), runs=[held])
        assert [one.id for one in anna.projects.listed()] == [where.id]
        with pytest.raises(InProject):
            anna.leave(anna.run(held).document)
        assert {run.id for run in anna.runs()} == {held, free}
    with sqlite3.connect(store.path) as other:
        other.execute("UPDATE visits SET worker = '999999:1.0' WHERE visitor = 'anna'")
    for _ in range(2):
        store.sweep_visits()
        assert [run.id for run in store.runs()] == [held]
    assert store.run(held).cancel is False
    with Store(visitor="ben") as ben:
        assert (ben.runs(), ben.documents(), ben.projects.listed()) == ([], [], [])
        for ask in (ben.projects.get, ben.turns.progress):
            with pytest.raises(NotFound):
                ask(where.id)
        for ask_as in (ben.projects.viewer, ben.projects.join, ben.projects.annotator, ben.turns.upcoming):
            with pytest.raises(NotFound, match="no project"):
                ask_as(where.id, "Ada")
        with pytest.raises(NotFound):
            ben.projects.create("Mine", Settings(), runs=[held])


def test_the_end_of_a_visit_leaves_the_reading_that_a_kept_sample_belongs_to(store: Store) -> None:
    with Store(visitor="anna") as anna:
        parent, sample = readings(anna, 2)
        with sqlite3.connect(store.path) as other:
            other.execute("UPDATE runs SET parent = ?, experiment = 'e' WHERE id = ?", (parent, sample))
        anna.projects.create("Samples", Settings(), runs=[sample])
    assert store.end_visit("anna")
    assert {run.id for run in store.runs(samples=True)} == {parent, sample}
    with Store(visitor="ben") as ben:
        assert (ben.runs(samples=True), ben.documents()) == ([], [])


def test_a_visit_does_not_end_before_its_reading_in_a_project_has_stopped(store: Store) -> None:
    with Store(visitor="anna") as anna:
        (held,) = readings(anna, 1)
        anna.projects.create("Hers", Settings(), runs=[held])
    with sqlite3.connect(store.path) as other:
        other.execute("UPDATE runs SET status = 'running', worker = ? WHERE id = ?", (this_worker(), held))
    assert not store.end_visit("anna")
    assert store.run(held).cancel
    store.settle(held, "cancelled")
    assert store.end_visit("anna")
    assert store.run(held).status == "cancelled"
