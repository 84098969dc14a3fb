"""The Trace page: a reading's question and answer, the player over all its steps, and in Full what every call was.

What moves with the step is drawn in the browser (`stage.py`); a fragment below it hears where the step has settled and draws the
call. A reading that goes on is watched by `live.py`, over the same player.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from components import access, call_view, lanes, live, markup, player_data, running, shared, stage, state, units, wording
from components.home import show_recent
from components.readers import kind, memagent
from components.samples import Known, sample_of
from readers import get
from readers.engine import catalogue
from readers.engine.errors import NotFound, ReadingError
from readers.engine.export import Reading
from readers.engine.store import Run, Store

SIMPLE, FULL = "Simple", "Full"


def show_trace(id: str) -> None:
    """The reading of this id, however it stands; the last readings where there is none."""
    run = _find(id)
    if run is None:
        show_recent()
    elif running.going(run):
        live.show_going(run)
    else:
        _show_ended(shared.ended(run))


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
    known = _known(run)
    found = shared.measured(reading)
    by = catalogue.title(run.spec["model"])
    with st.container(key="trace-head"):
        left, right = st.columns([1.35, 1], gap="medium")
    with right:
        chips = [wording.state(run), *wording.figures(found)]
        st.html(markup.about_reading([document.title, get(run.reader).title, by], chips))
        with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", key="trace-switches"):
            gold = known is not None and st.toggle("Show the known answer", key=state.key(state.KNOWN, run.id))
            _depth(run)
    with left:
        st.html(markup.question(run.question))
        if run.outcome == "answered" and run.answer is not None:
            st.html(markup.answer(run.answer, wording.author(run.spec["model"]), _whence(reading, run.answer)))
        else:
            _without_answer(run)
        if known and gold:
            st.html(markup.known(known.answer, wording.compared(run, known)))
    gone = {"known": {"evidence": units.spans(document.text, known.evidence)} if known and gold else None}
    stage.link({"run": run.id, **gone}, key=state.key("gold", run.id))
    stage.mount(shared.frames(reading), key=state.key("stage", run.id), at=state.step_in_address())
    _below(reading)


def _whence(reading: Reading, answer: str) -> str:
    """What an answer rests on: places in the text, or of a memory the steps it was written at."""
    run, _, trace, _ = reading
    drawn = _memory(reading)
    if drawn and not run.evidence:
        return wording.from_memory(memagent.rests(drawn, answer))
    return wording.places(run.evidence, get(run.reader).names(trace))


def _memory(reading: Reading) -> Mapping[str, Any] | None:
    """The picture, if it is one of a memory."""
    drawn: Mapping[str, Any] | None = shared.frames(reading)["picture"] if kind(reading.run.reader) == "memory" else None
    return drawn


def _depth(run: Run) -> None:
    """Simple or Full; remembered for the session, and in the address."""
    st.segmented_control(
        "How much to show",
        (SIMPLE, FULL),
        default=FULL if state.is_full() else SIMPLE,
        required=True,
        key=state.DEPTH,
        on_change=lambda: state.remember_depth(stage.wanted(state.said(_link(run))).at),
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
                running.resume(run)
        except ReadingError as error:
            st.error(markup.plain(wording.sentence(str(error))))
            return
        st.rerun()


def _known(run: Run) -> Known | None:
    sample = sample_of(run.document)
    return sample.known(run.question) if sample else None


@st.fragment
def _below(reading: Reading) -> None:
    """What Python draws for the step, and what the player asks of it."""
    run = reading.run
    wanted = stage.wanted(state.said(_link(run)))
    data: dict[str, Any] = {"run": run.id, "hears": True, "number": wanted.number}
    if wanted.stretches:
        data["stretches"] = player_data.stretches(reading.document, wanted.stretches)
    if wanted.opened:
        data["picture"] = player_data.opened(reading, wanted.opened)
    drawn = _memory(reading)
    if drawn:
        data["point"] = lanes.pointed(run, drawn)
    stage.link(data, key=_link(run))
    at = wanted.at if wanted.at is not None else state.step_in_address()
    at = at if at is not None else len(reading.trace.steps) - 1
    if drawn:
        lanes.show_lanes(run, drawn, at)
    if state.is_full():  # asked here, not handed in: a fragment may be drawn once more with what it was given before the switch
        call_view.show_full(reading, at)
    _next(run)


def _link(run: Run) -> str:
    return state.key("link", run.id)


def _next(run: Run) -> None:
    with st.container(horizontal=True, key="trace-next"):
        ask = {**state.to_document(run.document), **state.to_after(run.id)}
        st.page_link("pages/2_Read.py", label="Ask another question of this text", query_params=ask)
        st.page_link("pages/1_Library.py", label="Look at the text", query_params=state.to_document(run.document))
        if access.may_change(run.id):
            with st.popover("Delete this reading"):
                st.write("Its steps and replies are gone for good; the text stays.")
                if st.button("Delete it", type="primary", key=state.key(state.DELETE, run.id)):
                    access.delete_run(run.id)
                    st.switch_page("app.py")
