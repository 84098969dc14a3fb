"""What a learner sees: the step the class is at, the question, the options whole, and the result once the vote is closed.

No account and no name: a browser has one vote. The page asks for a small row of the database each second, and loads the reading
only if the class was let loose and the learner wants to step alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from components.class_room import room_data, wording
from components.html import markup
from components.html.scripts import script
from components.html.styles import sheet
from components.html.words.wording import sentence
from components.player import cache, mount
from components.session import classes, database, process_cache, state
from components.session.drawing import fragment, nothing
from components.widgets import reading_view
from readers.engine.errors import BadInput, ReadingError
from readers.engine.store import Store
from readers.engine.store.database import now
from readers.engine.teaching.classes import ClassSession
from readers.engine.teaching.tally import shown

_device = st.components.v2.component(
    "palimpsest.class_device", html='<div class="class-device"></div>', css=sheet("class_vote"), js=script("class_room/device.js")
)


def show(session: ClassSession) -> None:
    """Let the browser into the class, and follow it."""
    if session.is_over(now()):
        st.html(markup.page_title(wording.OVER))
        st.html(markup.empty(wording.THANKS))
        return
    with database.opened() as store:
        is_in = classes.is_in(store, session)
        run = classes.class_run(store, session) if _steps_alone(session) else None
    if is_in:
        _follow(session.code)
    elif session.state.word or classes.was_in(session):
        _join_by_hand(session)
    else:
        _join(session.code)
    if is_in and run is not None:
        reading = process_cache.ended_reading(run)
        mount.mount(cache.frames(reading), key=state.key("class_stage", session.id), at=0, question=run.question, hides_end=True)
        _answer_player(session.code)


@fragment(run_every=room_data.ASKS_EVERY)
def _join(code: str) -> None:
    """Join at once, or as soon as there is a place and the door is open."""
    with database.opened() as store:
        session = store.classes.get(code)
    if not (session.state.word or session.is_over(now())):
        try:
            classes.join(session)
        except BadInput as error:
            st.html(markup.page_title(wording.JOIN))
            st.html(markup.empty(sentence(str(error))))
            return
    st.rerun()


def _join_by_hand(session: ClassSession) -> None:
    """A device that was removed is not let in by its page: it could not be removed at all."""
    st.html(markup.page_title(wording.JOIN))
    if classes.was_in(session):
        st.html(markup.empty(wording.REMOVED))
    with st.form("class-enter", border=False):
        word = st.text_input("Word", max_chars=40, key="class_word", help=wording.WORD_HINT) if session.state.word else ""
        pressed = st.form_submit_button("Join", type="primary")
    if pressed:
        classes.join(session, word)
        st.rerun()


@fragment()
def _answer_player(code: str) -> None:
    with database.opened() as store:
        run = classes.class_run(store, store.classes.get(code))
    reading_view.follow(process_cache.ended_reading(run), opened_at=0)


def _steps_alone(session: ClassSession) -> bool:
    return session.state.loose and bool(state.value(state.key("_class_alone", session.id)))


@fragment(run_every=room_data.ASKS_EVERY)
def _follow(code: str) -> None:
    """Take the vote that the browser has sent, and send it what the class sees now."""
    with database.opened() as store:
        session = store.classes.get(code)
        if session.is_over(now()) or not classes.is_in(store, session):
            st.rerun()
        store.classes.hear(session, classes.token(), classes.limits())
        sent = state.value(state.key("class_device", session.id))
        problem = _vote(store, session, sent)
        mine = store.classes.own_vote(session, classes.token())
        data = room_data.device(session, shown(session, store.classes.result(session), mine))
    alone = state.key("_class_alone", session.id)
    said = bool(sent.get("alone")) if isinstance(sent, Mapping) else False
    data |= {"token": classes.token(), "problem": problem, "alone": said and session.state.loose}
    _device(key=state.key("class_device", session.id), data=data, on_vote_change=nothing, on_alone_change=nothing)
    was = bool(state.value(alone))
    if was != data["alone"]:
        state.set_value(alone, data["alone"])
        st.rerun()


def _vote(store: Store, session: ClassSession, sent: Any) -> str:
    """Count the vote that was sent; why it does not count, if it does not. A vote of an earlier round is none."""
    ballot = room_data.ballot(sent.get("vote")) if isinstance(sent, Mapping) else None
    if ballot is None or (ballot.step, ballot.round) != (session.state.asked, session.state.round):
        return ""
    if store.classes.own_vote(session, classes.token()) == ballot.option:
        return ""  # counted already
    try:
        store.classes.vote(session.code, classes.token(), ballot)
    except ReadingError as error:
        return sentence(str(error))
    return ""
