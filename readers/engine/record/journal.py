"""The record of one run: it recalls and records calls, checks emitted events against the stored ones, and counts spending.

Guarantees (DESIGN section 5): a recorded call with an equal `asked` key returns its recorded reply; with an unequal one it raises
`Diverged`. The stored events must be a prefix of the re-emitted ones. A reply is on disk before anything uses it. Where the
record is kept is up to a `Tape`: the store's, or `MemoryTape` for a trial that leaves nothing behind.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from readers.engine.canonical import canonical
from readers.engine.errors import Diverged
from readers.engine.models.call import LENGTH, Call, Message, Origin, Reply, build_messages, parsed_values, response_format
from readers.engine.models.received import ReadReply, as_read_then, read_reply
from readers.engine.prompts.formats.form import Parsed, Unreadable
from readers.engine.prompts.formats.free_text import Free
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.record import events
from readers.engine.record.edits import Edits
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, Document, Text
from readers.engine.text.phrases import call_number

UNREAD_TEXT = "null"
"""What `Record.parsed` holds for a text that could not be read; None says that all of the reply was."""


@dataclass(frozen=True)
class Record:
    """One row: a call and its result. A failed call has `reply` None and says why in `error`. `thoughts` and `finish` are None if
    there were none or they are unknown; `sampled` is a `Sampled` as JSON, None if no tokens were given. `refused` is why the
    server did not take a schema, where the call asked in words instead. `tokens_cached` and `at_once` are as in `Reply`; what
    later readings take is learnt from them, and no file has them."""

    seq: int
    attempt: int
    asked: str
    identity: str
    prompt: str
    task: str
    shared: bool
    parts: str
    note: str
    sample: int
    origin: Origin
    model: str
    reply: str | None = None
    parsed: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    ms: int = 0
    error: str | None = None
    messages: str | None = None
    thoughts: str | None = None
    finish: str | None = None
    sampled: str | None = None
    refused: str | None = None
    tokens_cached: int | None = None
    at_once: float | None = None


class Tape(Protocol):
    """Storage for the record of one run."""

    def keys(self) -> set[tuple[int, int]]:
        """The (seq, attempt) of every recorded call."""
        ...

    def find(self, seq: int, attempt: int) -> Record | None:
        """The record of one attempt, if there is one."""
        ...

    def find_inherited(self, identity: str) -> Record | None:
        """An answered call of the parent run, by identity."""
        ...

    def find_shared(self, identity: str) -> Record | None:
        """An answered call with a shared prompt from any run, by identity."""
        ...

    def save(self, record: Record | None, prompt: Prompt | None, start: int, new_events: list[str]) -> None:
        """Save a call (replacing one with the same key) and the events from number `start` on, in one transaction."""
        ...

    def events(self) -> list[str]:
        """The stored events, as JSON."""
        ...

    def spent(self) -> Spending:
        """What the run's live calls have cost."""
        ...

    def parent_events(self) -> list[str]:
        """The events of the parent run, as JSON; none without one."""
        ...

    def note_wait(self, wait: Wait | None) -> None:
        """Note which call a run has been waiting for longest, or that it waits for none; for pages that follow the run."""
        ...


class Wait(NamedTuple):
    """A call that has no reply yet, and for how many seconds it has been waiting."""

    seq: int
    seconds: float


@dataclass(frozen=True)
class Spending:
    """What live calls have cost so far, and the seconds that the run waited for them. An unknown price counts as zero here, and
    is displayed as unknown."""

    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    seconds: float = 0.0

    def plus(self, reply: Reply, *, calls: int = 1) -> Spending:
        tokens = (reply.tokens_in or 0) + (reply.tokens_out or 0)
        seconds = self.seconds + reply.ms / 1000 / reply.at_once
        return Spending(self.calls + calls, self.tokens + tokens, self.usd + (reply.cost_usd or 0.0), seconds)


