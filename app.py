"""Home: what this is, samples to read at once, and the last readings. Run it with `streamlit run app.py`."""

from __future__ import annotations

from components.frame import page
from components.home.page import show_home
from components.session import flash
from readers.engine.errors import ReadingError

page("")
try:
    show_home()
except ReadingError as error:
    flash.error(error)
