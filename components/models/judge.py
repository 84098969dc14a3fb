"""How often models were right as judges of what is still said: only what was measured on this machine."""

from __future__ import annotations

import streamlit as st

from components.html import markup
from components.models import html
from readers.engine.forks import judge_figures
from readers.engine.forks.judge_figures import JudgeFigures, Share
from readers.engine.models import catalogue

ABOUT = (
    "A judge says whether a text still says a sentence (on Trace, while a fact is followed). Measured on pairs with two labels: "
    "in all on those with the same label twice, and for each verdict on those that got it; with 95 % intervals."
)


def show_judges() -> None:
    """Draw the figures of every model that was measured here; nothing if none was."""
    found = judge_figures.stored()
    if not found:
        return
    st.html(markup.section("", "As a judge of what is still said"))
    st.html(html.judges([_row(one) for one in found]))
    st.html(markup.aside(ABOUT))


def _row(one: JudgeFigures) -> html.JudgeRow:
    kappa = "none" if one.kappa is None else f"{one.kappa:.2f}"
    notes = [f"{one.pairs:,} pairs judged"]
    notes += [f"{one.unread:,} without a verdict that could be read"] if one.unread else []
    notes += [] if one.current else ["with an earlier wording of the prompt"]
    verdicts = [share(one.verdicts[verdict]) if verdict in one.verdicts else "none" for verdict in judge_figures.LABELS]
    return html.JudgeRow(catalogue.title(one.model), share(one.agreed), kappa, verdicts, "; ".join(notes))


def share(found: Share) -> str:
    """`67 of 70 (.88 to .98)`"""
    if found.interval is None:
        return "none"
    low, high = found.interval
    return f"{found.right:,} of {found.of:,} ({low:.2f} to {high:.2f})"
