"""Question sets in the database.

In a public demo a set belongs to the visitor who added it, like a run.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions, NotFound
from readers.engine.questions.question_set import QuestionSet, SetQuestion, set_name
from readers.engine.store.database import OWN_TITLES, Connection, now
from readers.engine.store.documents import insert_document, missing_documents, prepare_document
from readers.engine.store.run import Run


class ListedSet(NamedTuple):
    """A question set as a list shows it. `created` is ISO 8601 in UTC."""

    id: str
    name: str
    note: str
    created: str
    questions: int
    documents: int


class QuestionSets:
    """The tables of question sets and their questions. Lists hold only what the visitor may see."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, made: QuestionSet) -> ListedSet:
        """Add a set and the documents that came with it. The same questions twice are one set, under the name its owner first
        gave it."""
        for document in made.documents:
            prepare_document(self._connection, document)
        with self._connection.writing():
            for document in made.documents:
                insert_document(self._connection, document)
            if missing := missing_documents(self._connection, {one.document for one in made.questions}):
                raise NotFound(f"the text {min(missing)!r} of a question is no longer in the library; add it, and the set again")
            added = self._insert(made)
            if self._connection.belongs_to_others(made.id):  # the host has it now as well, and so does everybody
                self._connection.disown_all(made.id)
                sql = "UPDATE question_sets SET name = ?, note = ?, created = ? WHERE id = ?"
                self._connection.execute(sql, (set_name(made.name), made.note, now(), made.id))
            elif added or self._connection.is_owned(made.id):  # the host's sets stay the host's
                self._connection.own(made.id, title=set_name(made.name), note=made.note)
        return self.get(made.id)

    def _insert(self, made: QuestionSet) -> bool:
        """Whether the set is new."""
        row = (made.id, set_name(made.name), made.note, now())
        sql = "INSERT OR IGNORE INTO question_sets (id, name, note, created) VALUES (?, ?, ?, ?)"
        added = self._connection.execute(sql, row).rowcount > 0
        if added:
            self._connection.execute_many(
                "INSERT INTO questions (question_set, number, document, key, question, known) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (made.id, number, one.document, one.key, one.question, canonical(one.known()))
                    for number, one in enumerate(made.questions)
                ],
            )
        return added

    def listed(self) -> list[ListedSet]:
        """Newest first."""
        where, seen = self._connection.visible("question_sets")
        sql = f"""SELECT id, coalesce(mine.title, name), coalesce(iif(mine.item IS NULL, question_sets.note, mine.note), ''),
            coalesce(mine.added, created) AS since,
            (SELECT count(*) FROM questions WHERE question_set = id),
            (SELECT count(DISTINCT document) FROM questions WHERE question_set = id)
            FROM question_sets {OWN_TITLES.format(table="question_sets")} {where} ORDER BY since DESC, id"""
        return [ListedSet(*row) for row in self._connection.execute(sql, (self._connection.visitor, *seen))]

    def get(self, named: str) -> ListedSet:
        """A set by its id, or by a name that no other set has. Raises NotFound."""
        sets = self.listed()
        found = [one for one in sets if one.id == named] or [one for one in sets if one.name == named]
        if len(found) != 1:
            called = f"{len(found)} question sets are called {named[:60]!r}: name one by its id"
            none = f"there is no question set {named[:60]!r}; `python -m readers questions` lists them all"
            raise NotFound(called if found else none)
        return found[0]

    def questions(self, set_id: str) -> list[SetQuestion]:
        """The questions of a set, in order; empty if there is no such set."""
        sql = "SELECT key, document, question, known FROM questions WHERE question_set = ? ORDER BY number"
        rows = self._connection.execute(sql, (set_id,))
        with self._connection.decoding():
            return [_as_question(row) for row in rows]

    def documents(self, set_id: str) -> dict[str, str]:
        """The titles of a set's documents, by id, in the order of their first questions."""
        sql = f"""SELECT document, coalesce(mine.title, documents.title) FROM questions JOIN documents ON documents.id = document
            {OWN_TITLES.format(table="documents")} WHERE question_set = ? GROUP BY document ORDER BY min(number)"""
        return dict(self._connection.execute(sql, (self._connection.visitor, set_id)))

    def rename(self, set_id: str, name: str) -> None:
        """Raises BadOptions for an empty name, and NotFound."""
        tidy = set_name(name)
        if not tidy:
            raise BadOptions("a question set needs a name; write one")
        sql = "UPDATE question_sets SET name = ? WHERE id = ?"
        own = "UPDATE visits SET title = ? WHERE item = ? AND visitor = ?"
        visitor = self._connection.visitor
        with self._connection.writing():
            if not self._connection.execute(*((own, (tidy, set_id, visitor)) if visitor else (sql, (tidy, set_id)))).rowcount:
                raise NotFound(f"there is no question set {set_id!r}; it may have been deleted already")

    def delete(self, set_id: str) -> None:
        """Delete a set; its documents stay. A set that another visitor also added stays theirs. Raises NotFound, and BadOptions
        while a batch that the visitor may see is graded by it."""
        with self._connection.writing():
            where, seen = self._connection.visible("batches", "question_set = ?")
            (batches,) = self._connection.execute(f"SELECT count(*) FROM batches {where}", (set_id, *seen)).fetchone()
            if batches:
                use = "a batch uses" if batches == 1 else f"{batches:,} batches use"
                raise BadOptions(f"{use} this question set to grade its answers; delete that first, the readings stay")
            visitor = self._connection.visitor
            if visitor and set_id in self._connection.items_of(visitor):
                self._connection.disown(set_id, visitor)
                if self._connection.is_owned(set_id):
                    return
            if not self._connection.execute("DELETE FROM question_sets WHERE id = ?", (set_id,)).rowcount:
                raise NotFound(f"there is no question set {set_id!r}; it may have been deleted already")
            self._connection.disown_all(set_id)

    def question_of(self, run: Run) -> SetQuestion | None:
        """The question of a set that a run answers: by the batch it was made in, else one with the same words about the same
        document."""
        sql = """SELECT key, document, question, known FROM batch_runs JOIN batches ON batches.id = batch
            JOIN questions ON questions.question_set = batches.question_set AND questions.number = batch_runs.number
            WHERE run = ?"""
        row = self._connection.execute(sql, (run.id,)).fetchone()
        if row is None:
            where, seen = self._connection.visible("question_sets", "document = ?", "question = ?")
            sql = f"""SELECT key, document, question, known FROM questions JOIN question_sets ON id = question_set {where}
                ORDER BY created DESC LIMIT 1"""
            row = self._connection.execute(sql, (run.document, run.question, *seen)).fetchone()
        with self._connection.decoding():
            return _as_question(row) if row else None


def _as_question(row: tuple[Any, ...]) -> SetQuestion:
    return SetQuestion.of(row[0], row[1], row[2], json.loads(row[3]))
