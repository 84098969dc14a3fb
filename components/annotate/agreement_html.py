"""HTML of the agreement and results of a project: pure strings, everything that came from outside escaped.

Like `markup.py`, whose chips it uses; what is said is `annotate_disputes.py` and `annotate_counts.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from components.html import wording
from components.html.wording import Chip
from readers.engine.labels.agreement import Figure, Group

MEANINGS = {
    "percent agreement": "Of all pairs of labels that two annotators gave the same reading, the share that are the same.",
    "Cohen's kappa": "Agreement beyond what chance would bring; 1 is full agreement, 0 what chance alone gives.",
    "Krippendorff's alpha": "Agreement beyond chance for any number of annotators, with labels missing; 1 is full agreement.",
    "Krippendorff's alpha with MASI distance": "Alpha for sets of codes: two sets that overlap are nearer than two that do not.",
    "decisive step, exact": "Of all pairs of annotators of a reading, the share that name the same step.",
    "decisive step, within one": "The share whose steps are at most one apart.",
    "decisive step in the same phase": "The share whose steps are in the same phase of the reading.",
    "the same codes": "Of all pairs of annotators of a step that somebody coded, the share that gave the same set of codes.",
    "character-level F1, any code": "Twice the characters both marked, over those each marked. Not corrected for chance.",
    "character-level F1, the same code": "The same, where only marks with the same code meet. Not corrected for chance.",
}
SHORT = {
    "Krippendorff's alpha with MASI distance": "alpha, MASI distance", "Krippendorff's alpha": "Krippendorff’s alpha",
    "Cohen's kappa": "Cohen’s kappa", "decisive step, exact": "the same step",
    "decisive step, within one": "at most one step apart",
    "decisive step in the same phase": "in the same phase",
}  # fmt: skip
_HEADS = ("Figure", "Value", "95% interval", "Readings", "Units", "Pairs", "What to know")
_WIDTH = 7


def figures(groups: Iterable[Group]) -> str:
    """Every figure of agreement with its n, its interval and what one must know; undefined ones with the reason."""
    head = "".join(f'<th scope="col">{name}</th>' for name in _HEADS)
    body = ""
    for group in groups:
        title = f'<th colspan="{_WIDTH}" scope="rowgroup">{escape(group.title)} <span>{escape(group.about)}</span></th>'
        body += f'<tbody><tr class="group">{title}</tr>{"".join(map(_figure, group.figures))}</tbody>'
    return _wide("Figures of agreement", f'<table class="agreement"><thead><tr>{head}</tr></thead>{body}</table>')


def _figure(figure: Figure) -> str:
    words = escape(SHORT.get(figure.name, figure.name))
    meaning = MEANINGS.get(figure.name, "")
    name = f'<abbr title="{escape(meaning)}">{words}</abbr>' if meaning else words
    counts = "".join(f"<td>{number:,}</td>" for number in (figure.readings, figure.units, figure.pairs))
    if figure.value is None:
        why = f'<td colspan="2" class="undefined">undefined</td>{counts}<td class="why">{escape(_sentence(figure.why))}</td>'
        return f'<tr><th scope="row">{name}</th>{why}</tr>'
    note = escape(_sentence(figure.note)) if figure.note else ""
    value = f'<td class="value">{number_of(figure.value)}</td><td class="between">{_interval(figure)}</td>'
    return f'<tr><th scope="row">{name}</th>{value}{counts}<td class="why">{note}</td></tr>'


def number_of(value: float) -> str:
    """A figure with two digits; nought is never below nought."""
    words = f"{value:.2f}"
    return "0.00" if words == "-0.00" else words.replace("-", "−")


def between(figure: Figure) -> str:
    """The interval in words; empty where there is none."""
    return "" if figure.low is None or figure.high is None else f"{number_of(figure.low)} to {number_of(figure.high)}"


def _interval(figure: Figure) -> str:
    if figure.value is None:
        return ""
    low, high = (figure.value if one is None else one for one in (figure.low, figure.high))
    least = -1.0 if min(low, figure.value) < 0 else 0.0  # kappa and alpha go below nought: then nought has a mark of its own
    left, right, at, nought = (100 * (min(1.0, max(least, one)) - least) / (1 - least) for one in (low, high, figure.value, 0.0))
    reach = f'<i style="left:{left:.1f}%;width:{max(0.0, right - left):.1f}%"></i>' if between(figure) else ""
    mark = f'<s style="left:{nought:.1f}%"></s>' if least else ""
    return f'<span class="reach" aria-hidden="true">{mark}{reach}<b style="left:{at:.1f}%"></b></span>{between(figure) or "–"}'


def codes(rows: Sequence[tuple[str, Figure, float]]) -> str:
    """Alpha of single codes: the code, its alpha, and the share of labels that hold it."""
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Code", "Alpha", "95% interval", "Prevalence", "What to know"))
    body = ""
    for name, figure, prevalence in rows:
        told = _sentence(figure.why if figure.value is None else figure.note)
        value = "undefined" if figure.value is None else number_of(figure.value)
        body += (
            f'<tr><th scope="row">{escape(name)}</th><td class="value">{value}</td><td class="between">{_interval(figure)}</td>'
            f'<td>{prevalence:.0%}</td><td class="why">{escape(told)}</td></tr>'
        )
    return _wide(
        "Agreement on single codes", f'<table class="agreement"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    )


def flagged(lead: str, rows: Sequence[tuple[str, int, int]]) -> str:
    """Labels made under an older definition: why, how many of them, in how many readings."""
    items = "".join(
        f"<li>{escape(_sentence(why))} <span>{wording.count(labels, 'label')} in {wording.count(readings, 'reading')}</span></li>"
        for why, labels, readings in rows
    )
    return f'<div class="notice warn flagged"><p>{escape(lead)}</p><ul>{items}</ul></div>'


# Disagreements


class Label(NamedTuple):
    """A label beside others: what it says, more of it in small facts, the words written in it, and a warning or none."""

    says: str
    facts: tuple[str, ...] = ()
    words: str = ""
    warning: str = ""


class Side(NamedTuple):
    """One annotator's side of a disagreement: what they said in a word (empty where the labels say it), those labels, and what
    else they said and marked."""

    name: str
    said: str
    labels: tuple[Label, ...]
    more: tuple[Label, ...] = ()


def in_queue(question: str, said: Sequence[tuple[str, Sequence[str]]], decision: str) -> str:
    """A disagreement in the queue below its link: the reading's question, who says what, and what was decided."""
    sides = "".join(f"<li><b>{escape(value)}</b> <span>{escape(', '.join(names))}</span></li>" for value, names in said)
    done = f'<p class="decided"><span aria-hidden="true">◆</span> Decided: {escape(decision)}</p>' if decision else ""
    return f'<div class="dispute"><p class="asks">{escape(question)}</p><ul>{sides}</ul>{done}</div>'


