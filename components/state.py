"""What the page remembers: the only place with session keys, query parameters and cached objects.

A reading itself is never kept here: it is in the database, and every page, tab and visitor polls that. `Jobs` is one a process.
A `Store` belongs to the thread that opened it, so each use opens its own (about a millisecond). What is cached cannot change:
documents, uploads as they were understood, readings that have ended.
"""

from __future__ import annotations

import gc
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st

from readers import get
from readers.engine import catalogue
from readers.engine.events import Event, from_json
from readers.engine.export import Reading, open_reading
from readers.engine.ingest import Ingested, from_bytes, from_paste
from readers.engine.jobs import Jobs
from readers.engine.runs import Execution, RunSpec, begin
from readers.engine.runs import Reader as ReaderKind
from readers.engine.store import AT_WORK, Run, Store
from readers.engine.text import Document

# Keys of widgets. What a widget depends on is part of its key, so that another text or question begins with its own default.
SOURCE, SAMPLE, UPLOAD, PASTE, PICK, START = "source", "sample", "upload", "paste", "pick", "start"
KNOWN, WHOLE, PART, CANCEL, RESUME, AGAIN = "known", "whole", "part", "cancel", "resume", "again"
_SEEN = "_seen"
_RUN = "run"
CLAIM_SECONDS = 2.0
QUICK_SECONDS = 0.6  # a reading that ends within this is shown at once, without a page that watches it


def key(name: str, *depends: object) -> str:
    """The key of a widget that depends on something: another text, another reading."""
    return ".".join([name, *map(str, depends)])


def run_id() -> str:
    """The reading the address names; empty for none."""
    return st.query_params.get(_RUN, "").strip()


def go_to(run: str) -> None:
    """Put a reading into the address, and draw the page anew."""
    st.query_params[_RUN] = run
    st.rerun()


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    _keep_for_good()
    return Jobs()


@st.cache_resource(show_spinner=False)
def _made_ready(model: str) -> int | None:
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
def _begun() -> dict[str, datetime]:
    """When this process last set a reading going: what the record tells is when it first began."""
    return {}


def start(document: Document, reader: ReaderKind, spec: RunSpec) -> str:
    """Set a new reading going; its id. Raises BadInput for what cannot be read or asked."""
    model = catalogue.open_model(spec.model)
    spec = replace(spec, window=_made_ready(spec.model))
    with Store() as store:
        run = begin(store, document, reader, spec)
        _begun()[run.id] = datetime.now(UTC)
        jobs().start(run.id, reader, Execution(model))
        _wait_while(lambda: going(store.run(run.id)), QUICK_SECONDS)
    return run.id


def resume(run: Run) -> None:
    """Go on with a reading that was stopped or failed; returns when that shows in the database or in the queue."""
    model = catalogue.open_model(run.spec["model"])
    _made_ready(run.spec["model"])
    _begun()[run.id] = datetime.now(UTC)
    jobs().start(run.id, get(run.reader), Execution(model))
    with Store() as store:
        _wait_while(lambda: jobs().ahead(run.id) is None and _stamp(store.run(run.id)) == _stamp(run), CLAIM_SECONDS)


def _wait_while(holds: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and holds():
        time.sleep(0.02)


def going(run: Run) -> bool:
    """Whether a reading is under way. One that is resumed waits in the queue while its record still tells the old end."""
    return run.status in AT_WORK or jobs().ahead(run.id) is not None


def seconds_so_far(run: Run) -> float | None:
    """How long it has been reading this time; None before it begins."""
    if run.started is None:
        return None
    began = max(datetime.fromisoformat(run.started), _begun().get(run.id, datetime.min.replace(tzinfo=UTC)))
    return max(0.0, (datetime.now(UTC) - began).total_seconds())


def events_so_far(store: Store, run: str) -> Sequence[Event]:
    """All events of a reading under way, of which only the new ones are fetched."""
    seen: tuple[str, list[Event]] = st.session_state.get(_SEEN, ("", []))
    if seen[0] != run:
        seen = (run, [])
    fresh = store.tape(run).events_after(len(seen[1]) - 1)
    events = [*seen[1], *map(from_json, fresh)]
    st.session_state[_SEEN] = (run, events)
    return events


def ended(run: Run) -> Reading:
    """A reading that has ended, kept for the next time it is shown. One whose worker died has no end to know it by."""
    if run.ended is None:
        with Store() as store:
            return open_reading(store, run.id)
    return _reading(run.id, *_stamp(run))


def _stamp(run: Run) -> tuple[str, str | None]:
    return run.status, run.ended


@st.cache_resource(max_entries=16, show_spinner=False)
def _reading(id: str, status: str, ended: str | None) -> Reading:
    """By its end, too: a reading that was resumed ends anew."""
    with Store() as store:
        return open_reading(store, id)


@st.cache_resource(max_entries=8, show_spinner=False)
def document(id: str) -> Document:
    with Store() as store:
        return store.document(id)


@st.cache_resource(max_entries=4, show_spinner="Taking the text out of the file …")
def uploaded(data: bytes, name: str) -> Ingested:
    """What an upload holds. Raises BadFile."""
    return from_bytes(data, name)


@st.cache_resource(max_entries=4, show_spinner=False)
def pasted(text: str) -> Ingested:
    """A pasted text, under a title of its own. Raises BadFile."""
    return from_paste(text)


def model() -> str:
    return catalogue.default_model()


def short(words: str) -> str:
    """A few characters that stand for a longer string in a key."""
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:8]
