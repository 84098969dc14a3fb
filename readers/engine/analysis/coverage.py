"""How much of a text the model saw, step by step: raw, or represented by something the reader wrote. Pure.

Three states that are never mixed: 0 not covered, 1 represented by a summary, gist or memory, 2 shown raw. As in `measures.py`,
text that was shown raw while a memory was built counts as represented. States only rise. Time grows with the events, not with
steps times text: each text is traced to its sources once.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from readers.engine.record.events import Asked, Pieces, Wrote
from readers.engine.record.trace import BUILD, Step, Trace, merge_spans
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, Span

REPRESENTED, RAW = 1, 2
Change = tuple[int, int]  # a step and the state from then on
CoverageCell = tuple[int, int, tuple[Change, ...]]


def cells(trace: Trace) -> list[CoverageCell]:
    """The covered stretches of the document in order, each with its changes; equal neighbours are joined."""
    touched = [(step.number, span, state) for step in trace.steps for state, spans in _touched(trace, step) for span in spans]
    edges = sorted({edge for _, span, _ in touched for edge in span})
    states = [0] * len(edges)
    changes: list[list[Change]] = [[] for _ in edges]
    done: set[tuple[Span, int]] = set()
    for step, span, state in touched:
        if (span, state) in done:
            continue
        done.add((span, state))
        for at in range(bisect_left(edges, span.start), bisect_right(edges, span.end - 1)):
            if states[at] < state:
                states[at] = state
                changes[at].append((step, state))
    return list(_joined(edges, changes))


def _joined(edges: list[int], changes: list[list[Change]]) -> Iterator[CoverageCell]:
    start = 0
    for at in range(len(edges) - 1):
        if changes[at] != changes[at + 1] or at + 1 == len(edges) - 1:
            if changes[at]:
                yield edges[start], edges[at + 1], tuple(changes[at])
            start = at + 1


def _touched(trace: Trace, step: Step) -> Iterator[tuple[int, Iterable[Span]]]:
    for event in trace.events[step.start : step.end]:
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
