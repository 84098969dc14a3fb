"""The results of a project as tables; each cell knows the readings behind it. Counting is in `labels/counts.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from components.annotate.wording import model_title, step_kind_title
from components.html.words import wording
from components.html.words.reader_words import title_of
from readers.engine.analysis.visible_labels import VisibleLabels, decided_codes, find_disagreements
from readers.engine.labels import counts
from readers.engine.labels.adjudication import STEP
from readers.engine.labels.counts import (
    BEGINNING,
    NONE,
    CodePair,
    CodesByStep,
    CountCell,
    LabelledRun,
    LabellingTime,
    Table,
)
from readers.engine.labels.saturation import Saturation, codes_by_reading, saturation

Rule = Literal["any", "most", "all", "decided"]
RULES: dict[Rule, str] = {
    "any": "given by any annotator",
    "most": "given by more than half of the annotators",
    "all": "given by all annotators",
    "decided": "decided, otherwise given by all",
}
ALL = "all readings"
BY = {"reader": "Reader", "model": "Model", "kind": "Kind of step"}
TOGETHER, TURNING, ANNOTATORS, READERS = "together", "turning", "annotators", "readers"
MOST_PAIRS = 30


class GridCell(NamedTuple):
    """A cell: its text and a smaller line below, the `runs` it opens, and `bar`: a share with its interval, from 0 to 1."""

    text: str
    small: str = ""
    runs: tuple[str, ...] = ()
    bar: tuple[float, float, float] | None = None


class OpenedCell(NamedTuple):
    """The cell that the address asks for, and its name in words."""

    name: str
    cell: GridCell


@dataclass(frozen=True)
class Grid:
    """A table: its title, its heads with notes, and its cells. The address uses the keys of rows and columns.

    In the list of readings behind a cell, each opens at its step (from 1), if it is in `steps`, and has its own note of `notes`.
    """

    id: str
    about: str
    corner: str
    columns: Sequence[tuple[str, str, str]]
    rows: Sequence[tuple[str, str]]
    cells: Mapping[tuple[str, str], GridCell]
    steps: Mapping[str, int] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)

    def opened(self, asked: Sequence[str]) -> OpenedCell | None:
        """The cell at [table, row, column]; None if it has no readings to open."""
        if len(asked) != 3 or asked[0] != self.id:
            return None
        found = self.cells.get((asked[1], asked[2]))
        names = dict(self.rows), {key: name for key, name, _ in self.columns}
        return OpenedCell(f"{names[0][asked[1]]} · {names[1][asked[2]]}", found) if found and found.runs else None

    def data(self, asked: Sequence[str] = ()) -> dict[str, Any]:
        """The table as data for the browser: strings and numbers, no markup."""
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
    def _cell(found: GridCell | None) -> dict[str, Any] | None:
        if found is None:
            return None
        return {"text": found.text, "small": found.small, "bar": found.bar, "opens": len(found.runs)}


@dataclass(frozen=True)
class Results:
    """All counts under one rule. `grids` are by id; `undecided` counts the disagreements on codes without a decision."""

    rule: Rule
    readings: int
    coded: int
    undecided: int
    grids: Mapping[str, Grid]
    saturation: Saturation
    pairs: Sequence[CodePair] = ()


def results(visible: VisibleLabels, about: Sequence[LabelledRun], rule: Rule) -> Results:
    """Everything on the results page, under a rule."""
    decided = decided_codes(visible.decisions)
    how: counts.Rule = "all" if rule == "decided" else rule
    found = CodesByStep(visible.labels, about, done=visible.done, rule=how, decided=decided if rule == "decided" else NONE)
    by_run = found.by_run()
    about_run = {one.run: one for one in about}
    grids = [
        *_counts(counts.with_broader(found, parents(visible)), _row_title(visible)),
        _turning(found),
        _together(counts.together(found), visible.code_title),
        _times(ANNOTATORS, "Annotator", counts.times(visible.times, lambda turn: turn.annotator)),
        _times(READERS, "Reader", counts.times(visible.times, lambda turn: title_of(about_run[turn.run].reader))),
    ]
    undecided = sum(one.about == STEP and not one.decision for one in find_disagreements(visible))
    return Results(
        rule,
        len(by_run),
        sum(map(bool, by_run.values())),
        undecided,
        {grid.id: grid for grid in grids},
        saturation(codes_by_reading(visible.labels, visible.turns)),
        counts.together(found),
    )


def parents(visible: VisibleLabels) -> dict[str, str]:
    """The broader code of each code that stands under one."""
    return {code.id: code.parent for code in visible.book.codes if code.parent} if visible.book else {}


def _row_title(visible: VisibleLabels) -> Callable[[str], str]:
    """The title of a code in a table of counts; a broader code says that the codes under it are counted, too."""
    below, title = Counter(parents(visible).values()), visible.code_title
    return lambda code: f"{title(code)}, with {below[code]:,} under it" if code in below else title(code)


def _counts(found: CodesByStep, code_title: Callable[[str], str]) -> list[Grid]:
    """Codes by reader, model and kind of step; the first two with a column for all readings."""
    every = counts.by_code(found)
    tables: list[tuple[str, Table, Callable[[str], str]]] = [
        ("reader", counts.by_reader(found), title_of),
        ("model", counts.by_model(found), model_title),
        ("kind", counts.by_kind(found), step_kind_title),
    ]
    made = []
    for grid_id, table, title in tables:
        unit = "step" if grid_id == "kind" else "reading"
        cells = {key: share_cell(cell) for key, cell in table.cells.items()}
        columns = [(key, title(key), wording.count(table.totals[key], unit)) for key in table.columns]
        if grid_id != "kind":
            cells |= {(row, ALL): share_cell(cell) for (row, _), cell in every.cells.items()}
            columns = [(ALL, "All", wording.count(len(found.runs), unit)), *columns]
        about = f"Codes by {BY[grid_id].lower()}"
        made.append(Grid(grid_id, about, "Code", columns, [(row, code_title(row)) for row in table.rows], cells))
    return made


def _turning(found: CodesByStep) -> Grid:
    table = counts.turning_points(found)

    def title(kind: str) -> str:
        return "The beginning" if kind == BEGINNING else step_kind_title(kind)

    columns = [(key, title(key), wording.count(table.totals[key], "reading")) for key in table.columns]
    about = "From the last good step to the first bad one"
    cells = {key: share_cell(cell) for key, cell in table.cells.items()}
    return Grid(TURNING, about, "Last good step ↓ first bad step →", columns, [(row, title(row)) for row in table.rows], cells)


def _together(pairs: Sequence[CodePair], code_title: Callable[[str], str]) -> Grid:
    columns = [
        ("both", "Readings with both", ""),
        ("either", "of those with either", ""),
        ("lift", "Times as frequent as by chance", ""),
    ]
    rows, cells = [], {}
    for number, pair in enumerate(pairs[:MOST_PAIRS]):
        key = f"{number}"
        rows.append((key, f"{code_title(pair.one)} and {code_title(pair.other)}"))
        cells[key, "both"] = GridCell(f"{pair.both:,}", runs=pair.runs)
        cells[key, "either"] = GridCell(f"{pair.either:,}", runs=pair.either_runs)
        cells[key, "lift"] = GridCell(f"{pair.lift:.1f}")
    more = f": the {MOST_PAIRS} most frequent of {len(pairs):,} pairs" if len(pairs) > MOST_PAIRS else ""
    return Grid(TOGETHER, f"Which codes occur together{more}", "Two codes in one reading", columns, rows, cells)


def _times(grid_id: str, corner: str, times: Mapping[str, LabellingTime]) -> Grid:
    counted_in = "Readings" if grid_id == ANNOTATORS else "Assignments"
    columns = [("count", counted_in, ""), ("median", "Median", ""), ("half", "Middle half", ""), ("total", "Total", "")]
    cells = {}
    for name, time in times.items():
        cells[name, "count"] = GridCell(f"{time.count:,}", runs=time.runs)
        cells[name, "median"] = GridCell(duration(time.median), runs=time.runs)
        cells[name, "half"] = GridCell(f"{duration(time.low)} to {duration(time.high)}", runs=time.runs)
        cells[name, "total"] = GridCell(duration(time.total), runs=time.runs)
    return Grid(grid_id, f"Time per reading, by {corner.lower()}", corner, columns, [(name, name) for name in times], cells)


def share_cell(cell: CountCell) -> GridCell:
    """A count, its share and the share's interval."""
    if cell.share is None or cell.low is None or cell.high is None:
        return GridCell(f"{cell.count:,}", runs=cell.runs)
    small = f"{wording.share(cell.share)} ({interval(cell)})"
    return GridCell(f"{cell.count:,} of {cell.of:,}", small, cell.runs, (cell.share, cell.low, cell.high))


