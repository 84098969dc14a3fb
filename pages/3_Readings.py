"""Readings: search, filter, sort, tag, rename, compare, export and delete readings; import run files.

The address says what is listed: `/Readings?words=lamp&reader=ID&ended=answered&tag=class&sort=calls&page=2`.
"""

from __future__ import annotations

from components.frame import page
from components.readings.page import show_readings

with page("Readings"):
    show_readings()
