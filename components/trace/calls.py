"""Full, below the player: the calls of a step, what can be changed there, the measures and the settings.

Nothing runs here: everything shown was recorded.
"""

from __future__ import annotations

import streamlit as st

from components.html import markup
from components.html.figures import rewards
from components.html.words import call_words, measures
from components.session import process_cache
from components.trace import html
from components.trace.experiments import experiments
from components.trace.what_if import show_what_if
from components.widgets.readings import calls
from readers import get
from readers.engine.analysis.measures import recovered
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Reading

LATER = "The measures are of the whole reading. They appear at its last step, or with “Show the end”."


def show_full(reading: Reading, at: int, known: KnownAnswer | None, *, later: bool = True) -> None:
    """Below the player: the calls of step `at` (from 0) and what can be changed there, then measures and settings side by side;
    above them the rewards, if there is a `known` answer that is shown. Without `later`, nothing is shown that comes after the
    step."""
    if reading.trace.steps:
        seq = calls.show_calls(reading, at)
        show_what_if(reading, at, seq=seq)
        experiments.show(reading, seq)
    if known and later:
        st.html(rewards.figure(process_cache.rewards_of(reading, known)))
    left, right = st.columns(2, gap="large")
    with left:
        st.html(markup.section("", "Measures"))
        st.html(html.figures(_measures(reading, known)) if later else markup.empty(LATER))
    with right:
        st.html(markup.section("", "Settings"))
        st.html(html.figures(call_words.settings(reading)))


def _measures(reading: Reading, known: KnownAnswer | None) -> list[tuple[str, str]]:
    found = dict(process_cache.measures_of(reading))
    if found["stray"]:
        found["recovered"] = recovered(reading.trace, known)
    return measures.rows(found, memory=get(reading.run.reader).narrative.carried)
