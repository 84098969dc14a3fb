"""Deleting readings and documents, and visits to a public demo: what goes, what stays, and what is refused meanwhile."""

from __future__ import annotations

import sqlite3
import subprocess

import psutil
import pytest

from readers.engine.errors import Busy, NotFound
from readers.engine.files.runs.run_file import run_file
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store, open_reading
from readers.engine.store import run as runs_of
from readers.engine.store.database import this_worker
from readers.engine.text.document import Document
from readers.memwalker import MemWalker
from tests.support.models.scripted_models import parts_of

READER = MemWalker()


def read(store: Store, document: Document, question: str = "Where is word3x3?") -> Run:
    options = {"segment_tokens": 64, "max_children": 3}
    run = create_run(store, document, READER, RunSpec("memwalker", READER.version, question, options=options))
    return execute(store, run.id, READER, Execution(Offline()))


def rows(store: Store, table: str, run: str) -> int:
    with sqlite3.connect(store.path) as other:
        return int(other.execute(f"SELECT count(*) FROM {table} WHERE run = ?", (run,)).fetchone()[0])


def at_work(store: Store, run_id: str, worker: str) -> None:
    with sqlite3.connect(store.path) as other:
        other.execute("UPDATE runs SET status = 'running', worker = ? WHERE id = ?", (worker, run_id))


def test_a_deleted_reading_takes_its_calls_and_events_and_leaves_the_others(store: Store) -> None:
    gone, kept = read(store, parts_of(6)), read(store, parts_of(6), "Where is word2x3?")
    assert rows(store, "calls", gone.id) > 0
    store.runs.delete(gone.id)
    assert [run.id for run in store.runs.listed()] == [kept.id]
    assert (rows(store, "calls", gone.id), rows(store, "events", gone.id)) == (0, 0)
    assert open_reading(store, kept.id).trace.steps
    assert run_file(store, kept.id, READER)["calls"]
    with pytest.raises(NotFound, match="deleted already"):
        store.runs.delete(gone.id)


def test_a_document_goes_with_its_readings(store: Store) -> None:
    ours = [read(store, parts_of(6)), read(store, parts_of(6), "Where is word2x3?")]
    other = read(store, parts_of(4))
    assert len(store.runs.listed(document=ours[0].document)) == 2
    assert [run.id for run in store.runs.listed(document=other.document)] == [other.id]
    assert [run.id for run in store.runs.listed(1, document=ours[0].document)] == [ours[1].id]
    store.documents.delete(ours[0].document)
    assert [run.id for run in store.runs.listed()] == [other.id]
    assert [shelved.id for shelved in store.documents.listed()] == [other.document]
    assert not store.runs.listed(document=ours[0].document)
    assert store.check() == "ok"
    with pytest.raises(NotFound, match="no document"):
        store.documents.delete(ours[0].document)


def test_nothing_is_deleted_under_the_hands_of_a_live_worker(store: Store) -> None:
    document = parts_of(6)
    run, ended = read(store, document), read(store, document, "Where is word2x3?")
    at_work(store, run.id, this_worker())
    with pytest.raises(Busy, match="cancel it first"):
        store.runs.delete(run.id)
    with pytest.raises(Busy):
        store.documents.delete(document.id)
    assert {found.id for found in store.runs.listed()} == {run.id, ended.id}
    assert rows(store, "calls", ended.id) > 0


def test_the_reading_of_a_dead_worker_can_be_deleted(store: Store) -> None:
    run = read(store, parts_of(6))
    with subprocess.Popen(["true"]) as worker:
        name = f"{worker.pid}:{psutil.Process(worker.pid).create_time():.2f}"
    at_work(store, run.id, name)
    store.runs.delete(run.id)
    assert store.runs.listed() == []


def test_a_fork_stays_viewable_without_its_parent(store: Store) -> None:
    parent, fork = read(store, parts_of(6)), read(store, parts_of(6), "Where is word2x3?")
    with sqlite3.connect(store.path) as other:
        other.execute("UPDATE runs SET parent = ?, fork_at = 3 WHERE id = ?", (parent.id, fork.id))
    store.runs.delete(parent.id)
    assert store.runs.get(fork.id).parent == parent.id
    assert open_reading(store, fork.id).trace.steps
    assert run_file(store, fork.id, READER)["run"]["parent"] == parent.id


