"""Library: the texts there are; add one, look into one, delete one. `?document=ID` opens a text."""

from __future__ import annotations

from components.frame import page
from components.library.page import show_library

with page("Library"):
    show_library()
