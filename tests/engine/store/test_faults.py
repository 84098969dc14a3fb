"""A full disk, a lock, a damaged or foreign database, a home that cannot be written: each is a sentence that names the thing and
says what to do, on the command line and on a page, too. What was saved before is safe."""

from __future__ import annotations

import errno
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from readers.cli import main
from readers.engine.errors import NotFound, StoreError
from readers.engine.faults import of_file
from readers.engine.labels.project import HOST
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store, open_reading
from readers.engine.store.run_list import SORTS, RunFilter
from readers.engine.store.runs import Runs
from readers.engine.text.document import Document
from tests.engine.store.test_delete import READER, read
from tests.support.app_pages import opened as opened_page
from tests.support.app_pages import words
from tests.support.labels import about, project
from tests.support.labels import opened as at_bench
from tests.support.models.scripted_models import parts_of

LONG = Document.of("\n\n".join(f"Sentence {n} of a very long text about nothing." for n in range(20_000)))


@contextmanager
def no_room(store: Store) -> Iterator[None]:
    """The file cannot grow, as on a full disk."""
    (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
    store.connection.execute(f"PRAGMA max_page_count = {pages}")
    yield
    store.connection.execute("PRAGMA max_page_count = 1073741823")


def test_a_full_disk_is_said_and_nothing_is_lost(store: Store) -> None:
    before = read(store, parts_of(3))
    with no_room(store), pytest.raises(StoreError, match=r"the disk is full: the database .*palimpsest.db.* Free some space"):
        store.documents.add(LONG)
    assert store.check() == "ok"
    assert [run.id for run in store.runs.listed()] == [before.id]
    store.documents.add(LONG)


def test_a_reading_stopped_by_a_full_disk_goes_on_where_it_was(store: Store) -> None:
    asked: list[str] = []

    class Counting(Offline):
        def complete(self, call):  # type: ignore[no-untyped-def]
            asked.append(call.identity)
            return super().complete(call)

    spec = RunSpec(READER.id, READER.version, "Where is word3x3?", options={"segment_tokens": 64, "max_children": 3})
    run = create_run(store, parts_of(60), READER, spec)
    with no_room(store):
        stopped = execute(store, run.id, READER, Execution(Counting(), concurrency=1))
    assert stopped.status == "failed"
    assert "the disk is full" in str(stopped.error)
    kept = store.runs.tape(run.id).answered()
    assert kept > 0
    assert execute(store, run.id, READER, Execution(Counting(), concurrency=1)).status == "finished"
    assert len(asked) - len(set(asked)) <= 1  # only the reply that could not be written is asked again


def test_a_run_whose_end_could_not_be_written_is_settled_when_it_can(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readers.engine.run.jobs.RECHECK_SECONDS", 0.01)
    run = create_run(store, parts_of(3), READER, RunSpec(READER.id, READER.version, "Who?", options={"segment_tokens": 64}))
    settle, refused = Runs.settle, []

    def full(self: Runs, *args: object, **columns: object) -> None:
        if len(refused) < 4:
            refused.append(columns)
            raise StoreError("the disk is full")
        settle(self, *args, **columns)  # type: ignore[arg-type]

    monkeypatch.setattr(Runs, "settle", full)
    jobs = Jobs()
    jobs.start(run.id, READER, Execution(Offline()))
    assert jobs.wait(20)
    assert (store.runs.get(run.id).status, store.runs.get(run.id).error) == ("failed", "the disk is full")


def test_a_lock_is_said(store: Store) -> None:
    store.connection.execute("PRAGMA busy_timeout = 20")
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"was locked by another program .* Nothing was changed: close what else uses it"):
            store.documents.add(Document.of("A lamp."))
    store.documents.add(Document.of("A lamp."))


def test_a_database_that_may_only_be_read_is_said(store: Store) -> None:
    store.connection.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match=r"cannot be opened for writing .* set PALIMPSEST_HOME to another folder"):
        store.documents.add(Document.of("A lamp."))


@pytest.mark.parametrize("home", ["/proc/nowhere", "/dev/null/home", "."])
def test_a_home_that_cannot_be_written_is_said(home: str, tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    path = tmp_path / "folder.db" if home == "." else Path(home) / "palimpsest.db"
    with pytest.raises(StoreError, match=r"cannot be (used|opened for writing) .*PALIMPSEST_HOME"):
        Store(path)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EROFS, "Change its permissions"),
        (errno.EACCES, "Change its permissions"),
        (errno.EIO, "Check"),
    ],
)
def test_errors_of_files_are_said(code: int, words: str) -> None:
    found = str(of_file(OSError(code, "why", "/home/x/y.json")))
    assert "'/home/x/y.json'" in found
    assert words in found


