"""The documents of the library."""

from __future__ import annotations

from readers.engine.errors import NotFound
from readers.engine.store.connection import Connection, now
from readers.engine.store.rows import ListedDocument
from readers.engine.text.document import Document


class Documents:
    """The table of documents. Deleting one deletes runs too: see `delete.py`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, document: Document) -> ListedDocument:
        """Add a document. The same text twice is one document, under the title it had first."""
        with self._connection.writing():
            insert_document(self._connection, document)
        return next(listed for listed in self.listed(document.id))

    def get(self, document_id: str) -> Document:
        row = self._connection.execute("SELECT title, text FROM documents WHERE id = ?", (document_id,)).fetchone()
        if row is None:
            raise NotFound(f"there is no document {document_id!r}; it may have been deleted")
        return Document(*row)

    def listed(self, document_id: str | None = None) -> list[ListedDocument]:
        """The documents that the visitor may see, newest first; or one of them."""
        where, seen = self._connection.visible("documents", *(["id = ?"] if document_id is not None else []))
        sql = f"SELECT id, title, chars, tokens, created FROM documents {where} ORDER BY created DESC, rowid DESC"
        given = (document_id,) if document_id is not None else ()
        return [ListedDocument(*row) for row in self._connection.execute(sql, (*given, *seen))]

    def beginning(self, document_id: str, chars: int) -> str:
        """The first characters of a document; empty if there is no such document."""
        row = self._connection.execute("SELECT substr(text, 1, ?) FROM documents WHERE id = ?", (chars, document_id)).fetchone()
        return row[0] if row else ""


def insert_document(connection: Connection, document: Document) -> None:
    """Add a document inside the caller's transaction."""
    row = (document.id, document.title, document.text, len(document.text), document.tokens, now())
    sql = "INSERT OR IGNORE INTO documents (id, title, text, chars, tokens, created) VALUES (?, ?, ?, ?, ?, ?)"
    added = connection.execute(sql, row).rowcount
    if added or connection.is_owned(document.id):  # the host's documents stay the host's
        connection.own(document.id)


def missing_documents(connection: Connection, ids: set[str]) -> set[str]:
    """Those of these documents that are not in the library."""
    return {one for one in ids if not connection.execute("SELECT 1 FROM documents WHERE id = ?", (one,)).fetchone()}
