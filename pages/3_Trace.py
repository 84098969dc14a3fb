"""Trace: one reading, step by step. `/Trace?run=ID`, and `&at=9` for its ninth step."""

from __future__ import annotations

from components.frame import page
from components.session import address, flash
from components.trace.page import show_trace
from readers.engine.errors import ReadingError

page("Trace")
try:
    show_trace(address.run_id())
except ReadingError as error:
    flash.error(error)
