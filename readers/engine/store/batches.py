"""Batches in the database: a question set read by several variants, and which run each cell of it has.

A cell is one question of the set read by one variant of the batch, once for each sample. It has no run at first. It gets one in
the transaction that adds the run, so no cell ever has two, even if several people work on the batch; when that run is deleted, it
has none again. In a public demo a batch belongs to the visitor who made it. Not here: variants, and working on a batch
(`run/batches.py`).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from readers.engine.canonical import canonical
from readers.engine.errors import NotFound
from readers.engine.questions.no_answer_given import none_given, shown_outcome
from readers.engine.questions.question_set import set_name
from readers.engine.record.journal import Wait
from readers.engine.store.database import AT_WORK, Connection, is_alive, is_interrupted, now
from readers.engine.store.run import Run, insert_run, runs_by_id
from readers.engine.store.run_tape import wait_since


@dataclass(frozen=True)
class Batch:
    """A question set read by several variants. `plan` is JSON data; `question_set` is an id, and that set may be deleted."""

    id: str
    name: str
    question_set: str
    created: str
    plan: dict[str, Any]
    cancelled: bool = False


class BatchCell(NamedTuple):
    """One question (`number`, from 0) read by one variant (from 0), with its run once it has one; of several readings by the same
    variant, the `sample` (from 0). `error` is why no run could be made, or why it could not be resumed. `outcome` is the outcome
    shown."""

    number: int
    variant: int
    document: str
    run: str | None
    error: str | None
    status: str | None
    outcome: str | None
    sample: int = 0


class Batches:
    """The tables of batches and their cells. Lists hold only what the visitor may see."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, name: str, set_id: str, plan: Mapping[str, Any], *, variants: int, numbers: Sequence[int]) -> Batch:
        """Add a batch with its cells, none of which has a run yet: each question by each variant, as often as the plan says."""
        samples = int(plan.get("samples", 1))
        batch = Batch(secrets.token_hex(5), set_name(name) or "Batch", set_id, now(), dict(plan))
        with self._connection.writing():
            sql = "INSERT INTO batches (id, name, question_set, created, plan) VALUES (?, ?, ?, ?, ?)"
            self._connection.execute(sql, (batch.id, batch.name, set_id, batch.created, canonical(plan)))
            self._connection.execute_many(
                "INSERT INTO batch_runs (batch, number, variant, sample) VALUES (?, ?, ?, ?)",
                [(batch.id, n, variant, sample) for n in numbers for variant in range(variants) for sample in range(samples)],
            )
            self._connection.own(batch.id)
        return batch

    def listed(self, set_id: str | None = None) -> list[Batch]:
        """Newest first; only those of one question set, if given."""
        where, seen = self._connection.visible("batches", *(["question_set = ?"] if set_id else []))
        sql = f"SELECT id, name, question_set, created, plan, cancelled FROM batches {where} ORDER BY created DESC, id"
        rows = self._connection.execute(sql, (*([set_id] if set_id else []), *seen))
        with self._connection.decoding():
            return [_as_batch(row) for row in rows]

    def get(self, batch_id: str) -> Batch:
        """A batch by its id, or by an unambiguous beginning of it. Raises NotFound."""
        where, seen = self._connection.visible("batches", "substr(id, 1, ?) = ?")
        sql = f"SELECT id, name, question_set, created, plan, cancelled FROM batches {where} LIMIT 2"
        found = self._connection.execute(sql, (len(batch_id), batch_id, *seen)).fetchall()
        if len(found) != 1 or not batch_id:
            raise NotFound(
                f"there is no batch {batch_id!r}, or more than one begins so; `python -m readers batches` lists them all"
            )
        with self._connection.decoding():
            return _as_batch(found[0])

    def cells(self, batch: str) -> list[BatchCell]:
        """The cells of a batch, question by question."""
        sql = """SELECT batch_runs.number, variant, coalesce(questions.document, ''), run, batch_runs.error, status, outcome,
            answer, spec, worker, sample FROM batch_runs JOIN batches ON batches.id = batch
            LEFT JOIN questions ON questions.question_set = batches.question_set AND questions.number = batch_runs.number
            LEFT JOIN runs ON runs.id = run WHERE batch = ? ORDER BY batch_runs.number, variant, sample"""
        alive: dict[str, bool] = {}
        rows = self._connection.execute(sql, (batch,))
        with self._connection.decoding():
            return [_as_cell(row, alive) for row in rows]

    def states(self, batch: str) -> list[tuple[str | None, bool, int]]:
        """The number of cells by the status of their run (None: no run), and whether an error was recorded in them."""
        sql = f"""SELECT status, iif(status IN {AT_WORK}, worker, NULL), batch_runs.error IS NOT NULL, count(*) FROM batch_runs
            LEFT JOIN runs ON runs.id = run WHERE batch = ? GROUP BY 1, 2, 3"""
        rows = self._connection.execute(sql, (batch,)).fetchall()
        return [(_status_now(status, worker), bool(has_error), count) for status, worker, has_error, count in rows]

    def statuses(self, runs: Collection[str]) -> dict[str, str | None]:
        """The status of each of these runs that there still is."""
        rows = self._connection.select_in("SELECT id, status, worker FROM runs WHERE id IN ({})", runs)
        return {run: _status_now(status, worker) for run, status, worker in rows}

    def runs_of(self, batch: str) -> list[Run]:
        """The runs that a batch has so far, question by question."""
        sql = "SELECT run FROM batch_runs WHERE batch = ? AND run IS NOT NULL ORDER BY number, variant, sample"
        ids = [run_id for (run_id,) in self._connection.execute(sql, (batch,))]
        found = {run.id: run for run in runs_by_id(self._connection, ids)}
        return [found[run_id] for run_id in ids if run_id in found]

    def wait(self, batch: str) -> Wait | None:
        """The call that one of its runs has been waiting for longest; None if none has waited long."""
        sql = "SELECT seq, since FROM waits JOIN batch_runs ON batch_runs.run = waits.run WHERE batch = ? ORDER BY since LIMIT 1"
        row = self._connection.execute(sql, (batch,)).fetchone()
        return wait_since(*row) if row else None

    def begin(self, batch: str, cell: BatchCell, run: Run) -> Run | None:
        """Add the run of a cell, in one transaction; None if the cell has one by now, or the batch was stopped or deleted."""
        here = (batch, cell.number, cell.variant, cell.sample)
        with self._connection.writing():
            sql = """SELECT 1 FROM batch_runs JOIN batches ON id = batch
                WHERE batch = ? AND number = ? AND variant = ? AND sample = ? AND run IS NULL AND NOT cancelled"""
            if not self._connection.execute(sql, here).fetchone():
                return None
            made = insert_run(self._connection, run)
            sql = "UPDATE batch_runs SET run = ?, error = NULL WHERE batch = ? AND number = ? AND variant = ? AND sample = ?"
            self._connection.execute(sql, (made.id, *here))
        return made

    def note_error(self, batch: str, cell: BatchCell, why: str | None) -> None:
        """Note why a cell's run could not be made or resumed; None removes the note. Nothing changes if the cell has another run
        by now."""
        with self._connection.writing():
            sql = "UPDATE batch_runs SET error = ? WHERE batch = ? AND number = ? AND variant = ? AND sample = ? AND run IS ?"
            self._connection.execute(sql, (why, batch, cell.number, cell.variant, cell.sample, cell.run))

    def set_cancelled(self, batch: str, cancelled: bool) -> None:
        """Stop further runs of a batch from beginning, or let them begin again. Raises NotFound."""
        with self._connection.writing():
            if not self._connection.execute("UPDATE batches SET cancelled = ? WHERE id = ?", (cancelled, batch)).rowcount:
                raise NotFound(f"there is no batch {batch!r}; it may have been deleted")

    def delete(self, batch_id: str) -> None:
        """Delete a batch; its runs stay. A process that works on it starts no more cells. Raises NotFound."""
        with self._connection.writing():
            if not self._connection.execute("DELETE FROM batches WHERE id = ?", (batch_id,)).rowcount:
                raise NotFound(f"there is no batch {batch_id!r}; it may have been deleted already")
            self._connection.disown_all(batch_id)


def _as_batch(row: tuple[Any, ...]) -> Batch:
    return Batch(row[0], row[1], row[2], row[3], json.loads(row[4]), bool(row[5]))


def _as_cell(row: tuple[Any, ...], alive: dict[str, bool]) -> BatchCell:
    """A cell; its run is `interrupted` if the process that worked on it has died. `alive` remembers which processes live."""
    number, variant, document, run, error, status, outcome, answer, spec, worker, sample = row
    choices = json.loads(spec).get("choices") or () if none_given(outcome, answer) else ()
    cell = BatchCell(number, variant, document, run, error, status, shown_outcome(outcome, answer, choices=choices), sample)
    if cell.status not in AT_WORK:
        return cell
    if worker not in alive:
        alive[worker] = is_alive(worker or "")
    return cell if alive[worker] else cell._replace(status="interrupted")


def _status_now(status: str | None, worker: str | None) -> str | None:
    """The status of a run, `interrupted` if the process that worked on it has died."""
    return "interrupted" if status and is_interrupted(status, worker) else status
