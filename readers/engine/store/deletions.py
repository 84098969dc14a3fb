"""Deletions that can be undone for some seconds: what a deletion takes away, with all that hangs on it, is kept row by row.

Whatever is deleted is gone at once for everybody, by the same statements as without an undo. While it is deleted, triggers of
this connection note every row that a statement or a foreign key deletes or changes, in the same transaction: a process that is
killed has deleted and kept it, or neither. `undo` puts the rows back; `purge` forgets those that are too old.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from sqlite3 import IntegrityError
from typing import TypeVar

from readers.engine.errors import BadOptions, NotFound, StoreError
from readers.engine.store.database import Connection, now
from readers.engine.store.run import shrink_file

T = TypeVar("T")
UNDO_SECONDS = 10.0
_OWN = "deleted_rows"
_TABLES = """SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite#_%' ESCAPE '#'
    AND name NOT LIKE '#_%' ESCAPE '#'"""


class Deletions:
    """The table of what was deleted and can still be brought back."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def undoably(self, delete: Callable[[], T]) -> tuple[str, T]:
        """Delete something on this connection, and keep all of it for `undo` under the id that is returned, with what `delete`
        returned. If there is no room to keep it, it is deleted without: a full disk must not keep anybody from deleting."""
        try:
            with self._kept() as deletion:
                return deletion, delete()
        except StoreError:
            return "", delete()

    @contextmanager
    def _kept(self) -> Iterator[str]:
        deletion, columns = secrets.token_hex(16), self._columns()
        self._connection.db.create_function("as_row", -1, _as_row)
        for table, names in columns.items():
            for act in ("DELETE", "UPDATE"):
                row = ", ".join(f"OLD.{column}" for column in names)
                self._connection.execute(
                    f"CREATE TEMP TRIGGER undo_{act}_{table} BEFORE {act} ON main.{table} BEGIN "
                    "INSERT INTO deleted_rows (deletion, at, place, changed, body) "
                    f"VALUES ('{deletion}', '{now()}', '{table}', {int(act == 'UPDATE')}, as_row({row})); END"
                )
        try:
            yield deletion
        finally:
            for table in columns:
                for act in ("DELETE", "UPDATE"):
                    self._connection.execute(f"DROP TRIGGER IF EXISTS temp.undo_{act}_{table}")

    def keeps(self, deletion: str) -> bool:
        """Whether a deletion took anything away, and can still be undone."""
        sql = "SELECT 1 FROM deleted_rows WHERE deletion = ? AND at >= ? LIMIT 1"
        return self._connection.execute(sql, (deletion, _oldest())).fetchone() is not None

    def undo(self, deletion: str) -> None:
        """Put everything back. What was made anew since stays as it is. Raises NotFound if it is too late, and BadOptions if it
        hangs on something that was deleted, too."""
        if not self.keeps(deletion):
            raise NotFound("it is too late to undo this deletion: what was deleted is kept for ten seconds")
        columns = self._columns()
        try:
            with self._connection.writing():
                self._connection.execute("PRAGMA defer_foreign_keys = ON")
                sql = "SELECT place, changed, body FROM deleted_rows WHERE deletion = ? ORDER BY n DESC"
                for table, changed, body in self._connection.execute(sql, (deletion,)).fetchall():
                    values, names = json.loads(body), columns[table]
                    where = f"INSERT OR {'REPLACE' if changed else 'IGNORE'} INTO {table} ({', '.join(names)})"
                    self._connection.execute(f"{where} VALUES ({', '.join('?' for _ in names)})", values)
                self._connection.execute("DELETE FROM deleted_rows WHERE deletion = ?", (deletion,))
        except IntegrityError:
            raise BadOptions("this hangs on something that was deleted, too; undo that first") from None

    def purge(self) -> None:
        """Forget all deletions that can no longer be undone; next time, if the database cannot be written now."""
        if self._connection.execute("SELECT 1 FROM deleted_rows WHERE at < ? LIMIT 1", (_oldest(),)).fetchone():
            with suppress(StoreError):
                with self._connection.writing():
                    self._connection.execute("DELETE FROM deleted_rows WHERE at < ?", (_oldest(),))
                shrink_file(self._connection)

    def _columns(self) -> dict[str, list[str]]:
        """The columns of every table that holds what people can delete."""
        tables = [name for (name,) in self._connection.execute(_TABLES) if name != _OWN]
        return {table: [row[1] for row in self._connection.execute(f"PRAGMA table_info({table})")] for table in tables}


def _as_row(*values: object) -> str:
    return json.dumps(values, ensure_ascii=False)


def _oldest() -> str:
    return (datetime.now(UTC) - timedelta(seconds=UNDO_SECONDS)).isoformat(timespec="milliseconds")
