"""Texts with a planted sentence, and where it stands in them.

Who planted it knows, and in a demo everybody knows it of the host's texts. Not here: where a sentence goes in (`text/plant.py`).
"""

from __future__ import annotations

from readers.engine.store.connection import Connection
from readers.engine.store.documents import insert_document
from readers.engine.text.document import Span
from readers.engine.text.plant import Planted


class PlantedSentences:
    """The table of planted sentences."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, planted: Planted) -> None:
        """Add the text with its sentence. The same text twice is one document."""
        _ = planted.document.tokens  # counted before anybody has to wait for the lock
        with self._connection.writing():
            insert_document(self._connection, planted.document)
            sql = "INSERT OR REPLACE INTO planted (document, visitor, start, stop) VALUES (?, ?, ?, ?)"
            self._connection.execute(sql, (planted.document.id, self._connection.visitor or "", *planted.span))

    def of(self, document_id: str) -> Span | None:
        """Where the planted sentence of a text stands; None if it has none, or somebody else planted it."""
        sql = "SELECT start, stop FROM planted WHERE document = ? AND visitor IN (?, '') ORDER BY visitor DESC"
        row = self._connection.execute(sql, (document_id, self._connection.visitor or "")).fetchone()
        return Span(*row) if row else None
