"""Library: the texts there are; add one, look into one, delete one. `?document=ID` opens a text."""

from __future__ import annotations

from components.frame import page
from components.library.page import show_library
from components.session import flash
from readers.engine.errors import ReadingError

page("Library")
try:
    show_library()
except ReadingError as error:
    flash.error(error)
