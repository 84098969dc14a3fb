"""The engine's own time for a call: number, hash, commit, events, without any model.

The limit is a commit that is on the disk. The store's own commits do not wait for the disk (write-ahead log, synchronous NORMAL),
so such a commit would be a tenth of a millisecond of copying, and no limit of anything that a person or a server waits for."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from readers.engine.models.call import Call, Reply
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.store.migrations import open_database
from readers.engine.text.document import Document, Span
from tests.bench.cutting import ROUNDS, long_text
from tests.support.readings.recurrent_reader import Recurrent

CALLS = 400
ON_DISK = Path("/var/tmp")  # a machine's /tmp may be in memory
CHUNK = 4500
MEMORY = "The keeper lit the lamp at four and wrote it in the book. " * 20


class EvenChunks(Recurrent):
    """One call, one look and one writing a chunk; cutting costs nothing, for it is measured elsewhere."""

    def spans(self, document: Document, options: Any) -> list[Span]:
        return [Span(at, at + CHUNK) for at in range(0, CALLS * CHUNK, CHUNK)]


class Instant:
    """Answers at once, as the offline model does."""

    def immediate(self, call: Call) -> bool:
        return True

    def complete(self, call: Call) -> Reply:
        return Reply(f"{MEMORY} {call.seq}", 1000, 200, 0.0, 0)


def own_time() -> tuple[str, str, float, float]:
    document = Document.of(long_text(CALLS * 1500)[: CALLS * CHUNK])
    ours, commits = [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory(dir=ON_DISK) as folder:
            ours.append(_reading(Path(folder), document))
            commits.append(_commits(Path(folder)))
    return "the engine's own time for a call", "one SQLite commit of the call's own rows to disk", min(ours) / min(commits), 1.0


def _reading(folder: Path, document: Document) -> float:
    """Seconds a call."""
    with Store(folder / "a.db") as store:
        run = create_run(store, document, EvenChunks(), RunSpec("recurrent", 1, "Who lit the lamp?"))
        began = time.perf_counter()
        done = execute(store, run.id, EvenChunks(), Execution(Instant(), concurrency=1))
        seconds = time.perf_counter() - began
        assert done.status == "finished", done.error
        return seconds / CALLS


def _commits(folder: Path) -> float:
    """Seconds a commit: the rows of that reading, a call with its five events at a time, put into tables of the same schema."""
    source = open_database(folder / "a.db")
    calls = source.execute("SELECT * FROM calls ORDER BY seq").fetchall()
    events = source.execute("SELECT * FROM events ORDER BY n").fetchall()
    target = open_database(folder / "b.db")
    target.execute("PRAGMA foreign_keys = OFF")
    target.execute("PRAGMA synchronous = FULL")
    places = ", ".join("?" for _ in calls[0])
    began = time.perf_counter()
    for number, call in enumerate(calls):
        target.execute("BEGIN IMMEDIATE")
        target.execute(f"INSERT INTO calls VALUES ({places})", call)
        target.executemany("INSERT INTO events VALUES (?, ?, ?)", events[1 + 5 * number : 6 + 5 * number])
        target.execute("COMMIT")
    seconds = time.perf_counter() - began
    source.close()
    target.close()
    return seconds / CALLS
