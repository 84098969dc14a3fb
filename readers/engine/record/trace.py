"""What the events of a run say: pure functions, no storage, no clock.

A `Trace` holds and indexes the events. A function that only one view needs belongs in that view's module. *Shown* means that
characters were part of a prompt; only a fork can show whether they changed the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from readers.engine.record.events import Answered, Asked, Chose, Cut, Ended, Event, Misread, Pieces, StepBegan, StepEnded, Wrote
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, Document, Piece, Span

BUILD = "build"
SCORE_PROMPT = "score"  # the prompt id of scoring calls, which no model reads (similarity.py)


class Step(NamedTuple):
    """One step of the player: its names from the phase inwards, and its events, `trace.events[start:end]`."""

    number: int
    names: tuple[str, ...]
    start: int
    end: int

    @property
    def phase(self) -> str:
        return self.names[0] if self.names else ""


@dataclass(frozen=True)
class Trace:
    """The events of a run on a document, with indexes over them. The `question`, as it was asked, separates what the model
    searched for from what it was asked; without it, every search counts as the model's."""

    document: Document
    events: tuple[Event, ...]
    question: str = ""

    @cached_property
    def states(self) -> dict[type, Any]:
        """The results of readers' own folds of these events, by their class (`run/reader.py`)."""
        return {}

    @cached_property
    def asked(self) -> dict[int, Asked]:
        """Calls by number."""
        return {event.seq: event for event in self.events if isinstance(event, Asked)}

    @cached_property
    def wrote(self) -> dict[int, Wrote]:
        """Texts the reader wrote, by number."""
        return {event.n: event for event in self.events if isinstance(event, Wrote)}

    @cached_property
    def first_cut(self) -> tuple[Span, ...]:
        """The spans of the first cut: the parts of a reader that cuts once. Empty before it."""
        return next((event.spans for event in self.events if isinstance(event, Cut)), ())

    @cached_property
    def end(self) -> Answered | Ended | None:
        """How the run ended; None if it has not."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, (Answered, Ended)) else None

    @property
    def outcome(self) -> str | None:
        return None if self.end is None else "answered" if isinstance(self.end, Answered) else self.end.outcome

    def decisions(self, *actions: str) -> list[Chose]:
        """The decisions with one of these actions, in order; all decisions if none is given."""
        return [event for event in self.events if isinstance(event, Chose) and (not actions or event.action in actions)]

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All innermost steps in order. Events before the first step count to it, events between or after steps to the preceding
        one."""
        return tuple(_steps(self.events))

    def of(self, step: Step) -> tuple[Event, ...]:
        """The events of a step."""
        return self.events[step.start : step.end]

    def by_step(self) -> Iterator[tuple[Step, Event]]:
        """Every event with its step, in order."""
        return ((step, event) for step in self.steps for event in self.of(step))

    @cached_property
    def open_steps(self) -> tuple[str, ...]:
        """The names of the steps that have begun but not ended, from the phase inwards."""
        names: list[str] = []
        for event in self.events:
            if isinstance(event, StepBegan):
                names.append(event.name)
            elif isinstance(event, StepEnded):
                names.pop()
        return tuple(names)

    @cached_property
    def built_until(self) -> int:
        """The number of the first event after the building phase; 0 for a reader that builds nothing."""
        return max((step.end for step in self.steps if step.phase == BUILD), default=0)

    def written_at(self, number: int) -> int | None:
        """The number of the step that wrote a text."""
        return self._step_of(self.wrote[number])

    def asked_at(self, seq: int) -> int | None:
        """The number of the step that made a call."""
        return self._step_of(self.asked[seq])

    def _step_of(self, event: Event) -> int | None:
        at = next(n for n, one in enumerate(self.events) if one is event)
        return next((step.number for step in self.steps if step.start <= at < step.end), None)

    def spans_shown(self, seq: int) -> tuple[Span, ...]:
        """The spans of the document that a call's prompt showed raw; empty for a scoring call."""
        return shown_raw(self.asked[seq])

    @cached_property
    def raw_at(self) -> tuple[tuple[Span, ...], ...]:
        """By step: the spans of the document that the prompts of the step's own calls showed raw, in order and apart from each
        other. Maps, measures and sentences all mean this by *raw*; a step without a call showed nothing raw."""
        return tuple(
            merge_spans(span for event in self.of(step) if isinstance(event, Asked) for span in self.spans_shown(event.seq))
            for step in self.steps
        )

    def parent_texts(self, pieces: Pieces) -> tuple[int, ...]:
        """The written texts these characters directly derive from: those they were copied from, or those in the prompt of the
        call that replied with them."""
        parents: dict[int, None] = {}
        for piece in pieces:
            if (number := refs.written(piece.origin)) is not None:
                parents[number] = None
            elif (seq := refs.replied(piece.origin)) in self.asked:
                for _, texts in self.asked[seq].parts:
                    for text in texts:
                        parents.update(dict.fromkeys(_written(text)))
        return tuple(parents)

    @cached_property
    def through_at(self) -> tuple[tuple[Span, ...], ...]:
        """By step: the spans of the document behind the written texts that the prompts of the step's own calls held."""
        return tuple(self.sources(tuple(self._written_in_prompts(step))) for step in self.steps)

    def _written_in_prompts(self, step: Step) -> Iterator[Piece]:
        asked = (event for event in self.of(step) if isinstance(event, Asked) and event.prompt != SCORE_PROMPT)
        pieces = (piece for event in asked for _, texts in event.parts for text in texts for piece in text)
        return (piece for piece in pieces if piece.origin != DOCUMENT)

    def sources(self, pieces: Pieces) -> tuple[Span, ...]:
        """All spans of the document these characters derive from, through any number of calls and written texts."""
        behind, begun = self._behind, set[str]()
        todo = [*_origins(pieces)]
        while todo:
            inside = self._inside(origin := todo[-1])
            first = [] if origin in begun else [one for one in _origins(inside) if one not in behind]
            begun.add(origin)
            todo += first
            if not first:
                behind.setdefault(todo.pop(), _sources(inside, behind))
        return _sources(pieces, behind)

    @cached_property
    def _behind(self) -> dict[str, tuple[Span, ...]]:
        """What is behind the written texts and replies that were asked for so far; the same ones stand in many prompts."""
        return {}

    def _inside(self, origin: str) -> Pieces:
        if (number := refs.written(origin)) in self.wrote:
            return self.wrote[number].pieces
        if (seq := refs.replied(origin)) in self.asked:
            return tuple(piece for _, texts in self.asked[seq].parts for text in texts for piece in text)
        return ()

    def calls_behind(self, pieces: Pieces) -> frozenset[int]:
        """The calls that replied with these characters; copies are traced back to the original reply."""
        calls: set[int] = set()
        todo = list(pieces)
        while todo:
            piece = todo.pop()
            if (seq := refs.replied(piece.origin)) in self.asked:
                calls.add(seq)
            elif (number := refs.written(piece.origin)) in self.wrote:
                todo.extend(self.wrote[number].pieces)
        return frozenset(calls)

    def evidence(self, pieces: Pieces) -> tuple[Span, ...]:
        """What was shown raw in the calls that replied with these characters."""
        return merge_spans(span for seq in self.calls_behind(pieces) for span in self.spans_shown(seq))

    @property
    def misreads(self) -> list[Misread]:
        return [event for event in self.events if isinstance(event, Misread)]


