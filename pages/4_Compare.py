"""Compare: two readings side by side, or several as rows. `/Compare?runs=ID,ID`; without readings it offers some to choose."""

from __future__ import annotations

from components.compare.page import show_compare
from components.frame import page
from components.session import address

with page("Compare"):
    show_compare(address.compared_run_ids())
