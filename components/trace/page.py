"""The Trace page: a reading's question and answer, the player over all its steps, and in Full what every call was.

The browser draws what changes with the step (`player/mount.py`); a fragment below it learns where the step has settled and
draws the call. `live.py` follows a running reading with the same player.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from html import escape

import streamlit as st

from components.html import markup, rewards
from components.html.terms import explained
from components.html.words import reading_words, wording
from components.player import cache, ending, mount
from components.session import access, address, classes, flash, hidden_answers, process_cache, start_runs, state
from components.session.drawing import fragment
from components.session.samples import bring
from components.trace import be_the_model, experiments, judge, live, mend, notes
from components.trace.forks import show_family, show_fork_origin
from components.trace.what_if import show_what_if
from components.widgets import reading_links, reading_view
from readers import get
from readers.engine.analysis import measures
from readers.engine.errors import NotFound, ReadingError
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Reading, Run
from readers.engine.store.database import now
from readers.engine.teaching.classes import ClassSession
from readers.engine.text.phrases import capitalised

OUTDATED = "It was made by an earlier version of this reader, so it can be viewed but not resumed."
DOWNLOADED = "One file with the text, every call and every step. It can be imported again on the page Readings."
LATER = "The measures are of the whole reading. They appear at its last step, or with “Show the end”."
ABOUT_CLASSES = (
    "A class follows the reading on your screen. At each decision it votes on what the model will do, talks, votes again, and "
    "then sees what the model chose. Learners open the page on their own devices with a code: no account, no name."
)


def show_trace(run_id: str) -> None:
    """Draw the reading with this id in whatever state it is; without one, the latest readings."""
    run = _find(run_id)
    if run is None:
        reading_links.show_recent()
    elif experiments.is_inquiry(run):
        experiments.show_alone(run)
    elif be_the_model.waits(run):
        be_the_model.show_waiting(run)
    elif start_runs.is_running(run):
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
    why = "It may be on another machine or deleted, or its address may be incomplete."
    st.error(markup.plain(f"{unknown} {why} The latest readings of this machine are listed below."))
    return None


def _show_ended(reading: Reading) -> None:
    run = reading.run
    with access.opened() as store:
        hidden = hidden_answers.hidden_questions(store)
        known = hidden_answers.known_answer(store, run, hidden)
        kept_back = hidden_answers.is_hidden(run, hidden)
        planted = None if kept_back else store.planted.of(run.document)
    notes = [wording.KEPT_BACK] if kept_back else []
    if run.unchecked:
        notes.append(f"{capitalised(run.unchecked_in_words)}.")
    if run.status != "finished" and _is_outdated(run):
        notes.append(OUTDATED)
    act = partial(_show_resume, run) if _may_resume(run) else None
    gold = reading_view.show_head(reading, known, note=" ".join(notes), hides_end=address.hides_end(), act=act)
    _resume_if_asked(run)
    shown = {"known": cache.known_evidence(reading, known) if known and gold else None, "planted": planted and [*planted]}
    show_fork_origin(reading)
    mount.link({"run": run.id, "compare": reading_links.address_of_comparing(run), **shown}, key=state.key("gold", run.id))
    at = reading_view.first_step(reading)
    end = ending.of(reading, known)
    mount.mount(
        cache.frames(reading), key=state.key("stage", run.id), at=at, hides_end=address.hides_end(), question=run.question,
        ending=end, algorithm=address.is_full(), tour=True,
    )  # fmt: skip
    _below(reading, known if gold else None)


def _is_outdated(run: Run) -> bool:
    return not run.is_of_version(get(run.reader).version)


def _may_resume(run: Run) -> bool:
    return run.status != "finished" and not _is_outdated(run) and access.may_change(run.id)


def _show_resume(run: Run) -> None:
    """Draw the button that resumes a reading that did not come to its end, or why it cannot be resumed."""
    if _may_resume(run):
        st.button("Resume", type="primary", key=state.key("resume", run.id))
    elif run.status != "finished" and _is_outdated(run):
        st.caption(OUTDATED)


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


@fragment()
def _below(reading: Reading, known: KnownAnswer | None) -> None:
    """Draw Python's part of the step, and answer the player's requests."""
    run, at = reading.run, reading_view.follow(reading)
    later = not reading_view.hides_later(reading, at)
    mends = st.container()
    judge.show_judge(reading, at, known, later=later)
    if address.is_full():  # read here, not passed in: a fragment may run again with its arguments from before the switch
        _show_full(reading, at, known, later=later)
    elif reading.trace.steps:
        show_what_if(reading, at)
    if later:  # its forks are listed with their answers
        show_family(run)
    _next(reading, at)
    if later:  # a fate is told with the end; drawn last, for its estimates may take a while
        with mends:
            mend.show_mends(reading, at, known)


def _next(reading: Reading, at: int) -> None:
    run = reading.run
    with st.container(horizontal=True, vertical_alignment="center", key="trace-next"):
        ask = {**address.to_document(run.document), **address.to_next_question(run.id)}
        st.page_link("pages/2_Read.py", label="Ask another question about this text", query_params=ask)
        st.page_link("pages/1_Library.py", label="Open the text", query_params=address.to_document(run.document))
        reading_links.offer_comparing(run)
        _download(run)
        reading_view.offer_replay([reading])
        notes.show(reading, at)
        _show_teach(reading)
        if access.may_change(run.id):
            with st.popover("Delete this reading"):
                _delete(run)


def _download(run: Run) -> None:
    """Draw the download of the reading as a self-contained file, written on request."""
    one = hidden_answers.exporter()

    def made() -> bytes:
        return json.dumps(one(run.id), ensure_ascii=False).encode()

    name = f"palimpsest-{run.id}.json"
    key = state.key("save", run.id)
    st.download_button(
        "Download this reading", made, file_name=name, mime="application/json", key=key, on_click="ignore", help=DOWNLOADED
    )


def _delete(run: Run) -> None:
    st.write(reading_words.before_deleting(1, **access.deletion_counts([run.id])))
    if st.button("Delete permanently", type="primary", key=state.key("delete", run.id)):
        try:
            access.delete_run(run.id)
        except ReadingError as error:
            flash.error(error)
            return
        st.switch_page("home.py")


def _show_full(reading: Reading, at: int, known: KnownAnswer | None, *, later: bool = True) -> None:
    """Below the player: the calls of step `at` (from 0) and what can be changed there, then measures and settings side by side;
    above them the rewards, if there is a `known` answer that is shown. Without `later`, nothing is shown that comes after the
    step."""
    if reading.trace.steps:
        seq = reading_view.show_calls(reading, at)
        show_what_if(reading, at, seq=seq)
        experiments.show(reading, seq)
    if known and later:
        st.html(rewards.figure(process_cache.rewards_of(reading, known)))
    left, right = st.columns(2, gap="large")
    found = process_cache.measures_of(reading, known)
    with left:
        st.html(markup.section("", "Measures"))
        st.html(
            _figures(measures.rows(found, memory=get(reading.run.reader).narrative.carried)) if later else markup.empty(LATER)
        )
    with right:
        st.html(markup.section("", "Settings"))
        st.html(_figures(reading_words.settings(reading)))


def _figures(rows: Sequence[tuple[str, str]]) -> str:
    """Names and values, two columns."""
    seen: set[str] = set()
    body = "".join(f"<tr><th scope='row'>{explained(name, seen=seen)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f'<table class="figures"><tbody>{body}</tbody></table>'


def _show_teach(reading: Reading) -> None:
    """Draw what begins a class, for a reading that has ended and has steps."""
    run = reading.run
    if run.ended is None or not reading.trace.steps:
        return
    with st.popover("Teach this reading"):
        st.write(ABOUT_CLASSES)
        if st.button("Begin a class", type="primary", key=state.key("teach", run.id)):
            try:
                begun = classes.begin(run, steps=len(reading.trace.steps))
            except ReadingError as error:
                flash.error(error)
                return
            st.switch_page("pages/Class.py", query_params=address.to_class(begun.code, stage=True))
        for held in reversed(classes.own(run.id)):
            st.page_link("pages/Class.py", label=_class_label(held), query_params=address.to_class(held.code))


def _class_label(held: ClassSession) -> str:
    when = f"{held.created[:10]} {held.created[11:16]} UTC"
    return f"Class of {when}: what was voted" if held.is_over(now()) else f"Class of {when}: open, go on with it"
