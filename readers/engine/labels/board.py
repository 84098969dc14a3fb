"""The board of a project: everybody's open notes in groups that the team makes together. Pure.

A note is where the team put it or, before that, in its author's own group, if it has one. Groups are known by their names, and
names that differ only in capitals are one group. Not here: whose notes a viewer may see (`project.py`), and how a group becomes a
code (`codebook.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from readers.engine.errors import BadOptions
from readers.engine.labels.label import NOTES, Label, Turn, tidy_name
from readers.engine.text.shorten import shorten

EXAMPLES, LONGEST_EXAMPLE = 5, 300  # notes that become examples of a code, and characters of each


class BoardGroup(NamedTuple):
    """Notes that belong together, and the name that the team gave them."""

    name: str
    notes: tuple[Label, ...]

    @property
    def readings(self) -> int:
        return len({note.run for note in self.notes})


@dataclass(frozen=True)
class Board:
    """The groups, in an order that moving notes does not change, and the notes without a group."""

    groups: tuple[BoardGroup, ...] = ()
    loose: tuple[Label, ...] = ()

    @property
    def notes(self) -> int:
        return len(self.loose) + sum(len(group.notes) for group in self.groups)

    def find(self, name: str) -> BoardGroup | None:
        """The group of this name, however it is capitalized."""
        return next((group for group in self.groups if group.name.casefold() == name.casefold()), None)


class Move(NamedTuple):
    """A note to be moved from one group to another, as the mover saw it; an empty name means no group."""

    note: str
    before: str
    after: str


def own_group(note: Label) -> str:
    """The group that the author of a note gave it; empty if none."""
    return str(note.value.get("group", ""))


def group_name(name: str) -> str:
    """A group's name with its blanks tidied; empty means no group. Raises BadOptions."""
    return tidy_name(name, "a group") if name.strip() else ""


def board(notes: Sequence[Label], placed: Mapping[str, str], named: Sequence[str]) -> Board:
    """The board of these notes, in their order. `placed` are the groups of notes that were moved, by id, and `named` the names
    that were given on the board, in the order in which that happened; annotators' own groups come before them."""
    order = {name.casefold(): place for place, name in enumerate(named, 1)}
    spelled = {name.casefold(): name for name in named}
    groups: dict[str, list[Label]] = {}
    loose = []
    for note in notes:
        name = placed.get(note.id, own_group(note))
        if not name:
            loose.append(note)
            continue
        spelled.setdefault(name.casefold(), name)
        groups.setdefault(name.casefold(), []).append(note)
    keys = sorted(groups, key=lambda key: (order.get(key, 0), key))
    return Board(tuple(BoardGroup(spelled[key], tuple(groups[key])) for key in keys), tuple(loose))


def examples(group: BoardGroup, most: int) -> str:
    """Some notes of a group in quotation marks, a line each, as the examples of a code: `EXAMPLES` at most, of different readings
    first, in `most` characters."""
    first = {note.run: note for note in reversed(group.notes)}
    order = sorted(group.notes, key=lambda note: first[note.run] is not note)  # stable: each reading's first note comes first
    found = ""
    for note in order[:EXAMPLES]:
        line = f"“{shorten(' '.join(str(note.value.get('words', '')).split()), LONGEST_EXAMPLE)}”"
        if len(found) + len(line) < most:
            found = f"{found}\n{line}" if found else line
    return found


def groups_by_reading(shown: Board, turns: Iterable[Turn]) -> list[tuple[str, ...]]:
    """The groups that the notes of each reading fall into, for the saturation curve: readings in the order in which they were
    first finished. A reading finished in the stage of notes counts even without a note; in other stages nobody was asked for
    notes, so a reading counts only if the annotator who finished it has a note on the board."""
    every = (*shown.loose, *(note for group in shown.groups for note in group.notes))
    noted = {(note.run, note.annotator) for note in every}
    closed: dict[str, str] = {}
    for turn in turns:
        if turn.standing == "done" and (turn.stage == NOTES or (turn.run, turn.annotator) in noted):
            closed[turn.run] = min(closed.get(turn.run, turn.closed), turn.closed)
    found: dict[str, dict[str, None]] = {run: {} for run in sorted(closed, key=lambda run: (closed[run], run))}
    for group in shown.groups:
        for note in group.notes:
            if note.run in found:
                found[note.run][group.name] = None
    return [tuple(names) for names in found.values()]


def checked_moves(moves: Sequence[Move], most: int) -> list[Move]:
    """The moves with tidied names. Raises BadOptions if there are too many, or a name is invalid."""
    if len(moves) > most:
        raise BadOptions(f"up to {most:,} notes can be moved at once, and these are {len(moves):,}; select fewer")
    names: dict[str, str] = {name: group_name(name) for name in {move.after for move in moves}}
    return [move._replace(after=names[move.after]) for move in moves]
