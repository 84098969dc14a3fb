"""Below the player: what belongs to the step where it has settled, in Simple and in Full, and what can be done next.

In Full these are the calls of the step, what was tried and can be tried there, then rewards, measures and settings. Parts that
only Full or only a followed fact needs are loaded when first shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from components.html import markup
from components.html.terms import explained
from components.html.words import reading_words
from components.session import address, process_cache
from components.session.drawing import fragment
from components.trace import found, next_steps
from components.trace.family import show_family
from components.trace.what_if import show_what_if
from components.widgets import reading_view
from readers import get
from readers.engine.analysis import measures
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Reading

LATER = "The measures are of the whole reading. They appear at its last step, or with “Show the end”."


@fragment()
def show_below(reading: Reading, known: KnownAnswer | None) -> None:
    """Draw Python's part of the step, and answer the player's requests."""
    run, at = reading.run, reading_view.follow(reading)
    later = not reading_view.hides_later(reading, at)
    mends = st.container()
    followed = reading_view.followed(reading, known)
    if followed:
        from components.trace import judge, mend  # loaded once a fact is followed

        judge.show_judge(reading, at, followed, later=later)
    if address.is_full():  # read here, not passed in: a fragment may run again with its arguments from before the switch
        _show_full(reading, at, known, later=later)
    elif reading.trace.steps:
        show_what_if(reading, at)
    if later:  # its forks are listed with their answers
        show_family(run, known)
    next_steps.show_next(reading, at)
    if followed and later:  # a fate is shown with the end; drawn last, because its estimates may take a while
        with mends:
            mend.show_mends(reading, at, followed)


def _show_full(reading: Reading, at: int, known: KnownAnswer | None, *, later: bool = True) -> None:
    """Below the player: the calls of step `at` (from 0) and what can be changed there, then measures and settings side by side;
    above them the rewards, if there is a `known` answer that is shown. Without `later`, nothing is shown that comes after the
    step."""
    from components.html import rewards
    from components.trace import experiments  # which reach far into the engine; Simple needs none of it

    if reading.trace.steps:
        seq = reading_view.show_calls(reading, at, opened=found.call_at(reading, at))
        show_what_if(reading, at, seq=seq)
        experiments.show(reading, seq)
    if known and later:
        st.html(rewards.figure(process_cache.rewards_of(reading, known)))
    left, right = st.columns(2, gap="large")
    figures = process_cache.measures_of(reading, known)
    with left:
        st.html(markup.section("", "Measures"))
        st.html(
            _figures(measures.rows(figures, memory=get(reading.run.reader).narrative.carried)) if later else markup.empty(LATER)
        )
    with right:
        st.html(markup.section("", "Settings"))
        st.html(_figures(reading_words.settings(reading)))


def _figures(rows: Sequence[tuple[str, str]]) -> str:
    """Names and values, two columns."""
    seen: set[str] = set()
    body = "".join(f"<tr><th scope='row'>{explained(name, seen=seen)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f'<table class="figures"><tbody>{body}</tbody></table>'