def test_the_shared_replies_of_a_deleted_reading_are_asked_anew(store: Store) -> None:
    first = read(store, parts_of(6))
    second = read(store, parts_of(6), "Where is word2x3?")
    assert "cached" in {record.origin for record in store.runs.tape(second.id).records()}
    store.documents.delete(first.document)
    third = read(store, parts_of(6))
    assert {record.origin for record in store.runs.tape(third.id).records()} == {"live"}


def test_much_free_space_is_given_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs_of, "LEAST_FREE_BYTES", 400_000)
    big = Document.of("\n\n".join(f"Sentence {n} of a very long text about nothing." for n in range(15_000)))
    store.documents.add(big)
    read(store, parts_of(6))
    with sqlite3.connect(store.path) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = store.path.stat().st_size
    store.documents.delete(big.id)
    assert store.path.stat().st_size < before - 400_000
    assert len(store.runs.listed()) == 1
    assert store.check() == "ok"


def test_visitors_see_their_own_and_the_hosts_and_nothing_else(store: Store) -> None:
    host = read(store, parts_of(3))
    with Store(visitor="anna") as anna, Store(visitor="ben") as ben:
        hers, his = read(anna, parts_of(4)), read(ben, parts_of(5))
        assert {run.id for run in anna.runs.listed()} == {host.id, hers.id}
        assert {run.id for run in ben.runs.listed()} == {host.id, his.id}
        assert {shelved.id for shelved in ben.documents.listed()} == {host.document, his.document}
        assert [run.id for run in ben.runs.listed(document=hers.document)] == []
        assert [ben.visits.may_see(run_id) for run_id in (host.id, hers.id, hers.document, his.id, his.document)] == [
            True,
            False,
            False,
            True,
            True,
        ]
        assert anna.visits.owned() == {hers.id, hers.document}
    assert len(store.runs.listed()) == 3
    assert store.visits.may_see(hers.id)


def test_the_end_of_a_visit_takes_what_the_visitor_made_and_leaves_what_is_others(store: Store) -> None:
    host = read(store, parts_of(3))
    with Store(visitor="anna") as anna, Store(visitor="ben") as ben:
        read(anna, parts_of(3), "Where is word2x3?")  # of the host's text
        read(anna, parts_of(4))
        shared = read(ben, parts_of(4), "Where is word2x3?")  # of the text that anna brought, too
    assert store.visits.end("anna")
    assert {run.id for run in store.runs.listed()} == {host.id, shared.id}
    assert {shelved.id for shelved in store.documents.listed()} == {host.document, shared.document}
    assert store.visits.end("ben")
    assert [run.id for run in store.runs.listed()] == [host.id]
    assert [shelved.id for shelved in store.documents.listed()] == [host.document]


def test_a_visit_does_not_end_before_its_readings_have_stopped(store: Store) -> None:
    with Store(visitor="anna") as anna:
        run = read(anna, parts_of(4))
    at_work(store, run.id, this_worker())
    assert not store.visits.end("anna")
    assert store.runs.get(run.id).cancel
    store.runs.settle(run.id, "cancelled")
    assert store.visits.end("anna")
    assert (store.runs.listed(), store.documents.listed()) == ([], [])


def test_leaving_a_document_deletes_a_visitors_part_of_it(store: Store) -> None:
    with Store(visitor="anna") as anna, Store(visitor="ben") as ben:
        hers, his = read(anna, parts_of(4)), read(ben, parts_of(4), "Where is word2x3?")
        anna.visits.leave(hers.document)
        assert [run.id for run in store.runs.listed()] == [his.id]
        assert not anna.visits.may_see(hers.document)
        ben.visits.leave(his.document)
    assert (store.runs.listed(), store.documents.listed()) == ([], [])


def test_leftovers_of_dead_processes_are_swept_and_live_visits_are_not(store: Store) -> None:
    with Store(visitor="anna") as anna:
        kept = read(anna, parts_of(4))
    with Store(visitor="ben") as ben:
        read(ben, parts_of(5))
    with sqlite3.connect(store.path) as other:
        other.execute("UPDATE visits SET worker = '999999:1.0' WHERE visitor = 'ben'")
    store.visits.sweep()
    assert [run.id for run in store.runs.listed()] == [kept.id]
    assert len(store.documents.listed()) == 1
