"""Turns: who works on which run, in which stage, and since when.

A turn is opened, then finished or skipped, and may be reopened. Who may open a turn is decided in `labels/project.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from readers.engine.canonical import encodable
from readers.engine.errors import BadOptions, NotFound
from readers.engine.labels.label import CODES, GROUPS, Standing, Turn
from readers.engine.labels.project import (
    Annotator,
    Progress,
    Project,
    Viewer,
    holders,
    progress,
    quotas,
    sees_others,
    upcoming,
)
from readers.engine.store.database import Connection, now
from readers.engine.store.labels.project_rows import has_seen, select_turns
from readers.engine.store.labels.projects import Projects, refuse_others

LONGEST_REASON, MOST_MS = 1_000, 600_000


class Turns:
    """The table of turns. Every method that writes is one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._projects = Projects(connection)

    # Reading them

    def in_project(self, project_id: str, viewer: Viewer, *, run: str | None = None, annotator: str | None = None) -> list[Turn]:
        """Who did what in a project, and when; only of one run or annotator, if given. If the viewer may not see the labels of a
        turn, it has no reason for skipping."""
        found = select_turns(self._connection, project_id, run=run, annotator=annotator)
        own = viewer.name if viewer.stage else None
        return [one if one.annotator == own or sees_others(viewer, one.run) else _bare(one) for one in found]

    def upcoming(self, project_id: str, annotator: str) -> tuple[str, ...]:
        """The runs that an annotator has still to do in their stage, in their own order; the first is the next one."""
        who = self._projects.annotator(project_id, annotator)
        project, runs = self._projects.get(project_id), self._projects.readings(project_id)
        return upcoming(project, runs, who, select_turns(self._connection, project_id))

    def progress(self, project_id: str) -> dict[str, Progress]:
        """How far each annotator has come in their current stage, by name."""
        project, runs = self._projects.get(project_id), self._projects.readings(project_id)
        turns = select_turns(self._connection, project_id)
        return {who.name: progress(project, runs, who, turns) for who in self._projects.annotators(project_id)}

    # Opening and closing

    def open(self, project_id: str, run: str, annotator: str) -> Turn:
        """Begin or continue an annotator's work on a run in their current stage; a turn that is done or skipped is returned
        unchanged. Turns of the lead's are marked as not blind (`Turn.again`) where they saw others' labels before. Raises
        BadOptions if the run is not theirs: others have it, or they skipped it in an earlier stage."""
        with self._connection.writing():
            project, who = self._projects.get(project_id), self._projects.annotator(project_id, annotator)
            return self.open_within(project, who, run, turns=select_turns(self._connection, project_id))

    def open_within(self, project: Project, who: Annotator, run: str, *, turns: Sequence[Turn]) -> Turn:
        """Like `open`, inside the caller's transaction; `turns` are those of the whole project."""
        runs = self._projects.readings(project.id)
        if run not in runs:
            raise NotFound(f"reading {run[:40]!r} does not belong to this project")
        if there := turn_of(turns, run, who):
            return there
        if run not in upcoming(project, runs, who, turns):
            raise BadOptions(f"you cannot label this reading: {_why_not(run, who, turns)}. Continue with the next one")
        return self.begin(project, who, run)

    def begin(self, project: Project, who: Annotator, run: str) -> Turn:
        """Add an open turn inside the caller's transaction; nothing is checked."""
        again = has_seen(self._connection, project.id, run, who.name)
        turn = Turn(project.id, run, who.name, who.stage, "open", opened=now("microseconds"), again=again)
        self.add(turn)
        return turn

    def add(self, turn: Turn) -> None:
        """Add a turn inside the caller's transaction, marked if its annotator has seen others' labels of the run as lead."""
        again = turn.again or has_seen(self._connection, turn.project, turn.run, turn.annotator)
        sql = """INSERT INTO turns (project, run, annotator, stage, standing, reason, opened, closed, ms, again)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
        row = (*turn[:5], turn.reason or None, turn.opened or now("microseconds"), turn.closed or None, turn.ms, int(again))
        self._connection.execute(sql, row)

    def close_as(self, project_id: str, turns: Iterable[Turn]) -> None:
        """Close the open ones of these turns that another copy of the project has closed, inside the caller's transaction."""
        sql = """UPDATE turns SET standing = ?, reason = ?, closed = ?, ms = max(ms, ?), again = max(again, ?)
            WHERE project = ? AND run = ? AND annotator = ? AND stage = ? AND standing = 'open'"""
        rows = [
            (one.standing, one.reason or None, one.closed or None, one.ms, int(one.again), project_id, *one[1:4])
            for one in turns
            if one.standing != "open"
        ]
        self._connection.execute_many(sql, rows)

    def finish(self, project_id: str, run: str, annotator: str) -> Turn:
        """Close an annotator's labels of a run; now they may see others'. Finishing twice does it once. Raises NotFound if there
        is no turn, and BadOptions for one that was skipped, or, in stage 3, without any label on the run or a step of it."""
        return self._close(project_id, run, annotator, standing="done")

    def skip(self, project_id: str, run: str, annotator: str, *, reason: str) -> Turn:
        """Pass a run over, with a reason; somebody else can have it. Its labels stay. Raises like `finish`, and BadOptions
        without a reason or for a turn that is done."""
        tidy = encodable(reason).strip()
        if not 1 <= len(tidy) <= LONGEST_REASON:
            raise BadOptions(f"skipping a reading needs a reason of 1 to {LONGEST_REASON:,} characters; write one")
        return self._close(project_id, run, annotator, standing="skipped", reason=tidy)

    def _close(self, project_id: str, run: str, annotator: str, *, standing: Standing, reason: str = "") -> Turn:
        with self._connection.writing():
            turn = self._get(project_id, run, annotator)
            if turn.standing == standing:
                return turn
            if turn.standing != "open":
                raise BadOptions(f"this reading is {turn.standing} already; open it again first")
            if standing == "done" and turn.stage == CODES:
                self._refuse_empty(turn)
            return self._save(turn._replace(standing=standing, reason=reason, closed=now("microseconds")))

    def reopen(self, project_id: str, run: str, annotator: str) -> Turn:
        """Reopen a turn that was done or skipped. One that was done is marked for good (`Turn.again`), because the annotator may
        have seen others' labels. Raises BadOptions if a skipped run has gone to others meanwhile."""
        with self._connection.writing():
            turn = self._get(project_id, run, annotator)
            if turn.standing == "open":
                return turn
            if turn.standing == "skipped":
                turns = select_turns(self._connection, project_id, run=run)
                others = holders(turns).get(run, frozenset()) - {annotator}
                settings, runs = self._projects.get(project_id).settings, self._projects.readings(project_id)
                if len(others) >= quotas(settings, runs)[run]:
                    raise BadOptions("others have taken this reading since you skipped it; continue with the next one")
            again = turn.again or turn.standing == "done"
            return self._save(turn._replace(standing="open", reason="", closed="", again=again))

    # Releasing

    def release(self, project_id: str, annotator: str, viewer: Viewer, *, run: str | None = None) -> int:
        """Drop the annotator's open turns without any label, or the one on this run, so that they and others can have the runs;
        returns how many. A turn that was reopened after it was done stays, with its mark. Raises NotFound, and BadOptions for
        anybody but the annotator and the lead."""
        with self._connection.writing():
            who = self._projects.annotator(project_id, annotator)
            if viewer.name != who.name:
                refuse_others(self._projects.get(project_id), viewer)
            free = [turn for turn in self._unused(project_id) if turn.annotator == who.name and run in (None, turn.run)]
            sql = "DELETE FROM turns WHERE project = ? AND run = ? AND annotator = ? AND stage = ?"
            self._connection.execute_many(sql, [turn[:4] for turn in free])
        return len(free)

    def unused(self, project_id: str) -> dict[str, int]:
        """How many open turns without any label each annotator has, by name; those without any are left out. It reveals nothing
        of the labels."""
        return dict(sorted(Counter(turn.annotator for turn in self._unused(project_id)).items()))

    def _unused(self, project_id: str) -> list[Turn]:
        self._projects.get(project_id)
        sql = "SELECT DISTINCT run, annotator FROM labels WHERE project = ? AND NOT removed"
        labelled = {(run, annotator) for run, annotator in self._connection.execute(sql, (project_id,))}
        return [
            turn
            for turn in select_turns(self._connection, project_id)
            if turn.standing == "open" and (turn.run, turn.annotator) not in labelled
            if not turn.again or has_seen(self._connection, project_id, turn.run, turn.annotator)  # a new turn is marked again
        ]

    # Time

    def add_time(self, project_id: str, run: str, annotator: str, *, ms: int) -> None:
        """Add milliseconds spent on a run, at most ten minutes at once. Only an open turn takes them."""
        with self._connection.writing():
            stage = self._projects.annotator(project_id, annotator).stage
            add_time(self._connection, (project_id, run, annotator, stage), ms)

    # One turn

    def _get(self, project_id: str, run: str, annotator: str) -> Turn:
        who = self._projects.annotator(project_id, annotator)
        if there := turn_of(select_turns(self._connection, project_id, run=run, annotator=annotator), run, who):
            return there
        raise NotFound(f"{annotator!r} has not opened this reading in stage {who.stage}; open it first")

    def _refuse_empty(self, turn: Turn) -> None:
        where = "project = ? AND run = ? AND annotator = ? AND kind IN ('reading', 'step') AND NOT removed"
        given = (turn.project, turn.run, turn.annotator)
        if not self._connection.execute(f"SELECT 1 FROM labels WHERE {where} LIMIT 1", given).fetchone():
            raise BadOptions("there is no label on this reading yet; make one, or skip it with a reason")

    def _save(self, turn: Turn) -> Turn:
        sql = """UPDATE turns SET standing = ?, reason = ?, closed = ?, again = ?
            WHERE project = ? AND run = ? AND annotator = ? AND stage = ?"""
        self._connection.execute(sql, (turn.standing, turn.reason or None, turn.closed or None, int(turn.again), *turn[:4]))
        return turn


def add_time(connection: Connection, turn: tuple[str, str, str, int], ms: int) -> None:
    """Add time to a turn, named by its project, run, annotator and stage, inside the caller's transaction."""
    where = "project = ? AND run = ? AND annotator = ? AND stage = ? AND standing = 'open'"
    connection.execute(f"UPDATE turns SET ms = ms + ? WHERE {where}", (max(0, min(ms, MOST_MS)), *turn))


def turn_of(turns: Sequence[Turn], run: str, who: Annotator) -> Turn | None:
    """An annotator's turn on a run in their current stage."""
    return next((one for one in turns if (one.run, one.annotator, one.stage) == (run, who.name, who.stage)), None)


def _why_not(run: str, who: Annotator, turns: Sequence[Turn]) -> str:
    """Why an annotator cannot have a run."""
    if any(one.run == run and one.annotator == who.name and one.standing == "skipped" for one in turns):
        return "you skipped it in an earlier stage"
    return "you took no notes on it" if who.stage == GROUPS else "others have it already"


def _bare(turn: Turn) -> Turn:
    """The turn without what reveals something of its labels."""
    return turn._replace(reason="", again=False) if turn.reason or turn.again else turn
