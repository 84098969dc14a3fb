"""The address of a page: what its query parameters name, and links to other pages. The only module that reads or writes them.

`to_...` returns the parameters of a link or a jump to a page, `set_...` changes the address of the page that is drawn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NoReturn

import streamlit as st

from components.session import flash
from readers.engine.text.document import Span

BENCH = "bench"  # the view of a project that is shown at first
MOST_COMPARED = 10
LAB = "lab"  # the view of the page Learn with planted facts
PAGE_OF_LIST = "page"
LIST_FILTERS = ("words", "reader", "model", "text", "ended", "tag", "forks", "samples", "said", "sort", PAGE_OF_LIST)
_RUN, _STEP, _DEPTH, _STAGE, _DOCUMENT, _AFTER, _RUNS = "run", "at", "depth", "stage", "document", "after", "runs"
_SET, _BATCH, _PROJECT, _VIEW, _DISAGREEMENT, _CELL = "set", "batch", "project", "view", "dispute", "cell"
_END, _HIDDEN, _PLAY, _READER, _FACT, _EVIDENCE = "end", "hidden", "play", "reader", "fact", "evidence"
_FIND = "find"
_WHICH, _AMONG, _WHOSE = "which", "among", "whose"
_LESSON, _PART, _CHOSEN, _CODE, _SCREEN = "lesson", "part", "chosen", "code", "screen"
_PLAYERS = (_STEP, _DEPTH, _STAGE, _END, _PLAY, _FACT)
_ASKED, _FULL, _BENCH_RUN, _FOUND = "_asked", "_full", "_sat", "_found"  # what the session remembers


def _named(name: str) -> str:
    return st.query_params.get(name, "").strip()


def _set(name: str, value: str) -> None:
    if value:
        st.query_params[name] = value
    elif name in st.query_params:
        del st.query_params[name]


def arrive(page: str) -> None:
    """Make the browser show the address that was asked for, once a link has led to another page or to other parameters.

    Streamlit leaves the old address after a link to the current page. And a page that is left while its last word about the
    address is under way gives its parameters to the next page's address. What the player writes is not compared: the value known
    here may be older.
    """
    asked = page, {name: value for name, value in st.query_params.to_dict().items() if name not in _PLAYERS}
    if st.session_state.get(_ASKED, asked) != asked:
        st.query_params.from_dict(st.query_params.to_dict())
    st.session_state[_ASKED] = asked


# A reading


def run_id() -> str:
    """The reading the address names; empty for none."""
    return _named(_RUN)


def to_trace(run_id: str) -> dict[str, str]:
    return {_RUN: run_id}


def to_fact(run_id: str, fact: Span) -> dict[str, str]:
    """A reading with a place of its text followed."""
    return {**to_trace(run_id), _FACT: f"{fact.start}-{fact.end}"}


def to_full(run_id: str) -> dict[str, str]:
    """A reading with its calls, prompts and measures."""
    return {**to_trace(run_id), _DEPTH: "full"}


def to_step(run_id: str, step: int) -> dict[str, str]:
    """A reading at a step, from 1."""
    return {**to_trace(run_id), **at_step(step)}


def to_found(run_id: str, words: str, *, step: int, full: bool = False) -> dict[str, str]:
    """A reading at a step, from 1, with words marked in it; in Full where only its calls show them."""
    return {**to_step(run_id, step), _FIND: words, **({_DEPTH: "full"} if full else {})}


def words_to_find() -> str:
    """The words that the address asks to mark in a reading; empty for none. Whoever comes by such an address sees the reading in
    Full if it says so, whatever was chosen before."""
    words = _named(_FIND)
    arrival = (run_id(), _named(_STEP), words)
    if words and st.session_state.get(_FOUND) != arrival:
        st.session_state[_FOUND] = arrival
        if st.query_params.get(_DEPTH) == "full" and not is_full():
            st.session_state[_FULL] = True
            st.session_state.pop("depth", None)  # the switch, which begins with what is chosen
    return words


def find_no_more() -> None:
    """Take the words to mark out of the address."""
    _set(_FIND, "")


def to_watch(run_id: str, step: int = 1) -> dict[str, str]:
    """A reading that plays from a step (from 1), with nothing shown that is later than the step."""
    return {**to_step(run_id, step), _END: _HIDDEN, _PLAY: "1"}


def at_step(step: int | None) -> dict[str, str]:
    """A step of a reading, from 1, for a link to the reading."""
    return {} if step is None else {_STEP: str(step)}


def hides_end() -> bool:
    """Whether the address asks that nothing is shown that is later than the step. What the player writes there later is not seen
    here."""
    return _named(_END) == _HIDDEN


def step() -> int | None:
    """The step the address names, from 0; None for none. What the player writes there later is not seen here."""
    named = st.query_params.get(_STEP, "")
    return int(named) - 1 if named.isascii() and named.isdecimal() and 0 < int(named) < 10**7 else None


def is_full() -> bool:
    """Whether a reading is shown with calls, prompts and measures: as last chosen, at first as the address says.

    The address is not asked again: the browser's copy may be older than the choice.
    """
    full: bool = st.session_state.setdefault(_FULL, st.query_params.get(_DEPTH) == "full")
    return full


def set_full(full: bool, *, step: int | None) -> None:
    """Remember the choice for the session, and write it to the address, which still names the step (from 0).

    What is chosen already changes nothing: a late message of a page that was left reports its switch as chosen, and its address.
    """
    if full == is_full():
        return
    st.session_state[_FULL] = full
    _set(_STAGE, "")  # the player puts it there and takes it out; the value known here may be older
    st.query_params.update({_DEPTH: "full" if full else "simple", **at_step(None if step is None else step + 1)})


# A class


def class_code() -> str:
    """The code of the class that the address names, as it was typed; empty for none."""
    return _named(_CODE)


def is_class_screen() -> bool:
    """Whether the room's screen of the class is meant, a window of who leads it."""
    return _named(_SCREEN) == "room"


