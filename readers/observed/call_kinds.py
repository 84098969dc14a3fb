"""What each call of a program is for, in plain terms, by what is new in its prompt. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from readers.engine.record.trace import merge_spans
from readers.engine.text.document import DOCUMENT, Span
from readers.observed.calls import ObservedCall, Said
from readers.observed.sources import TOOL, Messages

CallKind = Literal["reads", "reads again", "tool", "writes", "answers"]
A_PLACE = 40  # characters of the document, from which on a call reads it
SEEN = 0.8  # of what a call reads, from which on it reads it again


def call_kinds(calls: Sequence[ObservedCall], found: Sequence[Messages], *, answered: bool = True) -> list[CallKind]:
    """What each call is for: the last one with a reply answers, if the program did; one whose newest message is a tool's result
    works with a tool; one that shows the document reads it, again if most of it was shown before; any other writes from what was
    written."""
    kinds: list[CallKind] = ["writes"] * len(calls)
    in_time = sorted(range(len(calls)), key=lambda n: (calls[n].asked, n))
    begun: set[tuple[Said, ...]] = set()
    shown: tuple[Span, ...] = ()
    for number in in_time:
        messages = calls[number].messages
        first = next((n for n in range(len(messages) - 1, 0, -1) if messages[:n] in begun), 0)
        begun.update(messages[:n] for n in range(first + 1, len(messages) + 1))
        pieces = (one.piece for message in found[number][first:] for one in message)
        raw = merge_spans(Span(piece.begin, piece.stop) for piece in pieces if piece.origin == DOCUMENT)
        if messages and messages[-1].role == TOOL:
            kinds[number] = "tool"
        elif _length(raw) >= A_PLACE:
            both = _length(shown) + _length(raw) - _length(merge_spans([*shown, *raw]))
            kinds[number] = "reads again" if both >= SEEN * _length(raw) else "reads"
        shown = merge_spans([*shown, *raw])
    replied = [n for n in in_time if calls[n].reply.strip()]
    for last in replied[-1:] if answered else ():
        kinds[last] = "answers"
    return kinds


def _length(spans: Sequence[Span]) -> int:
    return sum(span.end - span.start for span in spans)
