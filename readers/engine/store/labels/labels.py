"""Labels with every revision they had, and decisions on disagreements.

A change names the revision it was made from. A change that comes too late does not replace the newer one: it raises Conflict and
is kept in the label's history as refused. The same change twice is one change. A label is written in an open turn of its
annotator, in their current stage; grouping one's notes (stage 2) needs no turn. Labels are requested as a `Viewer`, who gets only
what they may see. Many people may write at once: each write is one transaction that takes the lock first.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from readers.engine.canonical import canonical
from readers.engine.errors import Conflict, NotFound
from readers.engine.labels.check_label import checked, checked_decision
from readers.engine.labels.label import Decision, Label, Revision
from readers.engine.labels.project import Viewer, sees, sees_others, visible
from readers.engine.store.database import Connection, now
from readers.engine.store.labels.label_session import LABEL, LabelSession, as_label, insert_label, refuse_too_many, select_history
from readers.engine.store.labels.project_rows import note_seen
from readers.engine.store.labels.projects import Projects


class Labels:
    """The tables of labels and of their revisions. Importing labels from a file is `files/labels/import_labels.py`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    # Writing

    @contextmanager
    def session(self, project_id: str, run: str, annotator: str, *, ids: Collection[str] = ()) -> Iterator[LabelSession]:
        """An annotator's work on a run, in one transaction: read once, changed as often as needed, committed at the end.

        A Conflict also commits, because it leaves a refused revision in the history; any other error rolls everything back. `ids`
        are labels to be changed that may lie on another run. Raises NotFound.
        """
        late: Conflict | None = None
        with self._connection.writing():
            session = LabelSession(self._connection, project_id, run=run, annotator=annotator, ids=ids)
            try:
                yield session
            except Conflict as conflict:
                late = conflict
        if late is not None:
            raise late

    def put(self, label: Label, expected: int) -> Label:
        """Save a label, or a change of it made from revision `expected` (0: it is new); the label with its new revision.

        Raises Conflict, with the current label, if it was changed meanwhile; the new value is in its history as refused. Raises
        BadOptions for an invalid label, for codes before stage 3, and if the annotator has no open turn on the run; NotFound for
        an unknown project, run or annotator.
        """
        valid = checked(label)
        with self.session(valid.project, valid.run, valid.annotator, ids=[valid.id]) as session:
            return session.put(valid, expected)

    def remove(self, label_id: str, annotator: str, *, expected: int) -> Label:
        """Remove a label, as a new revision. Removing it twice does it once. Raises like `put`."""
        with self._session_of(label_id, annotator) as session:
            return session.remove(label_id, expected)

    def undo(self, label_id: str, annotator: str, *, expected: int) -> Label:
        """Restore what the label was before its last change; a label that was new is removed. Undoing twice is a redo. Raises
        like `put`."""
        return self.restore(label_id, annotator, expected=expected, revision=expected - 1)

    def restore(self, label_id: str, annotator: str, *, expected: int, revision: int) -> Label:
        """Restore any earlier revision (0: before the label existed) with the codebook version it had, as a new revision. Raises
        like `put`, and NotFound if there is no such revision."""
        with self._session_of(label_id, annotator) as session:
            return session.restore(label_id, expected, revision=revision)

    @contextmanager
    def _session_of(self, label_id: str, annotator: str) -> Iterator[LabelSession]:
        there = self.find(label_id)
        if there is None or there.annotator != annotator:
            raise NotFound("you have no such label; it may have been deleted with its project")
        with self.session(there.project, there.run, annotator) as session:
            yield session

    # Reading

    def load(self, project_id: str, run: str, annotator: str) -> LabelSession:
        """An annotator's work on a run, read-only. Raises NotFound."""
        return LabelSession(self._connection, project_id, run=run, annotator=annotator)

    def get(self, label_id: str, viewer: Viewer) -> Label:
        """One label, removed or not. Raises NotFound if there is none that the viewer may see."""
        found = self.find(label_id)
        if found is None or not sees(viewer, found):
            raise NotFound("there is no such label; it may have been deleted with its project")
        return found

    def in_project(
        self, project_id: str, viewer: Viewer, *, run: str | None = None, annotator: str | None = None, removed: bool = False
    ) -> list[Label]:
        """The labels of a project that the viewer may see, in the order of their last change; only of one run or annotator, if
        given; with removed labels, if asked for. What the lead sees is recorded: their own labels there are no longer blind."""
        given = {"project": project_id, "run": run, "annotator": annotator}
        terms = {name: value for name, value in given.items() if value is not None}
        where = " AND ".join(f"{name} = :{name}" for name in terms) + ("" if removed else " AND NOT removed")
        rows = self._connection.execute(f"SELECT {LABEL} FROM labels WHERE {where} ORDER BY at, id", terms)
        found = visible(viewer, map(as_label, rows))
        note_seen(self._connection, project_id, viewer, found)
        return found

    def history(self, label_id: str, viewer: Viewer) -> list[Revision]:
        """All revisions of a label, oldest first, including changes that came too late. Raises like `get`."""
        self.get(label_id, viewer)
        return select_history(self._connection, label_id)

    def group_names(self, project_id: str, annotator: str) -> list[str]:
        """The names an annotator gave to groups of their own notes, in the order in which they were first used."""
        group = "json_extract(label_history.value, '$.group')"
        sql = f"""SELECT {group} FROM label_history JOIN labels ON labels.id = label
            WHERE project = ? AND annotator = ? AND kind = 'note' AND refused = 0 AND {group} > ''
            GROUP BY 1 ORDER BY min(label_history.at), 1"""
        return [str(name) for (name,) in self._connection.execute(sql, (project_id, annotator))]

    def find(self, label_id: str) -> Label | None:
        """A label, even if the viewer may not see it."""
        row = self._connection.execute(f"SELECT {LABEL} FROM labels WHERE id = ?", (label_id,)).fetchone()
        with self._connection.decoding():
            return as_label(row) if row else None

    # Inside the caller's transaction, for labels from a file

    def insert(self, label: Label) -> None:
        """Save a revision of a label; nothing is checked."""
        insert_label(self._connection, label)

    def refuse_too_many(self, label: Label) -> None:
        """Raises BadOptions if the annotator cannot have another label on the run."""
        sql = "SELECT count(*) FROM labels WHERE project = ? AND run = ? AND annotator = ?"
        refuse_too_many(self._connection.execute(sql, (label.project, label.run, label.annotator)).fetchone()[0])


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
                raise Conflict(
                    f"{kept[-1].by if kept else 'somebody'!r} has decided this in the meantime; look at it first", current
                )
            return self.insert(valid._replace(revision=len(kept) + 1, at=now("microseconds")))

    def insert(self, made: Decision) -> Decision:
        """Save a decision with its revision and time, inside the caller's transaction; nothing is checked."""
        target, value = canonical(made.target), canonical(made.value)
        row = (made.project, made.run, target, made.revision, value, made.reason, made.by, made.at)
        self._connection.execute("INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return made

    def in_project(self, project_id: str, viewer: Viewer, *, run: str | None = None, history: bool = False) -> list[Decision]:
        """The current decisions on runs with labels the viewer may see; with `history`, the superseded ones before them."""
        found = [one for one in self._select(project_id, run) if sees_others(viewer, one.run)]
        last = {(one.run, canonical(one.target)): one for one in found}
        return found if history else list(last.values())

    def _select(self, project_id: str, run: str | None) -> list[Decision]:
        sql = "SELECT project, run, target, value, reason, by, revision, at FROM decisions WHERE project = ?"
        given = (project_id, run) if run else (project_id,)
        rows = self._connection.execute(f"{sql}{' AND run = ?' if run else ''}", given)
        with self._connection.decoding():
            found = [Decision(p, r, json.loads(t), json.loads(v), *rest) for p, r, t, v, *rest in rows]
        return sorted(found, key=lambda one: (one.at, one.revision))

    def _may_decide(self, decision: Decision) -> None:
        if decision.run not in self._projects.readings(decision.project):
            raise NotFound(f"reading {decision.run[:40]!r} does not belong to this project")
        if not sees_others(self._projects.viewer(decision.project, decision.by), decision.run):
            raise NotFound("you cannot see others' labels of this reading before you have finished your own; finish them first")
