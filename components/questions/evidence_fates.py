"""The fates of a batch's readings for its page: what was saved is there at once, the rest is computed in the background, with
progress and Cancel. The thread is `components/session/fate_work.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from components.html import markup
from components.questions import keys
from components.session import access, flash, state
from components.session.drawing import fragment
from components.session.fate_work import Work, fate_work
from readers.engine.analysis.facts import saved
from readers.engine.analysis.facts.many import EvidenceFate
from readers.engine.analysis.facts.saved import Wanted
from readers.engine.run.batches import CellResult
from readers.engine.store.batches import Batch

POLL = 1.0
AT_ONCE = 1.5  # seconds that the page waits for the work before it shows progress instead


def of(batch: Batch, followed: Sequence[CellResult]) -> Mapping[str, EvidenceFate | None] | None:
    """The fates of these readings, by run; None while they are being computed, or after that was cancelled."""
    every = saved.wanted(followed)
    with access.opened() as store:
        found = saved.found(store, every)
    work = fate_work().of(batch.id)
    missing = _missing(every, found, work)
    if missing and (work is None or (work.over.is_set() and not {one.key for one in missing} <= work.asked)):
        work = fate_work().start(batch.id, missing)
        work.over.wait(AT_ONCE)
        missing = _missing(every, found, work)
    if missing and work:
        if not work.over.is_set():
            _watch(batch.id, len(every) - len(work.asked), len(every))
            return None
        if work.cancelled or work.error:
            _stopped(batch, work, missing, len(every))
            return None
    return found


def _missing(every: Sequence[Wanted], found: dict[str, EvidenceFate | None], work: Work | None) -> list[Wanted]:
    """The readings whose fate is neither saved nor held by the work; what it holds is added to `found`."""
    held = work.found if work else {}
    found |= {one.run.id: held[one.key] for one in every if one.key in held}
    return [one for one in every if one.run.id not in found]


@fragment(run_every=POLL)
def _watch(batch_id: str, before: int, total: int) -> None:
    """How many readings were followed, and Cancel; draws the page again when all were."""
    work = fate_work().of(batch_id)
    if work is None or work.over.is_set():
        st.rerun()
        return
    done = before + len(work.found)
    with st.container(horizontal=True, vertical_alignment="center", key="fates-progress"):
        facts = [f"{done:,} of {total:,} readings"]
        st.html(markup.working("Following the evidence", facts, done=min(0.99, done / max(1, total))))
        st.button(
            "Cancel", key=state.key(keys.FATES_CANCEL, batch_id), disabled=work.cancelled,
            on_click=fate_work().cancel, args=(batch_id,),
        )  # fmt: skip


def _stopped(batch: Batch, work: Work, missing: Sequence[Wanted], total: int) -> None:
    """What is there after a cancel or an error, and Continue."""
    if work.error:
        flash.error(work.error)
    st.caption(f"The evidence was followed through {total - len(missing):,} of {total:,} readings. What was found is saved.")
    st.button(
        "Continue", key=state.key(keys.FATES_CONTINUE, batch.id), on_click=_continue, args=(batch.id, list(missing)),
    )  # fmt: skip


def _continue(batch_id: str, missing: Sequence[Wanted]) -> None:
    fate_work().start(batch_id, missing)
