"""Whose a document or a reading is, where visitors share one database and must not see each other's: a public demo.

What nobody owns is the host's, and everybody may see it. A visit belongs to the process that serves it, and its leftovers can be
told by that process being dead. Not here: when a visit ends, and who the visitor is (`components/session/state.py`).
"""

from __future__ import annotations

from sqlite_utils import Database

# Which rows a visitor may see; the placeholder takes the visitor.
SEEN = """(NOT EXISTS (SELECT 1 FROM visits WHERE item = {table}.id)
    OR EXISTS (SELECT 1 FROM visits WHERE item = {table}.id AND visitor = ?))"""
_SEES = """SELECT NOT EXISTS (SELECT 1 FROM visits WHERE item = :item)
    OR EXISTS (SELECT 1 FROM visits WHERE item = :item AND visitor = :visitor)"""


class Visits:
    """Who owns what. Belongs to the thread of its database; writing stands inside its caller's transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def own(self, item: str, visitor: str, worker: str) -> None:
        """An item may have several owners: the same text is one document."""
        self._db.conn.execute("INSERT OR IGNORE INTO visits (item, visitor, worker) VALUES (?, ?, ?)", (item, visitor, worker))

    def disown(self, item: str, visitor: str) -> None:
        self._db.conn.execute("DELETE FROM visits WHERE item = ? AND visitor = ?", (item, visitor))

    def forget(self, item: str) -> None:
        """The item is gone."""
        self._db.conn.execute("DELETE FROM visits WHERE item = ?", (item,))

    def owners(self, item: str) -> set[str]:
        return {visitor for (visitor,) in self._db.conn.execute("SELECT visitor FROM visits WHERE item = ?", (item,))}

    def of(self, visitor: str) -> set[str]:
        return {item for (item,) in self._db.conn.execute("SELECT item FROM visits WHERE visitor = ?", (visitor,))}

    def may_see(self, item: str, visitor: str) -> bool:
        row = self._db.conn.execute(_SEES, {"item": item, "visitor": visitor}).fetchone()
        return bool(row[0])

    def workers(self) -> dict[str, str]:
        """Every visitor, and the process that serves them."""
        return dict(self._db.conn.execute("SELECT DISTINCT visitor, worker FROM visits"))
