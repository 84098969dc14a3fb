"""The Library page: the list of texts, adding one, viewing one, and planting a sentence in it.

Searching and paging within a text is `view_text.py`, planting a sentence `plant_sentence.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime

import streamlit as st

from components.html import document as prose
from components.html import markup
from components.html.words import wording
from components.library import plant_sentence
from components.library.view_text import show_followed, show_text
from components.session import access, address, database, flash, state
from components.session.samples import sample_of, samples
from components.widgets import conversation, reading_links, text_cache
from components.widgets.start import choose_text
from readers.engine.errors import NotFound, ReadingError
from readers.engine.store import ListedDocument
from readers.engine.text.document import Document

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
    conversation.show_of_text(document)
    runs = access.visible_runs(RUNS, document=document_id)
    if runs:
        with st.expander(f"Latest readings ({len(runs)})"):
            reading_links.show_runs(runs, {})
    plant_sentence.show_place(document)
    plant_sentence.offer(document)
    show_followed(document)
    show_text(document)


def _delete(document_id: str, title: str) -> None:
    with st.popover("Delete …"):
        count = len(access.visible_runs(document=document_id))
        gone = {0: "It has no readings.", 1: "Its one reading is deleted with it."}
        st.markdown(f"Delete **{markup.plain(title)}**? {gone.get(count, f'Its {count:,} readings are deleted with it.')}")
        if st.button("Delete", key=state.key("delete", document_id)):
            try:
                access.delete_document(document_id)
            except ReadingError as error:
                flash.error(error)
                return
            address.go_to_document("", notes=[f"Deleted “{title}”."])
