"""Notes, pauses and predictions of a reading, written step by step on the Trace page for those who will watch its replay.

Visitors who may not change the reading see the marks; the player on this page also shows the notes, but asks nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from components.html import markup
from components.player import cache, mount, stops
from components.session import access, flash, state
from readers.engine.errors import BadOptions, ReadingError
from readers.engine.store import Reading, Store
from readers.engine.teaching.stops import LONGEST_NOTE, Stop, all_checked, checked

WHAT = "For replays and classes of this reading: add a note, a pause or a prediction to a step."
NOTHING_TO_PREDICT = "Nothing to predict: the model neither chose among several options here nor rewrote a memory."
NEVER_PREDICTED = "nothing can be predicted in this reading: the model never chose among several options, nor rewrote a memory"


def show(reading: Reading, at: int) -> None:
    """Draw the marks at step `at` (from 0) and at the others, with the fields that change them. Call it in a fragment."""
    with access.opened() as store:
        marked = store.stops.of(reading.run.id)
    shown = stops.of(marked, len(cache.frames(reading)["steps"]), lambda at: None)
    mount.link({"run": reading.run.id, "stops": shown}, key=state.key("stops", reading.run.id))
    may = access.may_change(reading.run.id)
    if not may and not marked:
        return
    with st.popover(f"Notes and stops{f' ({len(marked)})' if marked else ''}"):
        st.write(WHAT)
        if may:
            _edit(reading, at, next((one for one in marked if one.at == at), Stop(at)))
            _mark_all(reading, marked)
        if marked:
            st.markdown("\n".join(_line(one) for one in marked))


def _edit(reading: Reading, at: int, now: Stop) -> None:
    """The fields of one step. Saved values are part of their keys, so that they show the stored values."""
    named = (reading.run.id, state.short_hash(str(now)))
    predictable = cache.predictions(reading)(at) is not None
    st.text_area(f"Note on step {at + 1}", now.note, max_chars=LONGEST_NOTE, key=state.key("note", *named))
    st.checkbox("Playing pauses here", now.pauses, key=state.key("pauses", *named))
    st.checkbox(
        "Viewers predict this step first", now.predicts, disabled=not predictable, key=state.key("predicts", *named),
        help=None if predictable else NOTHING_TO_PREDICT,
    )  # fmt: skip

    def save() -> None:
        note, pauses, predicts = (state.value(state.key(key, *named)) for key in ("note", "pauses", "predicts"))
        stop = Stop(at, str(note or ""), bool(pauses), bool(predicts))
        _write(lambda store: store.stops.put(reading.run.id, checked(stop, len(reading.trace.steps))))

    st.button("Save", key=state.key("save_stop", *named), type="primary", on_click=save)


def _mark_all(reading: Reading, marked: Sequence[Stop]) -> None:
    with st.container(horizontal=True):
        key = state.key("predict_all", reading.run.id)
        st.button("Add every prediction", key=key, on_click=_predict_all, args=(reading, marked))
        if marked:
            st.button("Remove all", key=state.key("remove_stops", reading.run.id), on_click=_put, args=(reading, ()))


def _predict_all(reading: Reading, marked: Sequence[Stop]) -> None:
    """Mark all steps that can be predicted. Which they are takes seconds for a novel's memories, so no drawing waits for it."""
    steps = list(filter(cache.predictions(reading), range(len(reading.trace.steps))))
    if not steps:
        flash.error(BadOptions(NEVER_PREDICTED))
    by_step = {at: Stop(at) for at in steps} | {one.at: one for one in marked}
    _put(reading, [replace(one, predicts=one.predicts or one.at in steps) for one in by_step.values()])


def _put(reading: Reading, every: Sequence[Stop]) -> None:
    """Write these in place of all stops of a reading."""
    _write(lambda store: store.stops.replace(reading.run.id, all_checked(every, len(reading.trace.steps))))


def _write(act: Callable[[Store], None]) -> None:
    try:
        with access.opened() as store:
            act(store)
    except ReadingError as error:
        flash.error(error)


def _line(stop: Stop) -> str:
    what = [*(["pauses"] if stop.pauses else []), *(["predicted first"] if stop.predicts else [])]
    note = markup.plain(stop.note)
    return f"- **Step {stop.at + 1}**: {' · '.join([*([note] if note else []), *what])}"
