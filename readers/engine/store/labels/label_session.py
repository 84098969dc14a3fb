"""One annotator's work on one run, read once and written in one transaction.

The session reads its data once: the project with the annotator, the turns, the labels of the run. Its writes also change the data
it has read. Which changes are valid is decided here and in `labels/`, once for the label panel, for corrections below the player
and for note groups.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import orjson

from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions, Conflict, NotFound
from readers.engine.labels.check_label import checked
from readers.engine.labels.label import (
    GROUPS,
    Label,
    Revision,
    Turn,
    allowed,
    correction_id,
    correction_of,
    correction_words,
    label_seed,
    same_label,
)
from readers.engine.labels.project import Annotator, Project, Viewer, settings_of, viewer_of, visible
from readers.engine.store.database import Connection, now, placeholders
from readers.engine.store.labels.project_rows import missing_project, select_turns
from readers.engine.store.labels.turns import Turns, add_time, turn_of

MOST_LABELS = 2_000
LABEL = "id, project, run, annotator, kind, target, value, codebook, revision, at, removed"
_ABOUT = """SELECT projects.id, projects.name, created, settings, annotators.name, joined, stage,
    (SELECT coalesce(max(version), 0) FROM codebooks WHERE project = projects.id)
    FROM projects LEFT JOIN annotators ON annotators.project = projects.id AND annotators.name = ?"""


class LabelSession:
    """`Labels.session` opens a session for writing, in a transaction, and `Labels.load` one for reading. `ids` are labels to be
    changed that may lie on another run. Raises NotFound for an unknown project or annotator."""

    def __init__(self, connection: Connection, project_id: str, *, run: str, annotator: str, ids: Collection[str] = ()) -> None:
        self.run = run
        self._connection = connection
        self._ids = tuple(ids)
        term, seen = connection.visible("projects", "projects.id = ?")
        row = connection.execute(f"{_ABOUT} {term}", (annotator, project_id, *seen)).fetchone()
        if row is None:
            raise missing_project(project_id)
        found, called, created, settings, joined_as, joined, stage, self.codebook = row
        if joined_as is None:
            raise NotFound(f"{annotator[:80]!r} does not label in this project; join it first")
        with connection.decoding():
            self.project = Project(found, called, created, settings_of(json.loads(settings)))
        self.annotator = Annotator(joined_as, joined, stage)

    # What is known

    @cached_property
    def turns(self) -> list[Turn]:
        """The turns of the whole project: who may have the run depends on the others."""
        return select_turns(self._connection, self.project.id)

    @property
    def turn(self) -> Turn | None:
        """The annotator's turn on the run in their current stage."""
        return turn_of(self.turns, self.run, self.annotator)

    @cached_property
    def viewer(self) -> Viewer:
        """What the annotator may see."""
        return viewer_of(self.project, self.annotator.name, self.annotator, turns=self.turns)

    @cached_property
    def _labels(self) -> dict[str, Label]:
        where = "project = ? AND run = ?"
        if self._ids:  # without any, OR would read the whole table
            where = f"({where}) OR id IN ({placeholders(self._ids)})"
        given = (self.project.id, self.run, *self._ids)
        rows = self._connection.execute(f"SELECT {LABEL} FROM labels WHERE {where}", given)
        with self._connection.decoding():
            return {row[0]: as_label(row) for row in rows}

    @property
    def labels(self) -> list[Label]:
        """All labels of the run that the annotator may see, removed ones included, in the order of their last change."""
        found = (one for one in self._labels.values() if (one.project, one.run) == (self.project.id, self.run))
        return visible(self.viewer, sorted(found, key=lambda one: (one.at, one.id)))

    @property
    def own(self) -> list[Label]:
        """The annotator's own labels of the run, removed ones included."""
        return [one for one in self.labels if one.annotator == self.annotator.name]

    # The turn

    def ensure_turn(self) -> None:
        """Begin the annotator's turn, if it was released meanwhile. Raises BadOptions if somebody else has the run now."""
        if self.turn is None:
            self.turns.append(Turns(self._connection).open_within(self.project, self.annotator, self.run, turns=self.turns))

    def add_time(self, ms: int) -> None:
        """Add milliseconds spent on the run. Only an open turn takes them."""
        if self.turn is not None and self.turn.standing == "open":
            add_time(self._connection, self.turn[:4], ms)

    # Changing labels

    def put(self, label: Label, expected: int) -> Label:
        """Save a label, or a change of it made from revision `expected`. Raises like `Labels.put`."""
        label = replace(checked(label), removed=False)
        self._may_write(label)
        current = self.find(label.id)
        if current is not None:
            _refuse_another(label, current)
        elif expected == 0:
            self._refuse_too_many()
        return self._write(label, current, expected)

    def remove(self, label_id: str, expected: int) -> Label:
        """Remove a label, as a new revision. Raises like `Labels.remove`."""
        current = self._own(label_id)
        self._may_write(current)
        return self._write(replace(current, removed=True), current, expected)

    def restore(self, label_id: str, expected: int, *, revision: int) -> Label:
        """Restore an earlier revision of a label. Raises like `Labels.restore`."""
        current = self._own(label_id)
        self._may_write(current)
        back = replace(current, removed=True)
        if revision > 0:
            former = self._revision(current, revision)
            if former is None:
                raise NotFound(f"this label has no revision {revision}; it has {current.revision}")
            back = replace(current, value=former.value, codebook=former.codebook, removed=former.removed)
        return self._write(back, current, expected)

    # Corrections

    def put_words(self, typed: Label, expected: int) -> Label:
        """Save the words of a correction and keep its edit. A change of the edit since revision `expected` is not a conflict.
        Raises like `put`."""
        current = self.find(typed.id)
        if current is not None and not current.removed and self._words_at(current, expected) == correction_words(current):
            expected = current.revision
        edit = None if current is None or current.removed else current.value.get("edit")
        return self.put(replace(typed, value={**typed.value, "edit": edit}), expected)

    def put_edit(self, step: int, edit: Mapping[str, Any] | None, *, seen: object) -> tuple[Label, int]:
        """Save an edit as the correction of a step (from 1) and keep its words, or take the edit away; a correction without both
        is removed. `seen` is the edit that was shown to the annotator. The label, and the revision it had before.

        Raises Conflict if another edit has been saved meanwhile, and like `put`."""
        there = correction_of(self.own, step)
        if (there.value.get("edit") if there else None) != seen:
            raise Conflict(
                "your correction of this step was changed elsewhere meanwhile; look at it below, and choose again", there
            )
        where = (self.project.id, self.run, self.annotator.name)
        fixed_id = correction_id(label_seed(*where), step)
        new = Label(fixed_id, *where, "correction", {"step": step})
        before = there or next((one for one in self.own if one.id == fixed_id), new)
        words = correction_words(before)
        if edit is None and not words.strip():
            return self.remove(before.id, before.revision), before.revision
        value = {"edit": edit and dict(edit), "words": words}
        made = replace(before, target={"step": step}, value=value, codebook=self.codebook, removed=False)
        return self.put(made, before.revision), before.revision

    def _words_at(self, correction: Label, revision: int) -> str | None:
        """The words of a correction at a revision (0: before it existed); None if there is no such revision."""
        if revision in (0, correction.revision):
            return correction_words(correction) if revision else ""
        former = self._revision(correction, revision)
        return None if former is None else correction_words(former)

    # How a label is written

    def find(self, label_id: str) -> Label | None:
        """A label of the run, or one of `ids`, even if the viewer may not see it."""
        return self._labels.get(label_id)

    def _own(self, label_id: str) -> Label:
        current = self.find(label_id)
        if current is None or current.annotator != self.annotator.name:
            raise NotFound("you have no such label; it may have been deleted with its project")
        return current

    def _may_write(self, label: Label) -> None:
        stage = self.annotator.stage
        if label.codebook > self.codebook:
            raise BadOptions(f"the codebook has no version {label.codebook}; load it again")
        if not allowed(label.kind, label.value, stage):
            raise BadOptions(f"a {label.kind} label{' with a code' if label.code else ''} cannot be made in stage {stage}")
        if stage == GROUPS and self.find(label.id):
            return  # notes are grouped across runs
        if self.turn is None:
            raise NotFound(f"{self.annotator.name!r} has not opened this reading in stage {stage}; open it first")
        if self.turn.standing != "open":
            raise BadOptions(f"your labels of this reading are {self.turn.standing}; open it again to change them")

    def _refuse_too_many(self) -> None:
        mine = (self.project.id, self.run, self.annotator.name)
        refuse_too_many(sum((one.project, one.run, one.annotator) == mine for one in self._labels.values()))

    def _write(self, label: Label, current: Label | None, expected: int) -> Label:
        if current is not None and same_label(current, label):
            return current
        if (current.revision if current else 0) != expected:
            if current is None:
                raise NotFound("this label is not there any more; it may have been deleted with its project")
            self._keep_refused(label, current)
            raise Conflict(
                f"this label was changed meanwhile and is at revision {current.revision}; your version is kept in its history. "
                "Compare the two, and save again what you want to keep",
                current,
            )
        saved = replace(label, revision=expected + 1, at=now("microseconds"))
        insert_label(self._connection, saved)
        self._labels[saved.id] = saved
        return saved

    def _keep_refused(self, label: Label, current: Label) -> None:
        late = [one for one in select_history(self._connection, current.id) if one.refused and one.revision == current.revision]
        if not any((one.value, one.removed) == (label.value, label.removed) for one in late):
            refused = replace(label, revision=current.revision, at=now("microseconds"))
            _insert_revision(self._connection, refused, len(late) + 1)

    def _revision(self, label: Label, revision: int) -> Revision | None:
        found = select_history(self._connection, label.id)
        return next((one for one in found if one.revision == revision and not one.refused), None)


