"""The progress of work, asked every second while its page is open, with Cancel; also that of a reading and of a batch.

The work itself runs in `Jobs` or on a thread of its own, and its state is in the database, so closing or reloading the page
changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from components.html import markup
from components.html.words import wording, work_words
from components.html.words.work_words import spent
from components.session import access, flash, process_cache, start_runs, state
from components.session.drawing import fragment
from components.widgets import text_cache
from readers import get
from readers.engine.errors import ReadingError
from readers.engine.models import catalogue, timeouts
from readers.engine.record.edits import Edits
from readers.engine.record.events import Event, from_json
from readers.engine.record.journal import Spending, Wait
from readers.engine.record.trace import Trace
from readers.engine.report.values import duration
from readers.engine.run import batches
from readers.engine.run.execute import RunSpec
from readers.engine.store import Run, Store
from readers.engine.store.batches import Batch
from readers.engine.text.document import Document
from readers.engine.text.phrases import call_number
from readers.engine.work import Work

POLL = 1.0
SURE_AFTER = 3.0  # seconds before a rate is meaningful
MOST_FOLLOWED = 16  # readings whose events a session remembers
REDRAWS = 20  # of the whole page while a batch runs


@fragment(run_every=POLL)
def watch(look: Callable[[], Work | None], draw: Callable[[Work], None]) -> None:
    """Draw how far work is, as `look` finds it each second. Once it finds none, the page is drawn again."""
    work = look()
    if work is None:
        st.rerun()
    draw(work)


def show(work: Work, *, key: str, cancel: Callable[[], None] | None, ends: str = "Cancel") -> None:
    """Draw the stage, the figures and the share that is done, with the button that ends it for whoever may press it."""
    with st.container(horizontal=True, vertical_alignment="center", key=key):
        st.html(markup.working(work.stage, work.notes, done=work.share))
        if cancel:  # a callback is heard even when the page is about to be drawn again
            st.button(ends, key=state.key("cancel", key), disabled=work.stopping, on_click=cancel)


# A reading


def of_reading(store: Store, run: Run, document: Document, *, at_once: bool = False) -> Work:
    """How far a reading that is queued, running or waiting is, in replies. `at_once`: without their expected number, which takes
    a rehearsal the first time."""
    tape = store.runs.tape(run.id)
    replies, spent, waited = tape.answered(), tape.spent(), tape.wait()
    expected = None if at_once or not get(run.reader).starts else _expected(run, document)
    facts = [*_facts(run, replies, spent, expected=expected), *(waited_facts(run, waited) if waited else [])]
    share = wording.share_done(replies, expected)
    stage = _stage(run, document, events(store, run.id))
    return Work(replies, share and replies / share, stage=stage, notes=tuple(facts), stopping=run.cancel)


def events(store: Store, run_id: str) -> list[Event]:
    """All events so far. The session remembers those of the readings it follows, so that only new ones are fetched."""
    followed: dict[str, list[Event]] = state.remembered("_events", dict)
    seen = followed.pop(run_id, [])
    found = [*seen, *map(from_json, store.runs.tape(run_id).events_after(len(seen) - 1))]
    followed[run_id] = found
    while len(followed) > MOST_FOLLOWED:
        del followed[next(iter(followed))]
    return found


def _stage(run: Run, document: Document, events: Sequence[Event]) -> str:
    if run.cancel:
        return "Stopping before the next call"
    ahead = process_cache.jobs().queue_position(run.id)
    if ahead is None:
        if run.status == "queued":
            return "About to start"
        trace = Trace(document, tuple(events), run.question)
        reader = get(run.reader)
        return wording.stage(trace, wording.lines_so_far(trace, reader), reader.narrative)
    return f"{wording.count(ahead)} ahead of this one" if ahead else "Next in turn"


def _facts(run: Run, replies: int, spent: Spending, *, expected: float | None) -> list[str]:
    """Count, rate, time left and cost, if known."""
    facts = [f"{wording.count(replies, 'reply')} so far"]
    seconds = start_runs.seconds_so_far(run)
    if seconds is not None and run.status == "running":
        facts.append(f"{duration(seconds)} elapsed")
        since = spent.calls - process_cache.last_started().get(run.id, (None, 0))[1]
        if seconds >= SURE_AFTER and since > 0:
            rate = since / seconds
            facts.append(f"{rate:.1f} calls a second" if rate >= 1 else f"a call every {1 / rate:.1f} seconds")
            if expected and expected > replies:
                facts.append(f"about {duration((expected - replies) / rate)} left")
    return [*facts, *work_words.spent(spent.usd)]


def waited_facts(run: Run, waited: Wait) -> list[str]:
    """How long the oldest call has waited, and whether its server, if it is the user's own, still accepts connections."""
    if run.status != "running":
        return []
    spec = RunSpec.from_json(run.spec)
    settings = Edits.of(spec.edits).settings(waited.seq, spec.settings)
    server = catalogue.server_of(settings.model, settings.api_base)
    facts = [f"{call_number(waited.seq)} has waited {duration(waited.seconds)} for its reply"]
    if server:
        alive = timeouts.accepts_connections(server)
        facts.append(
            "its server accepts connections, so it may only be slow"
            if alive
            else "its server accepts no connections: it may have stopped"
        )
    return facts


