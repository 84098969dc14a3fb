"""The Trace page: a reading's question and answer, the player over all its steps, and below it what belongs to the step.

The browser draws what changes with the step (`player/mount.py`); a fragment below it (`below.py`) learns where the step has
settled and draws the call. `live.py` follows a running reading with the same player.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.player import cache, ending, mount
from components.session import access, address, flash, hidden_answers, process_cache, start_runs, state
from components.session.samples import bring
from components.trace import be_the_model, failing, found
from components.trace.below import show_below
from components.trace.forks import show_fork_origin
from components.widgets import conversation, reading_links, reading_view, text_notices
from readers import get, is_inquiry
from readers.engine.errors import NotFound, ReadingError
from readers.engine.store import Reading, Run

ELSEWHERE = "It cannot be resumed here: what comes next only the program knows. Watch it again."


def show_trace(run_id: str) -> None:
    """Draw the reading with this id in whatever state it is; without one, the latest readings."""
    run = _find(run_id)
    if run is None:
        reading_links.show_recent()
    elif is_inquiry(run.reader):
        from components.trace import experiments

        experiments.show_alone(run)
    elif be_the_model.waits(run):
        be_the_model.show_waiting(run)
    elif start_runs.is_running(run):
        from components.trace import live

        live.show_going(run)
    elif hidden_answers.is_covered(run):
        be_the_model.show_stopped(run)
        st.html(markup.notice(wording.state(run).tone, wording.ending(run)))
        _show_resume(run)
        _resume_if_asked(run)
        be_the_model.show_cover(run)
    else:
        _show_ended(process_cache.ended_reading(run))


def _find(run_id: str) -> Run | None:
    if not run_id:
        st.html(markup.page_title("No reading chosen", hint="choose a reading, or read a text"))
        return None
    try:
        with access.opened() as store:
            return store.runs.get(run_id)
    except NotFound:
        if bring(run_id):
            return _find(run_id)
    unknown = f"There is no reading {run_id[:40]!r} here."
    why = access.why_gone("It may be on another machine or deleted, or its address may be incomplete.")
    st.error(markup.plain(f"{unknown} {why} The latest readings that you can see are listed below."))
    return None


def _show_ended(reading: Reading) -> None:
    run = reading.run
    with access.opened() as store:
        hidden = hidden_answers.hidden_questions(store)
        known = hidden_answers.known_answer(store, run, hidden)
        kept_back = hidden_answers.is_hidden(run, hidden)
        planted = None if kept_back else store.planted.of(run.document)
    notes = [wording.KEPT_BACK] if kept_back else []
    if earlier := _as_recorded(run):
        notes.append(earlier)
    if run.status != "finished" and _is_elsewhere(run):
        notes.append(ELSEWHERE)
    act = partial(_show_resume, run) if _may_resume(run) else None
    gold = reading_view.show_head(reading, known, note=" ".join(notes), hides_end=address.hides_end(), act=act)
    _resume_if_asked(run)
    shown = {"known": cache.known_evidence(reading, known) if known and gold else None, "planted": planted and [*planted]}
    show_fork_origin(reading)
    found.show(reading)
    mount.link({"run": run.id, "compare": reading_links.address_of_comparing(run), **shown}, key=state.key("gold", run.id))
    at = reading_view.first_step(reading)
    end = ending.of(reading, known)
    mount.mount(
        cache.frames(reading), key=state.key("stage", run.id), at=at, hides_end=address.hides_end(), question=run.question,
        ending=end, algorithm=address.is_full(), tour=True,
    )  # fmt: skip
    text_notices.show(reading.document, reading=reading)
    if not address.hides_end():
        failing.show(run.spec, reading.trace.events, ended=(run.id, reading.trace))
    show_below(reading, known if gold else None)
    conversation.show_of_reading(run, hides_end=address.hides_end())


def _as_recorded(run: Run) -> str:
    """That an earlier version of its reader made a reading; empty if this one did."""
    reader = get(run.reader)
    return run.as_recorded_in_words(reader.title, reader.version)


def _may_resume(run: Run) -> bool:
    return run.status != "finished" and not _as_recorded(run) and not _is_elsewhere(run) and access.may_change(run.id)


def _is_elsewhere(run: Run) -> bool:
    """Whether it is the record of a program that is not here."""
    return run.parent is None and not get(run.reader).starts


def _show_resume(run: Run) -> None:
    """Draw the button that resumes a reading that did not end, or why it cannot be resumed."""
    if _may_resume(run):
        st.button("Resume", type="primary", key=state.key("resume", run.id))
    elif run.status != "finished" and (earlier := _as_recorded(run)):
        st.caption(earlier)


def _resume_if_asked(run: Run) -> None:
    """Resume the reading if that was pressed."""
    if not (_may_resume(run) and state.value(state.key("resume", run.id))):
        return
    try:
        with st.spinner("Resuming …"):
            start_runs.resume(run)
    except ReadingError as error:
        flash.error(error)
        return
    st.rerun()