class Journal:
    """Recalls and records during one execution of a run. Single-threaded."""

    def __init__(self, tape: Tape, *, reuse: bool = True, edits: Edits | None = None) -> None:
        """`edits` are the fork's changes to its parent run."""
        self.edits = edits or Edits()
        self.spent = tape.spent()
        self.emitted: list[events.Event] = []
        self._tape = tape
        self._reuse = reuse
        self._stored = tape.events()
        self._recorded = tape.keys()
        self._unsaved: list[str] = []
        self._samples: Counter[str] = Counter()

    def next_sample(self, asked: str) -> int:
        """How many earlier calls of this execution had the same key."""
        self._samples[asked] += 1
        return self._samples[asked] - 1

    def recall(self, call: Call) -> Record | None:
        """The recorded reply to this call; None if there is none yet. Raises Diverged if the record holds a different call."""
        if (call.seq, call.attempt) not in self._recorded:
            return None
        record = self._tape.find(call.seq, call.attempt)
        if record is None:
            return None
        if record.asked != call.asked and record.messages is None:
            raise Diverged(_describe_difference(record, call))
        return record if record.reply is not None else None

    def refusal(self, held: Call, in_words: Call) -> str:
        """Why this call was asked in words, on this record or on the parent's, though it could have been held to a schema; empty
        if it was not."""
        if (held.seq, held.attempt) in self._recorded:
            record = self._tape.find(held.seq, held.attempt)
        else:
            record = self._tape.find_inherited(in_words.identity)
        return (record.refused if record else None) or ""

    def reuse_reply(self, call: Call) -> Record | None:
        """Copy the reply to an identical request from the parent run or, for shared prompts, from any run; None if there is
        none."""
        source = self._tape.find_inherited(call.identity)
        origin: Origin = "edited" if source and source.origin == "edited" else "inherited"
        if source is None and self._reuse and call.prompt.shared:
            origin = "cached"
            source = self._tape.find_shared(call.identity)
        if source is None:
            return None
        if origin == "cached":  # it was read for another reading
            read = read_reply(call, source.reply or "", finish=source.finish or "", thought=bool(source.thoughts))
            source = replace(source, parsed=_values_column(call, source.reply or "", source.finish, parsed=read.parsed))
        record = replace(source, **_call_fields(call), origin=origin, parts=encode_parts(call.parts, task=call.prompt.task), ms=0)
        self._save(record, call.prompt)
        return record

    def read(self, call: Call, record: Record) -> ReadReply:
        """The reply of a recorded call as it was read when it came."""
        reply = record.reply or ""
        read = read_reply(call, reply, finish=record.finish or "", thought=bool(record.thoughts))
        if record.origin == "edited" and record.parsed is None:
            return read
        values = values_on_record(record, is_text=isinstance(call.prompt.reply, Free))
        problem = self._problems.get((record.seq, record.attempt), "") if values is None else ""
        return as_read_then(read, reply, values, problem)

    @cached_property
    def _problems(self) -> dict[tuple[int, int], str]:
        """Why replies were not read, by call and attempt: in this run's events, and before those in its parent's."""
        return misread_in((*self._tape.parent_events(), *self._stored))

    def record(self, call: Call, reply: Reply, parsed: Parsed | Unreadable) -> None:
        """Record a live reply together with its parsed values."""
        counts = call.prompt.task != "score"
        self.spent = self.spent.plus(reply, calls=int(counts))
        self._save(live_record(call, reply, parsed), call.prompt)

    def record_failure(self, call: Call, error: str) -> None:
        """Record a call without a reply; the row is overwritten when the call is made again."""
        self._save(_record_of(call, error=error), call.prompt)

    def emit(self, event: events.Event) -> None:
        """Add an event. If one with this number is stored, they must be equal; otherwise raises Diverged."""
        number = len(self.emitted)
        text = events.to_json(event)
        if number < len(self._stored):
            if self._stored[number] != text:
                raise Diverged(
                    f"event {number} is {text[:120]!r}, but the record has {self._stored[number][:120]!r}: the reader or its "
                    "options have changed; start a new reading"
                )
        else:
            self._unsaved.append(text)
        self.emitted.append(event)

    def emit_ended(self, event: events.Ended) -> None:
        """Add the last event of a run without an answer.

        On replay all replies are there at once, so the budget may run out earlier than it did live. If the stored run ends over
        the same budget further on, adopt its remaining events.
        """
        number = len(self.emitted)
        if event.outcome == "over_budget" and events.to_json(event) in self._stored[number:]:
            self.emitted += [events.from_json(line) for line in self._stored[number:-1]]
        self.emit(event)

    def note_wait(self, wait: Wait | None) -> None:
        """Note which call has been waiting longest."""
        self._tape.note_wait(wait)

    def flush(self) -> None:
        """Save the events emitted so far, so that pages that follow the run can show them."""
        if self._unsaved:
            self._save(None, None)

    def _save(self, record: Record | None, prompt: Prompt | None) -> None:
        start = len(self.emitted) - len(self._unsaved)
        self._tape.save(record, prompt, start, self._unsaved)
        self._unsaved = []


