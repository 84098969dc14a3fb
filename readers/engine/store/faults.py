"""What SQLite and the file system report, as a sentence that names the database or file and says what to do.

Every statement of the store goes through `Database`, so that no error of SQLite leaves this package as it is. What was saved
before is safe: a transaction is written whole or not at all. Not here: errors of the program itself (a broken constraint, a
statement used wrongly), which stay as they are.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from readers.engine.errors import StoreError

P = ParamSpec("P")
T = TypeVar("T")

BUSY_SECONDS = 60
OTHER_HOME = "set PALIMPSEST_HOME to another folder"
_FULL = (errno.ENOSPC, errno.EDQUOT)
_REFUSED = (errno.EROFS, errno.EACCES, errno.EPERM)
_PROGRAM = (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError, sqlite3.NotSupportedError)


class Database(sqlite3.Connection):
    """An open database whose errors are sentences (StoreError)."""

    path = Path()

    def cursor(self, factory: Any = None) -> Any:
        return super().cursor(_Cursor)

    def execute(self, sql: str, parameters: Any = (), /) -> Any:
        return self.cursor().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Any, /) -> Any:
        return self.cursor().executemany(sql, parameters)

    def close(self) -> None:
        with translating(self.path):
            super().close()


def _translated(method: Callable[P, T]) -> Callable[P, T]:
    @wraps(method)
    def act(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(*args, **kwargs)
        except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite may quote what is damaged
            if isinstance(error, _PROGRAM):
                raise
            cursor: Any = args[0]
            path = cursor.connection.path
            raise (of_database(error, path) if isinstance(error, sqlite3.Error) else damaged(path, str(error))) from error

    return act


_next_row = _translated(sqlite3.Cursor.__next__)


class _Cursor(sqlite3.Cursor):
    """Rows may be unreadable, too, so fetching them is translated like executing."""

    execute = _translated(sqlite3.Cursor.execute)
    executemany = _translated(sqlite3.Cursor.executemany)
    fetchone = _translated(sqlite3.Cursor.fetchone)
    fetchmany = _translated(sqlite3.Cursor.fetchmany)
    fetchall = _translated(sqlite3.Cursor.fetchall)

    def __next__(self) -> Any:
        return _next_row(self)


@contextmanager
def translating(path: Path) -> Iterator[None]:
    """Within this, errors of SQLite and of the file system become sentences about the database at `path`."""
    try:
        yield
    except sqlite3.Error as error:
        if isinstance(error, _PROGRAM):
            raise
        raise of_database(error, path) from error
    except OSError as error:
        raise of_file(error, path) from error


def of_database(error: sqlite3.Error, path: Path) -> StoreError:
    """What went wrong with a database, by SQLite's code for it."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF  # without one: a text that is not UTF-8
    name = f"the database {str(path)!r}"
    if code == sqlite3.SQLITE_FULL:
        return StoreError(
            f"the disk is full: {name} could not be written. What was saved before is safe. Free some space, then try again; a "
            "reading that stopped can be resumed"
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreError(
            f"{name} was locked by another program for {BUSY_SECONDS} seconds. Nothing was changed: close what else uses it "
            "(another Palimpsest, a backup, a database browser), then try again"
        )
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(path, str(error))
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return StoreError(
            f"{name} cannot be opened for writing ({error}). Allow this user to write to the file and its folder, or {OTHER_HOME}"
        )
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(f"{name} could not be read or written ({error}). Check the disk and the room on it, then try again")
    return StoreError(f"{name} cannot be used ({error}). `python -m readers doctor` checks it; or move it away, or {OTHER_HOME}")


def damaged(path: Path, why: str) -> StoreError:
    """A database in which something is not as it was written."""
    return StoreError(
        f"the database {str(path)!r} is damaged ({why}). Copy it to a safe place first. `sqlite3 OLD .recover | sqlite3 NEW` "
        f"saves what can still be read; or move it away, and a new one is made, or {OTHER_HOME}"
    )


def of_file(error: OSError, path: Path | None = None) -> StoreError:
    """What went wrong with a file or folder."""
    name = repr(str(error.filename)) if error.filename else str(path or "a file")
    why = error.strerror or str(error)
    if error.errno in _FULL:
        return StoreError(f"the disk is full: {name} could not be written. Free some space, then try again")
    if error.errno in _REFUSED:
        return StoreError(f"{name} cannot be used by this user ({why}). Change its rights, or {OTHER_HOME}")
    return StoreError(f"{name} cannot be used ({why}). Check the path and the disk, or {OTHER_HOME}")


@contextmanager
def decoding(path: Path) -> Iterator[None]:
    """Within this, values that the store itself has written are decoded: what is not as it was written is damaged."""
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError, OverflowError) as error:
        raise damaged(path, f"a value in it cannot be read: {type(error).__name__}: {error}") from error
