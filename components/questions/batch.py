"""One batch on the Questions page: how far it is, stop and go on, how its answers were judged, and its readings.

The batch runs in `Jobs`; this page polls the database, so that closing or reloading it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st

from components.html import markup, wording
from components.questions import keys
from components.questions import wording as told
from components.session import access, address, flash, hidden_answers, process_cache, start_runs, state
from readers import get
from readers.engine.errors import NotFound, ReadingError
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan, BatchProgress, CellResult
from readers.engine.store.batches import Batch

PAGE = "pages/5_Questions.py"
POLL = 1.0
A_PAGE = 20


def show(id: str, make_project: Callable[[str], None] | None) -> None:
    """Raises NotFound."""
    with access.opened() as store:
        batch = store.batches.get(id)
        progress = batches.progress(store, batch.id)
        name = next((one.name for one in store.question_sets.listed() if one.id == batch.question_set), "")
    going = start_runs.batch_going(batch.id, progress)
    with st.container(key="batch-head", horizontal=True, vertical_alignment="center"):
        st.html(markup.section("", batch.name, hint=wording.ago(batch.created, datetime.now(UTC))))
        if name:
            st.page_link(
                PAGE, label=markup.plain(f"Its questions: {name}"), query_params=address.to_question_set(batch.question_set)
            )
        _delete(batch, going=going)
    if going:
        _watch(batch.id, progress.done)
    else:
        _ended(batch, progress)
    with access.opened() as store:
        found = batches.results(store, batch)
        titles = store.question_sets.documents(batch.question_set)
        hidden = hidden_answers.hidden(store)
    found = [told.unjudged(one) if hidden_answers.is_hidden(one.question, hidden) else one for one in found]
    names = told.variants(BatchPlan.of(batch.plan), {one.reader: _title(one.reader) for one in BatchPlan.of(batch.plan).variants})
    if any(one.grade for one in found):
        st.html(markup.section("", "How the answers were judged"))
        st.html(markup.outcomes(*told.outcomes(found, names)))
        st.caption(told.BY_RULE)
    if make_project and progress.done and st.button(
        "Label these readings", key=state.key(keys.BATCH_PROJECT, batch.id),
        help="Make a project, in which people say where each of these readings went wrong.",
    ):  # fmt: skip
        make_project(batch.id)
    _readings(batch, found, names, titles)


def _title(reader: str) -> str:
    try:
        return get(reader).title
    except NotFound:
        return reader


def _delete(batch: Batch, *, going: bool) -> None:
    if not access.may_change(batch.id):
        return
    with st.popover("Delete …"):
        st.markdown("Delete this batch? Its readings stay, and are listed under Readings.")
        if going:
            st.caption("It is under way: stop it first.")
        st.button(
            "Delete it for good", disabled=going, key=state.key(keys.BATCH_DELETE, batch.id), on_click=_delete_now, args=(batch,)
        )


def _delete_now(batch: Batch) -> None:
    _told(lambda: access.delete_batch(batch.id), f"“{batch.name}” was deleted; its readings stay.")


def _told(act: Callable[[], None], done: str) -> None:
    try:
        act()
        if done:
            flash.leave("success", done)
    except ReadingError as error:
        flash.leave_error(error)


# While it goes on, and after


@st.fragment(run_every=POLL)
def _watch(id: str, drawn: int) -> None:
    """How far it is, by the database. The whole page is drawn anew when it has ended, and when some more have been read."""
    with access.opened() as store:
        batch = store.batches.get(id)
        progress = batches.progress(store, id)
        figures = store.run_list.figures([run.id for run in store.batches.runs_of(id)]).values()
    if not start_runs.batch_going(id, progress) or progress.done - drawn >= max(1, progress.total // A_PAGE):
        st.rerun()
    began, before = process_cache.begun().get(id, (datetime.now(UTC), progress.done))
    seconds = (datetime.now(UTC) - began).total_seconds()
    facts = told.going_facts(progress, seconds, progress.done - before)
    spent = [one.cost for one in figures if one.cost]
    facts.append(f"{sum(one.calls for one in figures):,} calls so far")
    if spent:
        facts.append(f"${sum(spent):.2f} so far" if sum(spent) >= 0.01 else "under 1 cent so far")
    with st.container(horizontal=True, vertical_alignment="center", key="progress"):
        stage = "Stopping before the next calls" if batch.cancelled else "Reading"
        st.html(markup.working(stage, facts, done=min(0.99, progress.done / max(1, progress.total))))
        if access.may_change(id):  # by a callback, which is heard even where the page is about to be drawn anew
            key = state.key(keys.BATCH_CANCEL, id)
            st.button("Cancel", key=key, disabled=batch.cancelled, on_click=_cancel, args=(id,))


def _cancel(id: str) -> None:
    _told(lambda: start_runs.cancel_batch(id), "")


def _ended(batch: Batch, progress: BatchProgress) -> None:
    """How it stands, and going on with what is open."""
    with st.container(horizontal=True, vertical_alignment="center", key="batch-stands"):
        st.html(markup.standing(told.stands(batch, progress, going=False)), width="content")
        st.html(markup.facts(_counts(progress)), width="content")
        if progress.resumable and access.may_change(batch.id):
            st.button(
                "Go on", type="primary", key=state.key(keys.BATCH_RESUME, batch.id), on_click=_go_on, args=(batch.id,),
                help="What is finished is not read again; failed readings are tried once more.",
            )  # fmt: skip


def _counts(progress: BatchProgress) -> list[str]:
    facts = [f"{progress.done:,} of {progress.total:,} read to the end", f"{progress.unanswered:,} without an answer"]
    if progress.failed + progress.refused:
        facts.append(f"{progress.failed + progress.refused:,} failed")
    if progress.stopped:
        facts.append(f"{progress.stopped:,} stopped on the way")
    return [*facts, *([f"{progress.left:,} not begun"] if progress.left else [])]


def _go_on(id: str) -> None:
    _told(lambda: start_runs.resume_batch(id), "")


# Its readings


def _readings(batch: Batch, found: Sequence[CellResult], names: Sequence[str], titles: dict[str, str]) -> None:
    st.html(markup.section("", "Its readings", hint=wording.count(len(found))))
    there = {only: sum(told.belongs(one, only) for one in found) for only in told.ONLY}
    options = [only for only in told.ONLY if there[only] or not only]
    only = st.selectbox(
        "Show", options, format_func=lambda only: f"{told.ONLY[only]} ({there[only]:,})", width=340,
        key=state.key(keys.BATCH_ONLY, batch.id),
    )  # fmt: skip
    rows = [one for one in found if told.belongs(one, only or "")]
    pages = max(1, -(-len(rows) // A_PAGE))
    box = st.container(key="batch-readings", gap=None)
    page = 1
    if pages > 1:
        with st.container(horizontal=True, horizontal_alignment="center", key="questions-pages"):
            page = st.pagination(pages, key=state.key(keys.BATCH_PAGE, batch.id, only, pages)) or 1
    with box:
        for one in rows[A_PAGE * (page - 1) : A_PAGE * page]:
            _row(one, names, titles)


def _row(one: CellResult, names: Sequence[str], titles: dict[str, str]) -> None:
    asked, run, at = one.question, one.run, f"{one.cell.number}-{one.cell.variant}"
    answer = told.short(run.answer or "") if run else ""
    facts = [names[one.cell.variant], titles.get(asked.document, "its text was deleted")]
    why = told.reason(one)
    with st.container(key=f"reading-{at}", horizontal=True, gap="small"):
        with st.container(key=f"listed-{at}", gap=None):
            if run:
                st.page_link("pages/3_Trace.py", label=markup.plain(asked.question), query_params=address.to_trace(run.id))
            st.html(markup.listed_reading("" if run else asked.question, answer, facts, ()))
            st.html(markup.held_against(told.right(asked), why))
        st.html(markup.standing(told.chip(one)), width="content")
