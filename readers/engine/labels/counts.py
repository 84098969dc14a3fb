"""Counts of what annotators found: codes by reader, model and kind of step, the matrix from the last good step to the first bad
one, which codes occur together, and how long labelling took. Pure; every count names the runs behind it.

If several annotators worked on a run, `Rule` says which codes count: those given by any annotator, by most, or by all. A decision
on a step replaces its codes. Shares have Wilson's 95 % interval, which, unlike the usual one, is sound for few runs and for
shares near 0 and 1; it assumes that runs are independent, which those of one text are not quite. Not here: whether a code caused
anything.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import combinations
from statistics import median
from types import MappingProxyType
from typing import Literal, NamedTuple

from readers.engine.labels.agreement import Done, annotators_by_run
from readers.engine.labels.label import Label, PhaseOf
from readers.engine.record.trace import Step
from readers.engine.report.values import Cell, Column, Figure, Row, Table
from readers.engine.statistics.intervals import wilson
from readers.engine.text.phrases import counted

Rule = Literal["any", "most", "all"]
BEGINNING = "the beginning"  # instead of a last good step, if the first step is bad
UNKNOWN = "unknown step"
ALL = "all readings"  # the column for all
BOTH = "both"  # by reader and model; such a column's key is both ids with a blank between
MOST_PAIRS = 30


class LabelledRun(NamedTuple):
    """What the counts need to know about a run; `kinds` are those of its steps in order, from `step_kind`."""

    run: str
    reader: str
    model: str
    kinds: tuple[str, ...]

    def kind(self, step: int) -> str:
        """The kind of a step (from 1)."""
        return self.kinds[step - 1] if 1 <= step <= len(self.kinds) else UNKNOWN


class CodePair(NamedTuple):
    """Two codes that occur together: both in `runs`, at least one in `either`. `lift` is how many times as often they occur
    together as they would if they were independent."""

    one: str
    other: str
    lift: float
    runs: tuple[str, ...]
    either: tuple[str, ...]


def part(found: Sequence[str], of: int) -> Cell:
    """How many of `of`, each named by its run, with Wilson's interval, and the runs behind it."""
    interval = wilson(len(found), of)
    share = Figure(len(found) / of, *interval, unit="part", of=of) if interval else Figure(len(found), unit="count")
    return Cell(share, runs=tuple(dict.fromkeys(found)))


def step_kind(step: Step) -> str:
    """The kind of a step, from its names without numbers: `build: level`, `walk`, `look-up: request`."""
    words = [" ".join(re.sub(r"(?<!\w)[\d.]+(?!\w)", " ", name).split()) for name in step.names]
    named = [word for word in words if word]
    return ": ".join(dict.fromkeys((named[0], named[-1]))) if named else UNKNOWN


def phase_of(about: Iterable[LabelledRun]) -> PhaseOf:
    """A function that returns the phase of a run's step (from 1), for `agreement.decisive`: the first of its names, without
    numbers, so that all chunks of a run are one phase; None for an unknown step."""
    readings = {reading.run: reading for reading in about}

    def phase(run: str, step: int) -> str | None:
        kind = readings[run].kind(step) if run in readings else UNKNOWN
        return None if kind == UNKNOWN else kind.partition(":")[0]

    return phase


# Codes by step

Decided = Mapping[tuple[str, int], Collection[str]]
NONE: Decided = MappingProxyType({})


