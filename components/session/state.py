"""What a visitor's session remembers and the address says: the only place with session keys and query parameters.

A reading itself is never kept here: it is in the database. What a process keeps for all visitors is `shared.py`.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar
from urllib.parse import unquote

import streamlit as st

from components.session.model_choice import ModelChoice
from readers.engine.errors import BadOptions
from readers.engine.labels.label import annotator_name
from readers.engine.record.events import Event, from_json
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
# Question sets and batches.
ASK_FILES, SET_NAME, SET_KEEP, SET_DELETE, SET_PAGE = "ask_files", "set_name", "set_keep", "set_delete", "set_page"
VARIANT_READERS, VARIANT_MODELS, GIVE_CHOICES, FIRST_ONES = "variant_readers", "variant_models", "give_choices", "first_ones"
BATCH_START, BATCH_CANCEL, BATCH_RESUME, BATCH_DELETE = "batch_start", "batch_cancel", "batch_resume", "batch_delete"
BATCH_PROJECT, BATCH_ONLY, BATCH_PAGE = "batch_project", "batch_only", "batch_page"
_SET, _BATCH = "set", "batch"
# The bench: the project, what of it is shown, and who looks at it.
BENCH, ANNOTATOR, JOIN, STAGE_ON, SIGN_IN = "bench", "annotator", "join", "stage_on", "sign_in"
_PROJECT, _VIEW, _SAT, _PANELS = "project", "view", "_sat", "_panels"
NAMED, NAME_COOKIE = "_annotator", "palimpsest_annotator"
# Projects, their groups of notes and their codebook.
PROJECT, PROJECT_FROM, PROJECT_FILES, PROJECT_ACT = "project", "project_from", "project_files", "project_act"
PROJECT_LIST, PROJECT_PAGE, GROUP, NOTE_TICK, BOOK = "project_list", "project_page", "group", "note_tick", "book"
_GATHERED, _GROUPING = "_gathered", "_grouping"
# Agreement and results of a project.
QUEUE, QUEUE_PAGE, DECIDE, REASON, RULE, COUNTED_BY = "queue", "queue_page", "decide", "reason", "rule", "counted_by"
CELLS, CELL_PAGE, LABELS_OUT, LABELS_IN, WITHOUT_AGAIN = "cells", "cell_page", "labels_out", "labels_in", "without_again"
_DISPUTE, _CELL = "dispute", "cell"
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


def keep_reading_in_address(run: str) -> None:
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


def keep_address() -> None:
    """Write what the address asks for anew: after a link to the page one is on, the browser does not show it, and would lose it
    at the next click."""
    if st.query_params:
        st.query_params.from_dict(st.query_params.to_dict())


def set_id() -> str:
    """The question set the address names; empty for none."""
    return st.query_params.get(_SET, "").strip()


def batch_id() -> str:
    """The batch the address names; empty for none."""
    return st.query_params.get(_BATCH, "").strip()


def to_set(id: str) -> dict[str, str]:
    return {_SET: id}


def to_batch(id: str) -> dict[str, str]:
    return {_BATCH: id}


def go_to_questions(asks: Mapping[str, str]) -> NoReturn:
    """Open the Questions page on a set, a batch, or neither."""
    st.switch_page("pages/5_Questions.py", query_params=dict(asks) or None)


def project_id() -> str:
    """The project the address names; empty for none."""
    return st.query_params.get(_PROJECT, "").strip()


def view_of_project() -> str:
    """What of a project the address asks for; empty for nothing of its own."""
    return st.query_params.get(_VIEW, "").strip()


def to_project(id: str, view: str = BENCH, *, run: str = "") -> dict[str, str]:
    """A view of a project, at a reading if one is given. Who looks is in no address: whoever opens a link is who they are."""
    asks = {_PROJECT: id, _VIEW: view, _RUN: run}
    return {name: value for name, value in asks.items() if value}


def open_project(id: str, view: str = BENCH, *, run: str = "") -> NoReturn:
    """Draw the page anew on a view of a project; an empty id leads to the list of projects."""
    depth = {_DEPTH_NAME: "full"} if is_full() else {}
    st.query_params.from_dict({**to_project(id, view, run=run), **depth} if id else {})
    st.rerun()


def stay_at(id: str, view: str, *, run: str = "") -> None:
    """Let the address say what is shown, and leave in it whatever else a view asks there. Of another reading than it names, the
    step goes."""
    if run != run_id():
        _ask(_STEP, "")
    for name, value in {**to_project(id, view), **({_RUN: run} if run else {})}.items():
        if st.query_params.get(name) != value:
            st.query_params[name] = value


def sit_at(project: str, run: str) -> None:
    """Remember the reading that somebody is at on a project's bench; empty for none."""
    st.session_state[key(_SAT, project)] = run


