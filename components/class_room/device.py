"""What a learner sees: the step the class is at, the question, the options whole, and the result once the vote is closed.

No account and no name: a browser has one vote. The page asks for a small row of the database each second, and loads the reading
only if the class was let loose and the learner wants to step alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from components.class_room import keys, room_data, wording
from components.html import markup
from components.html.scripts import script
from components.html.styles import sheet
from components.html.words.wording import sentence
from components.player import cache, mount
from components.session import process_cache
from components.session.page import database, state
from components.session.page.drawing import fragment
from components.session.visitor import classes
from components.widgets.readings import reading_view
from readers.engine.errors import NotFound, ReadingError
from readers.engine.store import Store
from readers.engine.store.database.connection import now
from readers.engine.teaching.classes import ClassSession
from readers.engine.teaching.tally import shown

_device = st.components.v2.component(
    "palimpsest.class_device", html='<div class="class-device"></div>', css=sheet("class_vote"), js=script("class_room/device.js")
)


def show(session: ClassSession) -> None:
    """Let the browser into the class, and follow it."""
    with database.opened() as store:
        store.classes.join(session.code, classes.token(), classes.limits())
        run = classes.class_run(store, session) if _steps_alone(session) else None
    _follow(session.code)
    if run is not None:
        reading = process_cache.ended_reading(run)
        mount.mount(cache.frames(reading), key=state.key(keys.STAGE, session.id), at=0, alone=mount.Alone(run.question, True))
        _answer_player(session.code)


@fragment()
def _answer_player(code: str) -> None:
    with database.opened() as store:
        run = classes.class_run(store, store.classes.get(code))
    reading_view.follow(process_cache.ended_reading(run), opened_at=0)


def _steps_alone(session: ClassSession) -> bool:
    return session.state.loose and bool(state.value(state.key(keys.STEPS_ALONE, session.id)))


@fragment(run_every=room_data.ASKS_EVERY)
def _follow(code: str) -> None:
    """Take the vote that the browser has sent, and send it what the class sees now."""
    with database.opened() as store:
        session = store.classes.get(code)
        if session.is_over(now()):
            st.html(markup.page_title(wording.OVER))
            st.html(markup.empty(wording.THANKS))
            return
        sent = state.value(state.key(keys.DEVICE, session.id))
        problem = _vote(store, session, sent)
        store.classes.hear(session, classes.token())
        mine = store.classes.own_vote(session, classes.token())
        data = room_data.device(session, shown(session, store.classes.result(session), mine))
    alone = state.key(keys.STEPS_ALONE, session.id)
    said = bool(sent.get("alone")) if isinstance(sent, Mapping) else False
    data |= {"token": classes.token(), "problem": problem, "alone": said and session.state.loose}
    _device(key=state.key(keys.DEVICE, session.id), data=data, on_vote_change=_nothing, on_alone_change=_nothing)
    was = bool(state.value(alone))
    if was != data["alone"]:
        state.set_value(alone, data["alone"])
        st.rerun()


def _vote(store: Store, session: ClassSession, sent: Any) -> str:
    """Count the vote that was sent, once; why it does not count, if it does not. A vote that came too late is none."""
    ballot = room_data.ballot(sent.get("vote")) if isinstance(sent, Mapping) else None
    key = state.key(keys.DONE, session.id)
    if ballot is None or ballot == state.value(key) or (ballot.step, ballot.round) != (session.state.asked, session.state.round):
        return ""
    try:
        store.classes.vote(session.code, classes.token(), ballot)
    except NotFound as error:
        return sentence(str(error))
    except ReadingError as error:
        state.set_value(key, ballot)
        return sentence(str(error))
    state.set_value(key, ballot)
    return ""


def _nothing() -> None:
    """Streamlit reports a component's changes only if there is a callback."""
