"""Home: what this is, samples to read at once, and the last readings. Run it with `streamlit run app.py`."""

from __future__ import annotations

import streamlit as st

from components.frame import page
from components.home.page import show_home
from components.html import markup, wording
from readers.engine.errors import ReadingError

page("")
try:
    show_home()
except ReadingError as error:
    st.error(markup.plain(wording.sentence(str(error))))
