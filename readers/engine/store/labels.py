"""Labels with every revision they had, and decisions on disagreements.

A change names the revision it was made from. A change that comes too late does not replace the newer one: it raises Conflict, and
stays in the label's history as refused. The same change twice is one change. A label is written in an open turn of its annotator,
in their current stage; grouping one's notes (stage 2) needs no turn. Whoever asks for labels is a `Viewer` and gets what they may
see. Ten people write at once: each write is one transaction that takes the lock first.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import orjson

from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions, Conflict, NotFound
from readers.engine.labels.label import GROUPS, Decision, Label, Revision, allowed, checked, checked_decision, same_label
from readers.engine.labels.project import Viewer, sees, sees_others, visible
from readers.engine.store.codebooks import latest_number
from readers.engine.store.connection import Connection, now
from readers.engine.store.projects import Projects
from readers.engine.store.rows import select_turns
from readers.engine.store.turns import turn_of

MOST_LABELS = 2_000
_COLUMNS = "id, project, run, annotator, kind, target, value, codebook, revision, at, removed"


class Labels:
    """The tables of labels and of their revisions. Importing labels from a file is `files/import_labels.py`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._projects = Projects(connection)

    # Writing

    def put(self, label: Label, expected: int) -> Label:
        """Save a label, or a change of it made from revision `expected` (0: it is new); the label with its new revision.

        Raises Conflict, with the current label, if it was changed meanwhile; what was to be saved is in its history as refused.
        Raises BadOptions for an invalid label, for codes before stage 3, and if the annotator has no open turn on the run;
        NotFound for an unknown project, run or annotator.
        """
        label = replace(checked(label), removed=False)
        with self._connection.writing():
            self._may_write(label)
            kept = self.find(label.id)
            if kept is not None:
                _refuse_another(label, kept)
            elif expected == 0:
                self.refuse_too_many(label)
            saved, refused = self._write(label, kept, expected)
        return _or_conflict(saved, refused)

    def remove(self, label_id: str, annotator: str, *, expected: int) -> Label:
        """Remove a label, as a revision of its own. Removing it twice does it once. Raises like `put`."""
        with self._connection.writing():
            kept = self._own(label_id, annotator)
            self._may_write(kept)
            saved, refused = self._write(replace(kept, removed=True), kept, expected)
        return _or_conflict(saved, refused)

    def undo(self, label_id: str, annotator: str, *, expected: int) -> Label:
        """Restore what the label was before its last change; a label that was new is removed. Undoing twice is a redo. Raises
        like `put`."""
        return self.restore(label_id, annotator, expected=expected, revision=expected - 1)

    def restore(self, label_id: str, annotator: str, *, expected: int, revision: int) -> Label:
        """Restore any earlier revision (0: before the label existed) with the codebook version it had, as a revision of its own.
        Raises like `put`, and NotFound if there is no such revision."""
        with self._connection.writing():
            kept = self._own(label_id, annotator)
            self._may_write(kept)
            back = replace(kept, removed=True)
            if revision > 0:
                former = next((one for one in self._history(label_id) if one.revision == revision and not one.refused), None)
                if former is None:
                    raise NotFound(f"this label has no revision {revision}; it has {kept.revision}")
                back = replace(kept, value=former.value, codebook=former.codebook, removed=former.removed)
            saved, refused = self._write(back, kept, expected)
        return _or_conflict(saved, refused)

    # Reading

    def get(self, label_id: str, viewer: Viewer) -> Label:
        """One label, removed or not. Raises NotFound if there is none that the viewer may see."""
        kept = self.find(label_id)
        if kept is None or not sees(viewer, kept):
            raise NotFound("there is no such label; it may have been deleted with its project")
        return kept

    def in_project(
        self, project_id: str, viewer: Viewer, *, run: str | None = None, annotator: str | None = None, removed: bool = False
    ) -> list[Label]:
        """The labels of a project that the viewer may see, in the order of their last change; of one run or annotator, if given;
        removed ones too, if asked for."""
        given = {"project": project_id, "run": run, "annotator": annotator}
        terms = {name: value for name, value in given.items() if value is not None}
        where = " AND ".join(f"{name} = :{name}" for name in terms) + ("" if removed else " AND NOT removed")
        rows = self._connection.execute(f"SELECT {_COLUMNS} FROM labels WHERE {where} ORDER BY at, id", terms)
        return visible(viewer, map(_as_label, rows))

    def history(self, label_id: str, viewer: Viewer) -> list[Revision]:
        """All revisions of a label, oldest first, with the changes that came too late. Raises like `get`."""
        self.get(label_id, viewer)
        return self._history(label_id)

    # Inside the caller's transaction

    def find(self, label_id: str) -> Label | None:
        """A label, whoever may see it."""
        row = self._connection.execute(f"SELECT {_COLUMNS} FROM labels WHERE id = ?", (label_id,)).fetchone()
        return _as_label(row) if row else None

    def insert(self, label: Label) -> None:
        """Save a revision of a label, with its place in the history; nothing is checked."""
        row = (label.id, label.project, label.run, label.annotator, label.kind, canonical(label.target), *_state(label))
        changes = ", ".join(f"{name} = excluded.{name}" for name in ("value", "codebook", "revision", "at", "removed"))
        sql = f"INSERT INTO labels ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET {changes}"
        self._connection.execute(sql, row)
        self._remember(label, 0)

    def refuse_too_many(self, label: Label) -> None:
        """Raises BadOptions if the annotator cannot have another label on the run."""
        sql = "SELECT count(*) FROM labels WHERE project = ? AND run = ? AND annotator = ?"
        count = self._connection.execute(sql, (label.project, label.run, label.annotator)).fetchone()[0]
        if count >= MOST_LABELS:
            raise BadOptions(f"one annotator makes up to {MOST_LABELS:,} labels on a reading, and these are made")

    def _write(self, label: Label, kept: Label | None, expected: int) -> tuple[Label, Label | None]:
        """The label that holds afterwards, and the one that was refused, if it was."""
        if kept is not None and same_label(kept, label):
            return kept, None
        if (kept.revision if kept else 0) != expected:
            if kept is None:
                raise NotFound("this label is not there any more; it may have been deleted with its project")
            self._keep_refused(label, kept)
            return kept, label
        saved = replace(label, revision=expected + 1, at=now("microseconds"))
        self.insert(saved)
        return saved, None

    def _keep_refused(self, label: Label, kept: Label) -> None:
        there = [one for one in self._history(kept.id) if one.refused and one.revision == kept.revision]
        if not any((one.value, one.removed) == (label.value, label.removed) for one in there):
            self._remember(replace(label, revision=kept.revision, at=now("microseconds")), len(there) + 1)

    def _remember(self, label: Label, refused: int) -> None:
        sql = "INSERT INTO label_history (label, value, codebook, revision, at, removed, refused) VALUES (?, ?, ?, ?, ?, ?, ?)"
        self._connection.execute(sql, (label.id, *_state(label), refused))

    def _history(self, label_id: str) -> list[Revision]:
        sql = """SELECT revision, value, codebook, at, removed, refused FROM label_history WHERE label = ?
            ORDER BY revision, refused"""
        rows = self._connection.execute(sql, (label_id,))
        return [Revision(n, orjson.loads(value), book, at, bool(gone), bool(late)) for n, value, book, at, gone, late in rows]

    def _own(self, label_id: str, annotator: str) -> Label:
        kept = self.find(label_id)
        if kept is None or kept.annotator != annotator:
            raise NotFound("there is no such label of yours; it may have been deleted with its project")
        return kept

    def _may_write(self, label: Label) -> None:
        who = self._projects.annotator(label.project, label.annotator)
        if label.codebook > latest_number(self._connection, label.project):
            raise BadOptions(f"the codebook has no version {label.codebook}; load it again")
        if not allowed(label.kind, label.value, who.stage):
            raise BadOptions(f"a {label.kind} label{' with a code' if label.code else ''} cannot be made in stage {who.stage}")
        if who.stage == GROUPS and self.find(label.id):
            return  # notes are grouped across runs
        turns = select_turns(self._connection, label.project, run=label.run, annotator=label.annotator)
        turn = turn_of(turns, label.run, who)
        if turn is None:
            raise NotFound(f"{who.name!r} has not opened this reading in stage {who.stage}; open it first")
        if turn.standing != "open":
            raise BadOptions(f"your labels of this reading are {turn.standing}; open it again to change them")


