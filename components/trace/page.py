"""The Trace page: a reading's question and answer, the player over all its steps, and in Full what every call was.

What moves with the step is drawn in the browser (`stage.py`); a fragment below it hears where the step has settled and draws the
call. A reading that goes on is watched by `live.py`, over the same player.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from components.compare import page
from components.home.page import show_recent
from components.html import markup, wording
from components.player import data as player_data
from components.player import evidence, memory_lanes, mount, utf16
from components.player.pictures import kind, memagent
from components.readings import wording as readings_told
from components.session import access, hidden_answers, process_cache, start_runs, state
from components.trace import be_the_model, experiments, live
from components.trace.forks import show_family, show_whence
from components.trace.what_if import show_what_if
from components.widgets import calls
from readers import get
from readers.engine.errors import NotFound, ReadingError
from readers.engine.forks import resample
from readers.engine.store import Run, Store
from readers.engine.store.reading import Reading

SIMPLE, FULL = "Simple", "Full"


def show_trace(id: str) -> None:
    """The reading of this id, however it stands; the last readings where there is none."""
    state.keep_reading_in_address(id)
    run = _find(id)
    if run is None:
        show_recent()
    elif run.reader == resample.ID:
        experiments.show_alone(run)
    elif be_the_model.waits(run):
        be_the_model.show_waiting(run)
    elif start_runs.going(run):
        live.show_going(run)
    elif be_the_model.covers(run):
        be_the_model.show_stopped(run)
        _without_answer(run)
        be_the_model.show_cover(run)
    else:
        _show_ended(process_cache.ended(run))


def _find(id: str) -> Run | None:
    if not id:
        st.html(markup.page_title("No reading chosen"))
        st.html(markup.empty("A reading is shown here once it has begun. Choose one below, or begin a new one on the page Read."))
        return None
    try:
        with Store() as store:
            run = store.run(id)
            if access.may_see(run.id):
                return run
    except NotFound:
        pass
    unknown = (
        f"There is no reading {id[:40]!r} here. It may have been made on another machine, deleted, or its address was cut short."
    )
    st.error(markup.plain(f"{unknown} The last readings of this machine are listed below."))
    return None


def _show_ended(reading: Reading) -> None:
    run, document, _, _ = reading
    with access.opened() as store:
        hidden = hidden_answers.hidden(store)
        known = hidden_answers.shown(store, run, hidden)
    found = process_cache.measured(reading)
    by = wording.models(run.spec)
    with st.container(key="trace-head"):
        left, right = st.columns([1.35, 1], gap="medium")
    with right:
        chips = [wording.state(run), *wording.figures(found)]
        st.html(markup.about_reading([document.title, get(run.reader).title, by], chips))
        with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", key="trace-switches"):
            gold = known is not None and st.toggle("Show the known answer", key=state.key(state.KNOWN, run.id))
            depth(run)
        if hidden_answers.is_hidden(run, hidden):
            st.caption(wording.KEPT_BACK)
    with left:
        st.html(markup.question(run.question))
        if run.outcome == "answered" and run.answer is not None:
            where = source_of(reading, run.answer)
            st.html(markup.answer(run.answer, wording.answered_by(reading), where, from_text=bool(run.evidence)))
        else:
            _without_answer(run)
        if known and gold:
            st.html(markup.known(known.answer, wording.compared(run, known)))
    gone = {"known": {"evidence": utf16.spans(document.text, known.evidence)} if known and gold else None}
    show_whence(reading)
    mount.link({"run": run.id, **gone}, key=state.key("gold", run.id))
    mount.mount(process_cache.frames(reading), key=state.key("stage", run.id), at=_begins_at(reading))
    _below(reading)


def source_of(reading: Reading, answer: str) -> str:
    """What an answer rests on: places in the text, or of a memory the steps it was written at."""
    run, _, trace, _ = reading
    drawn = _memory(reading)
    if drawn and not run.evidence:
        return wording.from_memory(memagent.rests(drawn, answer))
    names = get(run.reader).names(trace)
    places = evidence.places(run.evidence, names)
    return evidence.told(places, evidence.holding(reading.document.text, answer, places), names)


def _begins_at(reading: Reading) -> int | None:
    """The step that is shown at first: the one in the address, or of a fork the one that was changed; None for the last."""
    at = state.step_in_address()
    return player_data.changed_step(process_cache.frames(reading)) if at is None else at


def _memory(reading: Reading) -> Mapping[str, Any] | None:
    """The picture, if it is one of a memory."""
    drawn: Mapping[str, Any] | None = process_cache.frames(reading)["picture"] if kind(reading.run.reader) == "memory" else None
    return drawn


def depth(run: Run) -> None:
    """Simple or Full; remembered for the session, and in the address."""
    st.segmented_control(
        "How much to show",
        (SIMPLE, FULL),
        default=FULL if state.is_full() else SIMPLE,
        required=True,
        key=state.DEPTH,
        on_change=lambda: state.remember_depth(mount.wanted(state.said(_link(run))).at),
        label_visibility="collapsed",
    )


def _without_answer(run: Run) -> None:
    st.html(markup.notice(wording.state(run).tone, wording.ending(run)))
    if run.status == "finished":
        return
    if run.spec["version"] != get(run.reader).version:
        st.caption("It was made by an earlier version of this reader, so it can be viewed but not resumed.")
    elif access.may_change(run.id) and st.button("Resume", type="primary", key=state.key(state.RESUME, run.id)):
        try:
            with st.spinner("Going on …"):
                start_runs.resume(run)
        except ReadingError as error:
            st.error(markup.plain(wording.sentence(str(error))))
            return
        st.rerun()


@st.fragment
def _below(reading: Reading) -> None:
    """What Python draws for the step, and what the player asks of it."""
    run, at = reading.run, follow(reading)
    if state.is_full():  # asked here, not handed in: a fragment may be drawn once more with what it was given before the switch
        calls.show_full(reading, at)
    elif reading.trace.steps:
        show_what_if(reading, at)
    show_family(run)
    _next(run)


def follow(reading: Reading) -> int:
    """Hear what the player says, send what it asks for, and draw the lanes of a memory; the step (from 0) where it has settled.
    Belongs into a fragment."""
    run = reading.run
    wanted = mount.wanted(state.said(_link(run)))
    data: dict[str, Any] = {"run": run.id, "hears": True, "number": wanted.number}
    if wanted.stretches:
        data["stretches"] = player_data.stretches(reading.document, wanted.stretches)
    if wanted.opened:
        data["picture"] = player_data.opened(reading, wanted.opened)
    drawn = _memory(reading)
    if drawn:
        data["point"] = memory_lanes.pointed(run, drawn)
    mount.link(data, key=_link(run))
    at = wanted.at if wanted.at is not None else _begins_at(reading)
    last = len(reading.trace.steps) - 1
    at = max(0, min(last, last if at is None else at))
    if drawn:
        memory_lanes.show_lanes(run, drawn, at)
    return at


def _link(run: Run) -> str:
    return state.key("link", run.id)


def _next(run: Run) -> None:
    with st.container(horizontal=True, key="trace-next"):
        ask = {**state.to_document(run.document), **state.to_after(run.id)}
        st.page_link("pages/2_Read.py", label="Ask another question of this text", query_params=ask)
        st.page_link("pages/1_Library.py", label="Look at the text", query_params=state.to_document(run.document))
        page.link_from(run)
        if access.may_change(run.id):
            with st.popover("Delete this reading"):
                _delete(run)


def _delete(run: Run) -> None:
    st.write(readings_told.before_deleting(1, **access.deleting([run.id])))
    if st.button("Delete it", type="primary", key=state.key(state.DELETE, run.id)):
        try:
            access.delete_run(run.id)
        except ReadingError as error:
            st.error(markup.plain(wording.sentence(str(error))))
            return
        st.switch_page("app.py")
