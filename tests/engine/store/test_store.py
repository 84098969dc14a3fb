"""The store: what SQLite is told, documents and readings, and fifty readings at once."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from types import ModuleType

import psutil
import pytest

from readers.engine.errors import Busy, NotFound, StoreError
from readers.engine.models.offline import Offline
from readers.engine.record import events
from readers.engine.run.execute import Execution, RunSpec, create_run, execute, rehearse
from readers.engine.store import Run, Store, database
from readers.engine.store.database import is_alive, this_worker
from readers.engine.store.migrations import APPLICATION, APPLIED, migrate, open_database
from readers.engine.text.document import Document, PrintedPage, Span
from readers.memwalker import MemWalker
from tests.support.models.scripted_models import parts_of
from tests.support.specs import current_spec

READER = MemWalker()
OPTIONS = {"segment_tokens": 64, "max_children": 3}


def spec(number: int) -> RunSpec:
    return RunSpec("memwalker", READER.version, f"Where is word{number % 9}x3?", options=OPTIONS)


def read_some(path: str, numbers: list[int]) -> None:
    """What each process of the big test does: its readings, each on a thread of its own."""

    def one(number: int) -> None:
        with Store(Path(path)) as store:
            run = create_run(store, parts_of(9), READER, spec(number))
            execute(store, run.id, READER, Execution(Offline()))

    threads = [threading.Thread(target=one, args=(number,)) for number in numbers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize(("readings", "processes_of_five"), [(12, 0), pytest.param(50, 5, marks=pytest.mark.slow)])
def test_many_readings_at_once_lose_no_event(
    store: Store, readings: int, processes_of_five: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each on a thread of its own, and some of them in other processes."""
    # A page that another test ran is still the main module, and a spawned process would run it again.
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    apart = multiprocessing.get_context("forkserver")  # its processes come from one that has this module and no thread
    apart.set_forkserver_preload([__name__])
    groups = [range(5 * number, 5 * number + 5) for number in range(processes_of_five)]
    processes = [apart.Process(target=read_some, args=(str(store.path), list(group))) for group in groups]
    for process in processes:
        process.start()
    read_some(str(store.path), list(range(5 * processes_of_five, readings)))
    for process in processes:
        process.join(120)
        assert process.exitcode == 0
    runs = store.runs.listed()
    assert len(runs) == readings
    assert {run.status for run in runs} == {"finished"}
    alone = {number: rehearse(parts_of(9), READER, spec(number), Offline()) for number in range(9)}
    expected = {trace_spec.question: trace for trace_spec, trace in ((spec(n), alone[n]) for n in alone)}
    for run in runs:
        lines = store.runs.tape(run.id).events()
        assert lines == [events.to_json(event) for event in expected[run.question].events]
        asked = [event for event in expected[run.question].events if isinstance(event, events.Asked)]
        assert len(store.runs.tape(run.id).records()) == len(asked)
    assert store.check() == "ok"


def test_the_database_is_in_wal_and_a_writer_waits_instead_of_failing(store: Store) -> None:
    with sqlite3.connect(store.path) as other:
        assert other.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    connection = store.connection.db
    assert connection.execute("PRAGMA synchronous").fetchone()[0] == 1
    assert connection.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    assert connection.execute("PRAGMA busy_timeout").fetchone()[0] >= 30_000


def test_a_write_that_fails_leaves_nothing_behind(store: Store) -> None:
    document = parts_of(1)
    with pytest.raises(sqlite3.IntegrityError), store.connection.writing():
        store.connection.execute_many("INSERT INTO documents (id, title, text) VALUES (?, 'x', ?)", [("x", "x"), ("y", None)])
    assert store.documents.listed() == []
    store.documents.add(document)
    assert len(store.documents.listed()) == 1


def test_a_database_of_a_newer_schema_is_refused_and_left_as_it_is(store: Store) -> None:
    store.documents.add(parts_of(1))
    path = store.path
    store.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        row = (APPLICATION, "m999_from_the_future", "2099-01-01")
        db.execute(f"INSERT INTO {APPLIED} (migration_set, name, applied_at) VALUES (?, ?, ?)", row)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(StoreError, match="m999_from_the_future"):
        Store(path)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