def _or_conflict(saved: Label, refused: Label | None) -> Label:
    if refused is None:
        return saved
    raise Conflict(
        f"this label was changed meanwhile and is at revision {saved.revision}; your version is kept in its history. "
        "Look at both, and save again what should stand",
        saved,
    )


def _refuse_another(label: Label, kept: Label) -> None:
    mine = (label.project, label.run, label.annotator, label.kind, label.target)
    if mine != (kept.project, kept.run, kept.annotator, kept.kind, kept.target):
        raise BadOptions("this label's id belongs to a label on something else; make a new label under a new id")


def _state(label: Label) -> tuple[Any, ...]:
    return canonical(label.value), label.codebook, label.revision, label.at, int(label.removed)


def _as_label(row: tuple[Any, ...]) -> Label:
    label_id, project, run, annotator, kind, target, value, codebook, revision, at, removed = row
    target, value = orjson.loads(target), orjson.loads(value)
    return Label(label_id, project, run, annotator, kind, target, value, codebook, revision, at, bool(removed))


class Decisions:
    """The table of decisions on disagreements."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._projects = Projects(connection)

    def decide(self, decision: Decision, expected: int) -> Decision:
        """Save a decision over its revision `expected` (0: the first); the earlier ones stay. Raises Conflict, with the current
        decision, if somebody else was faster, and NotFound if the decider may not see the labels of the run yet."""
        valid = checked_decision(decision)
        target = canonical(valid.target)
        with self._connection.writing():
            self._may_decide(valid)
            kept = [one for one in self._select(valid.project, valid.run) if canonical(one.target) == target]
            current = kept[-1] if kept else None
            if current and (current.value, current.reason, current.by) == (valid.value, valid.reason, valid.by):
                return current
            if len(kept) != expected:
                raise Conflict(f"{kept[-1].by if kept else 'somebody'!r} has decided this meanwhile; look at it first", current)
            made = valid._replace(revision=len(kept) + 1, at=now("microseconds"))
            row = (made.project, made.run, target, made.revision, canonical(made.value), made.reason, made.by, made.at)
            self._connection.execute("INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return made

    def in_project(self, project_id: str, viewer: Viewer, *, run: str | None = None, history: bool = False) -> list[Decision]:
        """The current decisions on runs whose labels the viewer may see; with `history`, the superseded ones before them."""
        found = [one for one in self._select(project_id, run) if sees_others(viewer, one.run)]
        last = {(one.run, canonical(one.target)): one for one in found}
        return found if history else list(last.values())

    def _select(self, project_id: str, run: str | None) -> list[Decision]:
        sql = "SELECT project, run, target, value, reason, by, revision, at FROM decisions WHERE project = ?"
        given = (project_id, run) if run else (project_id,)
        rows = self._connection.execute(f"{sql}{' AND run = ?' if run else ''}", given)
        found = [Decision(p, r, json.loads(t), json.loads(v), *rest) for p, r, t, v, *rest in rows]
        return sorted(found, key=lambda one: (one.at, one.revision))

    def _may_decide(self, decision: Decision) -> None:
        if decision.run not in self._projects.readings(decision.project):
            raise NotFound(f"reading {decision.run[:40]!r} does not belong to this project")
        if not sees_others(self._projects.viewer(decision.project, decision.by), decision.run):
            raise NotFound(
                "what others said of this reading is not to be seen before your own labels are done; finish them first"
            )
