"""Projects and their turns, read from the database as values. Not here: changing them (`projects.py`, `turns.py`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from readers.engine.errors import NotFound
from readers.engine.labels.label import Turn
from readers.engine.labels.project import Project, settings_of
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


def select_turns(connection: Connection, project: str, *, run: str | None = None, annotator: str | None = None) -> list[Turn]:
    """The turns of a project; of one run or annotator, if given."""
    given = {"project": project, "run": run, "annotator": annotator}
    terms = {name: value for name, value in given.items() if value is not None}
    where = " AND ".join(f"{name} = :{name}" for name in terms)
    rows = connection.execute(f"SELECT {_TURN} FROM turns WHERE {where}", terms)
    with connection.decoding():
        return [Turn._make((*values, bool(again))) for *values, again in rows]
