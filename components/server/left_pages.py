"""Sessions whose page has left. Streamlit keeps each for two minutes, since its page may come back, with three file descriptors
and all that it holds, 128 at most; and it forgets one only when a later page leaves.

So kept sessions count when pages are admitted, and each is closed when its time is over.
"""

from __future__ import annotations

import asyncio

from streamlit.runtime import exists, get_instance
from streamlit.runtime.session_manager import SessionInfo

from components.server.uploads import free_forgotten

SECONDS = 110.0  # for which a page can come back to its session: a little less than Streamlit's own
SECONDS_IN_A_DEMO = 30.0  # as long as its visit lasts after it

_noted: dict[str, SessionInfo] = {}  # those that will be closed, by the session's id; another leaving has another info


def kept() -> int:
    """How many sessions without a page there are."""
    return len(_kept())


def note_left(seconds: float) -> None:
    """Have the sessions that lost their page just now closed after some time, unless it comes back. Call it in the loop."""
    for session, info in _kept().items():
        if _noted.get(session) is not info:
            _noted[session] = info
            asyncio.get_running_loop().call_later(seconds, _close, session, info)


def _close(session: str, info: SessionInfo) -> None:
    if _noted.get(session) is info:
        del _noted[session]
    if _kept().get(session) is info:
        get_instance().close_session(session)
    free_forgotten()


def _kept() -> dict[str, SessionInfo]:
    if not exists():
        return {}
    runtime = get_instance()
    every = runtime._session_mgr.list_sessions()  # Streamlit has no public list
    return {info.session.id: info for info in every if not runtime.is_active_session(info.session.id)}
