"""The page of a class: for whoever leads it what to lead it with, the room's screen, and afterwards what was voted; for everybody
else their vote."""

from __future__ import annotations

import streamlit as st

from components.class_room import device, keys, results, room, screen, wording
from components.html import markup
from components.session import process_cache
from components.session.page import address, database
from components.session.visitor import classes
from readers.engine.store.database import now
from readers.engine.teaching.codes import read_code


def show_class() -> None:
    process_cache.freeze_once()  # a server that was restarted may have drawn no other page
    typed = address.class_code()
    with database.opened() as store:
        session = store.classes.find(typed) if typed else None
    if session is None:
        _join(typed)
    elif not classes.leads(session):
        device.show(session)
    elif address.is_class_screen():
        screen.show(session)
    elif session.is_over(now()):
        results.show(session)
    else:
        room.show(session)


def _join(typed: str) -> None:
    st.html(markup.page_title(wording.JOIN))
    with st.form("class-join", border=False):
        words = st.text_input("Code", value=typed[:20], max_chars=20, key=keys.CODE, help=wording.JOIN_HINT)
        pressed = st.form_submit_button("Join", type="primary")
    if pressed and read_code(words):
        with database.opened() as store:
            there = store.classes.find(words)
        if there:
            address.go_to_class(there.code)
    if pressed or typed:
        st.error(markup.plain(wording.UNKNOWN))
    else:
        st.caption(wording.JOIN_HINT)
