"""What Full shows below the player: the calls of the step, what was and can be tried there, then rewards, measures and settings.

Loaded when Full is first opened: the experiments reach far into the engine, and Simple needs none of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from components.html import markup, rewards
from components.html.terms import explained
from components.html.words import reading_words
from components.session import process_cache
from components.trace import experiments
from components.trace.what_if import show_what_if
from components.widgets import reading_view
from readers import get
from readers.engine.analysis import measures
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Reading

LATER = "The measures are of the whole reading. They appear at its last step, or with “Show the end”."


def show_full(reading: Reading, at: int, known: KnownAnswer | None, *, later: bool = True) -> None:
    """Below the player: the calls of step `at` (from 0) and what can be changed there, then measures and settings side by side;
    above them the rewards, if there is a `known` answer that is shown. Without `later`, nothing is shown that comes after the
    step."""
    if reading.trace.steps:
        seq = reading_view.show_calls(reading, at)
        show_what_if(reading, at, seq=seq)
        experiments.show(reading, seq)
    if known and later:
        st.html(rewards.figure(process_cache.rewards_of(reading, known)))
    left, right = st.columns(2, gap="large")
    found = process_cache.measures_of(reading, known)
    with left:
        st.html(markup.section("", "Measures"))
        st.html(
            _figures(measures.rows(found, memory=get(reading.run.reader).narrative.carried)) if later else markup.empty(LATER)
        )
    with right:
        st.html(markup.section("", "Settings"))
        st.html(_figures(reading_words.settings(reading)))


def _figures(rows: Sequence[tuple[str, str]]) -> str:
    """Names and values, two columns."""
    seen: set[str] = set()
    body = "".join(f"<tr><th scope='row'>{explained(name, seen=seen)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f'<table class="figures"><tbody>{body}</tbody></table>'
