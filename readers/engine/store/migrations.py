"""The tables, created by numbered migrations, and opening a database.

One file, SQLite in WAL mode. A connection belongs to the thread that opened it. Writing begins with BEGIN IMMEDIATE: a plain
BEGIN that reads first would fail beside another writer, whatever the busy timeout. A database with a newer schema is refused and
left untouched.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database, Migrations

from readers.engine.errors import StoreError

BUSY_SECONDS = 60
migrations = Migrations("palimpsest")


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
    """Forks in families, samples of one experiment, runs imported from run files (`taken_in`: nobody vouches for their replies,
    so these are not shared), tags, and calls that wait for a person's reply."""
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


@migrations()
def m005_annotate(db: Database) -> None:
    """Question sets and batches; projects of runs that people label, their codebooks, labels with history, and decisions.

    A run that belongs to a project cannot be deleted: its labels would mean nothing without it.
    """
    for statement in _ANNOTATE:
        db.execute(statement)


_ANNOTATE = (
    """CREATE TABLE question_sets (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, note TEXT, created TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE questions (
        question_set TEXT NOT NULL REFERENCES question_sets(id) ON DELETE CASCADE, number INTEGER NOT NULL,
        document TEXT NOT NULL, key TEXT NOT NULL, question TEXT NOT NULL, known TEXT NOT NULL,
        PRIMARY KEY (question_set, number)) WITHOUT ROWID""",
    """CREATE TABLE batches (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, question_set TEXT NOT NULL, created TEXT NOT NULL, plan TEXT NOT NULL,
        cancelled INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID""",
    """CREATE TABLE batch_runs (
        batch TEXT NOT NULL REFERENCES batches(id) ON DELETE CASCADE, number INTEGER NOT NULL, variant INTEGER NOT NULL,
        run TEXT REFERENCES runs(id) ON DELETE SET NULL, error TEXT, PRIMARY KEY (batch, number, variant)) WITHOUT ROWID""",
    "CREATE INDEX batch_runs_run ON batch_runs (run)",
    """CREATE TABLE projects (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, created TEXT NOT NULL, settings TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE project_runs (
        project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE, number INTEGER NOT NULL,
        run TEXT NOT NULL REFERENCES runs(id), PRIMARY KEY (project, number), UNIQUE (project, run)) WITHOUT ROWID""",
    "CREATE INDEX project_runs_run ON project_runs (run)",
    """CREATE TABLE annotators (
        project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE, name TEXT NOT NULL, joined TEXT NOT NULL,
        stage INTEGER NOT NULL, PRIMARY KEY (project, name)) WITHOUT ROWID""",
    """CREATE TABLE turns (
        project TEXT NOT NULL, run TEXT NOT NULL, annotator TEXT NOT NULL, stage INTEGER NOT NULL, standing TEXT NOT NULL,
        reason TEXT, opened TEXT NOT NULL, closed TEXT, ms INTEGER NOT NULL DEFAULT 0, again INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (project, run, annotator, stage),
        FOREIGN KEY (project, annotator) REFERENCES annotators(project, name) ON DELETE CASCADE) WITHOUT ROWID""",
    """CREATE TABLE labels (
        id TEXT PRIMARY KEY, project TEXT NOT NULL, run TEXT NOT NULL, annotator TEXT NOT NULL, kind TEXT NOT NULL,
        target TEXT NOT NULL, value TEXT NOT NULL, codebook INTEGER NOT NULL, revision INTEGER NOT NULL, at TEXT NOT NULL,
        removed INTEGER NOT NULL DEFAULT 0,
        FOREIGN KEY (project, annotator) REFERENCES annotators(project, name) ON DELETE CASCADE) WITHOUT ROWID""",
    "CREATE INDEX labels_run ON labels (project, run, annotator)",
    """CREATE TABLE label_history (
        label TEXT NOT NULL REFERENCES labels(id) ON DELETE CASCADE, revision INTEGER NOT NULL,
        refused INTEGER NOT NULL DEFAULT 0, value TEXT NOT NULL, codebook INTEGER NOT NULL, at TEXT NOT NULL,
        removed INTEGER NOT NULL, PRIMARY KEY (label, revision, refused)) WITHOUT ROWID""",
    """CREATE TABLE codebooks (
        project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE, version INTEGER NOT NULL, at TEXT NOT NULL,
        by TEXT NOT NULL, change TEXT NOT NULL, codes TEXT NOT NULL, PRIMARY KEY (project, version)) WITHOUT ROWID""",
    """CREATE TABLE decisions (
        project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE, run TEXT NOT NULL, target TEXT NOT NULL,
        revision INTEGER NOT NULL, value TEXT NOT NULL, reason TEXT NOT NULL, by TEXT NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (project, run, target, revision)) WITHOUT ROWID""",
)


def open_database(path: Path) -> Database:
    """The database at `path`, created or migrated to the current schema. Raises StoreError if that is impossible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        db = Database(connection)
        is_outdated = _check_schema(db, path)
        if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA foreign_keys = ON")
        if is_outdated:
            with writing(db):
                migrations.apply(db)
        return db
    except (sqlite3.Error, OSError) as error:
        raise StoreError(
            f"the database {str(path)!r} cannot be used: {error}. Move it away, or set PALIMPSEST_HOME to a folder that can be "
            "written to"
        ) from None


def _check_schema(db: Database, path: Path) -> bool:
    """Whether migrations are to be applied. Raises StoreError for a newer schema."""
    known = {migration.name for migration in migrations._migrations}
    applied = set(schema_names(db))
    newer = sorted(applied - known)
    if newer:
        raise StoreError(
            f"the database {str(path)!r} was written by a newer Palimpsest (it has {newer[-1]!r}). It was left untouched: "
            "update this program, or set PALIMPSEST_HOME to another folder"
        )
    return known != applied


def schema_names(db: Database) -> list[str]:
    """The migrations that were applied to this database, in order."""
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
