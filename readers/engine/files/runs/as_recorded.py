"""Import a run file as it was recorded, without replaying it: one that an earlier version of its reader made.

Nobody can check that its events follow from its replies, so the run is marked `unchecked` and shown as such. Everything else that
pages and analyses rely on is checked: the form of every event, that it names calls, texts and places that exist, and that this
version of the reader can describe and measure them. Not here: what all imports check (`import_run.py`, `run_file_schema.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError

from readers.engine.analysis import coverage
from readers.engine.analysis.facts.follow import follow
from readers.engine.analysis.hints import hints
from readers.engine.analysis.measures import measures_of
from readers.engine.analysis.narrate import narrate
from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions, BadRunFile
from readers.engine.files.runs.run_file import record_of
from readers.engine.files.runs.run_file_schema import CallPart, RunFile
from readers.engine.prompts.prompt import Prompt, Task
from readers.engine.record import edits, events
from readers.engine.record.events import Event, Pieces
from readers.engine.record.journal import Record
from readers.engine.record.trace import SCORE_PROMPT, Trace
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Run
from readers.engine.text import refs
from readers.engine.text.document import Document, Span

LONGEST_TRIED = 60  # characters of the text that are followed as a trial
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_ROLES = ("system", "user", "assistant")


def as_recorded(file: RunFile, document: Document) -> tuple[tuple[Record, ...], tuple[Prompt, ...], tuple[str, ...]]:
    """The record that a run file states: rows without the keys by which a replay would find them, their prompts, and events.
    Raises BadRunFile for a form that is wrong."""
    calls = sorted(file.calls, key=lambda call: (call.seq, call.attempt))
    prompts = {(call.prompt, call.task): _prompt(call) for call in calls}
    rows = tuple(_row(call, prompts[call.prompt, call.task]) for call in calls)
    told = [_event(number, event) for number, event in enumerate(file.events)]
    check = _ReferenceCheck(document, {call.seq for call in calls})
    for number, event in enumerate(told):
        if problem := check.problem(event, last=number == len(told) - 1):
            raise BadRunFile(f"at events: event {number} {problem}")
    if file.run.status == "finished" and not (told and isinstance(told[-1], (events.Answered, events.Ended))):
        raise BadRunFile("at run.status: it says finished, but its events have no end")
    try:
        edits.Edits.of(file.run.spec.edits)
        if file.run.edit is not None:
            edits.from_json(file.run.edit)
    except BadOptions as error:
        raise BadRunFile(f"at run.spec: {error}") from None
    return rows, tuple(prompts.values()), tuple(map(events.to_json, told))


def check_shown(run: Run, document: Document, reader: Reader, *, records: Sequence[Record], told: Sequence[str]) -> None:
    """Raise BadRunFile unless this version of the reader can describe and measure the record."""
    trace = Trace(document, tuple(map(events.from_json, told)), run.question)
    reading = Reading(run, document, trace, list(records))
    try:
        json.dumps([reader.view(trace), reader.names(trace), narrate(trace, reader), measures_of(reading, reader)])
        coverage.cells(trace)
        hints(reading, reader)
        follow(reading, reader, [Span(0, min(len(document.text), LONGEST_TRIED))])
    except Exception as error:  # its events may say anything
        raise BadRunFile(f"at events: they cannot be shown ({type(error).__name__}: {str(error)[:200]})") from None


def _prompt(call: CallPart) -> Prompt:
    """A prompt with nothing but its name: a file has the messages, not the wording they were made from."""
    return Prompt(id=call.prompt, task=call.task, template="")  # type: ignore[arg-type]


def _row(call: CallPart, prompt: Prompt) -> Record:
    for message in call.messages:
        if set(message) != {"role", "content"} or message["role"] not in _ROLES:
            raise BadRunFile(f"at calls: a message of seq {call.seq}, attempt {call.attempt} is not one that is sent to a model")
    if call.task not in get_args(Task):
        raise BadRunFile(f"at calls: seq {call.seq}, attempt {call.attempt} has an unknown task")
    if not call.messages and call.prompt != SCORE_PROMPT:
        raise BadRunFile(f"at calls: seq {call.seq}, attempt {call.attempt} has no message")
    if not isinstance(call.parsed, (dict, type(None))):
        raise BadRunFile(f"at calls: what was read of the reply to seq {call.seq}, attempt {call.attempt} is not an object")
    parsed = None if call.reply is None else canonical(call.parsed)
    return replace(record_of(call), prompt=prompt.hash, messages=canonical(call.messages), parsed=parsed)


@cache
def _form(kind: str) -> TypeAdapter[Event]:
    return TypeAdapter(events.KINDS[kind])


def _event(number: int, given: dict[str, Any]) -> Event:
    """An event in the form in which the engine writes it, with a value of the right type in every field."""
    try:
        event = events.from_dict(given)
        fields = {name: value for name, value in given.items() if name != "kind"}
        if _form(event.kind).validate_json(json.dumps(fields), strict=True) != event:
            raise ValueError("it has other values than it states")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part)[:60] for part in first["loc"])[:160]
        raise BadRunFile(f"at events: event {number}: at {where}: {first['msg'][:200]}") from None
    except (ValueError, TypeError) as error:
        raise BadRunFile(f"at events: event {number} cannot be read: {str(error)[:200]}") from None
    return event


def _is_scored(among: Sequence[str], because: str) -> bool:
    scores = because.split()
    return len(scores) == len(among) and all(map(_NUMBER.fullmatch, scores))


class _ReferenceCheck:
    """What the events so far have named, and whether the next one names only what there is."""

    def __init__(self, document: Document, calls: set[int]) -> None:
        self._chars = len(document.text)
        self._calls = calls
        self._asked: set[int] = set()
        self._written: list[int] = []
        self._depth = 0

    def problem(self, event: Event, *, last: bool) -> str:
        """What is wrong with the event, as a clause; empty if nothing is."""
        match event:
            case events.Cut(spans) if not self._are_places(spans):
                return "cuts outside the text"
            case events.Asked(seq, _, parts) if seq not in self._calls or seq in self._asked:
                return f"asks call {seq}, which is not in the file, or was asked before"
            case events.Asked(seq, _, parts):
                self._asked.add(seq)
                return "" if all(self._exist(text) for _, texts in parts for text in texts) else "shows what there is not"
            case events.Misread(seq) | events.CutOff(seq) if seq not in self._calls:
                return f"is about call {seq}, which is not in the file"
            case events.Wrote(n, _, text, pieces):
                if n != len(self._written) or not self._exist(pieces, len(text)):
                    return "writes a text out of turn, or made of what there is not"
                self._written.append(len(text))
            case events.Looked(pieces) if not self._exist(pieces):
                return "looks where nothing is"
            case events.Chose(_, picked, among) if not all(map(self._is_named, (picked, *among))):
                return "decides on what there is not"
            case events.Chose("score", _, among, because) if not _is_scored(among, because):
                return "has not a score for each of what it compares"
            case events.StepBegan():
                self._depth += 1
            case events.StepEnded():
                self._depth -= 1
                return "ends a step that has not begun" if self._depth < 0 else ""
            case events.Answered(text, pieces, evidence):
                whole = last and self._exist(pieces, len(text)) and self._are_places(evidence)
                return "" if whole else "answers before the end, or from what there is not"
            case events.Ended() if not last:
                return "ends the reading before its end"
        return ""

    def _are_places(self, spans: Iterable[Span]) -> bool:
        return all(0 <= start <= end <= self._chars for start, end in spans)

    def _exist(self, pieces: Pieces, length: int | None = None) -> bool:
        """Whether every piece lies within a text of this length, and comes from a place that exists."""
        return all(
            0 <= one.start <= one.end
            and (length is None or one.end <= length)
            and 0 <= one.begin <= one.stop
            and self._has(one.origin, one.stop)
            for one in pieces
        )

    def _is_named(self, ref: str) -> bool:
        """Whether what a decision names exists; words that name nothing are allowed."""
        if (span := refs.span(ref)) is not None:
            return self._are_places([Span(*span)])
        return self._has(ref, 0) if refs.written(ref) is not None or refs.replied(ref) is not None else True

    def _has(self, origin: str, stop: int) -> bool:
        if (number := refs.written(origin)) is not None:
            return number < len(self._written) and stop <= self._written[number]
        if (seq := refs.replied(origin)) is not None:
            return seq in self._calls
        return stop <= self._chars if origin == refs.DOCUMENT else refs.kind(origin) in ("question", "choice")
