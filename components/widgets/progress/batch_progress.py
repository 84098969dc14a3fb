"""A batch under way: progress with Cancel while it runs, its state with Resume where it is unfinished.

The batch runs in `Jobs`; this polls the database, so that closing or reloading a page changes nothing.
"""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from components.html import markup
from components.html.words import question_words as words
from components.html.words import wording
from components.session import process_cache
from components.session.page import flash, state
from components.session.page.drawing import fragment
from components.session.visitor import access
from components.session.work import start_runs
from components.widgets import keys
from readers.engine.run import batches
from readers.engine.run.batches import BatchProgress
from readers.engine.store.batches import Batch

POLL = 1.0
REDRAWS = 20  # of the whole page while a batch runs


def show(batch: Batch, progress: BatchProgress) -> None:
    """Draw where the batch is. While it runs, the page is drawn again when it has ended, and now and then before."""
    if start_runs.is_batch_running(batch.id, progress):
        _watch(batch.id, progress.done)
    else:
        _ended(batch, progress)


@fragment(run_every=POLL)
def _watch(batch_id: str, drawn: int) -> None:
    """Progress, polled from the database. Redraws the whole page when the batch has ended, and some times before."""
    with access.opened() as store:
        batch = store.batches.get(batch_id)
        progress = batches.progress(store, batch_id)
        calls, cost = store.run_list.spent_in(batch_id)
    if not start_runs.is_batch_running(batch_id, progress) or progress.done - drawn >= max(1, progress.total // REDRAWS):
        st.rerun()
    began, before = process_cache.last_started().get(batch_id, (datetime.now(UTC), progress.done))
    seconds = (datetime.now(UTC) - began).total_seconds()
    facts = words.progress_facts(progress, seconds, progress.done - before)
    facts.append(f"{calls:,} calls so far")
    if cost:
        facts.append(f"${cost:.2f} so far" if cost >= 0.01 else "under 1 cent so far")
    with st.container(horizontal=True, vertical_alignment="center", key="progress"):
        stage = "Cancelling before the next calls" if batch.cancelled else "Reading"
        st.html(markup.working(stage, facts, done=min(0.99, progress.done / max(1, progress.total))))
        if access.may_change(batch_id):  # a callback is heard even when the page is about to be redrawn
            key = state.key(keys.BATCH_CANCEL, batch_id)
            st.button("Cancel", key=key, disabled=batch.cancelled, on_click=_cancel, args=(batch_id,))
    _show_trouble(batch_id)


def _show_trouble(batch_id: str) -> None:
    if trouble := start_runs.batch_trouble(batch_id):
        st.warning(markup.plain(wording.sentence(trouble)))


def _cancel(batch_id: str) -> None:
    flash.act(lambda: start_runs.cancel_batch(batch_id))


def _ended(batch: Batch, progress: BatchProgress) -> None:
    """The state of a batch that is not running, and Resume for what is unfinished."""
    trouble = start_runs.batch_trouble(batch.id)
    with access.opened() as store:
        unanswered = batches.unanswered(store, batch.id)
    with st.container(horizontal=True, vertical_alignment="center", key="batch-stands"):
        st.html(markup.standing(words.batch_state(batch, progress, going=False)), width="content")
        st.html(markup.facts(words.progress_counts(progress, unanswered)), width="content")
        if (progress.resumable or trouble) and access.may_change(batch.id):
            st.button(
                "Resume", type="primary", key=state.key(keys.BATCH_RESUME, batch.id), on_click=_resume, args=(batch.id,),
                help="Finished readings are not read again; failed ones are tried again.",
            )  # fmt: skip
    _show_trouble(batch.id)


def _resume(batch_id: str) -> None:
    flash.act(lambda: start_runs.resume_batch(batch_id))
