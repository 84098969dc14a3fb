"""What databases and the file system report, as a sentence that names the database or file and says what to do.

What was saved before is safe in all of these: a transaction is written whole or not at all. Not here: meeting these errors, which
`store/migrations.py` does for every statement.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from readers.engine.errors import StoreError

BUSY_SECONDS = 60
OTHER_HOME = "set PALIMPSEST_HOME to another folder"
_FULL = (errno.ENOSPC, errno.EDQUOT)
# What decoding raises where a value is not as it was written.
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError, OverflowError)
_REFUSED = (errno.EROFS, errno.EACCES, errno.EPERM)
# SQLite's result codes.
_PERM, _BUSY, _LOCKED, _READONLY, _IOERR, _CORRUPT, _DISK_FULL, _CANTOPEN, _AUTH, _NOTADB = 3, 5, 6, 8, 10, 11, 13, 14, 23, 26


def of_database(why: str, code: int | None, path: Path) -> StoreError:
    """What went wrong with a database: SQLite's words, and its result code. Without a code, a text in it is not UTF-8."""
    code = _CORRUPT if code is None else code & 0xFF
    name = f"the database {str(path)!r}"
    if code == _DISK_FULL:
        return StoreError(
            f"the disk is full: {name} could not be written. What was saved before is safe. Free some space, then try again; a "
            "reading that stopped can be resumed"
        )
    if code in (_BUSY, _LOCKED):
        return StoreError(
            f"{name} was locked by another program for {BUSY_SECONDS} seconds. Nothing was changed: close what else uses it "
            "(another Palimpsest, a backup, a database browser), then try again"
        )
    if code in (_CORRUPT, _NOTADB):
        return damaged(path, why)
    if code in (_READONLY, _CANTOPEN, _PERM, _AUTH):
        return StoreError(
            f"{name} cannot be opened for writing ({why}). Allow this user to write to the file and its folder, or {OTHER_HOME}"
        )
    if code == _IOERR:
        return StoreError(f"{name} could not be read or written ({why}). Check the disk and its free space, then try again")
    return StoreError(f"{name} cannot be used ({why}). `python -m readers doctor` checks it; or move it away, or {OTHER_HOME}")


def damaged(path: Path, why: str) -> StoreError:
    """A database with damaged data."""
    return StoreError(
        f"the database {str(path)!r} is damaged ({why}). Copy it to a safe place first. `sqlite3 OLD .recover | sqlite3 NEW` "
        f"saves what can still be read; or move it away, so that a new one is made, or {OTHER_HOME}"
    )


def of_file(error: OSError, path: Path | None = None) -> StoreError:
    """What went wrong with a file or folder."""
    name = repr(str(error.filename)) if error.filename else str(path or "a file")
    why = error.strerror or str(error)
    if error.errno in _FULL:
        return StoreError(f"the disk is full: {name} could not be written. Free some space, then try again")
    if error.errno in _REFUSED:
        return StoreError(f"{name} cannot be used by this user ({why}). Change its permissions, or {OTHER_HOME}")
    return StoreError(f"{name} cannot be used ({why}). Check the path and the disk, or {OTHER_HOME}")


@contextmanager
def decoding(path: Path) -> Iterator[None]:
    """Within this, values written by the store itself are decoded: an invalid value means damage."""
    try:
        yield
    except UNREADABLE as error:
        raise damaged(path, f"a value in it cannot be read: {type(error).__name__}: {error}") from error
