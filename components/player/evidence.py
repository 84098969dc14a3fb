"""What an answer rests on: of the places that stood before the model, those that hold the answer's own words. Pure.

That a place holds the words of an answer is found by comparing characters, and says no more than that: an answer in other words
may rest on any place that stood in view, so then all of them count. Not here: what stood in view (`Trace.evidence`), what is
known of the true place (`questions/known_answer.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from components.html import document, wording
from readers.engine.questions.known_answer import found_by
from readers.engine.record.trace import merge_spans
from readers.engine.text import refs
from readers.engine.text.document import Span

MOST_NAMED = 3
LEAST_WORDS = 4  # fewer stand in a text by chance
Names = Mapping[str, str]


def places(evidence: Sequence[Span], names: Names) -> list[Span]:
    """The evidence by the pieces that the reader has names for, where such pieces make up a place; else the place as it is.
    Neighbours that stood in view together are one place of the evidence, and several of these."""
    starts: dict[int, list[int]] = {}
    for ref in names:
        if place := refs.span(ref):
            starts.setdefault(place[0], []).append(place[1])
    return [part for span in evidence for part in _pieces(span, names, starts)]


def _pieces(span: Span, names: Names, starts: Mapping[int, Sequence[int]]) -> list[Span]:
    if ref(span) in names:
        return [span]
    found: list[Span] = []
    at = span.start
    while at < span.end:
        end = max((end for end in starts.get(at, ()) if at < end <= span.end), default=None)
        if end is None:
            return [span]
        found.append(Span(at, end))
        at = end
    return found


def ref(span: Span) -> str:
    """How readers name a place."""
    return refs.place(*span)


def holding(text: str, answer: str | None, places: Sequence[Span]) -> list[Span]:
    """Of several places those in which words of the answer stand, some at least in a row; all of them where none has any, or
    there is but one."""
    if len(places) < 2:
        return list(places)
    marks = document.quotes(text, answer or "", merge_spans(places))
    found = [Span(mark.start, mark.end) for mark in marks if len(text[mark.start : mark.end].split()) >= LEAST_WORDS]
    return [place for place in places if found_by([place], found)] or list(places)


def told(all_of_them: Sequence[Span], held: Sequence[Span], names: Names) -> str:
    """Where an answer was found, by the reader's own names; `held` are those of the places that hold its words."""
    if not all_of_them or len(held) == len(all_of_them):
        return wording.places(all_of_them, names)
    others = len(all_of_them) - len(held)
    beside = f"{others:,} other {'place' if others == 1 else 'places'} {'was' if others == 1 else 'were'} also in view"
    return f"its words occur in {_called(held, names)}; {beside}"


def _called(held: Sequence[Span], names: Names) -> str:
    called = list(dict.fromkeys(names.get(ref(span), "") for span in held))
    if all(called) and len(called) <= MOST_NAMED:
        return " and ".join(called)
    return f"{len(held):,} places" if len(held) > 1 else "1 place"
