"""The board: all open notes of a project, which the team groups together, by keys or by dragging.

What is done on it is saved at once, and each undoes their own changes. What it sends is read like any upload, and each act is
done once however often it arrives. Whose notes somebody sees is decided in the store; before their own notes are in, an annotator
sees none (`labels/project.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components.annotate import figures, keys
from components.annotate.board import board_data
from components.annotate.board.board_data import Act, late_sentence
from components.annotate.codebook.wording import add_group, as_codebook, code_named
from components.annotate.projects.projects import PAGE
from components.html import markup
from components.html.figures import plot
from components.html.scripts import script
from components.html.styles import sheet
from components.html.words import wording
from components.session import access, address, flash, state
from components.session.drawing import current_theme, fragment
from readers.engine.errors import NotFound, ReadingError
from readers.engine.labels import codebook
from readers.engine.labels.board import Board, groups_by_reading
from readers.engine.labels.project import Project, Viewer, sees_codes
from readers.engine.labels.saturation import LAST, curve
from readers.engine.store import Store
from readers.engine.store.labels.boards import may_change

_board = st.components.v2.component(
    "palimpsest.board", html='<div class="board"></div>', css=sheet("board"), js=script("annotate/board/board.js")
)
NOT_YET = (
    "The board shows everybody’s notes. You see it once your own notes are in: take notes at the bench, then continue to stage 2 "
    "there. So nobody’s words are in your head before your own are written."
)
NOT_IN_IT = (
    "The board shows everybody’s notes. Its owner and the annotators whose own notes are in see it. Join at the bench first."
)
NO_NOTES = "No notes yet. What annotators note about the readings at the bench (key n there) is grouped here by all of them."


def show(store: Store, project: Project, viewer: Viewer) -> None:
    flash.show()
    if not viewer.whole and not may_change(viewer):
        st.html(markup.empty(NOT_YET if viewer.stage else NOT_IN_IT))
        st.page_link(PAGE, label="To the bench", query_params=address.to_bench(project.id))
        return
    if not store.boards.load(project.id, viewer).notes:
        st.html(markup.empty(NO_NOTES))
        return
    _draw(project, viewer.name)


@fragment()
def _draw(project: Project, name: str) -> None:
    """Do what the board has sent, and send it the current state."""
    key = state.key(keys.BOARD, project.id, name)
    memory: dict[str, Any] = state.remembered(state.key(keys.BOARD, "done", project.id, name), dict)
    sent = state.value(key)
    with access.opened() as store:
        viewer = store.projects.viewer(project.id, name)  # as it is now: the stage may have changed in another tab
        acts = board_data.acts(sent.get("said") if isinstance(sent, Mapping) else None, memory.get("n", 0))
        if acts:
            memory["message"] = do_acts(store, project.id, viewer, acts)
            memory["n"] = acts[-1].number
        shown = store.boards.load(project.id, viewer)
        noted = {note.run for note in (*shown.loose, *(note for group in shown.groups for note in group.notes))}
        questions = {run.id: run.question for run in store.run_list.runs(noted)}
        book = as_codebook(store.codebooks.latest(project.id, viewer)) if sees_codes(viewer) else None
        data = {
            **board_data.board_data(shown, store.projects.readings(project.id), questions=questions, book=book),
            "project": project.id,
            "undo": store.boards.may_undo(project.id, viewer),
            "n": memory.get("n", 0),
            "message": memory.get("message", ""),
        }
        _board(key=key, data=data, on_said_change=_ignore)
        _saturation(store, project, viewer, shown)


def _ignore() -> None:
    """Streamlit reports a component's messages only if there is a callback."""


def _saturation(store: Store, project: Project, viewer: Viewer, shown: Board) -> None:
    """Whether readings still bring new groups: a sentence, and the curve when it is opened."""
    turns = store.turns.in_project(project.id, viewer)
    readings = groups_by_reading(shown, turns)
    found = curve(readings)
    box = st.expander(
        f"Saturation: {board_data.growth_sentence(readings, found, last=LAST)}",
        key=state.key(keys.BOARD, "curve", project.id), on_change="rerun",
    )  # fmt: skip
    if box.open and found:
        with box:
            drawn = figures.saturation(found, "groups", current_theme())
            st.plotly_chart(drawn, key=state.key(keys.BOARD, "figure", project.id), theme=None, config=plot.CONFIG)


def do_acts(store: Store, project_id: str, viewer: Viewer, acts: Sequence[Act]) -> str:
    """Do the acts in order. One that is refused does not stop the others. Returns what is to be said of them, if anything."""
    message = ""
    for act in acts:
        try:
            message = (_make_code if act.do == "code" else _move)(store, project_id, viewer, act) or message
        except ReadingError as error:
            message = wording.sentence(str(error))
    return message


def _move(store: Store, project_id: str, viewer: Viewer, act: Act) -> str:
    if act.do == "undo":
        return late_sentence(store.boards.undo(project_id, viewer))
    if act.do == "rename":
        return late_sentence(store.boards.rename(project_id, act.name, act.to, viewer))
    return late_sentence(store.boards.move(project_id, act.moves, viewer))


def _make_code(store: Store, project_id: str, viewer: Viewer, act: Act) -> str:
    """Make a group a code of the codebook, with its notes as examples."""
    group = store.boards.load(project_id, viewer).find(act.name)
    if group is None:
        raise NotFound(f"the board has no group {act.name[:80]!r} any more; somebody may have renamed it")
    book = as_codebook(store.codebooks.latest(project_id, viewer))
    if there := code_named(book, group.name):
        return f"There is a code of this name: {there.called}."
    new = add_group(book, group)
    codes, change = codebook.to_json(new)
    store.codebooks.add(project_id, codes, change=change, viewer=viewer, expected=book.version)
    return f"{new.codes[-1].called} is a code now, with notes of this group as examples. It can be undone in the codebook."
