"""All SQL: documents and readings. Lists of readings are `shelf.py`, the record of one is `tape.py`, deleting is `deleting.py`,
saved prompt sets are `prompt_sets.py`, the tables `schema.py`.

A `Store` belongs to the thread that opened it; every thread opens its own. It keeps what it is given and decides nothing, except
what the word of the database alone can tell: whether the worker of a running reading is still alive.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import OperationalError
from typing import Any

from sqlite_utils import Database

from readers.engine.canonical import encodable
from readers.engine.errors import Busy, Kept, NotFound
from readers.engine.home import home
from readers.engine.store import delete
from readers.engine.store.family import family
from readers.engine.store.labels import Annotations
from readers.engine.store.migrations import open_database, schema_names, writing
from readers.engine.store.prompt_sets import PromptSet, PromptSets, set_name
from readers.engine.store.question_sets import Questions
from readers.engine.store.rows import Run, Shelved, Status, run_of
from readers.engine.store.run_list import Shelf
from readers.engine.store.run_tape import Copied, RunTape, copy
from readers.engine.store.visits import SEEN, Visits
from readers.engine.store.waiting_calls import Waiting
from readers.engine.store.workers import AT_WORK, is_alive, this_worker
from readers.engine.text.document import Document

LEAST_GIVEN_BACK = 8_000_000  # bytes free inside the file for which it is worth writing the whole of it anew
_SPACE = ("page_count", "freelist_count", "page_size")


class Store:
    """With a `visitor`, what is added is theirs, and lists hold what they may see: theirs and the host's."""

    def __init__(self, path: Path | None = None, *, visitor: str | None = None) -> None:
        self.path = path or home() / "palimpsest.db"
        self._db: Database = open_database(self.path)
        self._visits = Visits(self._db)
        self._prompt_sets = PromptSets(self._db)
        self.waiting = Waiting(self._db, this_worker())
        self._visitor = visitor
        self.shelf = Shelf(self)
        self.annotations = Annotations(self)
        self.questions = Questions(self)

    def close(self) -> None:
        self._db.conn.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def tape(self, run: str, *, parent: str = "") -> RunTape:
        """The record of a reading; with a `parent`, that of a fork which may take over what the parent has asked."""
        return RunTape(self._db, run, this_worker(), parent=parent)

    def schema(self) -> list[str]:
        return schema_names(self._db)

    def check(self) -> str:
        """SQLite's own word on whether the file is sound: 'ok', or the first thing that is wrong."""
        return str(self._db.conn.execute("PRAGMA quick_check(1)").fetchone()[0])

    # Documents

    def add_document(self, document: Document) -> Shelved:
        """Keep a document. The same text twice is one document, under the title it came with first."""
        with writing(self._db):
            self._put_document(document)
        return next(shelved for shelved in self.documents(document.id))

    def _put_document(self, document: Document) -> None:
        """Inside its caller's transaction."""
        row = (document.id, document.title, document.text, len(document.text), document.tokens, _now())
        sql = "INSERT OR IGNORE INTO documents (id, title, text, chars, tokens, created) VALUES (?, ?, ?, ?, ?, ?)"
        added = self._db.conn.execute(sql, row).rowcount
        if added or self._visits.owners(document.id):  # what is the host's stays the host's
            self._own(document.id)

    def _own(self, item: str) -> None:
        """It is the visitor's who opened the store, if one did."""
        if self._visitor:
            self._visits.own(item, self._visitor, this_worker())

    def document(self, id: str) -> Document:
        row = self._db.conn.execute("SELECT title, text FROM documents WHERE id = ?", (id,)).fetchone()
        if row is None:
            raise NotFound(f"there is no document {id!r}; it may have been deleted")
        return Document(*row)

    def documents(self, id: str | None = None) -> list[Shelved]:
        """Newest first; of one id, if given."""
        where, values = self._where("documents", id=id)
        sql = f"SELECT id, title, chars, tokens, created FROM documents {where} ORDER BY created DESC, rowid DESC"
        return [Shelved(*row) for row in self._db.conn.execute(sql, values)]

    def readings_of(self, document: str) -> int:
        """How many readings of a document there are."""
        row = self._db.conn.execute("SELECT count(*) FROM runs WHERE document = ?", (document,)).fetchone()
        return int(row[0])

    def delete_document(self, id: str) -> None:
        """Delete a document with its readings. Raises Busy while one of them is under way, and Kept where one belongs to a
        project; then nothing is deleted."""
        with writing(self._db):
            runs = [run for (run,) in self._db.conn.execute("SELECT id FROM runs WHERE document = ?", (id,))]
            for run in runs:
                with suppress(NotFound):  # a sample that went with its reading
                    delete.delete(self._db, run)
            if not self._db.conn.execute("DELETE FROM documents WHERE id = ?", (id,)).rowcount:
                raise NotFound(f"there is no document {id!r}; it may have been deleted already")
            self._visits.forget(id)
        self._give_space_back()

    # Readings

    def add_run(self, run: Run, *, copied: Copied | None = None) -> Run:
        """Keep a new reading, under a new id; a fork with what it has `copied` of its parent's calls."""
        with writing(self._db):
            run = self._add_run(run)
            if copied and run.parent:
                copy(self._db, run.id, run.parent, copied)
        return run

    def _add_run(self, run: Run) -> Run:
        run = replace(run, id=secrets.token_hex(5), created=_now())
        self._db.conn.execute(
            """INSERT INTO runs (id, document, reader, question, spec, status, parent, fork_at, edit, experiment, name,
            worker, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (run.id, run.document, run.reader, run.question, json.dumps(run.spec), run.status, run.parent, run.fork_at,
             json.dumps(run.edit) if run.edit else None, run.experiment, run.name, this_worker(), run.created),
        )  # fmt: skip
        self._own(run.id)
        return run

    def run(self, id: str) -> Run:
        """One reading, by its id or an unambiguous beginning of it."""
        found = self._runs("WHERE id = ?", (id,)) or self._runs("WHERE substr(id, 1, ?) = ? LIMIT 2", (len(id), id))
        if len(found) != 1 or not id:
            known = "more than one reading begins" if found else "there is no reading that begins"
            raise NotFound(f"{known} with {id!r}; `python -m readers runs` lists them all")
        return found[0]

    def runs(self, limit: int = -1, *, document: str | None = None, samples: bool = False) -> list[Run]:
        """Newest first; `limit` of them, or all; of one document, if given. Samples of experiments only if asked for."""
        where, values = self._where("runs", document=document)
        if not samples:
            where = f"{where} {'AND' if where else 'WHERE'} experiment IS NULL"
        return self._runs(f"{where} ORDER BY created DESC, rowid DESC LIMIT ?", (*values, limit))

    def family(self, id: str) -> list[Run]:
        """A reading, what it was made of, and all forks made of these, in no order."""
        ids = family(self._db, id)
        return self._runs(f"WHERE id IN ({', '.join('?' for _ in ids)})", tuple(ids)) if ids else []

    def delete_run(self, id: str) -> None:
        """Delete a reading with its calls and events, and with the samples of its experiments. Raises Busy while a live process
        works on one of these, or on a fork of one, and Kept where one of them belongs to a project; then nothing is deleted.

        Its replies are shared no more; a fork of it stays what it is.
        """
        with writing(self._db):
            delete.delete(self._db, id)
        self._give_space_back()

    def _where(self, table: str, **equal: str | None) -> tuple[str, tuple[str, ...]]:
        """The rows with these values that whoever opened the store may see."""
        given = {column: value for column, value in equal.items() if value is not None}
        terms = [f"{column} = ?" for column in given] + ([SEEN.format(table=table)] if self._visitor else [])
        seen = (self._visitor,) if self._visitor else ()
        return f"WHERE {' AND '.join(terms)}" if terms else "", (*given.values(), *seen)

    def _runs(self, where: str, values: tuple[Any, ...]) -> list[Run]:
        columns = ", ".join(Run.__dataclass_fields__)
        return [run_of(row) for row in self._db.conn.execute(f"SELECT {columns} FROM runs {where}", values)]

    def beginning(self, document: str, chars: int) -> str:
        """The first characters of a document; empty for one that is not there."""
        row = self._db.conn.execute("SELECT substr(text, 1, ?) FROM documents WHERE id = ?", (chars, document)).fetchone()
        return row[0] if row else ""

    def readings(self) -> dict[str, int]:
        """How many readings there are of each document that has any, without samples of experiments."""
        return dict(self._db.conn.execute("SELECT document, count(*) FROM runs WHERE experiment IS NULL GROUP BY document"))

    def latest(self, document: str) -> tuple[int, str | None]:
        """How many readings of a document there are and when the last one ended: what changes when something new is on record."""
        sql = "SELECT count(*), max(ended) FROM runs WHERE document = ?"
        count, ended = self._db.conn.execute(sql, (document,)).fetchone()
        return int(count), ended

    def pace(self, model: str) -> float | None:
        """The milliseconds that a model's last answered calls took, in the mean; None for a model that was not asked yet."""
        sql = """SELECT avg(ms) FROM (SELECT ms FROM calls WHERE model = ? AND origin = 'live' AND reply IS NOT NULL AND ms > 0
            ORDER BY rowid DESC LIMIT 200)"""
        row = self._db.conn.execute(sql, (model,)).fetchone()
        return None if row[0] is None else float(row[0])

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

    # Prompt sets

    def save_prompts(self, reader: str, name: str, templates: Mapping[str, str]) -> PromptSet:
        """Keep templates by prompt id under a name, over what was there under it. Raises BadOptions for what is no name."""
        kept = PromptSet(reader, set_name(name), {id: encodable(words) for id, words in templates.items()}, _now())
        with writing(self._db):
            self._prompt_sets.save(kept)
        return kept

    def prompt_sets(self, reader: str) -> list[PromptSet]:
        """The saved sets of a reader, by name."""
        return self._prompt_sets.of(reader)

    def delete_prompts(self, reader: str, name: str) -> None:
        """Raises NotFound where there is no such set. Readings that used it keep their prompts."""
        with writing(self._db):
            self._prompt_sets.delete(reader, name)

    # Visitors of a public demo

    def may_see(self, item: str) -> bool:
        """Whether a document or reading is nobody's, or theirs who opened the store. Without a visitor everything is seen."""
        return not self._visitor or self._visits.may_see(item, self._visitor)

    def owned(self) -> set[str]:
        """The documents and readings of the visitor who opened the store."""
        return self._visits.of(self._visitor) if self._visitor else set()

    def leave(self, document: str) -> None:
        """Delete the visitor's readings of a document, and the document itself where nobody else has to do with it. Raises Kept,
        and deletes nothing, where one of them belongs to a project."""
        mine = [run.id for run in self._runs("WHERE document = ?", (document,)) if run.id in self.owned()]
        with writing(self._db):
            for id in mine:
                with suppress(NotFound):  # a sample that went with its reading
                    delete.delete(self._db, id)
            self._leave(document, self._visitor or "")
        self._give_space_back()

    def _leave(self, document: str, visitor: str) -> None:
        self._visits.disown(document, visitor)
        if not self._visits.owners(document) and not self.readings_of(document):
            self._db.conn.execute("DELETE FROM documents WHERE id = ?", (document,))

    def end_visit(self, visitor: str) -> bool:
        """Delete what a visitor made; whether all of it is gone. Readings under way are asked to stop, and stay until they have.

        A document that other visitors brought too, or that the host has read, stays for them. Projects stay, and so do readings
        that belong to one, with their texts: the visitor's still, so that no other visitor sees them.
        """
        self.questions.end_visit(visitor)  # first, so that no batch begins another reading
        kept = self.annotations.kept_of(visitor)
        runs = self._runs("WHERE id IN (SELECT item FROM visits WHERE visitor = ?)", (visitor,))
        busy = [run.id for run in runs]
        for run in runs:
            if run.id not in kept or run.status in AT_WORK:
                self.ask_to_cancel(run.id)
            with suppress(Busy):
                with suppress(NotFound, Kept):  # a sample that went with its reading
                    self.delete_run(run.id)
                busy.remove(run.id)
        if busy:
            return False
        for id in self._visits.of(visitor) - self.annotations.kept_of(visitor):
            with writing(self._db):
                self._leave(id, visitor)
        self._give_space_back()
        return True

    def sweep_visits(self) -> None:
        """Delete what visitors left whose process is dead."""
        for visitor, worker in self._visits.workers().items():
            if not is_alive(worker):
                self.end_visit(visitor)

    def _give_space_back(self) -> None:
        """Make the file smaller where much of it is free and nobody works: this writes the whole of it anew."""
        pages, free, size = (self._db.conn.execute(f"PRAGMA {name}").fetchone()[0] for name in _SPACE)
        if free * size < max(LEAST_GIVEN_BACK, pages * size // 4):
            return
        if any(run.status in AT_WORK for run in self._runs("WHERE status IN (?, ?, ?)", AT_WORK)):
            return
        with suppress(OperationalError):  # somebody writes just now: the free pages will be used again
            self._db.conn.execute("VACUUM")
            self._db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def cancel_asked(self, id: str) -> bool:
        row = self._db.conn.execute("SELECT cancel FROM runs WHERE id = ?", (id,)).fetchone()
        return row is None or bool(row[0])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
