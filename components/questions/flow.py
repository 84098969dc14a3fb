"""The flow of the evidence through a batch: a row for each reader and model, and its words, choices and tables. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from components.html.words.reader_words import title_of
from components.html.words.wording import count
from readers.engine.analysis.facts.fates import STATIONS, VERDICTS
from readers.engine.analysis.facts.flow import LEFT_AT, Band, Flow, Way, flow
from readers.engine.models import catalogue
from readers.engine.report.slices import Slice
from readers.engine.report.values import NOTHING, Cell, Row, Table, columns, percent, percents
from readers.engine.run.execute import RunSpec
from readers.engine.statistics.intervals import wilson

INTERVALS = (
    "The intervals are Wilson’s and count each reading as independent. Where several readings are of one text, they are too "
    "narrow."
)
_STATIONS = ". ".join(f"**{name.capitalize()}**: {about}" for name, about in [*STATIONS.items()][1:])
MEANINGS = (
    f"{_STATIONS}; **perhaps used**: in view, and the words do not tell. A band passes a column by where the evidence was not "
    "surely there, or the reader has no such stage. Click a band or a number to list its readings."
)


class NamedWays(NamedTuple):
    """A variant of a batch by its name, and the ways of its readings."""

    name: str
    spec: RunSpec
    ways: Sequence[Way]


SLICES: Mapping[str, Slice[NamedWays]] = {
    "variant": Slice("Reader and model", lambda one: one.name),
    "reader": Slice("Reader", lambda one: one.spec.reader, title_of),
    "model": Slice("Model", lambda one: one.spec.model, catalogue.title),
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


class Choice(NamedTuple):
    """Readings that can be listed: their key in the address, their name, and their ids."""

    key: str
    name: str
    runs: tuple[str, ...]


def rows(ways: Sequence[Sequence[Way]], variants: Sequence[RunSpec], names: Sequence[str], by: str) -> list[FlowRow]:
    """The rows of one slice; parts without a followed reading have none."""
    parts = SLICES[by].parts(map(NamedWays, names, variants, ways)).items()
    flows = [(name, flow([way for one in some for way in one.ways])) for name, some in parts]
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


def way_name(at: str | Band) -> str:
    """A place or a band in words: stations have a capital."""
    if isinstance(at, Band):
        return f"{way_name(at.source)} → {way_name(at.target)}"
    return at.capitalize() if at in STATIONS else at


def choices(rows: Sequence[FlowRow]) -> list[Choice]:
    """Everything in the rows that can be chosen, row by row."""
    return [
        Choice(row.key_of(at), f"{row.name}: {way_name(at)}", runs)
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


def tables(rows: Sequence[FlowRow]) -> list[Table]:
    """How far the evidence came, with the answers at the end; and where it was lost, or cannot be told."""
    return [
        _table("How far the evidence came", rows, [*STATIONS][1:] + _occurring(rows, VERDICTS)),
        _table("Where the evidence was lost", rows, _occurring(rows, LEFT_AT)),
    ]


def _occurring(rows: Sequence[FlowRow], places: Iterable[str]) -> list[str]:
    return [one for one in places if any(one in row.flow.places for row in rows)]


def _table(title: str, rows: Sequence[FlowRow], places: Sequence[str]) -> Table:
    heads = columns(*(one.capitalize() for one in places), "Readings")
    return Table(title, heads, [Row(one.name, [*(_cell(one, at) for at in places), Cell(f"{one.flow.total:,}")]) for one in rows])


def _cell(row: FlowRow, place: str) -> Cell:
    if place in STATIONS and place not in row.flow.possible:
        return Cell("has none")
    runs = len(row.flow.places.get(place, ()))
    return Cell(f"{runs:,} · {share(runs, row.flow.total)}") if runs else Cell()