def sides(found: Sequence[Side]) -> str:
    """A disagreement, an annotator beside the other."""
    return f'<div class="sides-of">{"".join(map(_side, found))}</div>'


def _side(side: Side) -> str:
    labels = "".join(f"<li>{_label(label)}</li>" for label in side.labels)
    more = "".join(f"<li>{_label(label)}</li>" for label in side.more)
    also = f'<div class="also"><h4>Also said of this reading</h4><ul>{more}</ul></div>' if more else ""
    said = f'<p class="said">{escape(side.said)}</p>' if side.said else ""
    return f'<section><h3>{escape(side.name)}</h3>{said}<ul class="own">{labels}</ul>{also}</section>'


def _label(label: Label) -> str:
    facts = f'<span class="facts">{escape(" · ".join(label.facts))}</span>' if label.facts else ""
    says = f"<p><b>{escape(label.says)}</b> {facts}</p>" if label.says or facts else ""
    words = f'<p class="words">{escape(label.words)}</p>' if label.words.strip() else ""
    warning = f'<p class="look"><span aria-hidden="true">!</span> {escape(_sentence(label.warning))}</p>' if label.warning else ""
    return says + words + warning


def decisions(rows: Sequence[tuple[str, str, str, str]]) -> str:
    """What was decided, the last first: what, by whom, when, and why."""
    items = ""
    for number, (what, by, when, why) in enumerate(rows):
        head = "Decided" if number == 0 else "Before that"
        items += (
            f'<li><p><span class="head">{head}:</span> <b>{escape(what)}</b> <span class="facts">{escape(by)} · {escape(when)}'
            f'</span></p><p class="words">{escape(why)}</p></li>'
        )
    return f'<ol class="decisions" reversed>{items}</ol>'


# Labels taken in


def clashes(rows: Sequence[tuple[str, str, str, str, str]], more: int) -> str:
    """Labels of a file that say something else than what is here: reading, annotator, about what, what the file says, what is
    here."""
    heads = ("Reading", "Annotator", "About", "The file says", "Here it says, and stays")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    rest = f'<p class="who">And {more:,} more.</p>' if more > 0 else ""
    return (
        _wide(
            "Labels that say something else",
            f'<table class="clashes"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>',
        )
        + rest
    )


def chips(found: Sequence[Chip]) -> str:
    return (
        '<p class="chips">'
        + "".join(
            f'<span class="chip {chip.tone}"><span aria-hidden="true">{escape(chip.mark)}</span> {escape(chip.word)}</span>'
            for chip in found
        )
        + "</p>"
    )


def _wide(about: str, table: str) -> str:
    return f'<div class="wide" tabindex="0" role="region" aria-label="{escape(about)}">{table}</div>'


def _sentence(words: str) -> str:
    """Begun with a capital, ended with a stop; nothing of nothing."""
    words = words.strip()
    return f"{words[:1].upper()}{words[1:]}{'' if words[-1:] in '.!?…' else '.'}" if words else ""
