"""The fates of many readings for the page that shows them: saved fates are there at once, the others are computed in the
background, with progress and Cancel.

One thread works for each batch or project; its page polls it and can cancel it. Its results are saved in the store
(`analysis/facts/evidence.py`) or, if the store refuses them, held here as long as the process lives. Readings have priority: the
thread pauses after each one that it followed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from components.session import access, database, flash, process_cache, state
from components.widgets import progress
from readers import get
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import EvidenceFate, Wanted, make_fates
from readers.engine.errors import ReadingError
from readers.engine.work import Work

AT_ONCE = 1.5  # seconds that the page waits for the work before it shows progress instead
PAUSE = 0.002  # seconds
MOST_WORKS = 16  # whose fates are held


@dataclass
class Following:
    """The work on one batch or project: the readings that are followed, and their fates, by `Wanted.key`."""

    asked: frozenset[str]
    found: dict[str, EvidenceFate | None] = field(default_factory=dict)
    cancelled: bool = False
    error: ReadingError | None = None
    over: threading.Event = field(default_factory=threading.Event)


class FateWork:
    """The work on all batches and projects of this process. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._works: dict[str, Following] = {}

    def of(self, readings_of: str) -> Following | None:
        """The last work on a batch or a project."""
        with self._lock:
            return self._works.get(readings_of)

    def start(self, readings_of: str, missing: Sequence[Wanted]) -> Following:
        """Follow these readings of a batch or a project, unless a thread is at work on it."""
        with self._lock:
            work = self._works.get(readings_of)
            if work and not work.over.is_set():
                return work
            over = [name for name, one in self._works.items() if one.over.is_set()]
            for name in over[: max(0, len(self._works) - MOST_WORKS)]:
                del self._works[name]
            self._works[readings_of] = work = Following(frozenset(one.key for one in missing))
        threading.Thread(target=_follow, args=(work, missing), name=f"fates-{readings_of}", daemon=True).start()
        return work

    def cancel(self, readings_of: str) -> None:
        """Stop the work after the reading that is followed now; computed fates are kept."""
        if work := self.of(readings_of):
            work.cancelled = True


def _follow(work: Following, missing: Sequence[Wanted]) -> None:
    try:
        with database.opened() as store, closing(make_fates(store, missing, get)) as made:
            for want, fate in made:
                work.found[want.key] = fate
                if work.cancelled:
                    break
                time.sleep(PAUSE)
    except ReadingError as error:
        work.error = error
    except Exception:
        work.error = ReadingError("The evidence could not be followed; the log of the server says why.")
        raise
    finally:
        work.over.set()


@process_cache.lasting
def fate_work() -> FateWork:
    return FateWork()


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
            progress.watch(partial(_look, readings_of, before, len(every)), partial(_draw, readings_of))
            return None
        if work.cancelled or work.error:
            _stopped(readings_of, work, missing, len(every))
            return None
    return found


def _missing(every: Sequence[Wanted], found: dict[str, EvidenceFate | None], work: Following | None) -> list[Wanted]:
    """The readings whose fate is neither saved nor held by the work; the held ones are added to `found`."""
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
    progress.show(work, key="fates-progress", cancel=partial(fate_work().cancel, readings_of))


def _stopped(readings_of: str, work: Following, missing: Sequence[Wanted], total: int) -> None:
    """The fates computed before a cancel or an error, and Continue."""
    if work.error:
        flash.error(work.error)
    st.caption(f"The evidence was followed through {total - len(missing):,} of {total:,} readings. What was found is saved.")
    st.button(
        "Continue", key=state.key("fates_continue", readings_of), on_click=_continue, args=(readings_of, list(missing)),
    )  # fmt: skip


def _continue(readings_of: str, missing: Sequence[Wanted]) -> None:
    fate_work().start(readings_of, missing)
