"""A batch under way: progress with Cancel while it runs, its state with Resume where it is unfinished.

The batch runs in `Jobs`, and its state is in the database.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from components.html import markup
from components.html.words import question_words as words
from components.html.words import wording
from components.html.words.estimate_words import spent
from components.session import process_cache
from components.session.page import flash, state
from components.session.visitor import access
from components.session.work import start_runs
from components.widgets import keys
from components.widgets.progress import watch
from readers.engine.run import batches
from readers.engine.store.batches import Batch
from readers.engine.work import Work

REDRAWS = 20  # of the whole page while a batch runs


def show(batch: Batch, progress: Work) -> None:
    """Draw where the batch is. While it runs, the page is drawn again when it has ended, and now and then before."""
    if start_runs.is_batch_running(batch.id, progress):
        watch.watch(partial(_look, batch.id, progress.done), partial(_draw, batch.id))
    else:
        _ended(batch, progress)


def _look(batch_id: str, drawn: int) -> Work | None:
    """How far the batch is; None when it has ended, and each time that so many readings have ended since the page was drawn."""
    with access.opened() as store:
        batch = store.batches.get(batch_id)
        work = batches.progress(store, batch_id)
        calls, usd = store.run_list.spent_in(batch_id)
    if not start_runs.is_batch_running(batch_id, work) or work.done - drawn >= max(1, (work.of or 0) // REDRAWS):
        return None
    began, before = process_cache.last_started().get(batch_id, (datetime.now(UTC), work.done))
    seconds = (datetime.now(UTC) - began).total_seconds()
    notes = [*words.progress_facts(work, seconds, work.done - before), f"{calls:,} calls so far", *spent(usd or 0)]
    stage = "Cancelling before the next calls" if batch.cancelled else "Reading"
    return replace(work, stage=stage, notes=tuple(notes), stopping=batch.cancelled)


def _draw(batch_id: str, work: Work) -> None:
    watch.show(work, key="progress", cancel=partial(_cancel, batch_id) if access.may_change(batch_id) else None)
    _show_trouble(batch_id)


def _show_trouble(batch_id: str) -> None:
    if trouble := start_runs.batch_trouble(batch_id):
        st.warning(markup.plain(wording.sentence(trouble)))


def _cancel(batch_id: str) -> None:
    flash.act(lambda: start_runs.cancel_batch(batch_id))


def _ended(batch: Batch, progress: Work) -> None:
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
