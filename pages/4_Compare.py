"""Compare: two readings side by side, or several as rows. `/Compare?runs=ID,ID`; without readings it offers some to choose."""

from __future__ import annotations

import streamlit as st

from components.compare.page import show_compare
from components.frame import page
from components.html import markup, wording
from components.session import state
from readers.engine.errors import ReadingError

page("Compare")
try:
    show_compare(state.compared_ids())
except ReadingError as error:
    st.error(markup.plain(wording.sentence(str(error))))
