"""The tables, created by numbered migrations, and opening a database.

One file, SQLite in WAL mode. A connection belongs to the thread that opened it. Writing begins with BEGIN IMMEDIATE: a plain
BEGIN that reads first would fail while another process writes, regardless of the busy timeout. A database with a newer schema, or
of another program, is refused and left untouched. An older database is copied before it is migrated: into one file next to it,
made with SQLite's backup, so that it includes what is only in the write-ahead log. A migration that fails is rolled back, so the
copy is for undoing a migration that succeeded; only the last copy is kept, and no code here reads it. sqlite-utils applies the
migrations and lists them in the database; a database that is up to date is opened without it.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from readers.engine.errors import StoreError
from readers.engine.faults import BUSY_SECONDS, OTHER_HOME, damaged, of_database, of_file

if TYPE_CHECKING:
    from sqlite_utils import Database as Tables

APPLIED = "_sqlite_migrations"
APPLICATION = "palimpsest"  # of databases whose migrations the table may list
PREPARED = "PRAGMA journal_mode = OFF"  # an unfinished copy is deleted, so it needs no journal

MIGRATIONS: dict[str, tuple[str, ...]] = {
    "m001_first": (
        """CREATE TABLE documents (
            id TEXT PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL, chars INTEGER, tokens INTEGER, created TEXT)""",
        "CREATE TABLE prompts (hash TEXT PRIMARY KEY, id TEXT, task TEXT, wording TEXT)",
        """CREATE TABLE runs (
            id TEXT PRIMARY KEY, document TEXT NOT NULL REFERENCES documents(id), reader TEXT NOT NULL, question TEXT,
            spec TEXT NOT NULL, status TEXT NOT NULL, outcome TEXT, answer TEXT, evidence TEXT, error TEXT,
            parent TEXT, fork_at INTEGER, edit TEXT, name TEXT, note TEXT,
            worker TEXT, cancel INTEGER, created TEXT, started TEXT, ended TEXT, seconds REAL)""",
        """CREATE TABLE calls (
            run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, seq INTEGER NOT NULL, attempt INTEGER NOT NULL,
            asked TEXT NOT NULL, identity TEXT NOT NULL, prompt TEXT NOT NULL REFERENCES prompts(hash), task TEXT NOT NULL,
            shared INTEGER NOT NULL, parts TEXT NOT NULL, note TEXT NOT NULL, sample INTEGER NOT NULL, origin TEXT NOT NULL,
            model TEXT NOT NULL, reply TEXT, parsed TEXT, tokens_in INTEGER, tokens_out INTEGER, cost_usd REAL, ms INTEGER,
            error TEXT, messages TEXT, PRIMARY KEY (run, seq, attempt))""",
        "CREATE INDEX calls_shared ON calls(identity) WHERE shared AND reply IS NOT NULL AND origin IN ('live', 'cached')",
        """CREATE TABLE events (
            run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, n INTEGER NOT NULL, body TEXT NOT NULL,
            PRIMARY KEY (run, n)) WITHOUT ROWID""",
        "CREATE INDEX idx_runs_created ON runs (created)",
        "CREATE INDEX idx_runs_document ON runs (document)",
    ),
    "m002_visits": (
        """CREATE TABLE visits (
            item TEXT NOT NULL, visitor TEXT NOT NULL, worker TEXT NOT NULL, PRIMARY KEY (item, visitor)) WITHOUT ROWID""",
    ),
    "m003_prompt_sets": (
        """CREATE TABLE prompt_sets (
            reader TEXT NOT NULL, name TEXT NOT NULL, templates TEXT NOT NULL, created TEXT NOT NULL,
            PRIMARY KEY (reader, name)) WITHOUT ROWID""",
    ),
    # Forks in families, samples of one experiment, runs imported from run files (`taken_in`: their replies are not verified, so
    # they are not shared), tags, and calls that wait for a person's reply.
    "m004_what_if": (
        "ALTER TABLE runs ADD COLUMN experiment TEXT",
        "ALTER TABLE runs ADD COLUMN taken_in INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX idx_runs_parent ON runs (parent)",
        """CREATE TABLE tags (
            run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, tag TEXT NOT NULL, PRIMARY KEY (run, tag)) WITHOUT ROWID""",
        """CREATE TABLE waiting (
            run TEXT PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE, seq INTEGER NOT NULL, attempt INTEGER NOT NULL,
            call TEXT NOT NULL, reply TEXT, ms INTEGER) WITHOUT ROWID""",
    ),
    # Question sets and batches; projects of runs that people label, their codebooks, labels with history, and decisions. A run
    # that belongs to a project cannot be deleted: its labels would mean nothing without it.
    "m005_annotate": (
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
    ),
    # What a model thought before a reply, and why it stopped; since when a run has been waiting for its oldest call.
    "m006_replies": (
        "ALTER TABLE calls ADD COLUMN thoughts TEXT",
        "ALTER TABLE calls ADD COLUMN finish TEXT",
        """CREATE TABLE waits (
            run TEXT PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE, seq INTEGER NOT NULL, since TEXT NOT NULL)
            WITHOUT ROWID""",
    ),
    # What visitors of a public demo began and spent.
    "m007_demo_usage": (
        """CREATE TABLE demo_usage (
            day TEXT NOT NULL, counter TEXT NOT NULL, readings INTEGER NOT NULL, calls INTEGER NOT NULL, usd REAL NOT NULL,
            PRIMARY KEY (day, counter)) WITHOUT ROWID""",
    ),
    # What each owner of an item calls it, writes about it, and when they added it: the same text of two visitors is one document.
    "m008_own_titles": (
        "ALTER TABLE visits ADD COLUMN title TEXT",
        "ALTER TABLE visits ADD COLUMN note TEXT",
        "ALTER TABLE visits ADD COLUMN added TEXT",
    ),
    # Where in a text its owner planted a sentence; the visitor is empty for the host.
    "m009_planted": (
        """CREATE TABLE planted (
            document TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE, visitor TEXT NOT NULL, start INTEGER NOT NULL,
            stop INTEGER NOT NULL, PRIMARY KEY (document, visitor)) WITHOUT ROWID""",
    ),
    # What became of the evidence in a run: derived from its record by one version of the rules, and computed again if missing.
    "m010_fates": (
        """CREATE TABLE fates (
            run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, known TEXT NOT NULL, ended TEXT NOT NULL,
            version INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (run, known)) WITHOUT ROWID""",
    ),
    # Several readings of one question by one variant of a batch: its samples, from 0.
    "m011_samples": (
        """CREATE TABLE batch_samples (
            batch TEXT NOT NULL REFERENCES batches(id) ON DELETE CASCADE, number INTEGER NOT NULL, variant INTEGER NOT NULL,
            sample INTEGER NOT NULL, run TEXT REFERENCES runs(id) ON DELETE SET NULL, error TEXT,
            PRIMARY KEY (batch, number, variant, sample)) WITHOUT ROWID""",
        "INSERT INTO batch_samples SELECT batch, number, variant, 0, run, error FROM batch_runs",
        "DROP TABLE batch_runs",
        "ALTER TABLE batch_samples RENAME TO batch_runs",
        "CREATE INDEX batch_runs_run ON batch_runs (run)",
    ),
    # The board of a project: the group of each note that was moved on it, when a group was first named, and the changes that can
    # be undone.
    "m011_board": (
        """CREATE TABLE board_notes (
            project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
            note TEXT NOT NULL REFERENCES labels(id) ON DELETE CASCADE, name TEXT NOT NULL, PRIMARY KEY (project, note))
            WITHOUT ROWID""",
        """CREATE TABLE board_groups (
            project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE, number INTEGER NOT NULL, name TEXT NOT NULL,
            PRIMARY KEY (project, number), UNIQUE (project, name)) WITHOUT ROWID""",
        """CREATE TABLE board_changes (
            project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE, number INTEGER NOT NULL, by TEXT NOT NULL,
            at TEXT NOT NULL, moved TEXT NOT NULL, PRIMARY KEY (project, number)) WITHOUT ROWID""",
    ),
    # The tokens of a reply and their log-probabilities, where a server was asked for them and gave them.
    "m012_sampled": ("ALTER TABLE calls ADD COLUMN sampled TEXT",),
    # Classes that watch a reading together: where each class is, its question, its rounds, its members, and the votes.
    "m013_classes": (
        """CREATE TABLE classes (
            id TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE, run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
            title TEXT NOT NULL, steps INTEGER NOT NULL, teacher TEXT NOT NULL, created TEXT NOT NULL, expires TEXT NOT NULL,
            ended TEXT, since TEXT NOT NULL, version INTEGER NOT NULL, state TEXT NOT NULL)""",
        "CREATE INDEX classes_run ON classes (run)",
        """CREATE TABLE class_questions (
            class TEXT NOT NULL REFERENCES classes(id) ON DELETE CASCADE, step INTEGER NOT NULL, asked TEXT NOT NULL,
            revealed TEXT, PRIMARY KEY (class, step)) WITHOUT ROWID""",
        """CREATE TABLE class_rounds (
            class TEXT NOT NULL REFERENCES classes(id) ON DELETE CASCADE, step INTEGER NOT NULL, round INTEGER NOT NULL,
            opened TEXT NOT NULL, closed TEXT, PRIMARY KEY (class, step, round)) WITHOUT ROWID""",
        """CREATE TABLE class_learners (
            class TEXT NOT NULL REFERENCES classes(id) ON DELETE CASCADE, learner TEXT NOT NULL, joined TEXT NOT NULL,
            PRIMARY KEY (class, learner)) WITHOUT ROWID""",
        """CREATE TABLE class_votes (
            class TEXT NOT NULL REFERENCES classes(id) ON DELETE CASCADE, step INTEGER NOT NULL, round INTEGER NOT NULL,
            learner TEXT NOT NULL, option INTEGER NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY (class, step, round, learner)) WITHOUT ROWID""",
    ),
    # What a person marked at steps for those who watch: a note, a pause, a choice to predict.
    "m014_stops": (
        """CREATE TABLE stops (
            run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, at INTEGER NOT NULL, note TEXT NOT NULL,
            pauses INTEGER NOT NULL, predicts INTEGER NOT NULL, PRIMARY KEY (run, at)) WITHOUT ROWID""",
    ),
    # When a device of a class was last heard of.
    "m015_class_heard": ("ALTER TABLE class_learners ADD COLUMN heard TEXT",),
    # Runs imported without replaying them, because an earlier version of their reader made them.
    "m016_unchecked": ("ALTER TABLE runs ADD COLUMN unchecked INTEGER NOT NULL DEFAULT 0",),
    # The content id of a finished run, once it was asked for (`files/runs/content.py`).
    "m017_content": (
        "ALTER TABLE runs ADD COLUMN content TEXT",
        "CREATE INDEX runs_content ON runs (content) WHERE content IS NOT NULL",
    ),
    # Whose labels of which readings the lead of a project has seen: what they label there later is not blind.
    "m018_seen": (
        """CREATE TABLE labels_seen (
            project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE, run TEXT NOT NULL, name TEXT NOT NULL,
            PRIMARY KEY (project, run, name)) WITHOUT ROWID""",
    ),
    # Why a server did not take a schema, at calls that asked in words instead.
    "m019_refused": ("ALTER TABLE calls ADD COLUMN refused TEXT",),
    # Models on their terms, by name; `chosen` is 1 for the one that a new session begins with.
    "m020_profiles": (
        """CREATE TABLE profiles (
            name TEXT PRIMARY KEY COLLATE NOCASE, terms TEXT NOT NULL, created TEXT NOT NULL,
            chosen INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID""",
    ),
    # Where the pages of a document begin, and what is printed on them: JSON, rows of [start, label]. NULL for one without pages.
    "m021_pages": ("ALTER TABLE documents ADD COLUMN pages TEXT",),
    # What a server had of a prompt from an earlier one, and how many calls were in flight together: what later readings take is
    # learnt from these.
    "m022_timing": (
        "ALTER TABLE calls ADD COLUMN tokens_cached INTEGER",
        "ALTER TABLE calls ADD COLUMN at_once REAL",
        "CREATE INDEX calls_model ON calls (model) WHERE origin = 'live' AND reply IS NOT NULL",
    ),
}

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
            _apply_missing(db)
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
    return next((part for part in expected if part not in _parts(db)), "")


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


def _apply_missing(db: sqlite3.Connection, *, before: str = "") -> None:
    # Imported only here: it loads pandas, which takes longer than most commands, and most databases are up to date.
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
