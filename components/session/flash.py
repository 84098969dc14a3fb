"""What the last click left to be told, on whatever page that is drawn next."""

from __future__ import annotations

import streamlit as st

from components.html import markup
from components.session import state


def show() -> None:
    """Each sentence once, in its tone."""
    for tone, sentence in state.all_said():
        {"success": st.success, "warning": st.warning}.get(tone, st.error)(markup.plain(sentence))
