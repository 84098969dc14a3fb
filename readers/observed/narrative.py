"""The sentences about the calls of an observed program: what of the text stood in a prompt, which earlier replies, and what the
model replied. They tell what was found by comparing texts, and nothing of why the program asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal

from readers.engine.record.events import Answered
from readers.engine.record.narrative import ActionDisplay, Narrative, StepRecord
from readers.engine.run.bounded_memory import MEMORY, REPLY
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.phrases import counted, listed, listed_by_number, percent
from readers.engine.text.shorten import shorten_at_word
from readers.observed.state import EXCHANGE, ObservedState, SeenCall

Action = Literal["call_failed", "did_besides"]
EXCERPT = 120  # characters of a reply
NEAR = 40  # characters between places that are told as one
MOST_NAMED = 4  # replies
FOUND = "Its replies act as a memory from here on: each takes the place of the one before. That was found, it is not known."


class ObservedNarrative(Narrative):
    actions: ClassVar[Mapping[str, ActionDisplay]] = {
        "call_failed": ActionDisplay(note="No reply", reasoned=False, mark="warn"),
        "did_besides": ActionDisplay(note="Besides", reasoned=False),
    }
    phases: ClassVar[Mapping[str, str]] = {EXCHANGE: "Calls"}
    roles_in_decisions = (REPLY,)

    def step(self, name: str) -> str:
        """`call 3, reads again`."""
        exchange, number, *does = name.split(" ", 2)
        return ", ".join([f"call {number}", *does]) if exchange == EXCHANGE else name

    def read(self, record: StepRecord) -> str:
        state = ObservedState.of(record.trace)
        return _read(state.calls[record.step.number], state)

    def sentences(self, record: StepRecord) -> Iterator[str]:
        state = ObservedState.of(record.trace)
        call = state.calls[record.step.number]
        for decision in record.decisions_of("did_besides"):
            yield f"Before that, it {decision.picked[:1].lower()}{decision.picked[1:].rstrip('.')}."
        if call.failed:
            yield f"It got no reply: {call.failed.rstrip('.')}."
        elif not call.wrote:
            yield f"{_read(call, state)} and got an empty reply."
        elif call.wrote.role == MEMORY:
            if state.snapshots[0].step == call.step:
                yield FOUND
        elif any(isinstance(event, Answered) for event in record.events):
            yield f"{_read(call, state)}."
        else:
            yield f"{_read(call, state)} and got “{shorten_at_word(' '.join(call.wrote.text.split()), EXCERPT)}”."


def _read(call: SeenCall, state: ObservedState) -> str:
    """What stood in the prompt that did not stand in the one before."""
    places = _places(call.fresh, len(state.trace.document.text))
    earlier = state.shown_before(call) if call.does == "reads again" else None
    if call.does == "tool":
        return f"It went on from a tool’s result{f' that shows {places}' if places else ''}"
    if places:
        return f"It read {places}{f' again (as call {earlier.number} had)' if earlier else ''}"
    if call.replies:
        return f"It went on from {_replies(call.replies, state)}"
    return "It went on" if call.still or call.kept else "It asked in words of its own"


def _replies(steps: Sequence[int], state: ObservedState) -> str:
    names = state.names()
    wrote = [state.calls[step].wrote for step in steps]
    called = [names[refs.wrote(one.n)].replace(f"{REPLY} to call", REPLY) for one in wrote if one]
    if len(called) == 1 and called[0].startswith(MEMORY):
        return f"the {called[0]}"
    return listed(called, most=MOST_NAMED) if len(called) > MOST_NAMED else listed_by_number(called, REPLY)


def _places(spans: Sequence[Span], length: int) -> str:
    """Where places are, in percent of the text; empty for none. Places with next to nothing between them are one."""
    near: list[Span] = []
    for start, end in spans:
        if near and start - near[-1].end <= NEAR:
            near[-1] = Span(near[-1].start, end)
        else:
            near.append(Span(start, end))
    if not near:
        return ""
    share = percent(sum(end - start for start, end in near) / length)
    if len(near) > 1:
        return f"{counted(len(near), 'place')} of the text ({share})"
    start, end = (round(100 * at / length) for at in near[0])
    if start == 0:
        return "the whole text" if end == 100 else f"the first {max(1, end)}% of the text"
    return f"{start}% to {end}% of the text" if end > start else f"a place at {start}% of the text"
