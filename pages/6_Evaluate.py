"""Evaluate: what readers score on the questions of a batch, with intervals and what it took.

`?batch=ID` opens a batch.
"""

from __future__ import annotations

from components.evaluate.page import show_evaluate
from components.frame import page
from components.session import address

with page("Evaluate"):
    show_evaluate(address.go_to_new_project)
