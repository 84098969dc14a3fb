"""Classes that watch a reading together, as this browser sees them: its token, what its teacher does, what its learner does.

The browser keeps its token in a cookie, so that a learner stays the same after a reload, and a teacher still leads their class
after a restart. No name is asked for. Not here: the rules of a class (`engine/teaching`) and its page.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Callable, Hashable
from datetime import UTC, datetime, timedelta
from threading import Lock

import streamlit as st

from components.session import access, capacity, database, demos, state
from components.session.process_cache import lasting
from readers.engine.errors import LimitReached, ReadingError
from readers.engine.store import Run, Store
from readers.engine.store.database import now
from readers.engine.teaching import codes
from readers.engine.teaching.classes import ClassSession
from readers.engine.teaching.codes import ClassLimits

COOKIE, _TOKEN, _JOINED = "palimpsest_class", "_class_token", "_class_joined"
MOST_JOINED, MOST_WORDS, WITHIN = 120, 30, 60.0  # times in this many seconds from one address, behind which a whole room may be
TEACHERS_PAGES = 2  # which a class needs in addition to its devices: the teacher's own, and the room's screen
DEMO_REMEMBERS = timedelta(days=1)  # a class that is over, in a demo
MOST_KEYS = 10_000  # of a `Rate`; above this, entries whose time is over are removed


def token() -> str:
    """What this browser is known by in its classes: the token in its cookie, else a new one that the page stores there."""
    found: str = state.remembered(_TOKEN, lambda: _in_cookie() or codes.new_token())
    return found


def _in_cookie() -> str:
    """Anybody can write a cookie: one that holds no token counts as none."""
    words = st.context.cookies.get(COOKIE, "")
    return words if codes.is_token(words) else ""


def limits() -> ClassLimits:
    return codes.DEMO if access.demo() else codes.OWN_MACHINE


def begin(run: str, title: str, *, steps: int, lesson: str = "") -> ClassSession:
    """Begin a class on a reading or a lesson, led by this browser. Raises LimitReached if too many classes are open."""
    with database.opened() as store:
        if access.demo():
            store.classes.forget((datetime.now(UTC) - DEMO_REMEMBERS).isoformat(timespec="milliseconds"))
        return store.classes.begin(run, title, steps=steps, token=token(), limits=limits(), lesson=lesson)


def own(run_id: str, *, lesson: str = "") -> list[ClassSession]:
    """The classes on a reading, or on a lesson, that this browser leads or led, oldest first."""
    with database.opened() as store:
        return store.classes.of_reading(run_id, token(), lesson=lesson)


def leads_one(run_id: str) -> bool:
    """Whether this browser leads a class on a reading that is not over."""
    return any(not held.is_over(now()) for held in own(run_id))


def leads(session: ClassSession) -> bool:
    """Whether this browser began a class."""
    return codes.mark(session.id, token()) == session.teacher


class Rate:
    """At most `most` times within `seconds`, for each key: what strangers could otherwise repeat a thousand times a second. The
    count is only in this process, and only for the time that matters."""

    def __init__(self, most: int, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._taken: defaultdict[Hashable, deque[float]] = defaultdict(deque)
        self._lock = Lock()

    def take(self, key: Hashable) -> bool:
        """Count one more, if there may be one more now; otherwise False."""
        with self._lock:
            at = self._clock()
            if len(self._taken) > MOST_KEYS:
                for other in [one for one, times in self._taken.items() if not times or times[-1] <= at - self._seconds]:
                    del self._taken[other]
            taken = self._taken[key]
            while taken and taken[0] <= at - self._seconds:
                taken.popleft()
            if len(taken) >= self._most:
                return False
            taken.append(at)
            return True

    def give_back(self, key: Hashable) -> None:
        """Uncount the last one."""
        with self._lock:
            if self._taken[key]:
                self._taken[key].pop()


@lasting
def _rate_of_joining() -> Rate:
    return Rate(MOST_JOINED, WITHIN)


@lasting
def _rate_of_words() -> Rate:
    return Rate(MOST_WORDS, WITHIN)


def is_in(store: Store, session: ClassSession) -> bool:
    """Whether this browser has joined a class and was not removed."""
    return store.classes.learners.has_joined(session, codes.mark(session.id, token()))


def was_in(session: ClassSession) -> bool:
    """Whether this page has joined a class before."""
    return bool(state.value(state.key(_JOINED, session.id)))


def join(session: ClassSession, word: str = "") -> None:
    """Let this browser into a class. Raises ReadingError, in words, where it may not or must wait."""
    where, words, joined = (session.id, demos.address()), _rate_of_words(), _rate_of_joining()
    if session.state.word and not words.take(where):
        raise LimitReached("too many wrong words from your network; wait a minute, then try again")
    if not joined.take(where):
        raise LimitReached("many devices are joining right now; yours will be let in within a minute")
    try:
        with database.opened() as store:
            store.classes.join(session.code, token(), limits(), word=word)
    except ReadingError:
        joined.give_back(where)
        raise
    if session.state.word:
        words.give_back(where)
    state.set_value(state.key(_JOINED, session.id), True)


def places() -> tuple[int, bool]:
    """How many devices can join a class, and whether it is this machine that cannot connect more."""
    machine = max(1, capacity.most_pages() - TEACHERS_PAGES)
    return min(limits().learners, machine), machine < limits().learners


def class_run(store: Store, session: ClassSession) -> Run:
    """The reading of a class. Who is in the class may see it, whoever it belongs to."""
    return store.seen_by(None).runs.get(session.run)
