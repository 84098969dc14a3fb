"""The agreement figures of a project: which labels are compared, question by question. Pure; the figures are `agreement.py`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from readers.engine.labels.label import BUILDING, Label, PhaseOf
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


class FigureGroup(NamedTuple):
    """The figures for one question that annotators answered. `about` says what was compared."""

    key: str
    title: str
    about: str
    figures: tuple[Coefficient, ...]


FIELDS = {"outcome": "Outcome", "support": "Support", "path": "Path", "fate": "Fate of the fact"}
Done = Collection[tuple[str, str]]  # pairs of a run and an annotator who has finished it


def report(labels: Iterable[Label], *, done: Done | None = None, phase_of: PhaseOf | None = None) -> list[FigureGroup]:
    """Every figure of a project. `done` holds the pairs of a run and an annotator that count, those with a finished turn;
    without it, every pair with a label counts. Who finished and gave a step no code, or marked no span, meant that."""
    there = [label for label in labels if not label.removed and label.kind in ("reading", "step", "span")]
    counted = set(done) if done is not None else {(label.run, label.annotator) for label in there}
    there = [label for label in there if (label.run, label.annotator) in counted]
    groups = []
    for field, title in FIELDS.items():
        items = of_field(there, field)
        groups.append(FigureGroup(field, title, "One value for each reading.", (percent(items), kappa(items), alpha(items))))
    steps = [item._replace(value=item.value["step"]) for item in of_field(there, "decisive")]
    groups.append(
        FigureGroup("decisive", "Decisive step", "One step, or none, for each reading.", decisive(steps, phase_of=phase_of))
    )
    groups.append(_of_codes(of_steps(there, counted)))
    figures = (
        character_f1(of_spans(there, counted), name="character-level F1, any code"),
        character_f1(of_spans(there, counted, coded=True), name="character-level F1, the same code"),
    )
    groups.append(FigureGroup("span", "Spans", "Characters marked on the text, prompts, replies and written texts.", figures))
    return groups


def _of_codes(items: Sequence[Item]) -> FigureGroup:
    about = "The codes of every step that an annotator coded; annotators who finished and gave none count as none."
    figures = [percent(items, name="the same codes"), alpha(items, masi, name="Krippendorff's alpha with MASI distance")]
    return FigureGroup("step", "Codes of steps", about, tuple(figures))


def by_code(items: Sequence[Item]) -> dict[str, tuple[Coefficient, float]]:
    """For each code, the alpha of whether a step has it, and its prevalence: the share of the items (from `of_steps`) that hold
    it."""
    codes = sorted({code for item in items for code in item.value})
    return {
        code: (
            alpha([item._replace(value=code in item.value) for item in items], name=f"alpha of {code}"),
            sum(code in item.value for item in items) / len(items),
        )
        for code in codes
    }


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
    readers = _annotators(done)
    return [
        Item(run, annotator, frozenset(codes.get(annotator, ())), str(step))
        for (run, step), codes in sorted(given.items())
        for annotator in readers[run]
    ]


def of_spans(labels: Iterable[Label], done: Done, *, coded: bool = False) -> list[Item]:
    """What each annotator who is `done` marked in a reading; with `coded`, spans under different codes do not match."""
    marks: dict[tuple[str, str], list[Marked]] = {key: [] for key in sorted(done)}
    for label in labels:
        if label.kind == "span" and not label.removed and (label.run, label.annotator) in marks:
            on, code = label.target, label.value.get("code") if coded else ""
            place = f"{on['on']} {on.get('number', '')} {code or ''}"
            marks[label.run, label.annotator].append(Marked(place, on["start"], on["end"]))
    return [Item(run, annotator, tuple(found)) for (run, annotator), found in marks.items()]


def _annotators(done: Done) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for run, annotator in sorted(done):
        found[run].append(annotator)
    return found


def decisive(items: Iterable[Item], *, phase_of: PhaseOf | None = None) -> tuple[Coefficient, Coefficient, Coefficient]:
    """How often two annotators name the same decisive step, steps at most one apart, and steps in the same phase of the reading.

    Values are step numbers from 1, "none" or "building". A word agrees only with itself, except that "building" is in the same
    phase as any step of the building phase. `phase_of(reading, step)` is None for an unknown step.
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
    return exact, share(given, near, name="decisive step, within one"), unknown
