"""The results of the calls of a running batch so far, as events that are not recorded yet. Pure.

The events of a batch are recorded when its last call is answered, which in a long text takes minutes. Until then a page that
follows the reading shows provisional events, made from the replies that are there: the calls, and what a reader will write or
find by them (`Reader.provisional`), in the order in which it will be recorded. The final record replaces them and may differ in
detail: a summary over its limit is cut. Nothing here is stored.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from readers.engine.record.events import Asked, Event, StepBegan, Wrote
from readers.engine.record.journal import UNREAD_TEXT, decode_parts
from readers.engine.record.trace import Trace
from readers.engine.text import refs
from readers.engine.text.document import Document, Span, Text


class Answer(NamedTuple):
    """An answered call: the id of its prompt, and its parts, reply and parsed values as they are recorded."""

    seq: int
    attempt: int
    prompt: str
    parts: str
    reply: str
    parsed: str | None

    def value(self, name: str, *, free: bool = False) -> str:
        """A parsed value; "" if the reply could not be read. `free`: the reply is a text of no form, and all of it is the value
        unless another was recorded."""
        if self.parsed is None:
            return self.reply.strip() if free else ""
        values = {} if self.parsed == UNREAD_TEXT else json.loads(self.parsed)
        return str(values.get(name, ""))

    def asked(self, document: Document) -> Asked:
        parts = tuple((part.name, tuple(text.pieces for text in part.texts)) for part in decode_parts(self.parts, document))
        return Asked(self.seq, self.prompt, parts, self.attempt)

    def spans(self, document: Document, part: str) -> list[Span]:
        """The places of the document in one part of the prompt."""
        found = (one for one in decode_parts(self.parts, document) if one.name == part)
        return [span for one in found for text in one.texts for span in text.spans]


class Answers(NamedTuple):
    """A running reading's trace as recorded, and its answered calls from the `first` that may be unreported on."""

    trace: Trace
    first: int
    all: Sequence[Answer]

    def to(self, prompts: Collection[str]) -> list[Answer]:
        """The readable answers to these prompts in order, up to the first call that is still without one."""
        by_seq = {answer.seq: answer for answer in self.all}  # of several attempts, the last
        found = []
        for seq in range(self.first, max(by_seq, default=-1) + 1):
            answer = by_seq.get(seq)
            if answer is None and seq not in self.trace.asked:
                break
            if answer is not None and answer.prompt in prompts:
                found.append(answer)
        return found

    def written(self, prompts: Collection[str], role: str) -> Iterator[Wrote]:
        """What will be written from the unreported replies to these prompts, which have no form: up to the first unread one."""
        unreported = (answer for answer in self.to(prompts) if answer.seq not in self.trace.asked)
        for n, answer in enumerate(unreported, len(self.trace.wrote)):
            text = answer.value("text", free=True)
            if not text:
                return
            yield Wrote(n, role, text, Text.from_origin(text, refs.reply(answer.seq)).pieces)


def first_unreported(events: Sequence[Event]) -> int:
    """The number of the first call that no event reports, or of the first call of the last step, if that is earlier."""
    asked = {event.seq for event in events if isinstance(event, Asked)}
    began = max((n for n, event in enumerate(events) if isinstance(event, StepBegan)), default=0)
    before = max((event.seq for event in events[:began] if isinstance(event, Asked)), default=-1)
    return min(before + 1, next(seq for seq in range(len(asked) + 1) if seq not in asked))


def with_answers(answers: Answers, told: Iterable[Event]) -> Trace:
    """The trace with the unreported calls and what the reader said about them."""
    trace, _, found = answers
    latest = {answer.seq: answer for answer in found if answer.seq not in trace.asked}
    calls = [answer.asked(trace.document) for _, answer in sorted(latest.items())]
    return replace(trace, events=(*trace.events, *calls, *told)) if calls or told else trace
