"""Home: what Palimpsest is, with a recorded reading that plays, a sample to read now, and the latest readings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

from components.home import html
from components.html import markup
from components.html.words import reading_words, wording
from components.player import data, mount
from components.session import address, flash, start_runs, state
from components.session.process_cache import lasting
from components.session.samples import Recording, SampleText, recordings, samples
from components.widgets import method_drawings, reading_links
from components.widgets.start import options_form
from readers import READERS, get
from readers.engine.errors import ReadingError
from readers.engine.files.runs.run_file import read_run_file
from readers.engine.models import catalogue
from readers.engine.run.reader import Reader

# the keys of the widgets; `state.key` adds what a widget depends on
_START = "start"
_WATCH = "watch"
_SHOWING = "showing"
_METHOD = "method"
_DRAWING = "drawing"

LEAD = (
    "Give Palimpsest a long text and a question. It shows step by step how a language model comes to an answer: what it "
    "summarises, which part it opens, why it turns back, and which lines it answers from."
)


def show_home() -> None:
    """Draw the page."""
    _lead()
    _methods()
    _samples()
    _recordings()
    reading_links.show_recent()


def _lead() -> None:
    """What Palimpsest is and where to begin, next to a reading that plays."""
    with st.container(key="two-hero"):
        left, right = st.columns([1, 1.15], gap="large", vertical_alignment="center")
    with left:
        st.html(html.lead("Watch a language model read a long text", LEAD))
        with st.container(horizontal=True, gap="small"):
            if st.button("Read your own text", type="primary", key=state.key(_START, "own")):
                st.switch_page("pages/2_Read.py")
            if st.button("Open the library", key=state.key(_START, "library")):
                st.switch_page("pages/1_Library.py")
        st.html(
            markup.aside("It works without a key or a network: the offline model (no neural network) counts and compares words.")
        )
    with right:
        _showing()


def _showing() -> None:
    """A recorded reading by a real model, which plays by itself; a press opens it."""
    if not recordings():
        return
    recording = recordings()[0]
    if mount.showing(_frames(), key=_SHOWING):
        reading_links.open_recorded(recording)
    if st.button("Step through this reading", key=state.key(_WATCH, "first")):
        reading_links.open_recorded(recording)


def prepare() -> None:
    """Compute what every visitor of Home is shown, before the first comes."""
    _frames()


@lasting
def _frames() -> dict[str, Any]:
    return data.showing(read_run_file(recordings()[0].path))


def _methods() -> None:
    """The methods that have a drawing, each with a recording by it, if there is one, and the way to read with it."""
    drawn = [reader for reader in READERS if method_drawings.has(reader.id)]
    st.html(markup.section("", "Ways of reading a long text"))
    with st.container(key="methods"):
        for column, reader in zip(st.columns(len(drawn)), drawn, strict=True):
            with column, st.container(border=True, key=f"card-{reader.id}"):
                method_drawings.show(reader.id, key=state.key(_DRAWING, reader.id))
                st.html(html.method(reader.title, reading_words.summary(reader)))
                _ways_in(reader)


def _ways_in(reader: Reader) -> None:
    """The buttons that lead to a recorded reading by a method, and to the visitor's own reading."""
    recording = next((recording for recording in recordings() if recording.reader == reader.id), None)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if recording and st.button(f"See {reader.title} read", key=state.key(_METHOD, reader.id)):
            reading_links.open_recorded(recording)
        st.page_link("pages/2_Read.py", label=f"Read with {reader.title}", query_params=address.to_reader(reader.id))


def _samples() -> None:
    """The samples that can be read at once, a card each."""
    st.html(markup.section("", "Read a sample now"))
    shelf = samples()
    with st.container(key="cards"):
        for number, (column, sample) in enumerate(zip(st.columns(len(shelf)), shelf, strict=True)):
            with column, st.container(border=True, key=f"card-{number}"):
                _sample(sample)


def _sample(sample: SampleText) -> None:
    question = sample.offered[0].question
    st.html(html.card(sample.document.title, wording.size(sample.document), sample.about, question))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if st.button("Read this sample now", key=state.key(_START, sample.document.id)):
            _start(sample, question)
        st.page_link("pages/2_Read.py", label="Other questions", query_params=address.to_document(sample.document.id))


def _recordings() -> None:
    """The readings that come along, under their questions."""
    offered = recordings()
    if not offered:
        return
    models = ", ".join(dict.fromkeys(catalogue.title(recording.model) for recording in offered))
    st.html(markup.section("", "Readings by a real model", hint=f"{models}: small, and often wrong. They open without a model."))
    with st.container(key="recordings"):
        for column, questions in zip(st.columns(2), _halves(offered), strict=True):
            with column:
                for found in questions:
                    _asked(found)


def _halves(offered: Iterable[Recording]) -> tuple[list[list[Recording]], list[list[Recording]]]:
    """The readings by their questions, in two columns of about the same length."""
    questions: dict[str, list[Recording]] = {}
    for recording in offered:
        questions.setdefault(recording.question, []).append(recording)
    halves: tuple[list[list[Recording]], list[list[Recording]]] = ([], [])
    for found in questions.values():
        min(halves, key=lambda half: sum(len(each) + 1 for each in half)).append(found)
    return halves


def _asked(found: Sequence[Recording]) -> None:
    """A question with its recorded readings, each with a button that opens it."""
    first = found[0]
    with st.container(border=True, key=f"card-{first.id}"):
        st.html(html.recorded_question(first.question, first.title), width="stretch")
        for recording in found:
            with st.container(horizontal=True, vertical_alignment="top", gap="small", key=f"recording-{recording.id}"):
                if st.button("Watch", key=state.key(_WATCH, recording.id)):
                    reading_links.open_recorded(recording)
                st.html(html.recording(get(recording.reader).title, recording.watch), width="stretch")


def _start(sample: SampleText, question: str) -> None:
    """Read a sample with the first reader, and watch."""
    reader = READERS[0]
    try:
        with st.spinner("Getting ready …"):
            spec = start_runs.new_spec(reader, question, options=options_form.suggested(reader, sample.document))
            (run_id,) = start_runs.start(sample.document, spec)
    except ReadingError as error:
        flash.error(error)
        return
    st.switch_page("pages/3_Trace.py", query_params=address.to_watch(run_id))
