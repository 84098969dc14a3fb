"""Does what the board sends: read like any upload, each act once however often it arrives. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

from components.annotate.board.board_data import Act, late_sentence
from components.html import wording
from readers.engine.errors import ReadingError
from readers.engine.labels.project import Viewer
from readers.engine.store import Store
from readers.engine.store.coding.boards import Moved


def do_acts(store: Store, project_id: str, viewer: Viewer, acts: Sequence[Act]) -> str:
    """Do the acts in order. One that is refused does not stop the others. Returns what is to be said of them, if anything."""
    message = ""
    for act in acts:
        try:
            message = late_sentence(_do(store, project_id, viewer, act)) or message
        except ReadingError as error:
            message = wording.sentence(str(error))
    return message


def _do(store: Store, project_id: str, viewer: Viewer, act: Act) -> Moved:
    if act.do == "undo":
        return store.boards.undo(project_id, viewer)
    if act.do == "rename":
        return store.boards.rename(project_id, act.name, act.to, viewer)
    return store.boards.move(project_id, act.moves, viewer)
