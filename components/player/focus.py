"""Where in the text a step is, and how the model saw the text there, by the prompts of the step's own calls. Pure.

*Raw* is said only of what a prompt held. A step that opens a place and makes no call opens it for the next step that does: what
that step's prompts do not hold was never shown raw. Not here: how much of the text was seen so far
(`engine/analysis/coverage.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from readers.engine.record.events import Asked, Looked, Pieces
from readers.engine.record.trace import BUILD, SCORE_PROMPT, Step, Trace, merge_spans
from readers.engine.text.document import Span

Seen = Literal["raw", "through", "not"]


class Focus(NamedTuple):
    """The spans of the text that a step is about, and how the model saw them at it: raw, through what was written of them, or not
    at all."""

    spans: tuple[Span, ...] = ()
    seen: Seen = "through"

    @property
    def raw(self) -> bool:
        return self.seen == "raw"


class Focuses:
    """The focus of each step of a reading."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._sources: dict[Pieces, tuple[Span, ...]] = {}  # a walk comes to the same place repeatedly

    def of(self, step: Step) -> Focus:
        """What the step's prompts held raw; otherwise the place that was opened last, or what the text opened last represents.
        While a memory is built many calls are made at once: there only the place that was opened counts."""
        looked = next((event for event in reversed(self._events(step)) if isinstance(event, Looked)), None)
        calls: Sequence[Asked] = self._calls[step.number]
        held = self._held(calls)
        if held and step.phase != BUILD:
            return Focus(held, "raw")
        if looked is None:
            return Focus()
        opened = merge_spans(looked.spans)
        if not opened:
            return Focus(self._behind(looked.pieces))
        calls = calls or self._next_calls(step)
        return Focus(opened, self._seen(opened, calls) if calls else "raw")

    def _seen(self, opened: Sequence[Span], calls: Sequence[Asked]) -> Seen:
        if self._covers(self._held(calls), opened):
            return "raw"
        behind = merge_spans(span for pieces in _parts(calls) for span in self._behind(pieces))
        return "through" if self._covers(behind, opened) else "not"

    def _events(self, step: Step) -> Sequence[object]:
        return self._trace.events[step.start : step.end]

    @cached_property
    def _calls(self) -> list[list[Asked]]:
        """The calls of a model by step; what is scored no model reads."""
        asked = ([event for event in self._events(step) if isinstance(event, Asked)] for step in self._trace.steps)
        return [[event for event in calls if event.prompt != SCORE_PROMPT] for calls in asked]

    def _next_calls(self, step: Step) -> Sequence[Asked]:
        """The calls of the next step that makes any; while a memory is built, all of them, because what is opened one by one is
        asked about together."""
        if step.phase == BUILD:
            return self._calls_of_building
        return next((calls for calls in self._calls[step.number + 1 :] if calls), ())

    @cached_property
    def _calls_of_building(self) -> Sequence[Asked]:
        return [event for step in self._trace.steps if step.phase == BUILD for event in self._calls[step.number]]

    def _held(self, calls: Iterable[Asked]) -> tuple[Span, ...]:
        return merge_spans(span for event in calls for span in self._trace.spans_shown(event.seq))

    def _behind(self, pieces: Pieces) -> tuple[Span, ...]:
        if pieces not in self._sources:
            self._sources[pieces] = self._trace.sources(pieces)
        return self._sources[pieces]

    def _covers(self, spans: Sequence[Span], opened: Sequence[Span]) -> bool:
        """Whether the opened places are among these spans, but for blanks between them."""
        text = self._trace.document.text
        for start, end in opened:
            at = start
            for begin, stop in spans:
                if stop > at and begin < end:
                    if text[at : max(at, begin)].strip():
                        return False
                    at = max(at, stop)
            if text[at:end].strip():
                return False
        return True


def _parts(calls: Iterable[Asked]) -> Iterable[Pieces]:
    return (pieces for event in calls for _, texts in event.parts for pieces in texts)
