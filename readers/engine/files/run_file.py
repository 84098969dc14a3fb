"""The run file: one reading as JSON that stands alone, `"schema": "palimpsest.run/1"`.

`run_file` makes one from the store; `read_run_file` gives back what a view needs without any store, and trusts nothing in it. The
format is documented in the README. Not here: bringing a run file into a store, and the other formats.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from readers.engine.analysis.measures import measures
from readers.engine.errors import BadRunFile
from readers.engine.prompts.prompt import Prompt
from readers.engine.record import events
from readers.engine.record.journal import Record, rebuilt
from readers.engine.record.trace import Trace
from readers.engine.run.execute import Reader
from readers.engine.store import Run, Status, Store
from readers.engine.store.reading import Reading, open_reading
from readers.engine.text.document import Document, Span

SCHEMA = "palimpsest.run/1"
APP_VERSION = "0.1.0"
MAX_FILE_BYTES = 200_000_000


def run_file(store: Store, id: str, reader: Reader) -> dict[str, Any]:
    """The whole reading as JSON data: the document, every call with its messages, the events, the measures and the reader's
    view."""
    run, document, trace, records = open_reading(store, id)
    prompts = store.tape(run.id).prompts()
    return {
        "schema": SCHEMA,
        "app_version": APP_VERSION,
        "run": {
            "id": run.id,
            "parent": run.parent,
            "fork_at": run.fork_at,
            "edit": run.edit,
            "status": run.status,
            "outcome": run.outcome,
            "answer": run.answer,
            "answer_evidence": [span._asdict() for span in run.evidence],
            "error": run.error,
            "created": run.created,
            "spec": run.spec,
        },
        "document": {
            "id": document.id,
            "title": document.title,
            "chars": len(document.text),
            "tokens": document.tokens,
            "text": document.text,
        },
        "calls": [shown_call(record, prompts[record.prompt], document) for record in records],
        "events": [json.loads(events.to_json(event)) for event in trace.events],
        "measures": measures(trace, records, seconds=run.seconds),
        "view": reader.view(trace),
    }


def shown_call(record: Record, prompt: Prompt, document: Document) -> dict[str, Any]:
    """A call as the run file has it."""
    parsed = json.loads(record.parsed) if record.parsed else None
    if parsed is None and record.reply is not None and prompt.reply.to_json()["kind"] == "free" and record.reply.strip():
        parsed = {"text": record.reply.strip()}
    return {
        "seq": record.seq,
        "attempt": record.attempt,
        "prompt": prompt.id,
        "task": record.task,
        "origin": record.origin,
        "model": record.model,
        "messages": rebuilt(record, prompt, document),
        "reply": record.reply,
        "parsed": parsed,
        "tokens_in": record.tokens_in,
        "tokens_out": record.tokens_out,
        "cost_usd": record.cost_usd,
        "ms": record.ms,
        "error": record.error,
    }


class _Loose(BaseModel):
    """Outsiders' data: what is not named is let pass, what is named must be of its kind."""

    model_config = ConfigDict(extra="ignore", strict=True)


class _SpanIn(_Loose):
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class _SpecIn(_Loose):
    reader: str
    version: int
    question: str
    model: str


class _RunIn(_Loose):
    id: str
    status: Status
    outcome: str | None = None
    answer: str | None = None
    answer_evidence: list[_SpanIn] = []
    error: str | None = None
    created: str = ""
    spec: _SpecIn


class _DocumentIn(_Loose):
    title: str
    text: str


class _CallIn(_Loose):
    seq: int
    attempt: int
    prompt: str
    task: str
    origin: Literal["live", "cached", "replayed", "inherited", "edited"]
    model: str
    reply: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    ms: int = 0
    error: str | None = None


class _FileIn(_Loose):
    schema_: Literal["palimpsest.run/1"] = Field(alias="schema")
    run: _RunIn
    document: _DocumentIn
    calls: list[_CallIn] = []
    events: list[dict[str, Any]]


def read_run_file(path: Path) -> Reading:
    """A reading from a run file, without a store. Raises BadRunFile for anything that is not a whole one."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise BadRunFile(f"the run file {path.name!r} is over {MAX_FILE_BYTES // 1_000_000} MB, the most that is read")
        found = _FileIn.model_validate_json(path.read_bytes())
    except OSError as error:
        raise BadRunFile(f"the run file {str(path)!r} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise BadRunFile(f"{path.name!r} is no run file of {SCHEMA}: at {where}: {first['msg']}") from None
    document = Document(found.document.title, found.document.text)
    try:
        trace = Trace(document, tuple(events.from_dict(event) for event in found.events))
    except ValueError as error:
        raise BadRunFile(f"{path.name!r} has an event that cannot be read: {error}") from None
    _check_spans(path, trace, found)
    return Reading(_run(found, document), document, trace, [_record(call) for call in found.calls])


def _check_spans(path: Path, trace: Trace, found: _FileIn) -> None:
    length = len(trace.document.text)
    spans = [Span(s.start, s.end) for s in found.run.answer_evidence]
    spans += [span for event in trace.events if isinstance(event, events.Cut) for span in event.spans]
    if any(not 0 <= start <= end <= length for start, end in spans):
        raise BadRunFile(f"{path.name!r} names places that lie outside its text of {length} characters")


def _run(found: _FileIn, document: Document) -> Run:
    run = found.run
    return Run(
        run.id,
        document.id,
        run.spec.reader,
        run.spec.question,
        run.spec.model_dump(),
        run.status,
        outcome=run.outcome,
        answer=run.answer,
        evidence=tuple(Span(s.start, s.end) for s in run.answer_evidence),
        error=run.error,
        created=run.created,
    )


def _record(call: _CallIn) -> Record:
    """A call as the measures need it. Its keys and parts are not in a run file."""
    shown = call.model_dump(exclude={"prompt"})
    return Record(**shown, asked="", identity="", prompt=call.prompt, shared=False, parts="[]", note="", sample=0)
