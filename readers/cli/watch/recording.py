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

from readers.engine.canonical import encodable
from readers.engine.errors import ModelFailed
from readers.engine.models.call import Call, Reply
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.journal import Journal, MemoryTape, Record
from readers.engine.run.desk import Desk
from readers.engine.run.execute import Execution, RunSpec, calls_for, carry_out, create_run
from readers.engine.store import Run, Store
from readers.engine.text.document import Document
from readers.observed import Observed
from readers.observed.calls import ObservedCall, Said
from readers.observed.exact import ExactSources
from readers.observed.reader import Retelling
from readers.observed.script import End, Script, ScriptedCall, pieced, scripted, write_script

READER = Observed()
UNKNOWN_MODEL = "unknown"
ASKED_NOTHING = "the program asked no model"


def spec_for(question: str, choices: Sequence[str] = (), *, model: str = UNKNOWN_MODEL, api_base: str | None = None) -> RunSpec:
    return RunSpec(
        READER.id, READER.version, question, tuple(choices), {"script": ""}, model=model, api_base=api_base, reuse=False
    )


class WatchedReading:
    """One reading as it is recorded. It belongs to the thread of its store."""

    def __init__(self, store: Store, document: Document, spec: RunSpec, *, run: Run | None = None) -> None:
        """Puts the reading on record, under way, unless it is there already as `run`."""
        self._store, self._document, self._spec = store, document, spec
        self.run = run or create_run(store, document, READER, spec)
        store.runs.claim(self.run.id)
        self.calls: list[ObservedCall] = []
        self._scripted: list[ScriptedCall] = []
        self._live: _Live | None = None

    def add(self, calls: Sequence[ObservedCall]) -> None:
        """Record calls that have been answered, or failed."""
        for one in calls:
            if self._spec.model == UNKNOWN_MODEL and one.model:
                self._spec = replace(self._spec, model=one.model)
        live = self._live = self._live or _Live(self._store, self.run.id, self._document, self._spec)
        first = len(self.calls)
        self.calls += [_encodable(one) for one in calls]
        self._scripted += [live.scripted(first + n, one) for n, one in enumerate(self.calls[first:])]
        self._save_script()  # before its calls: a record may lack calls of its script, not the other way round
        for n, one in enumerate(self.calls[first:], first):
            live.tell(one, self._scripted[n])

    def finish(self, answer: str = "", *, reason: str = "", cancelled: bool = False, seconds: float = 0.0) -> Run:
        """Put the reading right, and settle it: with the answer; without one, for a `reason`; or as `cancelled`."""
        if not self.calls:
            reason = reason or ASKED_NOTHING
        ordered = sorted(self.calls, key=lambda one: one.asked)
        script = retold(self._document, self._spec.question, ordered, answer=answer, reason=reason)
        spec = replace(self._spec, options={"script": write_script(replace(script, end=None) if cancelled else script)})
        made = reading_of(self._document, spec, ordered)
        self._store.runs.tape(self.run.id).rewrite(asdict(spec), made.calls, made.tape.lines)
        ended = {**made.ended, "status": "cancelled", "error": None} if cancelled else made.ended
        self._store.runs.settle(self.run.id, **{**ended, "seconds": seconds})
        return self._store.runs.get(self.run.id)

    def _save_script(self) -> None:
        spec = replace(self._spec, options={"script": write_script(Script(tuple(self._scripted)))})
        self._store.runs.set_spec(self.run.id, asdict(spec))


class _Live:
    """The reading so far, told call by call."""

    def __init__(self, store: Store, run: str, document: Document, spec: RunSpec) -> None:
        self._replies: list[ObservedCall] = []
        self._journal = Journal(store.runs.tape(run), reuse=False)
        flight = calls_for(self._journal, spec, Execution(_Replies(self._replies), concurrency=0), lambda: False)
        desk = cast(Any, Desk(self._journal, flight, spec.settings))
        self._retelling = Retelling(document, spec.full_question, desk)
        self._sources = ExactSources(document, spec.question)

    def scripted(self, number: int, call: ObservedCall) -> ScriptedCall:
        made = scripted(call, [tuple(self._sources.find(said.text)) for said in call.messages], self._sources.texts)
        self._sources.add_reply(number, call)
        return made

    def tell(self, call: ObservedCall, scripted: ScriptedCall) -> None:
        self._replies.append(call)
        self._retelling.call(scripted)
        self._journal.flush()


def retold(document: Document, question: str, calls: Sequence[ObservedCall], *, answer: str, reason: str) -> Script:
    """The script of all calls, in the order in which they were asked."""
    sources = ExactSources(document, question)
    made = []
    for number, call in enumerate(calls):
        made.append(scripted(call, [tuple(sources.find(said.text)) for said in call.messages], sources.texts))
        sources.add_reply(number, call)
    found = () if reason else tuple(pieced(answer, tuple(sources.find(answer)), sources.texts))
    return Script(tuple(made), End(found, reason))


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
    how = Execution(_Replies(calls), concurrency=0)
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


class _Replies:
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


def _encodable(call: ObservedCall) -> ObservedCall:
    messages = tuple(Said(one.role, encodable(one.text)) for one in call.messages)
    return replace(call, messages=messages, reply=encodable(call.reply), error=encodable(call.error))
