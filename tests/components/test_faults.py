"""A full disk, a lock, a home that cannot be written, a newer database, a clock that jumps: a sentence with what to do on every
page and on the command line, no traceback, and what was there before stays.

Not here: which fault is said in which words, and damaged databases (`tests/engine/store/test_faults.py`).
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from readers.cli import main
from readers.engine.store import Store, database, migrations
from readers.engine.store.database import this_worker
from tests.engine.store.test_delete import at_work, read
from tests.support.app_pages import html, opened, words
from tests.support.models.scripted_models import parts_of
from tests.support.paths import LAMP, ROOT

PAGES = ["", *(path.stem for path in sorted((ROOT / "pages").glob("*.py")))]
WITHOUT_DATABASE = ("7_Learn", "8_Models")  # they need none
# What makes a connection fail when it writes, and what is then said.
SAID = {
    "full": ("PRAGMA max_page_count = 1", "disk is full: the database '{path}' could not be written", "Free some space"),
    "read only": ("PRAGMA query_only = ON", "database '{path}' cannot be opened for writing", "Allow this user to write"),
    "locked": ("PRAGMA busy_timeout = 20", "database '{path}' was locked by another program", "close what else uses it"),
}
NEGATIVE = re.compile(r"[-−]\d+(\.\d+)? ?(s\b|second|min|hour|day|h\b)")
# A page, and what is pressed there that writes.
PRESSED = [
    ("", "Read this sample now"),
    ("", "Step through this reading"),
    ("2_Read", "Start reading"),
    ("5_Questions", "Add the samples’ questions"),
]


@pytest.fixture(params=SAID)
def fault(request: pytest.FixtureRequest, store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Every connection that is opened from now on can read, and cannot write."""
    open_database = migrations.open_database

    def faulty(path: Path) -> sqlite3.Connection:
        opened = open_database(path)
        opened.execute(SAID[request.param][0])  # a file cannot have fewer pages than it has
        return opened

    read(store, parts_of(6))
    monkeypatch.setattr(database, "open_database", faulty)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        if request.param == "locked":
            other.execute("BEGIN IMMEDIATE")
        yield request.param


def everything(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as other:
        return list(other.iterdump())


def at(app: AppTest, page: str, store: Store) -> AppTest:
    (run,) = store.runs.listed()
    if page == "3_Trace":
        app.query_params["run"] = run.id
    if page == "1_Library":
        app.query_params["document"] = run.document
    app.run()
    assert not app.exception
    return app


def said(fault: str, path: Path, told: str) -> bool:
    """Whether the sentence of a fault is there, and what to do."""
    return all(part.format(path=path) in told for part in SAID[fault][1:])


def press(app: AppTest, label: str) -> None:
    [button for button in app.button if button.label == label][-1].click().run()
    assert not app.exception


@pytest.mark.slow
@pytest.mark.parametrize(("page", "pressed"), PRESSED)
def test_what_cannot_be_written_is_said_where_it_was_pressed(page: str, pressed: str, fault: str, store: Store) -> None:
    before = everything(store.path)
    with opened(page) as app:
        press(at(app, page, store), pressed)
        assert said(fault, store.path, words(app)), words(app)
    assert everything(store.path) == before


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["read only", "locked"], indirect=True)
@pytest.mark.parametrize("page", ["1_Library", "3_Trace"])
def test_what_cannot_be_deleted_is_said_and_stays(page: str, fault: str, store: Store) -> None:
    before = everything(store.path)
    with opened(page) as app:
        press(at(app, page, store), "Delete")
        assert said(fault, store.path, words(app)), words(app)
    assert everything(store.path) == before


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["full"], indirect=True)
@pytest.mark.parametrize("page", ["1_Library", "3_Trace"])
def test_on_a_full_disk_one_can_still_delete(page: str, fault: str, store: Store) -> None:
    with opened(page) as app:
        press(at(app, page, store), "Delete")
    assert store.runs.listed() == []
    assert store.check() == "ok"


def test_the_command_line_says_what_cannot_be_written_in_one_line(
    fault: str, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(store.path)
    assert main(["runs"]) == 0
    capsys.readouterr()
    assert main(["read", str(LAMP), "--question", "Who lit the lamp?", "--reader", "whole"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("palimpsest: ")
    assert said(fault, store.path, told)
    assert told.count("\n") == 1
    assert everything(store.path) == before


# What cannot be opened at all


@pytest.fixture(params=["newer", "no home"])
def closed(request: pytest.FixtureRequest, store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A database that cannot be opened; what is said of it."""
    if request.param == "newer":
        with closing(sqlite3.connect(store.path, isolation_level=None)) as database:
            row = (migrations.APPLICATION, "m999_from_the_future", "2099-01-01")
            database.execute(f"INSERT INTO {migrations.APPLIED} (migration_set, name, applied_at) VALUES (?, ?, ?)", row)
        return "was written by a newer Palimpsest"
    (tmp_path / "letter").write_text("Dear", encoding="utf-8")
    monkeypatch.setenv("PALIMPSEST_HOME", str(tmp_path / "letter" / "home"))
    return "cannot be used (Not a directory)"


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if page not in WITHOUT_DATABASE])
def test_a_page_says_that_the_database_cannot_be_opened(page: str, closed: str) -> None:
    with opened(page) as app:
        app.run()
        assert not app.exception
        assert closed in words(app)
        assert "set PALIMPSEST_HOME to another folder" in words(app)


@pytest.mark.parametrize("command", [["runs"], ["doctor"], ["questions"]])
def test_the_command_line_says_it_in_one_line(command: list[str], closed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command) == 1
    told = capsys.readouterr().err
    assert closed in told
    assert "set PALIMPSEST_HOME to another folder" in told
    assert told.count("\n") == 1


# A clock that jumps


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("year", ["1971", "2099"])
def test_a_reading_of_another_time_is_shown(page: str, year: str, store: Store) -> None:
    """It began under a clock that was years off, and has ended before it began, or goes on."""
    ended, live = read(store, parts_of(6)), read(store, parts_of(6), "Where is word2x3?")
    with closing(sqlite3.connect(store.path, isolation_level=None)) as database:
        database.execute("UPDATE runs SET created = ?, started = ?", (f"{year}-01-01T00:00:00+00:00",) * 2)
        database.execute("UPDATE runs SET ended = '1980-01-01T00:00:00+00:00'")
    at_work(store, live.id, this_worker())
    with opened(page) as app:
        if page in ("3_Trace", "4_Compare"):
            app.query_params["run"] = live.id if page == "3_Trace" else [live.id, ended.id]
        app.run()
        assert not app.exception
        assert not NEGATIVE.search(words(app) + html(app))
    store.runs.settle(live.id, "cancelled")
