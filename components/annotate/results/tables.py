"""What the results of a project are, as tables whose cells know the readings behind them. Pure; counting is `findings.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from components.annotate.disagreements import STEP, queue
from components.annotate.visible_labels import Seen, decided, kind_name, model_name
from components.html import wording
from readers import get
from readers.engine.errors import NotFound
from readers.engine.labels import counts
from readers.engine.labels.counts import BEGINNING, NONE, About, Cell, Found, Table, Time, Together
from readers.engine.labels.saturation import Saturation, codes_by_reading, saturation

Rule = Literal["any", "most", "all", "decided"]
RULES: dict[Rule, str] = {
    "any": "given by any annotator",
    "most": "given by more than half of the annotators",
    "all": "given by all annotators",
    "decided": "decided on, and else given by all",
}
ALL = "all readings"
BY = {"reader": "Reader", "model": "Model", "kind": "Kind of step"}
TOGETHER, TURNING, ANNOTATORS, READERS = "together", "turning", "annotators", "readers"
MOST_PAIRS = 30


class Shown(NamedTuple):
    """What a cell says, in one line and a smaller one; `runs` open from it. `bar` is the share with its interval, 0 to 1."""

    text: str
    small: str = ""
    runs: tuple[str, ...] = ()
    bar: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Grid:
    """A table: what it is, heads with a note below them, and its cells. Keys are what the address calls a row and column by."""

    id: str
    about: str
    corner: str
    columns: Sequence[tuple[str, str, str]]
    rows: Sequence[tuple[str, str]]
    cells: Mapping[tuple[str, str], Shown]

    def opened(self, asked: Sequence[str]) -> tuple[str, Shown] | None:
        """The cell that is asked for as [table, row, column], with its name in words; None for one that has nothing to open."""
        if len(asked) != 3 or asked[0] != self.id:
            return None
        found = self.cells.get((asked[1], asked[2]))
        names = dict(self.rows), {key: name for key, name, _ in self.columns}
        return (f"{names[0][asked[1]]} · {names[1][asked[2]]}", found) if found and found.runs else None

    def data(self, asked: Sequence[str] = ()) -> dict[str, Any]:
        """What the browser draws it from: strings and numbers, nothing of it markup."""
        return {
            "about": self.about,
            "corner": self.corner,
            "columns": [{"key": key, "name": name, "note": note} for key, name, note in self.columns],
            "rows": [
                {
                    "key": key,
                    "name": name,
                    "cells": [self._cell(self.cells.get((key, column))) for column, _, _ in self.columns],
                }
                for key, name in self.rows
            ],
            "opened": list(asked[1:]) if self.opened(asked) else None,
        }

    @staticmethod
    def _cell(found: Shown | None) -> dict[str, Any] | None:
        if found is None:
            return None
        return {"text": found.text, "small": found.small, "bar": found.bar, "opens": len(found.runs)}


@dataclass(frozen=True)
class Results:
    """All that is counted under one rule. `grids` by id; `open` are the disagreements on codes that nobody decided."""

    rule: Rule
    readings: int
    coded: int
    open: int
    grids: Mapping[str, Grid]
    saturation: Saturation


def results(seen: Seen, about: Sequence[About], rule: Rule) -> Results:
    """Everything on the results page, under a rule."""
    taken = decided(seen.decisions)
    how: counts.Rule = "all" if rule == "decided" else rule
    found = Found(seen.labels, about, done=seen.done, rule=how, decided=taken if rule == "decided" else NONE)
    by_run = found.by_run()
    kinds = {one.run: one for one in about}
    grids = [
        *_counts(found, seen.called),
        _turning(found),
        _together(counts.together(found), seen.called),
        _times(ANNOTATORS, "Annotator", counts.times(seen.spent, lambda turn: turn.annotator)),
        _times(READERS, "Reader", counts.times(seen.spent, lambda turn: reader_name(kinds[turn.run].reader))),
    ]
    undecided = sum(one.about == STEP and not one.stands for one in queue(seen))
    return Results(
        rule,
        len(by_run),
        sum(map(bool, by_run.values())),
        undecided,
        {grid.id: grid for grid in grids},
        saturation(codes_by_reading(seen.labels, seen.turns)),
    )


def reader_name(reader: str) -> str:
    """A reader's name; of one that is not known here its id."""
    try:
        return get(reader).title
    except NotFound:
        return reader


