"""A finished reading, done again from its record."""

from __future__ import annotations

from readers.engine.models.model import RefusingModel
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Store


def replayed(store: Store, run: Run, reader: Reader) -> Trace:
    """What a finished run does when only its record replies. Raises if it asks anything else, or emits other events."""
    tape = store.runs.tape(run.id)
    lines = tape.events()
    trace = rehearse(store.documents.of_run(run.id), reader, RunSpec.from_json(run.spec), RefusingModel(), tape=tape)
    assert tape.events() == lines
    assert len(trace.events) == len(lines)
    return trace
