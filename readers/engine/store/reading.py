"""One reading out of the store, whole: what views, forks and analyses work on."""

from __future__ import annotations

from typing import NamedTuple

from readers.engine.record import events
from readers.engine.record.journal import Record
from readers.engine.record.trace import Trace
from readers.engine.store.rows import Run
from readers.engine.store.store import Store
from readers.engine.text.document import Document


class Reading(NamedTuple):
    """A reading as a view needs it."""

    run: Run
    document: Document
    trace: Trace
    records: list[Record]


def open_reading(store: Store, id: str) -> Reading:
    """What the store holds of a reading, finished or not. Raises NotFound."""
    run = store.run(id)
    tape = store.tape(run.id)
    document = store.document(run.document)
    trace = Trace(document, tuple(events.from_json(text) for text in tape.events()))
    return Reading(run, document, trace, tape.records())