class MemoryTape:
    """A record that is never stored: for estimates and tests. `inherited` are the calls a fork may inherit."""

    def __init__(self, inherited: Iterable[Record] = ()) -> None:
        self.records: dict[tuple[int, int], Record] = {}
        self.lines: list[str] = []
        self.wait: Wait | None = None
        self._inherited = {record.identity: record for record in inherited if record.reply is not None}

    def keys(self) -> set[tuple[int, int]]:
        return set(self.records)

    def find(self, seq: int, attempt: int) -> Record | None:
        return self.records.get((seq, attempt))

    def find_inherited(self, identity: str) -> Record | None:
        return self._inherited.get(identity)

    def find_shared(self, identity: str) -> Record | None:
        return None

    def save(self, record: Record | None, prompt: Prompt | None, start: int, new_events: list[str]) -> None:
        if record:
            self.records[record.seq, record.attempt] = record
        self.lines[start:] = new_events

    def events(self) -> list[str]:
        return list(self.lines)

    def parent_events(self) -> list[str]:
        return []

    def note_wait(self, wait: Wait | None) -> None:
        self.wait = wait

    def spent(self) -> Spending:
        spent = Spending()
        for row in self.records.values():
            if row.origin == "live" and row.reply is not None:
                reply = Reply("", row.tokens_in, row.tokens_out, row.cost_usd, row.ms, at_once=row.at_once or 1.0)
                spent = spent.plus(reply, calls=int(row.task != "score"))
        return spent


def misread_in(told: Iterable[str]) -> dict[tuple[int, int], str]:
    """Why replies could not be read, by call and attempt, in events as JSON."""
    misread = [json.loads(line) for line in told if f'"{events.Misread.kind}"' in line]
    return {(one["seq"], one["attempt"]): one["problem"] for one in misread if one["kind"] == events.Misread.kind}


def encode_parts(parts: tuple[Part, ...], *, task: str = "") -> str:
    """Parts as JSON: a text that is one stretch of the document becomes its [start, end], any other is stored in full.

    Texts that a scorer compares are referenced by the writing they come from, because each look-back compares everything written
    so far.
    """
    return canonical([[part.name, [_encode_text(text, named=task == "score") for text in part.texts]] for part in parts])


def decode_parts(stored: str, document: Document, *, wrote: Mapping[int, events.Wrote] | None = None) -> tuple[Part, ...]:
    """Rebuild the parts that `encode_parts` stored, with the same texts. They keep only the provenance that leads to the
    document.

    A reference to a writing that `wrote` does not contain becomes its name: `[wrote:3]`.
    """
    return tuple(
        Part(name, tuple(_decode_text(text, document, wrote or {}) for text in texts)) for name, texts in json.loads(stored)
    )


def recorded_messages(record: Record, prompt: Prompt, document: Document) -> list[Message]:
    """The messages of a recorded call, exactly as sent; for a scorer, written texts appear by reference."""
    if record.messages is not None:
        return list(json.loads(record.messages))
    return build_messages(prompt, decode_parts(record.parts, document), note=record.note)


