"""What a visitor's session remembers and the address says: the only place with session keys and query parameters.

A reading itself is never kept here: it is in the database. What a process keeps for all visitors is `shared.py`.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

import streamlit as st

from components.model_choice import ModelChoice
from readers.engine.events import Event, from_json
from readers.engine.store import Store

T = TypeVar("T")

# Keys of widgets. What a widget depends on is part of its key, so that another text or question begins with its own default.
SOURCE, SAMPLE, UPLOAD, PASTE, PICK, START = "source", "sample", "upload", "paste", "pick", "start"
KNOWN, CANCEL, RESUME = "known", "cancel", "resume"
FILTER, ADD_SOURCE, ADD, TITLE, DELETE, FROM_SHELF = "filter", "add_source", "add", "title", "delete", "from_shelf"
FIND, HITS, HEADING, TURN = "find", "hits", "heading", "turn"
READER, PRESET, CHOICES, ANSWERS, FIRST_PART = "reader", "preset", "choices", "answers", "first_part"
MODEL, TRY, OFFLINE, LOCAL_START, LOCAL_STOP, FORGET = "model", "try", "offline", "local-start", "local-stop", "forget"
PROMPT_SET, PROMPT, PROMPT_WORDS = "prompt_set", "prompt", "prompt_words"
PROMPT_BACK, PROMPT_KEEP, PROMPT_FILES = "prompt_back", "prompt_keep", "prompt_files"
PROMPT_NAME, PROMPT_SAVE, PROMPT_DELETE = "prompt_name", "prompt_save", "prompt_delete"
PROMPT_FILE, PROMPT_DOWNLOAD, PROMPT_SAID = "prompt_file", "prompt_download", "prompt_said"
BE_MODEL, MODEL_BACK, MODEL_BEFORE = "be_model", "model_back", "_model_before"
HELD, FILLED, SEND, NEXT, UNCOVER = "_held", "_filled", "send", "next", "uncover"
WHAT_IF, CHANGE, NEW_REPLY, NEW_PROMPT, NEW_TEXT = "what_if", "change", "new_reply", "new_prompt", "new_text"
NEW_MODEL, DELETED, EDITED = "new_model", "_deleted", "_edited"
LEAVE_OUT, FIRM, DROPPED, SAMPLES, MOST_CALLS, TRY_IT = "leave_out", "firm", "dropped", "samples", "most_calls", "try_it"
EXPERIMENT, REPLIES, ONE_SAMPLE = "experiment", "replies", "one_sample"
WHICH, HEAT, FORK, FORK_NAME, MEMBER = "which", "heat", "fork", "fork_name", "member"
_DRAFTS, _PROMPT_FILES = "_drafts", "_prompt_files"
_SEEN = "_seen"
_KEPT = "_kept"
_CHOICE = "_model_choice"
_CHOSEN = "_models_chosen"
_VISITOR = "_visitor"
_RUN, _DOCUMENT, _AFTER = "run", "document", "after"
_AT, _NOTES, _SHOWN = "_at", "_notes", "_shown"
COMPARED, COMPARE, PAIR, LISTED, TICKED = "compared", "compare", "pair", "compare-listed", "compare-ticked"
_RUNS, MOST_COMPARED = "runs", 8
# The list of readings: what the address may ask of it, the fields that ask it, and what is done with those that are ticked.
LIST, PAGE_OF_LIST, TICK, TICK_ALL = "readings", "page", "tick", "tick_all"
LIST_ASKS = ("words", "reader", "model", "text", "ended", "tag", "forks", "samples", "sort", PAGE_OF_LIST)
TAG, UNTAG, TAKE_IN, NAME, NOTE, SAVE = "tag", "untag", "take_in", "name", "note", "save"
_TICKED, _SAID = "_ticked", "_said"
_STEP, _DEPTH_NAME, _WAS_FULL, DEPTH = "at", "depth", "_full", "depth"


def key(name: str, *depends: object) -> str:
    """The key of a widget that depends on something: another text, another reading."""
    return ".".join([name, *map(str, depends)])


def run_id() -> str:
    """The reading the address names; empty for none."""
    return st.query_params.get(_RUN, "").strip()


def go_to_trace(run: str) -> NoReturn:
    """Open the Trace page on a reading."""
    st.switch_page("pages/3_Trace.py", query_params={_RUN: run})


def keep_address(run: str) -> None:
    """Let the browser's address name the reading that is shown: where a link leads from one to another on the same page,
    Streamlit shows the other one and leaves the address as it was."""
    before = st.session_state.get(_SHOWN)
    st.session_state[_SHOWN] = run
    if before not in (None, run):
        st.query_params.from_dict(st.query_params.to_dict())


def document_id() -> str:
    """The text the address names; empty for none."""
    return st.query_params.get(_DOCUMENT, "").strip()


def after_id() -> str:
    """The reading after which another question of its text is asked; empty for none."""
    return st.query_params.get(_AFTER, "").strip()


def to_trace(run: str) -> dict[str, str]:
    return {_RUN: run}


def to_full(run: str) -> dict[str, str]:
    """A reading with its calls, prompts and measures."""
    return {**to_trace(run), _DEPTH_NAME: "full"}


def compared_ids() -> list[str]:
    """The readings that the address names to be compared, each once, `MOST_COMPARED` at most."""
    named = [id.strip() for id in st.query_params.get(_RUNS, "").split(",")]
    return list(dict.fromkeys(id for id in named if id))[:MOST_COMPARED]


def to_compare(ids: Sequence[str]) -> dict[str, str]:
    return {_RUNS: ",".join(ids[:MOST_COMPARED])}


def go_to_compare(ids: Sequence[str]) -> NoReturn:
    """Open the Compare page on these readings."""
    st.switch_page("pages/4_Compare.py", query_params=to_compare(ids))


def list_asked() -> dict[str, str]:
    """What the address asks of the list of readings."""
    return {name: value for name in LIST_ASKS if (value := st.query_params.get(name, "").strip())}


def ask_list(asks: Mapping[str, str]) -> None:
    """Put into the address what is asked of the list, so that it can be linked."""
    st.query_params.from_dict({name: value for name, value in asks.items() if value})


def ticked() -> dict[str, None]:
    """The readings that are ticked in the list, in the order they were; they may not be listed at the moment."""
    found: dict[str, None] = st.session_state.setdefault(_TICKED, {})
    return found


def say(tone: str, sentence: str) -> None:
    """Leave one more sentence for the next drawing."""
    st.session_state.setdefault(_SAID, []).append((tone, sentence))


def all_said() -> list[tuple[str, str]]:
    """What was left there, once."""
    left: list[tuple[str, str]] = st.session_state.pop(_SAID, [])
    return left


def to_document(id: str) -> dict[str, str]:
    return {_DOCUMENT: id}


def to_after(run: str) -> dict[str, str]:
    return {_AFTER: run}


def step_in_address() -> int | None:
    """The step that the address names, from 0; None where it names none. What the player writes there later is not seen here."""
    named = st.query_params.get(_STEP, "")
    return int(named) - 1 if named.isascii() and named.isdecimal() and 0 < int(named) < 10**7 else None


def is_full() -> bool:
    """Whether a reading is shown with calls, prompts and measures: as it was last chosen, at first as the address says.

    The address is not asked again: what a browser sends of it may be older than the choice.
    """
    full: bool = st.session_state.setdefault(_WAS_FULL, st.query_params.get(_DEPTH_NAME) == "full")
    return full


def remember_depth(at: int | None) -> None:
    """After the switch was used: for the session, and in the address, which is written anew and goes on naming the step."""
    st.session_state[_WAS_FULL] = full = st.session_state.get(DEPTH) == "Full"
    step = {} if at is None else {_STEP: str(at + 1)}
    st.query_params.update({_DEPTH_NAME: "full" if full else "simple", **step})


def kept(stamp: tuple[object, ...], make: Callable[[], T]) -> T:
    """What was made last, as long as its stamp is the same: a poll that finds nothing new makes nothing anew."""
    last: tuple[tuple[object, ...], T] | None = st.session_state.get(_KEPT)
    if last is None or last[0] != stamp:
        last = stamp, make()
        st.session_state[_KEPT] = last
    return last[1]


def said(key: str) -> object:
    """What a component in the browser has said until now."""
    return st.session_state.get(key)


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


def drafts(*on: str) -> dict[str, str]:
    """Words as they were typed, by what they stand for; they outlast the fields they were typed into."""
    kept: dict[tuple[str, ...], dict[str, str]] = st.session_state.setdefault(_DRAFTS, {})
    return kept.setdefault(on, {})


def prompt_files(reader: str) -> dict[str, Mapping[str, str]]:
    """The prompt sets that were uploaded for a reader in this session, by file name."""
    kept: dict[str, dict[str, Mapping[str, str]]] = st.session_state.setdefault(_PROMPT_FILES, {})
    return kept.setdefault(reader, {})


def keep_prompt_file(reader: str, name: str, templates: Mapping[str, str], *, most: int) -> None:
    """Of more than `most` the one that was uploaded first goes."""
    kept = prompt_files(reader)
    kept.pop(name, None)
    kept[name] = templates
    while len(kept) > most:
        kept.pop(next(iter(kept)))


def tell(name: str, tone: str, sentence: str) -> None:
    """Leave a sentence for the next drawing."""
    st.session_state[name] = tone, sentence


def told(name: str) -> tuple[str, str]:
    """What was left there, once."""
    said: tuple[str, str] = st.session_state.pop(name, ("", ""))
    return said


def model_choice() -> ModelChoice:
    """The model this visitor has chosen, with the session's key; at first the program's default."""
    chosen: ModelChoice | None = st.session_state.get(_CHOICE)
    return chosen or ModelChoice.default()


def keep_choice(choice: ModelChoice) -> None:
    """For this session and no other. Whether the visitor may is `access.py`."""
    st.session_state[_CHOICE] = choice
    st.session_state[_CHOSEN] = choices_made() + 1


def visitor() -> str:
    """A name made up for the session, which stays while the page is open."""
    name: str = st.session_state.setdefault(_VISITOR, secrets.token_hex(16))
    return name


def choices_made() -> int:
    """How many models this visitor has chosen: the key of a form whose fields begin anew, the key's field empty, with each."""
    made: int = st.session_state.get(_CHOSEN, 0)
    return made


def events_so_far(store: Store, run: str) -> Sequence[Event]:
    """All events of a reading under way, of which only the new ones are fetched."""
    seen: tuple[str, list[Event]] = st.session_state.get(_SEEN, ("", []))
    if seen[0] != run:
        seen = (run, [])
    fresh = store.tape(run).events_after(len(seen[1]) - 1)
    events = [*seen[1], *map(from_json, fresh)]
    st.session_state[_SEEN] = (run, events)
    return events


def short(words: str) -> str:
    """A few characters that stand for a longer string in a key."""
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:8]
