"""The fates of many readings for the page that shows them: what was saved is there at once, the rest is computed in the
background, with progress and Cancel. The thread is `components/session/work/fate_work.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from components.session.page import flash, state
from components.session.visitor import access
from components.session.work.fate_work import Following, fate_work
from components.widgets import keys
from components.widgets.progress import watch
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import EvidenceFate, Wanted
from readers.engine.work import Work

AT_ONCE = 1.5  # seconds that the page waits for the work before it shows progress instead


def of(readings_of: str, every: Sequence[Wanted], *, wait: float | None = None) -> Mapping[str, EvidenceFate | None] | None:
    """The fates of these readings of a batch or a project, by run; None while they are being computed, or after that was
    cancelled. The page waits `wait` seconds for them (`AT_ONCE` by default)."""
    with access.opened() as store:
        found = evidence.saved_fates(store, every)
    work = fate_work().of(readings_of)
    missing = _missing(every, found, work)
    if missing and (work is None or (work.over.is_set() and not {one.key for one in missing} <= work.asked)):
        work = fate_work().start(readings_of, missing)
        work.over.wait(AT_ONCE if wait is None else wait)
        missing = _missing(every, found, work)
    if missing and work:
        if not work.over.is_set():
            before = len(every) - len(work.asked)
            watch.watch(partial(_look, readings_of, before, len(every)), partial(_draw, readings_of))
            return None
        if work.cancelled or work.error:
            _stopped(readings_of, work, missing, len(every))
            return None
    return found


def _missing(every: Sequence[Wanted], found: dict[str, EvidenceFate | None], work: Following | None) -> list[Wanted]:
    """The readings whose fate is neither saved nor held by the work; what it holds is added to `found`."""
    held = work.found if work else {}
    found |= {one.run.id: held[one.key] for one in every if one.key in held}
    return [one for one in every if one.run.id not in found]


def _look(readings_of: str, before: int, total: int) -> Work | None:
    """How many readings were followed; None when all were."""
    following = fate_work().of(readings_of)
    if following is None or following.over.is_set():
        return None
    done = before + len(following.found)
    return Work(
        done, total, stage="Following the evidence", notes=(f"{done:,} of {total:,} readings",), stopping=following.cancelled
    )


def _draw(readings_of: str, work: Work) -> None:
    watch.show(work, key="fates-progress", cancel=partial(fate_work().cancel, readings_of))


def _stopped(readings_of: str, work: Following, missing: Sequence[Wanted], total: int) -> None:
    """What is there after a cancel or an error, and Continue."""
    if work.error:
        flash.error(work.error)
    st.caption(f"The evidence was followed through {total - len(missing):,} of {total:,} readings. What was found is saved.")
    st.button(
        "Continue", key=state.key(keys.FATES_CONTINUE, readings_of), on_click=_continue, args=(readings_of, list(missing)),
    )  # fmt: skip


def _continue(readings_of: str, missing: Sequence[Wanted]) -> None:
    fate_work().start(readings_of, missing)
