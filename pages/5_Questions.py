"""Questions: question sets taken in from files, read by several readers as one batch, and the answers held against what is known.

`?set=ID` opens a question set, `?batch=ID` a batch.
"""

from __future__ import annotations

from components.frame import page
from components.questions.page import show_questions
from components.session import state
from components.widgets.choose_text import say
from readers.engine.errors import ReadingError

page("Questions")
try:
    show_questions(state.go_to_new_project)
except ReadingError as error:
    say(error)
