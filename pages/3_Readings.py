"""Readings: every reading, found, filtered and sorted; tagged, named, compared, saved, deleted; and run files taken in.

The address says what is listed: `/Readings?words=lamp&reader=ID&ended=answered&tag=class&sort=calls&page=2`.
"""

from __future__ import annotations

from components.frame import page
from components.readings.page import show_readings

with page("Readings"):
    show_readings()
