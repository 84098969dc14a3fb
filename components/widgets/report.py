"""Tables of reports on a page, with their notes. What they say is their subject's (`report.py` there)."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from components.html import markup, terms
from readers.engine.report import html
from readers.engine.report.values import Link, Table


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


def _address(link: Link) -> str:
    return f"{link.page}?{urlencode(link.asks)}"
