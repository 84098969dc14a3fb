"""The head of a reading on the bench: its question, answer and choices, and on request what is known, as low as it goes.

The choices stand there in every stage: without them nobody can say what was wrong with a choice. Which of them is right is shown
only with the known answer.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from components.annotate.bench import html
from components.annotate.bench.wording import choices_offered
from components.html.words import wording
from components.widgets.readings import reading_view
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store.reading import Reading


def show_head(reading: Reading, known: KnownAnswer | None, stays: dict[str, Any]) -> bool:
    """Draw the head. `known` is None where the annotator may not see it; whether it is shown `stays` from reading to reading
    (`bench_reading.kept`). Returns whether it is shown."""
    run = reading.run
    reading_view.show_known_at_first(run, bool(stays.get("known")))
    with st.container(key="trace-head"):
        gold = reading_view.show_title(reading, known)
        if known:
            stays["known"] = gold
        reading_view.show_outcome(reading)
        choices = choices_offered(run, known if gold else None)
        if choices:
            st.html(html.choice_list(choices))
        if known and gold:
            named = any(choice.right for choice in choices)  # then the choices show which one is right
            st.html(html.known_line("" if named else known.answer or wording.NOT_IN_TEXT, wording.compared(run, known)))
    return gold
