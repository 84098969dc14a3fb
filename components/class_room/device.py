"""What a learner sees: the step the class is at, the question, the options in full, and the result once the vote is closed.

No account and no name: a browser has one vote. The page queries a small database row each second, and loads the reading only if
the class was released and the learner wants to step individually: then as far as the class has come.
"""

from __future__ import annotations

import streamlit as st

from components.class_room import room, room_data, take_home, wording
from components.class_room.contract import DeviceData
from components.html import markup
from components.html.words.wording import sentence
from components.player import mount
from components.session import classes, database, state
from components.session.drawing import fragment
from components.session.islands import Island, said, sent
from readers.engine.errors import BadInput, ReadingError
from readers.engine.store import Store
from readers.engine.store.database import now
from readers.engine.teaching.classes import ClassSession
from readers.engine.teaching.tally import shown

_device = Island[DeviceData]("class_device", "class-device", "class_room/device.js", "class_vote", says=("vote", "alone"))


def show(session: ClassSession) -> None:
    """Let the browser into the class, and follow it."""
    if session.is_over(now()):
        st.html(markup.page_title(wording.OVER))
        st.html(markup.empty(wording.THANKS))
        take_home.show(session)
        return
    with database.opened() as store:
        is_in = classes.is_in(store, session)
    watched = room.watched_reading(session) if is_in and _steps_alone(session) else None
    state.set_value(state.key("_class_shown", session.id), watched and watched.reading.run.id)
    if is_in:
        _follow(session.code)
    elif session.state.word or classes.was_in(session):
        _join_by_hand(session)
    else:
        _join(session.code)
    if watched:
        question = watched.reading.run.question
        mount.mount(watched.frames, key=state.key("class_stage", session.id), at=0, question=question, hides_end=True)
        room.answer_player(session.code)


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
        key = state.key("class_device", session.id)
        problem = _vote(store, session, key)
        seen = shown(session, store.classes.result(session), store.classes.own_vote(session, classes.token()))
    alone = state.key("_class_alone", session.id)
    asks_alone = bool(said(key, "alone", bool)) and session.state.loose
    data = room_data.device(session, seen, token=classes.token(), problem=problem, alone=asks_alone)
    _device.draw(data, key=key)
    changed = False
    if asks_alone:
        panel = room.panel(session)
        run, reached = (panel["run"], panel["at"]) if panel else (session.run, session.state.reached)
        mount.link({"run": run, "until": reached}, key=state.key("class_until", session.id))
        changed = state.value(state.key("_class_shown", session.id)) not in (None, run)
    was = bool(state.value(alone))
    if was != data["alone"] or changed:
        state.set_value(alone, data["alone"])
        st.rerun()


def _vote(store: Store, session: ClassSession, key: str) -> str:
    """Count the vote that the device with this key sent; why it does not count, if it does not. A vote of an earlier round does
    not count."""
    ballot = room_data.ballot(sent(key).get("vote"))
    if ballot is None or (ballot.step, ballot.round) != (session.state.asked, session.state.round):
        return ""
    if store.classes.own_vote(session, classes.token()) == ballot.option:
        return ""  # counted already
    try:
        store.classes.vote(session.code, classes.token(), ballot)
    except ReadingError as error:
        return sentence(str(error))
    return ""
