"""What a class voted, when it is over: a table by decision and round, other classes on the same reading beside it, and CSV."""

from __future__ import annotations

import streamlit as st

from components.class_room import html, keys, wording
from components.html import markup
from components.session.page import address, database, state
from components.session.visitor import classes
from readers.engine.files.tables.export_class import ClassResults, class_csv
from readers.engine.teaching.classes import ClassSession

SAVED = "One row for each class, question, round and option; nobody’s name or device is in it."


def show(session: ClassSession) -> None:
    """Draw the results of a class of this browser, which is over."""
    with database.opened() as store:
        held = store.classes.of_reading(session.run, classes.token())
        every = [ClassResults(one, tuple(store.classes.results(one))) for one in held]
        joined = store.classes.learners.joined(session)
    st.html(markup.page_title(wording.OVER, hint=f"{wording.began(session)} · {wording.devices(joined)}"))
    st.html(markup.question(session.title))
    with st.container(horizontal=True, vertical_alignment="center", key="class-over"):
        st.page_link("pages/3_Trace.py", label="Back to the reading", query_params=address.to_trace(session.run))
        name = f"palimpsest-class-{session.code}.csv"
        st.download_button("Download as CSV", class_csv(every), file_name=name, mime="text/csv", on_click="ignore", help=SAVED)
        with st.popover("Delete this class"):
            _delete(session)
    st.html(html.results(every, session.id) or markup.empty(wording.NOTHING_VOTED))
    st.caption(wording.KEPT)


def _delete(session: ClassSession) -> None:
    st.write("The class and its votes are deleted. The reading stays.")
    if st.button("Delete permanently", type="primary", key=state.key(keys.DELETE, session.id)):
        with database.opened() as store:
            store.classes.delete(session.code, classes.token())
        address.go_to_trace(session.run)
