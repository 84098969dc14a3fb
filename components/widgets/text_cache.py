"""Computed facts about a text, cached between redraws: its pages, search hits, headings, and estimates of a reading.

Everything is cached by the document's id, the hash of its text. Not here: the texts themselves (`session/process_cache.py`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace

import streamlit as st

from components.html import document as prose
from components.html.words import wording
from components.session import access, database
from readers import get
from readers.engine.models import catalogue, speed
from readers.engine.run.estimate import Estimate, estimate
from readers.engine.run.execute import RunSpec
from readers.engine.run.part_sizes import TextLength
from readers.engine.store import Run
from readers.engine.text import search, tokens
from readers.engine.text.document import Document, Span
from readers.engine.text.notices import Notice
from readers.engine.text.notices import notices as found_in

PAGE = 6_000


@st.cache_data(max_entries=2_000, show_spinner=False)
def size(document_id: str, _document: Document) -> str:
    """The text's length in words."""
    return wording.size(_document)


@st.cache_data(max_entries=2_000, show_spinner=False)
def words(document_id: str, chars: int) -> str:
    """The length in words of a text in the store, without fetching all of a long one."""
    with database.opened() as store:
        return wording.words_between(store.documents.beginning(document_id, wording.COUNTED_AT_MOST), 0, chars)


@st.cache_data(max_entries=2_000, show_spinner=False)
def length(document_id: str, _document: Document) -> TextLength:
    """The text's length in tokens and words."""
    return TextLength.of(_document)


@st.cache_resource(max_entries=16, show_spinner=False)
def pages(document_id: str, _document: Document) -> list[Span]:
    """The text in pages of a few screens each."""
    return prose.pages(_document.text, PAGE)


@st.cache_resource(max_entries=32, show_spinner=False)
def found(document_id: str, words: str, _document: Document) -> search.Hits:
    return search.find(_document.text, words)


@st.cache_resource(max_entries=16, show_spinner=False)
def landmarks(document_id: str, _document: Document) -> tuple[tuple[str, int], ...]:
    return search.landmarks(_document.text)


@st.cache_data(max_entries=64, show_spinner=False)
def notices(document_id: str, _document: Document) -> tuple[Notice, ...]:
    return found_in(_document.text)


@st.cache_data(max_entries=16, show_spinner=False)
def token_counts(document_id: str, spans: Sequence[Span], _document: Document) -> list[int]:
    return [tokens.count(_document.text[start:end]) for start, end in spans]


def estimated(document: Document, spec: RunSpec, *, width: int) -> Estimate:
    """The estimate of a reading. Computed again after a reading of the text has ended, because its replies are then reused,
    and after a model's speed was measured."""
    with database.opened() as store:
        latest = store.runs.latest(document.id)
    changing = (latest, speed.version(), access.visitor())
    return _estimated(document.id, json.dumps(asdict(spec), sort_keys=True), width, changing, document)


@st.cache_resource(max_entries=64, show_spinner=False)
def _estimated_before(run_id: str, _run: Run, _document: Document) -> Estimate:
    spec = replace(
        RunSpec.from_json(_run.spec), model=catalogue.OFFLINE, api_base=None
    )  # the number of calls matters here, not their price
    return estimate(_document, get(_run.reader), spec)


def estimated_before(run: Run, document: Document) -> Estimate:
    """The total estimate of a running reading, as if none of it had been done before. Computed once."""
    return _estimated_before(run.id, run, document)


@st.cache_resource(max_entries=64, show_spinner="Estimating …")
def _estimated(
    document_id: str, spec: str, width: int, changing: tuple[tuple[int, str | None], int, str | None], _document: Document
) -> Estimate:
    asked = RunSpec.from_json(json.loads(spec))
    *_, visitor = changing  # in a demo, only their own replies and the host's are reused
    with database.opened(visitor) as store:
        return estimate(_document, get(asked.reader), asked, store=store, concurrency=width)