def to_bench(project: str) -> dict[str, str]:
    """The bench of a project, at the reading one was at in this session."""
    return to_project(project, run=st.session_state.get(key(_SAT, project), ""))


def annotator_named() -> str:
    """The name that this visitor chose in this session, else the one that this browser keeps in a cookie; empty for none. Anybody
    can write a cookie: one that holds no name is none."""
    name = annotator_to_keep()
    if name is None:
        try:
            return annotator_name(unquote(st.context.cookies.get(NAME_COOKIE, "")))
        except BadOptions:
            return ""
    return name


def annotator_to_keep() -> str | None:
    """What this browser is to remember: the name chosen in this session, empty if it was given up, None where neither was."""
    name: str | None = st.session_state.get(NAMED)
    return name


def name_annotator(name: str) -> None:
    """For this session; empty to choose anew."""
    st.session_state[NAMED] = name


def at_step(step: int | None) -> dict[str, str]:
    """A step of a reading, from 1, for a link to the reading."""
    return {} if step is None else {_STEP: str(step)}


def to_new_project(batch: str = "") -> dict[str, str]:
    """The list of projects, with a new one to be made, of the readings of a batch if one is given."""
    return {_BATCH: batch} if batch else {}


def to_step(run: str, step: int) -> dict[str, str]:
    """A reading at a step, from 1."""
    return {**to_trace(run), _STEP: str(step)}


def dispute_id() -> str:
    """The disagreement that the address names; empty for none."""
    return st.query_params.get(_DISPUTE, "").strip()


def open_dispute(id: str) -> None:
    """Let the address name a disagreement, or none."""
    _ask(_DISPUTE, id)


def cell_opened() -> tuple[str, ...]:
    """The cell of a table whose readings the address asks for, as [table, row, column]; empty for none."""
    try:
        found = json.loads(st.query_params.get(_CELL, "[]"))
    except (ValueError, RecursionError):
        return ()
    return tuple(found) if isinstance(found, list) and all(isinstance(one, str) for one in found) else ()


def open_cell(cell: Sequence[str]) -> None:
    """Let the address ask for the readings behind a cell, or for none."""
    _ask(_CELL, json.dumps(cell) if cell else "")


def _ask(name: str, value: str) -> None:
    if value:
        st.query_params[name] = value
    elif name in st.query_params:
        del st.query_params[name]


def labels_taken(project: str, *, once_more: bool = False) -> int:
    """How often labels were taken into a project in this session: the key of the field that takes files, which is empty after."""
    name = key(LABELS_IN, project)
    st.session_state[name] = made = st.session_state.get(name, 0) + once_more
    return int(made)


def go_to_new_project(batch: str = "") -> NoReturn:
    """Open the Annotate page where a project is made."""
    st.switch_page("pages/5_Annotate.py", query_params=to_new_project(batch) or None)


def gathered(project: str) -> dict[str, None]:
    """The readings taken in from files for a project that is being made (empty id) or added to, in order."""
    found: dict[str, None] = st.session_state.setdefault(key(_GATHERED, project), {})
    return found


def grouping(project: str, annotator: str) -> dict[str, Any]:
    """Where an annotator is in grouping their notes: those chosen, the one they are at, and what was done last, for undo."""
    kept: dict[str, Any] = st.session_state.setdefault(key(_GROUPING, project, annotator), {})
    return kept


def panel(key: str) -> dict[str, Any]:
    """What is kept of one label panel: the number of the last message that was taken, and what it was answered."""
    panels: dict[str, dict[str, Any]] = st.session_state.setdefault(_PANELS, {})
    return panels.setdefault(key, {})


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
