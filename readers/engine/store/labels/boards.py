"""The board of each project: the group of each note, and the changes that can be undone.

The board is requested as a `Viewer`, who gets only the notes that they may see; moving other notes is refused like moving notes
that do not exist. A move names the group that the note was seen in: a note that somebody else has moved since is not moved and
counts as late. Every change is one transaction.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions, NotFound
from readers.engine.labels.board import Board, Move, board, checked_moves, group_name, own_group
from readers.engine.labels.label import GROUPS, Label
from readers.engine.labels.project import Viewer, noted_by_all, sees_note
from readers.engine.store.database import Connection, now
from readers.engine.store.labels.label_session import LABEL, as_label
from readers.engine.store.labels.project_rows import note_seen, select_turns
from readers.engine.store.labels.projects import Projects

MOST_MOVED, KEPT_CHANGES = 5_000, 200  # notes in one change, and changes of a project that can be undone


class MovedNotes(NamedTuple):
    """How many notes a change moved, and how many it left because somebody else had moved them."""

    notes: int
    late: int = 0


class Boards:
    """The tables of boards. Raises NotFound for an unknown project everywhere."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._projects = Projects(connection)

    # Reading

    def load(self, project_id: str, viewer: Viewer) -> Board:
        """The part of the board that the viewer may see, its notes in the order of the project's readings."""
        notes = self._notes(project_id, viewer)
        note_seen(self._connection, project_id, viewer, notes)
        return board(notes, self._placed(project_id), self._named(project_id))

    def may_undo(self, project_id: str, viewer: Viewer) -> bool:
        """Whether there is a change by the viewer that can be undone."""
        return self._last_change(project_id, viewer) is not None

    def arrangement(self, project_id: str) -> dict[str, Any]:
        """The names of the groups in order, and the group of each note that was moved, for a file of the whole project."""
        return {"groups": self._named(project_id), "notes": self._placed(project_id)}

    def arrange(self, project_id: str, groups: Sequence[str], notes: Mapping[str, str]) -> None:
        """Add groups that are not on the board yet, and move notes that nobody moved here to their place in another copy of the
        project, inside the caller's transaction. Raises BadOptions for an invalid name."""
        there = self._named(project_id)
        new = [name for name in dict.fromkeys(map(group_name, groups)) if name not in there]
        rows = [(project_id, number, name) for number, name in enumerate(new, len(there) + 1)]
        self._connection.execute_many("INSERT INTO board_groups (project, number, name) VALUES (?, ?, ?)", rows)
        sql = "INSERT OR IGNORE INTO board_notes SELECT ?, id, ? FROM labels WHERE id = ? AND project = ?"
        moved = [(project_id, group_name(name), note, project_id) for note, name in notes.items()]
        self._connection.execute_many(sql, moved)

    # Changing; only for whom `may_change` is true

    def move(self, project_id: str, moves: Sequence[Move], viewer: Viewer) -> MovedNotes:
        """Move notes to other groups. Raises BadOptions for an invalid name or too many notes, and NotFound for a note that the
        viewer may not see."""
        valid = checked_moves(moves, MOST_MOVED)
        with self._connection.writing():
            self._refuse_others(viewer)
            shown = self._notes(project_id, viewer)
            notes = {note.id: note for note in shown}
            if unknown := [move.note for move in valid if move.note not in notes]:
                raise NotFound(f"there is no note {unknown[0][:40]!r} on the board; it may have been removed")
            placed, late, made = self._placed(project_id), 0, {}
            there = board(shown, placed, self._named(project_id))
            for one in valid:
                here = placed.get(one.note, own_group(notes[one.note]))
                if _same(here, one.after):
                    continue
                if _same(here, one.before):
                    known = there.find(one.after)  # of two spellings, the first stays
                    made[one.note] = known.name if known else one.after
                else:
                    late += 1
            return MovedNotes(self._save(project_id, made, placed=placed, by=viewer.name), late)

    def rename(self, project_id: str, before: str, after: str, viewer: Viewer) -> MovedNotes:
        """Give a group another name; if there is a group of that name, the two become one. Notes of the group that the viewer may
        not see yet go with it. Raises BadOptions for an invalid name."""
        name = group_name(after)
        if not name or not before:
            raise BadOptions("a group has a name; type one")
        with self._connection.writing():
            self._refuse_others(viewer)
            placed = self._placed(project_id)
            every = self._all_notes(project_id)
            inside = [note.id for note in every if _same(placed.get(note.id, own_group(note)), before)]
            if before == name or not inside:
                return MovedNotes(0)
            named = self._named(project_id)
            known = board(every, placed, named).find(name)
            if known is None or _same(before, name):
                self._name_instead(project_id, before, name)
            else:
                name = known.name
            return MovedNotes(self._save(project_id, dict.fromkeys(inside, name), placed=placed, by=viewer.name))

    def undo(self, project_id: str, viewer: Viewer) -> MovedNotes:
        """Undo the viewer's last change. A note that somebody has moved since stays where it is."""
        with self._connection.writing():
            self._refuse_others(viewer)
            number, moved = self._last_change(project_id, viewer) or (0, {})
            placed = self._placed(project_id)
            back = {note: before for note, (before, after) in moved.items() if placed.get(note) == after}
            self._place(project_id, back)
            self._connection.execute("DELETE FROM board_changes WHERE project = ? AND number = ?", (project_id, number))
            return MovedNotes(len(back), len(moved) - len(back))

    # Inside

    def _refuse_others(self, viewer: Viewer) -> None:
        if not may_change(viewer):
            raise BadOptions(
                "only the project lead and annotators whose notes are in can change the board; finish your notes first"
            )

    def _all_notes(self, project_id: str) -> list[Label]:
        self._projects.get(project_id)
        runs = {run: place for place, run in enumerate(self._projects.readings(project_id))}
        sql = f"SELECT {LABEL} FROM labels WHERE project = ? AND kind = 'note' AND NOT removed"
        with self._connection.decoding():
            notes = [as_label(row) for row in self._connection.execute(sql, (project_id,))]
        return sorted(notes, key=lambda note: (runs.get(note.run, 0), note.step or 0, note.annotator, note.id))

    def _notes(self, project_id: str, viewer: Viewer) -> list[Label]:
        every = self._all_notes(project_id)
        project, runs = self._projects.get(project_id), self._projects.readings(project_id)
        shown = noted_by_all(project, runs, viewer, select_turns(self._connection, project_id))
        return [note for note in every if sees_note(viewer, note, shown)]

    def _placed(self, project_id: str) -> dict[str, str]:
        return dict(self._connection.execute("SELECT note, name FROM board_notes WHERE project = ?", (project_id,)))

    def _named(self, project_id: str) -> list[str]:
        sql = "SELECT name FROM board_groups WHERE project = ? ORDER BY number"
        return [name for (name,) in self._connection.execute(sql, (project_id,))]

    def _name_instead(self, project_id: str, before: str, name: str) -> None:
        """Give a new name the place of another in the order of the groups. The old one stays behind it, for undo."""
        named = [one for one in self._named(project_id) if not _same(one, name)]
        place = next((n for n, one in enumerate(named) if _same(one, before)), 0)
        rows = [(project_id, number, one) for number, one in enumerate([*named[:place], name, *named[place:]], 1)]
        self._connection.execute("DELETE FROM board_groups WHERE project = ?", (project_id,))
        self._connection.execute_many("INSERT INTO board_groups (project, number, name) VALUES (?, ?, ?)", rows)

    def _last_change(self, project_id: str, viewer: Viewer) -> tuple[int, dict[str, list[Any]]] | None:
        sql = "SELECT number, moved FROM board_changes WHERE project = ? AND by = ? ORDER BY number DESC LIMIT 1"
        row = self._connection.execute(sql, (project_id, viewer.name)).fetchone()
        with self._connection.decoding():
            return (row[0], json.loads(row[1])) if row else None

    def _save(self, project_id: str, made: Mapping[str, str], *, placed: Mapping[str, str], by: str) -> int:
        """Move notes, name new groups, and remember what can be undone."""
        moved = {note: [placed.get(note), name] for note, name in made.items() if placed.get(note) != name}
        if not moved:
            return 0
        self._place(project_id, {note: after for note, (_, after) in moved.items()})
        for name in dict.fromkeys(name for name in made.values() if name):
            sql = (
                "INSERT OR IGNORE INTO board_groups SELECT ?, 1 + coalesce(max(number), 0), ? FROM board_groups WHERE project = ?"
            )
            self._connection.execute(sql, (project_id, name, project_id))
        last = "SELECT coalesce(max(number), 0) FROM board_changes WHERE project = ?"
        number = 1 + int(self._connection.execute(last, (project_id,)).fetchone()[0])
        row = (project_id, number, by, now("microseconds"), canonical(moved))
        self._connection.execute("INSERT INTO board_changes VALUES (?, ?, ?, ?, ?)", row)
        self._connection.execute(
            "DELETE FROM board_changes WHERE project = ? AND number <= ?", (project_id, number - KEPT_CHANGES)
        )
        return len(moved)

    def _place(self, project_id: str, names: Mapping[str, str | None]) -> None:
        """Put notes into groups; a note with None goes back to its author's own group."""
        back = [(project_id, note) for note, name in names.items() if name is None]
        put = [(project_id, note, name) for note, name in names.items() if name is not None]
        self._connection.execute_many("DELETE FROM board_notes WHERE project = ? AND note = ?", back)
        self._connection.execute_many("INSERT OR REPLACE INTO board_notes VALUES (?, ?, ?)", put)


def may_change(viewer: Viewer) -> bool:
    """Whether the viewer may change the board: the lead, and annotators who have handed in their notes. A change carries a
    name."""
    return bool(viewer.name) and (viewer.whole or viewer.stage >= GROUPS)


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()
