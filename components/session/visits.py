"""When a visit to a public demo ends, and with it what the visitor made. Who the visitor is, `state.py` knows.

A visit lasts as long as its page is open. A connection that breaks may come back, so there is some grace. What is left of visits
whose process was killed goes when the next one starts.
"""

from __future__ import annotations

import streamlit as st

from components.session import database, process_cache
from readers.engine.run.jobs import Jobs

GRACE_SECONDS = 30.0
_PRESENT: dict[str, Jobs] = {}


def here(visitor: str, jobs: Jobs) -> None:
    """The visitor's page is open. Call it whenever it is drawn."""
    _swept()
    _present(visitor, jobs)


@st.cache_resource(show_spinner=False)
def _swept() -> bool:
    """Once a process."""
    with database.opened() as store:
        store.sweep_visits()
    return True


def _gone(visitor: str) -> None:
    """The page was closed, or its connection broke."""
    jobs = _PRESENT.pop(visitor, None)
    if jobs is not None:
        jobs.end_visit(visitor, after=GRACE_SECONDS, unless=lambda: visitor in _PRESENT, then=process_cache.forget)


@st.cache_resource(scope="session", on_release=_gone, show_spinner=False)
def _present(visitor: str, _jobs: Jobs) -> str:
    _PRESENT[visitor] = _jobs
    return visitor
