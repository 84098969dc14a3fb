"""The room's screen: a second window of the teacher's, for the projector, that follows the class.

It shows how to join, the reading on Stage, the question, and the votes once they are closed; no note, no warning and nothing to
press. Only the browser that leads a class opens it, for Stage has all of the reading.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from components.class_room import keys, room, room_data, wording
from components.class_room.room_data import RoomProgress
from components.html import markup
from components.html.scripts import script
from components.html.styles import sheet
from components.player import ending, mount
from components.session.page import database, state
from components.session.page.drawing import fragment
from readers.engine.store import Store
from readers.engine.store.database import now
from readers.engine.teaching.classes import ClassSession
from readers.engine.teaching.tally import shown

_screen = st.components.v2.component(
    "palimpsest.class_screen",
    html='<div class="class-room"></div>',
    css=sheet("class_vote", "class_room"),
    js=script("class_room/screen.js"),
)


def show(session: ClassSession) -> None:
    """Draw the class as the room sees it."""
    if session.is_over(now()):
        st.html(markup.page_title(wording.OVER))
        st.html(markup.empty(wording.THANKS))
        return
    watched = room.watched_reading(session)
    _follow(session.code)
    told = session.state
    waits = told.asked is not None and told.phase != "revealed"  # its outcome is not shown yet
    alone = mount.Alone(watched.reading.run.question, True, ending.of(watched.reading, watched.known))
    mount.mount(watched.frames, key=state.key(keys.STAGE, session.id), at=max(0, told.at - waits), alone=alone)
    room.answer_player(session.code)


@fragment(run_every=room_data.ASKS_EVERY)
def _follow(code: str) -> None:
    with database.opened() as store:
        session = store.classes.get(code)
        if session.is_over(now()):
            st.rerun()
        data = _data(store, session)
    _screen(key=state.key(keys.SCREEN, session.id), data=data)


def _data(store: Store, session: ClassSession) -> dict[str, Any]:
    held = store.classes
    progress = RoomProgress(held.learners.here(session), held.voted(session))
    where = room_data.where(room.address_for(session.code))
    return {**room_data.screen(session, shown(session, held.result(session), None), progress), **where, "problem": ""}
