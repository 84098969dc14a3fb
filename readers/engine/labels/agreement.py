"""How far the annotators of a project agree: which labels are compared, question by question, and the figures as tables for page
and terminal. Pure; how a figure is computed is in `statistics/agreement.py`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from math import floor
from typing import Any

from readers.engine.labels.label import BUILDING, DECISIVE, STEP, TITLES, VALUES, Label, PhaseOf
from readers.engine.record.trace import BUILD
from readers.engine.report.values import Cell, Column, Figure, Row, Table, columns
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
from readers.engine.text import phrases
from readers.engine.text.phrases import capitalised

Done = Collection[tuple[str, str]]  # pairs of a run and an annotator who has finished it
SPAN = "span"
# What a table says about each question: its title, and what is compared.
_QUESTIONS = {field: (TITLES[field], "One value for each reading.") for field in VALUES} | {
    DECISIVE: (TITLES[DECISIVE], "One step, or none, for each reading."),
    STEP: (
        "Codes of steps",
        "The codes of every step that an annotator coded; annotators who finished and gave none count as none.",
    ),
    SPAN: ("Spans", "Characters marked on the text, prompts, replies and written texts."),
}
_NAMES = {
    "Krippendorff's alpha with MASI distance": "alpha, MASI distance", "Krippendorff's alpha": "Krippendorff’s alpha",
    "Cohen's kappa": "Cohen’s kappa", "decisive step, exact": "the same step",
    "decisive step, within one": "at most one step apart", "decisive step in the same phase": "in the same phase",
}  # fmt: skip
_MEANINGS = {
    "percent agreement": "Of all pairs of labels by two annotators on the same reading, the share that are equal.",
    "Cohen's kappa": "Agreement beyond chance: 1 is full agreement, 0 is what chance alone would give.",
    "Krippendorff's alpha": "Agreement beyond chance for any number of annotators and with missing labels; 1 is full agreement.",
    "Krippendorff's alpha with MASI distance": "Alpha for sets of codes: two sets that overlap are closer than two that do not.",
    "decisive step, exact": "Of all pairs of annotators of a reading, the share that chose the same step.",
    "decisive step, within one": "The share whose steps are at most one apart.",
    "decisive step in the same phase": "The share whose steps are in the same phase of the reading.",
    "the same codes": "Of all pairs of annotators of a coded step, the share that gave the same set of codes.",
    "character-level F1, any code": "Twice the characters both marked, divided by the sum of those each marked. "
    "Not corrected for chance.",
    "character-level F1, the same code": "The same, counting only marks with the same code as shared. Not corrected for chance.",
}
INTERVALS = (
    "The intervals are Wilson’s. They keep the labels of a reading together: each figure is computed again without each reading "
    "in turn. No interval is given for fewer than five readings."
)
REPEATED = 4  # from this many rows with the same note on, it is given once, below the table


def figures(
    labels: Iterable[Label], *, done: Done | None = None, phase_of: PhaseOf | None = None
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
    items = of_steps(there, counted)
    found[STEP] = (
        percent(items, name="the same codes"),
        alpha(items, masi, name="Krippendorff's alpha with MASI distance"),
    )
    found[SPAN] = (
        character_f1(of_spans(there, counted), name="character-level F1, any code"),
        character_f1(of_spans(there, counted, coded=True), name="character-level F1, the same code"),
    )
    return found


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


# As tables


def table(found: Mapping[str, Sequence[Coefficient]]) -> Table:
    """All figures of agreement, each with its counts, interval and notes; an undefined one with the reason.

    Questions without figures come last, and share one row if the reason is the same for all.
    """
    ordered = sorted(found, key=lambda question: _nothing_known(found[question]))
    every = [figure for question in ordered for figure in found[question]]
    note_of, below = _notes(every)
    rows = []
    for question in ordered:
        title, about = _QUESTIONS[question]
        rows.append(Row(title, (), about))
        group = found[question]
        names = [[figure.name for figure in group]] if _one_reason(group) else [[figure.name] for figure in group]
        rows += [_row(question, name, figure, note_of(figure)) for name, figure in zip(names, group, strict=False)]
    heads = [Column("Value", axis=_axis(every)), *columns("Readings", "Units", "Pairs", "Notes")]
    return Table("Figures of agreement", heads, rows, below, head="Figure")


def _nothing_known(group: Sequence[Coefficient]) -> bool:
    return all(figure.value is None for figure in group)


def _one_reason(group: Sequence[Coefficient]) -> bool:
    """Whether all figures are undefined, with the same counts and for the same reason."""
    return _nothing_known(group) and all(replace(figure, name="") == replace(group[0], name="") for figure in group)


def _row(question: str, names: Sequence[str], figure: Coefficient, note: str) -> Row:
    data = {
        "question": question, "figure": ", ".join(names), "value": figure.value, "low": figure.low, "high": figure.high,
        "interval": figure.interval, "readings": figure.readings, "units": figure.units, "pairs": figure.pairs,
        "note": figure.why or figure.note,
    }  # fmt: skip
    counts = [Cell(Figure(number, unit="count")) for number in (figure.readings, figure.units, figure.pairs)]
    meaning = " ".join(_MEANINGS.get(name, "") for name in names).strip()
    return Row(", ".join(_NAMES.get(name, name) for name in names), [_value(figure, data), *counts, Cell(note)], meaning=meaning)


def _value(figure: Coefficient, data: Mapping[str, Any]) -> Cell:
    if figure.value is None:
        return Cell("undefined", data=data)
    return Cell(Figure(figure.value, figure.low, figure.high, "coefficient"), data=data)


def codes_table(found: Mapping[str, tuple[Coefficient, float]], title: Callable[[str], str]) -> Table:
    """The agreement on each code, the most frequent first; `found` is from `by_code`."""
    ordered = sorted(found, key=lambda code: (-found[code][1], title(code)))
    note_of, below = _notes([found[code][0] for code in ordered])
    rows = []
    for code in ordered:
        figure, prevalence = found[code]
        data = {"code": code, "alpha": figure.value, "low": figure.low, "high": figure.high, "prevalence": prevalence}
        rows.append(Row(title(code), [_value(figure, data), Cell(phrases.percent(prevalence)), Cell(note_of(figure))]))
    heads = [Column("Alpha", axis=_axis([found[code][0] for code in ordered])), *columns("Prevalence", "Notes")]
    return Table("Agreement on single codes", heads, rows, below, head="Code")


def _notes(figures: Iterable[Coefficient]) -> tuple[Callable[[Coefficient], str], list[str]]:
    """The note in a figure's row: why it is undefined, or what else to know about it. A sentence that many rows would repeat is
    given once, below the table, and its rows refer to it."""

    def sentences(figure: Coefficient) -> list[str]:
        parts = [figure.why] if figure.value is None else figure.note.split("; ")
        return [f"{capitalised(part)}." for part in parts if part]

    counted = Counter(sentence for figure in figures for sentence in sentences(figure))
    shared = [sentence for sentence, count in counted.items() if count >= REPEATED]

    def note(figure: Coefficient) -> str:
        return " ".join(f"Note {shared.index(one) + 1}." if one in shared else one for one in sentences(figure))

    return note, [f"Note {number}: {sentence}" for number, sentence in enumerate(shared, 1)]


def _axis(drawn: Iterable[Coefficient]) -> tuple[float, float]:
    """Begins at 0, or below it by whole tenths if a figure or an interval is negative. One for all, so that rows can be
    compared."""
    values = [one for figure in drawn if figure.value is not None for one in (figure.value, figure.low) if one is not None]
    least = min(values, default=0.0)
    return max(-1.0, floor(10 * least) / 10) if least < 0 else 0.0, 1.0


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
