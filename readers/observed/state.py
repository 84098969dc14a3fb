"""What the calls of an observed program were shown and gave, one after the other, for its sentences and its picture. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from readers.engine.analysis.memory_snapshots import MemoryState
from readers.engine.record.events import Asked, Chose, Event, Wrote
from readers.engine.record.journal import Record
from readers.engine.record.trace import Step, merge_spans
from readers.engine.run.bounded_memory import MEMORY, REPLY
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, Span
from readers.observed.script import Place

EXCHANGE = "exchange"


class SeenCall(NamedTuple):
    """A call by its step (from 0). `fresh` places of the text were not in the prompt of the call before, `still` ones were, as
    in a conversation that is sent again; `replies` and `kept` are the same of earlier replies, by the number of their steps."""

    step: int
    does: str
    fresh: tuple[Span, ...] = ()
    still: tuple[Span, ...] = ()
    replies: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    wrote: Wrote | None = None
    failed: str = ""

    @property
    def number(self) -> int:
        """As people count them."""
        return self.step + 1


class ObservedState(MemoryState):
    """The calls, and the memory among their replies, if some act as one."""

    @cached_property
    def calls(self) -> tuple[SeenCall, ...]:
        return tuple(self._calls())

    def names(self) -> dict[str, str]:
        """`reply to call 3`, or of a memory `memory after call 3`."""
        wrote = (one for one in self.calls if one.wrote)
        return {refs.wrote(one.wrote.n): _named(one.wrote, one.number) for one in wrote if one.wrote}

    def measures(self, records: Sequence[Record]) -> Mapping[str, Any]:
        stood = merge_spans(span for call in self.calls for span in call.fresh)
        return {"stood_raw_in_prompts_fraction": _length(stood) / max(1, len(self.trace.document.text))}

    def shown_before(self, call: SeenCall) -> SeenCall | None:
        """The first call before that was shown most of the same places; None if none was."""
        length = _length(call.fresh)
        return next((one for one in self.calls[: call.step] if length and 2 * _overlap(one.fresh, call.fresh) > length), None)

    def _calls(self) -> Iterator[SeenCall]:
        written: dict[int, int] = {}  # the step of each text
        before: Counter[Place] = Counter()
        for step in self.trace.steps:
            events = self.trace.of(step)
            now = Counter(_places(events))
            new, old = now - before, now & before
            before = now
            fresh = _shown(new)
            wrote = next((event for event in events if isinstance(event, Wrote)), None)
            replies, kept = (tuple(dict.fromkeys(written[n] for n in _texts(some) if n in written)) for some in (new, old - new))
            if wrote:
                written[wrote.n] = step.number
            failed = next((one.because for one in events if isinstance(one, Chose) and one.action == "call_failed"), "")
            yield SeenCall(step.number, _does(step), fresh, without(_shown(old), fresh), replies, kept, wrote, failed)


def without(spans: Sequence[Span], others: Sequence[Span]) -> tuple[Span, ...]:
    """What of some spans is in none of the others; both are in order and apart from each other."""
    found = []
    for start, end in spans:
        for begin, stop in (one for one in others if one.start < end and start < one.end):
            found.append(Span(start, max(start, begin)))
            start = min(end, stop)
        found.append(Span(start, end))
    return merge_spans(found)


def _does(step: Step) -> str:
    """What the call of a step is for, as its name has it; empty while the program goes on."""
    return step.names[-1].removeprefix(f"{EXCHANGE} {step.number + 1}").strip() if step.names else ""


def _places(events: Iterable[Event]) -> Iterator[Place]:
    """What stood in the prompts, by where it is from."""
    for event in events:
        for _, texts in event.parts if isinstance(event, Asked) else ():
            yield from (piece[2:] for pieces in texts for piece in pieces)


def _shown(places: Iterable[Place]) -> tuple[Span, ...]:
    return merge_spans(Span(begin, stop) for origin, begin, stop in places if origin == DOCUMENT)


def _texts(places: Iterable[Place]) -> Iterator[int]:
    """The numbers of the texts that they are in, in order."""
    return (number for origin, _, _ in places if (number := refs.written(origin)) is not None)


def _named(wrote: Wrote, number: int) -> str:
    return f"{MEMORY} after call {number}" if wrote.role == MEMORY else f"{REPLY} to call {number}"


def _length(spans: Iterable[Span]) -> int:
    return sum(end - start for start, end in spans)


def _overlap(some: Sequence[Span], others: Sequence[Span]) -> int:
    return _length(some) - _length(without(some, others))