def interval(cell: CountCell) -> str:
    """The interval of a share, in whole percent."""
    return f"{cell.low:.0%} to {cell.high:.0%}" if cell.low is not None and cell.high is not None else ""


def first_steps(visible: VisibleLabels, asked: Sequence[str]) -> dict[str, int]:
    """Where to look in the readings behind a cell: for each, the first step with the row's code (or, if the row is not a code,
    with any) from an annotator who has finished it."""
    codes = {asked[1], *(code for code, parent in parents(visible).items() if parent == asked[1])} if asked[0] in BY else None
    found: dict[str, int] = {}
    done = visible.done
    for label in visible.labels if asked[0] in (*BY, TURNING) else ():
        if label.kind == "step" and (codes is None or label.code in codes) and (label.run, label.annotator) in done:
            step = int(label.target["step"])
            found[label.run] = min(step, found.get(label.run, step))
    return found


def duration(seconds: float) -> str:
    """A duration, to the second below an hour, otherwise to the minute."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60:02} s" if whole < 3_600 else f"{whole // 3_600:,} h {whole % 3_600 // 60:02} min"


def rule_of(asked: object, *, any_decided: bool) -> Rule:
    """The rule asked for; by default "decided" if there are decisions, otherwise "any"."""
    return next((rule for rule in get_args(Rule) if rule == asked), "decided" if any_decided else "any")