@pytest.mark.parametrize("junk", [b"this is no database" * 100, b"SQLite format 3\x00" + b"\x07" * 4000])
def test_a_file_that_is_no_database_is_refused_with_what_to_do(tmp_path: Path, junk: bytes) -> None:
    (tmp_path / "p.db").write_bytes(junk)
    with pytest.raises(StoreError, match="PALIMPSEST_HOME"):
        Store(tmp_path / "p.db")


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="PALIMPSEST_HOME"):
        Store(tmp_path / "file" / "p.db")


def test_many_may_open_a_new_database_at_once(tmp_path: Path) -> None:
    path, failures = tmp_path / "new" / "p.db", []

    def open_it() -> None:
        try:
            Store(path).close()
        except StoreError as error:
            failures.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_the_same_text_twice_is_one_document(store: Store) -> None:
    first = store.documents.add(Document.of("A line.\r\nAnother.", title="First"))
    again = store.documents.add(Document.of("A line.\nAnother.", title="Second"))
    assert (first, first.title) == (again, "First")
    assert [shelved.id for shelved in store.documents.listed()] == [first.id]
    assert store.documents.get(first.id).text == "A line.\nAnother."


def test_a_reading_is_found_by_an_unambiguous_beginning_of_its_id(store: Store) -> None:
    run = create_run(store, parts_of(2), READER, spec(0))
    assert store.runs.get(run.id[:6]) == store.runs.get(run.id)
    for wrong in ("", "zzz", run.id + "0"):
        with pytest.raises(NotFound):
            store.runs.get(wrong)
    with pytest.raises(NotFound):
        store.documents.get("nothing")


def test_runs_are_listed_newest_first(store: Store) -> None:
    ids = [create_run(store, parts_of(2), READER, spec(n)).id for n in range(3)]
    assert [run.id for run in store.runs.listed()] == ids[::-1]
    assert [run.id for run in store.runs.listed(2)] == ids[:0:-1]


def another_process() -> str:
    """The name of a worker that lives and is not this one: the process that started this one."""
    return f"{os.getppid()}:{psutil.Process(os.getppid()).create_time():.2f}"


def at_work(store: Store, run_id: str, worker: str, status: str) -> None:
    store.connection.execute("UPDATE runs SET worker = ?, status = ? WHERE id = ?", (worker, status, run_id))


def test_a_reading_in_work_cannot_be_taken_by_another_process(store: Store) -> None:
    run = create_run(store, parts_of(2), READER, spec(0))
    store.runs.claim(run.id)
    assert store.runs.get(run.id).status == "running"
    with pytest.raises(Busy):
        store.runs.claim(run.id)
    at_work(store, run.id, another_process(), "running")
    with pytest.raises(Busy, match=str(os.getppid())):
        store.runs.claim(run.id)


def test_a_dead_workers_reading_shows_as_interrupted_and_can_be_taken(store: Store) -> None:
    run = create_run(store, parts_of(2), READER, spec(0))
    at_work(store, run.id, another_process(), "queued")
    with pytest.raises(Busy):
        store.runs.claim(run.id)
    assert store.runs.get(run.id).status == "queued"
    at_work(store, run.id, "1:1.00", "running")
    assert store.runs.get(run.id).status == "interrupted"
    store.runs.claim(run.id)
    assert store.runs.get(run.id).status == "running"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_a_new_database_is_its_users_alone(tmp_path: Path) -> None:
    with Store(tmp_path / "new.db") as store:
        store.documents.add(Document.of("A lamp."))
        files = sorted(tmp_path.glob("new.db*"))
        assert [path.name for path in files] == ["new.db", "new.db-shm", "new.db-wal"]
        assert [path.stat().st_mode & 0o777 for path in files] == [0o600] * 3


@pytest.mark.slow  # starts a process
def test_opening_the_store_once_more_ends_no_lock_that_this_process_has_on_it(tmp_path: Path) -> None:
    """Without the lock, the next process to close the database would take away the file that this one writes to."""
    path = tmp_path / "new.db"
    with Store(path) as store:
        store.documents.add(Document.of("A lamp."))
        Store(path).close()
        look = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('SELECT * FROM runs').fetchall(); db.close()"
        subprocess.run([sys.executable, "-c", look, str(path)], check=True)
        assert path.with_name("new.db-wal").exists()


def test_a_process_is_known_by_its_id_and_its_start() -> None:
    pid, _, started = this_worker().partition(":")
    boot, _, ticks = started.partition("+")
    assert is_alive(this_worker())
    assert not is_alive(f"{pid}:{boot}+{ticks}1")
    assert not is_alive(f"{pid}:another-boot+{ticks}")
    assert not any(map(is_alive, ("", "abc", "99999999:1.0", f"99999999:{started}", pid, f"{pid}:", f"{pid}:+")))


