"""The figures of agreement as tables for page, terminal and files. Pure; what is compared is in `agreement.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import floor
from typing import Any

from readers.engine.labels.agreement import BROADER, READING, SETS, SPAN
from readers.engine.labels.label import DECISIVE, STEP, TITLES, VALUES
from readers.engine.report.values import Cell, Column, Figure, Row, Table, columns
from readers.engine.statistics.agreement import Coefficient
from readers.engine.text import phrases
from readers.engine.text.phrases import capitalised

# What a table says about each question: its title, and what is compared.
_QUESTIONS = {field: (TITLES[field], "One value for each reading.") for field in VALUES} | {
    DECISIVE: (TITLES[DECISIVE], "One step, or none, for each reading."),
    STEP: (
        "Codes of steps",
        "The codes of every step that an annotator coded; annotators who finished and gave none count as none.",
    ),
    READING: ("Codes of readings", "All codes that an annotator gave the steps of a reading, at whatever step."),
    SPAN: ("Spans", "Characters marked on the text, prompts, replies and written texts."),
}
_NAMES = {
    SETS: "alpha, MASI distance", "Krippendorff's alpha": "Krippendorff’s alpha",
    "Cohen's kappa": "Cohen’s kappa", "decisive step, exact": "the same step",
    "decisive step, within one": "at most one step apart", "decisive step in the same phase": "in the same phase",
    "Krippendorff's alpha of the step": "Krippendorff’s alpha",
    "Krippendorff's alpha of the step, with distances": "alpha, with distances",
    f"{SETS}{BROADER}": "broader codes: alpha, MASI distance", f"the same codes{BROADER}": "broader codes: the same",
}  # fmt: skip
_MEANINGS = {
    "percent agreement": "Of all pairs of labels by two annotators on the same reading, the share that are equal.",
    "Cohen's kappa": "Agreement beyond chance: 1 is full agreement, 0 is what chance alone would give.",
    "Krippendorff's alpha": "Agreement beyond chance for any number of annotators and with missing labels; 1 is full agreement.",
    SETS: "Alpha for sets of codes: two sets that overlap are closer than two that do not.",
    "decisive step, exact": "Of all pairs of annotators of a reading, the share that chose the same step.",
    "decisive step, within one": "The share whose steps are at most one apart.",
    "decisive step in the same phase": "The share whose steps are in the same phase of the reading.",
    "Krippendorff's alpha of the step": "Agreement on the step beyond chance: 1 is full agreement. All other steps differ alike.",
    "Krippendorff's alpha of the step, with distances": "Alpha for interval data: steps differ by the square of their "
    "distance. Annotators who named no step are left out.",
    "the same codes": "Of all pairs of annotators, the share that gave the same set of codes.",
    f"the same codes{BROADER}": "The same, with each code replaced by its broader code.",
    f"{SETS}{BROADER}": "The same, with each code replaced by its broader code.",
    "character-level F1, any code": "Twice the characters both marked, divided by the sum of those each marked. "
    "Not corrected for chance.",
    "character-level F1, the same code": "The same, counting only marks with the same code as shared. Not corrected for chance.",
}
INTERVALS = (
    "The intervals are Wilson’s. They keep the labels of a reading together: each figure is computed again without each reading "
    "in turn. No interval is given for fewer than five readings."
)
REPEATED = 4  # from this many rows with the same note on, it is given once, below the table


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
    data = _data(question, ", ".join(names), figure)
    counts = [Cell(Figure(number, unit="count")) for number in (figure.readings, figure.units, figure.pairs)]
    meaning = " ".join(_MEANINGS.get(name, "") for name in names).strip()
    return Row(", ".join(_NAMES.get(name, name) for name in names), [_value(figure, data), *counts, Cell(note)], meaning=meaning)


def _data(question: str, name: str, figure: Coefficient) -> dict[str, Any]:
    """The columns of a figure in files."""
    return {
        "question": question, "figure": name, "value": figure.value, "low": figure.low, "high": figure.high,
        "interval": figure.interval, "readings": figure.readings, "units": figure.units, "pairs": figure.pairs,
        "note": figure.why or figure.note,
    }  # fmt: skip


def _value(figure: Coefficient, data: Mapping[str, Any]) -> Cell:
    if figure.value is None:
        return Cell("undefined", data=data)
    return Cell(Figure(figure.value, figure.low, figure.high, "coefficient"), data=data)


ByCode = Mapping[str, tuple[Coefficient, float]]  # from `by_code`


def codes_table(steps: ByCode, readings: ByCode, title: Callable[[str], str]) -> Table:
    """The agreement on each code, within a step and within a reading; the most frequent first."""
    ordered = sorted(steps, key=lambda code: (-steps[code][1], title(code)))
    every = [found[code][0] for code in ordered for found in (steps, readings)]
    note_of, below = _notes(every)
    rows = []
    for code in ordered:
        cells = []
        for question, found in ((STEP, steps), (READING, readings)):
            figure, prevalence = found[code]
            data = _data(question, figure.name, figure) | {"code": code, "prevalence": prevalence}
            cells += [_value(figure, data), Cell(phrases.percent(prevalence))]
        notes = dict.fromkeys(filter(None, (note_of(found[code][0]) for found in (steps, readings))))
        rows.append(Row(title(code), [*cells, Cell(" ".join(notes))]))
    axis = _axis(every)
    heads = [
        Column("Alpha within a step", axis=axis), Column("Prevalence"), Column("Alpha within a reading", axis=axis),
        Column("Prevalence"), Column("Notes"),
    ]  # fmt: skip
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
