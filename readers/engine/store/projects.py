"""Projects as the store keeps them: their readings, annotators and stages, versions of their codebook, and decisions.

A reading that belongs to a project is not deleted; the project has to be deleted first. What an annotator must not see yet is not
given out: methods that read what others said take a `Viewer`.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from readers.engine.canonical import canonical, encodable
from readers.engine.errors import BadOptions, Conflict, Kept, NotFound
from readers.engine.labels.label import CODES, Decision, Turn, annotator_name, checked_decision, tidy_name
from readers.engine.labels.project import (
    MOST_ANNOTATORS,
    MOST_READINGS,
    Annotator,
    Project,
    Settings,
    Viewer,
    leads,
    one_person,
    refused_stage,
    sees_codes,
    sees_others,
    settings_json,
    settings_of,
)
from readers.engine.store.migrations import writing

if TYPE_CHECKING:
    from sqlite_utils import Database

    from readers.engine.store import Store

LARGEST_CODEBOOK = 2_000_000  # characters of JSON


class CodebookVersion(NamedTuple):
    """One version of a project's codebook, from 1. `codes` and `change` are JSON data; what they mean, `codebook.py` knows."""

    version: int
    at: str
    by: str
    change: Any
    codes: Any


class Projects:
    """Belongs to its store's thread. Every method that writes is one transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._db = store._db

    # Projects and their readings

    def create(self, name: str, settings: Settings, *, runs: Sequence[str], codes: Any = None, by: str = "") -> Project:
        """Keep a new project of these readings, with the first version of its codebook where `codes` are given.

        Raises BadOptions for a name, settings or readings that do not hold, and NotFound for a reading that is not there.
        """
        project = Project(secrets.token_hex(5), tidy_name(name, "a project"), _now(), settings_of(settings_json(settings)))
        with writing(self._db):
            row = (project.id, project.name, project.created, canonical(settings_json(project.settings)))
            self._db.conn.execute("INSERT INTO projects (id, name, created, settings) VALUES (?, ?, ?, ?)", row)
            self._add(project.id, runs)
            if codes is not None:
                self._put_codebook(project.id, codes, change={"kind": "begun"}, by=by)
            self._own(project.id)
        return project

    def project(self, id: str) -> Project:
        """Raises NotFound."""
        return _one(self._projects("WHERE id = ?", (id,)), id)

    def projects(self) -> list[Project]:
        """Those that may be seen, newest first."""
        return self._projects("ORDER BY created DESC, id", ())

    def projects_of(self, run: str) -> list[Project]:
        """The projects that a reading belongs to."""
        return self._projects("WHERE id IN (SELECT project FROM project_runs WHERE run = ?) ORDER BY created", (run,))

    def readings(self, project: str) -> tuple[str, ...]:
        """The ids of a project's readings, in the order they were added."""
        sql = "SELECT run FROM project_runs WHERE project = ? ORDER BY number"
        return tuple(run for (run,) in self._db.conn.execute(sql, (project,)))

    def add_readings(self, project: str, runs: Sequence[str], viewer: Viewer) -> int:
        """Add readings to a project; how many were not in it. Raises BadOptions, also for who does not lead it, and NotFound."""
        with writing(self._db):
            _refuse_others(self.project(project), viewer)
            return self._add(project, runs)

    def rename(self, id: str, name: str, viewer: Viewer) -> None:
        """Raises BadOptions for what is no name and for who does not lead the project, and NotFound."""
        with writing(self._db):
            _refuse_others(self.project(id), viewer)
            self._db.conn.execute("UPDATE projects SET name = ? WHERE id = ?", (tidy_name(name, "a project"), id))

    def delete(self, id: str, viewer: Viewer) -> None:
        """Delete a project with its labels, their history, its codebook and decisions; its readings stay. Raises NotFound, and
        BadOptions for who does not lead it."""
        with writing(self._db):
            _refuse_others(self.project(id), viewer)
            self._db.conn.execute("DELETE FROM projects WHERE id = ?", (id,))
            self._store._visits.forget(id)

    def _projects(self, where: str, given: tuple[Any, ...]) -> list[Project]:
        rows = self._db.conn.execute(f"SELECT id, name, created, settings FROM projects {where}", given).fetchall()
        found = [Project(id, name, created, settings_of(json.loads(kept))) for id, name, created, kept in rows]
        return [project for project in found if self._store.may_see(project.id)]

    def kept_of(self, visitor: str) -> set[str]:
        """What of a visitor's stays when their visit ends: projects, readings that belong to one, and the texts of these."""
        sql = """SELECT item FROM visits WHERE visitor = ? AND (item IN (SELECT id FROM projects)
            OR item IN (SELECT run FROM project_runs)
            OR item IN (SELECT parent FROM runs JOIN project_runs ON run = runs.id WHERE experiment IS NOT NULL)
            OR item IN (SELECT document FROM runs JOIN project_runs ON run = runs.id))"""
        return {item for (item,) in self._db.conn.execute(sql, (visitor,))}

    def _add(self, project: str, runs: Sequence[str]) -> int:
        had = self.readings(project)
        new = [run for run in dict.fromkeys(runs) if run not in set(had)]
        if not had and not new:
            raise BadOptions("a project has one reading or more; choose some first")
        if len(had) + len(new) > MOST_READINGS:
            raise BadOptions(f"a project has up to {MOST_READINGS:,} readings; make several projects of these {len(new):,}")
        there = {run.id for run in self._store.shelf.runs(new)}
        if gone := [run for run in new if run not in there or not self._store.may_see(run)]:
            raise NotFound(f"there is no reading {gone[0][:40]!r}; it may have been deleted")
        rows = [(project, number, run) for number, run in enumerate(new, len(had) + 1)]
        self._db.conn.executemany("INSERT INTO project_runs (project, number, run) VALUES (?, ?, ?)", rows)
        return len(new)

    def _own(self, item: str) -> None:
        from readers.engine.store.workers import this_worker

        if self._store._visitor:
            self._store._visits.own(item, self._store._visitor, this_worker())

    # Annotators

    def join(self, project: str, name: str) -> Annotator:
        """Begin to label in a project, in its first stage; who is there already stays in theirs. Names that differ only in
        capital letters are one, the lead's among them. Raises BadOptions for what is no name, or one too many."""
        tidy = annotator_name(name)
        with writing(self._db):
            settings, there = self.project(project).settings, self.annotators(project)
            same = next((one for one in there if one_person(one.name, tidy)), None)
            called = settings.lead if one_person(settings.lead, tidy) else tidy
            return same or self._join(project, Annotator(called, _now(), settings.start_stage), len(there))

    def _join(self, project: str, annotator: Annotator, there: int) -> Annotator:
        if there >= MOST_ANNOTATORS:
            raise BadOptions(f"a project has up to {MOST_ANNOTATORS} annotators, and this one has them")
        sql = "INSERT INTO annotators (project, name, joined, stage) VALUES (?, ?, ?, ?)"
        self._db.conn.execute(sql, (project, *annotator))
        return annotator

    def annotators(self, project: str) -> list[Annotator]:
        """In the order they joined."""
        sql = "SELECT name, joined, stage FROM annotators WHERE project = ? ORDER BY joined, name"
        return [Annotator(*row) for row in self._db.conn.execute(sql, (project,))]

    def annotator(self, project: str, name: str) -> Annotator:
        """Raises NotFound for who has not joined, and for a project that is not there."""
        self.project(project)
        sql = "SELECT name, joined, stage FROM annotators WHERE project = ? AND name = ?"
        if row := self._db.conn.execute(sql, (project, name)).fetchone():
            return Annotator(*row)
        raise NotFound(f"{name[:80]!r} does not label in this project; join it first")

    def go_on(self, project: str, name: str, stage: int) -> Annotator:
        """Take an annotator to their next stage; asked for twice, it happens once. Raises BadOptions with the reason why not yet,
        and NotFound."""
        with writing(self._db):
            now = self.annotator(project, name)
            if now.stage == stage:
                return now
            notes = "project = ? AND annotator = ? AND kind = 'note' AND NOT removed AND json_extract(value, '$.group') = ''"
            ungrouped = self._db.conn.execute(f"SELECT count(*) FROM labels WHERE {notes}", (project, name)).fetchone()[0]
            turns = self._turns(project, annotator=name)
            why = refused_stage(self.project(project), now, stage, turns=turns, ungrouped=int(ungrouped))
            if why:
                raise BadOptions(f"stage {stage} cannot begin yet: {why}")
            sql = "UPDATE annotators SET stage = ? WHERE project = ? AND name = ?"
            self._db.conn.execute(sql, (stage, project, name))
        return now._replace(stage=stage)

    def viewer(self, project: str, name: str) -> Viewer:
        """What is known of somebody who looks at a project, whether they label in it or not, under the name they have there."""
        settings = self.project(project).settings
        joined = next((one for one in self.annotators(project) if one_person(one.name, name)), None)
        if joined is None:
            return Viewer(name, blind=settings.blind, whole=bool(name) and one_person(name, settings.lead))
        turns = self._turns(project, annotator=joined.name)
        done = frozenset(turn.run for turn in turns if turn.stage == CODES and turn.standing == "done")
        return Viewer(joined.name, joined.stage, done, settings.blind)

    def kept_from(self, name: str) -> frozenset[tuple[str, str]]:
        """The questions (document, question) whose right answers somebody must not know yet: those of every reading of a project
        in which they label, or note, and may not see the outcome. Names that differ in capital letters alone are one person's."""
        joined = self._db.conn.execute("SELECT project, name FROM annotators WHERE stage < ?", (CODES,))
        projects = {project for project, one in joined if one_person(one, name)}
        sql = "SELECT document, question FROM project_runs JOIN runs ON runs.id = run WHERE project = ?"
        return frozenset((text, question.strip()) for one in projects for text, question in self._db.conn.execute(sql, (one,)))

    def turns(self, project: str, viewer: Viewer, *, run: str | None = None, annotator: str | None = None) -> list[Turn]:
        """Who did what when in a project; of one reading or annotator, if given. Others' reasons for skipping are left out where
        others' labels are not to be seen."""
        found = self._turns(project, run=run, annotator=annotator)
        own = viewer.name if viewer.stage else None
        return [one if one.annotator == own or sees_others(viewer, one.run) else _bare(one) for one in found]

    def _turns(self, project: str, *, run: str | None = None, annotator: str | None = None) -> list[Turn]:
        given = {"project": project, "run": run, "annotator": annotator}
        terms = {name: value for name, value in given.items() if value is not None}
        where = " AND ".join(f"{name} = :{name}" for name in terms)
        columns = "project, run, annotator, stage, standing, coalesce(reason, ''), opened, coalesce(closed, ''), ms, again"
        rows = self._db.conn.execute(f"SELECT {columns} FROM turns WHERE {where}", terms)
        return [Turn._make((*values, bool(again))) for *values, again in rows]

    # The codebook

    def put_codebook(self, project: str, codes: Any, *, change: Any, viewer: Viewer, expected: int) -> CodebookVersion:
        """Keep the next version of the codebook, made from version `expected` (0: there was none) by who looks. Raises Conflict,
        with the version that stands, where somebody else was faster, and BadOptions for who does not see the codes."""
        with writing(self._db):
            self.project(project)
            if not sees_codes(viewer):
                raise BadOptions("the codebook is changed by who leads the project, and by who labels in its third stage")
            kept = self._codebooks(project)
            if len(kept) != expected:
                by_whom = f"{kept[-1].by!r} has" if kept else "somebody has"
                raise Conflict(
                    f"{by_whom} changed the codebook meanwhile; it is at version {len(kept)}. Make the change again on that one",
                    kept[-1] if kept else None,
                )
            return self._put_codebook(project, codes, change=change, by=viewer.name)

    def _put_codebook(self, project: str, codes: Any, *, change: Any, by: str) -> CodebookVersion:
        try:
            rows = canonical(change), canonical(codes)
        except TypeError as error:
            raise BadOptions(f"the codebook is no JSON data: {error}") from None
        if len(rows[1]) + len(rows[0]) > LARGEST_CODEBOOK:
            raise BadOptions(f"a codebook has up to {LARGEST_CODEBOOK:,} characters; shorten its definitions or retire codes")
        sql = "INSERT INTO codebooks (project, version, at, by, change, codes) VALUES (?, ?, ?, ?, ?, ?)"
        version, at = self.latest_codebook(project) + 1, _now()
        self._db.conn.execute(sql, (project, version, at, encodable(by), *rows))
        return CodebookVersion(version, at, encodable(by), json.loads(rows[0]), json.loads(rows[1]))

    def codebooks(self, project: str, viewer: Viewer) -> list[CodebookVersion]:
        """All versions, oldest first; none for who must not see codes yet."""
        return self._codebooks(project) if sees_codes(viewer) else []

    def codebook(self, project: str, viewer: Viewer) -> CodebookVersion | None:
        """The version that stands; None where there is none, or it must not be seen yet."""
        kept = self._codebooks(project, "ORDER BY version DESC LIMIT 1") if sees_codes(viewer) else []
        return kept[0] if kept else None

    def latest_codebook(self, project: str) -> int:
        """The number of the version that stands; 0 where there is none. It tells nothing of the codes."""
        sql = "SELECT coalesce(max(version), 0) FROM codebooks WHERE project = ?"
        return int(self._db.conn.execute(sql, (project,)).fetchone()[0])

    def _codebooks(self, project: str, order: str = "ORDER BY version") -> list[CodebookVersion]:
        sql = f"SELECT version, at, by, change, codes FROM codebooks WHERE project = ? {order}"
        rows = self._db.conn.execute(sql, (project,))
        return [CodebookVersion(n, at, by, json.loads(change), json.loads(codes)) for n, at, by, change, codes in rows]

    # Decisions on disagreements

    def decide(self, decision: Decision, expected: int) -> Decision:
        """Keep a decision over its revision `expected` (0: the first); the earlier ones stay. Raises Conflict, with the decision
        that stands, where somebody else was faster; NotFound where the decider may not see the labels of the reading yet."""
        checked = checked_decision(decision)
        target = canonical(checked.target)
        with writing(self._db):
            self._may_decide(checked)
            kept = [one for one in self._decisions(checked.project, checked.run) if canonical(one.target) == target]
            stands = kept[-1] if kept else None
            if stands and (stands.value, stands.reason, stands.by) == (checked.value, checked.reason, checked.by):
                return stands
            if len(kept) != expected:
                raise Conflict(f"{kept[-1].by if kept else 'somebody'!r} has decided this meanwhile; look at it first", stands)
            now = checked._replace(revision=len(kept) + 1, at=_now())
            row = (now.project, now.run, target, now.revision, canonical(now.value), now.reason, now.by, now.at)
            self._db.conn.execute("INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return now

    def decisions(self, project: str, viewer: Viewer, *, run: str | None = None, history: bool = False) -> list[Decision]:
        """The decisions that stand on readings whose labels the viewer may see; with `history`, the earlier ones before them."""
        seen = [one for one in self._decisions(project, run) if sees_others(viewer, one.run)]
        last = {(one.run, canonical(one.target)): one for one in seen}
        return seen if history else list(last.values())

    def _decisions(self, project: str, run: str | None) -> list[Decision]:
        sql = "SELECT project, run, target, value, reason, by, revision, at FROM decisions WHERE project = ?"
        rows = self._db.conn.execute(f"{sql}{' AND run = ?' if run else ''}", (project, run) if run else (project,))
        found = [Decision(p, r, json.loads(t), json.loads(v), *rest) for p, r, t, v, *rest in rows]
        return sorted(found, key=lambda one: (one.at, one.revision))

    def _may_decide(self, decision: Decision) -> None:
        if decision.run not in self.readings(decision.project):
            raise NotFound(f"reading {decision.run[:40]!r} does not belong to this project")
        if not sees_others(self.viewer(decision.project, decision.by), decision.run):
            raise NotFound(
                "what others said of this reading is not to be seen before your own labels are done; finish them first"
            )


def refuse_kept(db: Database, runs: Collection[str]) -> None:
    """Raises Kept where one of these readings belongs to a project, and names it."""
    sql = """SELECT run, projects.id, name FROM project_runs JOIN projects ON projects.id = project
        WHERE run = ? ORDER BY created LIMIT 1"""
    for run in runs:
        if row := db.conn.execute(sql, (run,)).fetchone():
            raise Kept(
                f"reading {row[0]!r} belongs to the project {row[2]!r}, and its labels would mean nothing without it; export and "
                "delete the project first, or keep the reading"
            )


def _refuse_others(project: Project, viewer: Viewer) -> None:
    """Raises BadOptions for who does not lead a project that has a lead."""
    if not leads(project, viewer):
        raise BadOptions(f"this is for who leads the project to do: {project.settings.lead!r}; ask them")


def _bare(turn: Turn) -> Turn:
    """A turn without what tells of somebody's labels."""
    return turn._replace(reason="", again=False)


def _one(found: list[Project], id: str) -> Project:
    if not found:
        raise _missing(id)
    return found[0]


def _missing(id: str) -> NotFound:
    return NotFound(f"there is no project {id[:40]!r}; it may have been deleted")


def _now() -> str:
    """To the microsecond: who joined first, and what was changed after a decision, is told by it."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
