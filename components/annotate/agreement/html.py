"""HTML of agreement: figures, disagreements and decisions. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from math import floor

from components.annotate.agreement.wording import CodeAgreement, ReviewReason
from components.html.terms import with_meaning
from components.html.words import wording
from components.html.words.wording import sentence
from readers.engine.labels.agreement import FigureGroup
from readers.engine.statistics.agreement import Coefficient

MEANINGS = {
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
SHORT = {
    "Krippendorff's alpha with MASI distance": "alpha, MASI distance", "Krippendorff's alpha": "Krippendorff’s alpha",
    "Cohen's kappa": "Cohen’s kappa", "decisive step, exact": "the same step",
    "decisive step, within one": "at most one step apart",
    "decisive step in the same phase": "in the same phase",
}  # fmt: skip
_HEADS = ("Figure", "Value", "95% interval", "Readings", "Units", "Pairs", "Notes")
_WIDTH = 7
_UNDEFINED = '<td colspan="2" class="undefined">undefined</td>'
REPEATED = 4  # rows with the same note, from which on it is given once, below the table


def figures(groups: Iterable[FigureGroup]) -> str:
    """All figures of agreement, each with its counts, interval and notes; an undefined one with the reason.

    Groups of which nothing is known stand last, and take one row if there is one reason for all their figures.
    """
    groups = sorted(groups, key=_is_undefined)
    every = [figure for group in groups for figure in group.figures]
    shared, least = _shared_notes(every), _least(every)
    head = "".join(f'<th scope="col">{name}</th>' for name in _HEADS)
    body = ""
    for group in groups:
        title = f'<th colspan="{_WIDTH}" scope="rowgroup">{escape(group.title)} <span>{escape(group.about)}</span></th>'
        rows = _undefined(group, shared) or "".join(_figure(figure, shared, least=least) for figure in group.figures)
        body += f'<tbody><tr class="group">{title}</tr>{rows}</tbody>'
    table = f'<table class="agreement"><thead><tr>{head}</tr></thead>{body}</table>'
    return _wide("Figures of agreement", table + _below(shared))


def _is_undefined(group: FigureGroup) -> bool:
    return all(figure.value is None for figure in group.figures)


def _undefined(group: FigureGroup, shared: Sequence[str]) -> str:
    """One row for all figures of a group if they are undefined for the same reason; empty if they are not."""
    one = group.figures[0]
    if not _is_undefined(group) or any(replace(figure, name=one.name) != one for figure in group.figures):
        return ""
    return _row(", ".join(map(_name, group.figures)), one, _UNDEFINED, shared)


def _name(figure: Coefficient) -> str:
    words = SHORT.get(figure.name, figure.name)
    meaning = MEANINGS.get(figure.name, "")
    return with_meaning(words, meaning) if meaning else escape(words)


def _figure(figure: Coefficient, shared: Sequence[str], *, least: float) -> str:
    if figure.value is None:
        return _row(_name(figure), figure, _UNDEFINED, shared)
    value = f'<td class="value">{number_of(figure.value)}</td><td class="between">{_interval(figure, least=least)}</td>'
    return _row(_name(figure), figure, value, shared)


def _row(name: str, figure: Coefficient, value: str, shared: Sequence[str]) -> str:
    counts = "".join(f"<td>{number:,}</td>" for number in (figure.readings, figure.units, figure.pairs))
    note = f'<td class="why">{escape(_in_row(figure, shared))}</td>'
    return f'<tr><th scope="row">{name}</th>{value}{counts}{note}</tr>'


def _notes(figure: Coefficient) -> list[str]:
    """The sentences about a figure: why it is undefined, or what else is to be known of it."""
    parts = [figure.why] if figure.value is None else figure.note.split("; ")
    return [sentence(part) for part in parts if part]


def _shared_notes(all_figures: Sequence[Coefficient]) -> list[str]:
    """The sentences that would stand in so many rows that they are given once, in the order in which they come."""
    counted = Counter(note for figure in all_figures for note in _notes(figure))
    return [note for note, count in counted.items() if count >= REPEATED]


def _in_row(figure: Coefficient, shared: Sequence[str]) -> str:
    return " ".join(f"Note {shared.index(note) + 1}." if note in shared else note for note in _notes(figure))


def _below(shared: Sequence[str]) -> str:
    items = "".join(f"<p>Note {number}: {escape(note)}</p>" for number, note in enumerate(shared, 1))
    return f'<div class="shared-notes">{items}</div>' if shared else ""


def number_of(value: float) -> str:
    """A figure with two decimals; never “−0.00”."""
    words = f"{value:.2f}"
    return "0.00" if words == "-0.00" else words.replace("-", "−")


def between(figure: Coefficient) -> str:
    """The interval in words; empty if there is none."""
    return "" if figure.low is None or figure.high is None else f"{number_of(figure.low)} to {number_of(figure.high)}"


def _least(drawn: Sequence[Coefficient]) -> float:
    """Where the axes of a table begin: at 0, or below it by whole tenths if a figure or an interval is negative. One for all, so
    that rows can be compared."""
    values = [one for figure in drawn if figure.value is not None for one in (figure.value, figure.low) if one is not None]
    return max(-1.0, floor(10 * min(values, default=0.0)) / 10) if min(values, default=0.0) < 0 else 0.0


def _interval(figure: Coefficient, *, least: float) -> str:
    if figure.value is None:
        return ""
    low, high = (figure.value if one is None else one for one in (figure.low, figure.high))
    left, right, at, zero = (100 * (min(1.0, max(least, one)) - least) / (1 - least) for one in (low, high, figure.value, 0.0))
    reach = f'<i style="left:{left:.1f}%;width:{max(0.0, right - left):.1f}%"></i>' if between(figure) else ""
    mark = f'<s style="left:{zero:.1f}%"></s>' if least else ""
    return f'<span class="reach" aria-hidden="true">{mark}{reach}<b style="left:{at:.1f}%"></b></span>{between(figure) or "–"}'


def codes(rows: Sequence[CodeAgreement]) -> str:
    """The agreement on each code."""
    every = [row.alpha for row in rows]
    shared, least = _shared_notes(every), _least(every)
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Code", "Alpha", "95% interval", "Prevalence", "Notes"))
    body = ""
    for name, figure, prevalence in rows:
        note = _in_row(figure, shared)
        value = "undefined" if figure.value is None else number_of(figure.value)
        body += (
            f'<tr><th scope="row">{escape(name)}</th><td class="value">{value}</td>'
            f'<td class="between">{_interval(figure, least=least)}</td>'
            f'<td>{prevalence:.0%}</td><td class="why">{escape(note)}</td></tr>'
        )
    return _wide(
        "Agreement on single codes",
        f'<table class="agreement"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{_below(shared)}',
    )


def to_review(lead: str, rows: Sequence[ReviewReason]) -> str:
    """Labels to review, by reason."""
    items = "".join(
        f"<li>{escape(sentence(why))} <span>{wording.count(labels, 'label')} in {wording.count(readings, 'reading')}</span></li>"
        for why, labels, readings in rows
    )
    return f'<div class="notice warn flagged"><p>{escape(lead)}</p><ul>{items}</ul></div>'


# Disagreements


def in_queue(about: str, values: Sequence[tuple[str, Sequence[str]]], decision: str) -> str:
    """A disagreement in the queue, below its link: what it is about, each value with its annotators, and the decision."""
    sides = "".join(f"<li><b>{escape(value)}</b> <span>{escape(', '.join(names))}</span></li>" for value, names in values)
    done = f'<p class="decided"><span aria-hidden="true">◆</span> Decided: {escape(decision)}</p>' if decision else ""
    return f'<div class="disagreement"><p class="about-what">{escape(about)}</p><ul>{sides}</ul>{done}</div>'


def _wide(about: str, table: str) -> str:
    return f'<div class="wide" tabindex="0" role="region" aria-label="{escape(about)}">{table}</div>'
