"""The cost of readings by the number of questions, as plotly takes it. Pure: no Streamlit.

The sentence beside it says the same (`compare.balance_told`, `compare.cheapest_told`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from components.html.palette import PALETTE
from readers.engine.record.costs import CheapestFrom, Costs, CostUnit

Theme = Literal["light", "dark"]
FEWEST, POINTS = 6, 60
AXIS: dict[CostUnit, str] = {"dollars": "dollars", "tokens": "tokens sent and received"}
FORMAT: dict[CostUnit, str] = {"dollars": "$,.4~f", "tokens": ",.0f"}
# The lines differ in their dashes and marks, too.
LINES = (
    ("raw", "solid", "circle"), ("model", "dash", "diamond"), ("evidence", "dot", "square"), ("lost", "dashdot", "triangle-up"),
    ("ink", "longdash", "x"), ("soft", "solid", "star"), ("raw", "longdashdot", "diamond-open"), ("lost", "dash", "circle-open"),
)  # fmt: skip


def questions(stages: Sequence[CheapestFrom]) -> list[int]:
    """The numbers of questions that are shown: from 1 to some time after the last one from which another reading is cheaper."""
    last = max(FEWEST, 2 * stages[-1].questions if len(stages) > 1 else 0)
    step = max(1, last // POINTS)
    return [*range(1, last, step), last]


def by_questions(found: Sequence[Costs], stages: Sequence[CheapestFrom], numbers: Sequence[int], theme: Theme) -> dict[str, Any]:
    """A line for each, named by its reading's number, and where another one becomes the cheapest."""
    ink = {name: getattr(colour, theme) for name, colour in PALETTE.items()}
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
    axis = {"gridcolor": ink["line"], "zeroline": False, "tickfont": {"color": ink["ink"], "size": 13}, "rangemode": "tozero"}
    title = {"color": ink["soft"], "size": 13}
    lines = [
        {"type": "line", "x0": turn, "x1": turn, "yref": "paper", "y0": 0, "y1": 1,
         "line": {"color": ink["soft"], "width": 1.5, "dash": "dot"}}
        for turn in turns
    ]  # fmt: skip
    return {
        "height": 260,
        "margin": {"l": 70, "r": 16, "t": 34, "b": 44},
        "paper_bgcolor": ink["paper"],
        "plot_bgcolor": ink["paper"],
        "font": {"family": '"Source Sans", "Source Sans 3", sans-serif', "color": ink["ink"], "size": 14},
        "hoverlabel": {"bgcolor": ink["paper"], "bordercolor": ink["line"], "font": {"color": ink["ink"], "size": 14}},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"color": ink["ink"], "size": 14}},
        "xaxis": {**axis, "title": {"text": "questions to the same text", "font": title}},
        "yaxis": {**axis, "title": {"text": AXIS[unit], "font": title}, "tickformat": FORMAT[unit]},
        "shapes": lines,
        "dragmode": False,
    }
