"""A label project of 500 readings, each labelled by two annotators: 10,000 labels. What the pages and the engine do with it.

The limit is one bare reading of the labels: their rows out of SQLite, and the JSON in them parsed.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from components.annotate.board import board_data
from components.annotate.panel_data import PanelState, assignments, panel_data
from components.annotate.result_tables import table_data
from readers.engine.analysis import label_results, visible_labels
from readers.engine.labels import agreement, codebook
from readers.engine.labels.board import Move
from readers.engine.labels.label import Label
from readers.engine.labels.project import HOST, Project
from readers.engine.store import Store
from tests.bench.cutting import ROUNDS, best_of
from tests.support.labelled_projects import READERS, labelled
from tests.support.labels import about

READINGS, LABELS, NOTES = 500, 10_000, 2_000
LIMIT = f"{LABELS:,} rows of labels read and parsed"
Row = tuple[str, str, float, float]


@contextmanager
def _opened() -> Iterator[tuple[Store, Project]]:
    folder, project = _made()
    with Store(Path(folder.name) / "palimpsest.db") as store:
        yield store, store.projects.get(project)


@cache
def _made() -> tuple[tempfile.TemporaryDirectory[str], str]:
    folder = tempfile.TemporaryDirectory()
    with Store(Path(folder.name) / "palimpsest.db") as store:
        return folder, labelled(store, READINGS).id


def _against_reading(what: str, work: Callable[[Store, Project], object], aim: float) -> Row:
    with _opened() as (store, project):

        def bare() -> None:
            rows = store.connection.execute("SELECT * FROM labels WHERE project = ?", (project.id,)).fetchall()
            assert len(rows) >= LABELS
            for row in rows:
                json.loads(row[5]), json.loads(row[6])

        return what, LIMIT, best_of(ROUNDS, lambda: work(store, project)) / best_of(ROUNDS, bare), aim


def all_labels() -> Row:
    return _against_reading("all labels of a project", lambda store, project: store.labels.in_project(project.id, HOST), 4.0)


def progress() -> Row:
    return _against_reading("the progress of a project", lambda store, project: store.turns.progress(project.id), 1.0)


def agreed() -> Row:
    def work(store: Store, project: Project) -> None:
        made = store.labels.in_project(project.id, HOST)
        assert agreement.figures(made, phase_of=lambda *_: "walk")

    return _against_reading("the report of agreement, with intervals", work, 10.0)


def disputed() -> Row:
    def work(store: Store, project: Project) -> None:
        visible = visible_labels.load(store, project, store.projects.viewer(project.id, "Lea"))
        visible.cache_key()
        assert len(visible_labels.find_disagreements(visible)) > READINGS

    return _against_reading("the queue of disagreements", work, 8.0)


def counted() -> Row:
    def work(store: Store, project: Project) -> None:
        visible = visible_labels.load(store, project, store.projects.viewer(project.id, "Lea"))
        readings = visible_labels.about_readings(store, visible)
        found = label_results.results(visible, readings, "any", reader_title=str, kind_title=str)
        tables = list(map(table_data, found.tables.values()))
        assert len(json.dumps(tables)) < 100_000  # what goes to the browser does not grow with the labels

    return _against_reading("the tables of results", work, 15.0)


def board() -> Row:
    """The board of 2,000 notes: one of them moved, all laid out again, and what goes to the browser."""

    def work(store: Store, project: Project) -> None:
        lead = store.projects.viewer(project.id, "Lea")
        shown = store.boards.load(project.id, lead)
        assert shown.notes == NOTES
        here = "Lamp" if not shown.find("Lamp") else ""
        first = min(shown.loose, key=lambda note: note.id) if here else shown.groups[0].notes[0]
        store.boards.move(project.id, [Move(first.id, "" if here else "Lamp", here)], lead)
        data = board_data(store.boards.load(project.id, lead), store.projects.readings(project.id), questions={})
        assert len(json.dumps(data)) < 250 * NOTES

    with _opened() as (store, project):
        if not store.boards.load(project.id, store.projects.viewer(project.id, "Lea")).notes:
            runs, value = store.projects.readings(project.id), {"words": "It took the wrong page. " * 3, "group": ""}
            with store.connection.writing():
                for number in range(NOTES):
                    run, by = runs[number % READINGS], ("Ada", "Ben")[number % 2]
                    store.labels.insert(Label(f"{number:032x}", project.id, run, by, "note", {"step": 1}, value, 0, 1))
    return _against_reading("a note moved on the board of 2,000", work, 4.0)


def moved_on() -> Row:
    """A label saved, the reading finished, and the next one laid out: what the server does between two readings."""
    with _opened() as (store, project):
        runs = store.projects.readings(project.id)
        store.projects.join(project.id, "Cai")
    number = iter(range(READINGS))

    def work_(store: Store, project: Project) -> None:
        here = runs[next(number)]
        store.turns.open(project.id, here, "Cai")
        store.labels.put(about(project, here, "Cai", "outcome", "wrong"), 0)
        store.turns.finish(project.id, here, "Cai")
        viewer = store.projects.viewer(project.id, "Cai")
        now = assignments(project, runs, store.projects.annotator(project.id, "Cai"), store.turns.in_project(project.id, viewer))
        following = now.next_after(here)
        assert following is not None
        turn = store.turns.open(project.id, following, "Cai")
        there = store.labels.in_project(project.id, viewer, run=following, removed=True)
        book = codebook.preset()
        assert panel_data(PanelState(project, viewer, following, READERS[0], "The lamp was lit.", 9, turn, now, there, book=book))

    return _against_reading("moving on to the next reading", work_, 2.0)