def to_class(code: str, *, stage: bool = False) -> dict[str, str]:
    """A class; on Stage, for who leads it."""
    return {_CODE: code, **({_STAGE: "1"} if stage else {})}


# Texts


def document_id() -> str:
    """The text the address names; empty for none."""
    return _named(_DOCUMENT)


def to_document(document_id: str) -> dict[str, str]:
    return {_DOCUMENT: document_id}


def go_to_document(document_id: str, *, page: str = "pages/1_Library.py", notes: Sequence[str] = ()) -> NoReturn:
    """Open a text on a page, with notes about it; an empty id opens the page without a text."""
    for note in notes:
        flash.leave("info", note)
    st.switch_page(page, query_params=to_document(document_id) if document_id else None)


def previous_run_id() -> str:
    """The reading after which another question about its text is asked; empty for none."""
    return _named(_AFTER)


def to_next_question(run_id: str) -> dict[str, str]:
    """Another question about the text of a reading, with its settings."""
    return {_AFTER: run_id}


def reader() -> str:
    """The id of the reader that the address proposes for a new reading; empty for none."""
    return _named(_READER)


def to_reader(reader_id: str) -> dict[str, str]:
    """A new reading by a reader."""
    return {_READER: reader_id}


# Several readings


def compared_run_ids() -> list[str]:
    """The readings to compare, each once, `MOST_COMPARED` at most."""
    named = [one.strip() for one in st.query_params.get(_RUNS, "").split(",")]
    return list(dict.fromkeys(one for one in named if one))[:MOST_COMPARED]


def to_compare(run_ids: Sequence[str], *, fact: Span | None = None) -> dict[str, str]:
    """Readings to compare, and a place of their text that is followed through them, if given."""
    followed = {} if fact is None else {_FACT: f"{fact.start}-{fact.end}"}
    return {_RUNS: ",".join(run_ids[:MOST_COMPARED]), **followed}


def fact() -> Span | None:
    """The place of the text that the address asks to follow, in characters; None for none."""
    start, dash, end = _named(_FACT).partition("-")
    numbers = [int(one) for one in (start, end) if dash and one.isascii() and one.isdecimal() and len(one) < 10]
    return Span(*numbers) if len(numbers) == 2 else None


def list_filters() -> dict[str, str]:
    """What the address asks of the list of readings."""
    return {name: value for name in LIST_FILTERS if (value := _named(name))}


def set_list_filters(filters: Mapping[str, str]) -> None:
    """Put the filters of the list into the address, so that it can be linked."""
    st.query_params.from_dict({name: value for name, value in filters.items() if value})


# Question sets and batches


def question_set_id() -> str:
    """The question set the address names; empty for none."""
    return _named(_SET)


def batch_id() -> str:
    """The batch the address names; empty for none."""
    return _named(_BATCH)


def to_question_set(set_id: str) -> dict[str, str]:
    return {_SET: set_id}


def to_batch(batch_id: str) -> dict[str, str]:
    return {_BATCH: batch_id}


def evidence() -> str | None:
    """Which of a batch's readings the address lists, by what became of their evidence; empty for all that were followed, None
    where it does not ask to follow the evidence."""
    return _named(_EVIDENCE) if _EVIDENCE in st.query_params else None


def set_evidence(chosen: str) -> None:
    """Make the address ask to follow a batch's evidence, and list the chosen readings; empty for all."""
    st.query_params[_EVIDENCE] = chosen


def selection() -> tuple[str, str, list[str]]:
    """Which readings of an evaluation the address shows: of what kind, among which part, by which readers; each may be empty."""
    return _named(_WHICH), _named(_AMONG), st.query_params.get_all(_WHOSE)


def set_selection(which: str, among: str, whose: Sequence[str]) -> None:
    """Make the address show these readings of an evaluation; empty for all."""
    _set(_WHICH, which)
    _set(_AMONG, among)
    if [*whose] != st.query_params.get_all(_WHOSE):
        st.query_params[_WHOSE] = [*whose]


