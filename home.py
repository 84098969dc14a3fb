"""Home: what this is, samples to read at once, and the last readings."""

from __future__ import annotations

from components.frame import page
from components.home.page import show_home

with page(""):
    show_home()
