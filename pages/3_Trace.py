"""Trace: one reading, step by step. `/Trace?run=ID`, and `&at=9` for its ninth step."""

from __future__ import annotations

import streamlit as st

from components.frame import page
from components.html import markup, wording
from components.session import state
from components.trace.page import show_trace
from readers.engine.errors import ReadingError

page("Trace")
try:
    show_trace(state.run_id())
except ReadingError as error:
    st.error(markup.plain(wording.sentence(str(error))))
