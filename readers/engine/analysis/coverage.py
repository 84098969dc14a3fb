"""How much of a text the model saw, step by step: raw, or represented by something the reader wrote. Pure.

Three states that are never mixed: 0 not covered, 1 represented by a summary, gist or memory, 2 shown raw. Raw is what prompts
held (`Trace.raw_at`), and represented what is behind a text that was written or that is in a prompt. Both hold from a step on,
regardless of later steps. They only rise, with one exception: the first step with a call after building starts from zero, because
the model is no longer shown what was read in order to build. From there on the states are those of the answer, of which the
measures are shares: text is covered if prompts hold it or a text derived from it. Time grows with the events, not with steps
times text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from readers.engine.record.events import Asked, Pieces, Wrote
from readers.engine.record.trace import BUILD, SCORE_PROMPT, Step, Trace, merge_spans
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, Span

NOT_COVERED, REPRESENTED, RAW = 0, 1, 2
Change = tuple[int, int]  # a step and the state from then on
CoverageCell = tuple[int, int, tuple[Change, ...]]


def cells(trace: Trace) -> list[CoverageCell]:
    """The stretches of the document that were ever covered, in order, each with its changes; equal neighbours are joined."""
    starts = set(_first_after_building(trace))
    first = min(starts, default=len(trace.steps))
    touched = [(step, list(_touched(trace, step, answers=step.number >= first and step.phase != BUILD))) for step in trace.steps]
    line = _Timeline(sorted({edge for _, states in touched for _, spans in states for span in spans for edge in span}))
    for step, states in touched:
        if step.number in starts:
            line.begin_anew(step.number)
        for state, spans in states:
            for span in spans:
                line.rise(step.number, span, state)
    return list(line.joined())


def _first_after_building(trace: Trace) -> Iterator[int]:
    """The first step with a call after building; a reader may build on later, and then there are several."""
    built = False
    for step in trace.steps:
        if step.phase == BUILD:
            built = True
        elif built and any(_calls(trace, step)):
            built = False
            yield step.number


def _calls(trace: Trace, step: Step) -> Iterator[Asked]:
    return (event for event in trace.of(step) if isinstance(event, Asked) and event.prompt != SCORE_PROMPT)


def share(found: Iterable[CoverageCell], least: int, length: int) -> float:
    """The share of a document of this length whose last state is `least` or more."""
    return sum(end - start for start, end, changes in found if changes[-1][1] >= least) / length if length else 0.0


class _Timeline:
    """The document cut at all edges: the state of each stretch, and its changes so far."""

    def __init__(self, edges: list[int]) -> None:
        self._edges = edges
        self._states = [NOT_COVERED] * len(edges)
        self._changes: list[list[Change]] = [[] for _ in edges]
        self._done: set[tuple[Span, int]] = set()

    def rise(self, step: int, span: Span, state: int) -> None:
        if (span, state) in self._done:
            return
        self._done.add((span, state))
        for at in self._within(span):
            if self._states[at] < state:
                self._set(at, step, state)

    def begin_anew(self, step: int) -> None:
        """From this step on nothing is covered but what rises again."""
        self._done.clear()
        for at, state in enumerate(self._states):
            if state:
                self._set(at, step, NOT_COVERED)

    def joined(self) -> Iterator[CoverageCell]:
        start, last = 0, len(self._edges) - 1
        for at in range(last):
            if self._changes[at] != self._changes[at + 1] or at + 1 == last:
                if self._changes[at]:
                    yield self._edges[start], self._edges[at + 1], tuple(self._changes[at])
                start = at + 1

    def _within(self, span: Span) -> range:
        return range(bisect_left(self._edges, span.start), bisect_right(self._edges, span.end - 1))

    def _set(self, at: int, step: int, state: int) -> None:
        """Set a state; of several at one step the last counts."""
        changes = self._changes[at]
        if changes and changes[-1][0] == step:
            changes.pop()
        if state != (changes[-1][1] if changes else NOT_COVERED):
            changes.append((step, state))
        self._states[at] = state


def _touched(trace: Trace, step: Step, *, answers: bool) -> Iterator[tuple[int, Iterable[Span]]]:
    """The states that a step brings to places; one that `answers` from what was built sees that through what was written."""
    if answers:
        yield REPRESENTED, trace.through_at[step.number]
    yield RAW, trace.raw_at[step.number]
    for event in trace.of(step):
        if isinstance(event, Wrote):
            yield REPRESENTED, own_sources(trace, event.pieces)


def own_sources(trace: Trace, pieces: Pieces) -> tuple[Span, ...]:
    """The document behind these characters, not traced through earlier texts: those were counted when they were written."""
    spans: list[Span] = []
    for piece in pieces:
        if piece.origin == DOCUMENT:
            spans.append(Span(piece.begin, piece.stop))
        elif (seq := refs.replied(piece.origin)) in trace.asked:
            spans.extend(trace.spans_shown(seq))
    return merge_spans(spans)
