"""The Library page: the list of texts, adding one, viewing one, and planting a sentence in it.

Searching and paging within a text is `view_text.py`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime

import streamlit as st

from components.html import document as prose
from components.html import markup
from components.html.words import wording
from components.library.view_text import show_followed, show_text
from components.session import access, address, database, flash, state
from components.session.samples import sample_of, samples
from components.widgets import reading_links, text_cache
from components.widgets.start import choose_text
from readers.engine.errors import NotFound, ReadingError
from readers.engine.questions.import_questions import complete_set, read_questions
from readers.engine.questions.question_importer import TextSources
from readers.engine.store import ListedDocument
from readers.engine.text.document import Document
from readers.engine.text.phrases import percent
from readers.engine.text.plant import LONGEST_SENTENCE, Planted, plant

LISTED = 40
SEARCHED_FROM = 12
RUNS = 5
PAGE = "pages/1_Library.py"


def show_library() -> None:
    """Draw the page."""
    document_id = address.document_id()
    shelf = access.visible_documents()
    own = [shelved for shelved in shelf if sample_of(shelved.id) is None]
    st.html(markup.page_title("Library", hint=_count(own)))
    flash.show()
    with st.container(key="two-library"):
        left, right = st.columns([0.75, 1.25], gap="large")
    with left:
        _list(own, shelf, document_id)
    with right:
        if document_id:
            _look_at(document_id)
        else:
            _add()


def _count(own: list[ListedDocument]) -> str:
    return f"{len(own):,} of your own" if own else ""


def _list(own: list[ListedDocument], shelf: list[ListedDocument], here: str) -> None:
    readings = _counted()
    if here:
        st.page_link(PAGE, label="Add a text", icon=":material/add:")
    st.html(markup.section("", "Your texts"))
    if not own:
        where = "Add one with the form" if not here else "Add one"
        st.html(markup.empty(f"No texts yet. {where}: upload a file or paste a text."))
    shown = own
    if len(own) > SEARCHED_FROM:
        words = st.text_input("Title contains", key="filter").strip().casefold()
        shown = [shelved for shelved in own if words in shelved.title.casefold()]
    now = datetime.now(UTC)
    seen: set[str] = set()  # terms that are explained in a row above
    with st.container(key="shelf", gap=None):
        for shelved in shown[:LISTED]:
            facts = [
                text_cache.words(shelved.id, shelved.chars),
                f"{shelved.tokens:,} tokens",
                f"added {wording.ago(shelved.created, now)}",
            ]
            _row(shelved.id, shelved.title, [*facts, _readings(readings.get(shelved.id, 0))], here=here, seen=seen)
    if len(shown) > LISTED:
        st.caption(f"Showing the newest {LISTED} of {len(shown):,}. Type part of a title to find others.")
    st.html(markup.section("", "Samples"))
    counted = {shelved.id: shelved.tokens for shelved in shelf}
    with st.container(key="shelf-samples", gap=None):
        for document in (sample.document for sample in samples()):
            count = counted.get(document.id) or document.tokens
            facts = [text_cache.size(document.id, document), f"{count:,} tokens", _readings(readings.get(document.id, 0))]
            _row(document.id, document.title, facts, here=here, seen=seen)


def _row(document_id: str, title: str, facts: list[str], *, here: str, seen: set[str]) -> None:
    with st.container(key=f"text-{'here' if document_id == here else 'at'}-{document_id}", gap=None):
        st.page_link(PAGE, label=markup.plain(title), query_params=address.to_document(document_id))
        st.html(markup.own_facts(facts, seen=seen))


def _counted() -> Mapping[str, int]:
    """The number of readings of each text that this visitor may see."""
    if access.demo():
        return Counter(run.document for run in access.visible_runs())
    with database.opened() as store:
        return store.runs.counts()


def _readings(count: int) -> str:
    return f"{count:,} reading{'' if count == 1 else 's'}" if count else "not read yet"


def _add() -> None:
    """The form that adds a file or a pasted text under a title, with a preview of its text."""
    st.html(markup.section("", "Add a text"))
    source = st.segmented_control(
        "Source",
        (choose_text.OF_FILE, choose_text.OF_PASTE),
        default=choose_text.OF_FILE,
        required=True,
        key="add_source",
        label_visibility="collapsed",
    )
    picked = choose_text.from_file() if source == choose_text.OF_FILE else choose_text.from_paste()
    if picked.document is None:
        return
    document = picked.document
    title = st.text_input("Title", value=document.title, max_chars=200, key=state.key("title", document.id))
    st.html(markup.facts([text_cache.size(document.id, document), f"{document.tokens:,} tokens"]))
    if st.button("Add to the library", type="primary", key=state.key("add", document.id)):
        _add_to_library(document.titled(title.strip() or document.title))
    st.html(prose.passages(document.text, [prose.opening(document.text, 1_500)], []))


def _add_to_library(document: Document) -> None:
    try:
        sample = sample_of(document.id)
        kept = access.add_document(document) if sample is None else None
    except ReadingError as error:
        flash.error(error)
        return
    title = sample.document.title if sample else kept.title if kept else document.title
    known = () if title == document.title else (f"This text is already in the library, under the title “{title}”.",)
    address.go_to_document(document.id, notes=known)


def _look_at(document_id: str) -> None:
    sample = sample_of(document_id)
    try:
        if sample is None and not access.may_see(document_id):
            raise NotFound(f"there is no document {document_id!r}")
        document = sample.document if sample else access.document(document_id)
    except NotFound:
        st.error(
            markup.plain(f"There is no text {document_id[:40]!r} here. It may have been deleted, or the link was cut short.")
        )
        _add()
        return
    st.html(markup.section("", document.title, hint=text_cache.size(document_id, document)))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if st.button("Read this", type="primary", key=state.key("start", document_id)):
            address.go_to_document(document_id, page="pages/2_Read.py")
        if sample is None and access.may_change(document_id):
            _delete(document_id, document.title)
        elif sample is not None:
            st.caption("Samples come with Palimpsest and cannot be deleted.", width="content")
    runs = access.visible_runs(RUNS, document=document_id)
    if runs:
        with st.expander(f"Latest readings ({len(runs)})"):
            reading_links.show_runs(runs, {})
    _show_place(document)
    _offer_to_plant(document)
    show_followed(document)
    show_text(document)


def _delete(document_id: str, title: str) -> None:
    with st.popover("Delete …"):
        count = len(access.visible_runs(document=document_id))
        gone = {0: "It has no readings.", 1: "Its one reading is deleted with it."}
        st.markdown(f"Delete **{markup.plain(title)}**? {gone.get(count, f'Its {count:,} readings are deleted with it.')}")
        st.caption("This cannot be undone.")
        if st.button("Delete permanently", key=state.key("delete", document_id)):
            try:
                access.delete_document(document_id)
            except ReadingError as error:
                flash.error(error)
                return
            address.go_to_document("", notes=[f"Deleted “{title}”."])


AROUND = 350  # characters shown before and after the sentence


def _offer_to_plant(document: Document) -> None:
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


def _show_place(document: Document) -> None:
    """Say where a sentence was planted in a text, if one was."""
    span = access.planted_in(document.id)
    if span:
        words = document.text[span.start : span.end]
        where = document.pages_of(span) or f"{percent(span.start / len(document.text))} of the text"
        st.caption(markup.plain(f"Planted at {where}: “{words}”"))