# A damaged file


@pytest.fixture
def whole(store: Store) -> Store:
    """A database with something in every table that pages read."""
    run = read(store, parts_of(6))
    where = project(store, 2)
    store.labels.put(about(where, at_bench(store, where, "Ann"), "Ann", "outcome", "wrong"), 0)
    store.question_sets.add(QuestionSet("Mine", (SetQuestion("q", run.document, "Who?"),)))
    store.prompt_sets.save(READER.id, "Mine", {"x": "y"})
    store.run_list.tag([run.id], "mine")
    store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return store


def read_everything(path: Path) -> None:
    with Store(path) as store:
        for sort in SORTS:
            store.run_list.find(RunFilter(sort=sort, samples=True))
        store.run_list.facets()
        for listed in store.documents.listed():
            store.documents.get(listed.id)
        for run in store.runs.listed(samples=True):
            open_reading(store, run.id)
            store.runs.tape(run.id).prompts()
        for made in store.question_sets.listed():
            store.question_sets.questions(made.id)
        for found in store.projects.listed():
            store.codebooks.versions(found.id, HOST)
            store.turns.progress(found.id)
            for run_id in store.projects.readings(found.id):
                _ = store.labels.load(found.id, run_id, "Ann").labels
        store.prompt_sets.of_reader(READER.id)


def flipped(path: Path, seed: int) -> None:
    """Other bits in some bytes of the file, the same for each seed."""
    rng = random.Random(seed)
    data = bytearray(path.read_bytes())
    for _ in range(rng.choice((1, 4, 40, 400))):
        at = rng.randrange(0 if seed % 5 == 0 else 100, len(data))
        data[at] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def test_flipped_bits_are_said_wherever_they_are(whole: Store, tmp_path: Path) -> None:
    said = [found for seed in range(60) if (found := what_is_said(whole.path, tmp_path / f"{seed}.db", seed))]
    assert len(said) > 10
    known = ("is damaged", "cannot be used", "there is no", "written by a newer")  # the last: the name of a migration was hit
    assert [words for words in said if not any(one in words for one in known)] == []


def what_is_said(path: Path, copy: Path, seed: int) -> str:
    """What is said of a copy with flipped bits; empty if nothing that is read was hit."""
    shutil.copyfile(path, copy)
    flipped(copy, seed)
    try:
        read_everything(copy)
    except (StoreError, NotFound) as error:  # NotFound: a name is no longer the same
        return str(error)
    return ""


@pytest.fixture
def no_database(own_home: Path) -> Path:
    own_home.mkdir(exist_ok=True)
    path = own_home / "palimpsest.db"
    path.write_bytes(b"This is a letter, and no database at all. " * 200)
    return path


@pytest.mark.parametrize("command", [["runs"], ["doctor"], ["show", "abc"], ["questions"], ["batches"]])
def test_the_command_line_says_it_in_a_sentence(
    command: list[str], no_database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"palimpsest: the database {str(no_database)!r} is damaged (file is not a database). Copy it")
    assert "Traceback" not in said
    assert said.count("\n") == 1


def test_doctor_says_what_is_damaged(whole: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["doctor"]) == 0
    monkeypatch.setattr(Store, "check", lambda self: "row 3 missing from index")
    assert main(["doctor"]) == 1
    assert "is damaged (row 3 missing from index)" in capsys.readouterr().err


def test_the_command_line_says_that_its_output_has_no_room(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read(store, parts_of(3))
    full = Path("/dev/full").open("w")  # noqa: SIM115 (closing it would fail)
    with monkeypatch.context() as patch:
        patch.setattr("sys.stdout", full)
        assert main(["runs"]) == 1  # which leads that file to nowhere, so that it can be closed
    full.close()
    assert "the disk is full: standard output could not be written" in capsys.readouterr().err


@pytest.mark.parametrize("page", ["", "1_Library", "2_Read", "3_Readings", "3_Trace", "4_Compare", "5_Questions"])
def test_a_page_says_it_and_shows_no_traceback(page: str, no_database: Path) -> None:
    with opened_page(page) as app:
        app.run()
        assert not app.exception
        assert "is damaged (file is not a database)" in words(app)
