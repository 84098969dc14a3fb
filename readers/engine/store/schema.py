"""The tables, made by numbered migrations, and how a database is opened.

One file, SQLite in WAL. A connection belongs to the thread that opened it. Writing begins with BEGIN IMMEDIATE: a plain BEGIN
that reads first fails beside another writer, whatever the busy timeout. A database of a newer schema is refused, untouched.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs
from sqlite_utils import Database, Migrations

from readers.engine.errors import StoreError

BUSY_SECONDS = 60
migrations = Migrations("palimpsest")


def home() -> Path:
    """The folder of the database: PALIMPSEST_HOME, else the platform's user data directory."""
    return Path(os.environ.get("PALIMPSEST_HOME") or platformdirs.user_data_dir("palimpsest", appauthor=False))


@migrations()
def m001_first(db: Database) -> None:
    db.table("documents").create(
        {"id": str, "title": str, "text": str, "chars": int, "tokens": int, "created": str}, pk="id", not_null={"title", "text"}
    )
    db.table("prompts").create({"hash": str, "id": str, "task": str, "wording": str}, pk="hash")
    db.table("runs").create(
        {
            "id": str, "document": str, "reader": str, "question": str, "spec": str,
            "status": str, "outcome": str, "answer": str, "evidence": str, "error": str,
            "parent": str, "fork_at": int, "edit": str, "name": str, "note": str,
            "worker": str, "cancel": int, "created": str, "started": str, "ended": str, "seconds": float,
        },
        pk="id", not_null={"document", "reader", "spec", "status"}, foreign_keys=[("document", "documents", "id")],
    )  # fmt: skip
    db.execute(
        """CREATE TABLE calls (
            run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, seq INTEGER NOT NULL, attempt INTEGER NOT NULL,
            asked TEXT NOT NULL, identity TEXT NOT NULL, prompt TEXT NOT NULL REFERENCES prompts(hash), task TEXT NOT NULL,
            shared INTEGER NOT NULL, parts TEXT NOT NULL, note TEXT NOT NULL, sample INTEGER NOT NULL, origin TEXT NOT NULL,
            model TEXT NOT NULL, reply TEXT, parsed TEXT, tokens_in INTEGER, tokens_out INTEGER, cost_usd REAL, ms INTEGER,
            error TEXT, messages TEXT, PRIMARY KEY (run, seq, attempt))"""
    )
    db.execute("CREATE INDEX calls_shared ON calls(identity) WHERE shared AND reply IS NOT NULL AND origin IN ('live', 'cached')")
    db.execute(
        """CREATE TABLE events (
            run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, n INTEGER NOT NULL, body TEXT NOT NULL,
            PRIMARY KEY (run, n)) WITHOUT ROWID"""
    )
    db.table("runs").create_index(["created"])
    db.table("runs").create_index(["document"])


@migrations()
def m002_visits(db: Database) -> None:
    db.execute(
        """CREATE TABLE visits (
            item TEXT NOT NULL, visitor TEXT NOT NULL, worker TEXT NOT NULL, PRIMARY KEY (item, visitor)) WITHOUT ROWID"""
    )


@migrations()
def m003_prompt_sets(db: Database) -> None:
    db.execute(
        """CREATE TABLE prompt_sets (
            reader TEXT NOT NULL, name TEXT NOT NULL, templates TEXT NOT NULL, created TEXT NOT NULL,
            PRIMARY KEY (reader, name)) WITHOUT ROWID"""
    )


@migrations()
def m004_what_if(db: Database) -> None:
    """Forks in families, samples that belong to one experiment, readings taken in from run files (whose replies nobody vouches
    for, so that they are lent to no other), tags, and calls that wait for a person's reply."""
    db.execute("ALTER TABLE runs ADD COLUMN experiment TEXT")
    db.execute("ALTER TABLE runs ADD COLUMN taken_in INTEGER NOT NULL DEFAULT 0")
    db.table("runs").create_index(["parent"])
    db.execute(
        """CREATE TABLE tags (
            run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, tag TEXT NOT NULL, PRIMARY KEY (run, tag)) WITHOUT ROWID"""
    )
    db.execute(
        """CREATE TABLE waiting (
            run TEXT PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE, seq INTEGER NOT NULL, attempt INTEGER NOT NULL,
            call TEXT NOT NULL, reply TEXT, ms INTEGER) WITHOUT ROWID"""
    )


def open_database(path: Path) -> Database:
    """The database at `path`, made or brought up to this program's schema. Raises StoreError where that cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        db = Database(connection)
        _refuse_newer(db, path)
        if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA foreign_keys = ON")
        if migrations.pending(db):
            with writing(db):
                migrations.apply(db)
        return db
    except (sqlite3.Error, OSError) as error:
        raise StoreError(
            f"the database {str(path)!r} cannot be used: {error}. Move it away, or set PALIMPSEST_HOME to a folder that can be "
            "written to"
        ) from None


def _refuse_newer(db: Database, path: Path) -> None:
    known = {migration.name for migration in migrations._migrations}
    newer = sorted({applied.name for applied in migrations.applied(db)} - known)
    if newer:
        raise StoreError(
            f"the database {str(path)!r} was written by a newer Palimpsest (it has {newer[-1]!r}). It was left untouched: "
            "update this program, or set PALIMPSEST_HOME to another folder"
        )


def schema_names(db: Database) -> list[str]:
    """The migrations that this database has had, in order."""
    return [applied.name for applied in migrations.applied(db)]


@contextmanager
def writing(db: Database) -> Iterator[Database]:
    """One transaction that holds the write lock from its start; rolled back on any error."""
    db.conn.execute("BEGIN IMMEDIATE")
    try:
        yield db
    except BaseException:
        if db.conn.in_transaction:
            db.conn.execute("ROLLBACK")
        raise
    db.conn.execute("COMMIT")
