"""How much of a text the model saw, step by step: raw, or represented by something the reader wrote. Pure.

Three states that are never mixed: 0 not covered, 1 represented by a summary, gist or memory, 2 shown raw. Text that was shown raw
while a memory was built counts as represented. States only rise, but for one fall: once the memory is built, text is covered no
longer if no later prompt holds anything written of it. A graph, for example, may only lead to the segments that the model answers
from. The measures are shares of the last states. Time grows with the events, not with steps times text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from readers.engine.record.events import Asked, Pieces, Wrote
from readers.engine.record.trace import BUILD, SCORE_PROMPT, Step, Trace, merge_spans
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, Span

NOT_COVERED, REPRESENTED, RAW = 0, 1, 2
Change = tuple[int, int]  # a step and the state from then on
CoverageCell = tuple[int, int, tuple[Change, ...]]


def cells(trace: Trace) -> list[CoverageCell]:
    """The stretches of the document that were ever covered, in order, each with its changes; equal neighbours are joined."""
    touched = [(step.number, span, state) for step in trace.steps for state, spans in _touched(trace, step) for span in spans]
    used, first = _used(trace), next((step.number for step in trace.steps if step.start >= trace.built_until), 0)
    line = _Line(sorted({edge for _, span, _ in touched for edge in span} | {edge for span in used or () for edge in span}))
    for step, span, state in touched:
        if step < first:
            line.rise(step, span, state)
    if used is not None:
        line.fall(first, used)
    for step, span, state in touched:
        if step >= first:
            line.rise(step, span, state)
    return list(line.joined())


def share(found: Iterable[CoverageCell], least: int, length: int) -> float:
    """The share of a document of this length whose last state is `least` or more."""
    return sum(end - start for start, end, changes in found if changes[-1][1] >= least) / length if length else 0.0


class _Line:
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

    def fall(self, step: int, kept: Sequence[Span]) -> None:
        """Nothing is covered any more except these spans."""
        self._done.clear()
        stays = {at for span in kept for at in self._within(span)}
        for at, state in enumerate(self._states):
            if state and at not in stays:
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
        self._states[at] = state
        self._changes[at].append((step, state))


def _used(trace: Trace) -> tuple[Span, ...] | None:
    """What was written in the prompts after building is from; None if there was no memory to build, or no such prompt yet."""
    asked = [event for event in trace.events[trace.built_until :] if isinstance(event, Asked) and event.prompt != SCORE_PROMPT]
    if not trace.built_until or not asked:
        return None
    pieces = {piece for event in asked for _, texts in event.parts for text in texts for piece in text}
    return trace.sources(tuple(piece for piece in pieces if piece.origin != DOCUMENT))


def _touched(trace: Trace, step: Step) -> Iterator[tuple[int, Iterable[Span]]]:
    for event in trace.of(step):
        if isinstance(event, Asked) and step.phase != BUILD:
            yield RAW, trace.spans_shown(event.seq)
        elif isinstance(event, Wrote):
            yield REPRESENTED, _own_sources(trace, event.pieces)


def _own_sources(trace: Trace, pieces: Pieces) -> tuple[Span, ...]:
    """The document behind these characters, not traced through earlier texts: those were counted when they were written."""
    spans: list[Span] = []
    for piece in pieces:
        if piece.origin == DOCUMENT:
            spans.append(Span(piece.begin, piece.stop))
        elif (seq := refs.replied(piece.origin)) in trace.asked:
            spans.extend(trace.spans_shown(seq))
    return merge_spans(spans)
