"""Models: the model that reads in this session, another one, whether it answers, and the one that runs on this machine."""

from __future__ import annotations

import streamlit as st

from components.frame import page
from components.html import markup, wording
from components.models.page import show_models
from readers.engine.errors import ReadingError

page("Models")
try:
    show_models()
except ReadingError as error:
    st.error(markup.plain(wording.sentence(str(error))))
