"""A disk that is full while a batch runs: this is said, the batch ends after a while, and is resumed when there is room."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import pytest

from readers import get
from readers.cli import main
from readers.engine.faults import of_database
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution, BatchPlan
from readers.engine.run.execute import Execution, RunSpec
from readers.engine.run.jobs import Jobs
from readers.engine.store import Run, Store, database, migrations
from readers.engine.store.batches import Batch
from tests.support.app_pages import opened, words
from tests.support.models.scripted_models import parts_of
from tests.support.waiting import until

TEXT = parts_of(12)
SAID = "the disk is full: the database"


@dataclass
class Disk:
    """While it is full, every transaction fails as it is committed. A model fills it with its `fills`-th call."""

    full: bool = False
    fills: int = 0
    calls: int = 0

    @contextmanager
    def writing(self, db: migrations.Database) -> Iterator[None]:
        with migrations.writing(db):
            yield
            if self.full:
                raise of_database("database or disk is full", sqlite3.SQLITE_FULL, db.path)

    def complete(self, call: Call) -> Reply:
        self.calls += 1
        self.full = self.full or self.calls == self.fills
        return Offline().complete(call)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    disk = Disk()
    monkeypatch.setattr(database, "writing", disk.writing)
    monkeypatch.setattr("readers.engine.run.jobs.RECHECK_SECONDS", 0.02)
    return disk


def added(store: Store) -> Batch:
    asked = tuple(SetQuestion(f"{n}", TEXT.id, f"What begins in part {n}?") for n in range(6))
    kept = store.question_sets.add(QuestionSet("Parts", asked, (TEXT,)))
    spec = RunSpec("memwalker", get("memwalker").version, "", options={"segment_tokens": 64, "max_children": 3})
    return batches.add(store, kept.id, BatchPlan((spec,)), readers=get)


def test_a_batch_on_a_full_disk_says_so_ends_and_is_resumed(store: Store, disk: Disk) -> None:
    def execution(run: Run) -> Execution:
        return Execution(disk, concurrency=1)

    batch, jobs, disk.fills = added(store), Jobs(patience=0.2), 3
    batches.start(jobs, batch.id, BatchExecution(get, execution))
    until(lambda: jobs.trouble(batch.id) != "")
    assert SAID in jobs.trouble(batch.id)
    assert jobs.is_following(batch.id)  # until its patience is at an end
    assert jobs.wait(20)
    assert disk.calls == disk.fills  # no other reading was begun
    assert batches.progress(store, batch.id).done == 0

    disk.full = False
    until(lambda: batches.progress(store, batch.id).failed == 1)  # its end is recorded as soon as there is room
    assert SAID in (store.runs.listed()[0].error or "")
    batches.start(jobs, batch.id, BatchExecution(get, execution))
    assert jobs.trouble(batch.id) == ""
    assert jobs.wait(20)
    assert batches.progress(store, batch.id).done == 6


def test_a_batch_goes_on_by_itself_if_there_is_room_in_time(store: Store, disk: Disk) -> None:
    batch, jobs = added(store), Jobs(patience=60)
    disk.full = True
    jobs.follow(batch.id, batches._BatchWorker(jobs, batch.id, BatchExecution(get, lambda run: Execution(Offline()))).step)
    until(lambda: jobs.trouble(batch.id) != "")
    disk.full = False
    assert jobs.wait(20)
    assert (batches.progress(store, batch.id).done, jobs.trouble(batch.id)) == (6, "")


def test_the_command_line_says_why_a_batch_ended(
    store: Store, disk: Disk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    batch, disk.fills = added(store), 3
    monkeypatch.setattr("readers.cli.workers.Jobs", partial(Jobs, patience=0.2))
    monkeypatch.setattr("readers.cli.batches.catalogue.open_models", lambda *_, **__: disk)

    assert main(["batch-resume", batch.id]) == 1
    said = capsys.readouterr().err
    assert f"palimpsest: {SAID}" in said
    assert f"batch-resume {batch.id}` resumes it" in said


def test_the_page_says_why_a_batch_ended_and_lets_one_resume_it(
    store: Store, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, jobs, disk.fills = added(store), Jobs(patience=0.2), 3
    monkeypatch.setattr("components.session.process_cache.jobs", lambda: jobs)
    batches.start(jobs, batch.id, BatchExecution(get, lambda run: Execution(disk, concurrency=1)))
    assert jobs.wait(20)
    with opened("5_Questions") as app:
        app.query_params["batch"] = batch.id
        app.run()
        assert not app.exception
        assert SAID.capitalize() in words(app)
        assert [button.label for button in app.button if button.label in ("Resume", "Cancel")] == ["Resume"]
    disk.full = False
