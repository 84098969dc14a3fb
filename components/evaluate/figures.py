"""Figures of scores with their intervals, as plotly's JSON data: against length, against effort, and depth by length. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from components.evaluate.wording import UNITS
from components.html.figures import plot
from readers.engine.statistics.intervals import MeanEstimate

# The readers differ in dash and mark, too.
LINES = (
    ("raw", "solid", "circle"), ("lost", "dash", "diamond"), ("evidence", "dot", "square"), ("model", "dashdot", "triangle-up"),
    ("warn", "longdash", "x"), ("soft", "solid", "star"), ("ink", "longdashdot", "diamond-open"), ("raw", "dash", "circle-open"),
)  # fmt: skip
DEPTHS = 5
_ROW, _FRAME = 34, 130  # px


class Point(NamedTuple):
    """What one reading took in the mean, and its reader's score."""

    reader: str
    at: float
    score: MeanEstimate


def by_length(lengths: Sequence[str], lines: Mapping[str, Sequence[MeanEstimate | None]], theme: plot.Theme) -> dict[str, Any]:
    """A line for each reader over the lengths of texts, with error bars; None where a reader has no text of a length."""
    ink = plot.inks(theme)
    data = []
    for (name, found), (colour, dash, symbol) in zip(lines.items(), _lines(len(lines)), strict=True):
        there = [(length, one) for length, one in zip(lengths, found, strict=True) if one and one.value is not None]
        data.append(
            {
                "type": "scatter", "mode": "lines+markers", "name": name, "x": [length for length, _ in there],
                "y": [_percent(one.value) for _, one in there], "error_y": _bars([one for _, one in there], ink[colour]),
                "line": {"color": ink[colour], "width": 2.5, "dash": dash},
                "marker": {"symbol": symbol, "size": 9, "color": ink[colour]},
                "customdata": [f"{one.of:,} readings" for _, one in there],
                "hovertemplate": "%{fullData.name}, %{x}: %{y:.1f} (%{customdata})<extra></extra>",
            }
        )  # fmt: skip
    axis = plot.axis(ink, "tokens of the text", type="category", categoryorder="array", categoryarray=list(lengths))
    beside = {"scattermode": "group", "scattergap": 0.8}  # the error bars of readers stand beside each other
    return {"data": data, "layout": _layout(ink, len(lines), xaxis=axis, **beside)}


def by_effort(unit: str, points: Sequence[Point], theme: plot.Theme) -> dict[str, Any]:
    """A point for each reader: what a reading takes in the mean, and the score with its error bar."""
    ink = plot.inks(theme)
    data = [
        {
            "type": "scatter", "mode": "markers", "name": one.reader, "x": [one.at], "y": [_percent(one.score.value)],
            "error_y": _bars([one.score], ink[colour]), "marker": {"symbol": symbol, "size": 13, "color": ink[colour]},
            "hovertemplate": "%{fullData.name}: %{y:.1f} at %{x:,.4~g}<extra></extra>",
        }
        for one, (colour, _, symbol) in zip(points, _lines(len(points)), strict=True)
    ]  # fmt: skip
    return {"data": data, "layout": _layout(ink, len(points), xaxis=plot.axis(ink, UNITS[unit], rangemode="tozero"))}


def depth_name(fifth: int) -> str:
    """A fifth of a text in percent, from 0."""
    return f"{100 * fifth // DEPTHS} to {100 * (fifth + 1) // DEPTHS} %"


def by_depth(
    lengths: Sequence[str],
    cells: Mapping[tuple[int, str], tuple[float, int]],
    theme: plot.Theme,
    *,
    keys: Callable[[int, str], str],
) -> dict[str, Any]:
    """How well is answered by how deep in the text the evidence begins, and by length: (score, readings) by (fifth, length). A
    cell that is clicked says its key."""
    ink = plot.inks(theme)
    depths = [depth_name(n) for n in range(DEPTHS)]
    found = [[cells.get((n, length)) for length in lengths] for n in range(DEPTHS)]
    heat = {
        "type": "heatmap", "x": list(lengths), "y": depths,
        "z": [[_percent(cell[0]) if cell else None for cell in row] for row in found],
        "text": [[f"{_percent(cell[0]):.0f}<br>n = {cell[1]:,}" if cell else "" for cell in row] for row in found],
        "texttemplate": "%{text}", "textfont": {"size": plot.SMALLEST, "color": ink["ink"]},
        "zmin": 0, "zmax": 100, "xgap": 2, "ygap": 2,
        "colorscale": [[0, ink["raw-tint"]], [1, ink["stood-for"]]], "showscale": False, "hoverongaps": False,
        "hoverinfo": "skip",
    }  # fmt: skip
    return {
        "data": [heat, _clickable(cells, keys)],
        "layout": plot.layout(
            ink, height=_FRAME + 2 * _ROW * DEPTHS, showlegend=False,
            xaxis=plot.axis(ink, "tokens of the text", type="category"),
            yaxis=plot.axis(ink, "where the evidence begins", autorange="reversed", automargin=True),
            hovermode="closest", hoverdistance=-1,
        ),
    }  # fmt: skip


def _clickable(cells: Mapping[tuple[int, str], tuple[float, int]], keys: Callable[[int, str], str]) -> dict[str, Any]:
    """Marks that nobody sees on the cells of the heat map, which cannot be clicked itself: the nearest one is."""
    return {
        "type": "scatter", "mode": "markers", "showlegend": False,
        "text": [f"{_percent(score):.1f}" for score, _ in cells.values()],
        "hovertemplate": "evidence at %{y} of the text, %{x}: %{text}<extra></extra>",
        "x": [length for _, length in cells], "y": [depth_name(fifth) for fifth, _ in cells],
        "customdata": [keys(fifth, length) for fifth, length in cells],
        "marker": {"symbol": "square", "size": 1.6 * _ROW, "opacity": 0}, "selected": {"marker": {"opacity": 0}},
        "unselected": {"marker": {"opacity": 0}},
    }  # fmt: skip


def _lines(count: int) -> list[tuple[str, str, str]]:
    return [LINES[n % len(LINES)] for n in range(count)]


def _percent(value: float | None) -> float:
    return 100 * (value or 0.0)


def _bars(found: Sequence[MeanEstimate], colour: str) -> dict[str, Any]:
    """Error bars of these means; none where there is no interval."""
    up = [0.0 if one.high is None or one.value is None else 100 * (one.high - one.value) for one in found]
    down = [0.0 if one.low is None or one.value is None else 100 * (one.value - one.low) for one in found]
    return {"type": "data", "symmetric": False, "array": up, "arrayminus": down, "color": colour, "thickness": 1.5, "width": 5}


def _layout(ink: dict[str, str], readers: int, **more: Any) -> dict[str, Any]:
    return plot.layout(
        ink, height=380 + 12 * readers,
        yaxis=plot.axis(ink, "score in percent", rangemode="tozero", automargin=True), **more,
    )  # fmt: skip
