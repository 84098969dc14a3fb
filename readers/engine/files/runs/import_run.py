"""Import a run file into a store: replay its run with the replies it contains, and require the same result.

A run file lacks what replay, resume and forks need (the keys of the calls and their parts), and could claim anything. So its
reader reads its text again, without asking a model, computing scores or sending anything: every reply comes from the file. Every
call and every event must equal the file's; only then is the run written, in one transaction, under a new id. Any difference
raises BadRunFile, and the store is unchanged.

A file that an earlier version of its reader made cannot be replayed. It is imported as recorded (`as_recorded.py`), marked
`unchecked`: it can be viewed, compared, followed and labelled, but not resumed or forked.

The cost of a replay is bounded: `check_run_file_apart` runs it in a separate process, with limits on time and memory.

It cannot be checked that a model gave these replies, or what they cost. So the run is marked as `taken_in`, and other runs never
reuse its replies. `measures` (except the seconds) and `view` are ignored and computed again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from readers.engine import own_process
from readers.engine.canonical import canonical, encodable
from readers.engine.errors import BadFile, BadOptions, BadRunFile, ModelFailed, NotFound, OverLimit, ReadingError
from readers.engine.files.runs.as_recorded import as_recorded, check_shown
from readers.engine.files.runs.content import content_id
from readers.engine.files.runs.run_file import shown_call
from readers.engine.files.runs.run_file_schema import CallPart, RunFile, pages_in, read_bounded, read_strictly
from readers.engine.ingest import from_paste
from readers.engine.models.call import REPLY_RULES, Call, Reply
from readers.engine.models.received import ReadReply, as_read_then, read_reply
from readers.engine.prompts.prompt import Prompt
from readers.engine.record import edits as kinds
from readers.engine.record import events
from readers.engine.record.edits import Edits
from readers.engine.record.journal import Journal, MemoryTape, Record, misread_in
from readers.engine.record.trace import Trace
from readers.engine.run.calls_in_flight import CallsInFlight, Caps
from readers.engine.run.execute import Execution, RunSpec, calls_for, check_spec, outcome_columns, run_reader
from readers.engine.run.reader import Reader
from readers.engine.store import AT_WORK, Run, Store
from readers.engine.teaching import stops
from readers.engine.teaching.stops import Stop
from readers.engine.text.document import Document, Span
from readers.engine.text.shorten import shorten_middle

OVER = "over_budget"
LONGEST_SHOWN = 60
SMALL = 300_000  # bytes of a file that is checked in this process: it cannot cost much, and a process takes longer to start
_LIMITS = {
    "time": f"replaying it takes over {own_process.SECONDS:.0f} seconds of processor time",
    "wait": f"this machine is too busy: it took over {own_process.LONGEST_WAIT / 60:.0f} minutes; try again later",
    "memory": f"replaying it takes over {own_process.MEMORY // 1_000_000_000} GB of memory",
    "crash": "replaying it breaks the program",
    "start": "this machine starts no further process at the moment; close other programs, and try again",
}
_NOT_IN_FILE = "the file does not have this call"


@dataclass(frozen=True)
class Incoming:
    """A verified run from a run file, ready to be written."""

    run: Run
    document: Document
    records: tuple[Record, ...]
    prompts: tuple[Prompt, ...]
    events: tuple[str, ...]
    stops: tuple[Stop, ...] = ()


def import_run(store: Store, data: bytes | Path, name: str, *, readers: Callable[[str], Reader]) -> Run:
    """Import the run in a run file under a new id. `name` is the file's name in messages; `readers` returns the reader with an
    id, if runs of it can be imported.

    The parent is recorded only if the store has a run with that id and text. A run that was in progress becomes `interrupted`.
    Raises BadRunFile, and then the store is unchanged.
    """
    return save_checked(store, check_run_file_apart(data, name, readers=readers))


def save_checked(store: Store, incoming: Incoming) -> Run:
    """Write a verified run in one transaction."""
    run_id = store.run_list.add_imported(
        incoming.run,
        incoming.document,
        records=incoming.records,
        prompts=incoming.prompts,
        events=incoming.events,
        stops=incoming.stops,
    )
    return store.runs.get(run_id)


def check_run_file_apart(data: bytes | Path, name: str, *, readers: Callable[[str], Reader]) -> Incoming:
    """`check_run_file`, in a separate process unless the file is small. `readers` must be a function of a module."""
    try:
        given = read_bounded(data)
    except BadRunFile as error:
        raise BadRunFile(f"{_shown(name)!r} is not imported: {error}") from None
    if len(given) <= SMALL:
        return check_run_file(given, name, readers=readers)
    try:
        return own_process.run(_check_with, given, name, readers)
    except OverLimit as error:
        raise BadRunFile(f"{_shown(name)!r} is not imported: {_LIMITS[error.limit]}") from None


def _check_with(data: bytes, name: str, readers: Callable[[str], Reader]) -> Incoming:
    return check_run_file(data, name, readers=readers)


def check_run_file(data: bytes | Path, name: str, *, readers: Callable[[str], Reader]) -> Incoming:
    """The verified contents of a run file. Raises BadRunFile; its message begins with the name."""
    try:
        file = read_strictly(data)
        document = _document(file)
        reader, spec = _spec(file, readers)
        checked = _as_recorded if spec.version < reader.version else _replayed
        return _with_content(checked(file, document, reader, spec), file.run.content_id)
    except BadRunFile as error:
        raise BadRunFile(f"{_shown(name)!r} is not imported: {error}") from None
    except ReadingError as error:
        raise BadRunFile(f"{_shown(name)!r} is not imported: its reading cannot be replayed: {error}") from None
    except MemoryError:
        raise
    except Exception as error:  # a reader may fail in any way on an untrusted file
        why = f"its reading fails when it is replayed ({type(error).__name__}: {str(error)[:200]})"
        raise BadRunFile(f"{_shown(name)!r} is not imported: {encodable(why)}") from None


def _shown(name: str) -> str:
    return shorten_middle(" ".join(encodable(re.split(r"[/\\]", name)[-1]).split()), LONGEST_SHOWN)


def _document(file: RunFile) -> Document:
    """The document, which must be in the form that an upload would give it."""
    part = file.document
    document = Document(part.title, part.text, pages_in(part))
    if "\0" in part.title or document.title.strip() != document.title or not document.title:
        raise BadRunFile("at document.title: it is not a title")
    if document.id != part.id:
        raise BadRunFile(f"at document: its id is {part.id[:20]!r}, and its text has the hash {document.id!r}: one was changed")
    try:
        same = from_paste(document.text).document.text == document.text
    except BadFile as error:
        raise BadRunFile(f"at document.text: {error}") from None
    if not same:
        raise BadRunFile("at document.text: it is not in the form of an upload (line ends, control characters, composed letters)")
    if part.chars != len(document.text):
        raise BadRunFile(f"at document.chars: it says {part.chars:,}, and the text has {len(document.text):,} characters")
    return document


def _spec(file: RunFile, readers: Callable[[str], Reader]) -> tuple[Reader, RunSpec]:
    """The reader and its spec. Raises BadRunFile for an unknown reader, a later version, or invalid options."""
    given = file.run.spec
    try:
        reader = readers(given.reader)
    except NotFound as error:
        raise BadRunFile(f"at run.spec.reader: {error}") from None
    if given.version > reader.version:
        raise BadRunFile(
            f"it was made by version {given.version} of {reader.title}, and this is version {reader.version}: update Palimpsest "
            "to import it, or view it with `python -m readers show FILE`"
        )
    spec = RunSpec.from_json({"choices": (), **given.model_dump(exclude_unset=True)})
    if any("\0" in words for words in (spec.question, spec.model, *spec.choices)):
        raise BadRunFile("at run.spec: the question, a choice or the model has a character that no text has (NUL)")
    try:
        if given.version == reader.version:  # an earlier one had other options
            check_spec(reader, spec)
        if file.run.edit is not None:
            kinds.from_json(file.run.edit)
    except BadOptions as error:
        raise BadRunFile(f"at run.spec: {error}") from None
    return reader, spec


def _as_recorded(file: RunFile, document: Document, reader: Reader, spec: RunSpec) -> Incoming:
    records, prompts, told = as_recorded(file, document)
    run = replace(_run(file, document, spec, told), unchecked=True)
    check_shown(run, document, reader, records=records, told=told)
    return Incoming(run, document, records, prompts, told, _stops(file, told, document))


def _replayed(file: RunFile, document: Document, reader: Reader, spec: RunSpec) -> Incoming:
    replay = _Replay(file, document, spec)
    flight = replay.flight = calls_for(
        replay, replace(spec, caps={}), Execution(_RecordedModel(replay), concurrency=1), lambda: False
    )
    try:
        run_reader(replay, flight, document, reader, spec)
        replay.ended = True
    except (_EndOfFile, ModelFailed):
        pass  # the end of an incomplete run
    finally:
        flight.close()
    replay.check_complete()
    if replay.over_budget:
        _check_budget(replay, spec)
    lines = replay.expected + ([canonical(file.events[-1])] if replay.over_budget else [])
    rows = tuple(row for _, row in sorted(replay.tape.records.items()))
    return Incoming(
        _run(file, document, spec, lines),
        document,
        rows,
        tuple(replay.prompts.values()),
        tuple(lines),
        _stops(file, lines, document),
    )


def _with_content(incoming: Incoming, stated: str | None) -> Incoming:
    """The same with its content id, which must match the id in the file, if there is one."""
    prompts = {prompt.hash: prompt for prompt in incoming.prompts}
    run = incoming.run
    content = content_id(incoming.document, run.spec, incoming.records, prompts, incoming.events)
    if stated is not None and run.status != "interrupted" and stated != content:
        raise BadRunFile(f"at run.content_id: it says {stated[:40]!r}, and the reading in the file has {content!r}")
    return replace(incoming, run=replace(run, content=content if run.status == "finished" else None))


def _stops(file: RunFile, lines: Sequence[str], document: Document) -> tuple[Stop, ...]:
    """The notes and stops, at steps that the reading has."""
    steps = len(Trace(document, tuple(map(events.from_json, lines))).steps) if file.stops else 0
    try:
        return stops.all_checked((stops.from_json(one.model_dump()) for one in file.stops), steps)
    except BadOptions as error:
        raise BadRunFile(f"at stops: {error}") from None


def _check_budget(replay: _Replay, spec: RunSpec) -> None:
    """Check that the calls in the file exceed the budget of its spec, with the reason that `Flight` gives."""
    spent = Journal(replay.tape)
    reason = calls_for(spent, spec, Execution(_RecordedModel(replay), concurrency=1), lambda: False).exceeded_budget()
    stated = replay.file.events[-1].get("reason")
    if spec.caps.get("max_minutes") and stated == (late := Caps(**spec.caps).out_of_time):
        reason = late  # a file does not have the time for which calls waited before they were sent
    if replay.ended or stated != reason or not reason:
        raise BadRunFile("at events: it says that the budget was used up, but its calls do not add up to it")


def _run(file: RunFile, document: Document, spec: RunSpec, lines: Sequence[str]) -> Run:
    """The row of the run. Its outcome follows from its events, and the file must state the same."""
    head = file.run
    ended: dict[str, Any] = {"error": head.error}
    if head.status == "finished":
        journal = Journal(MemoryTape())
        journal.emitted = [events.from_json(line) for line in lines[-1:]]
        ended = {"error": None, **outcome_columns(journal.emitted[-1])}
    evidence = tuple(Span(place.start, place.end) for place in head.answer_evidence)
    stated = {"outcome": head.outcome, "answer": head.answer, "evidence": evidence, "error": head.error}
    for column, default in (("outcome", None), ("answer", None), ("evidence", ()), ("error", None)):
        if stated[column] != ended.get(column, default):
            raise BadRunFile(
                f"at run.{'answer_evidence' if column == 'evidence' else column}: it does not follow from the events"
            )
    status = "interrupted" if head.status in AT_WORK else head.status
    error = head.error if status in ("finished", "failed") else None
    return Run(
        "", document.id, spec.reader, spec.question, asdict(spec), status,
        outcome=head.outcome, answer=head.answer, evidence=evidence, error=error,
        parent=head.parent, fork_at=head.fork_at, edit=head.edit, seconds=file.measures.seconds,
    )  # fmt: skip


class _EndOfFile(BaseException):
    """The file has nothing more: the replay stops where the run stopped."""


@dataclass(frozen=True)
class _RecordedModel:
    """The model of a replay, asked only for calls without a reply in the file: it fails, with the file's error if any."""

    replay: _Replay
    has_scores = True

    def immediate(self, call: Call) -> bool:
        return True

    def complete(self, call: Call) -> Reply:
        found = self.replay.unused.get((call.seq, call.attempt))
        raise ModelFailed(found.error if found and found.error else _NOT_IN_FILE)


