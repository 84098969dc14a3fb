"""What the page remembers: the only place with session keys, query parameters and cached objects.

A reading itself is never kept here: it is in the database, and every page, tab and visitor polls that. `Jobs` is one a process.
A `Store` belongs to the thread that opened it, so each use opens its own (about a millisecond). What is cached cannot change:
documents, uploads as they were understood, readings that have ended.
"""

from __future__ import annotations

import gc
import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NoReturn

import streamlit as st

from components import demo as demos
from components import player_data, visits
from components.model_choice import ModelChoice
from readers import get
from readers.engine import catalogue
from readers.engine.errors import NotFound
from readers.engine.events import Event, from_json
from readers.engine.export import Reading, open_reading
from readers.engine.ingest import Ingested, from_bytes, from_paste
from readers.engine.jobs import Jobs, at_once
from readers.engine.runs import Execution, RunSpec, begin
from readers.engine.runs import Reader as ReaderKind
from readers.engine.store import AT_WORK, Run, Shelved, Store
from readers.engine.text import Document

# Keys of widgets. What a widget depends on is part of its key, so that another text or question begins with its own default.
SOURCE, SAMPLE, UPLOAD, PASTE, PICK, START = "source", "sample", "upload", "paste", "pick", "start"
KNOWN, WHOLE, PART, CANCEL, RESUME, AGAIN = "known", "whole", "part", "cancel", "resume", "again"
FILTER, ADD_SOURCE, ADD, TITLE, DELETE, FROM_SHELF = "filter", "add_source", "add", "title", "delete", "from_shelf"
FIND, HITS, HEADING, TURN = "find", "hits", "heading", "turn"
READER, CHOICES, ANSWERS, FIRST_PART = "reader", "choices", "answers", "first_part"
MODEL, TRY, OFFLINE, LOCAL_START, LOCAL_STOP, FORGET = "model", "try", "offline", "local-start", "local-stop", "forget"
_SEEN = "_seen"
_CHOICE = "_model_choice"
_CHOSEN = "_models_chosen"
_VISITOR = "_visitor"
_RUN, _DOCUMENT, _AFTER = "run", "document", "after"
_AT, _NOTES = "_at", "_notes"
_STEP, _DEPTH_NAME, _WAS_FULL, DEPTH = "at", "depth", "_full", "depth"
CLAIM_SECONDS = 2.0
QUICK_SECONDS = 0.6  # a reading that ends within this is shown at once, without a page that watches it


def key(name: str, *depends: object) -> str:
    """The key of a widget that depends on something: another text, another reading."""
    return ".".join([name, *map(str, depends)])


def run_id() -> str:
    """The reading the address names; empty for none."""
    return st.query_params.get(_RUN, "").strip()


def go_to_trace(run: str) -> NoReturn:
    """Open the Trace page on a reading."""
    st.switch_page("pages/3_Trace.py", query_params={_RUN: run})


def document_id() -> str:
    """The text the address names; empty for none."""
    return st.query_params.get(_DOCUMENT, "").strip()


def after_id() -> str:
    """The reading after which another question of its text is asked; empty for none."""
    return st.query_params.get(_AFTER, "").strip()


def to_trace(run: str) -> dict[str, str]:
    return {_RUN: run}


def to_document(id: str) -> dict[str, str]:
    return {_DOCUMENT: id}


def to_after(run: str) -> dict[str, str]:
    return {_AFTER: run}


def step_in_address() -> int | None:
    """The step that the address names, from 0; None where it names none. What the player writes there later is not seen here."""
    named = st.query_params.get(_STEP, "")
    return int(named) - 1 if named.isascii() and named.isdecimal() and 0 < int(named) < 10**7 else None


def is_full() -> bool:
    """Whether a reading is shown with calls, prompts and measures: as the address says, else as it was last chosen."""
    named = st.query_params.get(_DEPTH_NAME)
    full: bool = named == "full" if named else st.session_state.get(_WAS_FULL, False)
    return full


def remember_depth() -> None:
    """After the switch was used: for the session, and in the address."""
    st.session_state[_WAS_FULL] = full = st.session_state.get(DEPTH) == "Full"
    st.query_params[_DEPTH_NAME] = "full" if full else "simple"


def said(key: str) -> object:
    """What a component in the browser has said until now."""
    return st.session_state.get(key)


