"""Questions: question sets imported from files, read by several readers as one batch, and the answers graded by rule.

`?set=ID` opens a question set, `?batch=ID` a batch.
"""

from __future__ import annotations

from components.frame import page
from components.questions.page import show_questions
from components.session import address

with page("Questions"):
    show_questions(address.go_to_new_project)
