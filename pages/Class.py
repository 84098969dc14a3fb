"""Class: a reading watched together. `?code=KHMRTW` opens a class: its teacher leads it, everybody else votes."""

from __future__ import annotations

from components.class_room.page import show_class
from components.frame import page

with page("Class", bar=False):
    show_class()
