"""The board: all open notes of a project, which the team groups together, by keys or by dragging.

Every action is saved at once, and each member undoes their own changes. Its messages are read like any upload, and each act is
done once however often it arrives. The store decides whose notes a person sees; an annotator sees none before their own notes are
in (`labels/project.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components.annotate import bench, figures
from components.annotate.codebook_changes import add_group, as_codebook, code_named
from components.annotate.contract import BoardAct, BoardData
from components.html import markup, plot
from components.html.words import wording
from components.html.words.label_words import label_place
from components.session import access, flash, state
from components.session.drawing import current_theme, fragment
from components.session.islands import Island, each_checked, sent
from readers.engine.errors import NotFound, ReadingError
from readers.engine.labels.board import Board, BoardGroup, Move, groups_by_reading
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.label import Label
from readers.engine.labels.project import Project, Viewer, sees_codes
from readers.engine.labels.saturation import curve, saturation
from readers.engine.store import Store
from readers.engine.store.labels.boards import MovedNotes, may_change
from readers.engine.text.shorten import shorten, shorten_at_word

_board = Island[BoardData]("board", "board", "annotate/board/board.js", "board", says=("acts",))
NOT_YET = (
    "The board shows everybody’s notes. You see it after you have taken your own notes: take them at the bench, then continue "
    "to stage 2 there. This way others’ words do not influence yours."
)
NOT_IN_IT = (
    "The board shows everybody’s notes. Its owner sees it, and annotators who have taken their own notes. Join at the bench "
    "first."
)
NO_NOTES = "No notes yet. What annotators note about the readings at the bench (key n there) is grouped here by all of them."
LONGEST_WORDS = 700  # characters of a note on the board
LONGEST_QUESTION = 48  # characters of a reading's question below a note
MOST_ACTS = 200


def show(store: Store, project: Project, viewer: Viewer) -> None:
    flash.show()
    if not viewer.whole and not may_change(viewer):
        bench.nothing_yet(project, NOT_YET if viewer.stage else NOT_IN_IT)
        return
    if not store.boards.load(project.id, viewer).notes:
        st.html(markup.empty(NO_NOTES))
        return
    _draw(project, viewer.name)


@fragment()
def _draw(project: Project, name: str) -> None:
    """Do what the board has sent, and send it the current state."""
    key = state.key("board", project.id, name)
    memory: dict[str, Any] = state.remembered(state.key("board", "done", project.id, name), dict)
    with access.opened() as store:
        viewer = store.projects.viewer(project.id, name)  # its present state: the stage may have changed in another tab
        acts = read_acts(sent(key).get("acts"), memory.get("n", 0))
        if acts:
            memory["message"] = do_acts(store, project.id, viewer, acts)
            memory["n"] = acts[-1].n
        shown = store.boards.load(project.id, viewer)
        noted = {note.run for note in (*shown.loose, *(note for group in shown.groups for note in group.notes))}
        questions = {run.id: run.question for run in store.run_list.runs(noted)}
        book = as_codebook(store.codebooks.latest(project.id, viewer)) if sees_codes(viewer) else None
        data = board_data(
            shown,
            store.projects.readings(project.id),
            questions=questions,
            book=book,
            project=project.id,
            undo=store.boards.may_undo(project.id, viewer),
            n=memory.get("n", 0),
            message=memory.get("message", ""),
        )
        _board.draw(data, key=key)
        _saturation(store, project, viewer, shown)


def _saturation(store: Store, project: Project, viewer: Viewer, shown: Board) -> None:
    """Whether readings still bring new groups: a sentence, and the curve when it is opened."""
    turns = store.turns.in_project(project.id, viewer)
    readings = groups_by_reading(shown, turns)
    found = curve(readings)
    box = st.expander(
        f"Saturation: {saturation(readings).sentence('group')}",
        key=state.key("board", "curve", project.id), on_change="rerun",
    )  # fmt: skip
    if box.open and found:
        with box:
            drawn = figures.saturation(found, "groups", current_theme())
            st.plotly_chart(drawn, key=state.key("board", "figure", project.id), theme=None, config=plot.CONFIG)


def do_acts(store: Store, project_id: str, viewer: Viewer, acts: Sequence[BoardAct]) -> str:
    """Do the acts in order. One that is refused does not stop the others. Returns a message about them, if any."""
    message = ""
    for act in acts:
        try:
            message = (_make_code if act.do == "code" else _move)(store, project_id, viewer, act) or message
        except ReadingError as error:
            message = wording.sentence(str(error))
    return message


def _move(store: Store, project_id: str, viewer: Viewer, act: BoardAct) -> str:
    if act.do == "undo":
        return late_sentence(store.boards.undo(project_id, viewer))
    if act.do == "rename":
        return late_sentence(store.boards.rename(project_id, act.name, act.to, viewer))
    return late_sentence(store.boards.move(project_id, [Move(note, before, act.to) for note, before in act.notes], viewer))


def _make_code(store: Store, project_id: str, viewer: Viewer, act: BoardAct) -> str:
    """Make a group a code of the codebook, with its notes as examples."""
    group = store.boards.load(project_id, viewer).find(act.name)
    if group is None:
        raise NotFound(f"the board has no group {act.name[:80]!r} any more; somebody may have renamed it")
    book = as_codebook(store.codebooks.latest(project_id, viewer))
    if there := code_named(book, group.name):
        return f"There is a code of this name: {there.called}."
    new = add_group(book, group)
    store.codebooks.add(project_id, new, viewer)
    return f"{new.codes[-1].called} is now a code, with notes of this group as examples. You can undo this in the codebook."


# The board as data for the browser, and what the browser sends back. Nothing here is markup: the board puts every string on the
# page as text. Whose notes are in it was decided before, by the store.


def board_data(
    shown: Board,
    readings: Sequence[str],
    *,
    questions: Mapping[str, str],
    book: Codebook | None = None,
    project: str = "",
    undo: bool = False,
    n: int = 0,
    message: str = "",
) -> BoardData:
    """The notes, their authors, and the groups, with their codes if the viewer may see these. Places are named by the question of
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
        "project": project,
        "undo": undo,
        "n": n,
        "message": message,
    }


def _code(book: Codebook | None, group: BoardGroup) -> str:
    found = code_named(book, group.name) if book else None
    return found.id if found else ""


def _note(note: Label, reading: str) -> dict[str, Any]:
    place = f"{reading} · {label_place(note)}"
    words = shorten(str(note.value.get("words", "")), LONGEST_WORDS)
    return {"id": note.id, "words": words, "by": note.annotator, "place": place, "run": note.run, "step": note.step or 0}


def read_acts(given: object, after: int) -> list[BoardAct]:
    """The acts that the board says, with a number above `after`, in their order; acts of invalid form are left out."""
    return sorted((act for act in each_checked(BoardAct, given, MOST_ACTS) if act.n > after), key=lambda act: act.n)


def late_sentence(moved: MovedNotes) -> str:
    """That somebody else was faster; empty if not."""
    if not moved.late:
        return ""
    were = "was" if moved.late == 1 else "were"
    return f"{wording.count(moved.late, 'note')} {were} moved by somebody else meanwhile and stayed there."