def refuse_too_many(count: int) -> None:
    """Raises BadOptions if an annotator with this many labels on a run cannot have another."""
    if count >= MOST_LABELS:
        raise BadOptions(f"an annotator can make up to {MOST_LABELS:,} labels on a reading, and you have made them all")


def insert_label(connection: Connection, label: Label) -> None:
    """Save a revision of a label and add it to the history, inside the caller's transaction; nothing is checked."""
    row = (label.id, label.project, label.run, label.annotator, label.kind, canonical(label.target), *_state(label))
    changes = ", ".join(f"{name} = excluded.{name}" for name in ("value", "codebook", "revision", "at", "removed"))
    connection.execute(f"INSERT INTO labels ({LABEL}) VALUES ({placeholders(row)}) ON CONFLICT (id) DO UPDATE SET {changes}", row)
    _insert_revision(connection, label, 0)


def _insert_revision(connection: Connection, label: Label, refused: int) -> None:
    sql = "INSERT INTO label_history (label, value, codebook, revision, at, removed, refused) VALUES (?, ?, ?, ?, ?, ?, ?)"
    connection.execute(sql, (label.id, *_state(label), refused))


def select_history(connection: Connection, label_id: str) -> list[Revision]:
    """All revisions of a label, oldest first, including changes that came too late."""
    sql = "SELECT revision, value, codebook, at, removed, refused FROM label_history WHERE label = ? ORDER BY revision, refused"
    rows = connection.execute(sql, (label_id,))
    with connection.decoding():
        return [Revision(n, orjson.loads(value), book, at, bool(gone), bool(late)) for n, value, book, at, gone, late in rows]


def as_label(row: tuple[Any, ...]) -> Label:
    label_id, project, run, annotator, kind, target, value, codebook, revision, at, removed = row
    target, value = orjson.loads(target), orjson.loads(value)
    return Label(label_id, project, run, annotator, kind, target, value, codebook, revision, at, bool(removed))


def _refuse_another(label: Label, current: Label) -> None:
    mine = (label.project, label.run, label.annotator, label.kind, label.target)
    if mine != (current.project, current.run, current.annotator, current.kind, current.target):
        raise BadOptions("this label's id belongs to a label on something else; make a new label under a new id")


def _state(label: Label) -> tuple[Any, ...]:
    return canonical(label.value), label.codebook, label.revision, label.at, int(label.removed)
