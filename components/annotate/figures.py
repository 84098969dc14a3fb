"""Figures of a project, as plotly's JSON data: what annotators found as stacked bars, which codes go together, and the saturation
curve. Pure.

Every segment shows its number and its value if there is room, and always on hover.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from components.html import plot
from readers.engine.text.phrases import percent

LONGEST_NAME = 34  # characters of a name next to a bar
_ROW, _FRAME, _CURVE = 34, 110, 230  # px: a bar with its gap, the space above and below all of them; the saturation curve
DARK = 0.25  # from this share on, a square may have the darkest colour: a few percent look like a few percent
# For values without their own meaning.
COLOURS = ("raw", "model", "evidence", "lost", "warn", "stood-for", "not-covered", "ink", "soft")
OUTCOME_COLOURS = {
    "correct": "evidence", "partly": "warn", "wrong": "lost", "abstained_right": "stood-for", "abstained_wrong": "model",
    "not_judgeable": "not-covered",
}  # fmt: skip


Segment = tuple[str, str, Sequence[int]]  # one value over all bars: its name, the name of its colour, its count in each bar


def stacked(bars: Sequence[str], segments: Sequence[Segment], theme: plot.Theme) -> dict[str, Any]:
    """A bar for each name, the first on top, its segments by value; as counts of readings."""
    ink = plot.inks(theme)
    names = [_short(name) for name in bars]
    longest = max(map(sum, zip(*(counts for _, _, counts in segments), strict=True)), default=0)
    data = [
        {
            "type": "bar", "orientation": "h", "name": _short(name), "y": names, "x": list(counts),
            "text": [f"{count:,} {_short(name)}" if count else "" for count in counts], "textposition": "inside",
            "insidetextanchor": "middle", "textangle": 0, "textfont": {"size": plot.SMALLEST, "color": ink["paper"]},
            "marker": {"color": ink[colour], "line": {"color": ink["paper"], "width": 2}},
            "hovertemplate": "%{y}, %{fullData.name}: %{x:,}<extra></extra>",
        }
        for name, colour, counts in segments
    ]  # fmt: skip
    return {
        "data": data,
        "layout": plot.layout(
            ink,
            height=_FRAME + _ROW * len(bars),
            barmode="stack",
            legend={**plot.legend(ink), "traceorder": "normal"},  # in the order of the segments, from left to right
            xaxis=plot.count_axis(ink, "readings", longest),
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
            "text": [[percent(share) if share else "" for share in row] for row in values],
            "texttemplate": "%{text}", "textfont": {"size": 14},
        }],
        "layout": plot.layout(
            ink, height=_FRAME + _ROW * len(rows),
            xaxis=plot.axis(ink, **axis, **_ticks(columns), side="top"),
            yaxis=plot.axis(ink, **axis, **_ticks(rows), autorange="reversed"),
        ),
    }  # fmt: skip


def saturation(curve: Sequence[int], thing: str, theme: plot.Theme) -> dict[str, Any]:
    """A step for each reading that brought something new. Where the line stays level, the readings are saturated."""
    ink = plot.inks(theme)
    line = {
        "type": "scatter", "mode": "lines+markers", "x": list(range(1, len(curve) + 1)), "y": list(curve),
        "line": {"shape": "hv", "width": 2, "color": ink["raw"]}, "marker": {"size": 5, "color": ink["raw"]},
        "hovertemplate": f"After %{{x}} readings: %{{y}} {thing}<extra></extra>",
    }  # fmt: skip
    return {
        "data": [line],
        "layout": plot.layout(
            ink, height=_CURVE, showlegend=False, margin={"l": 60, "r": 16, "t": 12, "b": 44},
            xaxis=plot.count_axis(ink, "readings, as they were finished", len(curve)),
            yaxis=plot.count_axis(ink, thing, max(curve, default=0)),
        ),
    }  # fmt: skip


def _ticks(names: Sequence[str]) -> dict[str, Any]:
    return {"tickvals": list(range(len(names))), "ticktext": [_short(name) for name in names]}


def _short(name: str) -> str:
    """A name next to a bar. It may come from a file, and plotly would take markup in it for links."""
    return escape(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…", quote=False)
