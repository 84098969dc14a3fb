"""An annotator's notes and their groups: order, counts and sentences. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from components.html.words import wording
from readers.engine.labels.label import Label


class NoteGroup(NamedTuple):
    """An annotator's notes that share a group name; the empty name holds the ungrouped ones."""

    name: str
    notes: tuple[Label, ...]

    @property
    def readings(self) -> int:
        return len({note.run for note in self.notes})


def notes_of(labels: Iterable[Label], annotator: str) -> list[Label]:
    """The annotator's notes in reading order: reading by reading, notes on the whole reading before notes on its steps."""
    own = [label for label in labels if label.kind == "note" and label.annotator == annotator and not label.removed]
    return sorted(own, key=lambda note: (note.run, note.step or 0, note.id))


def group_of(note: Label) -> str:
    """The name of the note's group; empty if it has none."""
    return str(note.value.get("group", ""))


def groups(notes: Iterable[Label]) -> list[NoteGroup]:
    """The groups in use, the largest first, without the ungrouped notes."""
    by_name: dict[str, list[Label]] = {}
    for note in notes:
        if name := group_of(note):
            by_name.setdefault(name, []).append(note)
    found = (NoteGroup(name, tuple(members)) for name, members in by_name.items())
    return sorted(found, key=lambda group: (-len(group.notes), group.name))


def in_stable_order(before: Iterable[str], found: Sequence[NoteGroup]) -> list[NoteGroup]:
    """The groups in the order in which their names were first used (`before`), so that a digit key keeps its group, also when the
    page was left or loaded again."""
    by_name = {group.name: group for group in found}
    return [by_name[name] for name in dict.fromkeys([*before, *by_name]) if name in by_name]


def ungrouped(notes: Iterable[Label]) -> int:
    """How many notes have no group."""
    return sum(not group_of(note) for note in notes)


def tidy_group(name: str, used: Sequence[str]) -> str:
    """The name as it is stored. A name that differs from a used one only in capitals becomes the used one."""
    tidy = " ".join(name.split())
    return next((known for known in used if known.casefold() == tidy.casefold()), tidy)


def next_ungrouped(notes: Sequence[Label], current: str, just_grouped: Collection[str]) -> str:
    """The id of the next ungrouped note, searched from `current` and round; `just_grouped` do not count."""
    ids = [note.id for note in notes]
    start = ids.index(current) if current in ids else 0
    for note in [*notes[start:], *notes[:start]]:
        if not group_of(note) and note.id not in just_grouped:
            return note.id
    return current if current in ids else (ids[0] if ids else "")


def before_codebook(why_not: str | None) -> str:
    """Why the annotator cannot go on to the codebook yet, or that nothing is missing."""
    return wording.sentence(why_not) if why_not else "Every note has a group."
