"""The flow of the evidence through a batch: a row for each reader and model; its words, choices and tables; and the geometry of
its picture, which has a column for each stage. Pure.

One unit of the picture's y axis is one pixel, so that every label has its 13 pixels. Every place of a row and every band between
two places has a key. Not here: drawing it, for plotly (`components/questions/flow.py`) and for a site
(`components/publish/flow_picture.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from components.html.words.reading_words import title_of
from components.html.words.wording import count
from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.analysis.facts.fates import FATES, LUCKY, RIGHT, SEVERAL, STATIONS, TELLINGS, VERDICTS
from readers.engine.analysis.facts.flow import COLUMNS, LEFT_AT, PLACES, Band, Flow, Way, flow, told_apart
from readers.engine.models import catalogue
from readers.engine.report.slices import Slice
from readers.engine.report.values import NOTHING, Cell, Row, Table, columns, percents
from readers.engine.run.execute import RunSpec
from readers.engine.statistics.intervals import wilson
from readers.engine.text.phrases import percent

INTERVALS = (
    "The intervals are Wilson’s and count each reading as independent. If several readings are of one text, they are too narrow."
)
BY_WORDS = (
    "Found by matching words, names and figures; “cannot be told” means that the rules cannot decide. An answer can be right "
    "even if the answering call did not contain the evidence."
)
STAGES: Mapping[str, str] = dict([*STATIONS.items()][1:])
ENDS: Mapping[str, str] = {name: one.about for name, one in LEFT_AT.items()}
"""Where the evidence can leave a reading, and what that means: the words of every page with many readings."""
MEANINGS = "  \n".join(
    [
        SEVERAL,
        *(". ".join(f"**{name.capitalize()}**: {about}" for name, about in words.items()) + "." for words in (STAGES, ENDS)),
        "A band skips a column if the evidence may not have been there, or if the reader has no such stage. Click a band or a "
        "number to list its readings.",
    ]
)


THICK = 60.0  # of all readings of a row
SLOT = 17.0  # the least room of a labelled place
THIN = 1.5  # the smallest height of a drawn part
GAP, ROW_GAP, HEAD = 4.0, 22.0, 22.0
BAR = 0.05  # of a column's width
TOP = 42.0  # above the first row, for the columns' names

COLOURS: Mapping[str, str] = {
    **{name: one.colour for name, one in (LEFT_AT | VERDICTS).items()},
    **dict.fromkeys(STATIONS, "raw"),
    "carried": "stood-for",
}

NamedWays = tuple[str, RunSpec, Sequence[Way]]  # a variant of a batch by its name, and the ways of its readings
SLICES: Mapping[str, Slice[NamedWays]] = {
    "variant": Slice("Reader and model", lambda one: one[0]),
    "reader": Slice("Reader", lambda one: one[1].reader, title_of),
    "model": Slice("Model", lambda one: one[1].model, catalogue.title),
    "all": Slice("All together", lambda _: "All readings"),
}


class FlowRow(NamedTuple):
    """A row: its key, its name, its flow."""

    key: str
    name: str
    flow: Flow

    def key_of(self, at: str | Band) -> str:
        """The name of a place or band of this row in the address."""
        return f"{self.key}:{at.source}>{at.target}" if isinstance(at, Band) else f"{self.key}:{at}"

    def runs(self, at: str | Band) -> tuple[str, ...]:
        """The readings at a place or in a band."""
        return self.flow.bands[at] if isinstance(at, Band) else self.flow.places[at]

    def called(self, at: str | Band) -> str:
        """A place or a band in words: stations have a capital; what is right without luck is called that where there is luck."""
        if isinstance(at, Band):
            return f"{self.called(at.source)} → {self.called(at.target)}"
        if at == RIGHT.id and LUCKY.id in self.flow.places:
            return "right, not lucky"
        return at.capitalize() if at in STATIONS else at


class FlowChoice(NamedTuple):
    """Readings that can be listed: their key in the address, their name, their ids, and what these are."""

    key: str
    name: str
    runs: tuple[str, ...]
    about: str = ""


def rows(ways: Sequence[Sequence[Way]], variants: Sequence[RunSpec], names: Sequence[str], by: str) -> list[FlowRow]:
    """The rows of one slice; parts without a followed reading have none."""
    parts = SLICES[by].parts(zip(names, variants, ways, strict=True)).items()
    flows = [(name, flow([way for *_, own in some for way in own])) for name, some in parts]
    return [FlowRow(f"{by}{number}", name, found) for number, (name, found) in enumerate(flows) if found.total]


def slices(variants: Sequence[RunSpec]) -> list[str]:
    """The slices that differ, the finest first."""
    readers, models = {one.reader for one in variants}, {one.model for one in variants}
    found = ["variant"]
    if 1 < len(readers) < len(variants):
        found.append("reader")
    if 1 < len(models) < len(variants):
        found.append("model")
    return [*found, "all"] if len(variants) > 1 else found


def choices(rows: Sequence[FlowRow]) -> list[FlowChoice]:
    """Everything in the rows that can be chosen, row by row."""
    return [
        FlowChoice(row.key_of(at), f"{row.name}: {row.called(at)}", runs)
        for row in rows
        for some in (row.flow.places, row.flow.bands)
        for at, runs in some.items()
    ]


def share(part: int, of: int) -> str:
    """A share with its 95 % interval: "27% (16% to 42%)"."""
    interval = wilson(part, of)
    return f"{percent(part / of)} ({percents(*interval)})" if interval else NOTHING


def telling_fact(runs: int, of: int) -> str:
    """How many readings are of a kind: "12 of 44, 27% (16% to 42%)"."""
    return f"{runs:,} of {count(of, 'reading')}, {share(runs, of)}"


def tellings(ways: Sequence[Way]) -> list[FlowChoice]:
    """What right and wrong answers do not tell, each with its readings."""
    perhaps = sum(way.perhaps_lucky for way in ways)
    more = {LUCKY.id: f"; in {perhaps:,} more, the words do not settle that"} if perhaps else {}
    return [
        FlowChoice(key, name, runs, f"{about}{more.get(key, '')}")
        for (key, runs), (name, about) in zip(told_apart(ways).items(), TELLINGS.values(), strict=True)
    ]


def ended(fate: EvidenceFate) -> str:
    """Where the evidence left a reading and, if it is several places, how many of them the answering call had."""
    if len(fate.ends) < 2:
        return fate.exit.id
    had = f"had {fate.certain:,} of {len(fate.ends):,}".replace(" ", "\N{NO-BREAK SPACE}")
    return f"{fate.exit.id} · {had}"


def key() -> Iterator[tuple[str, str]]:
    """The words for what became of the evidence, each with its meaning and the words on the page of a reading."""
    yield from ((name.capitalize(), about) for name, about in STAGES.items())
    for name, one in LEFT_AT.items():
        of_reading = "; ".join(fate.id for fate in FATES.values() if fate.exit is one and fate.id != name)
        yield name.capitalize(), f"{one.about}{f' (on the page of a reading: {of_reading})' if of_reading else ''}"
    yield "Had 2 of 3", "so many of the places of the evidence certainly stood in the answering call, raw or in a text"


def tables(rows: Sequence[FlowRow]) -> list[Table]:
    """How far the evidence got, with the answers at the end; and where it was lost, or where that is unknown."""
    return [
        _table("How far the evidence came", rows, [*STATIONS][1:] + _occurring(rows, VERDICTS)),
        _table("Where the evidence was lost", rows, _occurring(rows, LEFT_AT)),
    ]


def _occurring(rows: Sequence[FlowRow], places: Iterable[str]) -> list[str]:
    return [one for one in places if any(_at(row, one) for row in rows)]


def _at(row: FlowRow, place: str) -> tuple[str, ...]:
    """The readings at a place; of right answers all of them, the lucky ones, too."""
    lucky = row.flow.places.get(LUCKY.id, ()) if place == RIGHT.id else ()
    return (*row.flow.places.get(place, ()), *lucky)


def _table(title: str, rows: Sequence[FlowRow], places: Sequence[str]) -> Table:
    heads = columns(*("Of these, lucky" if one == LUCKY.id else one.capitalize() for one in places), "Readings")
    return Table(title, heads, [Row(one.name, [*(_cell(one, at) for at in places), Cell(f"{one.flow.total:,}")]) for one in rows])


def _cell(row: FlowRow, place: str) -> Cell:
    if place in STATIONS and place not in row.flow.possible:
        return Cell("has none")
    runs = _at(row, place)
    return Cell(f"{len(runs):,} · {share(len(runs), row.flow.total)}", runs=runs) if runs else Cell()


# The picture


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


# Geometry


def shape(flow: Flow) -> tuple[list[tuple[FlowLane, ...]], list[Ribbon], float]:
    """The position of everything in a row in pixels, down from its own top: the lanes by column, the ribbons, and the height. In
    each column every reading has its share of the height, at a place or passing by."""
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
    return columns, ribbons, height


def _end(band: Band, column: int) -> str | Band:
    """The position of a band in a column: at one of its two places, or passing by."""
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
    """From the top: the station; what passes it; what leaves here; what left before, latest first."""
    if not isinstance(at, Band):
        return (3 if at in LEFT_AT else 0, PLACES.index(at))
    source, target = PLACES.index(at.source), PLACES.index(at.target)
    if at.source in LEFT_AT:
        return (4, -COLUMNS[at.source], source, target)
    return (2 if at.target in LEFT_AT else 1, COLUMNS[at.target], target, source)


# What both drawings share


def stages() -> dict[int, str]:
    """The name of each column."""
    return {**{COLUMNS[one]: one.capitalize() for one in STATIONS}, len(STATIONS): "Answer"}


def without(row: FlowRow) -> str:
    """The stages that the readings of a row do not have, in words; empty if they have all."""
    missing = [station for station in STATIONS if station not in row.flow.possible]
    return f"nothing is {' or '.join(missing)}" if missing else ""


def told(row: FlowRow, at: str | Band) -> str:
    """How many readings a place or a band of a row has, in words."""
    return f"{row.name}, {row.called(at)}: {len(row.runs(at)):,} of {row.flow.total:,} readings"


def colour(at: str | Band) -> str:
    """The name of a place's or band's colour in the palette."""
    if isinstance(at, Band):
        return COLOURS[at.target if at.source in STATIONS or at.target == LUCKY.id else at.source]
    return COLOURS[at]


def ribbon_path(ribbon: Ribbon, top: float, *, width: float = 1.0) -> str:
    """A part of a band as the path of an SVG, where a column has this width and the row begins at `top`."""
    passes = COLUMNS[ribbon.band.source] < ribbon.column  # then there is no bar between it and the part before
    x0, x1 = width * (ribbon.column + (0.0 if passes else BAR)), width * (ribbon.column + 1.0)
    half = (x0 + x1) / 2
    left, right, height = top + ribbon.left, top + ribbon.right, max(ribbon.height, THIN)
    return (
        f"M {x0:.3f},{left:.1f} C {half:.3f},{left:.1f} {half:.3f},{right:.1f} {x1:.3f},{right:.1f} "
        f"L {x1:.3f},{right + height:.1f} C {half:.3f},{right + height:.1f} {half:.3f},{left + height:.1f} "
        f"{x0:.3f},{left + height:.1f} Z"
    )
