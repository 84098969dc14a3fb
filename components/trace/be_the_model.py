"""You are the model: the call that waits, as a model would see it and nothing more, and the form of its reply.

Neither the question nor the text nor the way so far stands here, unless the prompt has it: a model would not see more. The
reading waits in the database, so leaving the page and coming back changes nothing. A call that is answered elsewhere, in another
tab or by somebody else, stays on the page with what was written here until it is left for the next one.
"""

from __future__ import annotations

import time

import streamlit as st

from components.html import markup, prompt_stretches
from components.session import access, database, flash, hidden_answers, process_cache, start_runs, state
from components.trace import html, keys
from components.widgets import reply_form, text_cache
from readers import get
from readers.engine.errors import NotFound, ReadingError
from readers.engine.models import catalogue
from readers.engine.record.edits import models_called
from readers.engine.run import human_model
from readers.engine.run.human_model import DisplayedCall
from readers.engine.store import Run
from readers.engine.store.waiting_calls import WaitingCall

POLL = 1.0
NEXT_SECONDS = 1.5  # how long the next call is waited for before the page is drawn without it
ABOUT = (
    "You see what a model would see at this call, and nothing more. The reading waits, and each field is saved as soon as "
    "you leave it: you can close this page and come back at any time."
)
ELSEWHERE = (
    "This call was answered elsewhere, in another tab or by another person, and that reply counts. What you wrote here was "
    "not sent; it stays here until you continue."
)
COVERED = "The text and the steps so far are hidden, as a model does not see them either. Press Resume to get the call again."


def waits(run: Run) -> bool:
    """Whether this page shows a reading: a person is its model, and it is under way or still held here with words unsent."""
    if not human_model.may_ask_person(run.spec, first=run.fork_at or 0):
        return False
    return start_runs.is_running(run) or (run.status == "finished" and _held(run.id) is not None)


def show_waiting(run: Run) -> None:
    """The call that waits, and the form of its reply; while there is none, that the next one is on its way."""
    with database.opened() as store:
        pending = store.waiting.pending(run.id) if run.status == "waiting" else None
    held = _held(run.id)
    if held is None and pending is not None:
        held = pending
        state.set_value(state.key(keys.HELD, run.id), held)
    _watch(run.id, _place(pending), run.status)
    with st.container(key="your-call"):
        if held is None:
            st.html(markup.empty("The next call is on its way."))
        else:
            _call(run, held, answered=_place(held) != _place(pending))


def show_cover(run: Run) -> None:
    """What stands in the place of a covered reading, and how to uncover it."""
    st.html(markup.aside(COVERED))
    if st.button("Show what has been read so far", key=state.key(keys.UNCOVER, run.id)):
        hidden_answers.uncover(run)
        st.rerun()


def show_stopped(run: Run) -> None:
    """Over a covered reading: whose it is, and what became of it."""
    st.html(markup.page_title("You are the model", hint=get(run.reader).title))


def _held(run_id: str) -> WaitingCall | None:
    """The call that stands on the page."""
    held: WaitingCall | None = state.value(state.key(keys.HELD, run_id))
    return held


def _place(waited: WaitingCall | None) -> tuple[int, int] | None:
    return (waited.seq, waited.attempt) if waited else None


@st.fragment(run_every=POLL)
def _watch(run_id: str, place: tuple[int, int] | None, status: str) -> None:
    """Which call it is, and Cancel. The page is drawn anew when another call waits, or the reading has ended."""
    with database.opened() as store:
        try:
            run = store.run(run_id)
        except NotFound:
            st.rerun()
        pending = store.waiting.pending(run_id) if run.status == "waiting" else None
        replies = human_model.count_human_replies(store, run_id)
    if _place(pending) != place or (run.status != status and not start_runs.is_running(run)):
        st.rerun()
    number = max(1, replies + (_held(run_id) is None or _place(_held(run_id)) == _place(pending)))
    with st.container(horizontal=True, vertical_alignment="center", key="your-turn"):
        st.html(markup.page_title("You are the model", hint=get(run.reader).title), width="content")
        st.html(html.your_turn(number, _about(run, number)), width="content")
        if start_runs.is_running(run) and access.may_change(run_id):
            # As a callback, for a press may come with the drawing that finds the page changed, and ends before it is here.
            st.button("Cancel", key=state.key(keys.CANCEL, run_id), disabled=run.cancel, on_click=_cancel, args=(run_id, place))


