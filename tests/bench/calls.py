"""The engine's own time for a call: number, hash, commit, events, without any model."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readers.engine.calls import Call, Reply
from readers.engine.desk import Desk, Got
from readers.engine.prompts import Prompt
from readers.engine.runs import Execution, RunSpec, begin, execute
from readers.engine.store import Store
from readers.engine.store.schema import open_database
from readers.engine.text import Document, Question, Span, Text
from readers.engine.trace import Trace
from tests.bench.cutting import ROUNDS, long_text

CALLS = 400
CHUNK = 4500
MEMORY = "The keeper lit the lamp at four and wrote it in the book. " * 20

UPDATE = Prompt(
    id="bench.update",
    task="update_memory",
    template="<problem>$question</problem>\n<memory>$memory</memory>\n<section>$section</section>",
)


@dataclass(frozen=True)
class Options:
    """None."""


class Recurrent:
    """Reads chunk by chunk with one memory, as MemAgent does: one call, one look and one writing a chunk."""

    id, title, version, prompts, Options = "recurrent", "Recurrent", 1, (UPDATE,), Options

    def read(self, document: Document, question: Question, desk: Desk, options: Any) -> Text:
        memory = Text("nothing yet")
        spans = (Span(at, at + CHUNK) for at in range(0, CALLS * CHUNK, CHUNK))
        for chunk in desk.cut(document, spans):
            with desk.step(chunk.ref):
                desk.look(chunk)
                got = desk.ask(UPDATE, question=question.asked, memory=memory, section=chunk)
                assert isinstance(got, Got)
                memory = desk.write("memory", got)
        return memory

    def view(self, trace: Trace) -> dict[str, Any]:
        return {}

    def names(self, trace: Trace) -> dict[str, str]:
        return {}


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
        with tempfile.TemporaryDirectory() as folder:
            ours.append(_reading(Path(folder), document))
            commits.append(_commits(Path(folder)))
    return "the engine's own time for a call", "one SQLite commit of the call's own rows", min(ours) / min(commits), 3.0


def _reading(folder: Path, document: Document) -> float:
    """Seconds a call."""
    with Store(folder / "a.db") as store:
        run = begin(store, document, Recurrent(), RunSpec("recurrent", 1, "Who lit the lamp?"))
        began = time.perf_counter()
        done = execute(store, run.id, Recurrent(), Execution(Instant(), width=1))
        seconds = time.perf_counter() - began
        assert done.status == "finished", done.error
        return seconds / CALLS


def _commits(folder: Path) -> float:
    """Seconds a commit: the rows of that reading, a call with its five events at a time, put into tables of the same schema."""
    source = open_database(folder / "a.db").conn
    calls = source.execute("SELECT * FROM calls ORDER BY seq").fetchall()
    events = source.execute("SELECT * FROM events ORDER BY n").fetchall()
    target = open_database(folder / "b.db").conn
    target.execute("PRAGMA foreign_keys = OFF")
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
