"""What every page begins with: the page's settings and the style sheet."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from components import markup
from readers.engine.export import APP_VERSION

STYLE = Path(__file__).parents[1] / "assets" / "style.css"
ABOUT = f"Palimpsest {APP_VERSION}: watch a language model read a long text."


def page(title: str) -> None:
    """Call it first on every page."""
    st.set_page_config(page_title=f"{title} · Palimpsest" if title else "Palimpsest", layout="wide", menu_items={"About": ABOUT})
    st.html(STYLE)
    st.html(markup.masthead())
