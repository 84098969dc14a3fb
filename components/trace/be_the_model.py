"""You are the model: the waiting call exactly as a model would see it, and the form for the reply.

The page hides the question, the text and the steps so far unless the prompt contains them: a model would not see more. The
reading waits in the database, so leaving the page and coming back changes nothing. A call answered elsewhere, in another tab or
by another person, stays on the page with what was written here until the person continues with the next one.
"""

from __future__ import annotations

import time
from functools import partial
from html import escape

import streamlit as st

from components.html import markup, prompt_stretches
from components.html.words import wording
from components.session import access, database, flash, hidden_answers, process_cache, start_runs, state
from components.session.drawing import fragment
from components.widgets import progress, reply_form, text_cache
from readers import get
from readers.engine.errors import NotFound, ReadingError
from readers.engine.models import catalogue
from readers.engine.record.edits import models_called
from readers.engine.run import human_model
from readers.engine.run.human_model import DisplayedCall
from readers.engine.store import Run
from readers.engine.store.waiting_calls import WaitingCall
from readers.engine.work import Work

HELD, FILLED, SEND = "_held", "_filled", "send"  # of keys
NEXT_SECONDS = 1.5  # how long to wait for the next call before drawing the page without it
_Attempt = tuple[int, int]  # a call and an attempt at it: another attempt is another call to show
ABOUT = (
    "You see what a model would see at this call, and nothing more. The reading waits, and each field is saved as soon as "
    "you leave it: you can close this page and come back at any time."
)
ELSEWHERE = (
    "This call was answered elsewhere, in another tab or by another person, and that reply counts. What you wrote here was "
    "not sent; it stays here until you continue."
)
COVERED = "The text and the steps so far are hidden, because a model does not see them. Press Resume to get the call again."


def waits(run: Run) -> bool:
    """Whether a person is the model of this reading, and it is running or has an unsent reply on this page."""
    if not human_model.may_ask_person(run.spec, first=run.fork_at or 0):
        return False
    return start_runs.is_running(run) or (run.status == "finished" and _held(run.id) is not None)


def show_waiting(run: Run) -> None:
    """Draw the waiting call and the form for its reply; without one, say that the next call is on its way."""
    with database.opened() as store:
        pending = store.waiting.pending(run.id) if run.status == "waiting" else None
    held = _held(run.id)
    if held is None and pending is not None:
        held = pending
        state.set_value(state.key(HELD, run.id), held)
    shown = _attempt(pending)
    progress.watch(partial(_look, run.id, shown, run.status), partial(_draw, run, shown))
    with st.container(key="your-call"):
        if held is None:
            st.html(markup.empty("The next call is on its way."))
        else:
            _call(run, held, answered=_attempt(held) != _attempt(pending))


def show_cover(run: Run) -> None:
    """Draw a note in place of a covered reading, and the button that uncovers it."""
    st.html(markup.aside(COVERED))
    if st.button("Show what has been read so far", key=state.key("uncover", run.id)):
        hidden_answers.uncover(run)
        st.rerun()


def show_stopped(run: Run) -> None:
    """Draw the title above a covered reading."""
    st.html(markup.page_title("You are the model", hint=get(run.reader).title))


def _held(run_id: str) -> WaitingCall | None:
    """The call shown on the page."""
    held: WaitingCall | None = state.value(state.key(HELD, run_id))
    return held


def _attempt(waited: WaitingCall | None) -> _Attempt | None:
    return (waited.seq, waited.attempt) if waited else None


def _look(run_id: str, shown: _Attempt | None, status: str) -> Work | None:
    """Which reply is asked for; None when another call waits, and when the reading has ended or was deleted."""
    with database.opened() as store:
        try:
            run = store.runs.get(run_id)
        except NotFound:
            return None
        pending = store.waiting.pending(run_id) if run.status == "waiting" else None
        replies = human_model.count_human_replies(store, run_id)
    if _attempt(pending) != shown or (run.status != status and not start_runs.is_running(run)):
        return None
    number = max(1, replies + (_held(run_id) is None or _attempt(_held(run_id)) == _attempt(pending)))
    return Work(number, stage=_about(run, number), going=start_runs.is_running(run), stopping=run.cancel)


