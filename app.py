"""Home: choose a text, ask a question, and see how the answer came about. Run it with `streamlit run app.py`."""

from __future__ import annotations

import streamlit as st

from components import markup, state, wording
from components.frame import page
from components.result import show_recent, show_run
from components.start import show_start
from readers.engine.errors import ReadingError

page("")
try:
    if state.run_id():
        show_run(state.run_id())
    else:
        show_start()
    show_recent()
except ReadingError as error:
    st.error(markup.plain(wording.sentence(str(error))))
