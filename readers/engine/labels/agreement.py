"""How far the annotators of a project agree: which labels are compared, question by question. Pure; how a figure is computed is
in `statistics/agreement.py`, and how it is shown in `agreement_tables.py`.

Codes are compared within each step and for the whole reading: annotators who give the same code to neighbouring steps agree only
in the second. If some codes have a broader one, both are also compared with each code replaced by its broader one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from readers.engine.labels.label import BUILDING, DECISIVE, STEP, VALUES, Label, PhaseOf
from readers.engine.record.trace import BUILD
from readers.engine.statistics.agreement import (
    Coefficient,
    Item,
    Marked,
    alpha,
    character_f1,
    kappa,
    masi,
    percent,
    share,
)

Done = Collection[tuple[str, str]]  # pairs of a run and an annotator who has finished it
Parents = Mapping[str, str]  # the broader code of each code that has one
SPAN, READING = "span", "reading"  # what is compared beside fields and steps
SETS = "Krippendorff's alpha with MASI distance"
BROADER = ", broader codes"
NO_PARENTS: Parents = MappingProxyType({})


def figures(
    labels: Iterable[Label], *, done: Done | None = None, phase_of: PhaseOf | None = None, parents: Parents = NO_PARENTS
) -> dict[str, tuple[Coefficient, ...]]:
    """Every figure of a project, by question. `done` holds the pairs of a run and an annotator that count, those with a finished
    turn; without it, every pair with a label counts. Who finished and gave a step no code, or marked no span, meant that."""
    there = [label for label in labels if not label.removed and label.kind in ("reading", "step", "span")]
    counted = set(done) if done is not None else {(label.run, label.annotator) for label in there}
    there = [label for label in there if (label.run, label.annotator) in counted]
    found: dict[str, tuple[Coefficient, ...]] = {}
    for field in VALUES:
        items = of_field(there, field)
        found[field] = (percent(items), kappa(items), alpha(items))
    steps = [item._replace(value=item.value["step"]) for item in of_field(there, DECISIVE)]
    found[DECISIVE] = decisive(steps, phase_of=phase_of)
    found[STEP] = _of_sets(of_steps(there, counted), parents)
    found[READING] = _of_sets(of_readings(there, counted), parents)
    found[SPAN] = (
        character_f1(of_spans(there, counted), name="character-level F1, any code"),
        character_f1(of_spans(there, counted, coded=True), name="character-level F1, the same code"),
    )
    return found


def _of_sets(items: Sequence[Item], parents: Parents) -> tuple[Coefficient, ...]:
    """How far sets of codes agree, and then the sets of their broader codes, if there are any."""
    broader = [item._replace(value=frozenset(parents.get(code, code) for code in item.value)) for item in items]
    levels = [(items, ""), (broader, BROADER)] if parents else [(items, "")]
    return tuple(
        figure
        for level, more in levels
        for figure in (percent(level, name=f"the same codes{more}"), alpha(level, masi, name=SETS + more))
    )


def by_code(items: Sequence[Item], parents: Parents = NO_PARENTS) -> dict[str, tuple[Coefficient, float]]:
    """For each code, the alpha of whether a unit has it, and its prevalence: the share of the items (from `of_steps` or
    `of_readings`) that hold it. A broader code is held where it or a narrower one was given."""
    held = [item._replace(value=item.value | {parents[code] for code in item.value if code in parents}) for item in items]
    return {
        code: (
            alpha([item._replace(value=code in item.value) for item in held], name=f"alpha of {code}"),
            sum(code in item.value for item in held) / len(held),
        )
        for code in sorted({code for item in held for code in item.value})
    }


# What is compared


def of_field(labels: Iterable[Label], field: str) -> list[Item]:
    """The values given to readings in one field."""
    return [
        Item(label.run, label.annotator, label.value["value"])
        for label in labels
        if label.kind == "reading" and label.target.get("field") == field and not label.removed
    ]


def of_steps(labels: Iterable[Label], done: Done) -> list[Item]:
    """The set of codes that each annotator gave a step, empty if they are `done` and gave it none. Steps without a code from
    anybody are left out."""
    given: dict[tuple[str, int], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for label in labels:
        if label.kind == "step" and not label.removed and (label.run, label.annotator) in done:
            given[label.run, int(label.target["step"])][label.annotator].add(label.value["code"])
    readers = annotators_by_run(done)
    return [
        Item(run, annotator, frozenset(codes.get(annotator, ())), str(step))
        for (run, step), codes in sorted(given.items())
        for annotator in readers[run]
    ]


def of_readings(labels: Iterable[Label], done: Done) -> list[Item]:
    """The set of codes that each annotator who is `done` gave the steps of a reading, empty if none."""
    given: dict[tuple[str, str], set[str]] = {key: set() for key in sorted(done)}
    for label in labels:
        if label.kind == "step" and not label.removed and (label.run, label.annotator) in given:
            given[label.run, label.annotator].add(label.value["code"])
    return [Item(run, annotator, frozenset(codes)) for (run, annotator), codes in given.items()]


def of_spans(labels: Iterable[Label], done: Done, *, coded: bool = False) -> list[Item]:
    """What each annotator who is `done` marked in a reading; with `coded`, spans under different codes do not match."""
    marks: dict[tuple[str, str], list[Marked]] = {key: [] for key in sorted(done)}
    for label in labels:
        if label.kind == "span" and not label.removed and (label.run, label.annotator) in marks:
            on, code = label.target, label.value.get("code") if coded else ""
            place = f"{on['on']} {on.get('number', '')} {code or ''}"
            marks[label.run, label.annotator].append(Marked(place, on["start"], on["end"]))
    return [Item(run, annotator, tuple(found)) for (run, annotator), found in marks.items()]


def annotators_by_run(done: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The annotators of each run, both sorted."""
    found: dict[str, list[str]] = defaultdict(list)
    for run, annotator in sorted(done):
        found[run].append(annotator)
    return dict(found)