class _Replay(Journal):
    """A journal that takes its replies from a run file and compares everything with it.

    A run that was stopped may lack replies in the middle, of calls that were in flight. Such a call fails here without being
    recorded, and the replay continues as long as the file has more.
    """

    flight: CallsInFlight

    def __init__(self, file: RunFile, document: Document, spec: RunSpec) -> None:
        self.tape = MemoryTape()
        super().__init__(self.tape, reuse=False, edits=Edits.of(spec.edits))
        self.file = file
        self.finished = file.run.status == "finished"
        self.expected = [canonical(event) for event in file.events]
        last = file.events[-1] if file.events else {}
        self.over_budget = self.finished and last.get("kind") == events.Ended.kind and last.get("outcome") == OVER
        if self.over_budget:
            self.expected.pop()
        self.unused = {(call.seq, call.attempt): call for call in file.calls}
        self.prompts: dict[str, Prompt] = {}
        self.missing: tuple[int, int] | None = None
        self.ended = False
        self._document = document
        self._earlier_rules = spec.reply_rules < REPLY_RULES

    def recall(self, call: Call) -> Record | None:
        """The file's reply, recorded as if it had just arrived."""
        found = self.unused.get((call.seq, call.attempt))
        if found is None or found.reply is None:
            return None
        reply = Reply(
            found.reply, found.tokens_in, found.tokens_out, found.cost_usd, found.ms,
            thoughts=found.thoughts or "", finish=found.finish or "",
        )  # fmt: skip
        read = read_reply(call, found.reply, finish=reply.finish, thought=bool(reply.thoughts))
        if self._earlier_rules and found.origin != "edited":
            read = self._as_stated(read, found)
        self.record(call, reply, read.parsed)
        return self._record_from_file(call, found)

    def _as_stated(self, read: ReadReply, found: CallPart) -> ReadReply:
        """A reply as earlier rules read it. What the file states must stand in the reply; the events have to follow from it."""
        stated, reply = found.parsed, found.reply or ""
        if stated is not None and not all(
            isinstance(v, int) or "".join(v.split()) in "".join(reply.split()) for v in stated.values()
        ):
            return read
        problem = "" if stated is not None else self._problems.get((found.seq, found.attempt), "")
        return as_read_then(read, reply, stated, problem)

    @cached_property
    def _problems(self) -> dict[tuple[int, int], str]:
        return misread_in(self.expected)

    def refusal(self, held: Call, in_words: Call) -> str:
        found = self.unused.get((held.seq, held.attempt))
        return (found.refused if found else None) or ""

    def record_failure(self, call: Call, error: str) -> None:
        self.flight.failures_in_a_row = 0  # consecutive failures are counted by the file's own calls
        found = self.unused.get((call.seq, call.attempt))
        if found:
            super().record_failure(call, error)
            self._record_from_file(call, found)
        elif self.unused or len(self.emitted) < len(self.expected):
            self.missing = self.missing or (call.seq, call.attempt)
        else:
            raise _EndOfFile

    def emit(self, event: events.Event) -> None:
        number = len(self.emitted)
        if number < len(self.expected):
            if events.to_json(event) != self.expected[number]:
                self._refuse(f"at events: event {number} does not follow from the replies in the file")
        elif self.finished and not self.over_budget:
            raise BadRunFile(f"at events: it has {number:,} of them, and the reading has more")
        super().emit(event)

    def check_complete(self) -> None:
        """Check that the replay used everything in the file, and that a finished run reached its end."""
        if self.unused:
            seq, attempt = min(self.unused)
            self._refuse(f"at calls: seq {seq}, attempt {attempt} is not one that the reading makes")
        if len(self.emitted) < len(self.expected):
            self._refuse(f"at events: event {len(self.emitted)} is not one that the reading has")
        if self.finished and not (self.ended or self.over_budget):
            self._refuse("at run.status: it says finished, but the reading is not at its end")

    def _record_from_file(self, call: Call, found: CallPart) -> Record:
        """Record the call as in the file, after comparing every field that can be computed again."""
        key = (call.seq, call.attempt)
        row = self.tape.records[key]
        row = replace(
            row, origin=found.origin, tokens_in=found.tokens_in, tokens_out=found.tokens_out, cost_usd=found.cost_usd,
            ms=found.ms,
        )  # fmt: skip
        for field, value in ({"refused": row.refused} | shown_call(row, call.prompt, self._document)).items():
            is_unparsed_edit = field == "parsed" and found.origin == "edited" and found.parsed is None
            if getattr(found, field) != value and not is_unparsed_edit:
                raise BadRunFile(f"at calls: the {field} of seq {call.seq}, attempt {call.attempt} is not what the reading has")
        self.tape.records[key] = row
        self.prompts[call.prompt.hash] = call.prompt
        del self.unused[key]
        return row

    def _refuse(self, why: str) -> NoReturn:
        """Raises BadRunFile, for the first missing call if there is one, which explains all other differences."""
        if self.missing is not None and self.finished:
            seq, attempt = self.missing
            raise BadRunFile(f"at calls: seq {seq}, attempt {attempt} of the reading is missing")
        raise BadRunFile(why)
