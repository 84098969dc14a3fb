"""The flow of the evidence as a picture: a row for each reader, a column for each stage, as plotly data. Pure.

One unit of the y axis is one pixel, so that every label has its 13 pixels. Every place of a row and every band between two places
has a key, which a click on it gives. Plotly's own Sankey diagram is not used: Streamlit passes no clicks on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from components.html.figures import plot
from components.html.figures.plot import SMALLEST, Theme
from components.questions.flow import FlowRow, way_name
from readers.engine.analysis.facts.fates import LUCKY, STATIONS, VERDICTS
from readers.engine.analysis.facts.flow import COLUMNS, LEFT_AT, PLACES, Band, Flow

Ink = dict[str, str]

THICK = 60.0  # of all readings of a row
SLOT = 17.0  # the least room of a labelled place
THIN = 1.5  # the least height of what is drawn
GAP, ROW_GAP, HEAD = 4.0, 22.0, 22.0
BAR = 0.05  # of a column's width
TOP = 42.0  # above the first row, for the columns' names
MENU = 26  # above these, for plotly's own buttons
TRIES = (0.12, 0.3, 0.5, 0.7, 0.88)  # where along a band a click finds it

COLOURS: Mapping[str, str] = {
    **{name: one.colour for name, one in (LEFT_AT | VERDICTS).items()},
    **dict.fromkeys(STATIONS, "raw"),
    "carried": "stood-for",
}


class FlowLane(NamedTuple):
    """What one column of a row has in a vertical slot: a place, or a band that passes by."""

    at: str | Band
    y: float
    height: float


class Ribbon(NamedTuple):
    """A part of a band between two neighbouring columns, from `column`: its upper edges left and right, and its height."""

    band: Band
    column: int
    left: float
    right: float
    height: float


@dataclass(frozen=True)
class RowShape:
    """A row in pixels, down from its own top."""

    lanes: tuple[tuple[FlowLane, ...], ...]
    ribbons: tuple[Ribbon, ...]
    height: float


# Geometry


def shape(flow: Flow) -> RowShape:
    """Where everything of a row stands. In each column every reading has its share of the height, at a place or passing by."""
    unit = THICK / max(1, flow.total)
    columns = [_lanes(flow, column, unit) for column in range(len(STATIONS) + 1)]
    at = [{lane.at: lane for lane in lanes} for lanes in columns]
    left = [{one: lane.y for one, lane in lanes.items()} for lanes in at]
    right = [dict(lanes) for lanes in left]
    ribbons = []
    parts = [(band, column) for band in flow.bands for column in range(COLUMNS[band.source], COLUMNS[band.target])]
    ends = {part: (_end(*part), _end(part[0], part[1] + 1)) for part in parts}
    outgoing = sorted(parts, key=lambda part: (part[1], at[part[1]][ends[part][0]].y, at[part[1] + 1][ends[part][1]].y))
    starts: dict[tuple[Band, int], float] = {}
    for part in outgoing:
        starts[part] = right[part[1]][ends[part][0]]
        right[part[1]][ends[part][0]] += unit * len(flow.bands[part[0]])
    for part in sorted(parts, key=lambda part: (part[1], at[part[1] + 1][ends[part][1]].y, at[part[1]][ends[part][0]].y)):
        band, column = part
        height = unit * len(flow.bands[band])
        ribbons.append(Ribbon(band, column, starts[part], left[column + 1][ends[part][1]], height))
        left[column + 1][ends[part][1]] += height
    height = max((lane.y + max(lane.height, SLOT) for lanes in columns for lane in lanes), default=0.0)
    return RowShape(tuple(columns), tuple(ribbons), height)


def _end(band: Band, column: int) -> str | Band:
    """Where a band stands in a column: at one of its two places, or passing by."""
    return band.source if COLUMNS[band.source] == column else band.target if COLUMNS[band.target] == column else band


def _lanes(flow: Flow, column: int, unit: float) -> tuple[FlowLane, ...]:
    places: list[str | Band] = [place for place in flow.places if COLUMNS[place] == column]
    passing = [band for band in flow.bands if COLUMNS[band.source] < column < COLUMNS[band.target]]
    lanes, y = [], 0.0
    for at in sorted([*places, *passing], key=_rank):
        count = len(flow.bands[at] if isinstance(at, Band) else flow.places[at])
        lanes.append(FlowLane(at, y, unit * count))
        y += GAP + (unit * count if isinstance(at, Band) else max(unit * count, SLOT))
    return tuple(lanes)


def _rank(at: str | Band) -> tuple[int, ...]:
    """From the top: the station; what passes it; what leaves here; what has left before, the latest first."""
    if not isinstance(at, Band):
        return (3 if at in LEFT_AT else 0, PLACES.index(at))
    source, target = PLACES.index(at.source), PLACES.index(at.target)
    if at.source in LEFT_AT:
        return (4, -COLUMNS[at.source], source, target)
    return (2 if at.target in LEFT_AT else 1, COLUMNS[at.target], target, source)


# Drawing


def figure(rows: Sequence[FlowRow], *, chosen: str, theme: Theme) -> dict[str, Any]:
    """The picture of all rows; what is `chosen` (a key) has a frame."""
    drawing = _FlowDrawing(plot.inks(theme), chosen)
    heads = {**{COLUMNS[one]: way_name(one).replace("the ", "the<br>") for one in STATIONS}, len(STATIONS): "Answer"}
    for column, head in heads.items():
        drawing.note(column, TOP - 22, head, colour="soft")
    top = TOP
    for row in rows:
        made = shape(row.flow)
        drawing.note(0, top + HEAD / 2 - 4, _row_name(row))
        drawing.row(row, made, top + HEAD)
        top += HEAD + made.height + ROW_GAP
    return {"data": [drawing.clicks()], "layout": _layout(drawing, top)}


def _row_name(row: FlowRow) -> str:
    """The name of a row, with the stages that its readings do not have."""
    missing = [station for station in STATIONS if station not in row.flow.possible]
    without = f" · nothing is {' or '.join(missing)}" if missing else ""
    return f"<b>{_escaped(row.name)}</b>{without}"


@dataclass
class _FlowDrawing:
    """What is drawn so far. `points` are what a click finds, unseen, all over the bands and places: where, the key, the words."""

    ink: Ink
    chosen: str
    shapes: list[dict[str, Any]] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)
    points: list[tuple[float, float, str, str]] = field(default_factory=list)

    def row(self, row: FlowRow, made: RowShape, top: float) -> None:
        for ribbon in made.ribbons:
            band = ribbon.band
            seen = band.target if band.source in STATIONS or band.target == LUCKY.id else band.source
            self.shapes.append({**_ribbon(ribbon, top), "fillcolor": self.ink[COLOURS[seen]], "line": self._frame(row, band)})
            for share in TRIES:
                y = top + ribbon.left + (ribbon.right - ribbon.left) * _ease(share) + ribbon.height / 2
                self.points.append((ribbon.column + BAR + (1 - BAR) * share, y, row.key_of(band), _told(row, band)))
        for column, lanes in enumerate(made.lanes):
            for lane in lanes:
                if not isinstance(lane.at, Band):
                    self._place(row, lane.at, lane._replace(y=top + lane.y), column)

    def _place(self, row: FlowRow, place: str, lane: FlowLane, column: int) -> None:
        box = {"type": "rect", "x0": float(column), "x1": column + BAR, "y0": lane.y, "y1": lane.y + max(lane.height, THIN)}
        self.shapes.append({**box, "fillcolor": self.ink[COLOURS[place]], "line": self._frame(row, place)})
        count = f"{len(row.flow.places[place]):,}"
        if place in STATIONS:
            self.note(column + BAR + 0.02, lane.y + max(lane.height, SLOT) / 2, count)
        else:
            self.note(column + BAR + 0.02, lane.y + SLOT / 2, f"{count} {place}")
        self.points.append((column + BAR / 2, lane.y + lane.height / 2, row.key_of(place), _told(row, place)))

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


def _told(row: FlowRow, at: str | Band) -> str:
    runs = row.flow.bands[at] if isinstance(at, Band) else row.flow.places[at]
    return f"{_escaped(row.name)}, {way_name(at)}: {len(runs):,} of {row.flow.total:,} readings"


def _ease(share: float) -> float:
    return share * share * (3 - 2 * share)


def _ribbon(ribbon: Ribbon, top: float) -> dict[str, Any]:
    passes = COLUMNS[ribbon.band.source] < ribbon.column  # then no bar stands between it and the part before
    x0, x1 = ribbon.column + (0.0 if passes else BAR), ribbon.column + 1.0
    half = (x0 + x1) / 2
    left, right, height = top + ribbon.left, top + ribbon.right, max(ribbon.height, THIN)
    path = (
        f"M {x0:.3f},{left:.1f} C {half:.3f},{left:.1f} {half:.3f},{right:.1f} {x1:.3f},{right:.1f} "
        f"L {x1:.3f},{right + height:.1f} C {half:.3f},{right + height:.1f} {half:.3f},{left + height:.1f} "
        f"{x0:.3f},{left + height:.1f} Z"
    )
    return {"type": "path", "path": path, "opacity": 0.34, "layer": "below"}


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
