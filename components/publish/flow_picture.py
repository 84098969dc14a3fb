"""The flow of the evidence as an SVG of our own, each band and place of which opens the list of its readings. Pure.

It has no style of its own: a class says the colour, of the palette, of each part.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

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
from components.publish.listing import Listing
from readers.engine.analysis.facts.fates import STATIONS
from readers.engine.analysis.facts.flow import Band

COLUMN, BESIDE = 148.0, 130.0  # units: a column, and the words beside the last one
LETTER = 4.5  # half the height of a letter


def picture(rows: Sequence[FlowRow], listing: Listing, *, name: str) -> Markup:
    """The rows below each other."""
    parts = [_words(COLUMN * column, TOP - 22, head, "head") for column, head in stages().items()]
    top = TOP
    for row in rows:
        missing = without(row)
        parts.append(_words(0, top + HEAD / 2 - 4, f"{row.name}{f' · {missing}' if missing else ''}", "name"))
        drawn, height = _row(row, top + HEAD, listing)
        parts += drawn
        top += HEAD + height + ROW_GAP
    wide = COLUMN * len(STATIONS) + BESIDE
    return Markup(
        '<svg class="flow" viewBox="0 0 {:g} {:g}" width="{:g}" height="{:g}" role="group" aria-label="{}">{}</svg>'
    ).format(wide, round(top), wide, round(top), name, Markup("\n").join(parts))


def _row(row: FlowRow, top: float, listing: Listing) -> tuple[list[Markup], float]:
    """A row, bands below places; and its height."""
    columns, ribbons, height = shape(row.flow)
    paths: dict[Band, list[Markup]] = {}
    for ribbon in ribbons:
        path = Markup('<path class="{}" d="{}"/>').format(colour(ribbon.band), ribbon_path(ribbon, top, width=COLUMN))
        paths.setdefault(ribbon.band, []).append(path)
    drawn = [_link(row, band, Markup("").join(parts), listing, kind="band") for band, parts in paths.items()]
    for column, lanes in enumerate(columns):
        drawn += [
            _link(row, lane.at, _place(row, lane._replace(y=top + lane.y), column), listing, kind="place")
            for lane in lanes
            if not isinstance(lane.at, Band)
        ]
    return drawn, height


def _place(row: FlowRow, lane: FlowLane, column: int) -> Markup:
    place = str(lane.at)
    count = f"{len(row.runs(place)):,}"
    middle = lane.y + (max(lane.height, SLOT) if place in STATIONS else SLOT) / 2
    box = Markup('<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>').format(
        colour(place), COLUMN * column, lane.y, COLUMN * BAR, max(lane.height, THIN)
    )
    words = count if place in STATIONS else f"{count} {row.called(place)}"
    return box + _words(COLUMN * (column + BAR + 0.02), middle, words, "count")


def _link(row: FlowRow, at: str | Band, inside: Markup, listing: Listing, *, kind: str) -> Markup:
    key = listing.key(f"{row.name}, {row.called(at)}", row.runs(at))
    return Markup('<a class="{}" href="#list={}"><title>{}</title>{}</a>').format(kind, key, told(row, at), inside)


def _words(x: float, middle: float, words: str, kind: str) -> Markup:
    return Markup('<text class="{}" x="{:.1f}" y="{:.1f}">{}</text>').format(kind, x, middle + LETTER, words)