def set_question_set(set_id: str) -> None:
    """Make the address name a question set, and no batch."""
    _set(_BATCH, "")
    _set(_SET, set_id)


# Projects


def project_id() -> str:
    """The project the address names; empty for none."""
    return _named(_PROJECT)


def project_view() -> str:
    """The view of a project that the address names; empty for none."""
    return _named(_VIEW)


def to_project(project_id: str, view: str = BENCH, *, run: str = "") -> dict[str, str]:
    """A view of a project, at a reading if given. No address names an annotator: a link is opened under the visitor's own
    name."""
    parameters = {_PROJECT: project_id, _VIEW: view, _RUN: run}
    return {name: value for name, value in parameters.items() if value}


def open_project(project_id: str, view: str = BENCH, *, run: str = "") -> NoReturn:
    """Draw the page again on a view of a project; an empty id leads to the list of projects."""
    name_project(project_id, view, run=run)
    st.rerun()


def name_project(project_id: str, view: str = BENCH, *, run: str = "") -> None:
    """Put a view of a project into the address, in the place of all that is there but the depth."""
    depth = {_DEPTH: "full"} if is_full() else {}
    st.query_params.from_dict({**to_project(project_id, view, run=run), **depth} if project_id else {})


def set_project(project_id: str, view: str, *, run: str = "") -> None:
    """Put what is shown into the address, and keep the other parameters of a view. The step goes when the reading changes."""
    if run != run_id():
        _set(_STEP, "")
    for name, value in {**to_project(project_id, view), **to_trace(run)}.items():
        if value and st.query_params.get(name) != value:
            st.query_params[name] = value


def to_bench(project_id: str) -> dict[str, str]:
    """The bench of a project, at the reading last labelled there in this session."""
    return to_project(project_id, run=st.session_state.get(f"{_BENCH_RUN}.{project_id}", ""))


def remember_bench_run(project_id: str, run_id: str) -> None:
    """Remember the reading that is labelled on a project's bench; empty for none."""
    st.session_state[f"{_BENCH_RUN}.{project_id}"] = run_id


def to_new_project(batch_id: str = "") -> dict[str, str]:
    """The list of projects with the form for a new one, with the readings of a batch if given."""
    return {_BATCH: batch_id} if batch_id else {}


def go_to_new_project(batch_id: str = "") -> NoReturn:
    """Open the Annotate page where a project is made."""
    st.switch_page("pages/5_Annotate.py", query_params=to_new_project(batch_id) or None)


def disagreement_run() -> str:
    """The reading of the disagreement that the address names, as links of earlier versions do; empty for none."""
    return _named(_DISAGREEMENT).partition(".")[0]


def set_adjudicated(run_id: str) -> None:
    """Make the address name the reading that is decided; empty for the list of disagreements."""
    for name in (_DISAGREEMENT, _STEP):
        _set(name, "")
    _set(_RUN, run_id)


def open_cell() -> tuple[str, ...]:
    """The cell of a table that the address asks to open, as [table, row, column]; empty for none."""
    try:
        found = json.loads(st.query_params.get(_CELL, "[]"))
    except (ValueError, RecursionError):
        return ()
    return tuple(found) if isinstance(found, list) and all(isinstance(one, str) for one in found) else ()


def set_open_cell(cell: Sequence[str]) -> None:
    """Make the address ask for the readings behind a cell; empty for none."""
    _set(_CELL, json.dumps(cell) if cell else "")


# Learn


def lesson_id() -> str:
    """The lesson that the address names; empty for none."""
    return _named(_LESSON)


def lesson_place() -> tuple[int, int]:
    """The section of the lesson and the part of it that the address names, each from 0, `part=3.2`; the first for none."""
    section, _, part = _named(_PART).partition(".")
    numbers = [int(one) - 1 if one.isascii() and one.isdecimal() and 0 < int(one) < 100 else 0 for one in (section, part)]
    return numbers[0], numbers[1]


def lesson_choices() -> str:
    """What was chosen in the lesson, as `set_lesson` had it; empty for nothing."""
    return _named(_CHOSEN)


def to_lesson(lesson_id: str) -> dict[str, str]:
    return {_LESSON: lesson_id}


def set_lesson(section: int, part: int, chosen: str) -> None:
    """Make the address name a section and part of the lesson that is shown, each from 0, and what was chosen so far."""
    place = f"{section + 1}.{part + 1}" if part else str(section + 1) if section else ""
    for name, value in ((_PART, place), (_CHOSEN, chosen)):
        if value != _named(name):
            _set(name, value)


def learn_view() -> str:
    """What the address asks of the page Learn in addition to its lessons; empty if nothing."""
    return _named(_VIEW)


def to_learn(view: str = "") -> dict[str, str]:
    return {_VIEW: view} if view else {}


def to_lab(batch_id: str = "") -> dict[str, str]:
    """The planted-fact lab, at the results of a batch if given."""
    return {**to_learn(LAB), **(to_batch(batch_id) if batch_id else {})}
