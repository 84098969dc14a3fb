"""A reading that goes on, watched: polls the database, and draws the whole page anew when it has ended.

The reading itself runs in `Jobs`, and knows nothing of this page: closing or reloading it changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import markup, state, wording
from readers import get
from readers.engine import catalogue
from readers.engine.store import Run, Store
from readers.engine.text import Document
from readers.engine.trace import Trace

POLL = 1.0


@st.fragment(run_every=POLL)
def watch(id: str) -> None:
    """Stage, count, time and the steps so far, with Cancel."""
    with Store() as store:
        run = store.run(id)
        if not state.going(run):
            st.rerun()
        events = state.events_so_far(store, id)
        replies = store.tape(id).answered()
    trace = Trace(Document("", ""), tuple(events))
    chip = wording.state(run) if state.jobs().ahead(id) is None else wording.QUEUED
    document = state.document(run.document)
    told = wording.lines_so_far(trace, get(run.reader).names(trace))
    st.html(markup.heading(run.question, [document.title, get(run.reader).title, catalogue.title(run.spec["model"])], [chip]))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(markup.working(_stage(run, trace, told), _facts(run, replies)))
        if st.button("Cancel", key=state.key(state.CANCEL, id), disabled=run.cancel):
            state.jobs().cancel(id)
            st.rerun(scope="fragment")
    _so_far(document, trace, told)


def _so_far(document: Document, trace: Trace, told: Sequence[wording.Line]) -> None:
    with st.container(key="two-live"):
        left, right = st.columns([1, 1.1], gap="large")
    with left:
        st.html(markup.section("", "What it does"))
        st.html(markup.steps(told) if told else markup.empty("Each step will be told here."))
    with right:
        here = wording.in_view(trace.events)
        marks = [markup.Mark(*span, "now") for span in here]
        st.html(markup.section("", "The text"))
        if marks:
            st.html(markup.legend(mark.kind for mark in marks))
        st.html(markup.passages(document.text, markup.windows(document.text, here) or [markup.opening(document.text)], marks))


def _stage(run: Run, trace: Trace, told: Sequence[wording.Line]) -> str:
    if run.cancel:
        return "Stopping before the next call"
    ahead = state.jobs().ahead(run.id)
    if ahead is None:
        return wording.stage(trace, told) if run.status != "queued" else "About to begin"
    return "Next in turn" if not ahead else f"{ahead} reading{'' if ahead == 1 else 's'} before this one"


def _facts(run: Run, replies: int) -> list[str]:
    seconds = state.seconds_so_far(run)
    time = [wording.duration(seconds)] if seconds is not None and run.status == "running" else []
    return [f"{replies:,} repl{'y' if replies == 1 else 'ies'} so far", *time]
