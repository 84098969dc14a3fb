"""A visit to a public demo: where it comes from, and its end, when what the visitor made is deleted. `page/state.py` knows who
the visitor is.

A visit lasts as long as its page is open. A connection that breaks may come back, so the end waits a little. What visits of a
killed process left is deleted when the next process starts.
"""

from __future__ import annotations

import streamlit as st

from components.session import process_cache
from components.session.demo import demo_usage
from components.session.page import database
from readers.engine.run.jobs import Jobs

GRACE_SECONDS = 30.0
_PRESENT: dict[str, Jobs] = {}


def here(visitor: str, jobs: Jobs) -> None:
    """Note that the visitor's page is open. Call it whenever a page is drawn."""
    _swept()
    _present(visitor, jobs)


def address() -> str:
    """The address of the page's visitor; empty if it is not known, or this machine's."""
    return demo_usage.address_of(st.context.ip_address, st.context.headers.get_all(demo_usage.FORWARDED))


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
        jobs.end_visit(visitor, after=GRACE_SECONDS, unless=lambda: visitor in _PRESENT, then=process_cache.clear)


@st.cache_resource(scope="session", on_release=_gone, show_spinner=False)
def _present(visitor: str, _jobs: Jobs) -> str:
    _PRESENT[visitor] = _jobs
    return visitor
