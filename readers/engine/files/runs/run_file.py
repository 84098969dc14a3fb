"""The run file: one run as self-contained JSON, `"schema": "palimpsest.run/1"`.

`run_file` makes a run file from the store; `read_run_file` reads one for display without a store, and trusts nothing in it.
docs/run_file.md documents the format. Not here: the schema (`run_file_schema.py`), and importing into a store (`import_run.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from readers.engine import APP_VERSION
from readers.engine.analysis.facts.follow import Followed, evidence_of, follow, to_json
from readers.engine.analysis.measures import measures_of
from readers.engine.errors import BadRunFile
from readers.engine.files.runs.content import content_of
from readers.engine.files.runs.run_file_schema import (
    MAX_FILE_BYTES,
    SCHEMA,
    CallPart,
    RunFile,
    Spec,
    check_values,
    pages_in,
    parsed_for_display,
)
from readers.engine.models.call import LENGTH
from readers.engine.prompts.prompt import Prompt
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record import events
from readers.engine.record.journal import Record, recorded_messages, recorded_schema
from readers.engine.record.trace import Trace
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.teaching import stops
from readers.engine.text.document import Document, Span


def run_file(store: Store, run_id: str, reader: Reader, *, known: KnownAnswer | None = None) -> dict[str, Any]:
    """The whole run as JSON data: the document, every call with its messages, the events, the measures and the reader's view.

    `known` is the known answer, if the person who exports the run may see it.
    """
    reading = open_reading(store, run_id)
    facts = evidence_of(known, reading.document) if known else []
    followed, measured = follow(reading, reader, facts, known=known), measures_of(reading, reader, known=known)
    return run_file_of(store, reading, reader, known=known, followed=followed, measured=measured)


def run_file_of(
    store: Store,
    reading: Reading,
    reader: Reader,
    *,
    known: KnownAnswer | None,
    followed: Sequence[Followed],
    measured: Mapping[str, Any],
) -> dict[str, Any]:
    """The same of a reading that was opened and measured, and whose facts were followed."""
    run, document, trace, records = reading
    prompts = store.runs.tape(run.id).prompts()
    return {
        "schema": SCHEMA,
        "app_version": APP_VERSION,
        "run": {
            "id": run.id,
            "content_id": content_of(store, run),
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
        }
        | ({"known_answer": shown_answer(known)} if known else {}),
        "document": {
            "id": document.id,
            "title": document.title,
            "chars": len(document.text),
            "tokens": document.tokens,
            "text": document.text,
            **({"pages": [page._asdict() for page in document.pages]} if document.pages else {}),
        },
        "calls": [shown_call(one, prompts[one.prompt], document) | _held(one, prompts[one.prompt], document) for one in records],
        "events": [json.loads(events.to_json(event)) for event in trace.events],
        "measures": measured,
        "view": reader.view(trace),
        **({"stops": [stops.to_json(one) for one in marked]} if (marked := store.stops.of(run.id)) else {}),
    } | ({"facts": to_json(followed)} if followed else {})


def shown_answer(known: KnownAnswer) -> dict[str, Any]:
    """A known answer as JSON data of the run file."""
    return {
        "answerable": known.answerable,
        "answers": list(known.answers),
        "evidence": [span._asdict() for span in known.evidence],
    }


def shown_call(record: Record, prompt: Prompt, document: Document) -> dict[str, Any]:
    """A call as JSON data of the run file."""
    parsed = json.loads(record.parsed) if record.parsed else None
    free = prompt.reply.to_json()["kind"] == "free" and record.finish != LENGTH  # the used part of a cut reply is recorded
    if record.parsed is None and record.reply is not None and free and record.reply.strip():
        parsed = {"text": record.reply.strip()}
    return {
        "seq": record.seq,
        "attempt": record.attempt,
        "prompt": prompt.id,
        "task": record.task,
        "origin": record.origin,
        "model": record.model,
        "messages": recorded_messages(record, prompt, document),
        "reply": record.reply,
        "parsed": parsed,
        "tokens_in": record.tokens_in,
        "tokens_out": record.tokens_out,
        "cost_usd": record.cost_usd,
        "ms": record.ms,
        "error": record.error,
    } | {name: value for name in ("thoughts", "finish", "refused") if (value := getattr(record, name))}


def _held(record: Record, prompt: Prompt, document: Document) -> dict[str, Any]:
    """The schema that went with the messages of a call, if one did."""
    schema = recorded_schema(record, prompt, document)
    return {"response_format": schema} if schema else {}


def read_run_file(path: Path) -> Reading:
    """Read a run file for display, without a store. Raises BadRunFile for an incomplete or invalid one."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise BadRunFile(f"it is over {MAX_FILE_BYTES // 1_000_000} MB, the maximum")
        data = path.read_bytes()
        check_values(data)
        found = parsed_for_display(data)
    except BadRunFile as error:
        raise BadRunFile(f"{path.name!r} is not shown: {error}") from None
    except OSError as error:
        raise BadRunFile(f"the run file {str(path)!r} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise BadRunFile(f"{path.name!r} is not a run file of {SCHEMA}: at {where}: {first['msg']}") from None
    document = Document(found.document.title, found.document.text, pages_in(found.document))
    try:
        trace = Trace(document, tuple(events.from_dict(event) for event in found.events), found.run.spec.question)
    except ValueError as error:
        raise BadRunFile(f"{path.name!r} has an event that cannot be read: {error}") from None
    _check_spans(path, trace, found)
    return Reading(_run(found, document), document, trace, [record_of(call) for call in found.calls])


def _check_spans(path: Path, trace: Trace, found: RunFile) -> None:
    length = len(trace.document.text)
    spans = [Span(s.start, s.end) for s in found.run.answer_evidence]
    spans += [span for event in trace.events if isinstance(event, events.Cut) for span in event.spans]
    if any(not 0 <= start <= end <= length for start, end in spans):
        raise BadRunFile(f"{path.name!r} has spans outside its text of {length} characters")


def _run(found: RunFile, document: Document) -> Run:
    run = found.run
    return Run(
        run.id,
        document.id,
        run.spec.reader,
        run.spec.question,
        run.spec.model_dump(include=set(Spec.shown)),
        run.status,
        outcome=run.outcome,
        answer=run.answer,
        evidence=tuple(Span(s.start, s.end) for s in run.answer_evidence),
        error=run.error,
        created=run.created,
    )


def record_of(call: CallPart) -> Record:
    """A call as pages and measures need it. A run file does not contain its keys and parts."""
    shown = call.model_dump(exclude={"prompt", "messages", "parsed"})
    return Record(**shown, asked="", identity="", prompt=call.prompt, shared=False, parts="[]", note="", sample=0)
