"""Question sets and batches in the database: kept, listed, and which reading each cell of a batch has.

A cell is one question of the set read by one variant of the batch. It has no reading at first; it gets one in the transaction
that puts the reading on record, so that no cell ever has two, whoever works on the batch. A cell whose reading was deleted has
none again. In a public demo sets and batches are their visitor's, like readings. Not here: what a variant is, and working on a
batch (`batches.py`).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions, NotFound
from readers.engine.questions.question_set import QuestionSet, SetQuestion, set_name
from readers.engine.store.migrations import writing
from readers.engine.store.visits import SEEN

if TYPE_CHECKING:
    from readers.engine.store import Run, Store


class KeptSet(NamedTuple):
    """A question set as a list shows it. `created` is ISO 8601 in UTC."""

    id: str
    name: str
    note: str
    created: str
    questions: int
    documents: int


@dataclass(frozen=True)
class Batch:
    """A question set read by several variants. `plan` is JSON data, `question_set` the id of one that may be gone by now."""

    id: str
    name: str
    question_set: str
    created: str
    plan: dict[str, Any]
    cancelled: bool = False


class Cell(NamedTuple):
    """One question (`number`, from 0) read by one variant (from 0): its reading, once it has one; `error` is why none could be
    made, or why the one there is could not be gone on with."""

    number: int
    variant: int
    document: str
    run: str | None
    error: str | None
    status: str | None
    outcome: str | None


class Questions:
    """Belongs to its store's thread. Lists hold what whoever opened the store may see."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._db = store._db

    # Sets

    def add(self, made: QuestionSet) -> KeptSet:
        """Keep a set with the texts that came with it. The same questions twice are one set, under the name it first had."""
        now = _now()
        for document in made.documents:
            _ = document.tokens  # counted, and kept by the document, before anybody has to wait
        with writing(self._db):
            for document in made.documents:
                self._store._put_document(document)
            missing = {one.document for one in made.questions} - self._there({one.document for one in made.questions})
            if missing:
                raise NotFound(f"the text {min(missing)!r} of a question is no longer in the library; add it, and the set again")
            row = (made.id, set_name(made.name), made.note, now)
            sql = "INSERT OR IGNORE INTO question_sets (id, name, note, created) VALUES (?, ?, ?, ?)"
            added = self._db.conn.execute(sql, row).rowcount
            if added:
                self._db.conn.executemany(
                    "INSERT INTO questions (question_set, number, document, key, question, known) VALUES (?, ?, ?, ?, ?, ?)",
                    [
                        (made.id, number, one.document, one.key, one.question, canonical(one.known()))
                        for number, one in enumerate(made.questions)
                    ],
                )
            if added or self._store._visits.owners(made.id):  # what is the host's stays the host's
                self._store._own(made.id)
        return self.question_set(made.id)

    def sets(self) -> list[KeptSet]:
        """Newest first."""
        where, given = self._seen("question_sets")
        sql = f"""SELECT id, name, coalesce(note, ''), created,
            (SELECT count(*) FROM questions WHERE question_set = id),
            (SELECT count(DISTINCT document) FROM questions WHERE question_set = id)
            FROM question_sets {where} ORDER BY created DESC, id"""
        return [KeptSet(*row) for row in self._db.conn.execute(sql, given)]

    def question_set(self, named: str) -> KeptSet:
        """By its id, or by a name that one set alone has. Raises NotFound."""
        sets = self.sets()
        found = [one for one in sets if one.id == named] or [one for one in sets if one.name == named]
        if len(found) != 1:
            called = f"{len(found)} question sets are called {named[:60]!r}: name one by its id"
            none = f"there is no question set {named[:60]!r}; `python -m readers questions` lists them all"
            raise NotFound(called if found else none)
        return found[0]

    def of(self, set: str) -> list[SetQuestion]:
        """The questions of a set, by its id, in order; empty for one that is not there."""
        sql = "SELECT key, document, question, known FROM questions WHERE question_set = ? ORDER BY number"
        return [_as_question(row) for row in self._db.conn.execute(sql, (set,))]

    def texts(self, set: str) -> dict[str, str]:
        """The titles of a set's texts, by id, in the order of their first questions."""
        sql = """SELECT document, title FROM questions JOIN documents ON documents.id = document WHERE question_set = ?
            GROUP BY document ORDER BY min(number)"""
        return dict(self._db.conn.execute(sql, (set,)))

    def rename(self, id: str, name: str) -> None:
        """Raises BadOptions for no name, NotFound."""
        tidy = set_name(name)
        if not tidy:
            raise BadOptions("a question set has a name; write one")
        with writing(self._db):
            if not self._db.conn.execute("UPDATE question_sets SET name = ? WHERE id = ?", (tidy, id)).rowcount:
                raise NotFound(f"there is no question set {id!r}; it may have been deleted already")

    def delete(self, id: str) -> None:
        """Delete a set; its texts stay. Raises BadOptions while it has batches, whose answers are judged by it, and NotFound."""
        with writing(self._db):
            (batches,) = self._db.conn.execute("SELECT count(*) FROM batches WHERE question_set = ?", (id,)).fetchone()
            if batches:
                made = "a batch was" if batches == 1 else f"{batches:,} batches were"
                raise BadOptions(f"{made} made of this question set, and is judged by it: delete that first, the readings stay")
            if not self._db.conn.execute("DELETE FROM question_sets WHERE id = ?", (id,)).rowcount:
                raise NotFound(f"there is no question set {id!r}; it may have been deleted already")
            self._store._visits.forget(id)

    def asked(self, run: Run) -> SetQuestion | None:
        """What is known of a reading's question: by the batch it was made in, else by a set that asks the same of this text."""
        sql = """SELECT key, document, question, known FROM batch_runs JOIN batches ON batches.id = batch
            JOIN questions ON questions.question_set = batches.question_set AND questions.number = batch_runs.number
            WHERE run = ?"""
        row = self._db.conn.execute(sql, (run.id,)).fetchone()
        if row is None:
            where, given = self._seen("question_sets", "document = ?", "question = ?")
            sql = f"""SELECT key, document, question, known FROM questions JOIN question_sets ON id = question_set {where}
                ORDER BY created DESC LIMIT 1"""
            row = self._db.conn.execute(sql, (run.document, run.question, *given)).fetchone()
        return _as_question(row) if row else None

    # Batches

    def add_batch(self, name: str, set: str, plan: Mapping[str, Any], *, variants: int, numbers: Sequence[int]) -> Batch:
        """Put a batch on record with its cells, none of which has a reading yet."""
        batch = Batch(secrets.token_hex(5), set_name(name) or "Batch", set, _now(), dict(plan))
        with writing(self._db):
            sql = "INSERT INTO batches (id, name, question_set, created, plan) VALUES (?, ?, ?, ?, ?)"
            self._db.conn.execute(sql, (batch.id, batch.name, set, batch.created, canonical(plan)))
            self._db.conn.executemany(
                "INSERT INTO batch_runs (batch, number, variant) VALUES (?, ?, ?)",
                [(batch.id, number, variant) for number in numbers for variant in range(variants)],
            )
            self._store._own(batch.id)
        return batch

    def batches(self, set: str | None = None) -> list[Batch]:
        """Newest first; those of one question set, if given."""
        where, given = self._seen("batches", *(["question_set = ?"] if set else []))
        sql = f"SELECT id, name, question_set, created, plan, cancelled FROM batches {where} ORDER BY created DESC, id"
        return [_as_batch(row) for row in self._db.conn.execute(sql, (*([set] if set else []), *given))]

    def batch(self, id: str) -> Batch:
        """By its id, or an unambiguous beginning of it. Raises NotFound."""
        where, given = self._seen("batches", "substr(id, 1, ?) = ?")
        sql = f"SELECT id, name, question_set, created, plan, cancelled FROM batches {where} LIMIT 2"
        found = self._db.conn.execute(sql, (len(id), id, *given)).fetchall()
        if len(found) != 1 or not id:
            raise NotFound(f"there is no batch {id!r}, or more than one begins so; `python -m readers batches` lists them all")
        return _as_batch(found[0])

    def cells(self, batch: str) -> list[Cell]:
        """All of a batch, question by question."""
        sql = """SELECT batch_runs.number, variant, coalesce(questions.document, ''), run, batch_runs.error, status, outcome,
            worker FROM batch_runs JOIN batches ON batches.id = batch
            LEFT JOIN questions ON questions.question_set = batches.question_set AND questions.number = batch_runs.number
            LEFT JOIN runs ON runs.id = run WHERE batch = ? ORDER BY batch_runs.number, variant"""
        alive: dict[str, bool] = {}
        return [_as_cell(row, alive) for row in self._db.conn.execute(sql, (batch,))]

    def runs_of(self, batch: str) -> list[Run]:
        """The readings of a batch that there are, question by question."""
        sql = "SELECT run FROM batch_runs WHERE batch = ? AND run IS NOT NULL ORDER BY number, variant"
        ids = [id for (id,) in self._db.conn.execute(sql, (batch,))]
        found = {run.id: run for run in self._store.shelf.runs(ids)}
        return [found[id] for id in ids if id in found]

    def begin(self, batch: str, cell: Cell, run: Run) -> Run | None:
        """Put the reading of a cell on record, in one step; None where it has one by now, or the batch was stopped or is gone."""
        here = (batch, cell.number, cell.variant)
        with writing(self._db):
            sql = """SELECT 1 FROM batch_runs JOIN batches ON id = batch
                WHERE batch = ? AND number = ? AND variant = ? AND run IS NULL AND NOT cancelled"""
            if not self._db.conn.execute(sql, here).fetchone():
                return None
            made = self._store._add_run(run)
            sql = "UPDATE batch_runs SET run = ?, error = NULL WHERE batch = ? AND number = ? AND variant = ?"
            self._db.conn.execute(sql, (made.id, *here))
        return made

    def refuse(self, batch: str, cell: Cell, why: str | None) -> None:
        """Note why a cell's reading could not be made, or gone on with; None for nothing any more. A cell that has got a reading
        meanwhile keeps what is noted of that."""
        with writing(self._db):
            sql = "UPDATE batch_runs SET error = ? WHERE batch = ? AND number = ? AND variant = ? AND run IS ?"
            self._db.conn.execute(sql, (why, batch, cell.number, cell.variant, cell.run))

    def set_cancelled(self, batch: str, cancelled: bool) -> None:
        """Leave word that no further reading is to begin, or that they may. Raises NotFound."""
        with writing(self._db):
            if not self._db.conn.execute("UPDATE batches SET cancelled = ? WHERE id = ?", (cancelled, batch)).rowcount:
                raise NotFound(f"there is no batch {batch!r}; it may have been deleted")

    def delete_batch(self, id: str) -> None:
        """Delete what holds a batch together; its readings stay. Whoever works on it begins no more of them. Raises NotFound."""
        with writing(self._db):
            self._delete_batch(id)

    def _delete_batch(self, id: str) -> None:
        if not self._db.conn.execute("DELETE FROM batches WHERE id = ?", (id,)).rowcount:
            raise NotFound(f"there is no batch {id!r}; it may have been deleted already")
        self._store._visits.forget(id)

    # Visitors of a public demo

    def end_visit(self, visitor: str) -> None:
        """Delete the batches and sets of a visitor; of a set that others brought too, this visitor's part."""
        mine = self._store._visits.of(visitor)
        with writing(self._db):
            for (id,) in self._db.conn.execute("SELECT id FROM batches").fetchall() if mine else []:
                if id in mine:
                    self._delete_batch(id)
            for (id,) in self._db.conn.execute("SELECT id FROM question_sets").fetchall() if mine else []:
                if id in mine:
                    self._store._visits.disown(id, visitor)
                    if not self._store._visits.owners(id):
                        self._db.conn.execute("DELETE FROM question_sets WHERE id = ?", (id,))

    def _seen(self, table: str, *terms: str) -> tuple[str, tuple[str, ...]]:
        visitor = self._store._visitor
        every = [*terms, *([SEEN.format(table=table)] if visitor else [])]
        return (f"WHERE {' AND '.join(every)}" if every else ""), ((visitor,) if visitor else ())

    def _there(self, ids: set[str]) -> set[str]:
        return {id for id in ids if self._db.conn.execute("SELECT 1 FROM documents WHERE id = ?", (id,)).fetchone()}


def _as_question(row: tuple[Any, ...]) -> SetQuestion:
    return SetQuestion.of(row[0], row[1], row[2], json.loads(row[3]))


def _as_batch(row: tuple[Any, ...]) -> Batch:
    return Batch(row[0], row[1], row[2], row[3], json.loads(row[4]), bool(row[5]))


def _as_cell(row: tuple[Any, ...], alive: dict[str, bool]) -> Cell:
    """A cell, its reading `interrupted` where the process that worked on it is dead."""
    from readers.engine.store.workers import AT_WORK, is_alive

    *columns, worker = row
    cell = Cell(*columns)
    if cell.status in AT_WORK:
        if worker not in alive:
            alive[worker] = is_alive(worker or "")
        return cell if alive[worker] else cell._replace(status="interrupted")
    return cell


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