class CodesByStep:
    """The codes of each step that count, in the runs that annotators are `done` with.

    `decided` holds the codes that were decided on, by run and step; a decision may be that there is no code.
    """

    def __init__(
        self, labels: Iterable[Label], about: Iterable[LabelledRun], *, done: Done, rule: Rule = "any", decided: Decided = NONE
    ):
        counted = set(done)
        self.about = {reading.run: reading for reading in about}
        self.annotators = annotators_by_run((run, annotator) for run, annotator in counted if run in self.about)
        given: dict[tuple[str, int], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for label in labels:
            if label.kind == "step" and not label.removed and (label.run, label.annotator) in counted and label.run in self.about:
                given[label.run, int(label.target["step"])][str(label.code)].add(label.annotator)
        settled = {key: set(codes) for key, codes in decided.items() if key[0] in self.annotators}
        held = {key: {code for code, by in codes.items() if self._held(key[0], by, rule)} for key, codes in given.items()}
        self.codes = {key: tuple(sorted(codes)) for key, codes in sorted((held | settled).items()) if codes}

    def _held(self, run: str, by: Collection[str], rule: Rule) -> bool:
        """Whether a code counts that these annotators gave."""
        of = len(self.annotators[run])
        return rule == "any" or (len(by) == of if rule == "all" else 2 * len(by) > of)

    @property
    def runs(self) -> list[str]:
        """The runs that somebody is done with, including those without any code."""
        return [run for run in self.about if run in self.annotators]

    def by_run(self) -> dict[str, dict[str, None]]:
        """The codes of each run, in the order of its steps."""
        found: dict[str, dict[str, None]] = {run: {} for run in self.runs}
        for (run, _), codes in self.codes.items():
            found[run].update(dict.fromkeys(codes))
        return found


def with_broader(found: CodesByStep, parents: Mapping[str, str]) -> CodesByStep:
    """The same, with each code's broader code, from `parents`, added: a broader code counts wherever it or a narrower code was
    given, each reading and step once."""
    wider = copy(found)
    wider.codes = {
        key: tuple(sorted({*codes, *(parents[code] for code in codes if code in parents)})) for key, codes in found.codes.items()
    }
    return wider


# Tables


Names = tuple[Callable[[str], str], Callable[[str], str]]  # what rows and columns are called, by their keys


def tabulate(
    having: Mapping[tuple[str, str], Sequence[str]],
    totals: Mapping[str, int],
    names: Names,
    *,
    key: str,
    title: str,
    head: str,
    rows: Sequence[str] = (),
    unit: str = "reading",
) -> Table:
    """A table of counts. `having` are the runs by row and column, `totals` how many a column is of. The `key` ends with what
    divides them into columns, after a hyphen or alone; without `rows` in order, the most frequent come first."""
    called = _told_apart(names[1], [column for column in totals if column != ALL]) | {ALL: "All"}
    counts: dict[str, int] = defaultdict(int)
    for (row, _), runs in having.items():
        counts[row] += len(runs)
    made = []
    ordered = rows or sorted(counts, key=lambda row: (-counts[row], row))
    row_name = _told_apart(names[0], ordered)
    for row in ordered:
        cells = []
        for column, total in totals.items():
            found = having.get((row, column), ())
            cell = part(found, total) if found else Cell()
            figure = cell.content
            if isinstance(figure, Figure):
                place = _place(key.partition("-")[2] or key, column, called[column])
                cell = replace(cell, data={
                    "table": title, "key": row, "value": row_name[row], **place, "count": len(found), "of": total,
                    "unit": unit, "share": figure.value, "low": figure.low, "high": figure.high, "interval": "Wilson",
                })  # fmt: skip
            cells.append(cell)
        made.append(Row(row_name[row], cells, key=row))
    heads = [Column(called[column], counted(total, unit), key=column) for column, total in totals.items()]
    return Table(title, heads, made, head=head, key=key)


def _told_apart(name: Callable[[str], str], keys: Sequence[str]) -> dict[str, str]:
    """What keys are called; where several would be called the same, each has itself in brackets."""
    called = {key: name(key) for key in keys}
    times = Counter(called.values())
    return {key: f"{words} ({key})" if times[words] > 1 else words for key, words in called.items()}


def _place(by: str, column: str, called: str) -> dict[str, str]:
    """A column in files: by what the readings are divided, and the reader, the model or another part; all are empty for the
    column of all readings."""
    if column == ALL:
        return {"by": "", "reader": "", "model": "", "part": ""}
    reader, model = {"reader": (column, ""), "model": ("", column), BOTH: tuple(column.split(" ", 1))}.get(by, ("", ""))
    return {"by": by, "reader": reader, "model": model, "part": called if not reader + model else ""}


def by_group(found: CodesByStep, group: Callable[[LabelledRun], str], names: Names, *, key: str, title: str) -> Table:
    """In how many runs each code occurs: in total, and in each group."""
    totals: dict[str, int] = defaultdict(int)
    having: dict[tuple[str, str], list[str]] = defaultdict(list)
    for run, codes in found.by_run().items():
        for column in (ALL, group(found.about[run])):
            totals[column] += 1
            for code in codes:
                having[code, column].append(run)
    return tabulate(having, totals, names, key=key, title=title, head="Code")


def by_kind(found: CodesByStep, names: Names, *, key: str, title: str) -> Table:
    """At how many steps of each kind each code occurs, over the runs that somebody is done with. The steps of one run are not
    independent, so the intervals are narrower than they should be."""
    totals: dict[str, int] = defaultdict(int)
    for run in found.runs:
        for kind in found.about[run].kinds:
            totals[kind] += 1
    having: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (run, step), codes in found.codes.items():
        kind = found.about[run].kind(step)
        if kind == UNKNOWN and UNKNOWN not in found.about[run].kinds:
            totals[kind] += 1
        for code in codes:
            having[code, kind].append(run)
    return tabulate(having, totals, names, key=key, title=title, head="Code", unit="step")


def turning_points(found: CodesByStep, *, key: str, kind_title: Callable[[str], str]) -> Table:
    """From the kind of the last good step (rows) to that of the first bad one (columns), over runs with a code at a step.

    The first bad step is the first with a code; the last good step is the step before it. Shares are of the column.
    """
    first: dict[str, int] = {}
    for run, step in found.codes:
        first[run] = min(step, first.get(run, step))
    having: dict[tuple[str, str], list[str]] = defaultdict(list)
    totals: dict[str, int] = defaultdict(int)
    for run, step in first.items():
        reading = found.about[run]
        bad = reading.kind(step)
        having[reading.kind(step - 1) if step > 1 else BEGINNING, bad].append(run)
        totals[bad] += 1

    def title(kind: str) -> str:
        return "The beginning" if kind == BEGINNING else kind_title(kind)

    about, head = "From the last good step to the first bad one", "Last good step ↓ first bad step →"
    return tabulate(having, totals, (title, title), key=key, title=about, head=head)


def together(found: CodesByStep) -> list[CodePair]:
    """Pairs of codes that occur in one run, the most frequent first."""
    having: dict[str, list[str]] = defaultdict(list)
    for run, codes in found.by_run().items():
        for code in codes:
            having[code].append(run)
    pairs = []
    for one, other in combinations(sorted(having), 2):
        there = set(having[other])
        runs = tuple(run for run in having[one] if run in there)
        if runs:
            either = tuple(dict.fromkeys([*having[one], *having[other]]))
            lift = len(runs) * len(found.runs) / (len(having[one]) * len(having[other]))
            pairs.append(CodePair(one, other, lift, runs, either))
    return sorted(pairs, key=lambda pair: (-len(pair.runs), -pair.lift, pair.one, pair.other))


def pairs_table(pairs: Sequence[CodePair], *, key: str, code_title: Callable[[str], str]) -> Table:
    """The most frequent pairs of codes."""
    rows = []
    for number, pair in enumerate(pairs[:MOST_PAIRS]):
        data = {
            "table": "Which codes occur together", "key": pair.one, "other": pair.other, "count": len(pair.runs),
            "of": len(pair.either), "unit": "reading", "lift": pair.lift,
        }  # fmt: skip
        cells = [
            Cell(Figure(len(pair.runs), unit="count"), runs=pair.runs, data=data),
            Cell(Figure(len(pair.either), unit="count"), runs=pair.either),
            Cell(Figure(pair.lift, unit="mean")),
        ]
        rows.append(Row(f"{code_title(pair.one)} and {code_title(pair.other)}", cells, key=f"{number}"))
    more = f": the {MOST_PAIRS} most frequent of {len(pairs):,} pairs" if len(pairs) > MOST_PAIRS else ""
    heads = [
        Column("Readings with both", key="both"),
        Column("of those with either", key="either"),
        Column("Times as frequent as by chance", key="lift"),
    ]
    return Table(f"Which codes occur together{more}", heads, rows, head="Two codes in one reading", key=key)


# Times


class TimeSpent(NamedTuple):
    """The milliseconds that an annotator spent on a run, in all stages together."""

    run: str
    annotator: str
    ms: int


def times(spent: Iterable[TimeSpent], group: Callable[[TimeSpent], str], *, key: str, head: str, unit: str) -> Table:
    """Labelling times by group, such as the annotator or the reader: the median, the quartiles around it, and the total. Readings
    are sorted by time, the longest first. Turns without any time are left out, because theirs is unknown."""
    groups: dict[str, list[TimeSpent]] = defaultdict(list)
    for turn in spent:
        if turn.ms > 0:
            groups[group(turn)].append(turn)
    rows = []
    for name, turns in sorted(groups.items()):
        seconds = sorted(turn.ms / 1000 for turn in turns)
        slowest = sorted(turns, key=lambda turn: (-turn.ms, turn.run))
        runs = tuple(dict.fromkeys(turn.run for turn in slowest))
        middle = Figure(median(seconds), _quantile(seconds, 0.25), _quantile(seconds, 0.75), "duration")
        data = {
            "table": "Time per reading", "by": head.lower(), "part": name, "count": len(turns), "unit": unit.lower().rstrip("s"),
            "median_seconds": middle.value, "quarter_seconds": middle.low, "three_quarters_seconds": middle.high,
            "total_seconds": sum(seconds),
        }  # fmt: skip
        contents = (f"{middle}", middle.between, Figure(sum(seconds), unit="duration"))
        first = Cell(Figure(len(turns), unit="count"), runs=runs, data=data)
        rows.append(Row(name, [first, *(Cell(content, runs=runs) for content in contents)], key=name))
    names = {"count": unit, "median": "Median", "half": "Middle half", "total": "Total"}
    heads = [Column(name, key=column) for column, name in names.items()]
    return Table(f"Time per reading, by {head.lower()}", heads, rows, head=head, key=key)


def _quantile(ordered: Sequence[float], share: float) -> float:
    """A quantile, interpolated between the two nearest values."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
