"""Where in the text a step is, and how the model saw the text there, by the prompts of the step's own calls. Pure.

*Raw* is what these prompts held (`Trace.raw_at`), while a memory is built, too. A step without a call showed nothing raw: the
place that it opened is where it is, no more. Not here: how much of the text was seen so far (`engine/analysis/coverage.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from readers.engine.record.events import Asked, Looked, Pieces
from readers.engine.record.hint import overlap
from readers.engine.record.trace import BUILD, SCORE_PROMPT, Step, Trace, merge_spans
from readers.engine.text.document import Span

Seen = Literal["raw", "through", "not", "only_written"]


class Focus(NamedTuple):
    """The spans of the text that a step is about, and how the model saw them at it: raw, through what was written of them, or not
    at all. `only_written`: the step is about no span, and its prompts held only what was written of the text."""

    spans: tuple[Span, ...] = ()
    seen: Seen = "not"

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
        While a memory is built, the place that was opened comes first: a prompt may go on beyond it."""
        looked = next((event for event in reversed(self._trace.of(step)) if isinstance(event, Looked)), None)
        opened = merge_spans(looked.spans) if looked else ()
        if raw := self._trace.raw_at[step.number]:
            return Focus(_parted(raw, opened) if step.phase == BUILD else raw, "raw")
        behind = self._behind_prompts(step)
        if looked is None:
            return Focus((), "only_written") if behind else Focus()
        spans = opened or self._behind(looked.pieces)
        return Focus(spans, "through" if overlap(spans, behind) else "not")

    def _behind_prompts(self, step: Step) -> tuple[Span, ...]:
        """The places that what was written in the step's prompts derives from."""
        asked = (event for event in self._trace.of(step) if isinstance(event, Asked) and event.prompt != SCORE_PROMPT)
        texts = (pieces for event in asked for _, parts in event.parts for pieces in parts)
        return merge_spans(span for pieces in texts for span in self._behind(pieces))

    def _behind(self, pieces: Pieces) -> tuple[Span, ...]:
        if pieces not in self._sources:
            self._sources[pieces] = self._trace.sources(pieces)
        return self._sources[pieces]


def _parted(raw: Sequence[Span], opened: Iterable[Span]) -> tuple[Span, ...]:
    """The same spans, with what was opened of them first, and on its own."""
    first = [Span(max(a, start), min(b, end)) for start, end in opened for a, b in raw if a < end and start < b]
    edges = sorted({edge for span in first for edge in span})
    rest: list[Span] = []
    for start, end in raw:
        cuts = pairwise([start, *(edge for edge in edges if start < edge < end), end])
        rest += [span for span in (Span(*cut) for cut in cuts) if not overlap([span], first)]
    return (*first, *rest)
