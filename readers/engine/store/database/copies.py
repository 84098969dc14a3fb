"""The copy of a database from before its last migration: one file beside it, made with SQLite's backup, so that what is only in
the write-ahead log is in it, too.

A migration that fails is rolled back, so the copy is for one that succeeds and is regretted, such as by going back to an earlier
version. Only the last one is kept; nothing here reads it.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

PREPARED = "PRAGMA journal_mode = OFF"  # an unfinished copy is deleted, so it needs no journal


def copy_of(path: Path) -> Path:
    """Where the copy of the database at `path` lies, if there is one."""
    return path.with_name(f"{path.name}.before-update")


def make_copy(path: Path) -> Path:
    """Copy the database in the place of an earlier copy, readable by its user alone. Raises sqlite3.Error and OSError; the
    earlier copy is then still there."""
    new, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mode 0600
    os.close(new)
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(name, isolation_level=None)) as target:
            target.execute(PREPARED)
            source.backup(target)
        os.replace(name, copy_of(path))
    except BaseException:
        os.unlink(name)
        raise
    return copy_of(path)
