"""A reading of somebody else's program in the store, from its first call to its end.

While the program reads, every call is recorded as it comes, with the copies in its prompt that are found at once. At the end all
is put right, in one transaction: where the characters come from, and how it ended. If this process is killed, what was recorded
stays, and can be exported. Not here: the calls themselves (`protocols.py`), and how a record becomes a reading
(`readers/observed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, cast

from readers.cli.watch.retelling import READER, Replies, reading_of, retold, texts_of
from readers.engine.canonical import encodable
from readers.engine.record.journal import Journal
from readers.engine.run.desk import Desk
from readers.engine.run.execute import Execution, RunSpec, calls_for, create_run
from readers.engine.store import Run, Store
from readers.engine.text import refs
from readers.engine.text.document import Document
from readers.observed.calls import ObservedCall, Said
from readers.observed.reader import Retelling
from readers.observed.script import Script, ScriptedCall, scripted, write_script
from readers.observed.sources import Sources

UNKNOWN_MODEL = "unknown"
SHORTEST = 1e-6  # seconds of a call
ASKED_NOTHING = "the program asked no model"


def spec_for(
    question: str, choices: Sequence[str] = (), *, program: str = "", model: str = UNKNOWN_MODEL, api_base: str | None = None
) -> RunSpec:
    options = {"script": "", "program": program}
    return RunSpec(READER.id, READER.version, question, tuple(choices), options, model=model, api_base=api_base, reuse=False)


class WatchedReading:
    """One reading as it is recorded. It belongs to the thread of its store."""

    def __init__(self, store: Store, document: Document, spec: RunSpec, *, run: Run | None = None, name: str = "") -> None:
        """Puts the reading on record, under way, unless it is there already as `run`. `name` is what a list calls it."""
        self._store, self._document, self._spec = store, document, spec
        self.run = run or create_run(store, document, READER, spec)
        store.runs.claim(self.run.id)
        if name:
            store.run_list.rename(self.run.id, name)
        self.calls: list[ObservedCall] = []
        self._scripted: list[ScriptedCall] = []
        self._live: _Live | None = None
        self._broken = False  # the record could not be written, and waits for the end

    def add(self, calls: Sequence[ObservedCall]) -> None:
        """Record calls that have been answered, or failed. Those that cannot be written now are written at the end."""
        first = len(self.calls)
        self.calls += [_encodable(one) for one in calls]
        if self._spec.model == UNKNOWN_MODEL:
            self._spec = replace(self._spec, model=next((one.model for one in self.calls[first:] if one.model), UNKNOWN_MODEL))
        if self.calls and not self._broken:
            self._broken = True  # unless all of this is recorded
            self._record(first)
            self._broken = False

    def _record(self, first: int) -> None:
        """Record the calls from this number on, as far as it is known now where their words come from."""
        live = self._live = self._live or _Live(self._store, self.run.id, self._document, self._spec)
        self._scripted += [live.scripted(first + n, one) for n, one in enumerate(self.calls[first:])]
        self._save_script()  # before its calls: a record may lack calls of its script, not the other way round
        for n, one in enumerate(self.calls[first:], first):
            live.tell(one, self._scripted[n])

    def finish(self, answer: str = "", *, reason: str = "", cancelled: bool = False) -> Run:
        """Put the reading right, and settle it: with the answer; without one, for a `reason`; or as `cancelled`."""
        if not self.calls:
            reason = reason or ASKED_NOTHING
        ordered = in_order(self.calls)
        script = retold(self._document, self._spec, ordered, answer=answer, reason=reason)
        written = write_script(replace(script, end=None) if cancelled else script)
        spec = replace(self._spec, options={**self._spec.options, "script": written})
        made = reading_of(self._document, spec, ordered)
        self._store.runs.tape(self.run.id).rewrite(asdict(spec), made.calls, made.tape.lines)
        ended = {**made.ended, "status": "cancelled", "error": None} if cancelled else made.ended
        seconds = max((one.answered for one in ordered), default=0.0) - min((one.asked for one in ordered), default=0.0)
        self._store.runs.settle(self.run.id, **{**ended, "seconds": seconds})
        return self._store.runs.get(self.run.id)

    def _save_script(self) -> None:
        written = write_script(Script(tuple(self._scripted)))
        spec = replace(self._spec, options={**self._spec.options, "script": written})
        self._store.runs.set_spec(self.run.id, asdict(spec))


class _Live:
    """The reading so far, told call by call."""

    def __init__(self, store: Store, run: str, document: Document, spec: RunSpec) -> None:
        self._replies: list[ObservedCall] = []
        self._journal = Journal(store.runs.tape(run), reuse=False)
        flight = calls_for(self._journal, spec, Execution(Replies(self._replies), concurrency=0), lambda: False)
        desk = cast(Any, Desk(self._journal, flight, spec.settings))
        self._retelling = Retelling(document, spec.full_question, desk)
        self._sources = Sources(document.text, spec.question, choices=spec.choices)
        self._texts = texts_of(document, spec)

    def scripted(self, number: int, call: ObservedCall) -> ScriptedCall:
        made = scripted(call, self._sources.prompt(number, call.messages), self._texts)
        self._sources.reply(number, call.reply)
        self._texts[refs.reply(number)] = call.reply
        return made

    def tell(self, call: ObservedCall, scripted: ScriptedCall) -> None:
        self._replies.append(call)
        self._retelling.call(scripted)
        self._journal.flush()


def in_order(calls: Sequence[ObservedCall]) -> list[ObservedCall]:
    """Calls by when they were asked, with text that can be stored. Every call takes a while, and of those that were asked at the
    same moment, as records without a clock say, each came after the reply to the one before it."""
    made: list[ObservedCall] = []
    moment = answered = float("-inf")
    for one in sorted(calls, key=lambda one: one.asked):
        asked = answered if one.asked == moment else one.asked
        moment, answered = one.asked, max(one.answered, asked + SHORTEST)
        made.append(replace(_encodable(one), asked=asked, answered=answered))
    return made


def _encodable(call: ObservedCall) -> ObservedCall:
    messages = tuple(Said(one.role, encodable(one.text)) for one in call.messages)
    said: dict[str, Any] = {name: encodable(getattr(call, name)) for name in ("reply", "error", "model", "finish", "thoughts")}
    return replace(call, messages=messages, before=tuple(map(encodable, call.before)), **said)
