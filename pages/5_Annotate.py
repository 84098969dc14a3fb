"""Annotate: people label where readings went wrong.

`?project=ID` opens a project, `&view=` a part of it, `&run=` a reading at the bench, `&at=` a step of it.
"""

from __future__ import annotations

from components.annotate.page import show_annotate
from components.frame import page

with page("Annotate"):
    show_annotate()
