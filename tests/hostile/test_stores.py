"""A database that is not as this program needs it: an older one, one that lacks a table, one of another program."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from readers.cli import main
from readers.engine.errors import StoreError
from readers.engine.store import Store, migrations
from readers.engine.store.migrations import migrate
from readers.engine.store.run_list import SORTS, RunFilter
from readers.engine.store.schema import MIGRATIONS
from tests.engine.store.test_delete import read
from tests.support.app_pages import html, opened
from tests.support.models.scripted_models import parts_of

BEFORE_THE_LAST = list(MIGRATIONS)[-1]
TEXT = parts_of(40)


@pytest.fixture
def old(own_home: Path) -> Path:
    """A store from before the last migration; its text is in the file's write-ahead log alone, as after a kill."""
    own_home.mkdir()
    path = own_home / "palimpsest.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        migrate(db, before=BEFORE_THE_LAST)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        row = (TEXT.id, TEXT.title, TEXT.text)
        db.execute("INSERT INTO documents (id, title, text, chars, tokens, created) VALUES (?, ?, ?, 1, 1, '')", row)
        main_file, log = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    path.write_bytes(main_file)
    Path(f"{path}-wal").write_bytes(log)
    return path


def holds(path: Path) -> tuple[list[str], list[str]]:
    """The texts and migrations in a file, opened as it is."""
    with closing(sqlite3.connect(path)) as db:
        texts = [text for (text,) in db.execute("SELECT text FROM documents")]
        return texts, migrations.schema_names(db)


def test_a_store_is_copied_with_its_log_before_it_is_migrated(old: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Store(old) as store:
        assert store.schema() == list(MIGRATIONS)
        assert store.documents.get(TEXT.id).text == TEXT.text
    copy = migrations.copy_of(old)
    assert holds(copy) == ([TEXT.text], list(MIGRATIONS)[:-1])
    assert copy.stat().st_mode & 0o077 == 0
    assert str(copy) in caplog.text
    with Store(old):  # one that is up to date is not copied, nor is a new one
        pass
    assert sorted(path.name for path in old.parent.iterdir() if path.suffix != ".db") == [copy.name]


def test_doctor_says_where_the_copy_is(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    assert str(migrations.copy_of(old)) in capsys.readouterr().out


def test_a_migration_that_fails_leaves_the_store_as_it_was_and_names_the_copy(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MIGRATIONS, BEFORE_THE_LAST, (*MIGRATIONS[BEFORE_THE_LAST], "CREATE TABLE runs (id)"))
    with pytest.raises(StoreError) as raised:
        Store(old)
    assert "was left as it was" in str(raised.value)
    assert str(migrations.copy_of(old)) in str(raised.value)
    assert holds(old) == holds(migrations.copy_of(old)) == ([TEXT.text], list(MIGRATIONS)[:-1])


def test_without_room_for_a_copy_nothing_is_migrated(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrations, "PREPARED", "PRAGMA max_page_count = 3")
    with pytest.raises(StoreError, match=r"the disk is full: .*palimpsest.db.* no copy .* nothing was changed"):
        Store(old)
    assert holds(old) == ([TEXT.text], list(MIGRATIONS)[:-1])
    assert [path.name for path in old.parent.iterdir() if not path.name.startswith(f"{old.name}-")] == [old.name]


# What lacks something, and what is somebody else's


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DROP TABLE tags", "the table 'tags' is missing"),
        ("DROP INDEX idx_runs_parent", "the index 'idx_runs_parent' is missing"),
        ("ALTER TABLE calls DROP COLUMN sampled", "the column 'sampled' of the table 'calls' is missing"),
    ],
)
def test_doctor_finds_what_is_missing(store: Store, change: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    store.connection.execute(change)
    assert main(["doctor"]) == 1
    assert f"is damaged ({said}). Copy it" in capsys.readouterr().err


def test_the_database_of_another_program_is_left_alone(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own_home.mkdir()
    path = own_home / "palimpsest.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE customers (name TEXT)")
    before = path.read_bytes()
    assert main(["doctor"]) == 1
    said = capsys.readouterr().err
    assert f"the database {str(path)!r} belongs to another program: it has a table 'customers'" in said
    assert "set PALIMPSEST_HOME to another folder" in said
    assert path.read_bytes() == before
    assert [one.name for one in own_home.iterdir()] == [path.name]


@pytest.mark.parametrize("spec", ["{", "[]", "null", '"x"', "\x00"])
def test_a_reading_that_cannot_be_read_hides_no_other(store: Store, spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    whole, broken = (read(store, parts_of(parts)).id for parts in (2, 3))
    store.connection.execute("UPDATE runs SET spec = ?, outcome = 'answered', answer = 'unknown' WHERE id = ?", (spec, broken))
    assert main(["runs"]) == 0
    listed = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert "unreadable" in listed[broken]
    assert "unreadable" not in listed[whole]
    assert {run.run.id for sort in SORTS for run in store.run_list.find(RunFilter(sort=sort))} == {whole, broken}
    assert store.run_list.facets().models == ("offline/extractive",)
    assert main(["show", broken]) == 1
    assert f"is damaged (reading {broken!r}: its record is damaged: " in capsys.readouterr().err
    with opened("3_Readings") as app:
        app.run()
        assert not app.exception
        assert not app.error
        assert html(app).count("cannot be read") == 1
    store.runs.delete(broken)
