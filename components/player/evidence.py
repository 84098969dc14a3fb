"""The evidence of an answer: of the places in the model's view, those that contain the answer's own words. Pure.

Words are found by comparing characters, which proves no more than that: a differently worded answer may rest on any place in
view, so then all places count. Not here: which places were in view (`Trace.evidence`), and the known true place
(`questions/known_answer.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from components.html import document
from components.html.words import wording
from readers.engine.analysis.facts.attribution import Attribution, not_in
from readers.engine.questions.known_answer import found_by
from readers.engine.record.trace import merge_spans
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.phrases import listed

MOST_NAMED = 3
LEAST_WORDS = 4  # shorter runs match by chance
Names = Mapping[str, str]


def places(evidence: Sequence[Span], names: Names) -> list[Span]:
    """The evidence split into the pieces that the reader names, where such pieces make up a place; otherwise the place unchanged.
    Adjacent pieces in view together are one place of the evidence, but several places here."""
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
    """The ref of a place, by which readers name it."""
    return refs.place(*span)


def holding(text: str, answer: str | None, places: Sequence[Span]) -> list[Span]:
    """The places that contain at least `LEAST_WORDS` consecutive words of the answer; all places if none does, or there is only
    one."""
    if len(places) < 2:
        return list(places)
    marks = document.quotes(text, answer or "", merge_spans(places))
    found = [Span(mark.start, mark.end) for mark in marks if len(text[mark.start : mark.end].split()) >= LEAST_WORDS]
    return [place for place in places if found_by([place], found)] or list(places)


def where_found(all_of_them: Sequence[Span], held: Sequence[Span], names: Names) -> str:
    """Where an answer was found, by the reader's own names; `held`: the places that contain its words."""
    if not all_of_them or len(held) == len(all_of_them):
        return wording.places(all_of_them, names)
    others = len(all_of_them) - len(held)
    beside = f"{others:,} other {'place' if others == 1 else 'places'} {'was' if others == 1 else 'were'} also in view"
    return f"its words occur in {_called(held, names)}; {beside}"


def nearest(text: str, question: str, found: Sequence[Attribution], places: Sequence[Span], names: Names) -> str:
    """The place in view that is nearest to an answer which nothing there supports, and what of the question is not in it."""
    best = max(found, key=lambda one: one.share, default=None)
    there = [place for place in places if best is None or found_by([place], [best.place])]
    missing = [f"“{word}”" for word in not_in(question, " ".join(text[slice(*place)] for place in there))]
    lacks = f"; {listed(missing, most=MOST_NAMED)} {'is' if len(missing) == 1 else 'are'} nowhere in it" if missing else ""
    if best is None:
        return f"in view: {_called(there, names)}, with no word of the answer"
    return f"nearest: {_called(there, names)}{lacks}"


def _called(held: Sequence[Span], names: Names) -> str:
    called = list(dict.fromkeys(names.get(ref(span), "") for span in held))
    if all(called) and len(called) <= MOST_NAMED:
        return " and ".join(called)
    return f"{len(held):,} places" if len(held) > 1 else "1 place"
