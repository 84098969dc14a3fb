"""How a reading ended, in words: its answer with its author and source, or why there is none, and a verdict. Pure.

An answer's source is where in the model's view its own words stand. Words are found by comparing characters, which proves no more
than that: a differently worded answer may rest on any place in view, so then all places count.

Not here: how that is drawn, on a page's head (`html/markup.py`) or on Stage (`assets/js/player/stage.js`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from components.html import document as prose
from components.html.markup import AnswerSource
from components.html.words import wording
from components.player.pictures import kind, memory
from readers import get
from readers.engine.analysis.facts.attribution import attributions, index_of, not_in
from readers.engine.analysis.measures import chips as measure_chips
from readers.engine.questions.answers import chosen
from readers.engine.questions.known_answer import KnownAnswer, found_by
from readers.engine.record.trace import merge_spans
from readers.engine.store import Reading, Run
from readers.engine.text import refs
from readers.engine.text.document import Document, Span
from readers.engine.text.phrases import listed
from readers.engine.text.words import words

MOST_NAMED = 3
LEAST_WORDS = 4  # shorter runs match by chance
Names = Mapping[str, str]


@dataclass(frozen=True)
class Ending:
    """What Stage shows at the last step: the answer and its author, or why there is none, and a verdict (mark, word, tone).
    `known` is the right answer where the verdict is not that it is right."""

    words: str
    by: str
    mark: str
    verdict: str
    tone: str
    known: str = ""


def of(reading: Reading, known: KnownAnswer | None) -> Ending:
    """The ending of a reading. The verdict is a rule's; where nothing is known, it is how the reading ended."""
    run = reading.run
    given = run.outcome == "answered" and run.answer is not None
    words = run.answer if given and run.answer else " ".join(wording.ending(run))
    chip = (wording.compared(run, known).chip if known else None) or wording.state(run)
    right = "" if known is None or chip.tone == "good" else known.answer or wording.NOT_IN_TEXT
    by = f"answer, written by {wording.answered_by(reading)}" if given else ""
    return Ending(words, by, chip.mark, chip.word, chip.tone, right)


class SourceInWords(NamedTuple):
    """Where an answer comes from, in words; for an answer from memory with the steps (from 1) that wrote it."""

    words: str = ""
    kind: AnswerSource = "memory"
    steps: tuple[int, ...] = ()


def source_of(reading: Reading, frames: Mapping[str, Any]) -> SourceInWords:
    """The evidence of an answer: places in the text or, for an answer from memory, the steps that wrote it. Empty where there is
    no answer. `frames` are the player's of this reading."""
    run, document, trace, _ = reading
    if not run.gives_answer or run.answer is None:
        return SourceInWords()
    drawn = memory_of(reading, frames)
    if drawn and not run.evidence:
        steps, own = memory.rests(drawn, run.answer), not run.spec.get("choices")
        return SourceInWords(wording.from_memory(steps, own_words=own, called=drawn["called"]), steps=tuple(steps))
    names = get(run.reader).names(trace)
    rests = basis(run, document, names)
    if not rests.in_view:
        return SourceInWords(wording.places((), names, document))
    if rests.stated:
        return SourceInWords(where_found(rests.in_view, rests.places, names, document), "found")
    return SourceInWords(nearest(document, run.question, rests, names), "nearest")


class Basis(NamedTuple):
    """What was in view when an answer was given, place by place; and of it the `places` that the answer rests on. They state it
    (`stated`), or are only nearest to it: all in view, where nothing there has a word of the answer (`no_word`)."""

    in_view: list[Span]
    places: list[Span]
    stated: bool = False
    no_word: bool = False


def basis(run: Run, document: Document, names: Names) -> Basis:
    """What the answer of a reading rests on: its headline, every map and the text mean these places. `names` are the reader's."""
    in_view = places_named(run.evidence, names) if run.gives_answer and run.answer is not None else []
    if not in_view:
        return Basis([], [])
    choices, words = run.spec.get("choices") or (), run.answer or ""
    if (picked := chosen(words, choices)) is not None:
        words = choices[picked]  # a letter alone has no words that a place could hold
    near = attributions(index_of(document), run.question, words, within=in_view)
    if supporting := [one.place for one in near if one.supports]:
        return Basis(in_view, holding(document.text, words, in_view) or _with(supporting, in_view), stated=True)
    best = max(near, key=lambda one: one.share, default=None)
    return Basis(in_view, _with([best.place], in_view) if best else in_view, no_word=best is None)


def _with(sentences: Sequence[Span], places: Sequence[Span]) -> list[Span]:
    return [place for place in places if found_by([place], sentences)]


def memory_of(reading: Reading, frames: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The picture of a reading if it is a memory; None for other kinds."""
    drawn: Mapping[str, Any] | None = frames["picture"] if kind(reading.run.reader) == "memory" else None
    return drawn


def chips(reading: Reading, frames: Mapping[str, Any], found: Mapping[str, Any]) -> list[wording.Chip]:
    """How a reading stands, and of its measures (`found`) those that have a chip."""
    drawn = memory_of(reading, frames)
    lost = wording.lost(memory.lost(drawn), called=drawn["called"]) if drawn else []
    figures = [wording.Chip(mark, words, meaning=meaning) for mark, words, meaning in measure_chips(found)]
    return [wording.state(reading.run), *lost, *figures]


def places_named(evidence: Sequence[Span], names: Names) -> list[Span]:
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
    """All the places that contain at least `LEAST_WORDS` consecutive words of the answer."""
    marks = [Span(mark.start, mark.end) for mark in prose.quotes(text, answer or "", merge_spans(places))]
    found = {mark: _flat(text, mark) for mark in marks if len(text[slice(*mark)].split()) >= LEAST_WORDS}
    return [
        place
        for place in places
        if found_by([place], list(found)) or any(words in _flat(text, place) for words in found.values())
    ]


def _flat(text: str, span: Span) -> str:
    """The words of a place on one line."""
    return " ".join(text[slice(*span)].split())


def where_found(all_of_them: Sequence[Span], held: Sequence[Span], names: Names, document: Document) -> str:
    """Where an answer was found, by the reader's own names; `held`: the places that contain its words."""
    if not all_of_them or len(held) == len(all_of_them):
        return wording.places(all_of_them, names, document)
    others = len(all_of_them) - len(held)
    beside = f"{others:,} other {'place' if others == 1 else 'places'} {'was' if others == 1 else 'were'} also in view"
    return f"its words occur in {_called(held, names, document)}; {beside}"


def nearest(document: Document, question: str, rests: Basis, names: Names) -> str:
    """The place in view that is nearest to an answer which nothing there supports, and what of the question is not in it."""
    if rests.no_word:
        return f"in view: {_called(rests.places, names, document)}, with no word of the answer"
    written = {word.casefold(): word for word in reversed(words(question))}
    lacking = not_in(question, " ".join(document.text[slice(*place)] for place in rests.places))
    missing = [f"“{written.get(word, word)}”" for word in lacking]
    lacks = f"; {listed(missing, most=MOST_NAMED)} {'does' if len(missing) == 1 else 'do'} not occur there" if missing else ""
    return f"nearest: {_called(rests.places, names, document)}{lacks}"


def _called(held: Sequence[Span], names: Names, document: Document) -> str:
    own = wording.names_of_places(held, names) or (f"{len(held):,} places" if len(held) > 1 else "1 place")
    return ", ".join(filter(None, (own, document.pages_of(*held))))
