"""The documents of the library, and the sentences planted in them."""

from __future__ import annotations

import json
from dataclasses import dataclass

from readers.engine.errors import NotFound
from readers.engine.store.database import OWN_TITLES, TITLE_OF_RUN, Connection, now
from readers.engine.store.run import delete_each, shrink_file
from readers.engine.text.document import Document, PrintedPage, Span
from readers.engine.text.plant import Planted

_MINE = OWN_TITLES.format(table="documents")
_TITLE = "coalesce(mine.title, documents.title)"


@dataclass(frozen=True)
class ListedDocument:
    """A document as lists show it, without its text. `tokens` were counted when it was added."""

    id: str
    title: str
    chars: int
    tokens: int
    created: str


class Documents:
    """The table of documents."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, document: Document) -> ListedDocument:
        """Add a document. The same text twice is one document, under the title that its owner first gave it."""
        prepare_document(self._connection, document)
        with self._connection.writing():
            insert_document(self._connection, document)
            return self.listed(document.id)[0]  # before somebody else can delete it

    def get(self, document_id: str) -> Document:
        """Raises NotFound, also for a document that the visitor may not see."""
        where, seen = self._connection.visible("documents", "documents.id = ?")
        sql = f"SELECT {_TITLE}, text, pages FROM documents {_MINE} {where}"
        row = self._connection.execute(sql, (self._connection.visitor, document_id, *seen)).fetchone()
        if row is None:
            raise NotFound(f"there is no document {document_id!r}; it may have been deleted")
        return _document(*row)

    def of_run(self, run_id: str) -> Document:
        """The document of a run, under the title that the run's owner gave it. Raises NotFound."""
        sql = f"SELECT {TITLE_OF_RUN}, text, pages FROM runs JOIN documents ON documents.id = document WHERE runs.id = ?"
        row = self._connection.execute(sql, (run_id,)).fetchone()
        if row is None:
            raise NotFound(f"there is no reading {run_id!r}; it may have been deleted")
        return _document(*row)

    def listed(self, document_id: str | None = None) -> list[ListedDocument]:
        """The documents that the visitor may see, newest first; or one of them."""
        where, seen = self._connection.visible("documents", *(["documents.id = ?"] if document_id is not None else []))
        sql = f"""SELECT documents.id, {_TITLE}, chars, tokens, coalesce(mine.added, created) AS since FROM documents {_MINE}
            {where} ORDER BY since DESC, documents.rowid DESC"""
        given = (self._connection.visitor, *([document_id] if document_id is not None else []))
        return [ListedDocument(*row) for row in self._connection.execute(sql, (*given, *seen))]

    def beginning(self, document_id: str, chars: int) -> str:
        """The first characters of a document; empty if there is no such document."""
        row = self._connection.execute("SELECT substr(text, 1, ?) FROM documents WHERE id = ?", (chars, document_id)).fetchone()
        return row[0] if row else ""

    def delete(self, document_id: str) -> None:
        """Delete a document with its runs. Raises NotFound, Busy while one of their runs is under way, and InProject if one
        belongs to a project; then nothing is deleted."""
        connection = self._connection
        with connection.writing():
            runs = connection.execute("SELECT id FROM runs WHERE document = ?", (document_id,)).fetchall()
            delete_each(connection, (run_id for (run_id,) in runs))
            if not connection.execute("DELETE FROM documents WHERE id = ?", (document_id,)).rowcount:
                raise NotFound(f"there is no document {document_id!r}; it may have been deleted already")
            connection.disown_all(document_id)
        shrink_file(connection)


def _document(title: str, text: str, pages: str | None) -> Document:
    return Document(title, text, tuple(PrintedPage(*page) for page in json.loads(pages)) if pages else ())


def prepare_document(connection: Connection, document: Document) -> None:
    """Count the tokens of a new document before the lock is taken: for a long text this takes seconds, during which nobody could
    write."""
    if not connection.execute("SELECT 1 FROM documents WHERE id = ?", (document.id,)).fetchone():
        _ = document.tokens  # which keeps the count


def insert_document(connection: Connection, document: Document) -> None:
    """Add a document inside the caller's transaction, which `prepare_document` comes before."""
    added = not connection.execute("SELECT 1 FROM documents WHERE id = ?", (document.id,)).fetchone()
    pages = json.dumps(document.pages, ensure_ascii=False) if document.pages else None
    if added:  # its tokens are not counted again for each reading
        row = (document.id, document.title, document.text, len(document.text), document.tokens, now(), pages)
        columns = "id, title, text, chars, tokens, created, pages"
        connection.execute(f"INSERT INTO documents ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    elif pages and not connection.visitor:  # it was added before pages were kept; only the host changes what is everybody's
        connection.execute("UPDATE documents SET pages = ? WHERE id = ? AND pages IS NULL", (pages, document.id))
    if connection.belongs_to_others(document.id):  # the host has it now as well, and so does everybody
        connection.disown_all(document.id)
        sql = "UPDATE documents SET title = ?, created = ? WHERE id = ?"
        connection.execute(sql, (document.title, now(), document.id))
    elif added or connection.is_owned(document.id):  # the host's documents stay the host's
        connection.own(document.id, title=document.title)


def missing_documents(connection: Connection, ids: set[str]) -> set[str]:
    """Those of these documents that are not in the library that the visitor sees."""
    where, seen = connection.visible("documents", "documents.id = ?")
    return {one for one in ids if not connection.execute(f"SELECT 1 FROM documents {where}", (one, *seen)).fetchone()}


class PlantedSentences:
    """Where in a text a sentence was planted (`text/plant.py`). Who planted it knows; of the host's texts everybody does."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, planted: Planted) -> None:
        """Add the text with its sentence. The same text twice is one document."""
        prepare_document(self._connection, planted.document)
        with self._connection.writing():
            insert_document(self._connection, planted.document)
            sql = "INSERT OR REPLACE INTO planted (document, visitor, start, stop) VALUES (?, ?, ?, ?)"
            self._connection.execute(sql, (planted.document.id, self._connection.visitor or "", *planted.span))

    def of(self, document_id: str) -> Span | None:
        """The place of a text's planted sentence; None if there is none, or somebody else planted it."""
        sql = "SELECT start, stop FROM planted WHERE document = ? AND visitor IN (?, '') ORDER BY visitor DESC"
        row = self._connection.execute(sql, (document_id, self._connection.visitor or "")).fetchone()
        return Span(*row) if row else None
