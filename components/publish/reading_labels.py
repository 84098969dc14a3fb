"""What people said of one reading, on its page in a site: of all of it, then at its steps, each label in words. Pure.

Not here: how far they agree (`labels_section.py`), and who is which letter (`pseudonyms.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from components.html.words.label_words import label_in_words, label_place, marked_words
from components.player import browser_text
from components.replay.reading import Replayed
from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.labels.label import FIELDS, Label
from readers.engine.record.trace import Trace

TITLE = "What people said of it"
IN_THE_TEXT = "in the text"


class SaidOfReading(NamedTuple):
    """A label: by whom, at which step (from 1; 0 for none), the place of the text as an address has it, if it is on one, and the
    label in words."""

    by: str
    step: int
    place: str
    said: str
    facts: str
    words: str


def said_of(opened: Replayed, seen: VisibleLabels) -> list[SaidOfReading]:
    """The labels of a reading: those of all of it first, then in the order of its steps, those in the text last."""
    reading = opened.reading
    unit = browser_text.counter(reading.document.text)
    found = []
    for label in seen.labels:
        if label.run == reading.run.id:
            in_text = label.target.get("on") == "text"
            marked = marked_words(label, reading, lambda: opened.prompts) if label.kind == "span" else ""
            said, facts, words = label_in_words(label, seen, marked=marked)
            place = "-".join(str(unit(label.target[end])) for end in ("start", "end")) if in_text else ""
            one = SaidOfReading(label.annotator, _step(label, reading.trace), place, said, _facts(label, facts), words)
            found.append((_question(label), one))
    return sorted(_together(found), key=lambda one: (one.place != "", one.step, one.by))


def _together(labels: Iterable[tuple[int, SaidOfReading]]) -> Iterator[SaidOfReading]:
    """Labels, each with the place of its question, with the plain answers of each person about the whole reading as one."""
    answers: dict[str, list[tuple[int, str]]] = {}
    for question, one in labels:
        if one.step or one.place or one.facts or one.words:
            yield one
        else:
            answers.setdefault(one.by, []).append((question, one.said))
    for by, told in answers.items():
        yield SaidOfReading(by, 0, "", " · ".join(said for _, said in sorted(told)), "", "")


def _question(label: Label) -> int:
    """The place of the question that a label answers among those about a reading; of other labels, after all."""
    field = label.target.get("field")
    return FIELDS.index(field) if field in FIELDS else len(FIELDS)


def _facts(label: Label, facts: Iterable[str]) -> str:
    """The details of a label without its step, which stands before it."""
    return " · ".join(one for one in facts if label.kind == "span" or one != label_place(label))


def _step(label: Label, trace: Trace) -> int:
    """The step of a label; that of a span is the one whose prompt or text it is on."""
    on, number = label.target.get("on"), label.target.get("number")
    at = None
    if on == "wrote" and number in trace.wrote:
        at = trace.written_at(number)
    elif on in ("prompt", "reply") and number in trace.asked:
        at = trace.asked_at(number)
    return label.step or (0 if at is None else at + 1)


def html(labels: Sequence[SaidOfReading]) -> Markup:
    """The list, whose steps and places open in the player above it; empty for none."""
    rows = Markup("").join(
        Markup(
            '<li>{} <b>{}</b> <span dir="auto">{}</span> <span class="site-soft">{}</span> <span dir="auto">{}</span></li>'
        ).format(_where(one), one.by, one.said, one.facts, one.words)
        for one in labels
    )
    return Markup('<section class="site-said"><h2>{}</h2><ul>{}</ul></section>').format(TITLE, rows) if rows else Markup()


def _where(one: SaidOfReading) -> Markup:
    if one.place:
        return Markup('<a href="#fact={}">{}</a>').format(one.place, IN_THE_TEXT)
    return Markup('<a href="#at={}">step {}</a>').format(one.step, f"{one.step:,}") if one.step else Markup("the whole reading")
