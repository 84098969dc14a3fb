"""Home: what this is, samples to read at once, and the last readings. Run it with `streamlit run app.py`."""

from __future__ import annotations

import streamlit as st

from components import markup, state, wording
from components.frame import page
from components.home import show_home
from readers.engine.errors import ReadingError

page("")
try:
    if state.run_id():  # where readings had their address before they had a page
        state.go_to_trace(state.run_id())
    show_home()
except ReadingError as error:
    st.error(markup.plain(wording.sentence(str(error))))
