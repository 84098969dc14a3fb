"""The table of runs: adding and finding them, and their states from queued to ended.

It stores what it is given and decides only what only the database knows: whether a run has ended, and whether the process that
works on it is still alive. Not here: lists of runs (`run_list.py`) and the record of one (`run_tape.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from readers.engine.errors import AlreadyFinished, Busy, NotFound
from readers.engine.models.learnt_speed import TimedCall
from readers.engine.store.database import AT_WORK, Connection, is_alive, now, this_worker
from readers.engine.store.documents import insert_document, prepare_document
from readers.engine.store.run import Run, Status, cancel_run, delete_run, insert_run, select_runs, shrink_file
from readers.engine.store.run_tape import Copied, RunTape, copy
from readers.engine.text.document import Document

MOST_TIMED = 150  # calls that a speed is learnt from
_FAMILY = """
    WITH RECURSIVE up(id, parent) AS (
        SELECT id, parent FROM runs WHERE id = ?
        UNION SELECT runs.id, runs.parent FROM runs JOIN up ON runs.id = up.parent),
    down(id) AS (
        SELECT id FROM up WHERE parent IS NULL OR parent NOT IN (SELECT id FROM runs)
        UNION SELECT runs.id FROM runs JOIN down ON runs.parent = down.id)
    SELECT id FROM down"""


class Runs:
    """The table of runs. Lists hold only what the visitor may see."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, run: Run, *, document: Document | None = None, copied: Copied | None = None) -> Run:
        """Add a run under a new id, with its document, if that is given; a fork with the calls `copied` from its parent.

        Raises NotFound if the document is not given and was deleted."""
        if document:
            prepare_document(self._connection, document)
        with self._connection.writing():
            if document:
                insert_document(self._connection, document)
            run = insert_run(self._connection, run)
            if copied and run.parent:
                copy(self._connection, run.id, run.parent, copied)
        return run

    def get(self, run_id: str) -> Run:
        """A run by its id, by an unambiguous beginning of it, or by its content id. Raises NotFound, also for one that the
        visitor may not see, and StoreError for one that is damaged."""
        one, seen = self._connection.visible("runs", "id = ?")
        several, _ = self._connection.visible("runs", "substr(id, 1, ?) = ?")
        found = self._runs(one, (run_id, *seen)) or self._runs(f"{several} LIMIT 2", (len(run_id), run_id, *seen))
        found = found or self.with_content(run_id)[:1]
        if len(found) != 1 or not run_id:
            known = "more than one reading begins" if found else "there is no reading that begins"
            raise NotFound(f"{known} with {run_id!r}; `python -m readers runs` lists them all")
        return found[0]

    def listed(
        self, limit: int = -1, *, document: str | None = None, samples: bool = False, unreadable: bool = False
    ) -> list[Run]:
        """Newest first; at most `limit`, or all; only of one document, if given. Samples of experiments only if asked for. Raises
        StoreError if the record of a run is damaged, unless such runs are listed as `unreadable`."""
        terms = (["document = ?"] if document is not None else []) + ([] if samples else ["experiment IS NULL"])
        where, seen = self._connection.visible("runs", *terms)
        given = (document,) if document is not None else ()
        listed = f"{where} ORDER BY created DESC, rowid DESC LIMIT ?"
        return select_runs(self._connection, listed, (*given, *seen, limit), unreadable=unreadable)

    def exists(self, run_id: str) -> bool:
        """Whether anybody has a run of this id, whoever may see it."""
        return bool(self._connection.execute("SELECT 1 FROM runs WHERE id = ?", (run_id,)).fetchone())

    def with_content(self, content: str) -> list[Run]:
        """The runs with a content id that the visitor may see, the oldest first; equal runs have the same one. A run is found
        only if its content id was requested before."""
        where, seen = self._connection.visible("runs", "content = ?")
        return self._runs(f"{where} ORDER BY created, rowid", (content, *seen))

    def set_content(self, run_id: str, content: str) -> None:
        """Keep the content id of a finished run, which cannot change any more."""
        with self._connection.writing():
            self._connection.execute("UPDATE runs SET content = ? WHERE id = ? AND status = 'finished'", (content, run_id))

    def _runs(self, where: str, values: tuple[Any, ...]) -> list[Run]:
        return select_runs(self._connection, where, values)

    def family(self, run_id: str) -> list[Run]:
        """The run, its ancestors and all forks of these, in no order. A fork of a deleted run begins a new family."""
        return self._runs(f"WHERE id IN ({_FAMILY})", (run_id,))

    def tape(self, run_id: str, *, parent: str = "") -> RunTape:
        """The record of a run; with a `parent`, of a fork that may inherit the parent's replies."""
        return RunTape(self._connection, run_id, this_worker(), parent=parent)

    def delete(self, run_id: str) -> None:
        """Delete a run with its calls and events, and with the samples of its experiments. Raises NotFound, Busy while a live
        process works on one of these or on a fork of one, and InProject if one belongs to a project; then nothing is deleted.

        Its replies are no longer shared; its forks are unchanged.
        """
        with self._connection.writing():
            delete_run(self._connection, run_id)
        shrink_file(self._connection)

    # What is known about all runs

    def counts(self) -> dict[str, int]:
        """How many runs each document has, without samples of experiments; documents without any are left out."""
        sql = "SELECT document, count(*) FROM runs WHERE experiment IS NULL GROUP BY document"
        return dict(self._connection.execute(sql))

    def latest(self, document: str) -> tuple[int, str | None]:
        """How many runs a document has, and when the last one ended: this changes whenever a run is added or ends."""
        sql = "SELECT count(*), max(ended) FROM runs WHERE document = ?"
        count, ended = self._connection.execute(sql, (document,)).fetchone()
        return int(count), ended

    def timed_calls(self, model: str, api_base: str | None) -> list[TimedCall]:
        """The latest answered calls of a model at an address, in runs that were made here with it. Earlier versions did not
        record how many calls were in flight together."""
        sql = """SELECT prompt, coalesce(tokens_in, 0), coalesce(tokens_out, 0), ms / 1000.0, max(1.0, coalesce(at_once, 1.0)),
            coalesce(tokens_cached, 0), seq = 0 AND attempt = 0 FROM calls JOIN runs ON runs.id = calls.run
            WHERE calls.model = ? AND origin = 'live' AND reply IS NOT NULL AND ms > 0 AND task <> 'score' AND NOT taken_in
            AND json_extract(spec, '$.model') = calls.model AND json_extract(spec, '$.api_base') IS ?
            ORDER BY calls.rowid DESC LIMIT ?"""
        return [TimedCall(*row) for row in self._connection.execute(sql, (model, api_base, MOST_TIMED))]

    # A run's way from queued to its end

    def set_spec(self, run_id: str, spec: Mapping[str, Any]) -> None:
        """Write another spec in place of a run's own, which grows while it is recorded."""
        with self._connection.writing():
            self._connection.execute("UPDATE runs SET spec = ? WHERE id = ?", (json.dumps(spec), run_id))

    def queue(self, run_id: str) -> None:
        """Put a run (back) into this process's queue. Raises like `claim`."""
        with self._connection.writing():
            self._check_startable(run_id)
            sql = "UPDATE runs SET status = 'queued', worker = ?, cancel = 0, error = NULL, ended = NULL WHERE id = ?"
            self._connection.execute(sql, (this_worker(), run_id))

    def claim(self, run_id: str) -> None:
        """Start work on a run; a run of a dead process can be claimed at once.

        Raises Busy if a live process works on it, AlreadyFinished if it has ended, and NotFound if it was deleted."""
        with self._connection.writing():
            self._check_startable(run_id)
            self._connection.execute(
                "UPDATE runs SET status = 'running', worker = ?, cancel = 0, started = coalesce(started, ?), "
                "error = NULL, outcome = NULL, answer = NULL, evidence = NULL, ended = NULL WHERE id = ?",
                (this_worker(), now(), run_id),
            )
            self._connection.execute("DELETE FROM waits WHERE run = ?", (run_id,))  # of a process that was killed

    def _check_startable(self, run_id: str) -> None:
        row = self._connection.execute("SELECT status, worker FROM runs WHERE id = ?", (run_id,)).fetchone()
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
        with self._connection.writing():
            names = ", ".join(f"{name} = :{name}" for name in values)
            sql = f"UPDATE runs SET {names}, seconds = coalesce(seconds, 0) + :took WHERE id = :id"
            self._connection.execute(sql, {**values, "took": seconds, "id": run_id})

    def cancel(self, run_id: str) -> None:
        """Ask the process that works on a run to stop; a run that no process works on is cancelled at once."""
        with self._connection.writing():
            cancel_run(self._connection, run_id)

    def cancel_asked(self, run_id: str) -> bool:
        row = self._connection.execute("SELECT cancel FROM runs WHERE id = ?", (run_id,)).fetchone()
        return row is None or bool(row[0])
