"""The fates of many readings for the page that shows them: what was saved is there at once, the rest is computed in the
background, with progress and Cancel. The thread is `components/session/work/fate_work.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from components.html import markup
from components.session.page import flash, state
from components.session.page.drawing import fragment
from components.session.visitor import access
from components.session.work.fate_work import Work, fate_work
from components.widgets import keys
from readers.engine.analysis.facts.many import saved
from readers.engine.analysis.facts.many.evidence import EvidenceFate
from readers.engine.analysis.facts.many.saved import Wanted

POLL = 1.0
AT_ONCE = 1.5  # seconds that the page waits for the work before it shows progress instead


def of(readings_of: str, every: Sequence[Wanted], *, wait: float | None = None) -> Mapping[str, EvidenceFate | None] | None:
    """The fates of these readings of a batch or a project, by run; None while they are being computed, or after that was
    cancelled. The page waits `wait` seconds for them (`AT_ONCE` by default)."""
    with access.opened() as store:
        found = saved.found(store, every)
    work = fate_work().of(readings_of)
    missing = _missing(every, found, work)
    if missing and (work is None or (work.over.is_set() and not {one.key for one in missing} <= work.asked)):
        work = fate_work().start(readings_of, missing)
        work.over.wait(AT_ONCE if wait is None else wait)
        missing = _missing(every, found, work)
    if missing and work:
        if not work.over.is_set():
            _watch(readings_of, len(every) - len(work.asked), len(every))
            return None
        if work.cancelled or work.error:
            _stopped(readings_of, work, missing, len(every))
            return None
    return found


def _missing(every: Sequence[Wanted], found: dict[str, EvidenceFate | None], work: Work | None) -> list[Wanted]:
    """The readings whose fate is neither saved nor held by the work; what it holds is added to `found`."""
    held = work.found if work else {}
    found |= {one.run.id: held[one.key] for one in every if one.key in held}
    return [one for one in every if one.run.id not in found]


@fragment(run_every=POLL)
def _watch(readings_of: str, before: int, total: int) -> None:
    """How many readings were followed, and Cancel; draws the page again when all were."""
    work = fate_work().of(readings_of)
    if work is None or work.over.is_set():
        st.rerun()
        return
    done = before + len(work.found)
    with st.container(horizontal=True, vertical_alignment="center", key="fates-progress"):
        facts = [f"{done:,} of {total:,} readings"]
        st.html(markup.working("Following the evidence", facts, done=min(0.99, done / max(1, total))))
        st.button(
            "Cancel", key=state.key(keys.FATES_CANCEL, readings_of), disabled=work.cancelled,
            on_click=fate_work().cancel, args=(readings_of,),
        )  # fmt: skip


def _stopped(readings_of: str, work: Work, missing: Sequence[Wanted], total: int) -> None:
    """What is there after a cancel or an error, and Continue."""
    if work.error:
        flash.error(work.error)
    st.caption(f"The evidence was followed through {total - len(missing):,} of {total:,} readings. What was found is saved.")
    st.button(
        "Continue", key=state.key(keys.FATES_CONTINUE, readings_of), on_click=_continue, args=(readings_of, list(missing)),
    )  # fmt: skip


def _continue(readings_of: str, missing: Sequence[Wanted]) -> None:
    fate_work().start(readings_of, missing)
