"""Does what the board sends: read like any upload, each act once however often it arrives. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

from components.annotate.board.board_data import Act, late_sentence
from components.annotate.codebook.wording import add_group, as_codebook, code_named
from components.html.words import wording
from readers.engine.errors import NotFound, ReadingError
from readers.engine.labels.codes import codebook
from readers.engine.labels.project import Viewer
from readers.engine.store import Store


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