def _expected(run: Run, document: Document) -> float | None:
    """How many replies such a reading usually takes; None if that is unknown."""
    try:
        found = text_cache.estimated_before(run, document)
    except ReadingError:
        return None
    return None if found.open_end else found.calls.high + found.reused


# A batch


def show_batch(batch: Batch, progress: Work) -> None:
    """Draw where the batch is. While it runs, the page is drawn again when it has ended, and now and then before."""
    if start_runs.is_batch_running(batch.id, progress):
        watch(partial(_look_at_batch, batch.id, progress.done), partial(_draw_batch, batch.id))
    else:
        _ended_batch(batch, progress)


def _look_at_batch(batch_id: str, drawn: int) -> Work | None:
    """How far the batch is; None when it has ended, and each time that this many readings have ended since the page was drawn."""
    with access.opened() as store:
        batch = store.batches.get(batch_id)
        work = batches.progress(store, batch_id)
        calls, usd = store.run_list.spent_in(batch_id)
    if not start_runs.is_batch_running(batch_id, work) or work.done - drawn >= max(1, (work.of or 0) // REDRAWS):
        return None
    began, before = process_cache.last_started().get(batch_id, (datetime.now(UTC), work.done))
    seconds = (datetime.now(UTC) - began).total_seconds()
    notes = [*work_words.progress_facts(work, seconds, work.done - before), f"{calls:,} calls so far", *spent(usd or 0)]
    stage = "Cancelling before the next calls" if batch.cancelled else "Reading"
    return replace(work, stage=stage, notes=tuple(notes), stopping=batch.cancelled)


def _draw_batch(batch_id: str, work: Work) -> None:
    show(work, key="progress", cancel=partial(_cancel, batch_id) if access.may_change(batch_id) else None)
    _show_trouble(batch_id)


def _show_trouble(batch_id: str) -> None:
    if trouble := start_runs.batch_trouble(batch_id):
        st.warning(markup.plain(wording.sentence(trouble)))


def _cancel(batch_id: str) -> None:
    flash.act(lambda: start_runs.cancel_batch(batch_id))


def _ended_batch(batch: Batch, progress: Work) -> None:
    """The state of a batch that is not running, and Resume for the unfinished ones."""
    trouble = start_runs.batch_trouble(batch.id)
    with access.opened() as store:
        unanswered = batches.unanswered(store, batch.id)
    with st.container(horizontal=True, vertical_alignment="center", key="batch-stands"):
        st.html(markup.standing(work_words.batch_state(batch, progress, going=False)), width="content")
        st.html(markup.facts(work_words.progress_counts(progress, unanswered)), width="content")
        if (progress.resumable or trouble) and access.may_change(batch.id):
            st.button(
                "Resume", type="primary", key=state.key("batch_resume", batch.id), on_click=_resume, args=(batch.id,),
                help="Finished readings are not read again; failed ones are tried again.",
            )  # fmt: skip
    _show_trouble(batch.id)


def _resume(batch_id: str) -> None:
    flash.act(lambda: start_runs.resume_batch(batch_id))
