"""Projects and their turns, read from the database as values. Not here: changing them (`projects.py`, `turns.py`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from readers.engine.errors import NotFound
from readers.engine.labels.label import Label, Turn
from readers.engine.labels.project import Project, Viewer, settings_of
from readers.engine.store.database import Connection

_TURN = "project, run, annotator, stage, standing, coalesce(reason, ''), opened, coalesce(closed, ''), ms, again"


def select_projects(connection: Connection, *terms: str, values: Sequence[Any] = (), order: str = "created") -> list[Project]:
    """The projects that the visitor may see, of these terms."""
    where, seen = connection.visible("projects", *terms)
    rows = connection.execute(f"SELECT id, name, created, settings FROM projects {where} ORDER BY {order}", (*values, *seen))
    with connection.decoding():
        return [Project(found, name, created, settings_of(json.loads(kept))) for found, name, created, kept in rows]


def get_project(connection: Connection, project_id: str) -> Project:
    """Raises NotFound."""
    found = select_projects(connection, "id = ?", values=(project_id,))
    if not found:
        raise missing_project(project_id)
    return found[0]


def missing_project(project_id: str) -> NotFound:
    return NotFound(f"there is no project {project_id[:40]!r}; it may have been deleted")


def note_seen(connection: Connection, project: str, viewer: Viewer, labels: Iterable[Label]) -> None:
    """Record the readings on which the lead has seen others' labels, if not yet recorded. Raises StoreError if that cannot be
    recorded: otherwise what they label later would count as blind."""
    if not (viewer.whole and viewer.name):
        return
    name = viewer.name.casefold()
    runs = {label.run for label in labels if label.annotator.casefold() != name}
    known = connection.execute("SELECT run FROM labels_seen WHERE project = ? AND name = ?", (project, name))
    if new := runs - {run for (run,) in known}:
        with connection.writing():
            sql = "INSERT OR IGNORE INTO labels_seen (project, run, name) VALUES (?, ?, ?)"
            connection.execute_many(sql, [(project, run, name) for run in sorted(new)])


def has_seen(connection: Connection, project: str, run: str, name: str) -> bool:
    """Whether somebody has seen others' labels of a reading as the lead."""
    sql = "SELECT 1 FROM labels_seen WHERE project = ? AND run = ? AND name = ?"
    return connection.execute(sql, (project, run, name.casefold())).fetchone() is not None


def select_turns(connection: Connection, project: str, *, run: str | None = None, annotator: str | None = None) -> list[Turn]:
    """The turns of a project; only of one run or annotator, if given."""
    given = {"project": project, "run": run, "annotator": annotator}
    terms = {name: value for name, value in given.items() if value is not None}
    where = " AND ".join(f"{name} = :{name}" for name in terms)
    rows = connection.execute(f"SELECT {_TURN} FROM turns WHERE {where}", terms).fetchall()  # a reading's bench needs all of them
    with connection.decoding():
        return [Turn._make((*row[:-1], bool(row[-1]))) for row in rows]
