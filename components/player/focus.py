"""Where in the text a step is, and how the model saw the text there, by the prompts of the step's own calls. Pure.

*Raw* is said only of what a prompt held. A step that opens a place and makes no call opens it for the next step that does: what
that step's prompts do not hold was never shown raw. Not here: how much of the text was seen so far
(`engine/analysis/coverage.py`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Literal, NamedTuple

from readers.engine.record.events import Asked, Looked, Pieces
from readers.engine.record.trace import BUILD, SCORE_PROMPT, Step, Trace, merge_spans
from readers.engine.text.document import Span

Seen = Literal["raw", "through", "not", "only_written"]


class Focus(NamedTuple):
    """The spans of the text that a step is about, and how the model saw them at it: raw, through what was written of them, or not
    at all. `only_written`: the step is about no span, and its prompts held only what was written of the text."""

    spans: tuple[Span, ...] = ()
    seen: Seen = "through"

    @property
    def raw(self) -> bool:
        return self.seen == "raw"


class _Prompts:
    """What the prompts of some calls held: places of the text raw, and texts that stand for other places. Computed once."""

    def __init__(self, trace: Trace, calls: Sequence[Asked], behind: Callable[[Pieces], Sequence[Span]]) -> None:
        self._trace, self._calls, self._behind = trace, calls, behind

    def __bool__(self) -> bool:
        return bool(self._calls)

    @cached_property
    def held(self) -> tuple[Span, ...]:
        """The places held raw, in order and apart from each other."""
        return merge_spans(span for event in self._calls for span in self._trace.spans_shown(event.seq))

    @cached_property
    def behind(self) -> tuple[Span, ...]:
        """The places that everything in the prompts derives from, in order and apart from each other."""
        texts = (pieces for event in self._calls for _, parts in event.parts for pieces in parts)
        return merge_spans(span for pieces in texts for span in self._behind(pieces))


class Focuses:
    """The focus of each step of a reading."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._sources: dict[Pieces, tuple[Span, ...]] = {}  # a walk comes to the same place repeatedly

    def of(self, step: Step) -> Focus:
        """What the step's prompts held raw; otherwise the place that was opened last, or what the text opened last represents.
        While a memory is built many calls are made at once: there only the place that was opened counts."""
        looked = next((event for event in reversed(self._events(step)) if isinstance(event, Looked)), None)
        prompts = self._prompts[step.number]
        if prompts.held and step.phase != BUILD:
            return Focus(prompts.held, "raw")
        if looked is None:
            return Focus((), "only_written") if step.phase != BUILD and prompts.behind else Focus()
        opened = merge_spans(looked.spans)
        if not opened:
            return Focus(self._behind(looked.pieces))
        prompts = prompts or self._next_prompts[step.number]
        return Focus(opened, self._seen(opened, prompts) if prompts else "raw")

    def _seen(self, opened: Sequence[Span], prompts: _Prompts) -> Seen:
        if self._covers(prompts.held, opened):
            return "raw"
        return "through" if self._covers(prompts.behind, opened) else "not"

    def _events(self, step: Step) -> Sequence[object]:
        return self._trace.of(step)

    @cached_property
    def _calls(self) -> list[list[Asked]]:
        """The calls of a model by step; what is scored no model reads."""
        asked = ([event for event in self._events(step) if isinstance(event, Asked)] for step in self._trace.steps)
        return [[event for event in calls if event.prompt != SCORE_PROMPT] for calls in asked]

    @cached_property
    def _prompts(self) -> list[_Prompts]:
        """The prompts of each step's own calls."""
        return [_Prompts(self._trace, calls, self._behind) for calls in self._calls]

    @cached_property
    def _next_prompts(self) -> list[_Prompts]:
        """The prompts of the next step that makes any call; while a memory is built, all of them, because what is opened one by
        one is asked about together."""
        steps = self._trace.steps
        building = [event for step in steps if step.phase == BUILD for event in self._calls[step.number]]
        built, next_prompts = (_Prompts(self._trace, calls, self._behind) for calls in (building, ()))
        found: list[_Prompts] = []
        for step in reversed(steps):
            found.append(built if step.phase == BUILD else next_prompts)
            next_prompts = self._prompts[step.number] or next_prompts
        return found[::-1]

    def _behind(self, pieces: Pieces) -> tuple[Span, ...]:
        if pieces not in self._sources:
            self._sources[pieces] = self._trace.sources(pieces)
        return self._sources[pieces]

    def _covers(self, spans: Sequence[Span], opened: Sequence[Span]) -> bool:
        """Whether the opened places are among these spans, which are in order, but for blanks between them."""
        text = self._trace.document.text
        for start, end in opened:
            at = start
            for n in range(bisect_right(spans, start, key=attrgetter("end")), len(spans)):
                begin, stop = spans[n]
                if begin >= end:
                    break
                if text[at : max(at, begin)].strip():
                    return False
                at = max(at, stop)
            if text[at:end].strip():
                return False
        return True