def _counts(found: Found, called: Callable[[str], str]) -> list[Grid]:
    """Codes by reader, model and kind of step; the first two with all readings beside them."""
    every = counts.by_code(found)
    tables: list[tuple[str, Table, Callable[[str], str]]] = [
        ("reader", counts.by_reader(found), reader_name),
        ("model", counts.by_model(found), model_name),
        ("kind", counts.by_kind(found), kind_name),
    ]
    made = []
    for id, table, name in tables:
        unit = "step" if id == "kind" else "reading"
        cells = {key: _share(cell) for key, cell in table.cells.items()}
        columns = [(key, name(key), wording.count(table.totals[key], unit)) for key in table.columns]
        if id != "kind":
            cells |= {(row, ALL): _share(cell) for (row, _), cell in every.cells.items()}
            columns = [(ALL, "All", wording.count(len(found.runs), unit)), *columns]
        about = f"Codes by {BY[id].lower()}"
        made.append(Grid(id, about, "Code", columns, [(row, called(row)) for row in table.rows], cells))
    return made


def _turning(found: Found) -> Grid:
    table = counts.turning_points(found)

    def name(kind: str) -> str:
        return "The beginning" if kind == BEGINNING else kind_name(kind)

    columns = [(key, name(key), wording.count(table.totals[key], "reading")) for key in table.columns]
    about = "From the last good step to the first bad one"
    cells = {key: _share(cell) for key, cell in table.cells.items()}
    return Grid(TURNING, about, "Last good step ↓ first bad step →", columns, [(row, name(row)) for row in table.rows], cells)


def _together(pairs: Sequence[Together], called: Callable[[str], str]) -> Grid:
    columns = [
        ("both", "Readings with both", ""),
        ("either", "of those with either", ""),
        ("lift", "Times as often as by chance", ""),
    ]
    rows, cells = [], {}
    for number, pair in enumerate(pairs[:MOST_PAIRS]):
        key = f"{number}"
        rows.append((key, f"{called(pair.one)} and {called(pair.other)}"))
        cells[key, "both"] = Shown(f"{pair.both:,}", runs=pair.runs)
        cells[key, "either"] = Shown(f"{pair.either:,}", runs=pair.either_runs)
        cells[key, "lift"] = Shown(f"{pair.lift:.1f}")
    more = f": the {MOST_PAIRS} commonest of {len(pairs):,} pairs" if len(pairs) > MOST_PAIRS else ""
    return Grid(TOGETHER, f"Which codes go together{more}", "Two codes in one reading", columns, rows, cells)


def _times(id: str, corner: str, times: Mapping[str, Time]) -> Grid:
    counted_in = "Readings" if id == ANNOTATORS else "Times annotated"
    columns = [("count", counted_in, ""), ("median", "Median", ""), ("half", "The middle half", ""), ("total", "Together", "")]
    cells = {}
    for name, time in times.items():
        cells[name, "count"] = Shown(f"{time.count:,}", runs=time.runs)
        cells[name, "median"] = Shown(lasted(time.median), runs=time.runs)
        cells[name, "half"] = Shown(f"{lasted(time.low)} to {lasted(time.high)}", runs=time.runs)
        cells[name, "total"] = Shown(lasted(time.total), runs=time.runs)
    return Grid(id, f"Time per reading, by {corner.lower()}", corner, columns, [(name, name) for name in times], cells)


def _share(cell: Cell) -> Shown:
    """A count of all, its share and the share's interval."""
    if cell.share is None or cell.low is None or cell.high is None:
        return Shown(f"{cell.count:,}", runs=cell.runs)
    small = f"{wording.share(cell.share)} ({interval(cell)})"
    return Shown(f"{cell.count:,} of {cell.of:,}", small, cell.runs, (cell.share, cell.low, cell.high))


def interval(cell: Cell) -> str:
    """The interval of a share in whole percents."""
    return f"{cell.low:.0%} to {cell.high:.0%}" if cell.low is not None and cell.high is not None else ""


def first_steps(seen: Seen, asked: Sequence[str]) -> dict[str, int]:
    """Where to look in the readings behind a cell: by reading the first step that somebody who is done gave the row's code, or,
    where a row is no code, any."""
    code = asked[1] if asked[0] in BY else None
    found: dict[str, int] = {}
    done = seen.done
    for label in seen.labels if asked[0] in (*BY, TURNING) else ():
        if label.kind == "step" and code in (None, label.code) and (label.run, label.annotator) in done:
            step = int(label.target["step"])
            found[label.run] = min(step, found.get(label.run, step))
    return found


def lasted(seconds: float) -> str:
    """A time to the second; from an hour on to the minute."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60:02} s" if whole < 3_600 else f"{whole // 3_600:,} h {whole % 3_600 // 60:02} min"


def rule_of(asked: object, *, any_decided: bool) -> Rule:
    """The rule that is asked for; at first what was decided counts, where anything was."""
    return next((rule for rule in get_args(Rule) if rule == asked), "decided" if any_decided else "any")
