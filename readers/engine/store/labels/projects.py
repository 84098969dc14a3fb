"""Projects: their runs, their annotators and the stage of each annotator, and what a person may see.

A run that belongs to a project cannot be deleted before the project. Methods that return others' labels take a `Viewer`, and
leave out everything that the viewer may not see yet.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions, NotFound
from readers.engine.labels.codebook import Codebook, to_json
from readers.engine.labels.label import CODES, MODEL_NAME, annotator_name, is_model, tidy_name
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
    settings_json,
    settings_of,
    viewer_of,
)
from readers.engine.store.database import Connection, now
from readers.engine.store.labels.codebooks import insert_codebook
from readers.engine.store.labels.project_rows import get_project, select_projects, select_turns
from readers.engine.store.run import runs_by_id


class Projects:
    """The tables of projects, of the runs in them, and of their annotators. Every method that writes is one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    # Projects and their runs

    def create(
        self, name: str, settings: Settings, *, runs: Sequence[str], book: Codebook | None = None, by: str = ""
    ) -> Project:
        """Add a project of these runs, with the first version of its codebook if there is one.

        Raises BadOptions for an invalid name, settings or number of runs, and NotFound for a run that does not exist.
        """
        valid = settings_of(settings_json(settings))
        project = Project(secrets.token_hex(5), tidy_name(name, "a project"), now("microseconds"), valid)
        with self._connection.writing():
            self.add(project, runs=runs)
            if book is not None:
                insert_codebook(self._connection, project.id, *to_json(book), by=by)
        return project

    def add(self, project: Project, *, runs: Sequence[str]) -> Project:
        """Add a project under its id, inside the caller's transaction. Raises like `create`."""
        row = (project.id, project.name, project.created, canonical(settings_json(project.settings)))
        self._connection.execute("INSERT INTO projects (id, name, created, settings) VALUES (?, ?, ?, ?)", row)
        self.add_missing(project.id, runs)
        self._connection.own(project.id)
        return project

    def get(self, project_id: str) -> Project:
        """Raises NotFound."""
        return get_project(self._connection, project_id)

    def listed(self) -> list[Project]:
        """The projects that the visitor may see, newest first."""
        return select_projects(self._connection, order="created DESC, id")

    def of_run(self, run_id: str) -> list[Project]:
        """The projects that a run belongs to."""
        return select_projects(self._connection, "id IN (SELECT project FROM project_runs WHERE run = ?)", values=(run_id,))

    def readings(self, project_id: str) -> tuple[str, ...]:
        """The ids of a project's runs, in the order in which they were added."""
        sql = "SELECT run FROM project_runs WHERE project = ? ORDER BY number"
        return tuple(run for (run,) in self._connection.execute(sql, (project_id,)))

    def add_readings(self, project_id: str, runs: Sequence[str], viewer: Viewer) -> int:
        """Add runs to a project; returns how many are new. Raises NotFound, and BadOptions, also for anybody but the lead."""
        with self._connection.writing():
            refuse_others(self.get(project_id), viewer)
            return self.add_missing(project_id, runs)

    def add_missing(self, project_id: str, runs: Sequence[str]) -> int:
        """`add_readings` by anybody, inside the caller's transaction."""
        had = self.readings(project_id)
        new = [run for run in dict.fromkeys(runs) if run not in set(had)]
        if not had and not new:
            raise BadOptions("a project needs at least one reading; choose some first")
        if len(had) + len(new) > MOST_READINGS:
            raise BadOptions(f"a project has up to {MOST_READINGS:,} readings; make several projects of these {len(new):,}")
        there = {run.id for run in runs_by_id(self._connection, new)}
        if gone := [run for run in new if run not in there or not self._connection.may_see(run)]:
            raise NotFound(f"there is no reading {gone[0][:40]!r}; it may have been deleted")
        rows = [(project_id, number, run) for number, run in enumerate(new, len(had) + 1)]
        self._connection.execute_many("INSERT INTO project_runs (project, number, run) VALUES (?, ?, ?)", rows)
        return len(new)

    def rename(self, project_id: str, name: str, viewer: Viewer) -> None:
        """Raises NotFound, and BadOptions for an invalid name and for anybody but the lead."""
        with self._connection.writing():
            refuse_others(self.get(project_id), viewer)
            sql = "UPDATE projects SET name = ? WHERE id = ?"
            self._connection.execute(sql, (tidy_name(name, "a project"), project_id))

    def delete(self, project_id: str, viewer: Viewer) -> None:
        """Delete a project with its labels, their history, its codebook and decisions; its runs stay. Raises NotFound, and
        BadOptions for anybody but the lead."""
        with self._connection.writing():
            refuse_others(self.get(project_id), viewer)
            self._connection.execute("DELETE FROM projects WHERE id = ?", (project_id,))
            self._connection.disown_all(project_id)

    # Annotators

    def join(self, project_id: str, name: str) -> Annotator:
        """Begin to label in a project, in its first stage; an annotator who has joined already keeps their stage. Names that
        differ only in case are one person, the lead included. Raises BadOptions if the name is invalid or the limit is
        exceeded."""
        tidy = annotator_name(name)
        if is_model(tidy):
            raise BadOptions(f"a name that begins with {MODEL_NAME.strip()!r} is a model's; choose another")
        with self._connection.writing():
            settings, there = self.get(project_id).settings, self.annotators(project_id)
            same = next((one for one in there if one_person(one.name, tidy)), None)
            called = settings.lead if one_person(settings.lead, tidy) else tidy
            return same or self.add_annotator(
                project_id, Annotator(called, now("microseconds"), settings.start_stage), there=len(there)
            )

    def add_annotator(self, project_id: str, annotator: Annotator, *, there: int) -> Annotator:
        """Add an annotator to those that are `there`, inside the caller's transaction. Raises BadOptions if the limit is
        exceeded."""
        if there >= MOST_ANNOTATORS:
            raise BadOptions(f"a project has up to {MOST_ANNOTATORS} annotators, and this one is full")
        sql = "INSERT INTO annotators (project, name, joined, stage) VALUES (?, ?, ?, ?)"
        self._connection.execute(sql, (project_id, *annotator))
        return annotator

    def annotators(self, project_id: str) -> list[Annotator]:
        """In the order in which they joined."""
        sql = "SELECT name, joined, stage FROM annotators WHERE project = ? ORDER BY joined, name"
        return [Annotator(*row) for row in self._connection.execute(sql, (project_id,))]

    def annotator(self, project_id: str, name: str) -> Annotator:
        """Raises NotFound for a name that has not joined, and for an unknown project."""
        self.get(project_id)
        sql = "SELECT name, joined, stage FROM annotators WHERE project = ? AND name = ?"
        if row := self._connection.execute(sql, (project_id, name)).fetchone():
            return Annotator(*row)
        raise NotFound(f"{name[:80]!r} does not label in this project; join it first")

    def advance(self, project_id: str, name: str, stage: int) -> Annotator:
        """Move an annotator on to their next stage; asking twice does it once. Raises NotFound, and BadOptions with the reason
        why it cannot begin yet."""
        with self._connection.writing():
            annotator = self.annotator(project_id, name)
            if annotator.stage == stage:
                return annotator
            notes = "project = ? AND annotator = ? AND kind = 'note' AND NOT removed AND json_extract(value, '$.group') = ''"
            sql = f"SELECT count(*) FROM labels WHERE {notes}"
            ungrouped = int(self._connection.execute(sql, (project_id, name)).fetchone()[0])
            turns = select_turns(self._connection, project_id, annotator=name)
            why = refused_stage(annotator, stage, turns=turns, ungrouped=ungrouped)
            if why:
                raise BadOptions(f"stage {stage} cannot begin yet: {why}")
            self.set_stage(project_id, name, stage)
        return annotator._replace(stage=stage)

    def set_stage(self, project_id: str, name: str, stage: int) -> None:
        """Put an annotator into a stage, inside the caller's transaction; nothing is checked."""
        sql = "UPDATE annotators SET stage = ? WHERE project = ? AND name = ?"
        self._connection.execute(sql, (stage, project_id, name))

    def viewer(self, project_id: str, name: str) -> Viewer:
        """What a person may see of a project, whether they label in it or not, under the name they have there."""
        project = self.get(project_id)
        joined = next((one for one in self.annotators(project_id) if one_person(one.name, name)), None)
        turns = select_turns(self._connection, project_id, annotator=joined.name) if joined else []
        return viewer_of(project, name, joined, turns=turns)

    def hidden_questions(self, name: str) -> frozenset[tuple[str, str]]:
        """The questions (document, question) a person must not see the known answers to yet: those of every project in which they
        label and have not reached the codes. In a demo, somebody else of that name may label in another visitor's project."""
        where, seen = self._connection.visible("projects", "stage < ?")
        sql = f"SELECT project, annotators.name FROM annotators JOIN projects ON projects.id = project {where}"
        joined = self._connection.execute(sql, (CODES, *seen))
        projects = {project for project, one in joined if one_person(one, name)}
        sql = "SELECT document, question FROM project_runs JOIN runs ON runs.id = run WHERE project = ?"
        rows = (row for project in projects for row in self._connection.execute(sql, (project,)))
        return frozenset((document, question.strip()) for document, question in rows)


def refuse_others(project: Project, viewer: Viewer) -> None:
    """Raises BadOptions for anybody but the lead of a project that has one."""
    if not leads(project, viewer):
        raise BadOptions(f"only the project lead, {project.settings.lead!r}, can do this; ask them")
