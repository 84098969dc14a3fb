"""Labels as the store keeps them, each with every revision it had, and the turns in which they were made.

A change names the revision it was made from. One that comes too late is not taken over the other: it raises Conflict, and what it
said stays in the label's history as refused. The same change twice is one. A label is written in an open turn of its annotator,
in the stage they are in; grouping one's notes (stage 2) needs none. Whoever asks for labels is a `Viewer` and gets what they may
see. Ten people write at once: each write is one transaction that takes the lock first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import orjson

from readers.engine.canonical import canonical, encodable
from readers.engine.errors import BadOptions, Conflict, NotFound
from readers.engine.labels.label import CODES, GROUPS, Label, Revision, Turn, allowed, checked
from readers.engine.labels.project import (
    Annotator,
    Progress,
    Project,
    Viewer,
    holders,
    one_person,
    progress,
    quotas,
    seen,
    sees,
    upcoming,
)
from readers.engine.store.migrations import writing
from readers.engine.store.projects import Projects, _now, _refuse_others

LONGEST_REASON, MOST_LABELS, MOST_MS = 1_000, 2_000, 600_000
_COLUMNS = "id, project, run, annotator, kind, target, value, codebook, revision, at, removed"


class Annotations(Projects):
    """Belongs to its store's thread. Taking labels in from a file is `taken_labels.py`."""

    # Labels

    def put(self, label: Label, expected: int) -> Label:
        """Keep a label, or a change of it made from revision `expected` (0: it is new). Gives it with its new revision.

        Raises Conflict, with the label as it stands, where it was changed meanwhile: what was to be kept is in its history as
        refused. Raises BadOptions for what no label can hold, for codes before stage 3, and where the annotator has no open turn
        on the reading; NotFound for an unknown project, reading or annotator.
        """
        label = replace(checked(label), removed=False)
        with writing(self._db):
            self._may_write(label)
            kept = self._kept(label.id)
            if kept is not None:
                _refuse_another(label, kept)
            elif expected == 0:
                self._refuse_too_many(label)
            now, refused = self._write(label, kept, expected)
        return _or_conflict(now, refused)

    def remove(self, id: str, annotator: str, *, expected: int) -> Label:
        """Take a label away, as a revision of its own. Removing it twice is once. Raises like `put`."""
        with writing(self._db):
            kept = self._own_label(id, annotator)
            self._may_write(kept)
            now, refused = self._write(replace(kept, removed=True), kept, expected)
        return _or_conflict(now, refused)

    def undo(self, id: str, annotator: str, *, expected: int) -> Label:
        """Put back what the label was before its last change, as a revision of its own, with the codebook version it had; a label
        that was new is removed. Undoing twice changes it back. Raises like `put`."""
        return self.restore(id, annotator, expected=expected, revision=expected - 1)

    def restore(self, id: str, annotator: str, *, expected: int, revision: int) -> Label:
        """Put back any earlier revision (0: before there was the label), as a revision of its own. Raises like `put`, and
        NotFound where there is no such revision."""
        with writing(self._db):
            kept = self._own_label(id, annotator)
            self._may_write(kept)
            back = replace(kept, removed=True)
            if revision > 0:
                former = next((one for one in self._history(id) if one.revision == revision and not one.refused), None)
                if former is None:
                    raise NotFound(f"this label has no revision {revision}; it has {kept.revision}")
                back = replace(kept, value=former.value, codebook=former.codebook, removed=former.removed)
            now, refused = self._write(back, kept, expected)
        return _or_conflict(now, refused)

    def label(self, id: str, viewer: Viewer) -> Label:
        """One label, removed or not. Raises NotFound where there is none that the viewer may see."""
        kept = self._kept(id)
        if kept is None or not sees(viewer, kept):
            raise NotFound("there is no such label; it may have been deleted with its project")
        return kept

    def labels(
        self, project: str, viewer: Viewer, *, run: str | None = None, annotator: str | None = None, removed: bool = False
    ) -> list[Label]:
        """The labels of a project that the viewer may see, in order of their last change; of one reading or annotator, if given;
        the removed ones too, if asked for."""
        given = {"project": project, "run": run, "annotator": annotator}
        terms = {name: value for name, value in given.items() if value is not None}
        where = " AND ".join(f"{name} = :{name}" for name in terms) + ("" if removed else " AND NOT removed")
        rows = self._db.conn.execute(f"SELECT {_COLUMNS} FROM labels WHERE {where} ORDER BY at, id", terms)
        return seen(viewer, map(_as_label, rows))

    def history(self, id: str, viewer: Viewer) -> list[Revision]:
        """All that a label was, oldest first, with the changes that came too late. Raises NotFound as `label` does."""
        self.label(id, viewer)
        return self._history(id)

    # Turns

    def open_turn(self, project: str, run: str, annotator: str) -> Turn:
        """Begin (or go on with) an annotator's work on a reading in the stage they are in; one that is done or skipped is given
        as it is. It is marked as not blind (`Turn.again`) where they lead the project: they may have seen all of it. Raises
        BadOptions where the reading is not theirs: others have it, or they skipped it in an earlier stage."""
        with writing(self._db):
            whole, who = self.project(project), self.annotator(project, annotator)
            if run not in self.readings(project):
                raise NotFound(f"reading {run[:40]!r} does not belong to this project")
            turns = self._turns(project)
            if there := _turn(turns, run, who):
                return there
            if run not in upcoming(whole, self.readings(project), who, turns):
                raise BadOptions(f"this reading is not yours to label: {_why_not(run, who, turns)}. Go on with the next one")
            return self._begin(whole, who, run)

    def finish_turn(self, project: str, run: str, annotator: str) -> Turn:
        """The annotator's labels of a reading are in: they are closed, and others' may be seen. Twice is once. Raises NotFound
        where there is no turn, and BadOptions for one that was skipped, or, in stage 3, where nothing was said of the reading or
        a step of it."""
        return self._close(project, run, annotator, standing="done")

    def skip_turn(self, project: str, run: str, annotator: str, *, reason: str) -> Turn:
        """Pass a reading over, with the reason; it is somebody else's then. Labels that were made stay. Raises as `finish_turn`
        does, and BadOptions without a reason or for a turn that is done."""
        tidy = encodable(reason).strip()
        if not 1 <= len(tidy) <= LONGEST_REASON:
            raise BadOptions(f"a reading is skipped with a reason of 1 to {LONGEST_REASON:,} characters; write one")
        return self._close(project, run, annotator, standing="skipped", reason=tidy)

    def reopen_turn(self, project: str, run: str, annotator: str) -> Turn:
        """Go back to a turn that was done or skipped. One that was done is marked for good (`Turn.again`): others' labels may
        have been seen. Raises BadOptions where a skipped reading has gone to others meanwhile."""
        with writing(self._db):
            turn = self._turn(project, run, annotator)
            if turn.standing == "open":
                return turn
            if turn.standing == "skipped":
                others = holders(self._turns(project, run=run)).get(run, frozenset()) - {annotator}
                if len(others) >= quotas(self.project(project).settings, self.readings(project))[run]:
                    raise BadOptions("this reading has gone to others since you skipped it; go on with the next one")
            again = turn.again or turn.standing == "done"
            return self._settle(turn._replace(standing="open", reason="", closed="", again=again))

    def give_back(self, project: str, annotator: str, viewer: Viewer, *, run: str | None = None) -> int:
        """Let the readings go, or this one, that an annotator has open and has said nothing of: they are to be had again, by them
        and by others. How many. What was opened again after it was done stays, with its mark. Raises BadOptions for who is
        neither the annotator nor leads the project, and NotFound."""
        with writing(self._db):
            who = self.annotator(project, annotator)
            if viewer.name != who.name:
                _refuse_others(self.project(project), viewer)
            free = [turn for turn in self._unused(project) if turn.annotator == who.name and run in (None, turn.run)]
            sql = "DELETE FROM turns WHERE project = ? AND run = ? AND annotator = ? AND stage = ?"
            self._db.conn.executemany(sql, [turn[:4] for turn in free])
        return len(free)

    def unused(self, project: str) -> dict[str, int]:
        """How many readings each annotator has open and has said nothing of, by name; those who have none are left out. It tells
        nothing of what was said."""
        return dict(sorted(Counter(turn.annotator for turn in self._unused(project)).items()))

    def _unused(self, project: str) -> list[Turn]:
        lead = self.project(project).settings.lead
        sql = "SELECT DISTINCT run, annotator FROM labels WHERE project = ? AND NOT removed"
        said = {(run, annotator) for run, annotator in self._db.conn.execute(sql, (project,))}
        return [
            turn
            for turn in self._turns(project)
            if turn.standing == "open" and (turn.run, turn.annotator) not in said
            if not turn.again or one_person(lead, turn.annotator)  # the lead's are marked anew when they are begun anew
        ]

    def _begin(self, project: Project, who: Annotator, run: str) -> Turn:
        again = one_person(project.settings.lead, who.name)
        now = Turn(project.id, run, who.name, who.stage, "open", opened=_now(), again=again)
        sql = "INSERT INTO turns (project, run, annotator, stage, standing, opened, again) VALUES (?, ?, ?, ?, ?, ?, ?)"
        self._db.conn.execute(sql, (*now[:5], now.opened, int(again)))
        return now

    def add_time(self, project: str, run: str, annotator: str, *, ms: int) -> None:
        """Time spent on a reading, in milliseconds; at most ten minutes are added at once. Only an open turn takes it."""
        with writing(self._db):
            stage = self.annotator(project, annotator).stage
            where = "project = ? AND run = ? AND annotator = ? AND stage = ? AND standing = 'open'"
            given = (max(0, min(ms, MOST_MS)), project, run, annotator, stage)
            self._db.conn.execute(f"UPDATE turns SET ms = ms + ? WHERE {where}", given)

    def upcoming(self, project: str, annotator: str) -> tuple[str, ...]:
        """The readings an annotator has still to do in their stage, in their own order; the first is the next one."""
        who = self.annotator(project, annotator)
        return upcoming(self.project(project), self.readings(project), who, self._turns(project))

    def progress(self, project: str) -> dict[str, Progress]:
        """How far each annotator is in the stage they are in, by name."""
        whole, runs, turns = self.project(project), self.readings(project), self._turns(project)
        return {who.name: progress(whole, runs, who, turns) for who in self.annotators(project)}

    def _turn(self, project: str, run: str, annotator: str) -> Turn:
        who = self.annotator(project, annotator)
        if there := _turn(self._turns(project, run=run, annotator=annotator), run, who):
            return there
        raise NotFound(f"{annotator!r} has not opened this reading in stage {who.stage}; open it first")

    def _close(self, project: str, run: str, annotator: str, *, standing: Any, reason: str = "") -> Turn:
        with writing(self._db):
            turn = self._turn(project, run, annotator)
            if turn.standing == standing:
                return turn
            if turn.standing != "open":
                raise BadOptions(f"this reading is {turn.standing} already; open it again first")
            if standing == "done" and turn.stage == CODES:
                self._refuse_empty(turn)
            return self._settle(turn._replace(standing=standing, reason=reason, closed=_now()))

    def _refuse_empty(self, turn: Turn) -> None:
        where = "project = ? AND run = ? AND annotator = ? AND kind IN ('reading', 'step') AND NOT removed"
        given = (turn.project, turn.run, turn.annotator)
        if not self._db.conn.execute(f"SELECT 1 FROM labels WHERE {where} LIMIT 1", given).fetchone():
            raise BadOptions("there is no label on this reading yet; make one, or skip it with a reason")

    def _settle(self, turn: Turn) -> Turn:
        sql = """UPDATE turns SET standing = ?, reason = ?, closed = ?, again = ?
            WHERE project = ? AND run = ? AND annotator = ? AND stage = ?"""
        self._db.conn.execute(sql, (turn.standing, turn.reason or None, turn.closed or None, int(turn.again), *turn[:4]))
        return turn

    # How a label is written; inside the caller's transaction

    def _write(self, label: Label, kept: Label | None, expected: int) -> tuple[Label, Label | None]:
        """What stands afterwards, and None; or what stands and what was refused."""
        if kept is not None and _same(kept, label):
            return kept, None
        if (kept.revision if kept else 0) != expected:
            if kept is None:
                raise NotFound("this label is not there any more; it may have been deleted with its project")
            self._keep_refused(label, kept)
            return kept, label
        now = replace(label, revision=expected + 1, at=_now())
        self._keep(now)
        return now, None

    def _keep(self, now: Label) -> None:
        row = (now.id, now.project, now.run, now.annotator, now.kind, canonical(now.target), *_state(now))
        changes = ", ".join(f"{name} = excluded.{name}" for name in ("value", "codebook", "revision", "at", "removed"))
        sql = f"INSERT INTO labels ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET {changes}"
        self._db.conn.execute(sql, row)
        self._remember(now, 0)

    def _keep_refused(self, label: Label, kept: Label) -> None:
        there = [one for one in self._history(kept.id) if one.refused and one.revision == kept.revision]
        if not any((one.value, one.removed) == (label.value, label.removed) for one in there):
            self._remember(replace(label, revision=kept.revision, at=_now()), len(there) + 1)

    def _remember(self, now: Label, refused: int) -> None:
        sql = "INSERT INTO label_history (label, value, codebook, revision, at, removed, refused) VALUES (?, ?, ?, ?, ?, ?, ?)"
        self._db.conn.execute(sql, (now.id, *_state(now), refused))

    def _history(self, id: str) -> list[Revision]:
        sql = """SELECT revision, value, codebook, at, removed, refused FROM label_history WHERE label = ?
            ORDER BY revision, refused"""
        rows = self._db.conn.execute(sql, (id,))
        return [Revision(n, orjson.loads(value), book, at, bool(gone), bool(late)) for n, value, book, at, gone, late in rows]

    def _kept(self, id: str) -> Label | None:
        row = self._db.conn.execute(f"SELECT {_COLUMNS} FROM labels WHERE id = ?", (id,)).fetchone()
        return _as_label(row) if row else None

    def _own_label(self, id: str, annotator: str) -> Label:
        kept = self._kept(id)
        if kept is None or kept.annotator != annotator:
            raise NotFound("there is no such label of yours; it may have been deleted with its project")
        return kept

    def _may_write(self, label: Label) -> None:
        who = self.annotator(label.project, label.annotator)
        if label.codebook > self.latest_codebook(label.project):
            raise BadOptions(f"the codebook has no version {label.codebook}; load it again")
        if not allowed(label.kind, label.value, who.stage):
            raise BadOptions(f"a {label.kind} label{' with a code' if label.code else ''} cannot be made in stage {who.stage}")
        if who.stage == GROUPS and self._kept(label.id):
            return  # notes are grouped across readings
        turn = self._turn(label.project, label.run, label.annotator)
        if turn.standing != "open":
            raise BadOptions(f"your labels of this reading are {turn.standing}; open it again to change them")

    def _refuse_too_many(self, label: Label) -> None:
        sql = "SELECT count(*) FROM labels WHERE project = ? AND run = ? AND annotator = ?"
        if self._db.conn.execute(sql, (label.project, label.run, label.annotator)).fetchone()[0] >= MOST_LABELS:
            raise BadOptions(f"one annotator makes up to {MOST_LABELS:,} labels on a reading, and these are made")


