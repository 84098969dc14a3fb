"""Home: what Palimpsest is, with a small real reading, a sample to read now, and the latest readings."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components.home import html, keys
from components.html import markup, pictures, wording
from components.session import address, flash, start_runs, state
from components.session.recordings import Recording, open_recording, recordings
from components.session.samples import Sample, samples
from components.widgets import options_form, run_rows
from readers import get
from readers.engine.errors import ReadingError
from readers.engine.models import catalogue
from readers.engine.models.offline import Offline
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.reader import Reader

READER = "memwalker"
# For each sample, in order, the number of a question that the offline model answers from the right place.
QUESTIONS = (7, 5, 0)
LEAD = (
    "Give Palimpsest a long text and a question. It shows step by step how a language model comes to an answer: what it "
    "summarises, which part it opens, why it turns back, and which lines it answers from."
)


def show_home() -> None:
    """Draw the page."""
    """Draw the page."""
    with st.container(key="two-hero"):
        left, right = st.columns([1, 1.15], gap="large", vertical_alignment="center")
    with left:
        st.html(html.lead("Watch a language model read a long text", LEAD))
        with st.container(horizontal=True, gap="small"):
            if st.button("Read your own text", type="primary", key=state.key(keys.START, "own")):
                st.switch_page("pages/2_Read.py")
            if st.button("Open the library", key=state.key(keys.START, "library")):
                st.switch_page("pages/1_Library.py")
        st.html(
            markup.aside("It works without a key or a network: the offline model (no neural network) counts and compares words.")
        )
    with right:
        _glance()
    st.html(markup.section("", "Read a sample now"))
    shelf = samples()
    with st.container(key="cards"):
        for column, number in zip(st.columns(len(shelf)), range(len(shelf)), strict=True):
            with column, st.container(border=True, key=f"card-{number}"):
                _card(shelf[number], QUESTIONS[number])
    _recordings()
    run_rows.show_recent()


def _glance() -> None:
    """A small drawing of a real reading by the offline model."""
    sample = samples()[0]
    trace = _first_reading()
    answer = getattr(trace.end, "text", "")
    narration = " ".join(line.sentence for line in wording.lines(trace, get(READER))[-4:])
    picture = pictures.glance(get(READER).view(trace), len(sample.document.text), told=narration) + pictures.glance_legend()
    st.html(html.specimen(sample.questions[QUESTIONS[0]].question, picture, answer))


@st.cache_resource(show_spinner=False)
def _first_reading() -> Trace:
    sample = samples()[0]
    spec = _offline_spec(sample, sample.questions[QUESTIONS[0]].question)
    return rehearse(sample.document, get(READER), spec, Offline())


def _offline_spec(sample: Sample, question: str) -> RunSpec:
    reader = get(READER)
    return RunSpec(reader.id, reader.version, question, options=_options(reader, sample), model=catalogue.OFFLINE)


def _options(reader: Reader, sample: Sample) -> dict[str, Any]:
    return options_form.suggested(reader.Options, len(sample.document.text))


def _card(sample: Sample, number: int) -> None:
    question = sample.questions[number].question
    st.html(html.card(sample.document.title, wording.size(sample.document), sample.about, question))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if st.button("Read this sample now", key=state.key(keys.START, sample.document.id)):
            _start(sample, question)
        st.page_link("pages/2_Read.py", label="Other questions", query_params=address.to_document(sample.document.id))


def _recordings() -> None:
    """The readings that come along, each with a button that opens it at its first step."""
    offered = recordings()
    if not offered:
        return
    models = ", ".join(dict.fromkeys(catalogue.title(recording.model) for recording in offered))
    st.html(markup.section("", "Readings by a real model", hint=f"{models}: small, and often wrong. They open without a model."))
    with st.container(key="recordings"):
        for row in range(0, len(offered), 2):
            for column, recording in zip(st.columns(2), offered[row : row + 2], strict=False):
                with column, st.container(border=True, key=f"card-{recording.id}"):
                    _recording(recording)


def _recording(recording: Recording) -> None:
    facts = f"{get(recording.reader).title} · {recording.title}"
    st.html(html.recording(recording.watch, recording.question, facts), width="stretch")
    if st.button("Watch", key=state.key(keys.WATCH, recording.id), help=recording.watch):
        try:
            with st.spinner("Opening the reading …"):
                run_id = open_recording(recording)
        except ReadingError as error:
            flash.error(error)
            return
        address.go_to_watch(run_id)


def _start(sample: Sample, question: str) -> None:
    reader = get(READER)
    try:
        with st.spinner("Getting ready …"):
            spec = start_runs.new_spec(reader, question, options=_options(reader, sample))
            run_id = start_runs.start(sample.document, reader, spec)
    except ReadingError as error:
        flash.error(error)
        return
    address.go_to_watch(run_id)
