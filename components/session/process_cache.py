"""What one process keeps for all its visitors: the readings in flight, and what cannot change once it is there.

A reading itself is never kept here: it is in the database, and every page, tab and visitor polls that. Kept are documents and
readings that have ended, with what the player is given of them. Who may see what is `access.py`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any, TypeVar

import streamlit as st

from components.session import database
from readers import get
from readers.engine.analysis.measures import measures
from readers.engine.canonical import canonical
from readers.engine.forks import fork
from readers.engine.models import catalogue
from readers.engine.record import edits
from readers.engine.record.edits import Edit
from readers.engine.run.jobs import Jobs, configured_at_once
from readers.engine.store import Run
from readers.engine.store.reading import Reading, open_reading
from readers.engine.text.document import Document

T = TypeVar("T")
_OF_READINGS: list[Callable[[], None]] = []  # how to clear each cache made by `by_reading`


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    _keep_for_good()
    return Jobs(at_once=configured_at_once())


@st.cache_resource(show_spinner=False)
def window_of(model: str) -> int | None:
    """The model's window. For all but the offline model litellm is imported for it, once a process."""
    window = catalogue.window_for(model)
    _keep_for_good()
    return window


def _keep_for_good() -> None:
    """Take what is loaded by now out of the garbage collector's rounds.

    Streamlit collects all garbage after every drawing of a page; with litellm's objects that took 0.2 s of each visitor's polls.
    """
    gc.collect()
    gc.freeze()


@st.cache_resource(show_spinner=False)
def begun() -> dict[str, tuple[datetime, int]]:
    """When this process last set a reading going, and how many calls it had made by then: the record tells of its first
    beginning."""
    return {}


@st.cache_resource(max_entries=8, show_spinner=False)
def document(document_id: str) -> Document:
    with database.opened() as store:
        return store.document(document_id)


def stamp(run: Run) -> tuple[str, str | None]:
    return run.status, run.ended


def ended(run: Run) -> Reading:
    """A reading that has ended, kept for the next time it is shown. One whose worker died has no end to know it by."""
    if run.ended is None:
        with database.opened() as store:
            return open_reading(store, run.id)
    return _reading(run.id, *stamp(run))


@st.cache_resource(max_entries=16, show_spinner=False)
def _reading(run_id: str, status: str, ended: str | None) -> Reading:
    """By its end, too: a reading that was resumed ends anew."""
    with database.opened() as store:
        return open_reading(store, run_id)


def by_reading(most: int) -> Callable[[Callable[[Reading], T]], Callable[[Reading], T]]:
    """Cache what a function makes of a reading that has ended, for the `most` last used. `forget` drops it."""

    def cached(make: Callable[[Reading], T]) -> Callable[[Reading], T]:
        def remade(run_id: str, status: str, ended: str | None, _reading: Reading) -> T:
            return make(_reading)

        # Streamlit tells caches apart by these names and the source, which is the same for every `remade`.
        remade.__module__, remade.__qualname__ = make.__module__, f"by_reading.{make.__qualname__}"
        found = st.cache_resource(max_entries=most, show_spinner=False)(remade)
        _OF_READINGS.append(found.clear)

        @wraps(make)
        def get_or_make(reading: Reading) -> T:
            run = reading.run
            return make(reading) if run.ended is None else found(run.id, *stamp(run), reading)

        return get_or_make

    return cached


@by_reading(16)
def measured(reading: Reading) -> dict[str, Any]:
    """The measures of a reading."""
    return measures(get(reading.run.reader), reading.trace, reading.records, seconds=reading.run.seconds)


@st.cache_resource(max_entries=64, show_spinner=False)
def _price(run_id: str, stamp: object, change: str, _reading: Reading, _edit: Edit) -> fork.ForkPrice:
    with database.opened() as store:
        return fork.price(store, _reading, get(_reading.run.reader), _edit)


def price(reading: Reading, edit: Edit) -> fork.ForkPrice:
    """What a fork of a reading takes, tried out once. Raises like `fork.prepare`."""
    return _price(reading.run.id, stamp(reading.run), canonical(edits.to_json(edit)), reading, edit)


def forget() -> None:
    """Drop what is kept of documents and readings: something was deleted."""
    for clear in (document.clear, _reading.clear, _price.clear, *_OF_READINGS):
        clear()
