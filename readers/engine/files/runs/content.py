"""The content id of a reading: a hash of the text, the reader, and all prompts and replies. The same on every machine.

It covers the text, the question and its choices, the reader and its version, the model and its parameters, the changes of a fork,
every call with its messages and reply, and every event. It leaves out what differs between copies of one reading (its short id,
name, times, costs, and whether replies were live or cached), and the options, whose names may change: the calls show them. So two
readings with the same content id are copies of each other, or the model said the same in both. A reading that is resumed gets
another one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from readers.engine.canonical import canonical, digest
from readers.engine.errors import StoreError
from readers.engine.prompts.prompt import Prompt
from readers.engine.record import events
from readers.engine.record.journal import Record, recorded_messages
from readers.engine.store import Run, Store, open_reading
from readers.engine.text.document import Document

LENGTH = 32  # hexadecimal digits
_SPEC: Mapping[str, Any] = {
    "reader": None, "version": None, "question": "", "choices": [], "model": "", "temperature": 0.0, "top_p": None,
    "sample_base": 0, "prompts": {}, "edits": [],
}  # fmt: skip


def content_of(store: Store, run: Run) -> str:
    """The content id of a run in the store. The id of a finished reading is computed once and stored. Raises NotFound."""
    if run.content:
        return run.content
    reading = open_reading(store, run.id)
    prompts = store.runs.tape(run.id).prompts()
    content = content_id(reading.document, run.spec, reading.records, prompts, map(events.to_json, reading.trace.events))
    if run.status == "finished":
        with suppress(StoreError):  # a full disk or a store that somebody writes to: it is computed again next time
            store.runs.set_content(run.id, content)
    return content


def content_id(
    document: Document,
    spec: Mapping[str, Any],
    records: Iterable[Record],
    prompts: Mapping[str, Prompt],
    told: Iterable[str],
) -> str:
    """The content id of a reading: from its spec, its calls with their prompts by hash, and its events as JSON."""
    about = {name: spec.get(name, default) for name, default in _SPEC.items()}
    about["temperature"] = float(about["temperature"])
    if (form := spec.get("reply_form", "words")) != "words":  # as it was before there was another form
        about["reply_form"] = form
    calls = [
        [
            record.seq, record.attempt, record.model, record.reply, record.thoughts or "", record.error or "",
            digest(canonical(recorded_messages(record, prompts[record.prompt], document))),
        ]
        for record in records
    ]  # fmt: skip
    what = {"document": document.id, "spec": about, "calls": calls, "events": [json.loads(line) for line in told]}
    return digest(canonical(what))[:LENGTH]
