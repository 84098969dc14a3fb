"""The exchanges of a conversation about a text: each question with its answer and the passages that it rests on, or with the
progress of its reading, and the way to that reading.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.player import cache, ending
from components.session import access, address, database, process_cache, start_runs, state
from components.session.process_cache import by_reading
from components.widgets import progress, reading_view
from readers import get
from readers.engine.analysis import conversation
from readers.engine.store import Reading, Run
from readers.engine.text.document import Document
from readers.engine.work import Work

MORE = 10  # exchanges shown with each press
MOST_PASSAGES = 3


def begun_here() -> set[str]:
    """The readings that were started in a conversation during this session, whose answers are announced."""
    return state.remembered("_begun_in_conversation", set[str])


def show(every: Sequence[Run], document: Document, *, here: str, latest: int) -> None:
    """Draw the latest exchanges, and the button for earlier ones; every second while a reading of them is running. `here` is the
    reading of the page."""
    key = state.key("exchanges", document.id)
    most = int(state.value(key) or latest)
    if len(every) > most:
        label = f"Show {min(MORE, len(every) - most):,} earlier of {len(every):,}"
        st.button(label, key=f"{key}.more", on_click=state.set_value, args=(key, most + MORE))
    shown = every[-most:]
    if any(map(start_runs.is_running, shown)):
        ids = tuple(run.id for run in shown)
        progress.watch(partial(_look, ids), partial(_draw, ids, document, here))
    else:
        _draw_exchanges(shown, document, here)


def _runs(ids: Sequence[str]) -> Iterator[Run]:
    with database.opened() as store:
        yield from sorted(store.run_list.runs(ids), key=lambda run: ids.index(run.id))


def _look(ids: Sequence[str]) -> Work | None:
    """How many of these readings have ended; None when all have."""
    going = sum(map(start_runs.is_running, _runs(ids)))
    return Work(len(ids) - going, len(ids), going=going) if going else None


def _draw(ids: Sequence[str], document: Document, here: str, work: Work) -> None:
    _draw_exchanges(list(_runs(ids)), document, here)


def _draw_exchanges(runs: Sequence[Run], document: Document, here: str) -> None:
    for run in runs:
        with st.container(key=f"exchange-{run.id}", horizontal=True, gap="small"):
            if start_runs.is_running(run):
                _going(run, document)
            else:
                _ended(run, here)
    ended = [run for run in runs if run.id in begun_here() and not start_runs.is_running(run)]
    st.html(markup.new_answer(_said_of(max(ended, key=lambda run: run.ended or "")) if ended else ""))


def _said_of(run: Run) -> str:
    return f"“{run.question}” {run.answer or ' '.join(wording.ending(run))}"


def _going(run: Run, document: Document) -> None:
    with database.opened() as store:
        found = progress.of_reading(store, run, document, at_once=run.status == "queued")
    st.html(markup.exchange(run.question, markup.working(found.stage, found.notes, done=found.share, spoken=False)))
    st.page_link("pages/3_Trace.py", label="Watch", query_params=address.to_trace(run.id), width="content")
    if access.may_change(run.id):
        stop = partial(process_cache.jobs().cancel, run.id)
        st.button("Cancel", key=state.key("cancel", run.id), disabled=run.cancel, on_click=stop)


def _ended(run: Run, here: str) -> None:
    ending, quotes, step = markup.no_answer(wording.state(run).tone, wording.ending(run)), list[str](), None
    if run.outcome == "answered":
        reading = process_cache.ended_reading(run)
        ending, (quotes, step) = reading_view.ending_of(reading), _rests(reading)
    st.html(markup.exchange(run.question, ending, passages=quotes))
    if run.id == here:
        st.html(markup.aside("this reading"), width="content")
    else:
        label = "Open" if step is None else f"Open at step {step + 1}"
        asks = {**address.to_trace(run.id), **address.at_step(None if step is None else step + 1)}
        st.page_link("pages/3_Trace.py", label=label, query_params=asks, width="content")


@by_reading(64)
def _rests(reading: Reading) -> tuple[list[str], int | None]:
    """The passages that support an answer, but for those that it repeats word for word; and the step (from 0) that first showed
    what it rests on or, for an answer from memory, that wrote what it was given from."""
    run, document, trace, _ = reading
    found, wrote = conversation.passages(reading), cache.source(reading).steps
    said = " ".join((run.answer or "").split())
    words = [" ".join(document.text[slice(*place)].split()) for place in found[:MOST_PASSAGES]]
    rests = found or ending.basis(run, document, get(run.reader).names(trace)).places
    return [one for one in words if one not in said], wrote[-1] - 1 if wrote else conversation.deciding_step(trace, rests)
