"""Trace: one reading, step by step. `/Trace?run=ID`, and `&at=9` for its ninth step."""

from __future__ import annotations

from components.frame import page
from components.session import address
from components.trace.page import show_trace

with page("Trace"):
    show_trace(address.run_id())