def _draw(run: Run, shown: _Attempt | None, work: Work) -> None:
    """Draw the call's number and Cancel."""
    with st.container(horizontal=True, vertical_alignment="center", key="your-turn"):
        st.html(markup.page_title("You are the model", hint=get(run.reader).title), width="content")
        st.html(_your_turn(round(work.done), work.stage), width="content")
        if work.going and access.may_change(run.id):
            # As a callback: the run that receives the press may find the page changed and stop before this line.
            key = state.key("cancel", run.id)
            st.button("Cancel", key=key, disabled=work.stopping, on_click=_cancel, args=(run.id, shown))


def _cancel(run_id: str, shown: _Attempt | None) -> None:
    process_cache.jobs().cancel(run_id)
    _until_drawn(run_id, shown)
    state.set_value(state.key(HELD, run_id), None)


def _about(run: Run, number: int) -> str:
    """The expected total number of replies, given that this is the `number`-th; empty if unknown."""
    try:
        found = text_cache.estimated_before(run, access.document(run.document))
    except ReadingError:
        return ""
    before = human_model.first_human_call(run)
    low, high = max(number, round(found.calls.low) - before), round(found.calls.high) - before
    if found.open_end or high < number:
        return ""
    return f"about {low:,}" if low == high else f"{low:,} to {high:,}"


@fragment()
def _call(run: Run, held: WaitingCall, answered: bool) -> None:
    """Draw one call and its reply. `answered`: another person replied, so it no longer waits."""
    seen = human_model.display_call(held, access.document(run.document))
    key = state.key("reply", run.id, held.seq, held.attempt)
    with st.container(key=f"call-{held.seq}-{held.attempt}"):
        question = " ".join(text.text for part in seen.parts if part.name == "question" for text in part.texts)
        if question and not seen.edited:  # it stays in view while the prompt is scrolled
            st.html(f'<p class="asked"><b>The question:</b> {escape(question)}</p>')
        left, right = st.columns([1.35, 1], gap="large")
        with left:
            drawn = prompt_stretches.of_waiting(seen, own=models_called(run.spec) == (catalogue.HUMAN,))
            st.html(markup.section("", "What the model sees"))
            st.html(markup.prompt_legend(one.source for one in drawn))
            st.html(markup.prompt(drawn))
            if counting := wording.counting(seen.prompt):
                st.caption(counting)
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
    """Draw the form. Its values are saved with the call, so that a page opened again starts from them."""
    last, tried = state.key(FILLED, key, "kept"), state.key(SEND, key, "tried")
    if mine and reply_form.filled(key) is None:
        with database.opened() as store:
            if draft := store.waiting.draft(held):
                reply_form.begin_with(key, draft)
    if state.value(state.key(key, SEND)):
        state.set_value(tried, True)
    reply = reply_form.draw(seen.prompt, seen.parts, key=key, tried=bool(state.value(tried)))
    filled = reply_form.filled(key) or {}
    if mine and state.value(last) not in (None, filled):
        with database.opened() as store:
            store.waiting.save_draft(held, filled)
    state.set_value(last, filled)
    return reply


def _left_behind(run: Run) -> None:
    st.html(markup.notice("warn", [ELSEWHERE]))
    ended = not start_runs.is_running(run)
    if st.button("See the reading" if ended else "Continue with the next call", type="primary", key=state.key("next", run.id)):
        state.set_value(state.key(HELD, run.id), None)
        st.rerun()


def _send(held: WaitingCall, reply: str | None, key: str) -> None:
    """Draw the button and submit the reply. The button is always enabled, because a press also delivers the text being typed."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        sent = st.button("Send reply", type="primary", key=state.key(key, SEND))
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
        state.set_value(state.key(HELD, held.run), None)
        _until_drawn(held.run, _attempt(held))
    st.rerun()


def _until_drawn(run_id: str, shown: _Attempt | None) -> None:
    """Wait briefly until another call waits or the reading has ended."""
    until = time.monotonic() + NEXT_SECONDS
    with database.opened() as store:
        while time.monotonic() < until:
            pending = store.waiting.pending(run_id)
            if (pending is not None and _attempt(pending) != shown) or not start_runs.is_running(store.runs.get(run_id)):
                return
            time.sleep(0.05)


def _your_turn(reply: int, about: str) -> str:
    """Over a prompt that is put to a person: the number of their reply, and of `about` how many, if that is known."""
    of = f' <span class="about">of {escape(about)}</span>' if about else ""
    return f'<div class="your-turn" role="status"><p class="stage">Reply {reply:,}{of}</p></div>'
