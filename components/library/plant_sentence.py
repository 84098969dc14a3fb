"""Planting a sentence in a text of the library: the form, folded, with a preview of the place, and where one was planted."""

from __future__ import annotations

import json

import streamlit as st

from components.html import document as prose
from components.html import markup
from components.session import access, address, flash, state
from readers.engine.errors import ReadingError
from readers.engine.questions.import_questions import complete_set, read_questions
from readers.engine.questions.question_importer import TextSources
from readers.engine.text.document import Document
from readers.engine.text.phrases import percent
from readers.engine.text.plant import LONGEST_SENTENCE, Planted, plant

AROUND = 350  # characters shown before and after the sentence


def offer(document: Document) -> None:
    """Draw the form, folded, and a preview of the place; with the button a new text is saved and opened."""
    with st.expander("Plant a sentence"):
        st.caption("The text with one more sentence in it is a new text. Trace can follow that sentence at once.")
        words = st.text_input("The sentence", max_chars=LONGEST_SENTENCE, key=state.key("plant", document.id))
        deep = st.slider("How far in", 0, 100, 50, 1, "%d%%", key=state.key("depth", document.id))
        with st.container(horizontal=True, gap="small"):
            question = st.text_input("A question that it answers (optional)", key=state.key("asked", document.id)).strip()
            answer = st.text_input("The right answer", key=state.key("right", document.id)).strip()
        if not words.strip():
            return
        try:
            planted = plant(document, words, deep / 100)
        except ReadingError as error:
            flash.error(error)
            return
        text, span = planted.document.text, planted.span
        st.html(prose.passages(text, prose.windows(text, [span], around=AROUND), [prose.Mark(*span, "there")]))
        if bool(question) != bool(answer):
            st.caption("Write both the question and its right answer, or neither.")
        elif st.button("Save as a new text", type="primary", key=state.key("keep", document.id)):
            _save(planted, question, answer)


def _save(planted: Planted, question: str, answer: str) -> None:
    """Save the text, and the question that the sentence answers, if there is one."""
    try:
        access.add_planted(planted)
        if question:
            access.add_questions(
                complete_set(read_questions([("planted.json", _file(planted, question, answer))], _texts(planted)))
            )
    except ReadingError as error:
        flash.error(error)
        return
    known = [f"The question is on the page Questions, in the set “{planted.document.title}”."] if question else []
    address.go_to_document(planted.document.id, notes=["The sentence was planted. This is the new text.", *known])


def _file(planted: Planted, question: str, answer: str) -> bytes:
    """The question as a file of questions has it."""
    about = {"question": question, "answers": [answer], "evidence": [planted.span._asdict()]}
    return json.dumps([{**about, "document": planted.document.id}]).encode()


def _texts(planted: Planted) -> TextSources:
    return TextSources(library=lambda named: [planted.document] if named == planted.document.id else [])


def show_place(document: Document) -> None:
    """Say where a sentence was planted in a text, if one was."""
    span = access.planted_in(document.id)
    if span:
        words = document.text[span.start : span.end]
        where = document.pages_of(span) or f"{percent(span.start / len(document.text))} of the text"
        st.caption(markup.plain(f"Planted at {where}: “{words}”"))
