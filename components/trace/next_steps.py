"""What can be done with a finished reading: links to the next question, its files, notes on it, a class on it, its end.

Not here: what a fork or an experiment changes in it (`what_if.py`, `experiments.py`).
"""

from __future__ import annotations

import json

import streamlit as st

from components.html.words import reading_words
from components.session import access, address, flash, hidden_answers, state
from components.trace import notes
from components.widgets import reading_links, teach
from readers.engine.errors import ReadingError
from readers.engine.store import Reading, Run

DOWNLOADED = "One file with the text, every call and every step. It can be imported again on the page Readings."
ABOUT_CLASSES = (
    "A class follows the reading on your screen. At each decision it votes on what the model will do, discusses, votes again, "
    "and then sees what the model chose. Learners open the page on their own devices with a code: no account, no name."
)


def show_next(reading: Reading, at: int) -> None:
    """Draw what can be done next, for step `at` (from 0)."""
    run = reading.run
    with st.container(horizontal=True, vertical_alignment="center", key="trace-next"):
        ask = {**address.to_document(run.document), **address.to_next_question(run.id)}
        st.page_link("pages/2_Read.py", label="Ask another question about this text", query_params=ask)
        st.page_link("pages/1_Library.py", label="Open the text", query_params=address.to_document(run.document))
        reading_links.offer_comparing(run)
        _download(run)
        reading_links.offer_replay([reading])
        notes.show(reading, at)
        _show_teach(reading)
        if access.may_change(run.id):
            with st.popover("Delete this reading"):
                _delete(run)


def _download(run: Run) -> None:
    """Draw the download of the reading as a self-contained file, written on request."""
    one = hidden_answers.exporter()

    def made() -> bytes:
        return json.dumps(one(run.id), ensure_ascii=False).encode()

    name = f"palimpsest-{run.id}.json"
    key = state.key("save", run.id)
    st.download_button(
        "Download this reading", made, file_name=name, mime="application/json", key=key, on_click="ignore", help=DOWNLOADED
    )


def _delete(run: Run) -> None:
    st.write(reading_words.before_deleting(1, **access.deletion_counts([run.id])))
    if st.button("Delete", type="primary", key=state.key("delete", run.id)):
        try:
            access.delete_run(run.id)
        except ReadingError as error:
            flash.error(error)
            return
        st.switch_page("home.py")


def _show_teach(reading: Reading) -> None:
    """Draw what begins a class, for a reading that has ended and has steps."""
    run = reading.run
    if run.ended and reading.trace.steps:
        teach.offer("Teach this reading", ABOUT_CLASSES, lambda: run.id, title=run.question, steps=len(reading.trace.steps))
