"""Choosing a text: a file, a pasted text, a sample, or one from the library. Unreadable texts are reported by the field."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from components.html import markup
from components.session import access, demos, flash
from components.session.samples import SampleText, sample_of, samples
from components.widgets import text_notices
from readers.engine import ingest
from readers.engine.errors import BadFile, NotFound
from readers.engine.ingest import Ingested
from readers.engine.text.document import Document

MOST_UPLOADED = 50  # MB
OF_SAMPLE, OF_LIBRARY, OF_FILE, OF_PASTE = "A sample", "The library", "A file", "Pasted text"


class Picked(NamedTuple):
    """The chosen text, or a sentence saying why there is none yet."""

    document: Document | None
    sample: SampleText | None = None
    missing: str = ""


def by_id(document_id: str) -> Picked:
    """The text named in the address."""
    sample = sample_of(document_id)
    if sample:
        return Picked(sample.document, sample)
    try:
        if not access.may_see(document_id):
            raise NotFound(f"there is no document {document_id!r}")
        return Picked(access.document(document_id))
    except NotFound:
        unknown = f"There is no text {document_id[:40]!r} here."
        return Picked(None, missing=f"{unknown} It may have been deleted, or its address may be incomplete. Choose another one.")


def choose() -> Picked:
    """Draw all four ways to choose a text, and return the chosen one."""
    shelf = [shelved for shelved in access.visible_documents() if sample_of(shelved.id) is None]
    ways = (OF_SAMPLE, *([OF_LIBRARY] if shelf else []), OF_FILE, OF_PASTE)
    source = st.segmented_control(
        "Where the text comes from", ways, default=OF_SAMPLE, required=True, key="source", label_visibility="collapsed"
    )
    match source:
        case "A file":
            return from_file()
        case "Pasted text":
            return from_paste()
        case "The library":
            titles = {shelved.id: shelved.title for shelved in shelf}
            picked = st.selectbox("Text from the library", list(titles), format_func=titles.__getitem__, key="from_shelf")
            return by_id(picked) if picked else Picked(None, missing="Choose a text from the library first.")
    return _from_samples()


def _from_samples() -> Picked:
    shelf = samples()
    at = st.radio(
        "Sample texts",
        range(len(shelf)),
        format_func=lambda n: markup.plain(shelf[n].document.title),
        key="sample",
        label_visibility="collapsed",
    )
    st.caption(markup.plain(shelf[at or 0].about))
    return Picked(shelf[at or 0].document, shelf[at or 0])


def from_file() -> Picked:
    access.expect_upload()
    most = demos.MOST_BYTES // 1_000_000 if access.demo() else MOST_UPLOADED
    said = f"A text: {ingest.IN_WORDS}, up to {most} MB{' in this demo' if access.demo() else ''}"
    upload = st.file_uploader(said, key="upload", max_upload_size=most)
    if upload is None:
        return Picked(None, missing="Choose a file first; its type is recognised by its extension.")
    try:
        return _taken(access.uploaded(upload.getvalue(), upload.name))
    except BadFile as error:
        flash.error(error)
        return Picked(None, missing="Choose a file that can be read first.")


def from_paste() -> Picked:
    words = st.text_area("Your text", height=180, key="paste", placeholder="Paste or type it here.")
    if not words:
        return Picked(None, missing="Paste a text into the field first.")
    try:
        return _taken(access.pasted(words))
    except BadFile as error:
        flash.error(error)
        return Picked(None, missing="Paste a text that contains words first.")


def _taken(ingested: Ingested) -> Picked:
    for note in ingested.notes:
        st.caption(markup.plain(note))
    text_notices.show(ingested.document)
    return Picked(ingested.document, sample_of(ingested.document.id))
