"""The store: the database of one thread, and its tables.

Runs and documents are the store's own; every other group of tables is an attribute. The store keeps what it is given and decides
nothing, except what the database alone can tell: whether a run has ended, and whether the process that works on it is still
alive. Every thread opens its own store.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from readers.engine.errors import AlreadyFinished, Busy, NotFound
from readers.engine.home import home
from readers.engine.store import delete
from readers.engine.store.batches import Batches
from readers.engine.store.database.connection import Connection, now
from readers.engine.store.database.migrations import missing_part, schema_names
from readers.engine.store.database.workers import AT_WORK, is_alive, this_worker
from readers.engine.store.demo_usage import DemoUsage
from readers.engine.store.documents import Documents, ListedDocument, PlantedSentences, insert_document, prepare_document
from readers.engine.store.labels.boards import Boards
from readers.engine.store.labels.codebooks import Codebooks
from readers.engine.store.labels.labels import Decisions, Labels
from readers.engine.store.labels.projects import Projects
from readers.engine.store.labels.turns import Turns
from readers.engine.store.prompt_sets import PromptSets
from readers.engine.store.question_sets import QuestionSets
from readers.engine.store.runs.run import Run, Status, cancel_run, insert_run, select_runs
from readers.engine.store.runs.run_list import RunList
from readers.engine.store.runs.run_tape import Copied, Fates, RunTape, copy
from readers.engine.store.runs.waiting_calls import WaitingCalls
from readers.engine.store.teaching.classes import Classes
from readers.engine.store.teaching.stops import Stops
from readers.engine.text.document import Document

_FAMILY = """
    WITH RECURSIVE up(id, parent) AS (
        SELECT id, parent FROM runs WHERE id = ?
        UNION SELECT runs.id, runs.parent FROM runs JOIN up ON runs.id = up.parent),
    down(id) AS (
        SELECT id FROM up WHERE parent IS NULL OR parent NOT IN (SELECT id FROM runs)
        UNION SELECT runs.id FROM runs JOIN down ON runs.parent = down.id)
    SELECT id FROM down"""


class LatestRuns(NamedTuple):
    """How many runs a document has, and when the last of them ended."""

    runs: int
    ended: str | None


class Store:
    """With a `visitor`, what is added belongs to them, and lists hold what they may see: their own items and the host's."""

    def __init__(self, path: Path | None = None, *, visitor: str | None = None, connection: Connection | None = None) -> None:
        self.path = path or home() / "palimpsest.db"
        self.connection = connection or Connection(self.path, visitor=visitor)
        self._documents = Documents(self.connection)
        self.planted = PlantedSentences(self.connection)
        self.run_list = RunList(self.connection)
        self.waiting = WaitingCalls(self.connection, this_worker())
        self.prompt_sets = PromptSets(self.connection)
        self.question_sets = QuestionSets(self.connection)
        self.batches = Batches(self.connection)
        self.projects = Projects(self.connection)
        self.codebooks = Codebooks(self.connection)
        self.turns = Turns(self.connection)
        self.labels = Labels(self.connection)
        self.decisions = Decisions(self.connection)
        self.boards = Boards(self.connection)
        self.demo_usage = DemoUsage(self.connection)
        self.fates = Fates(self.connection)
        self.stops = Stops(self.connection)
        self.classes = Classes(self.connection)

    def seen_by(self, visitor: str | None) -> Store:
        """The same open database with the eyes of a visitor, or of nobody in particular. Closing either closes both."""
        return self if visitor == self.connection.visitor else Store(self.path, connection=self.connection.seen_by(visitor))

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def schema(self) -> list[str]:
        return schema_names(self.connection.db)

    def check(self) -> str:
        """SQLite's own check of the file, and whether all of the schema is there: 'ok', or the first error found."""
        if missing := missing_part(self.connection.db):
            return f"{missing} is missing"
        return str(self.connection.execute("PRAGMA quick_check(1)").fetchone()[0])

    # Documents

    def add_document(self, document: Document) -> ListedDocument:
        return self._documents.add(document)

    def document(self, document_id: str) -> Document:
        """Raises NotFound."""
        return self._documents.get(document_id)

    def document_of(self, run_id: str) -> Document:
        """The document of a run, under the title that the run's owner gave it. Raises NotFound."""
        return self._documents.of_run(run_id)

    def documents(self, document_id: str | None = None) -> list[ListedDocument]:
        return self._documents.listed(document_id)

    def beginning(self, document_id: str, chars: int) -> str:
        return self._documents.beginning(document_id, chars)

    def delete_document(self, document_id: str) -> None:
        delete.delete_document(self.connection, document_id)

    # Runs

    def add_run(self, run: Run, *, document: Document | None = None, copied: Copied | None = None) -> Run:
        """Add a run under a new id, with its document, if that is given; a fork with the calls `copied` from its parent.

        Raises NotFound if the document is not given and was deleted."""
        if document:
            prepare_document(self.connection, document)
        with self.connection.writing():
            if document:
                insert_document(self.connection, document)
            run = insert_run(self.connection, run)
            if copied and run.parent:
                copy(self.connection, run.id, run.parent, copied)
        return run

    def run(self, run_id: str) -> Run:
        """A run by its id, or by an unambiguous beginning of it. Raises NotFound, also for one that the visitor may not see, and
        StoreError for one that is damaged."""
        one, seen = self.connection.visible("runs", "id = ?")
        several, _ = self.connection.visible("runs", "substr(id, 1, ?) = ?")
        found = self._runs(one, (run_id, *seen)) or self._runs(f"{several} LIMIT 2", (len(run_id), run_id, *seen))
        if len(found) != 1 or not run_id:
            known = "more than one reading begins" if found else "there is no reading that begins"
            raise NotFound(f"{known} with {run_id!r}; `python -m readers runs` lists them all")
        return found[0]

    def runs(self, limit: int = -1, *, document: str | None = None, samples: bool = False, unreadable: bool = False) -> list[Run]:
        """Newest first; `limit` of them, or all; of one document, if given. Samples of experiments only if asked for. Raises
        StoreError if the record of one is damaged, unless they are listed as `unreadable`."""
        terms = (["document = ?"] if document is not None else []) + ([] if samples else ["experiment IS NULL"])
        where, seen = self.connection.visible("runs", *terms)
        given = (document,) if document is not None else ()
        listed = f"{where} ORDER BY created DESC, rowid DESC LIMIT ?"
        return select_runs(self.connection, listed, (*given, *seen, limit), unreadable=unreadable)

    def _runs(self, where: str, values: tuple[Any, ...]) -> list[Run]:
        return select_runs(self.connection, where, values)

    def family(self, run_id: str) -> list[Run]:
        """The run, its ancestors and all forks of these, in no order. A fork of a deleted run begins a new family."""
        return self._runs(f"WHERE id IN ({_FAMILY})", (run_id,))

    def tape(self, run_id: str, *, parent: str = "") -> RunTape:
        """The record of a run; with a `parent`, of a fork that may inherit the parent's replies."""
        return RunTape(self.connection, run_id, this_worker(), parent=parent)

    def delete_run(self, run_id: str) -> None:
        """Delete a run with its calls and events, and with the samples of its experiments. Raises NotFound, Busy while a live
        process works on one of these or on a fork of one, and InProject if one belongs to a project; then nothing is deleted.

        Its replies are no longer shared; its forks stay as they are.
        """
        with self.connection.writing():
            delete.delete_run(self.connection, run_id)
        delete.shrink_file(self.connection)

    # What is known of all runs

    def readings_of(self, document: str) -> int:
        """How many runs a document has, samples included."""
        row = self.connection.execute("SELECT count(*) FROM runs WHERE document = ?", (document,)).fetchone()
        return int(row[0])

    def readings(self) -> dict[str, int]:
        """How many runs each document has, without samples of experiments; documents without any are left out."""
        sql = "SELECT document, count(*) FROM runs WHERE experiment IS NULL GROUP BY document"
        return dict(self.connection.execute(sql))

    def latest(self, document: str) -> LatestRuns:
        """The runs of a document: this changes whenever one is added or ends."""
        sql = "SELECT count(*), max(ended) FROM runs WHERE document = ?"
        count, ended = self.connection.execute(sql, (document,)).fetchone()
        return LatestRuns(int(count), ended)

    def pace(self, model: str) -> float | None:
        """The mean milliseconds of a model's latest answered calls; None if it has not answered any."""
        sql = """SELECT avg(ms) FROM (SELECT ms FROM calls WHERE model = ? AND origin = 'live' AND reply IS NOT NULL AND ms > 0
            ORDER BY rowid DESC LIMIT 200)"""
        row = self.connection.execute(sql, (model,)).fetchone()
        return None if row[0] is None else float(row[0])

    # A run's way from queued to its end

    def queue(self, run_id: str) -> None:
        """Put a run (back) into this process's queue. Raises like `claim`."""
        with self.connection.writing():
            self._check_startable(run_id)
            sql = "UPDATE runs SET status = 'queued', worker = ?, cancel = 0, error = NULL, ended = NULL WHERE id = ?"
            self.connection.execute(sql, (this_worker(), run_id))

    def claim(self, run_id: str) -> None:
        """Begin to work on a run; that of a dead process can be claimed at once.

        Raises Busy if a live one works on it, AlreadyFinished if it has come to its end, and NotFound if it was deleted."""
        with self.connection.writing():
            self._check_startable(run_id)
            self.connection.execute(
                "UPDATE runs SET status = 'running', worker = ?, cancel = 0, started = coalesce(started, ?), "
                "error = NULL, outcome = NULL, answer = NULL, evidence = NULL, ended = NULL WHERE id = ?",
                (this_worker(), now(), run_id),
            )
            self.connection.execute("DELETE FROM waits WHERE run = ?", (run_id,))  # of a process that was killed

    def _check_startable(self, run_id: str) -> None:
        row = self.connection.execute("SELECT status, worker FROM runs WHERE id = ?", (run_id,)).fetchone()
        if row is None:
            raise NotFound(f"there is no reading {run_id!r}; it may have been deleted")
        status, worker = row
        if status == "finished":
            raise AlreadyFinished(run_id)
        ours_to_start = status == "queued" and worker == this_worker()
        if status in AT_WORK and not ours_to_start and is_alive(worker or ""):
            process = worker.partition(":")[0]
            raise Busy(f"reading {run_id!r} is running in process {process}; wait until it has ended, or cancel it first")

    def settle(self, run_id: str, status: Status, *, seconds: float = 0.0, **columns: Any) -> None:
        """Record the end of an execution: the status, how long it took, and `columns` (outcome, answer, evidence, error)."""
        evidence = columns.get("evidence")
        values = {**columns, "status": status, "ended": now(), "worker": None}
        if evidence is not None:
            values["evidence"] = json.dumps(evidence)
        with self.connection.writing():
            names = ", ".join(f"{name} = :{name}" for name in values)
            sql = f"UPDATE runs SET {names}, seconds = coalesce(seconds, 0) + :took WHERE id = :id"
            self.connection.execute(sql, {**values, "took": seconds, "id": run_id})

    def ask_to_cancel(self, run_id: str) -> None:
        """Ask the process that works on a run to stop; a run that nobody works on is cancelled at once."""
        with self.connection.writing():
            cancel_run(self.connection, run_id)

    def cancel_asked(self, run_id: str) -> bool:
        row = self.connection.execute("SELECT cancel FROM runs WHERE id = ?", (run_id,)).fetchone()
        return row is None or bool(row[0])

    # Visitors of a public demo

    def may_see(self, item: str) -> bool:
        """Whether the visitor owns a document or run, or nobody does. Without a visitor, everything is visible."""
        return self.connection.may_see(item)

    def owned(self) -> set[str]:
        """The ids of what the visitor owns."""
        return self.connection.items_of(self.connection.visitor) if self.connection.visitor else set()

    def leave(self, document_id: str) -> None:
        delete.leave(self.connection, document_id)

    def end_visit(self, visitor: str) -> bool:
        return delete.end_visit(self.connection, visitor)

    def sweep_visits(self) -> None:
        delete.sweep_visits(self.connection)