@st.cache_resource(max_entries=8, show_spinner=False)
def _frames(id: str, status: str, ended: str | None, _reading: Reading) -> dict[str, Any]:
    return player_data.of(_reading)


def frames(reading: Reading) -> dict[str, Any]:
    """A reading that has ended as the player takes it, kept for the next time it is shown."""
    run = reading.run
    return player_data.of(reading) if run.ended is None else _frames(run.id, *_stamp(run), reading)


def go_to_document(id: str, *, page: str = "pages/1_Library.py", notes: Sequence[str] = ()) -> NoReturn:
    """Open a text on a page, with what there is to tell about it; an empty id opens the page without one."""
    st.session_state[_NOTES] = tuple(notes)
    st.switch_page(page, query_params={_DOCUMENT: id} if id else None)


def notes() -> tuple[str, ...]:
    """What there is to tell, once."""
    told: tuple[str, ...] = st.session_state.pop(_NOTES, ())
    return told


def place(id: str) -> int:
    """Where this visitor is in a text, in characters."""
    return int(st.session_state.get(key(_AT, id), 0))


def move_to(id: str, at: int) -> None:
    st.session_state[key(_AT, id)] = at


def typed(name: str) -> Any:
    """What stands in a widget, for the callback that it set off."""
    return st.session_state.get(name)


def put(name: str, value: Any) -> None:
    """Put a value into a widget, before it is drawn."""
    st.session_state[name] = value


def model_choice() -> ModelChoice:
    """The model this visitor has chosen, with the session's key; at first the program's default."""
    chosen: ModelChoice | None = st.session_state.get(_CHOICE)
    return chosen or ModelChoice.default()


def with_choice(spec: RunSpec) -> RunSpec:
    """A reading's spec with the model this visitor has chosen, and on its terms."""
    choice = model_choice()
    return replace(
        spec,
        model=choice.id,
        api_base=choice.api_base,
        temperature=choice.temperature,
        top_p=choice.top_p,
        window=choice.window,
        caps=choice.caps,
    )


def with_window(spec: RunSpec, question: str) -> RunSpec:
    """A spec to be tried out: with the model's window, and a question in the place of none."""
    return replace(spec, window=spec.window or _made_ready(spec.model), question=spec.question or question)


def choose_model(choice: ModelChoice) -> None:
    """For this session and no other. Raises BadOptions for a model that visitors of a demo may not use."""
    if demo():
        demos.check_model(choice.id, choice.api_base, {})
    st.session_state[_CHOICE] = choice
    st.session_state[_CHOSEN] = choices_made() + 1


def forget_key() -> None:
    """The chosen model stays, its key goes."""
    choose_model(replace(model_choice(), api_key=None))


def choices_made() -> int:
    """How many models this visitor has chosen: the key of a form whose fields begin anew, the key's field empty, with each."""
    made: int = st.session_state.get(_CHOSEN, 0)
    return made


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    _keep_for_good()
    return Jobs(at_once=at_once())


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
    choice = model_choice()
    key = _key_for(choice, spec.model, spec.api_base)
    with opened() as store:
        if demo():
            demos.check_tokens(document.tokens)
            demos.check_model(spec.model, spec.api_base, spec.options)
            demos.check_readings(len(own_runs()))
            spec = replace(spec, caps=demos.capped(spec.caps))
        model = catalogue.open_model(spec.model, api_key=key)
        spec = replace(spec, window=spec.window or _made_ready(spec.model))
        run = begin(store, document, reader, spec)
        _begun()[run.id] = datetime.now(UTC)
        jobs().start(run.id, reader, Execution(model, key, width=choice.at_once))
        _wait_while(lambda: going(store.run(run.id)), QUICK_SECONDS)
    return run.id


def resume(run: Run) -> None:
    """Go on with a reading that was stopped or failed; returns when that shows in the database or in the queue."""
    choice = model_choice()
    key = _key_for(choice, run.spec["model"], run.spec.get("api_base"))
    if demo():
        if not may_change(run.id):
            raise NotFound("this is a public demo: a reading can be gone on with by who began it; begin one of your own")
        demos.check_model(run.spec["model"], run.spec.get("api_base"), run.spec.get("options", {}))
    model = catalogue.open_model(run.spec["model"], api_key=key)
    _made_ready(run.spec["model"])
    _begun()[run.id] = datetime.now(UTC)
    jobs().start(run.id, get(run.reader), Execution(model, key, width=choice.at_once))
    with Store() as store:
        _wait_while(lambda: jobs().ahead(run.id) is None and _stamp(store.run(run.id)) == _stamp(run), CLAIM_SECONDS)


