"""Tables of reports on a page, with their notes, and the pages of a long list. The content of a table is up to its subject
(`report.py` there).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar
from urllib.parse import urlencode

import streamlit as st

from components.html import markup, terms
from components.session import state
from readers.engine.report import files, html
from readers.engine.report.values import Link, Report, Table


def draw(table: Table, *, kind: str = "scores", caption: str = "") -> None:
    """Draw a table, then the caption and the table's notes. In the names of a comparison's rows terms are explained, each
    once."""
    seen: set[str] = set()
    explain = (lambda name, _: terms.explained(name, seen=seen)) if kind == "versus" else terms.with_meaning
    st.html(str(html.table(table, kind=kind, address=_address, explain=explain)))
    if caption:
        st.caption(caption)
    for note in table.notes:
        st.html(markup.aside(note))


def downloads(make: Callable[[], Report], name: str, *key: str) -> None:
    """A button for each form of a report, in the current row. It is made when a file is asked for; files have this `name`, the
    widgets' keys begin with `key`."""

    def writer(form: files.Form) -> Callable[[], str]:
        return lambda: files.written(make(), form)

    for form, kind in files.FORMS.items():
        st.download_button(
            kind.label, writer(form), file_name=f"{name}.{form}", mime=kind.mime, on_click="ignore", key=state.key(*key, form)
        )


def _address(link: Link) -> str:
    return f"{link.page}?{urlencode(link.asks)}"


WIDTH = 380  # pixels: with the width of its content, the widget shows one number of two
T = TypeVar("T")


def part(rows: Sequence[T], size: int, key: str, *depends: object) -> Sequence[T]:
    """The rows of the chosen page, `size` of them. Draws the choice if there is more than one page; the widget's key is `key`
    with what it depends on."""
    pages = -(-len(rows) // size)
    if pages <= 1:
        return rows
    with st.container(horizontal=True, horizontal_alignment="center"):
        page = st.pagination(pages, key=state.key(key, *depends, pages), width=WIDTH) or 1
    return rows[size * (page - 1) : size * page]
