"""The flow of the evidence as a picture, as plotly data: a click on a place or a band gives its key. Pure.

Plotly's own Sankey diagram is not used: Streamlit passes no clicks on it. Not here: the rows, their words and tables, and the
geometry (`components/html/evidence_flow.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from components.html import plot
from components.html.evidence_flow import (
    BAR,
    HEAD,
    ROW_GAP,
    SLOT,
    THIN,
    TOP,
    FlowLane,
    FlowRow,
    colour,
    ribbon_path,
    shape,
    stages,
    told,
    without,
)  # fmt: skip
from components.html.plot import SMALLEST, Theme
from readers.engine.analysis.facts.fates import STATIONS
from readers.engine.analysis.facts.flow import Band

MENU = 26  # above the columns' names, for plotly's own buttons
TRIES = (0.12, 0.3, 0.5, 0.7, 0.88)  # where along a band a click finds it


def figure(rows: Sequence[FlowRow], *, chosen: str, theme: Theme) -> dict[str, Any]:
    """The picture of all rows; the `chosen` part (a key) has a frame."""
    drawing = _FlowDrawing(plot.inks(theme), chosen)
    for column, head in stages().items():
        drawing.note(column, TOP - 22, head.replace("the ", "the<br>"), colour="soft")
    top = TOP
    for row in rows:
        drawing.note(0, top + HEAD / 2 - 4, _row_name(row))
        top += HEAD + drawing.row(row, top + HEAD) + ROW_GAP
    return {"data": [drawing.clicks()], "layout": _layout(drawing, top)}


def _row_name(row: FlowRow) -> str:
    """The name of a row, with the stages that its readings do not have."""
    missing = without(row)
    return f"<b>{_escaped(row.name)}</b>{f' · {missing}' if missing else ''}"


@dataclass
class _FlowDrawing:
    """What is drawn so far. `points` are invisible click targets all over the bands and places: where, the key, the words."""

    ink: dict[str, str]
    chosen: str
    shapes: list[dict[str, Any]] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)
    points: list[tuple[float, float, str, str]] = field(default_factory=list)

    def row(self, row: FlowRow, top: float) -> float:
        """Draw a row; its height."""
        columns, ribbons, height = shape(row.flow)
        for ribbon in ribbons:
            band = ribbon.band
            path = {"type": "path", "path": ribbon_path(ribbon, top), "opacity": 0.34, "layer": "below"}
            self.shapes.append({**path, "fillcolor": self.ink[colour(band)], "line": self._frame(row, band)})
            for share in TRIES:
                y = top + ribbon.left + (ribbon.right - ribbon.left) * _ease(share) + ribbon.height / 2
                self.points.append((ribbon.column + BAR + (1 - BAR) * share, y, row.key_of(band), _escaped(told(row, band))))
        for column, lanes in enumerate(columns):
            for lane in lanes:
                if not isinstance(lane.at, Band):
                    self._place(row, lane.at, lane._replace(y=top + lane.y), column)
        return height

    def _place(self, row: FlowRow, place: str, lane: FlowLane, column: int) -> None:
        box = {"type": "rect", "x0": float(column), "x1": column + BAR, "y0": lane.y, "y1": lane.y + max(lane.height, THIN)}
        self.shapes.append({**box, "fillcolor": self.ink[colour(place)], "line": self._frame(row, place)})
        count = f"{len(row.flow.places[place]):,}"
        if place in STATIONS:
            self.note(column + BAR + 0.02, lane.y + max(lane.height, SLOT) / 2, count)
        else:
            self.note(column + BAR + 0.02, lane.y + SLOT / 2, f"{count} {row.called(place)}")
        self.points.append((column + BAR / 2, lane.y + lane.height / 2, row.key_of(place), _escaped(told(row, place))))

    def _frame(self, row: FlowRow, at: str | Band) -> dict[str, Any]:
        return {"color": self.ink["ink"], "width": 2} if row.key_of(at) == self.chosen else {"width": 0}

    def note(self, x: float, y: float, text: str, *, colour: str = "ink") -> None:
        self.notes.append({
            "x": x, "y": y, "text": text, "showarrow": False, "xanchor": "left", "yanchor": "middle", "align": "left",
            "font": {"size": SMALLEST, "color": self.ink[colour]}, "captureevents": False,
        })  # fmt: skip

    def clicks(self) -> dict[str, Any]:
        """The points as a trace."""
        x, y, keys, told = map(list, zip(*self.points, strict=True)) if self.points else ([], [], [], [])
        unseen = {"marker": {"opacity": 0}}
        return {
            "type": "scatter", "mode": "markers", "x": x, "y": y, "customdata": keys, "text": told,
            "hovertemplate": "%{text}<extra></extra>", "marker": {"size": 12, "opacity": 0}, "selected": unseen,
            "unselected": unseen, "showlegend": False,
        }  # fmt: skip


def _ease(share: float) -> float:
    return share * share * (3 - 2 * share)


def _layout(drawing: _FlowDrawing, height: float) -> dict[str, Any]:
    axis = {"visible": False, "fixedrange": True, "zeroline": False}
    more: dict[str, Any] = {
        "margin": {"l": 4, "r": 4, "t": MENU, "b": 4, "pad": 0},
        "hovermode": "closest",
        "hoverdistance": 14,
        "xaxis": {**axis, "range": [-0.02, len(STATIONS) + 0.85]},
        "yaxis": {**axis, "range": [height, 0]},
        "shapes": drawing.shapes,
        "annotations": drawing.notes,
    }
    return plot.layout(drawing.ink, height=round(height) + MENU + 4, **more)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
