"""A whole reading from the store, as views, forks and analyses use it."""

from __future__ import annotations

from typing import NamedTuple

from readers.engine.record import events
from readers.engine.record.journal import Record
from readers.engine.record.trace import Trace
from readers.engine.store.runs.run import Run
from readers.engine.store.store import Store
from readers.engine.text.document import Document


class Reading(NamedTuple):
    """A run with its document, its trace and the records of its calls."""

    run: Run
    document: Document
    trace: Trace
    records: list[Record]


def open_reading(store: Store, run_id: str) -> Reading:
    """A reading, finished or not. Raises NotFound."""
    run = store.run(run_id)
    tape = store.tape(run.id)
    document = store.document_of(run.id)
    with store.connection.decoding():
        trace = Trace(document, tuple(events.from_json(text) for text in tape.events()))
    return Reading(run, document, trace, tape.records())
