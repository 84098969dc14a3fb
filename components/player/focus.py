"""Where in the text a step is, and how the model saw the text there, by the prompts of the step's own calls. Pure.

*Raw* is what these prompts held (`Trace.raw_at`), while a memory is built, too. A step without a call showed nothing raw: of the
place that it opened there is what was written of it so far, unless the memory is being built from what an earlier call was
shown of it raw. Not here: how much of the text was seen so far
(`engine/analysis/coverage.py`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise, takewhile
from typing import Literal, NamedTuple

from readers.engine.analysis.coverage import own_sources
from readers.engine.record.events import Asked, Looked, Wrote
from readers.engine.record.hint import overlap
from readers.engine.record.trace import BUILD, SCORE_PROMPT, Step, Trace, merge_spans
from readers.engine.text.document import Span

Seen = Literal["raw", "through", "not", "only_written"]


class Focus(NamedTuple):
    """The spans of the text that a step is about, and how the model saw them at it: raw, through what was written of them, or not
    at all. `only_written`: the step is about no span, and its prompts held only what was written of the text. `opened`: what was
    opened of the spans, where a prompt that built a memory went on beyond it."""

    spans: tuple[Span, ...] = ()
    seen: Seen = "not"
    opened: tuple[Span, ...] = ()

    @property
    def raw(self) -> bool:
        return self.seen == "raw"


class Focuses:
    """The focus of each step of a reading."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def of(self, step: Step) -> Focus:
        """What the step's prompts held raw; otherwise the place that was opened last, or what the text opened last represents.
        While a memory is built, the place that was opened comes first: a prompt may go on beyond it."""
        looked = next((event for event in reversed(self._trace.of(step)) if isinstance(event, Looked)), None)
        opened = merge_spans(looked.spans) if looked else ()
        if raw := self._trace.raw_at[step.number]:
            first = _opened_of(raw, opened) if step.phase == BUILD else ()
            return Focus(_parted(raw, first), "raw", first)
        behind = self._trace.through_at[step.number]
        if looked is None:
            return Focus((), "only_written") if behind else Focus()
        spans = opened or self._trace.sources(looked.pieces)
        stood_for = overlap(spans, behind) or self._is_stood_for(spans, step)
        return Focus(spans, "through" if stood_for else "not")

    def _is_stood_for(self, spans: Sequence[Span], step: Step) -> bool:
        """Whether something was written of these places by a step that has no call: that is what there is of them, unless a step
        that built the same memory was shown them raw."""
        if any(isinstance(event, Asked) and event.prompt != SCORE_PROMPT for event in self._trace.of(step)):
            return False
        if step.phase == BUILD and any(overlap(spans, raw) for raw in self._raw_while_building(step)):
            return False
        starts, written = self._written
        for start, end in spans:
            near = written[bisect_left(starts, start) : bisect_left(starts, end)]
            if any(at <= step.number for _, _, at in near):
                return True
        return any(at <= step.number and overlap(spans, [Span(start, end)]) for start, end, at in written)

    def _raw_while_building(self, step: Step) -> Iterator[tuple[Span, ...]]:
        """What the steps just before it, as long as they built the memory too, were shown raw."""
        before = reversed(self._trace.steps[: step.number])
        return (self._trace.raw_at[one.number] for one in takewhile(lambda one: one.phase == BUILD, before))

    @cached_property
    def _written(self) -> tuple[list[int], list[tuple[int, int, int]]]:
        """The places that texts were made of, in order, each with the first step that wrote of it; and where they begin."""
        first: dict[Span, int] = {}
        for step, event in self._trace.by_step():
            if isinstance(event, Wrote):
                for span in own_sources(self._trace, event.pieces):
                    first.setdefault(span, step.number)
        found = sorted((*span, step) for span, step in first.items())
        return [start for start, _, _ in found], found


def _opened_of(raw: Iterable[Span], opened: Iterable[Span]) -> tuple[Span, ...]:
    return tuple(Span(max(a, start), min(b, end)) for start, end in opened for a, b in raw if a < end and start < b)


def _parted(raw: Sequence[Span], first: Sequence[Span]) -> tuple[Span, ...]:
    """The same spans, with what was opened of them first, and on its own."""
    edges = sorted({edge for span in first for edge in span})
    rest: list[Span] = []
    for start, end in raw:
        cuts = pairwise([start, *(edge for edge in edges if start < edge < end), end])
        rest += [span for span in (Span(*cut) for cut in cuts) if not overlap([span], first)]
    return (*first, *rest)
