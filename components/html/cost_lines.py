"""What several questions on one text would take: a line for each reading or reader, and in words which is the cheapest by the
number of questions. Pure.

Not here: the costs (`readers/engine/record/costs.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from components.html import plot
from components.html.plot import Theme
from readers.engine.record.costs import CheapestFrom, Costs, CostUnit, cheapest
from readers.engine.text.phrases import listed

FEWEST, POINTS = 6, 60
AXIS: dict[CostUnit, str] = {"dollars": "dollars", "tokens": "tokens sent and received"}
FORMAT: dict[CostUnit, str] = {"dollars": "$,.4~f", "tokens": ",.0f"}


def questions(stages: Sequence[CheapestFrom]) -> list[int]:
    """The numbers of questions shown: from 1 to some way past the last number at which another one becomes the cheapest."""
    last = max(FEWEST, 2 * stages[-1].questions if len(stages) > 1 else 0)
    step = max(1, last // POINTS)
    return [*range(1, last, step), last]


def by_questions(costs: Mapping[str, Costs], theme: Theme) -> dict[str, Any]:
    """A line for each of these, by its name; prices or tokens must be known."""
    ink = plot.inks(theme)
    stages = cheapest([*costs.values()])
    asked, unit = questions(stages), stages[0].unit
    data = []
    for (name, each), (colour, dash, symbol) in zip(costs.items(), plot.lines(len(costs)), strict=True):
        amounts = [float(each.total(n, unit) or 0) for n in asked]
        line, marker = {"color": ink[colour], "width": 3, "dash": dash}, {"symbol": symbol, "size": 8, "color": ink[colour]}
        data.append(
            {"type": "scatter", "mode": "lines+markers" if len(asked) <= 24 else "lines", "x": asked, "y": amounts,
             "name": name, "line": line, "marker": marker,
             "hovertemplate": "%{fullData.name}, %{x:,} questions: %{y:" + FORMAT[unit] + "}<extra></extra>"}
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


# In words


def cheapest_told(stages: Sequence[CheapestFrom], found: Sequence[Costs], names: Sequence[str]) -> str:
    """Which of several is the cheapest by the number of questions on one text; `names` as they stand in a sentence."""
    if not stages:
        return "Which is the cheapest is unknown: some calls have no price and no token count."
    told = []
    for stage, later in zip_longest(stages, stages[1:]):
        best = listed(names[n] for n in stage.best)
        is_it = f"{best} {'is' if len(stage.best) == 1 else 'are'} the cheapest"
        if later is None:
            until = ", however many questions are asked" if len(stages) == 1 else f" from {stage.questions:,} questions on"
        else:
            last = later.questions - 1
            until = " for the first question" if last == 1 else f" for up to {last:,} questions"
        told.append(f"{is_it}{until}")
    return f"{unit_told(stages[0].unit, found)}, {'; '.join(told)}."


def unit_told(unit: CostUnit, found: Sequence[Costs]) -> str:
    """What is counted, and where that is not money, why."""
    if unit == "dollars":
        return "Counted in dollars"
    unknown = any(one.total(1, "dollars") is None for one in found)
    return f"Counted in tokens sent and received ({'a price is not known' if unknown else 'none of this is paid for'})"
