"""All SQL: documents and readings. The record of one reading is `tape.py`, the tables are `schema.py`.

A `Store` belongs to the thread that opened it; every thread opens its own. It keeps what it is given and decides nothing, except
what the word of the database alone can tell: whether the worker of a running reading is still alive.
"""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal

import psutil
from sqlite_utils import Database

from readers.engine.errors import Busy, NotFound
from readers.engine.store.schema import home, open_database, schema_names, writing
from readers.engine.store.tape import RunTape
from readers.engine.text import Document, Span

Status = Literal["queued", "running", "waiting", "finished", "failed", "cancelled", "interrupted"]
AT_WORK = ("queued", "running", "waiting")
CLOCK_DRIFT = 2.0  # seconds by which a process's start may be told differently after the clock was set


@dataclass(frozen=True)
class Run:
    """One reading as the store knows it. `spec` is JSON data, `created` ISO 8601 in UTC."""

    id: str
    document: str
    reader: str
    question: str
    spec: dict[str, Any]
    status: Status
    outcome: str | None = None
    answer: str | None = None
    evidence: tuple[Span, ...] = ()
    error: str | None = None
    parent: str | None = None
    fork_at: int | None = None
    edit: dict[str, Any] | None = None
    worker: str | None = None
    cancel: bool = False
    created: str = ""
    started: str | None = None
    ended: str | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Shelved:
    """A document as a list shows it: without its text. `tokens` as counted when it was added."""

    id: str
    title: str
    chars: int
    tokens: int
    created: str


