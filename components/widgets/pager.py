"""The numbers of a list's pages, to choose one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import streamlit as st

from components.session import state

WIDTH = 380  # pixels: with the width of its content, the widget shows one number of two
T = TypeVar("T")


def part(rows: Sequence[T], size: int, key: str, *depends: object) -> Sequence[T]:
    """The rows of the page that is chosen, `size` of them. Draws the choice where there is more than one page; `key` and what it
    depends on are the widget's key."""
    pages = -(-len(rows) // size)
    if pages <= 1:
        return rows
    with st.container(horizontal=True, horizontal_alignment="center"):
        page = st.pagination(pages, key=state.key(key, *depends, pages), width=WIDTH) or 1
    return rows[size * (page - 1) : size * page]
