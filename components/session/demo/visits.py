"""A visit to a public demo: where it comes from, and its end, when what the visitor made is deleted. `page/state.py` knows who
the visitor is.

A visit lasts as long as its page is connected, by the server's own list of sessions: nothing that a visitor sends ends the visit
of another. A connection that breaks may come back, so the end waits a little. What visits of a killed process left is deleted
when the next process starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.session import process_cache
from components.session.demo import demo_usage
from components.session.page import database
from readers.engine.run.jobs import Jobs

GRACE_SECONDS = 30.0


@dataclass(frozen=True)
class _DemoVisit:
    session: str  # Streamlit's id of it
    jobs: Jobs


_OPEN: dict[str, _DemoVisit] = {}


def here(visitor: str, jobs: Jobs) -> None:
    """Note that the visitor's page is open. Call it whenever a page is drawn."""
    _sweep()
    context = get_script_run_ctx()
    if context is not None:
        _OPEN[visitor] = _DemoVisit(context.session_id, jobs)


def address() -> str:
    """The address of the page's visitor; empty if it is not known, or this machine's."""
    return demo_usage.address_of(st.context.ip_address, st.context.headers.get_all(demo_usage.FORWARDED))


def end_disconnected() -> None:
    """Begin to end the visits whose pages are no longer connected. Call it after a connection has ended."""
    for visitor, visit in list(_OPEN.items()):
        if not _connected(visit.session):
            del _OPEN[visitor]
            is_back = partial(_is_back, visitor, visit)
            visit.jobs.end_visit(visitor, after=GRACE_SECONDS, unless=is_back, then=process_cache.clear)


def _is_back(visitor: str, visit: _DemoVisit) -> bool:
    if visitor not in _OPEN and _connected(visit.session):
        _OPEN[visitor] = visit
    return visitor in _OPEN


def _connected(session: str) -> bool:
    return exists() and get_instance().is_active_session(session)


@process_cache.lasting
def _sweep() -> None:
    with database.opened() as store:
        store.visits.sweep()
