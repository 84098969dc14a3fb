"""What readings cost by the number of questions to their text, and which one is the cheapest: in words and as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.compare import html, wording
from components.compare.pair import Numbered
from components.html.figures import plot
from components.html.figures.plot import Theme
from components.session import state
from components.session.drawing import current_theme
from readers.engine.record.costs import CheapestFrom, Costs, CostUnit, cheapest, compare_costs
from readers.engine.record.costs import costs as costs_of

FEWEST, POINTS = 6, 60
AXIS: dict[CostUnit, str] = {"dollars": "dollars", "tokens": "tokens sent and received"}
FORMAT: dict[CostUnit, str] = {"dollars": "$,.4~f", "tokens": ",.0f"}
# The lines differ in their dashes and marks, too.
LINES = (
    ("raw", "solid", "circle"), ("model", "dash", "diamond"), ("evidence", "dot", "square"), ("lost", "dashdot", "triangle-up"),
    ("ink", "longdash", "x"), ("soft", "solid", "star"), ("raw", "longdashdot", "diamond-open"), ("lost", "dash", "circle-open"),
)  # fmt: skip


def show(all_of_them: Sequence[Numbered]) -> None:
    """After how many questions to their text which of the readings is the cheapest."""
    found = [costs_of(one.reading.records) for one in all_of_them]
    ids = [one.reading.run.id for one in all_of_them]
    numbers, names = [one.number for one in all_of_them], [one.name for one in all_of_them]
    stages = cheapest(found)
    if len(found) == 2:
        told = wording.balance_told(compare_costs(*found), found, numbers)
    else:
        told = wording.cheapest_told(stages, found, names)
    st.html(html.balance(told, wording.unfinished([one.reading.run for one in all_of_them], numbers)))
    if len(stages) > 1 or (stages and len(found) > 2):
        figure = by_questions(found, stages, numbers, current_theme())
        with st.container(key="compare-balance"):
            st.plotly_chart(figure, key=state.key("pair", "balance", *ids), theme=None, config=plot.CONFIG)


def questions(stages: Sequence[CheapestFrom]) -> list[int]:
    """The numbers of questions that are shown: from 1 to some time after the last one from which another reading is cheaper."""
    last = max(FEWEST, 2 * stages[-1].questions if len(stages) > 1 else 0)
    step = max(1, last // POINTS)
    return [*range(1, last, step), last]


def by_questions(found: Sequence[Costs], stages: Sequence[CheapestFrom], numbers: Sequence[int], theme: Theme) -> dict[str, Any]:
    """A line for each, named by its reading's number, and where another one becomes the cheapest."""
    ink = plot.inks(theme)
    asked, unit = questions(stages), stages[0].unit
    data = []
    for costs, number, (colour, dash, symbol) in zip(found, numbers, LINES, strict=False):
        amounts = [float(costs.total(n, unit) or 0) for n in asked]
        line, marker = {"color": ink[colour], "width": 3, "dash": dash}, {"symbol": symbol, "size": 8, "color": ink[colour]}
        data.append(
            {"type": "scatter", "mode": "lines+markers" if len(asked) <= 24 else "lines", "x": asked, "y": amounts,
             "name": f"reading {number}", "line": line, "marker": marker,
             "hovertemplate": f"reading {number}, %{{x:,}} questions: %{{y:{FORMAT[unit]}}}<extra></extra>"}
        )  # fmt: skip
    return {"data": data, "layout": _layout(unit, [stage.questions for stage in stages[1:]], ink)}


def _layout(unit: CostUnit, turns: Sequence[int], ink: dict[str, str]) -> dict[str, Any]:
    lines = [
        {"type": "line", "x0": turn, "x1": turn, "yref": "paper", "y0": 0, "y1": 1,
         "line": {"color": ink["soft"], "width": 1.5, "dash": "dot"}}
        for turn in turns
    ]  # fmt: skip
    return plot.layout(
        ink,
        height=260,
        xaxis=plot.axis(ink, "questions to the same text", rangemode="tozero"),
        yaxis=plot.axis(ink, AXIS[unit], rangemode="tozero", tickformat=FORMAT[unit]),
        shapes=lines,
    )
