"""Choosing a text, asking a question of it, and setting the reading going."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from components import forms, markup, state, wording
from components.samples import Known, Sample, samples
from readers import READERS
from readers.engine import catalogue
from readers.engine.errors import BadFile, ReadingError
from readers.engine.ingest import Ingested
from readers.engine.runs import Reader, RunSpec
from readers.engine.text import Document

OF_SAMPLE, OF_FILE, OF_PASTE = "A sample", "A file", "Pasted text"
OWN = "A question of my own"
LONGEST_QUESTION = 2_000


class Picked(NamedTuple):
    """The text that was picked, or in a sentence why there is none yet."""

    document: Document | None
    sample: Sample | None = None
    missing: str = ""


def show_start() -> None:
    """The page before a reading: a text, a question, and Read."""
    with st.container(key="two-start"):
        left, right = st.columns([1, 1], gap="large")
    with left:
        st.html(markup.section("1", "Choose a text"))
        picked = choose_text()
        st.html(markup.section("2", "Ask it something"))
        ask(picked)
    with right:
        _preview(picked)


def choose_text() -> Picked:
    source = st.segmented_control(
        "Where the text comes from",
        (OF_SAMPLE, OF_FILE, OF_PASTE),
        default=OF_SAMPLE,
        required=True,
        key=state.SOURCE,
        label_visibility="collapsed",
    )
    if source == OF_FILE:
        return _from_file()
    if source == OF_PASTE:
        return _from_paste()
    shelf = samples()
    at = st.radio(
        "Sample texts",
        range(len(shelf)),
        format_func=lambda n: markup.plain(shelf[n].document.title),
        captions=[markup.plain(sample.about) for sample in shelf],
        key=state.SAMPLE,
        label_visibility="collapsed",
    )
    return Picked(shelf[at or 0].document, shelf[at or 0])


def _from_file() -> Picked:
    upload = st.file_uploader("A text: txt, md, html, pdf, epub or docx, up to 50 MB", key=state.UPLOAD)
    if upload is None:
        return Picked(None, missing="Choose a file first; its kind goes by the ending of its name.")
    try:
        return _taken(state.uploaded(upload.getvalue(), upload.name))
    except BadFile as error:
        _say(error)
        return Picked(None, missing="Choose a file that can be read first.")


def _from_paste() -> Picked:
    words = st.text_area("A text of your own", height=180, key=state.PASTE, placeholder="Paste or type it here.")
    if not words:
        return Picked(None, missing="Paste a text into the field first.")
    try:
        return _taken(state.pasted(words))
    except BadFile as error:
        _say(error)
        return Picked(None, missing="Paste a text that has words in it first.")


def _taken(ingested: Ingested) -> Picked:
    for note in ingested.notes:
        st.caption(markup.plain(note))
    return Picked(ingested.document)


def _preview(picked: Picked) -> None:
    """How the text begins."""
    if picked.document is None:
        st.html(markup.section("", "The text"))
        st.html(markup.empty("The beginning of your text will stand here."))
        return
    document = picked.document
    st.html(markup.section("", document.title, hint=wording.size(document)))
    with st.container(key="preview"):
        st.html(markup.passages(document.text, [markup.opening(document.text)], []))


def ask(picked: Picked, *, after: str = "") -> None:
    """The question form; sets a reading going when it is sent. Of a sample's questions, the one `after` another comes first."""
    # The same field while a text of one's own is being pasted or replaced: what is typed in it stays.
    about = state.short((picked.sample.document.id if picked.sample else "") + after)
    known = _known_question(picked.sample, after) if picked.sample else None
    reader = READERS[0]
    on = (about, state.short(known.question if known else ""))
    with st.form(state.key("ask", about), border=False):
        question = st.text_input(
            "Your question, in any words",
            value=known.question if known else "",
            max_chars=LONGEST_QUESTION,
            placeholder="Ask as you would ask somebody who has just read the text.",
            key=state.key("question", *on),
        )
        offered = _offer(known, question, on) if known and known.choices else ()
        with st.container(horizontal=True, vertical_alignment="center"):
            sent = st.form_submit_button("Read", type="primary", key=state.key(state.START, about))
            st.html(markup.model_line(reader.title, catalogue.title(state.model()), offline=_offline()))
        options = _options(reader, picked.document)
    if sent:
        _begin(picked, reader, _spec(reader, question, offered, options))


def _known_question(sample: Sample, after: str) -> Known | None:
    asked: Sequence[str] = [*(known.question for known in sample.questions), OWN]
    first = (asked.index(after) + 1) % len(asked) if after in asked else 0
    key = state.key(state.PICK, sample.document.id, state.short(after))
    pick = st.selectbox("Questions that come with this text", asked, index=first, key=key)
    return sample.known(pick) if pick else None


def _offer(known: Known, question: str, on: tuple[str, str]) -> tuple[str, ...]:
    """The sample's answers to choose from, if the person wants the model to have them; they fit no other question."""
    offer = st.checkbox(
        "With this question as it stands, let the model choose", value=not _offline(), key=state.key("choices", *on)
    )
    st.html(markup.choices(known.choices))
    if _offline():
        st.caption(
            "Choosing between answers, the offline model is at chance: it may find the place, but cannot weigh what it says."
        )
    return known.choices if offer and question.strip() == known.question else ()


def _options(reader: Reader, document: Document | None) -> dict[str, Any]:
    suggested = {"segment_tokens": forms.suggested_segments(len(document.text))} if document else {}
    with st.expander(f"How {reader.title} reads"):
        return forms.ask_options(reader.Options, key=lambda name: state.key(reader.id, name), suggested=suggested)


def _spec(reader: Reader, question: str, choices: tuple[str, ...], options: Mapping[str, Any]) -> RunSpec:
    return RunSpec(
        reader=reader.id,
        version=reader.version,
        question=question.strip(),
        choices=choices,
        options=options,
        model=state.model(),
    )


def _begin(picked: Picked, reader: Reader, spec: RunSpec) -> None:
    if picked.document is None:
        st.error(markup.plain(picked.missing))
        return
    try:
        with st.spinner("Getting ready …"):
            run = state.start(picked.document, reader, spec)
    except ReadingError as error:
        _say(error)
        return
    state.go_to(run)


def _offline() -> bool:
    return state.model() == catalogue.OFFLINE


def _say(error: ReadingError) -> None:
    st.error(markup.plain(wording.sentence(str(error))))
