"""The board as data for the browser, and what the browser sends back. Pure.

Nothing here is markup: the board puts every string on the page as text. Whose notes are in it was decided before, by the store.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from components.annotate.codebook.wording import code_named
from components.annotate.wording import label_place
from components.html.words import wording
from readers.engine.canonical import encodable
from readers.engine.labels.board import Board, BoardGroup, Move
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.label import Label
from readers.engine.store.labels.boards import MOST_MOVED, MovedNotes
from readers.engine.text.shorten import shorten, shorten_at_word

LONGEST_WORDS = 700  # characters of a note on the board
LONGEST_QUESTION = 48  # characters of a reading's question below a note
MOST_ACTS = 200


class Act(NamedTuple):
    """What somebody did on the board: `move` notes into the group `to`, `rename` the group `name` to `to`, make it a
    `code`, or `undo`. Numbers grow."""

    number: int
    do: str
    moves: tuple[Move, ...] = ()
    name: str = ""
    to: str = ""


def board_data(
    shown: Board, readings: Sequence[str], *, questions: Mapping[str, str], book: Codebook | None = None
) -> dict[str, Any]:
    """The notes, whose they are, and the groups, with their codes if the viewer may see these. Places are told by the question of
    the reading and its number in the project, the same for every viewer."""
    names = {
        run: f"{number:,}. {shorten_at_word(questions.get(run, ''), LONGEST_QUESTION)}" for number, run in enumerate(readings, 1)
    }
    every = [*shown.loose, *(note for group in shown.groups for note in group.notes)]
    return {
        "notes": [_note(note, names.get(note.run, "")) for note in every],
        "people": sorted({note.annotator for note in every}),
        "groups": [
            {
                "name": group.name,
                "notes": [note.id for note in group.notes],
                "code": _code(book, group),
            }
            for group in shown.groups
        ],
        "codes": book is not None,
    }


def _code(book: Codebook | None, group: BoardGroup) -> str:
    found = code_named(book, group.name) if book else None
    return found.id if found else ""


def _note(note: Label, reading: str) -> dict[str, Any]:
    place = f"{reading} · {label_place(note)}"
    words = shorten(str(note.value.get("words", "")), LONGEST_WORDS)
    return {"id": note.id, "words": words, "by": note.annotator, "place": place, "run": note.run, "step": note.step or 0}


def acts(message: object, after: int) -> list[Act]:
    """The acts of a message with a number above `after`, in their order; what has no valid shape is left out."""
    given = message.get("acts") if isinstance(message, Mapping) else None
    found = [act for one in (given if isinstance(given, list) else [])[:MOST_ACTS] if (act := _act(one)) and act.number > after]
    return sorted(found, key=lambda act: act.number)


def _act(given: object) -> Act | None:
    if not isinstance(given, Mapping):
        return None
    number, do = given.get("n"), given.get("do")
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        return None
    if do == "undo":
        return Act(number, "undo")
    if do == "code" and isinstance(given.get("from"), str):
        return Act(number, "code", (), encodable(given["from"]))
    to = given.get("to")
    if not isinstance(to, str):
        return None
    if do == "rename" and isinstance(given.get("from"), str):
        return Act(number, "rename", (), encodable(given["from"]), encodable(to))
    notes = given.get("notes")
    if do != "move" or not isinstance(notes, list) or len(notes) > MOST_MOVED or not all(_is_pair(pair) for pair in notes):
        return None
    return Act(number, "move", tuple(Move(encodable(note), encodable(before), encodable(to)) for note, before in notes))


def _is_pair(given: object) -> bool:
    return isinstance(given, list) and len(given) == 2 and all(isinstance(one, str) for one in given)


def late_sentence(moved: MovedNotes) -> str:
    """That somebody else was faster; empty if not."""
    if not moved.late:
        return ""
    were = "was" if moved.late == 1 else "were"
    return f"{wording.count(moved.late, 'note')} {were} moved by somebody else meanwhile and stayed there."


def growth_sentence(groups: Sequence[Collection[str]], curve: Sequence[int], *, last: int, thing: str = "group") -> str:
    """How many groups (or codes) there are, and what the last readings added."""
    if not curve:
        return "No reading with these notes has been finished yet."
    recent = min(last, len(curve))
    before = curve[-recent - 1] if recent < len(curve) else 0
    in_all = f"{wording.count(curve[-1], thing)} over {wording.count(len(groups))}"
    return f"{in_all}; the last {recent:,} added {curve[-1] - before:,}."
