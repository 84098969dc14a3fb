"""Opening a database, and bringing it to the current tables (`schema.py`) by numbered migrations.

One file, SQLite in WAL mode. A connection belongs to the thread that opened it. Writing begins with BEGIN IMMEDIATE: a plain
BEGIN that reads first would fail while another process writes, regardless of the busy timeout. A database with a newer schema, or
of another program, is refused and left untouched. An older database is copied before it is migrated: into one file next to it,
made with SQLite's backup, so that it includes what is only in the write-ahead log. A migration that fails is rolled back, so the
copy is for undoing a migration that succeeded; only the last copy is kept, and no code here reads it. sqlite-utils applies the
migrations and lists them in the database. It loads pandas, so it is imported only for an older database: a new one gets its
tables and the same list here.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from readers.engine.errors import StoreError
from readers.engine.faults import BUSY_SECONDS, OTHER_HOME, damaged, of_database, of_file
from readers.engine.store.schema import MIGRATIONS

if TYPE_CHECKING:
    from sqlite_utils import Database as Tables

APPLIED = "_sqlite_migrations"
APPLICATION = "palimpsest"  # of databases whose migrations the table may list
# The list of migrations, as sqlite-utils makes it.
LIST = (
    f'CREATE TABLE IF NOT EXISTS "{APPLIED}" (\n   "id" INTEGER PRIMARY KEY,\n   "migration_set" TEXT,\n   "name" TEXT,\n'
    '   "applied_at" TEXT\n)',
    f'CREATE UNIQUE INDEX IF NOT EXISTS "idx_{APPLIED}_migration_set_name"\n    ON "{APPLIED}" ("migration_set", "name")',
)
PREPARED = "PRAGMA journal_mode = OFF"  # an unfinished copy is deleted, so it needs no journal


logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")
# Errors of the program itself, which stay as they are: a broken constraint, a statement used wrongly.
_PROGRAM = (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError, sqlite3.NotSupportedError)


class Database(sqlite3.Connection):
    """An open database whose errors are readable sentences (StoreError)."""

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
        except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite may quote damaged data
            if isinstance(error, _PROGRAM):
                raise
            cursor: Any = args[0]
            raise _sentence(error, cursor.connection.path) from error

    return act


_next_row = _translated(sqlite3.Cursor.__next__)


class _Cursor(sqlite3.Cursor):
    """Rows may also be unreadable, so fetching them is translated like executing."""

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
        raise _sentence(error, path) from error
    except OSError as error:
        raise of_file(error, path) from error


def _sentence(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> StoreError:
    return of_database(str(error), getattr(error, "sqlite_errorcode", None), path)


def open_database(path: Path) -> sqlite3.Connection:
    """The database at `path`, created or migrated to the current schema. Raises StoreError if that is impossible."""
    with translating(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _create(path)
        db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, factory=Database)
        db.path = path
        is_outdated = _check_schema(db, path)
        if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA foreign_keys = ON")
        if is_outdated:
            _update(db, path)
        return db


def _create(path: Path) -> None:
    """Create an empty database that only its user can read, if there is none; SQLite creates its side files with the same rights.

    It is never opened under its own name: closing a file ends all locks of this process on it, those of SQLite among them.
    """
    if path.exists():
        return
    try:
        new, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mode 0600
    except OSError as error:
        error.filename = str(path.parent)  # not a name that was not chosen
        raise
    os.close(new)
    with suppress(OSError):  # another process was faster, or the file system has no links, and SQLite creates the file
        os.link(name, path)
    os.unlink(name)


def _check_schema(db: sqlite3.Connection, path: Path) -> bool:
    """Whether migrations must be applied. Raises StoreError for a newer schema, and for the database of another program."""
    applied, tables = set(schema_names(db)), set[str]()
    if not applied:
        tables = _tables(db)  # before the list once more: another program may make both between two looks
        applied = set(schema_names(db))
    if not applied and tables:
        if {"documents", "runs", "calls"} <= tables:
            raise damaged(path, "the list of its migrations is missing")
        raise StoreError(
            f"the database {str(path)!r} belongs to another program: it has a table {min(tables)!r}. It was left untouched: move "
            f"it away, or {OTHER_HOME}"
        )
    newer = sorted(applied - set(MIGRATIONS))
    if newer:
        raise StoreError(
            f"the database {str(path)!r} was written by a newer Palimpsest (it has {newer[-1]!r}). It was left untouched: "
            f"update this program, or {OTHER_HOME}"
        )
    return applied != set(MIGRATIONS)


def _tables(db: sqlite3.Connection) -> set[str]:
    sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite#_%' ESCAPE '#' AND name != ?"
    return {name for (name,) in db.execute(sql, (APPLIED,))}


def _update(db: sqlite3.Connection, path: Path) -> None:
    """Migrate a database, and copy it before if there is anything in it. Raises StoreError; the database is then as it was."""
    with writing(db):
        if not _check_schema(db, path):  # another process was faster
            return
        is_new = not schema_names(db)
        if not is_new:
            _copy(path)
        try:
            (_make_tables if is_new else _apply_missing)(db)
        except (StoreError, sqlite3.Error) as error:
            copied = "" if is_new else f" A copy from before is at {str(copy_of(path))!r}."
            raise StoreError(
                f"the database {str(path)!r} could not be brought up to this version ({error}). It was left as it was.{copied}"
            ) from error
    if not is_new:
        logger.warning("the database %s was brought up to this version; a copy from before is at %s", path, copy_of(path))


def _copy(path: Path) -> None:
    try:
        with translating(path):
            make_copy(path)
    except StoreError as error:
        raise StoreError(
            f"{error}. A database is copied before it is brought up to a new version; no copy was made, and nothing was changed"
        ) from error


def copy_of(path: Path) -> Path:
    """Where the copy of the database at `path` lies, if there is one."""
    return path.with_name(f"{path.name}.before-update")


def make_copy(path: Path) -> Path:
    """Copy the database over an earlier copy, readable only by its user. Raises sqlite3.Error and OSError; the earlier copy is
    then still there."""
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


def missing_part(db: sqlite3.Connection) -> str:
    """The first table, column or index that is in the schema but not in this database, in words; empty if it has all."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as whole:
        for statement in (statement for statements in MIGRATIONS.values() for statement in statements):
            whole.execute(statement)
        expected = _parts(whole)
    found = _parts(db)
    return next((part for part in expected if part not in found), "")


