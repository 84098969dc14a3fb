"""Plant a sentence in a text: write it, choose how far in, see where it goes, and save the result as a new text.

A known answer can be given with it; question and answer become a small question set. Where the sentence goes in is decided by
`readers/engine/text/plant.py`.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import streamlit as st

from components.html import document as prose
from components.html import markup
from components.library import keys
from components.session.page import address, flash, state
from components.session.visitor import access
from readers.engine.errors import ReadingError
from readers.engine.questions.import_questions import complete_set, read_questions
from readers.engine.questions.question_importer import TextSources
from readers.engine.report.values import percent
from readers.engine.text.document import Document
from readers.engine.text.plant import LONGEST_SENTENCE, Planted, plant

AROUND = 350  # characters shown before and after the sentence


class Asked(NamedTuple):
    """What the sentence answers; empty where nothing was written."""

    question: str
    answer: str


def offer(document: Document) -> None:
    """Draw the form, folded, and a preview of the place; with the button a new text is saved and opened."""
    with st.expander("Plant a sentence"):
        st.caption("The text with one more sentence in it is a new text. Trace can follow that sentence at once.")
        words = st.text_input("The sentence", max_chars=LONGEST_SENTENCE, key=state.key(keys.PLANT, document.id))
        deep = st.slider("How far in", 0, 100, 50, 1, "%d%%", key=state.key(keys.DEPTH, document.id))
        with st.container(horizontal=True, gap="small"):
            question = st.text_input("A question that it answers (optional)", key=state.key(keys.ASKED, document.id))
            answer = st.text_input("The right answer", key=state.key(keys.RIGHT, document.id))
        asked = Asked(question.strip(), answer.strip())
        if not words.strip():
            return
        try:
            planted = plant(document, words, deep / 100)
        except ReadingError as error:
            flash.error(error)
            return
        text, span = planted.document.text, planted.span
        st.html(prose.passages(text, prose.windows(text, [span], around=AROUND), [prose.Mark(*span, "there")]))
        if bool(asked.question) != bool(asked.answer):
            st.caption("Write both the question and its right answer, or neither.")
        elif st.button("Save as a new text", type="primary", key=state.key(keys.KEEP, document.id)):
            _save(planted, asked)


def _save(planted: Planted, asked: Asked) -> None:
    try:
        access.add_planted(planted)
        if asked.question:
            access.add_questions(complete_set(read_questions([("planted.json", _file(planted, asked))], _texts(planted))))
    except ReadingError as error:
        flash.error(error)
        return
    known = [f"The question is on the page Questions, in the set “{planted.document.title}”."] if asked.question else []
    address.go_to_document(planted.document.id, notes=["The sentence was planted. This is the new text.", *known])


def _file(planted: Planted, asked: Asked) -> bytes:
    """The question as a file of questions has it."""
    about = {"question": asked.question, "answers": [asked.answer], "evidence": [planted.span._asdict()]}
    return json.dumps([{**about, "document": planted.document.id}]).encode()


def _texts(planted: Planted) -> TextSources:
    return TextSources(library=lambda named: [planted.document] if named == planted.document.id else [])


def show_place(document: Document) -> None:
    """Say where a sentence was planted in a text, if one was."""
    span = access.planted_in(document.id)
    if span:
        words = document.text[span.start : span.end]
        st.caption(markup.plain(f"Planted at {percent(span.start / len(document.text))} of the text: “{words}”"))
