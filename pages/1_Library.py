"""Library: the texts there are; add one, look into one, delete one. `?document=ID` opens a text."""

from __future__ import annotations

from components.choose_text import say
from components.frame import page
from components.library import show_library
from readers.engine.errors import ReadingError

page("Library")
try:
    show_library()
except ReadingError as error:
    say(error)