def _key_for(choice: ModelChoice, model: str, api_base: str | None) -> str | None:
    """The session's key, for the model and server it was given for and no other that a reading may name."""
    return choice.api_key if (choice.id, choice.api_base) == (model, api_base) else None


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


def uploaded(data: bytes, name: str) -> Ingested:
    """What an upload holds. Raises BadFile."""
    if demo():
        demos.check_bytes(data)
    return _within(_uploaded(data, name))


@st.cache_resource(max_entries=4, show_spinner="Taking the text out of the file …")
def _uploaded(data: bytes, name: str) -> Ingested:
    return from_bytes(data, name)


def pasted(text: str) -> Ingested:
    """A pasted text, under a title of its own. Raises BadFile."""
    if demo():
        demos.check_bytes(text.encode("utf-8", "replace"))
    return _within(_pasted(text))


@st.cache_resource(max_entries=4, show_spinner=False)
def _pasted(text: str) -> Ingested:
    return from_paste(text)


def _within(ingested: Ingested) -> Ingested:
    """A text that is not too long for a demo."""
    if demo():
        demos.check_tokens(ingested.document.tokens)
    return ingested


def short(words: str) -> str:
    """A few characters that stand for a longer string in a key."""
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:8]


# What a visitor may see. In a public demo that is their own and the host's; else everything.


def demo() -> bool:
    """Whether this is a public demo (PALIMPSEST_DEMO)."""
    return demos.on()


def opened() -> Store:
    """The store with this visitor's eyes: lists hold what they may see, and what is added is theirs."""
    return Store(visitor=_visitor())


def may_see(id: str) -> bool:
    """Whether this visitor may see a document or reading. One that does not exist may be seen: looking for it says so."""
    if not demo():
        return True
    with opened() as store:
        return store.may_see(id)


def may_change(id: str) -> bool:
    """Whether this visitor may resume, cancel or delete a reading or document: in a demo, only what they made."""
    return not demo() or id in _owned()


def visible_runs(limit: int = -1, document: str | None = None) -> list[Run]:
    """Newest first; `limit` of them, or all; of one document, if given."""
    with opened() as store:
        return store.runs(limit, document=document)


def visible_documents() -> list[Shelved]:
    """Newest first."""
    with opened() as store:
        return store.documents()


def own_runs() -> list[Run]:
    """The readings this visitor began; outside a demo all of them."""
    owned = _owned() if demo() else None
    return [run for run in visible_runs() if owned is None or run.id in owned]


def add_document(document: Document) -> Shelved:
    """Keep a text, as this visitor's. Raises BadFile for one that is too long for a demo."""
    if demo():
        demos.check_tokens(document.tokens)
    with opened() as store:
        return store.add_document(document)


def delete_run(id: str) -> None:
    """Delete a reading. Raises Busy while it is under way, NotFound where it is not this visitor's to delete."""
    _must_be_mine(id)
    with opened() as store:
        store.delete_run(id)
    _forget_cached()


def delete_document(id: str) -> None:
    """Delete a document with its readings; of one that other visitors of a demo brought too, this visitor's part.

    Raises Busy while one of its readings is under way, NotFound where it is not this visitor's to delete.
    """
    _must_be_mine(id)
    with opened() as store:
        if demo():
            store.leave(id)
        else:
            store.delete_document(id)
    _forget_cached()


def _must_be_mine(id: str) -> None:
    if not may_change(id):
        raise NotFound(f"there is nothing of yours under {id!r}; it may have been deleted already")


def _forget_cached() -> None:
    document.clear()
    _reading.clear()


def _owned() -> set[str]:
    with opened() as store:
        return store.owned()


def _visitor() -> str | None:
    """Who this is, in a public demo: a name made up for the session, which stays while the page is open."""
    if not demo():
        return None
    visitor: str = st.session_state.setdefault(_VISITOR, secrets.token_hex(16))
    visits.here(visitor, jobs())
    return visitor