def decisive(items: Iterable[Item], *, phase_of: PhaseOf | None = None) -> tuple[Coefficient, ...]:
    """How often two annotators name the same decisive step, steps at most one apart, and steps in the same phase of the reading;
    then, corrected for chance, alpha of the steps as names, and as numbers: with the square of their distance (interval data).

    Values are step numbers from 1, "none" or "building". A word agrees only with itself, except that "building" is in the same
    phase as any step of the building phase; it has no distance, so the last figure leaves it out. `phase_of(reading, step)` is
    None for an unknown step.
    """
    given = list(items)

    def near(_: str, a: Any, b: Any) -> bool:
        return a == b or (isinstance(a, int) and isinstance(b, int) and abs(a - b) <= 1)

    def phase(reading: str, value: Any) -> str | None:
        if isinstance(value, int):
            return phase_of(reading, value) if phase_of else None
        return BUILD if value == BUILDING else ""

    def together(reading: str, a: Any, b: Any) -> bool | None:
        one, other = phase(reading, a), phase(reading, b)
        return True if a == b else None if one is None or other is None else one == other

    in_phase = "decisive step in the same phase"
    exact = percent(given, name="decisive step, exact")
    if phase_of is None and not (exact.value is None and exact.why):
        unknown = Coefficient(in_phase, None, readings=exact.readings, why="the phases of the steps are not known here")
    else:
        unknown = share(given, together, name=in_phase)
    numbers = [item for item in given if isinstance(item.value, int)]
    return (
        exact,
        share(given, near, name="decisive step, within one"),
        unknown,
        alpha(given, name="Krippendorff's alpha of the step"),
        alpha(numbers, squared, name="Krippendorff's alpha of the step, with distances"),
    )


def squared(one: int, other: int) -> float:
    """The distance of numbers on an interval scale."""
    return float((one - other) ** 2)
