"""The page of a class: for its leader the controls, the room's screen, and afterwards the votes; for everybody else their
vote."""

from __future__ import annotations

import streamlit as st

from components.class_room import device, room, room_data, wording
from components.class_room.contract import ScreenData
from components.class_room.room_data import RoomProgress
from components.html import markup
from components.session import access, address, classes, database, process_cache, state
from components.session.drawing import fragment
from components.session.islands import Island
from components.widgets import report
from readers.engine.files.tables import class_csv
from readers.engine.store import Store
from readers.engine.store.database import now
from readers.engine.teaching.classes import ClassSession
from readers.engine.teaching.codes import read_code
from readers.engine.teaching.tally import shown


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
        _show_screen(session)
    elif session.is_over(now()):
        _show_results(session)
    else:
        room.show(session)


def _join(typed: str) -> None:
    st.html(markup.page_title(wording.JOIN))
    with st.form("class-join", border=False):
        words = st.text_input("Code", value=typed[:20], max_chars=20, key="class_code", help=wording.JOIN_HINT)
        pressed = st.form_submit_button("Join", type="primary")
    if pressed and read_code(words):
        with database.opened() as store:
            there = store.classes.find(words)
        if there:
            st.switch_page("pages/Class.py", query_params=address.to_class(there.code))
    if pressed or typed:
        st.error(markup.plain(wording.UNKNOWN))
    else:
        st.caption(wording.JOIN_HINT)


SAVED = "One row for each class, question, round and option; nobody’s name or device is in it."


def _show_results(session: ClassSession) -> None:
    """Draw the results of a class of this browser, which is over."""
    with database.opened() as store:
        held = store.classes.of_reading(session.run, classes.token(), lesson=session.state.lesson)
        every = [(one, store.classes.results(one)) for one in held]
        joined = store.classes.learners.joined(session)
    st.html(markup.page_title(wording.OVER, hint=f"{wording.began(session)} · {wording.devices(joined)}"))
    st.html(markup.question(session.title))
    with st.container(horizontal=True, vertical_alignment="center", key="class-over"):
        _back(session)
        name = f"palimpsest-class-{session.code}.csv"
        st.download_button("Download as CSV", class_csv(every), file_name=name, mime="text/csv", on_click="ignore", help=SAVED)
        with st.popover("Delete this class"):
            _delete(session)
    tables = wording.result_tables(every, session.id)
    for table in tables:
        st.html(markup.section("", table.title))
        report.draw(table, kind="votes")
    if not tables:
        st.html(markup.empty(wording.NOTHING_VOTED))
    st.caption(wording.KEPT)


def _back(session: ClassSession) -> None:
    if lesson := session.state.lesson:
        st.page_link("pages/7_Learn.py", label="Back to the lesson", query_params=address.to_lesson(lesson))
    else:
        st.page_link("pages/3_Trace.py", label="Back to the reading", query_params=address.to_trace(session.run))


def _delete(session: ClassSession) -> None:
    st.write("The class and its votes are deleted. The reading stays.")
    if st.button("Delete", type="primary", key=state.key("class_delete", session.id)):
        access.delete("the class", lambda store: store.classes.delete(session.code, classes.token()))
        if lesson := session.state.lesson:
            st.switch_page("pages/7_Learn.py", query_params=address.to_lesson(lesson))
        st.switch_page("pages/3_Trace.py", query_params=address.to_trace(session.run))


_screen = Island[ScreenData]("class_screen", "class-room", "class_room/screen.js", "class_vote", "class_room")


def _show_screen(session: ClassSession) -> None:
    """Draw the class as the room sees it."""
    if session.is_over(now()):
        st.html(markup.page_title(wording.OVER))
        st.html(markup.question(session.title))
        st.html(markup.empty(wording.THANKS))
        return
    watched = room.watched_reading(session)
    state.set_value(state.key("_class_shown", session.id), watched.reading.run.id)
    _follow(session.code)
    room.mount_player(session, watched)


@fragment(run_every=room_data.ASKS_EVERY)
def _follow(code: str) -> None:
    with database.opened() as store:
        session = store.classes.get(code)
        if session.is_over(now()):
            st.rerun()
        data = _data(store, session)
    _screen.draw(data, key=state.key("class_screen", session.id))
    if room.mark_known(session, data["lesson"]):
        st.rerun()


def _data(store: Store, session: ClassSession) -> ScreenData:
    held = store.classes
    progress = RoomProgress(held.learners.here(session), held.voted(session), lesson=room.panel(session))
    return room_data.screen(session, shown(session, held.result(session), None), progress, where=room.address_for(session.code))
