"""Classes that watch a reading together, as this browser sees them: its token, what its teacher does, what its learner does.

The browser keeps its token in a cookie, so that a reload is the same learner, and who began a class leads it after a restart. No
name is asked for. Not here: the rules of a class (`engine/teaching`) and its page.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import streamlit as st

from components.session.page import database, state
from components.session.visitor import access
from readers.engine.store import Run, Store
from readers.engine.teaching import codes
from readers.engine.teaching.classes import ClassSession
from readers.engine.teaching.codes import ClassLimits

COOKIE, _TOKEN = "palimpsest_class", "_class_token"
DEMO_REMEMBERS = timedelta(days=1)  # a class that is over, in a demo


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


def begin(run: Run, *, steps: int) -> ClassSession:
    """Begin a class on a reading, led by this browser. Raises LimitReached if too many are open."""
    with database.opened() as store:
        if access.demo():
            store.classes.forget((datetime.now(UTC) - DEMO_REMEMBERS).isoformat(timespec="milliseconds"))
        return store.classes.begin(run.id, run.question, steps=steps, token=token(), limits=limits())


def own(run_id: str) -> list[ClassSession]:
    """The classes on a reading that this browser leads or led, oldest first."""
    with database.opened() as store:
        return store.classes.of_reading(run_id, token())


def leads(session: ClassSession) -> bool:
    """Whether this browser began a class."""
    return codes.mark(session.id, token()) == session.teacher


def class_run(store: Store, session: ClassSession) -> Run:
    """The reading of a class. Who is in the class may see it, whoever it belongs to."""
    return store.seen_by(None).run(session.run)
