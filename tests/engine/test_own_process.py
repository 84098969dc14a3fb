"""Jobs in a process of its own: what goes over a limit is ended with its reason, and nobody else waits for it."""

from __future__ import annotations

import threading
import time

import pytest

from readers import offered
from readers.engine import own_process
from readers.engine.errors import BadFile, BadRunFile, OverLimit
from readers.engine.files.runs import import_run
from readers.engine.ingest import from_bytes
from readers.engine.own_process import run
from readers.engine.store import Store
from tests.support.paths import ROOT
from tests.support.processes import jobs
from tests.support.texts_and_files.uploads import pdf

pytestmark = pytest.mark.slow  # each starts a process


def test_a_job_is_done_and_its_process_is_kept_for_the_next_one() -> None:
    first, process = run(jobs.number, b"x" * 3_000_000, 2)
    assert first == 6_000_000
    with pytest.raises(BadFile, match="'a' is refused"):
        run(jobs.refuse, b"a")
    assert run(jobs.number, b"") == (0, process)


def test_a_process_is_given_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by name, and not by any other name that a value may have."""
    hidden = ("OPENAI_API_KEY", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "DATABASE_URL", "PALIMPSEST_MODEL", "PYPI", "HTTPS_PROXY")
    for name in hidden:
        monkeypatch.setenv(name, f"sk-marker-{name}")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setattr(own_process, "_idle", [])  # those that were started before
    given = run(jobs.environment, b"")
    own_process._idle.pop().close()
    assert given["LC_ALL"] == "C.UTF-8"
    assert not any("marker" in value for value in given.values())


def test_a_process_that_has_grown_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    _, process = run(jobs.number, b"")
    monkeypatch.setattr(own_process, "MOST_KEPT", 1_000_000)
    assert run(jobs.number, b"")[1] == process
    assert run(jobs.number, b"")[1] != process


@pytest.mark.parametrize(
    ("job", "data", "others", "limit"),
    [
        (jobs.hold_the_interpreter, b"123456789", (), "time"),
        (jobs.wait, b"", (30.0,), "wait"),
        (jobs.hoard, b"x", (0.0,), "memory"),
        (jobs.die, b"", (), "crash"),
        (jobs.fail, b"", (), "crash"),
    ],
)
def test_what_crosses_a_limit_is_ended_and_the_next_job_is_done(
    monkeypatch: pytest.MonkeyPatch, job: object, data: bytes, others: tuple[object, ...], limit: str
) -> None:
    monkeypatch.setattr(own_process, "SECONDS", 2.0 if limit == "time" else 60.0)
    monkeypatch.setattr(own_process, "LONGEST_WAIT", 0.5 if limit == "wait" else 300.0)
    monkeypatch.setattr(own_process, "MEMORY", 300_000_000)
    with pytest.raises(OverLimit) as caught:
        run(job, data, *others)  # type: ignore[arg-type]
    assert caught.value.limit == limit
    assert run(jobs.number, b"ab")[0] == 2


def test_waiting_is_no_time_of_the_processor_and_a_job_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_process, "SECONDS", 0.5)
    far: list[tuple[int, int]] = []
    run(jobs.wait, b"", 1.2, progress=lambda *at: far.append(at))
    assert far
    assert all(of == 4 for _, of in far)


def test_where_the_system_does_not_limit_a_process_it_is_watched_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_process, "MEMORY", 300_000_000)
    with pytest.raises(OverLimit) as caught:
        run(jobs.hoard_without_limit, b"x", 0.02)
    assert caught.value.limit == "memory"


def test_the_threads_of_this_process_go_on_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_process, "SECONDS", 1.5)
    turns: list[float] = []
    stop = threading.Event()

    def others() -> None:
        while not stop.wait(0.01):
            turns.append(time.monotonic())

    thread = threading.Thread(target=others)
    thread.start()
    with pytest.raises(OverLimit):
        run(jobs.hold_the_interpreter, b"123456789")
    stop.set()
    thread.join()
    assert len(turns) > 30


def test_a_small_pdf_that_takes_long_is_refused_with_a_sentence_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """17 KB, and the arguments of its one operator take seconds, which no clock inside the parser sees."""
    monkeypatch.setattr(own_process, "SECONDS", 0.3)
    slow = pdf([b"1 " * 9_000_000 + b"Td"])
    assert len(slow) < 60_000
    began = time.monotonic()
    with pytest.raises(BadFile, match=r"'x\.pdf' takes over 30 seconds of processor time to read\. Split it, or save"):
        from_bytes(slow, "x.pdf")
    assert time.monotonic() - began < 15
    monkeypatch.setattr(own_process, "SECONDS", 30.0)
    assert from_bytes(pdf(["The ferry left"]), "y.pdf").document.text == "The ferry left"


def test_a_large_run_file_is_replayed_apart_and_a_hostile_one_named(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    file = ROOT / "assets/readings/memagent-lamp-bolts.json"
    monkeypatch.setattr(import_run, "SMALL", 1_000)
    assert import_run.import_run(store, file, file.name, readers=offered).status == "finished"
    monkeypatch.setattr(own_process, "SECONDS", -1.0)  # less than any work takes, however coarse the clock of the system
    monkeypatch.setattr(own_process, "_LOOK_SECONDS", 0.001)
    with pytest.raises(
        BadRunFile, match=r"lamp-bolts\.json' is not imported: replaying it takes over 30 seconds of processor time"
    ):
        import_run.check_run_file_apart(file, file.name, readers=offered)