def _cancel(run_id: str, place: tuple[int, int] | None) -> None:
    process_cache.jobs().cancel(run_id)
    _until_drawn(run_id, place)
    state.set_value(state.key(keys.HELD, run_id), None)


def _about(run: Run, number: int) -> str:
    """How many replies a person will have been asked for in all, where this is the `number`-th; empty where that is not known."""
    try:
        found = text_cache.estimated_before(run, process_cache.document(run.document))
    except ReadingError:
        return ""
    before = human_model.first_human_call(run)
    low, high = max(number, round(found.calls.low) - before), round(found.calls.high) - before
    if found.open_end or high < number:
        return ""
    return f"about {low:,}" if low == high else f"{low:,} to {high:,}"


@st.fragment
def _call(run: Run, held: WaitingCall, answered: bool) -> None:
    """One call and its reply. `answered`: it waits no more, and somebody else replied."""
    seen = human_model.display_call(held, process_cache.document(run.document))
    key = state.key("reply", run.id, held.seq, held.attempt)
    with st.container(key=f"call-{held.seq}-{held.attempt}"):
        left, right = st.columns([1.35, 1], gap="large")
        with left:
            drawn = prompt_stretches.of_waiting(seen, own=models_called(run.spec) == (catalogue.HUMAN,))
            st.html(markup.section("", "What the model sees"))
            st.html(markup.prompt_legend(source for _, source, _ in drawn))
            st.html(markup.prompt(drawn))
        with right:
            st.html(markup.section("", "Your reply"))
            reply = _filled_in(held, seen, key, mine=access.may_change(run.id) and not answered)
            with st.container():
                if answered:
                    _left_behind(run)
                elif not access.may_change(run.id):
                    st.html(markup.aside("This reading belongs to someone else: only the person who started it can reply."))
                else:
                    _send(held, reply, key)
            st.html(markup.aside(ABOUT))


def _filled_in(held: WaitingCall, seen: DisplayedCall, key: str, *, mine: bool) -> str | None:
    """The form. What is filled in is kept with the call, so that a page opened anew begins with it."""
    last, tried = state.key(keys.FILLED, key, "kept"), state.key(keys.SEND, key, "tried")
    if mine and reply_form.filled(key) is None:
        with database.opened() as store:
            if draft := store.waiting.draft(held):
                reply_form.begin_with(key, draft)
    if state.value(state.key(key, keys.SEND)):
        state.set_value(tried, True)
    manner = reply_form.Manner(tried=bool(state.value(tried)))
    reply = reply_form.draw(seen.prompt, seen.parts, key=key, manner=manner)
    filled = reply_form.filled(key) or {}
    if mine and state.value(last) not in (None, filled):
        with database.opened() as store:
            store.waiting.save_draft(held, filled)
    state.set_value(last, filled)
    return reply


def _left_behind(run: Run) -> None:
    st.html(markup.notice("warn", [ELSEWHERE]))
    ended = not start_runs.is_running(run)
    if st.button("See the reading" if ended else "Continue with the next call", type="primary", key=state.key(keys.NEXT, run.id)):
        state.set_value(state.key(keys.HELD, run.id), None)
        st.rerun()


def _send(held: WaitingCall, reply: str | None, key: str) -> None:
    """The button, and what becomes of the reply. The button can always be pressed: what is being typed comes with the press."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        sent = st.button("Send reply", type="primary", key=state.key(key, keys.SEND))
        st.html(markup.aside("A sent reply cannot be taken back."))
    if not sent or reply is None:
        return
    try:
        with database.opened() as store:
            taken = human_model.submit_reply(store, held, reply)
    except ReadingError as error:
        flash.error(error)
        return
    if taken:
        reply_form.forget(key)
        state.set_value(state.key(keys.HELD, held.run), None)
        _until_drawn(held.run, _place(held))
    st.rerun()


def _until_drawn(run_id: str, place: tuple[int, int] | None) -> None:
    """Wait until another call waits or the reading has ended, but not long."""
    until = time.monotonic() + NEXT_SECONDS
    with database.opened() as store:
        while time.monotonic() < until:
            pending = store.waiting.pending(run_id)
            if (pending is not None and _place(pending) != place) or not start_runs.is_running(store.run(run_id)):
                return
            time.sleep(0.05)
