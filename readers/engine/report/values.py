"""The parts of a report: figures, cells, tables. The notation of shares, amounts and intervals is defined only here. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor
from typing import Any, Literal

from readers.engine import APP_VERSION
from readers.engine.text.phrases import percent

Unit = Literal[
    "share", "part", "points", "coefficient", "probability", "count", "mean", "tokens", "words", "steps", "usd", "seconds",
    "duration",
]  # fmt: skip
Mark = Literal["", "right", "partly", "wrong", "none"]
NOTHING = "–"
FREE = "free"


def points(value: float) -> str:
    """A difference of shares in points of percent: `+3.1`."""
    return f"{100 * value:+.1f}"


def coefficient(value: float) -> str:
    """A figure with two decimals; never “−0.00”."""
    words = f"{value:.2f}"
    return "0.00" if words == "-0.00" else words.replace("-", "−")


def probability(value: float) -> str:
    return "under 0.001" if value < 0.001 else f"{value:.3f}"


def usd(value: float) -> str:
    """Dollars, without the sign."""
    return f"{value:,.4f}" if value else "0"


def percents(low: float, high: float) -> str:
    """An interval of shares: `16% to 42%`."""
    return f"{low:.0%} to {high:.0%}"


def dollars(value: float) -> str:
    """A price within a sentence, to the cent."""
    return FREE if not value else f"${value:,.2f}" if value >= 0.01 else "under 1 cent"


def small_dollars(value: float) -> str:
    """The price of a call or a reading, to a hundredth of a cent."""
    return FREE if not value else f"${value:,.4f}" if value >= 0.0001 else "under $0.0001"


def duration(value: float) -> str:
    """Seconds within a sentence: `3.2 seconds`, `4 minutes`."""
    if value < 10:
        return f"{value:.1f} seconds"
    return f"{value:.0f} seconds" if value < 90 else f"{value / 60:.0f} minutes"


def time_spent(value: float) -> str:
    """Seconds in a table of durations: `3 min 30 s`; to the second below an hour, otherwise to the minute."""
    if value < 10 and not float(value).is_integer():
        return f"{seconds(value)} s"
    whole = round(value)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60:02} s" if whole < 3_600 else f"{whole // 3_600:,} h {whole % 3_600 // 60:02} min"


def count(value: float) -> str:
    """A count; the median or a quartile of counts may be half a one or a quarter."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}".rstrip("0")


def whole(value: float) -> str:
    return f"{floor(value + 0.5):,}"


def seconds(value: float) -> str:
    return f"{value:,.2f}" if value < 1 else f"{value:,.1f}"


def mean(value: float) -> str:
    return f"{value:,.1f}"


_WRITTEN: Mapping[Unit, Callable[[float], str]] = {
    "share": lambda value: f"{100 * value:.1f}", "part": percent, "points": points, "coefficient": coefficient,
    "probability": probability, "count": count, "mean": mean, "tokens": whole,
    "words": whole, "steps": mean, "usd": usd, "seconds": seconds, "duration": time_spent,
}  # fmt: skip
UNITS: Mapping[Unit, str] = {"share": "%", "tokens": "tokens", "words": "words", "usd": "$", "seconds": "s"}
"""The written form of a unit; plain counts have none."""


@dataclass(frozen=True)
class Figure:
    """A number with its 95 % interval, if it has one. A share is from 0 to 1, and is written in percent; a part is a share `of` a
    total and is written as a count: `3 of 10`, with its share next to the interval."""

    value: float | None
    low: float | None = None
    high: float | None = None
    unit: Unit = "share"
    of: int = 0

    def __str__(self) -> str:
        """The number as shown, without its unit; a dash for none."""
        if self.unit == "part" and self.value is not None:
            return f"{round(self.value * self.of):,} of {self.of:,}"
        return self._written(self.value)

    @property
    def between(self) -> str:
        """The interval, `25.0 to 45.0`; empty if there is none."""
        if self.low is None or self.high is None:
            return ""
        if self.unit == "part":
            return f"{self._written(self.value)} ({percents(self.low, self.high)})"
        return f"{self._written(self.low)} to {self._written(self.high)}"

    def _written(self, value: float | None) -> str:
        return NOTHING if value is None else _WRITTEN[self.unit](value)


@dataclass(frozen=True)
class Link:
    """A page and what its address asks for."""

    page: str
    asks: Mapping[str, str]


@dataclass(frozen=True)
class Cell:
    """A figure or words, with smaller lines below and the page that it opens. A `mark` is shown instead of the words, which
    become its description. `data` are the columns of the cell in files, `runs` the readings behind it."""

    content: Figure | str = NOTHING
    notes: Sequence[str] = ()
    link: Link | None = None
    mark: Mark = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    runs: tuple[str, ...] = ()

    @property
    def small(self) -> list[str]:
        """The lines below: the interval, then the notes."""
        between = self.content.between if isinstance(self.content, Figure) else ""
        return [line for line in (between, *self.notes) if line]


@dataclass(frozen=True)
class Row:
    """A name, a note on it, and a cell for each column; without cells, a heading over the rows that follow. `meaning` explains
    the name on request; `key` is the row's name in an address. `differs`: its cells are not all the same, and the table says
    so."""

    name: str
    cells: Sequence[Cell]
    note: str = ""
    meaning: str = ""
    key: str = ""
    differs: bool = False


@dataclass(frozen=True)
class Column:
    """A name and a note on it. The figures of a column with an `axis` are drawn on it: coefficients with their intervals, others
    as bars. `key` is the column's name in an address."""

    name: str
    note: str = ""
    key: str = ""
    axis: tuple[float, float] | None = None


@dataclass(frozen=True)
class Table:
    """Rows under columns; `head` is over the names of the rows. `notes` are what its readers must know, wherever it is shown.
    `source` says where figures that were not measured here are from, and `data` is extra data for files. `key` is the table's
    name in an address."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    notes: Sequence[str] = ()
    source: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    head: str = ""
    key: str = ""

    def at(self, row: str, column: str) -> Cell:
        """The cell under these keys; an empty one if there is none."""
        place = next((n for n, one in enumerate(self.columns) if one.key == column), None)
        cells = next((one.cells for one in self.rows if one.key == row), ())
        return cells[place] if cells and place is not None else Cell()

    @property
    def transposed(self) -> Table:
        """The same with rows as columns."""
        rows = [Row(column.name, [row.cells[at] for row in self.rows], column.note) for at, column in enumerate(self.columns)]
        return replace(self, columns=[Column(row.name, row.note) for row in self.rows], rows=rows)


def columns(*names: str) -> list[Column]:
    return [Column(name) for name in names]


@dataclass(frozen=True)
class Report:
    """Tables under a name, with facts on their subject, and notes on how to read them. `about` says how the figures came about:
    seeds, versions, options, how many of what, by name; `methods` says it in a paragraph. `data` is only in JSON."""

    name: str
    facts: Sequence[str]
    tables: Sequence[Table]
    notes: Sequence[str] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    methods: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def origin(self) -> dict[str, Any]:
        """`about`, and the version that made the report."""
        return {**self.about, "palimpsest": APP_VERSION}
