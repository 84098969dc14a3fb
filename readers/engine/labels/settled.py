"""What people found in the end: one value for each reading and each question that annotators answer about it. Pure.

A decision comes first; without one, the value that all annotators gave who finished the reading. Where they differ and there is
no decision, the reading is open and counts in no share. Not here: codes of steps (`counts.py`), and how far annotators agree
(`agreement.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from readers.engine.labels.adjudication import from_stored
from readers.engine.labels.agreement import Done, of_field
from readers.engine.labels.counts import ALL, UNKNOWN, tabulate
from readers.engine.labels.label import BUILDING, DECISIVE, NO_STEP, SEVERITY, TITLES, VALUES, Decision, Label, PhaseOf
from readers.engine.record.trace import BUILD
from readers.engine.report.slices import Slice
from readers.engine.report.values import Cell, Column, Figure, Row, Table
from readers.engine.statistics.agreement import Coefficient, Item, kappa, percent

SUBJECTS = ("outcome", "support", "path", "fate", DECISIVE, SEVERITY)  # findings on whole readings
_SEVERITIES = {"1": "Slight (1)", "2": "Clear (2)", "3": "Grave (3)"}
# The tables that compare people with the rule, by their names in addresses, and their column of disagreements.
RULE_TABLES, DIFFER = {"outcome": "rule", "fate": "rule-fate"}, "differ"


@dataclass(frozen=True)
class Settled:
    """The value of each reading that has one. `decided` are those settled by a decision; `open` are the readings on which
    annotators differ without a decision."""

    values: Mapping[str, str]
    decided: frozenset[str] = frozenset()
    open: tuple[str, ...] = ()


def values_of(field: str) -> tuple[str, ...]:
    """The values of a field in their order; for the decisive step only those that are not phases of a single reader."""
    fixed = {DECISIVE: (NO_STEP, BUILD), SEVERITY: tuple(_SEVERITIES)}
    return fixed[field] if field in fixed else tuple(VALUES[field])


def value_title(subject: str, value: str, phase_title: Callable[[str], str]) -> str:
    """A value in words; of the decisive step it is the phase of that step."""
    if subject == DECISIVE:
        return "No step" if value == NO_STEP else phase_title(value)
    return (_SEVERITIES if subject == SEVERITY else VALUES[subject]).get(value, value)


def settled(field: str, labels: Iterable[Label], decisions: Iterable[Decision], *, done: Done, phase_of: PhaseOf) -> Settled:
    """What was found in a field: its value, or for the decisive step the phase of that step, `NO_STEP` or `BUILDING`."""
    given: dict[str, set[Any]] = defaultdict(set)
    finished = [label for label in labels if (label.run, label.annotator) in done]
    for item in of_field(finished, field):
        given[item.reading].add(item.value["step"] if field == DECISIVE else item.value)
    made = {one.run: from_stored(field, one.value) for one in decisions if one.target.get("field") == field}
    decided = {run: value for run, value in made.items() if value is not None}
    values = {run: next(iter(found)) for run, found in given.items() if len(found) == 1} | decided
    still = tuple(run for run in given if run not in values)
    if field == DECISIVE:
        values = {run: _phase(run, step, phase_of) for run, step in values.items()}
    return Settled(values, frozenset(decided), still)


def severities(labels: Iterable[Label], *, done: Done) -> Settled:
    """How bad each reading's worst step is, from "1" to "3", as the annotator sees it who sees it worst; readings without a code
    have none."""
    worst: dict[str, int] = {}
    for label in labels:
        if label.kind == "step" and not label.removed and (label.run, label.annotator) in done:
            worst[label.run] = max(worst.get(label.run, 0), int(label.value["severity"]))
    return Settled({run: str(severity) for run, severity in worst.items()})


def table(subject: str, found: Settled, by: Slice[str], *, key: str, phase_title: Callable[[str], str]) -> Table:
    """How many readings have each value: of all, and of each group; shares are of the readings that have a value. A reading
    without a group is only in the column for all."""
    totals: dict[str, int] = {ALL: len(found.values)}
    having: dict[tuple[str, str], list[str]] = defaultdict(list)
    for run, value in found.values.items():
        having[value, ALL].append(run)
        if (group := by.key_of(run)) is not None:
            totals[group] = totals.get(group, 0) + 1
            having[value, group].append(run)
    known = values_of(subject)
    others = sorted({value for value, _ in having} - set(known))
    ordered = {ALL: totals.pop(ALL), **dict(sorted(totals.items()))}
    rows = [value for value in (*known, *others) if (value, ALL) in having]
    names = (lambda value: value_title(subject, value, phase_title), by.name)
    return tabulate(having, ordered, names, key=f"{subject}-{key}", title=TITLES[subject], head=TITLES[subject], rows=rows)


def across(one: Settled, other: Settled) -> dict[tuple[str, str], tuple[str, ...]]:
    """The readings with each pair of values, where both are settled."""
    pairs: dict[tuple[str, str], list[str]] = defaultdict(list)
    for run, value in one.values.items():
        if run in other.values:
            pairs[value, other.values[run]].append(run)
    return {pair: tuple(runs) for pair, runs in pairs.items()}


@dataclass(frozen=True)
class BesideRule:
    """What people found compared with what a rule says about the same readings: `pairs` by (people's value, the rule's), how
    often they agree, and the readings about which the rule says nothing."""

    pairs: Mapping[tuple[str, str], tuple[str, ...]]
    agreement: Coefficient
    kappa: Coefficient
    silent: tuple[str, ...]

    @property
    def disagreements(self) -> tuple[str, ...]:
        return tuple(run for (people, rule), runs in self.pairs.items() if people != rule for run in runs)


def beside_rule(people: Settled, rule: Mapping[str, str | None]) -> BesideRule:
    """People's values compared with the rule's; the rule says nothing about a reading if its value is None or missing."""
    said = Settled({run: value for run, value in rule.items() if value is not None})
    both = [run for run in people.values if run in said.values]
    items = [Item(run, name, found.values[run]) for run in both for name, found in (("people", people), ("rule", said))]
    silent = tuple(run for run in people.values if run not in said.values)
    return BesideRule(across(people, said), percent(items), kappa(items), silent)


def rule_table(subject: str, beside: BesideRule) -> Table:
    """People's values (rows) by the rule's (columns), with all readings on which they differ."""
    pairs = beside.pairs
    people, rule = ([value for value in VALUES[subject] if any(pair[at] == value for pair in pairs)] for at in (0, 1))

    title = f"{TITLES[subject]}: people’s (rows) and the rule’s (columns)"

    def counted(runs: Iterable[str], note: str = "", **data: str) -> Cell:
        found = tuple(runs)
        more = {"table": title, **data, "count": len(found), "unit": "reading"} if data else {}
        return Cell(Figure(len(found), unit="count"), [note], runs=found, data=more)

    def cell(row: str, column: str) -> Cell:
        if (row, column) not in pairs:
            return Cell()
        return counted(pairs[row, column], "agree" if row == column else "", people=row, rule=column)

    rows = []
    for row in people:
        differ = (run for pair, runs in pairs.items() if pair[0] == row != pair[1] for run in runs)
        rows.append(Row(VALUES[subject][row], [counted(differ), *(cell(row, column) for column in rule)], key=row))
    every = [counted(run for pair, runs in pairs.items() if pair[1] == column for run in runs) for column in rule]
    rows.append(Row("All", [counted(beside.disagreements), *every], key=ALL))
    heads = [Column("They differ", key=DIFFER), *(Column(VALUES[subject][value], key=value) for value in rule)]
    return Table(title, heads, rows, head="People ↓ rule →", key=RULE_TABLES[subject])


def _phase(run: str, step: Any, phase_of: PhaseOf) -> str:
    if isinstance(step, int):
        return phase_of(run, step) or UNKNOWN
    return BUILD if step == BUILDING else str(step)