def shown_raw(asked: Asked) -> tuple[Span, ...]:
    """The spans of the document that the prompt of a call showed raw; empty for a scoring call."""
    if asked.prompt == SCORE_PROMPT:
        return ()
    texts = (pieces for _, texts in asked.parts for pieces in texts)
    return merge_spans(Span(p.begin, p.stop) for pieces in texts for p in pieces if p.origin == DOCUMENT)


def holds(spans: Iterable[Span], place: Span) -> bool:
    """Whether all of a place is in one of the spans."""
    return any(span.start <= place.start and place.end <= span.end for span in spans)


def merge_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Sort spans, merge overlapping and adjacent ones, drop empty ones."""
    out: list[Span] = []
    for start, end in sorted(spans):
        if start == end:
            continue
        if out and start <= out[-1].end:
            out[-1] = Span(out[-1].start, max(end, out[-1].end))
        else:
            out.append(Span(start, end))
    return tuple(out)


def _sources(pieces: Pieces, behind: Mapping[str, tuple[Span, ...]]) -> tuple[Span, ...]:
    own = (Span(piece.begin, piece.stop) for piece in pieces if piece.origin == DOCUMENT)
    return merge_spans([*own, *(span for origin in _origins(pieces) for span in behind.get(origin, ()))])


def _origins(pieces: Pieces) -> set[str]:
    """The written texts and replies that these characters are from."""
    return {piece.origin for piece in pieces if piece.origin != DOCUMENT}


def _written(pieces: Pieces) -> list[int]:
    return [number for piece in pieces if (number := refs.written(piece.origin)) is not None]


def _steps(events: tuple[Event, ...]) -> Iterable[Step]:
    """An innermost step runs from its first own event to where another step begins; the final event counts to the last step."""
    starts: list[tuple[int, tuple[str, ...]]] = []
    opened: list[tuple[int, str]] = []
    last: int | None = None
    for number, event in enumerate(events):
        if isinstance(event, StepBegan):
            opened.append((number, event.name))
        elif isinstance(event, StepEnded):
            opened.pop()
        elif opened and opened[-1][0] != last and not isinstance(event, (Answered, Ended)):
            last = opened[-1][0]
            starts.append((number, tuple(name for _, name in opened)))
    for number, (start, names) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else len(events)
        yield Step(number, names, start if number else 0, end)
