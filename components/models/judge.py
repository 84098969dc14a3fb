"""How often models were right as judges of what is still said: only what was measured on this machine."""

from __future__ import annotations

import streamlit as st

from components.html import markup
from components.widgets import report
from readers.engine.forks import judge
from readers.engine.forks.judge import JudgeFigures, Share
from readers.engine.models import catalogue
from readers.engine.report.values import Cell, Column, Figure, Row, Table

ABOUT = (
    "A judge says whether a text still says a sentence (on Trace, while a fact is followed). Measured on pairs with two labels: "
    "in all on those with the same label twice, and for each verdict on those that got it; with 95 % intervals."
)


def show_judges() -> None:
    """Draw the figures of every model that was measured here; nothing if none was."""
    found = judge.stored_figures()
    if not found:
        return
    st.html(markup.section("", "As a judge of what is still said"))
    names = ("Agrees with the label", "Kappa", "“Still said” is right", "“Something else” is right", "“No longer said” is right")
    heads = [Column(name, "" if name == "Kappa" else "%") for name in names]
    report.draw(Table("Models as judges", heads, [_row(one) for one in found], notes=[ABOUT], head="Model"))


def _row(one: JudgeFigures) -> Row:
    notes = [f"{one.pairs:,} pairs judged"]
    notes += [f"{one.unread:,} without a verdict that could be read"] if one.unread else []
    notes += [] if one.current else ["with an earlier wording of the prompt"]
    verdicts = [_share(one.verdicts.get(verdict)) for verdict in judge.LABELS]
    cells = [_share(one.agreed), Cell(Figure(one.kappa, unit="coefficient")), *verdicts]
    return Row(catalogue.title(one.model), cells, "; ".join(notes))


def _share(found: Share | None) -> Cell:
    if found is None or found.interval is None:
        return Cell()
    return Cell(Figure(found.right / found.of, *found.interval), [f"{found.right:,} of {found.of:,}"])
