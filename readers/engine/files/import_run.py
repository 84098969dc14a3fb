"""A run file taken into a store: the reading in it is done again with the replies that are in it, and must come out the same.

A run file does not hold what replay, resume and forks need (the keys of the calls and their parts), and could claim anything. So
its reader reads its text once more, asks no model, computes no scores and sends nothing: every reply is the file's. Every call
must ask, and every event say, what the file says; only then is it written, all at once, under a new id. A file in which anything
is otherwise is refused with BadRunFile, and nothing has changed.

Not checked, for nothing here could: that a model gave these replies, and what they cost. So the reading is marked as `taken_in`,
and its replies are lent to no other reading of the same text. `measures` and `view` are made anew and not looked at, but for the
seconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from readers.engine.canonical import canonical, encodable
from readers.engine.errors import BadFile, BadOptions, BadRunFile, ModelFailed, NotFound, ReadingError
from readers.engine.files.run_file import shown_call
from readers.engine.files.run_file_schema import CallPart, RunFile, read_strictly
from readers.engine.ingest import from_paste
from readers.engine.models.call import Call, Reply
from readers.engine.prompts.prompt import Prompt
from readers.engine.prompts.reply import Parsed, Unreadable
from readers.engine.record import edits as kinds
from readers.engine.record import events
from readers.engine.record.edits import Edits
from readers.engine.record.journal import Journal, MemoryTape, Record
from readers.engine.run.calls_in_flight import Asking, Flight
from readers.engine.run.execute import Execution, Reader, RunSpec, check, ending, flight_for, read_through
from readers.engine.store import AT_WORK, Run, Store
from readers.engine.text.document import Document, Span

OVER = "over_budget"
LONGEST_SHOWN = 60
_NOT_THERE = "the file does not have this call"


@dataclass(frozen=True)
class Incoming:
    """A reading from a run file that is what it says, ready to be written."""

    run: Run
    document: Document
    records: tuple[Record, ...]
    prompts: tuple[Prompt, ...]
    events: tuple[str, ...]


def take_in(store: Store, data: bytes | Path, name: str, *, readers: Callable[[str], Reader]) -> Run:
    """Keep the reading of a run file under a new id; `name` is what messages call the file, `readers` finds a reader that may be
    taken in by its id.

    Its parent is named only where a reading of that id and text is here. One that was under way is `interrupted`. Raises
    BadRunFile, and then nothing has changed.
    """
    return keep(store, checked(data, name, readers=readers))


def keep(store: Store, incoming: Incoming) -> Run:
    """Write what was checked, in one transaction."""
    id = store.run_list.add_imported(
        incoming.run, incoming.document, records=incoming.records, prompts=incoming.prompts, events=incoming.events
    )
    return store.run(id)


def checked(data: bytes | Path, name: str, *, readers: Callable[[str], Reader]) -> Incoming:
    """What a run file holds, after all of it was checked. Raises BadRunFile, which begins with the name."""
    try:
        file = read_strictly(data)
        document = _document(file)
        reader, spec = _spec(file, readers)
        return _done_again(file, document, reader, spec)
    except BadRunFile as error:
        raise BadRunFile(f"{_shown(name)!r} is not taken in: {error}") from None
    except ReadingError as error:
        raise BadRunFile(f"{_shown(name)!r} is not taken in: its reading cannot be done again: {error}") from None
    except Exception as error:  # whatever a reader makes of a file that nobody vouches for
        why = f"its reading breaks down when it is done again ({type(error).__name__}: {str(error)[:200]})"
        raise BadRunFile(f"{_shown(name)!r} is not taken in: {encodable(why)}") from None


def _shown(name: str) -> str:
    words = " ".join(encodable(re.split(r"[/\\]", name)[-1]).split())
    return words if len(words) <= LONGEST_SHOWN else f"{words[: LONGEST_SHOWN - 20]}…{words[-19:]}"


def _document(file: RunFile) -> Document:
    """The text, which must be one that an upload could have brought."""
    part = file.document
    document = Document(part.title, part.text)
    if "\0" in part.title or document.title.strip() != document.title or not document.title:
        raise BadRunFile("at document.title: it is no title")
    if document.id != part.id:
        raise BadRunFile(f"at document: its id is {part.id[:20]!r}, and its text has the hash {document.id!r}: one was changed")
    try:
        same = from_paste(document.text).document.text == document.text
    except BadFile as error:
        raise BadRunFile(f"at document.text: {error}") from None
    if not same:
        raise BadRunFile(
            "at document.text: it is not as an upload brings a text in (line ends, control characters, composed letters)"
        )
    if part.chars != len(document.text):
        raise BadRunFile(f"at document.chars: it says {part.chars:,}, and the text has {len(document.text):,} characters")
    return document


def _spec(file: RunFile, readers: Callable[[str], Reader]) -> tuple[Reader, RunSpec]:
    """The reader and what it was to do. Refused: an unknown reader, another version, options that do not hold."""
    given = file.run.spec
    try:
        reader = readers(given.reader)
    except NotFound as error:
        raise BadRunFile(f"at run.spec.reader: {error}") from None
    if given.version != reader.version:
        raise BadRunFile(
            f"it was made by version {given.version} of {reader.title}, and here is version {reader.version}, which may read "
            "otherwise; `python -m readers show` tells it without taking it in"
        )
    spec = RunSpec.from_json({"choices": (), **given.model_dump(exclude_unset=True)})
    if any("\0" in words for words in (spec.question, spec.model, *spec.choices)):
        raise BadRunFile("at run.spec: the question, a choice or the model has a character that no text has (NUL)")
    try:
        check(reader, spec)
        if file.run.edit is not None:
            kinds.from_json(file.run.edit)
    except BadOptions as error:
        raise BadRunFile(f"at run.spec: {error}") from None
    return reader, spec


def _done_again(file: RunFile, document: Document, reader: Reader, spec: RunSpec) -> Incoming:
    replay = _Replay(file, document, spec)
    flight = replay.flight = flight_for(replay, replace(spec, caps={}), Execution(_OfTheFile(replay), width=1), lambda: False)
    try:
        read_through(replay, flight, document, reader, spec)
        replay.came_to_an_end = True
    except (_NothingLeft, ModelFailed):
        pass  # as far as the file goes
    finally:
        flight.close()
    replay.check_whole()
    if replay.over_budget:
        _check_budget(replay, spec)
    lines = replay.expected + ([canonical(file.events[-1])] if replay.over_budget else [])
    rows = tuple(row for _, row in sorted(replay.tape.records.items()))
    return Incoming(_run(file, document, spec, lines), document, rows, tuple(replay.prompts.values()), tuple(lines))


def _check_budget(replay: _Replay, spec: RunSpec) -> None:
    """That the calls in the file use up what its spec allows, in the words of `Flight`."""
    spent = Journal(replay.tape)
    reason = flight_for(spent, spec, Execution(_OfTheFile(replay), width=1), lambda: False).over_budget()
    said = replay.file.events[-1].get("reason")
    if replay.came_to_an_end or said != reason or not reason:
        raise BadRunFile("at events: it says that the budget was used up, and its calls do not come to that")


def _run(file: RunFile, document: Document, spec: RunSpec, lines: list[str]) -> Run:
    """The reading's row. How it ended is what its events say, and the file must say the same."""
    head = file.run
    ended: dict[str, Any] = {"error": head.error}
    if head.status == "finished":
        made = Journal(MemoryTape())
        made.emitted = [events.from_json(line) for line in lines[-1:]]
        ended = {"error": None, **ending(made)}
    evidence = tuple(Span(place.start, place.end) for place in head.answer_evidence)
    told = {"outcome": head.outcome, "answer": head.answer, "evidence": evidence, "error": head.error}
    for column, default in (("outcome", None), ("answer", None), ("evidence", ()), ("error", None)):
        if told[column] != ended.get(column, default):
            raise BadRunFile(f"at run.{'answer_evidence' if column == 'evidence' else column}: its events do not come to this")
    status = "interrupted" if head.status in AT_WORK else head.status
    error = head.error if status in ("finished", "failed") else None
    return Run(
        "", document.id, spec.reader, spec.question, asdict(spec), status,
        outcome=head.outcome, answer=head.answer, evidence=evidence, error=error,
        parent=head.parent, fork_at=head.fork_at, edit=head.edit, seconds=file.measures.seconds,
    )  # fmt: skip


