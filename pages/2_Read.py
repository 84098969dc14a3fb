"""Read: choose a text, ask a question of it, and start. `?document=ID` has the text chosen; `&after=RUN` asks again."""

from __future__ import annotations

from components.frame import page
from components.read.page import show_read
from components.read.watch import show_watch

with page("Read"):
    show_watch(show_read())
