"""The name a visitor labels under: of their login where there is one, else the one they chose, which their browser remembers."""

from __future__ import annotations

from urllib.parse import unquote

import streamlit as st

from readers.engine.errors import BadOptions
from readers.engine.labels.label import annotator_name

CHOSEN, COOKIE = "_annotator", "palimpsest_annotator"


def current_name() -> str:
    """The name by which this visitor labels; empty where it is not known."""
    if st.user.get("is_logged_in"):
        return next((str(st.user[one])[:80] for one in ("email", "name", "sub") if st.user.get(one)), "")
    return chosen_name()


def chosen_name() -> str:
    """The name chosen in this session, else the one in this browser's cookie; empty where there is neither.

    Anybody can write a cookie: one that holds no valid name counts as none.
    """
    name = name_for_cookie()
    if name is not None:
        return name
    try:
        return annotator_name(unquote(st.context.cookies.get(COOKIE, "")))
    except BadOptions:
        return ""


def name_for_cookie() -> str | None:
    """What the browser is to remember: the name chosen in this session, empty if it was given up, None where neither happened."""
    name: str | None = st.session_state.get(CHOSEN)
    return name


def choose_name(name: str) -> None:
    """Set the name for this session; empty to be asked again."""
    st.session_state[CHOSEN] = name