def _parts(db: sqlite3.Connection) -> dict[str, None]:
    """The tables, columns and indexes of a database in words; each table before its columns."""
    tables = sorted(_tables(db))
    columns = [(table, row[1]) for table in tables for row in db.execute(f"PRAGMA table_info({table})")]
    indexes = db.execute("SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY name").fetchall()
    return dict.fromkeys(
        [
            *(f"the table {table!r}" for table in tables),
            *(f"the column {column!r} of the table {table!r}" for table, column in columns),
            *(f"the index {name!r}" for (name,) in indexes),
        ]
    )


def schema_names(db: sqlite3.Connection) -> list[str]:
    """The migrations that were applied to this database, in order."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (APPLIED,)).fetchone() is None:
        return []
    return [name for (name,) in db.execute(f"SELECT name FROM {APPLIED} WHERE migration_set = ? ORDER BY id", (APPLICATION,))]


def migrate(db: sqlite3.Connection, *, before: str = "") -> None:
    """Apply the missing migrations in one transaction: all of them, or those before the given one."""
    with writing(db):
        _apply_missing(db, before=before)


def _make_tables(db: sqlite3.Connection) -> None:
    """What `_apply_missing` makes of an empty database."""
    for statement in (*LIST, *(statement for statements in MIGRATIONS.values() for statement in statements)):
        db.execute(statement)
    rows = [(APPLICATION, name, str(datetime.now(UTC))) for name in MIGRATIONS]
    db.executemany(f"INSERT INTO {APPLIED} (migration_set, name, applied_at) VALUES (?, ?, ?)", rows)


def _apply_missing(db: sqlite3.Connection, *, before: str = "") -> None:
    from sqlite_utils import Database as Tables
    from sqlite_utils import Migrations

    migrations = Migrations(APPLICATION)
    for name, statements in MIGRATIONS.items():
        migrations(name=name)(_applying(statements))
    migrations.apply(Tables(db), stop_before=before or None)


def _applying(statements: Iterable[str]) -> Callable[[Tables], None]:
    """A migration that executes these statements."""

    def apply(database: Tables) -> None:
        for statement in statements:
            database.execute(statement)

    return apply


@contextmanager
def writing(db: sqlite3.Connection) -> Iterator[None]:
    """One transaction that holds the write lock from its start; rolled back on any error."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # SQLite may have rolled it back itself
            with suppress(StoreError):  # what went wrong first is raised
                db.execute("ROLLBACK")
        raise