def recorded_schema(record: Record, prompt: Prompt, document: Document) -> dict[str, Any] | None:
    """What was sent beside the messages of a recorded call to hold the model to its reply's form; None if nothing was."""
    return response_format(prompt, decode_parts(record.parts, document), record.model) if prompt.schema else None


def _encode_text(text: Text, *, named: bool) -> Any:
    piece = text.pieces[0] if len(text.pieces) == 1 else None
    if piece is None or not piece.exact or len(text) != piece.end - piece.start:
        return text.text
    if piece.origin == DOCUMENT:
        return [piece.begin, piece.stop]
    number = refs.written(piece.origin)
    return {"wrote": [number, piece.begin, piece.stop]} if named and number is not None else text.text


def _decode_text(stored: Any, document: Document, wrote: Mapping[int, events.Wrote]) -> Text:
    if isinstance(stored, dict):
        number, start, end = stored["wrote"]
        return Text(wrote[number].text[start:end] if number in wrote else f"[wrote:{number}]")
    return Text(stored) if isinstance(stored, str) else document.at(stored)


def _call_fields(call: Call) -> dict[str, Any]:
    return {
        "seq": call.seq, "attempt": call.attempt, "asked": call.asked, "sample": call.sample, "note": call.note,
        "refused": call.refused or None,
    }  # fmt: skip


def live_record(call: Call, reply: Reply, parsed: Parsed | Unreadable) -> Record:
    """The row of a live reply with its parsed values."""
    return _record_of(call, reply=reply, parsed=_values_column(call, reply.text, reply.finish, parsed=parsed))


def _values_column(call: Call, reply: str, finish: str | None, *, parsed: Parsed | Unreadable) -> str | None:
    """What `Record.parsed` holds for a reply."""
    values = canonical(parsed_values(parsed)) if isinstance(parsed, Parsed) else None
    if isinstance(call.prompt.reply, Free) and finish != LENGTH:
        return None if values == canonical({"text": reply.strip()}) else values or UNREAD_TEXT
    return values


def values_on_record(record: Record, *, is_text: bool) -> dict[str, str | int] | None:
    """The values that were read of a recorded reply, which `is_text` if it has no form; None if it could not be read."""
    if record.parsed is None and is_text and record.finish != LENGTH:
        return {"text": (record.reply or "").strip()}
    return dict(values) if (values := json.loads(record.parsed or UNREAD_TEXT)) is not None else None


def _record_of(call: Call, *, reply: Reply | None = None, parsed: str | None = None, error: str | None = None) -> Record:
    got = reply or Reply("")
    return Record(
        **_call_fields(call),
        identity=call.identity,
        prompt=call.prompt.hash,
        task=call.prompt.task,
        shared=call.prompt.shared,
        parts=encode_parts(call.parts, task=call.prompt.task),
        origin="live",
        model=call.settings.model,
        reply=got.text if reply else None,
        parsed=parsed,
        tokens_in=got.tokens_in,
        tokens_out=got.tokens_out,
        cost_usd=got.cost_usd,
        ms=got.ms,
        error=error,
        messages=canonical(list(call.edited)) if call.edited else None,
        thoughts=got.thoughts or None,
        finish=got.finish or None,
        sampled=got.sampled.to_json(),
        tokens_cached=got.tokens_cached,
        at_once=got.at_once,
    )


def _describe_difference(record: Record, call: Call) -> str:
    """Which call differs from its record, and in which part first."""
    where = f"{call_number(call.seq)} ({call.prompt.id})"
    todo = "the reader, its prompts or its options have changed since; start a new reading"
    if record.prompt != call.prompt.hash:
        return f"{where} has another prompt or other wording than recorded: {todo}"
    before = dict(json.loads(record.parts))
    for name, texts in json.loads(encode_parts(call.parts, task=record.task)):
        if before.get(name) != texts:
            return f"{where} differs from its record in the part {name!r}: {todo}"
    return f"{where} differs from its record: {todo}"
