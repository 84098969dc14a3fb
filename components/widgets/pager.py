"""The numbers of a list's pages, to choose one."""

from __future__ import annotations

import streamlit as st

WIDTH = 380  # pixels: with the width of its content, the widget shows one number of two


def ask(pages: int, *, key: str) -> int:
    """The page that is chosen, from 1. Draws nothing where there is only one."""
    if pages <= 1:
        return 1
    with st.container(horizontal=True, horizontal_alignment="center"):
        return st.pagination(pages, key=key, width=WIDTH) or 1
