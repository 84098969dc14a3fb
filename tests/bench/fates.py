"""What became of the evidence in 500 readings of the samples by every reader: computed the first time, and found the second."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from components.session.samples import samples
from readers import READERS, get
from readers.engine.analysis.facts import saved
from readers.engine.analysis.facts.saved import Wanted
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from tests.readers.test_every_reader import SMALL

READINGS = 500
_COPIES = (
    "INSERT INTO runs SELECT {columns} FROM runs WHERE id = :of",
    "INSERT INTO events SELECT :id, n, body FROM events WHERE run = :of",
)


def followed() -> tuple[str, str, float, float]:
    with _readings() as (store, every):
        before = time.perf_counter()
        assert sum(1 for one in saved.make(store, every, get) if one.fate) == READINGS
        seconds = time.perf_counter() - before
    return f"the evidence followed through {READINGS} readings", "30 seconds", seconds / 30, 1.0


def found() -> tuple[str, str, float, float]:
    with _readings() as (store, every):
        for _ in saved.make(store, every, get):
            pass
        with Store(store.path) as restarted:
            before = time.perf_counter()
            assert len(saved.found(restarted, every)) == READINGS
            seconds = time.perf_counter() - before
    return f"the fates of {READINGS} readings, asked for again", "2 seconds", seconds / 2, 1.0


@contextmanager
def _readings() -> Iterator[tuple[Store, list[Wanted]]]:
    """A store with readings of the first sample by every reader, each copied many times."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "palimpsest.db") as store:
        read = _read(store)
        columns = [name for _, name, *_ in store.connection.execute("PRAGMA table_info(runs)")]
        copied = ", ".join(":id" if name == "id" else name for name in columns)
        every = []
        with store.connection.writing():
            for number in range(READINGS):
                of = read[number % len(read)]
                for sql in _COPIES:
                    store.connection.execute(sql.format(columns=copied), {"id": f"copy{number}", "of": of.run.id})
                every.append(of._replace(run=store.run(f"copy{number}")))
        yield store, every


def _read(store: Store) -> list[Wanted]:
    sample = samples()[0]
    known = next(one for one in sample.questions if one.evidence)
    made = []
    for reader in READERS:
        spec = RunSpec(reader.id, reader.version, known.question, options=SMALL[reader.id])
        run = create_run(store, sample.document, reader, spec)
        execute(store, run.id, reader, Execution(Offline()))
        made.append(Wanted(store.run(run.id), known))
    return made
