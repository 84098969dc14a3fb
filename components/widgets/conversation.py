"""The conversation about a text: the questions that one reader was asked with one model and the same settings (`exchanges.py`),
and a box for the next one, with what it will take.

Its reading runs in `Jobs` like every other, and the page stays as it is meanwhile. Not here: which readings belong together
(`readers/engine/analysis/conversation.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.html import markup
from components.html.words import wording, work_words
from components.html.words.reading_words import title_in_list
from components.session import access, address, classes, drawing, flash, hidden_answers, start_runs, state
from components.session.drawing import fragment
from components.widgets import exchanges, text_cache
from readers.engine.analysis import conversation
from readers.engine.errors import KeyRefused, ReadingError
from readers.engine.questions.question_fields import LONGEST_QUESTION
from readers.engine.store import Run
from readers.engine.text.document import Document

LATEST, LATEST_BESIDE_TEXT = 4, 2  # exchanges shown at first
TITLE = "Questions about this text"


@fragment()
def show_of_reading(run: Run, *, hides_end: bool = False) -> None:
    """Draw the conversation that a reading, which has ended, is part of; nothing while a class votes on it or its answer must
    stay hidden from this visitor. With `hides_end` it is not visible until the player shows the end."""
    if not _is_locked(run):
        place = st.container(key="of-reading-hidden" if hides_end else "of-reading")
        with place, st.container(key="conversation", gap="small"):
            st.html(markup.section("", TITLE, hint=_who_reads(run)))
            _show(run, access.document(run.document), here=run.id)


@fragment()
def show_of_text(document: Document) -> None:
    """Draw the conversation about a text that was continued last, or the one chosen; where there is none, the way to a first
    question."""
    every = conversation.conversations(filter(_may_be_seen, access.visible_runs(document=document.id)))
    found = [runs for runs in every if not _is_locked(runs[-1])]
    if not every:
        with st.container(key="first-question", horizontal=True, vertical_alignment="center", gap="small"):
            st.html(markup.aside("Nothing was asked about this text yet."), width="content")
            st.page_link("pages/2_Read.py", label="Choose a reader and ask", query_params=address.to_document(document.id))
    if found:
        with st.container(key="conversation", gap="small"):
            st.html(markup.section("", TITLE, hint=_who_reads(found[0][-1]) if len(found) == 1 else ""))
            _show(_chosen(found, document), document, latest=LATEST_BESIDE_TEXT)


def _may_be_seen(run: Run) -> bool:
    """Whether a reading may be listed: not one that a person will resume as its model."""
    return start_runs.is_running(run) or not hidden_answers.is_covered(run)


def _is_locked(run: Run) -> bool:
    with access.opened() as store:
        if hidden_answers.is_hidden(run, hidden_answers.hidden_questions(store)):
            return True
    return classes.leads_one(run.id)


def _chosen(found: Sequence[list[Run]], document: Document) -> Run:
    """The last reading of a conversation: of several of the one chosen, which is known by its first question."""
    if len(found) == 1:
        return found[0][-1]
    last = {runs[0].id: runs[-1] for runs in found}
    names = {runs[0].id: f"{_who_reads(runs[0])} · {wording.count(len(runs), 'question')}" for runs in found}
    key = state.key("conversation", document.id)
    return last[st.selectbox("Who answers", list(names), format_func=names.__getitem__, key=key)]


def _who_reads(run: Run) -> str:
    return f"{title_in_list(run)} · {wording.models(run.spec)}"


def _show(run: Run, document: Document, *, here: str = "", latest: int = LATEST) -> None:
    """Draw the `latest` exchanges of a reading's conversation and a way to earlier ones, the box, and what the next question will
    take. `here` is the reading of the page."""
    thread = st.container(key="exchanges", gap="small")
    with st.container(key="next-question", horizontal=True, vertical_alignment="center", gap="small"):
        price = st.container() if _ask(run, document) else None
    every = list(filter(_may_be_seen, conversation.around(run, access.visible_runs(document=run.document))))
    if [one.id for one in every] != [here]:  # its answer is at the top of the page
        with thread:
            exchanges.show(every, document, here=here, latest=latest)
    if price:
        with price:  # drawn last, because it may take a while; of one that has ended, so that none under way waits for it
            _show_price(next((one for one in reversed(every) if not start_runs.is_running(one)), run), document)


# Asking


def _ask(run: Run, document: Document) -> bool:
    """Draw the box, and start the reading of what was asked in it; or say why nothing can be asked. Whether there is a box."""
    try:
        start_runs.next_spec(run, run.question)
    except ReadingError as error:
        _say_why_not(run, error)
        return False
    box = _box(document)
    st.chat_input("Ask the next question", max_chars=LONGEST_QUESTION, key=box, on_submit=_begin, args=(run, document))
    drawing.has_shown_changes()
    flash.show(box)
    return True


def _box(document: Document) -> str:
    return state.key("next_question", document.id)


def _begin(run: Run, document: Document) -> None:
    """Start the reading of what was asked in the box. A callback: see `drawing.must_show_changes`."""
    asked = state.value(_box(document))
    if asked and asked.strip():
        drawing.must_show_changes()
        try:
            (begun,) = start_runs.start(document, start_runs.next_spec(run, asked))
            exchanges.begun_here().add(begun)
        except ReadingError as error:
            flash.leave_error(error, at=_box(document))


def _say_why_not(run: Run, error: ReadingError) -> None:
    st.html(markup.aside(wording.sentence(f"No question can be asked here: {error}")))
    if isinstance(error, KeyRefused):
        st.page_link("pages/8_Models.py", label="Give a key", width="content")
    ask = {**address.to_document(run.document), **address.to_next_question(run.id)}
    st.page_link("pages/2_Read.py", label="Ask with another reader or model", query_params=ask, width="content")


def _show_price(run: Run, document: Document) -> None:
    """Draw what the next question will take, if it takes as much as this one and what was built is reused."""
    try:
        spec = start_runs.next_spec(run, run.question)
        found = text_cache.estimated(document, spec, width=state.model_choice().at_once)
    except ReadingError as error:
        flash.error(error)
        return
    st.html(markup.facts(work_words.next_price(found)))
    for problem in found.problems:
        st.caption(markup.plain(wording.sentence(problem)))
