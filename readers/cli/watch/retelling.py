"""From the calls of a program to the script of its reading, and from the script to the reading's record. Not here: the store
(`recording.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from readers.engine.errors import ModelFailed
from readers.engine.models.call import Call, Reply
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.journal import MemoryTape, Record
from readers.engine.run.execute import Execution, RunSpec, carry_out
from readers.engine.text import refs
from readers.engine.text.document import Document
from readers.observed import Observed
from readers.observed.call_kinds import call_kinds
from readers.observed.calls import ObservedCall, Said
from readers.observed.memory import memories
from readers.observed.script import End, Script, pieced, scripted
from readers.observed.sources import sources

READER = Observed()


def texts_of(document: Document, spec: RunSpec) -> dict[str, str]:
    """The texts that a program's words may be from before any reply, by ref."""
    offered = {refs.choice(number): text.text for number, text in enumerate(spec.full_question.offered)}
    return {refs.DOCUMENT: document.text, refs.QUESTION: spec.question, **offered}


def retold(document: Document, spec: RunSpec, calls: Sequence[ObservedCall], *, answer: str, reason: str) -> Script:
    """The script of all calls, in the order in which they were asked. The answer is looked at like one more prompt."""
    last = max((one.answered for one in calls), default=0.0)
    all_said = [*calls, ObservedCall(last, last, (Said("user", answer),), "")]
    *found, [pieces] = sources([document.text], spec.question, all_said, choices=spec.choices)
    texts = texts_of(document, spec) | {refs.reply(number): call.reply for number, call in enumerate(calls)}
    kinds, carried = call_kinds(calls, found, answered=not reason), memories(calls, found)
    made = tuple(replace(scripted(call, found[n], texts), does=kinds[n], memory=n in carried) for n, call in enumerate(calls))
    return Script(made, End(() if reason else tuple(pieced(answer, pieces, texts)), reason))


class Retold:
    """A reading that was made again from its script: its record, and how it ended."""

    def __init__(self) -> None:
        self.tape = _TapeWithPrompts()
        self.ended: dict[str, Any] = {}

    @property
    def calls(self) -> list[tuple[Record, Prompt]]:
        return [(record, self.tape.prompts[key]) for key, record in sorted(self.tape.records.items())]

    def settle(self, status: str, **columns: Any) -> None:
        self.ended = {**columns, "status": status}


def reading_of(document: Document, spec: RunSpec, calls: Sequence[ObservedCall]) -> Retold:
    """The reading that a spec with a script and its replies make."""
    made = Retold()
    how = Execution(Replies(calls), concurrency=0)
    carry_out(
        spec,
        READER,
        how,
        document=lambda: document,
        tape=made.tape,
        settle=made.settle,
        cancel_asked=lambda: False,
        reuse=False,
    )
    return made


class _TapeWithPrompts(MemoryTape):
    """A record in memory that keeps the prompts."""

    def __init__(self) -> None:
        super().__init__()
        self.prompts: dict[tuple[int, int], Prompt] = {}

    def save(self, record: Record | None, prompt: Prompt | None, start: int, new_events: list[str]) -> None:
        super().save(record, prompt, start, new_events)
        if record and prompt:
            self.prompts[record.seq, record.attempt] = prompt


class Replies:
    """The model of a recorded program: it replies what was replied then."""

    def __init__(self, calls: Sequence[ObservedCall]) -> None:
        self.calls = calls

    def immediate(self, call: Call) -> bool:
        return True

    def complete(self, call: Call) -> Reply:
        one = self.calls[call.seq]
        if one.error:
            raise ModelFailed(one.error)
        ms = max(0, round(1000 * (one.answered - one.asked)))
        return Reply(one.reply, one.tokens_in, one.tokens_out, ms=ms, finish=one.finish, thoughts=one.thoughts)
