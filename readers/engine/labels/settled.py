"""What people found in the end: one value for each reading and each question that annotators answer about it. Pure.

A decision comes first; without one, the value that all annotators gave who finished the reading. Where they differ and nobody
decided, the reading is open, and part of no share. Not here: codes of steps (`counts.py`), and how far annotators agree
(`agreement.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readers.engine.labels.agreement import Done, of_field
from readers.engine.labels.counts import Table, cell
from readers.engine.labels.label import BUILDING, FATES, NO_STEP, OUTCOMES, PATHS, SUPPORTS, Decision, Label, PhaseOf
from readers.engine.record.trace import BUILD
from readers.engine.statistics.agreement import Coefficient, Item, kappa, percent

VALUES: Mapping[str, tuple[str, ...]] = {"outcome": OUTCOMES, "support": SUPPORTS, "path": PATHS, "fate": tuple(FATES)}
DECISIVE, SEVERITY = "decisive", "severity"
UNKNOWN_PHASE = "unknown step"


@dataclass(frozen=True)
class Settled:
    """The value of each reading that has one. `decided` are those of them that a decision settled; `open` are the readings on
    which annotators differ and nobody decided."""

    values: Mapping[str, str]
    decided: frozenset[str] = frozenset()
    open: tuple[str, ...] = ()


def values_of(field: str) -> tuple[str, ...]:
    """The values of a field in their order; of the decisive step only those that are no phase of one reader's own."""
    return {DECISIVE: (NO_STEP, BUILD), SEVERITY: ("1", "2", "3")}.get(field) or VALUES[field]


def settled(field: str, labels: Iterable[Label], decisions: Iterable[Decision], *, done: Done, phase_of: PhaseOf) -> Settled:
    """What was found in a field: its value, or for the decisive step the phase of that step, `NO_STEP` or `BUILDING`."""
    given: dict[str, set[Any]] = defaultdict(set)
    finished = [label for label in labels if (label.run, label.annotator) in done]
    for item in of_field(finished, field):
        given[item.reading].add(item.value["step"] if field == DECISIVE else item.value)
    decided = {one.run: value for one in decisions if (value := _decided(field, one)) is not None}
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


def table(found: Settled, rows: Sequence[str], groups: Callable[[str], str | None]) -> Table:
    """How many readings of each group have each value; shares are of the group's readings that have one. Readings whose group is
    None are left out. Values that `rows` does not name come after them."""
    totals: dict[str, int] = defaultdict(int)
    having: dict[tuple[str, str], list[str]] = defaultdict(list)
    for run, value in found.values.items():
        if (group := groups(run)) is not None:
            totals[group] += 1
            having[value, group].append(run)
    others = sorted({value for value, _ in having} - set(rows))
    cells = {key: cell(runs, totals[key[1]]) for key, runs in having.items()}
    return Table((*(row for row in rows if any(key[0] == row for key in cells)), *others), tuple(totals), cells, dict(totals))


def across(one: Settled, other: Settled) -> dict[tuple[str, str], tuple[str, ...]]:
    """The readings with each pair of values, where both are settled."""
    pairs: dict[tuple[str, str], list[str]] = defaultdict(list)
    for run, value in one.values.items():
        if run in other.values:
            pairs[value, other.values[run]].append(run)
    return {pair: tuple(runs) for pair, runs in pairs.items()}


@dataclass(frozen=True)
class BesideRule:
    """What people found beside what a rule says of the same readings: `pairs` by (people's value, the rule's), how often they
    agree, and the readings about which the rule says nothing."""

    pairs: Mapping[tuple[str, str], tuple[str, ...]]
    agreement: Coefficient
    kappa: Coefficient
    silent: tuple[str, ...]

    @property
    def disagreements(self) -> tuple[str, ...]:
        return tuple(run for (people, rule), runs in self.pairs.items() if people != rule for run in runs)


def beside_rule(people: Settled, rule: Mapping[str, str | None]) -> BesideRule:
    """People's values beside the rule's; the rule says nothing of a reading where its value is None or missing."""
    said = Settled({run: value for run, value in rule.items() if value is not None})
    both = [run for run in people.values if run in said.values]
    items = [Item(run, name, found.values[run]) for run in both for name, found in (("people", people), ("rule", said))]
    silent = tuple(run for run in people.values if run not in said.values)
    return BesideRule(across(people, said), percent(items), kappa(items), silent)


def _decided(field: str, decision: Decision) -> Any:
    """The value that was decided for a field; None for another field, or for a value that cannot be read."""
    value = decision.value.get("value")
    if decision.target.get("field") != field:
        return None
    if field == DECISIVE:
        step = value.get("step") if isinstance(value, Mapping) else None
        return step if isinstance(step, int | str) and not isinstance(step, bool) else None
    return value if value in VALUES[field] else None


def _phase(run: str, step: Any, phase_of: PhaseOf) -> str:
    if isinstance(step, int):
        return phase_of(run, step) or UNKNOWN_PHASE
    return BUILD if step == BUILDING else str(step)
