"""The drawings of the methods: SVG of our own in `assets/methods`, by the reader's id, drawn in the colours of the theme.

Each is a component, because HTML on a page may not contain SVG, and an image would not know the theme.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from components.html.styles import sheet

FOLDER = Path(__file__).parents[2] / "assets" / "methods"


def _drawing(path: Path) -> Callable[..., Any]:
    return st.components.v2.component(
        f"palimpsest.drawing_{path.stem}", html=path.read_text(encoding="utf-8"), css=sheet("drawing")
    )


_DRAWINGS = {path.stem: _drawing(path) for path in sorted(FOLDER.glob("*.svg"))}


def has(reader_id: str) -> bool:
    """Whether there is a drawing of this reader's method."""
    return reader_id in _DRAWINGS


def show(reader_id: str, *, key: str) -> None:
    """Draw the method of a reader."""
    _DRAWINGS[reader_id](key=key)