def _turn(turns: Sequence[Turn], run: str, who: Annotator) -> Turn | None:
    return next((one for one in turns if (one.run, one.annotator, one.stage) == (run, who.name, who.stage)), None)


def _why_not(run: str, who: Annotator, turns: Sequence[Turn]) -> str:
    """Why a reading does not come to somebody."""
    if any(one.run == run and one.annotator == who.name and one.standing == "skipped" for one in turns):
        return "you passed it over in an earlier stage"
    return "you did not note it" if who.stage == GROUPS else "others have it already"


def _or_conflict(now: Label, refused: Label | None) -> Label:
    if refused is None:
        return now
    raise Conflict(
        f"this label was changed meanwhile and is at revision {now.revision}; your version is kept in its history. Look at both, "
        "and save again what should stand",
        now,
    )


def _refuse_another(label: Label, kept: Label) -> None:
    mine = (label.project, label.run, label.annotator, label.kind, label.target)
    if mine != (kept.project, kept.run, kept.annotator, kept.kind, kept.target):
        raise BadOptions("this label's id belongs to a label on something else; make a new label under a new id")


def _same(one: Label, other: Label) -> bool:
    return (one.kind, one.target, one.value, one.codebook, one.removed) == (
        other.kind, other.target, other.value, other.codebook, other.removed,
    )  # fmt: skip


def _state(label: Label) -> tuple[Any, ...]:
    return canonical(label.value), label.codebook, label.revision, label.at, int(label.removed)


def _as_label(row: tuple[Any, ...]) -> Label:
    id, project, run, annotator, kind, target, value, codebook, revision, at, removed = row
    target, value = orjson.loads(target), orjson.loads(value)
    return Label(id, project, run, annotator, kind, target, value, codebook, revision, at, bool(removed))
