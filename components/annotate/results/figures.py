"""Figures of what annotators found: shares as stacked bars, and which codes go together, as plotly's JSON data. Pure.

Every segment says its number and its value where there is room, and always when it is pointed at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from components.html.figures import plot

LONGEST_NAME = 34  # characters of a name beside a bar
_ROW, _FRAME = 34, 110  # px: a bar with its gap, and what is above and below all of them
DARK = 0.25  # the share from which a square may be as dark as can be: a few percent look like a few
# Of values without a meaning of their own.
COLOURS = ("raw", "model", "evidence", "lost", "warn", "stood-for", "not-covered", "ink", "soft")
OUTCOME_COLOURS = {
    "correct": "evidence", "partly": "warn", "wrong": "lost", "abstained_right": "stood-for", "abstained_wrong": "model",
    "not_judgeable": "not-covered",
}  # fmt: skip


class Segments(NamedTuple):
    """One value over all bars: its name, the name of its colour, and its count in each bar."""

    name: str
    colour: str
    counts: Sequence[int]


def stacked(bars: Sequence[str], segments: Sequence[Segments], theme: plot.Theme) -> dict[str, Any]:
    """A bar for each name, the first on top, its segments by value; as counts of readings."""
    ink = plot.inks(theme)
    names = [_short(name) for name in bars]
    data = [
        {
            "type": "bar", "orientation": "h", "name": _short(one.name), "y": names, "x": list(one.counts),
            "text": [f"{count:,} {_short(one.name)}" if count else "" for count in one.counts], "textposition": "inside",
            "insidetextanchor": "middle", "textangle": 0, "textfont": {"size": plot.SMALLEST, "color": ink["paper"]},
            "marker": {"color": ink[one.colour], "line": {"color": ink["paper"], "width": 2}},
            "hovertemplate": "%{y}, %{fullData.name}: %{x:,}<extra></extra>",
        }
        for one in segments
    ]  # fmt: skip
    return {
        "data": data,
        "layout": plot.layout(
            ink,
            height=_FRAME + _ROW * len(bars),
            barmode="stack",
            legend={**plot.legend(ink), "traceorder": "normal"},  # as the segments stand, from left to right
            xaxis=plot.count_axis(ink, "readings", max(map(sum, zip(*(one.counts for one in segments), strict=True)), default=0)),
            yaxis=plot.axis(ink, autorange="reversed", automargin=True, showgrid=False),
            uniformtext={"mode": "hide", "minsize": plot.SMALLEST},
        ),
    }


def together(names: Sequence[str], counts: Mapping[tuple[int, int], int], theme: plot.Theme) -> dict[str, Any]:
    """How many readings have each two codes: a square for each pair of `names`, by their places, with its number."""
    ink = plot.inks(theme)
    size = len(names)
    cells = [[counts.get((min(a, b), max(a, b)), 0) if a > b else None for b in range(size)] for a in range(size)]
    axis: dict[str, Any] = {**_ticks(names), "showgrid": False, "automargin": True}
    return {
        "data": [{
            "type": "heatmap", "z": cells, "zmin": 0, "xgap": 2, "ygap": 2, "showscale": False, "hoverinfo": "skip",
            "colorscale": [[0, ink["paper"]], [1, ink["raw"]]],
            "text": [[f"{n}" if n else "" for n in row] for row in cells], "texttemplate": "%{text}", "textfont": {"size": 14},
        }],
        "layout": plot.layout(
            ink, height=_FRAME + _ROW * size + 60,
            xaxis=plot.axis(ink, **axis, tickangle=-35), yaxis=plot.axis(ink, **axis, autorange="reversed"),
        ),
    }  # fmt: skip


def shares(
    rows: Sequence[str], columns: Sequence[str], cells: Mapping[tuple[int, int], float], theme: plot.Theme
) -> dict[str, Any]:
    """A square for each row and column by their places, the darker the larger its share (0 to 1), with the share in percent."""
    ink = plot.inks(theme)
    values = [[cells.get((row, column), 0.0) for column in range(len(columns))] for row in range(len(rows))]
    axis: dict[str, Any] = {"showgrid": False, "automargin": True}
    return {
        "data": [{
            "type": "heatmap", "z": values, "zmin": 0, "zmax": max(DARK, *map(max, values)), "xgap": 2, "ygap": 2,
            "showscale": False, "hoverinfo": "skip", "colorscale": [[0, ink["paper"]], [1, ink["raw"]]],
            "text": [[f"{share:.0%}" if share else "" for share in row] for row in values],
            "texttemplate": "%{text}", "textfont": {"size": 14},
        }],
        "layout": plot.layout(
            ink, height=_FRAME + _ROW * len(rows),
            xaxis=plot.axis(ink, **axis, **_ticks(columns), side="top"),
            yaxis=plot.axis(ink, **axis, **_ticks(rows), autorange="reversed"),
        ),
    }  # fmt: skip


def _ticks(names: Sequence[str]) -> dict[str, Any]:
    return {"tickvals": list(range(len(names))), "ticktext": [_short(name) for name in names]}


def _short(name: str) -> str:
    """A name beside a bar. It may come from a file, and plotly would take markup in it for links."""
    return escape(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…", quote=False)