class Store:
    def __init__(self, path: Path | None = None) -> None:
        self.path = path or home() / "palimpsest.db"
        self._db: Database = open_database(self.path)

    def close(self) -> None:
        self._db.conn.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def tape(self, run: str) -> RunTape:
        return RunTape(self._db, run, this_worker())

    def schema(self) -> list[str]:
        return schema_names(self._db)

    def check(self) -> str:
        """SQLite's own word on whether the file is sound: 'ok', or the first thing that is wrong."""
        return str(self._db.conn.execute("PRAGMA quick_check(1)").fetchone()[0])

    # Documents

    def add_document(self, document: Document) -> Shelved:
        """Keep a document. The same text twice is one document, under the title it came with first."""
        with writing(self._db):
            row = (document.id, document.title, document.text, len(document.text), document.tokens, _now())
            self._db.conn.execute(
                "INSERT OR IGNORE INTO documents (id, title, text, chars, tokens, created) VALUES (?, ?, ?, ?, ?, ?)", row
            )
        return next(shelved for shelved in self.documents(document.id))

    def document(self, id: str) -> Document:
        row = self._db.conn.execute("SELECT title, text FROM documents WHERE id = ?", (id,)).fetchone()
        if row is None:
            raise NotFound(f"there is no document {id!r}; it may have been deleted")
        return Document(*row)

    def documents(self, id: str | None = None) -> list[Shelved]:
        """Newest first; of one id, if given."""
        where, values = ("WHERE id = ?", (id,)) if id else ("", ())
        sql = f"SELECT id, title, chars, tokens, created FROM documents {where} ORDER BY created DESC, rowid DESC"
        return [Shelved(*row) for row in self._db.conn.execute(sql, values)]

    # Readings

    def add_run(self, run: Run) -> Run:
        """Keep a new reading, under a new id."""
        run = replace(run, id=secrets.token_hex(5), created=_now())
        with writing(self._db):
            self._db.conn.execute(
                """INSERT INTO runs (id, document, reader, question, spec, status, parent, fork_at, edit, worker, created)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (run.id, run.document, run.reader, run.question, json.dumps(run.spec), run.status, run.parent, run.fork_at,
                 json.dumps(run.edit) if run.edit else None, this_worker(), run.created),
            )  # fmt: skip
        return run

    def run(self, id: str) -> Run:
        """One reading, by its id or an unambiguous beginning of it."""
        found = self._runs("WHERE id = ?", (id,)) or self._runs("WHERE substr(id, 1, ?) = ? LIMIT 2", (len(id), id))
        if len(found) != 1 or not id:
            known = "more than one reading begins" if found else "there is no reading that begins"
            raise NotFound(f"{known} with {id!r}; `python -m readers runs` lists them all")
        return found[0]

    def runs(self, limit: int = -1) -> list[Run]:
        """Newest first; `limit` of them, or all."""
        return self._runs("ORDER BY created DESC, rowid DESC LIMIT ?", (limit,))

    def _runs(self, where: str, values: tuple[Any, ...]) -> list[Run]:
        columns = ", ".join(Run.__dataclass_fields__)
        return [_as_run(row) for row in self._db.conn.execute(f"SELECT {columns} FROM runs {where}", values)]

    def queue(self, id: str) -> None:
        """Put a reading (again) among those this process will work on. Raises Busy like `claim`."""
        with writing(self._db):
            self._refuse_busy(id)
            sql = "UPDATE runs SET status = 'queued', worker = ?, cancel = 0, error = NULL, ended = NULL WHERE id = ?"
            self._db.conn.execute(sql, (this_worker(), id))

    def claim(self, id: str) -> None:
        """Take a reading to work on. One that another live process works on raises Busy; a dead worker's can be taken at once."""
        with writing(self._db):
            self._refuse_busy(id)
            self._db.conn.execute(
                "UPDATE runs SET status = 'running', worker = ?, cancel = 0, started = coalesce(started, ?), "
                "error = NULL, outcome = NULL, answer = NULL, evidence = NULL, ended = NULL WHERE id = ?",
                (this_worker(), _now(), id),
            )

    def _refuse_busy(self, id: str) -> None:
        status, worker = self._db.conn.execute("SELECT status, worker FROM runs WHERE id = ?", (id,)).fetchone()
        ours_to_start = status == "queued" and worker == this_worker()
        if status in AT_WORK and not ours_to_start and is_alive(worker or ""):
            raise Busy(
                f"reading {id!r} is being worked on by process {worker.partition(':')[0]}; wait for it, or cancel it first"
            )

    def settle(self, id: str, status: Status, *, seconds: float = 0.0, **columns: Any) -> None:
        """The end of an execution: the status, how long it took, and what goes with it (outcome, answer, evidence, error)."""
        evidence = columns.get("evidence")
        values = {**columns, "status": status, "ended": _now(), "worker": None}
        if evidence is not None:
            values["evidence"] = json.dumps(evidence)
        with writing(self._db):
            names = ", ".join(f"{name} = :{name}" for name in values)
            sql = f"UPDATE runs SET {names}, seconds = coalesce(seconds, 0) + :took WHERE id = :id"
            self._db.conn.execute(sql, {**values, "took": seconds, "id": id})

    def ask_to_cancel(self, id: str) -> None:
        """Leave word for whoever works on this reading to stop; one that nobody works on is cancelled at once."""
        with writing(self._db):
            self._db.conn.execute("UPDATE runs SET cancel = 1 WHERE id = ?", (id,))
            run = self.run(id)
            if run.status in ("queued", "interrupted"):  # a worker that meets its reading cancelled does not begin it
                self._db.conn.execute("UPDATE runs SET status = 'cancelled', worker = NULL, ended = ? WHERE id = ?", (_now(), id))

    def cancel_asked(self, id: str) -> bool:
        row = self._db.conn.execute("SELECT cancel FROM runs WHERE id = ?", (id,)).fetchone()
        return row is None or bool(row[0])


def this_worker() -> str:
    """This process, known by its id and when it started, since ids are used again."""
    return f"{os.getpid()}:{_started(os.getpid())}"


def is_alive(worker: str) -> bool:
    """Whether the process that called itself `worker` still runs."""
    pid, _, started = worker.partition(":")
    try:
        process = psutil.Process(int(pid))
        return bool(abs(process.create_time() - float(started)) < CLOCK_DRIFT and process.status() != psutil.STATUS_ZOMBIE)
    except (psutil.Error, ValueError):
        return False


@cache
def _started(pid: int) -> str:
    return f"{psutil.Process(pid).create_time():.2f}"


def _as_run(row: tuple[Any, ...]) -> Run:
    values = dict(zip(Run.__dataclass_fields__, row, strict=True))
    values["spec"] = json.loads(values["spec"])
    values["edit"] = json.loads(values["edit"]) if values["edit"] else None
    values["evidence"] = tuple(Span(*span) for span in json.loads(values["evidence"] or "[]"))
    values["cancel"] = bool(values["cancel"])
    if values["status"] in AT_WORK and not is_alive(values["worker"] or ""):
        values["status"] = "interrupted"
    return Run(**values)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
