"""The codebook of each project: every version of it. `labels/codebook.py` defines what a codebook is."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from readers.engine.canonical import canonical, encodable
from readers.engine.errors import BadOptions, Conflict
from readers.engine.labels.codebook import Codebook, from_json, to_json
from readers.engine.labels.project import Viewer, sees_codes
from readers.engine.store.database import Connection, now, placeholders
from readers.engine.store.labels.project_rows import get_project

LARGEST_CODEBOOK = 2_000_000  # characters of JSON


class CodebookVersion(NamedTuple):
    """One version of a project's codebook, from 1, as stored. `codes` and `change` are JSON data."""

    version: int
    at: str
    by: str
    change: Any
    codes: Any

    @property
    def book(self) -> Codebook:
        """Raises BadOptions for data that is not a codebook."""
        return from_json(self.version, self.codes, change=self.change)


class Codebooks:
    """The table of codebook versions."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, project_id: str, book: Codebook, viewer: Viewer) -> CodebookVersion:
        """Add the next version, which the viewer made from the previous version. Raises NotFound, Conflict, with the latest
        version, if somebody else was faster, and BadOptions if the viewer may not see the codes or the codebook is too large."""
        with self._connection.writing():
            kept = self._changeable(project_id, viewer)
            if len(kept) != book.version - 1:
                by_whom = f"{kept[-1].by!r} has" if kept else "somebody has"
                raise Conflict(
                    f"{by_whom} changed the codebook meanwhile; it is at version {len(kept)}. Make the change again on that one",
                    kept[-1] if kept else None,
                )
            return insert_codebook(self._connection, project_id, *to_json(book), by=viewer.name)

    def append(self, project_id: str, codes: Any, change: Any, *, by: str, at: str) -> None:
        """Add a version that another copy of the project has after the latest here, inside the caller's transaction."""
        insert_codebook(self._connection, project_id, codes, change, by=by, at=at)

    def _changeable(self, project_id: str, viewer: Viewer) -> list[CodebookVersion]:
        """All versions, for a viewer who may change the codebook."""
        get_project(self._connection, project_id)
        if not sees_codes(viewer):
            raise BadOptions("only the project lead and annotators in stage 3 can change the codebook")
        return self._select(project_id)

    def may_undo(self, project_id: str, viewer: Viewer) -> bool:
        """Whether the latest version is a change by the viewer that no label depends on."""
        kept = self._select(project_id, "ORDER BY version DESC LIMIT 1") if sees_codes(viewer) and viewer.name else []
        return bool(kept) and kept[0].by == viewer.name and not self._why_not_undone(project_id, kept[0])

    def undo(self, project_id: str, *, viewer: Viewer, expected: int) -> CodebookVersion:
        """Add a version that is as the codebook was before version `expected`, the latest; undoing twice is a redo. Raises like
        `add`, and BadOptions if labels depend on what that version changed, or it is the first."""
        with self._connection.writing():
            kept = self._changeable(project_id, viewer)
            if not kept or len(kept) != expected:
                raise Conflict(f"the codebook was changed meanwhile; it is at version {len(kept)}", kept[-1] if kept else None)
            if why := self._why_not_undone(project_id, kept[-1]):
                raise BadOptions(f"version {expected} of the codebook cannot be undone: {why}")
            change = {**kept[-1].change, "kind": "undone", "why": ""}
            return insert_codebook(self._connection, project_id, kept[-2].codes, change, by=viewer.name)

    def _why_not_undone(self, project_id: str, latest: CodebookVersion) -> str:
        if latest.version < 2:
            return "it is the first"
        codes = [*latest.change.get("codes", ()), *latest.change.get("into", ())]
        sql = f"""SELECT 1 FROM labels WHERE project = ? AND codebook >= ? AND json_extract(value, '$.code') IN
            ({placeholders(codes)}) LIMIT 1"""
        given = self._connection.execute(sql, (project_id, latest.version, *codes)).fetchone()
        return "labels were given under it; change the code instead" if given else ""

    def versions(self, project_id: str, viewer: Viewer) -> list[CodebookVersion]:
        """All versions, oldest first; none for a viewer who may not see the codes yet."""
        return self._select(project_id) if sees_codes(viewer) else []

    def latest(self, project_id: str, viewer: Viewer) -> CodebookVersion | None:
        """The latest version; None if there is none, or the viewer may not see the codes yet."""
        found = self._select(project_id, "ORDER BY version DESC LIMIT 1") if sees_codes(viewer) else []
        return found[0] if found else None

    def latest_number(self, project_id: str) -> int:
        """The number of the latest version, which reveals nothing about the codes; 0 if there is none."""
        return latest_number(self._connection, project_id)

    def _select(self, project_id: str, order: str = "ORDER BY version") -> list[CodebookVersion]:
        sql = f"SELECT version, at, by, change, codes FROM codebooks WHERE project = ? {order}"
        rows = self._connection.execute(sql, (project_id,))
        with self._connection.decoding():
            return [CodebookVersion(n, at, by, json.loads(change), json.loads(codes)) for n, at, by, change, codes in rows]


def latest_number(connection: Connection, project_id: str) -> int:
    sql = "SELECT coalesce(max(version), 0) FROM codebooks WHERE project = ?"
    return int(connection.execute(sql, (project_id,)).fetchone()[0])


def insert_codebook(
    connection: Connection, project_id: str, codes: Any, change: Any, *, by: str, at: str = ""
) -> CodebookVersion:
    """Add the next version inside the caller's transaction, made now or `at` a time. Raises BadOptions if there is too much
    data."""
    rows = canonical(change), canonical(codes)
    if len(rows[1]) + len(rows[0]) > LARGEST_CODEBOOK:
        raise BadOptions(f"a codebook has up to {LARGEST_CODEBOOK:,} characters; shorten its definitions or retire codes")
    version, at = latest_number(connection, project_id) + 1, at or now("microseconds")
    sql = "INSERT INTO codebooks (project, version, at, by, change, codes) VALUES (?, ?, ?, ?, ?, ?)"
    connection.execute(sql, (project_id, version, at, encodable(by), *rows))
    return CodebookVersion(version, at, encodable(by), json.loads(rows[0]), json.loads(rows[1]))