@pytest.mark.parametrize("platform", ["linux", "another"])
def test_a_process_stays_known_when_the_clock_is_set(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    database._cached_start.cache_clear()
    monkeypatch.setattr(sys, "platform", platform)
    name, create_time = this_worker(), psutil.Process.create_time
    monkeypatch.setattr(psutil.Process, "create_time", lambda process: create_time(process) + 3600)
    monkeypatch.setattr(psutil._pslinux, "boot_time", lambda: 0.0)
    database._cached_start.cache_clear()
    assert this_worker() == name
    assert is_alive(name)
    database._cached_start.cache_clear()


def test_a_process_that_an_earlier_version_named_is_known_by_the_clock() -> None:
    started = psutil.Process().create_time()
    assert is_alive(f"{os.getpid()}:{started:.2f}")
    assert not is_alive(f"{os.getpid()}:{started - 3600:.2f}")


def test_settling_keeps_what_came_of_it_and_adds_up_the_time(store: Store) -> None:
    run = create_run(store, parts_of(2), READER, spec(0))
    store.runs.settle(run.id, "failed", seconds=1.5, error="the server hung")
    assert (store.runs.get(run.id).status, store.runs.get(run.id).error) == ("failed", "the server hung")
    store.runs.claim(run.id)
    assert store.runs.get(run.id).error is None
    store.runs.settle(run.id, "finished", seconds=2.0, outcome="answered", answer="Yes", evidence=(Span(1, 4),))
    done = store.runs.get(run.id)
    assert (done.seconds, done.answer, done.evidence, done.worker) == (3.5, "Yes", (Span(1, 4),), None)


def test_a_cancel_is_left_for_the_worker_and_taken_at_once_where_there_is_none(store: Store) -> None:
    queued, running = create_run(store, parts_of(2), READER, spec(0)), create_run(store, parts_of(2), READER, spec(1))
    store.runs.claim(running.id)
    for run in (queued, running):
        store.runs.cancel(run.id)
    assert [store.runs.get(run.id).status for run in (queued, running)] == ["cancelled", "running"]
    assert store.runs.cancel_asked(running.id)
    assert store.runs.cancel_asked("no such reading")


def test_a_spec_comes_back_as_it_went_in(store: Store) -> None:
    whole = current_spec(
        "memwalker", "Wo liegt Ä?", choices=("eins", "zwei"), options={"segment_tokens": 64}, caps={"max_calls": 9}, prompts={}
    )
    run = create_run(store, parts_of(2), READER, whole)
    back = RunSpec.from_json(store.runs.get(run.id).spec)
    assert back == replace(whole, options=asdict(READER.Options(segment_tokens=64)))  # as they were in effect
    assert json.dumps(store.runs.get(run.id).spec)
    assert isinstance(store.runs.get(run.id), Run)


def test_a_new_database_is_made_as_sqlite_utils_makes_it(tmp_path: Path) -> None:
    whole = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"
    listed = f"SELECT id, migration_set, name, length(applied_at) FROM {APPLIED} ORDER BY id"
    theirs = sqlite3.connect(tmp_path / "theirs.db", isolation_level=None)
    with closing(open_database(tmp_path / "ours.db")) as ours, closing(theirs):
        migrate(theirs)
        for query in (whole, listed):
            assert ours.execute(query).fetchall() == theirs.execute(query).fetchall()


def test_the_pages_of_a_document_are_kept_and_those_of_an_older_one_come_with_its_file(tmp_path: Path) -> None:
    document = Document("Essay", "One.\n\nTwo.", (PrintedPage(0, "1"), PrintedPage(6, "ii")))
    with closing(sqlite3.connect(tmp_path / "old.db", isolation_level=None)) as old:
        migrate(old, before="m021_pages")
        old.execute("INSERT INTO documents (id, title, text) VALUES (?, 'Essay', ?)", (document.id, document.text))
    with Store(tmp_path / "old.db") as store:
        assert store.documents.get(document.id) == Document("Essay", document.text)
        store.documents.add(document)
        assert store.documents.get(document.id) == document
        store.documents.add(replace(document, pages=(PrintedPage(0, "9"),)))
        assert store.documents.get(document.id) == document
        run = create_run(store, document, READER, spec(0))
        assert store.documents.of_run(run.id) == document