class _NothingLeft(BaseException):
    """The file has no more to say: the reading stops here, as it did then."""


@dataclass(frozen=True)
class _OfTheFile:
    """The model of a replay, asked only for what has no reply in the file: it fails, in the file's words where it has some."""

    replay: _Replay
    has_scores = True

    def immediate(self, call: Call) -> bool:
        return True

    def complete(self, call: Call) -> Reply:
        found = self.replay.left.get((call.seq, call.attempt))
        raise ModelFailed(found.error if found and found.error else _NOT_THERE)


class _Replay(Journal):
    """A journal that takes its replies from a run file and holds everything against it.

    A reading that was stopped may lack replies in the middle, which were on their way then: such a call fails here without being
    put on record, and the reading goes on beside it as long as the file has more to say.
    """

    flight: Flight

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
        self.left = {(call.seq, call.attempt): call for call in file.calls}
        self.prompts: dict[str, Prompt] = {}
        self.lacks: tuple[int, int] | None = None
        self.came_to_an_end = False
        self._document = document

    def recall(self, call: Call) -> Record | None:
        """The file's reply, on record as if it had just come."""
        found = self.left.get((call.seq, call.attempt))
        if found is None or found.reply is None:
            return None
        reply = Reply(found.reply, found.tokens_in, found.tokens_out, found.cost_usd, found.ms)
        self.record(call, reply, _understood(call, found.reply))
        return self._keep(call, found)

    def fail(self, call: Call, error: str) -> None:
        self.flight.failures = 0  # how many failed in a row then, the file's own calls say
        found = self.left.get((call.seq, call.attempt))
        if found:
            super().fail(call, error)
            self._keep(call, found)
        elif self.left or len(self.emitted) < len(self.expected):
            self.lacks = self.lacks or (call.seq, call.attempt)
        else:
            raise _NothingLeft

    def emit(self, event: events.Event) -> None:
        number = len(self.emitted)
        if number < len(self.expected):
            if events.to_json(event) != self.expected[number]:
                self._refuse(f"at events: event {number} is not what the replies in the file come to")
        elif self.finished and not self.over_budget:
            raise BadRunFile(f"at events: it has {number:,} of them, and the reading comes to more")
        super().emit(event)

    def check_whole(self) -> None:
        """That nothing is in the file which the reading did not come to, and that a finished one came to its end."""
        if self.left:
            seq, attempt = min(self.left)
            self._refuse(f"at calls: call {seq}, attempt {attempt} is none that the reading makes")
        if len(self.emitted) < len(self.expected):
            self._refuse(f"at events: event {len(self.emitted)} is none that the reading comes to")
        if self.finished and not (self.came_to_an_end or self.over_budget):
            self._refuse("at run.status: it says finished, and the reading is not at its end")

    def _keep(self, call: Call, found: CallPart) -> Record:
        """The row as the file has it, after everything that can be told anew was compared."""
        key = (call.seq, call.attempt)
        row = self.tape.records[key]
        row = replace(
            row, origin=found.origin, tokens_in=found.tokens_in, tokens_out=found.tokens_out, cost_usd=found.cost_usd,
            ms=found.ms,
        )  # fmt: skip
        for field, value in shown_call(row, call.prompt, self._document).items():
            by_hand = field == "parsed" and found.origin == "edited" and found.parsed is None  # a person's reply, as it stands
            if getattr(found, field) != value and not by_hand:
                raise BadRunFile(f"at calls: the {field} of call {call.seq}, attempt {call.attempt} is not what the reading has")
        self.tape.records[key] = row
        self.prompts[call.prompt.hash] = call.prompt
        del self.left[key]
        return row

    def _refuse(self, why: str) -> NoReturn:
        """With the first call that is missing, which explains all the rest."""
        if self.lacks is not None and self.finished:
            seq, attempt = self.lacks
            raise BadRunFile(f"at calls: call {seq}, attempt {attempt} of the reading is missing")
        raise BadRunFile(why)


def _understood(call: Call, reply: str) -> Parsed | Unreadable:
    """A reply as `Flight` reads it, on the last try with less."""
    before = [""] * call.attempt
    return Asking(
        call.seq, call.prompt, call.parts, call.settings, call.asked, call.sample, attempt=call.attempt, problems=before
    ).understood(reply)
