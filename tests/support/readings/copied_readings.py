"""Very many readings without reading so often: one of the first sample by every reader, copied row by row in the store."""

from __future__ import annotations

from typing import NamedTuple

from components.session.samples import samples
from readers import READERS
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from tests.support.readings.every_reading import SMALL


class Copied(NamedTuple):
    """The readings, and what is known of their question."""

    runs: tuple[str, ...]
    known: KnownAnswer


def copied(store: Store, count: int) -> Copied:
    """So many readings, by all readers in turn, each with its own events and calls."""
    sample = samples()[0]
    known = next(one for one in sample.questions if one.evidence)
    read = []
    for reader in READERS:
        spec = RunSpec(reader.id, reader.version, known.question, options=SMALL[reader.id])
        run = create_run(store, sample.document, reader, spec)
        execute(store, run.id, reader, Execution(Offline()))
        read.append(run.id)
    copies = {f"copy{number}": read[number % len(read)] for number in range(count)}
    with store.connection.writing():
        for table, own in (("runs", "id"), ("events", "run"), ("calls", "run")):
            columns = [name for _, name, *_ in store.connection.execute(f"PRAGMA table_info({table})")]
            given = ", ".join(":copy" if name == own else name for name in columns)
            sql = f"INSERT INTO {table} ({', '.join(columns)}) SELECT {given} FROM {table} WHERE {own} = :of"
            for copy, of in copies.items():
                store.connection.execute(sql, {"copy": copy, "of": of})
    return Copied(tuple(copies), known)
