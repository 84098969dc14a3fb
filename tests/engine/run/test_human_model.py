"""You are the model: calls that wait for a person, replies that count once, stopping, restarting, and never a shared reply."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from components.session import start_runs
from components.session.model_choice import ModelChoice
from readers import get
from readers.cli import main
from readers.engine.errors import BadInput, BadOptions
from readers.engine.forks.fork import fork
from readers.engine.models import catalogue
from readers.engine.models.call import Call
from readers.engine.models.catalogue import HUMAN
from readers.engine.models.offline import Offline
from readers.engine.record.edits import ModelEdit
from readers.engine.run import human_model
from readers.engine.run.estimate import estimate
from readers.engine.run.execute import Execution, RunSpec, create_run, execute, models_still_needed
from readers.engine.run.human_model import Human
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store, open_reading
from readers.engine.store.waiting_calls import WaitingCall, WaitingCalls
from readers.engine.text.document import Document
from tests.support.models.scripted_models import parts_of
from tests.support.paths import ROOT
from tests.support.readings.replays import replayed
from tests.support.waiting import until

READER = get("memwalker")
TRIAGE = {"reasoning": "it says so", "action": 0}
CHILD = """
from tests.engine.run.test_human_model import *
from tests.support.readings.replays import replayed
with Store() as store:
    run_id = begun(store)
    print(run_id, flush=True)
    execute(store, run_id, READER, person(run_id))
"""
LEAF = {"reasoning": "it stands there", "action": -2, "answer": "forty-two"}


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits looks for a reply, and for a wish to cancel, ten times as often as otherwise."""
    monkeypatch.setattr(human_model, "POLL_SECONDS", 0.02)
    monkeypatch.setattr("readers.engine.run.execute._CANCEL_CHECK_SECONDS", 0.02)
    monkeypatch.setattr("readers.engine.run.calls_in_flight._POLL_SECONDS", 0.02)
    monkeypatch.setattr("readers.engine.run.jobs.RECHECK_SECONDS", 0.1)


@pytest.fixture
def jobs(store: Store) -> Iterator[Jobs]:
    jobs = Jobs(at_once=1)
    yield jobs
    for run in store.runs.listed():
        jobs.cancel(run.id)
    assert jobs.wait(5), "a thread hangs"


def begun(store: Store, document: Document | None = None, *, model: str = HUMAN, reader: str = "memwalker") -> str:
    options = {"segment_tokens": 64, "max_children": 8} if reader == "memwalker" else {"chunk_tokens": 100, "memory_tokens": 32}
    spec = RunSpec(reader, get(reader).version, "Where?", options=options, model=model, reuse=model != HUMAN)
    return create_run(store, document or parts_of(3), get(reader), spec).id


def started(store: Store, jobs: Jobs, *, reader: str = "memwalker") -> str:
    run_id = begun(store, reader=reader)
    jobs.start(run_id, get(reader), person(run_id))
    return run_id


def person(run_id: str) -> Execution:
    return Execution(Human(run_id), concurrency=1, waits_for_person=True)


def waiting(store: Store, run_id: str, seq: int) -> WaitingCall:
    """The call with this number, once it is waiting."""
    until(lambda: (found := store.waiting.pending(run_id)) and found.seq == seq)
    found = store.waiting.pending(run_id)
    assert found is not None
    return found


def replied(store: Store, run_id: str, seq: int) -> WaitingCall:
    """Reply to the call with this number as a person who finds everything in the first segment."""
    waited = waiting(store, run_id, seq)
    prompt = waited.call["prompt"]["id"].removeprefix("memwalker.")
    words = {"triage": TRIAGE, "leaf": LEAF}.get(prompt)
    shown = human_model.display_call(waited, store.documents.get(store.runs.get(run_id).document))
    assert human_model.submit_reply(store, waited, shown.prompt.reply.render(words) if words else f"In short, {seq}.")
    return waited


def test_every_call_waits_for_a_reply_and_the_run_is_an_ordinary_one(store: Store, jobs: Jobs) -> None:
    run_id = started(store, jobs)
    waited = waiting(store, run_id, 0)
    assert store.runs.get(run_id).status == "waiting"
    shown = human_model.display_call(waited, store.documents.get(store.runs.get(run_id).document))
    assert shown.sources == {"segment": [["document"]], "limit": [[]]}
    time.sleep(0.3)
    for seq in range(5):
        replied(store, run_id, seq)
    assert jobs.wait(20)
    run, records = store.runs.get(run_id), store.runs.tape(run_id).records()
    assert (run.status, run.answer) == ("finished", "forty-two")
    assert [(row.seq, row.attempt, row.origin, row.model) for row in records] == [(n, 0, "live", HUMAN) for n in range(5)]
    assert [row.reply for row in records[:3]] == ["In short, 0.", "In short, 1.", "In short, 2."]
    assert {(row.tokens_in, row.tokens_out, row.cost_usd) for row in records} == {(None, None, 0.0)}
    assert 300 <= records[0].ms < 20_000
    assert replayed(store, run, READER).outcome == "answered"


def test_a_waiting_call_is_shown_as_a_model_would_get_it(store: Store, jobs: Jobs) -> None:
    seen: list[Call] = []

    class Looking(Human):
        def complete(self, call: Call):  # type: ignore[no-untyped-def]
            seen.append(call)
            return super().complete(call)

    run_id = begun(store)
    jobs.start(run_id, READER, Execution(Looking(run_id), concurrency=1, waits_for_person=True))
    document = store.documents.get(store.runs.get(run_id).document)
    for seq in range(5):
        shown = human_model.display_call(waiting(store, run_id, seq), document)
        assert [{"role": "user", "content": shown.prompt.render(shown.parts)}] == seen[-1].messages
        replied(store, run_id, seq)
    assert jobs.wait(20)
    assert shown.sources["question"] == [["question"]]
    assert shown.sources["memory"] == [["wrote"]]


def test_of_two_replies_the_first_counts_and_the_second_is_refused(store: Store, jobs: Jobs) -> None:
    run_id = started(store, jobs)
    waited = waiting(store, run_id, 0)
    with Store() as other:
        assert human_model.submit_reply(other, waited, "The first.")
    assert not human_model.submit_reply(store, waited, "The second.")
    waiting(store, run_id, 1)
    assert not human_model.submit_reply(store, waited, "The third.")
    assert [row.reply for row in store.runs.tape(run_id).records()] == ["The first."]


def test_an_unreadable_reply_is_refused_and_is_no_attempt(store: Store, jobs: Jobs) -> None:
    run_id = started(store, jobs)
    for seq in range(3):
        replied(store, run_id, seq)
    waited = waiting(store, run_id, 3)
    with pytest.raises(BadInput, match="7 is not a number from -1 to 2"):
        human_model.submit_reply(store, waited, "Reasoning: so\nAction: 7")
    with pytest.raises(BadInput, match="characters"):
        human_model.submit_reply(store, waited, "x" * 200_000)
    assert store.waiting.reply(run_id, 3, 0, "not through the check")
    until(lambda: store.waiting.find_reply(run_id, 3, 0) is None)  # put back by the thread that executes the run
    assert (store.waiting.pending(run_id), store.runs.get(run_id).status) == (waited, "waiting")
    replied(store, run_id, 3)
    replied(store, run_id, 4)
    assert jobs.wait(20)
    assert [(row.seq, row.attempt) for row in store.runs.tape(run_id).records()] == [(n, 0) for n in range(5)]


def test_a_persons_overlong_memory_is_refused_although_a_models_would_be_cut(store: Store, jobs: Jobs) -> None:
    run_id = started(store, jobs, reader="memagent")
    with pytest.raises(BadInput, match="there is room for 32"):
        human_model.submit_reply(store, waiting(store, run_id, 0), "so many words " * 20)


def test_a_draft_stays_with_its_call_until_a_reply_is_sent(store: Store, jobs: Jobs) -> None:
    """It is there when the page is reopened and when the same call is made again, but never for another call."""
    run_id = started(store, jobs)
    waited = waiting(store, run_id, 0)
    assert store.waiting.draft(waited) == {}
    with Store() as other:
        other.waiting.save_draft(waited, {"text": "Half a summ", "pages": [1], "-how": "Fill in", "label": None})
    filled = {"text": "Half a summ", "pages": [1], "-how": "Fill in", "label": None}
    assert store.waiting.draft(waited) == filled
    assert store.waiting.pending(run_id) == waited
    store.waiting.save_draft(WaitingCall(run_id, 1, 0, {}), {"text": "of another call"})
    assert store.waiting.draft(waited) == filled
    assert store.waiting.draft(WaitingCall(run_id, 1, 0, {})) == {}
    store.waiting.ask(waited)
    assert store.waiting.draft(waited) == filled
    replied(store, run_id, 0)
    assert store.waiting.draft(waited) == {}
    store.waiting.save_draft(waited, {"text": "too late"})
    assert store.waiting.draft(waited) == {}
    assert store.waiting.draft(waiting(store, run_id, 1)) == {}


def test_a_persons_replies_are_counted_from_the_first_human_call(store: Store, jobs: Jobs) -> None:
    run_id = started(store, jobs)
    assert (human_model.first_human_call(store.runs.get(run_id)), human_model.count_human_replies(store, run_id)) == (0, 0)
    replied(store, run_id, 0)
    waiting(store, run_id, 1)
    assert human_model.count_human_replies(store, run_id) == 1
    done = execute(store, begun(store, parts_of(3), model=catalogue.OFFLINE), READER, Execution(Offline()))
    last = max(record.seq for record in store.runs.tape(done.id).records())
    made = fork(store, open_reading(store, done.id), READER, ModelEdit(last, HUMAN))
    jobs.start(made.id, READER, person(made.id))
    waiting(store, made.id, last)
    assert (human_model.first_human_call(store.runs.get(made.id)), human_model.count_human_replies(store, made.id)) == (last, 0)


def test_a_cancelled_run_settles_at_once_and_leaves_no_thread(store: Store, jobs: Jobs) -> None:
    run_id = started(store, jobs)
    replied(store, run_id, 0)
    waited = waiting(store, run_id, 1)
    began = time.monotonic()
    jobs.cancel(run_id)
    assert jobs.wait(5)
    assert time.monotonic() - began < 2
    assert store.runs.get(run_id).status == "cancelled"
    assert store.waiting.pending(run_id) is None
    assert not human_model.submit_reply(store, waited, "Too late.")
    assert human_model.count_human_replies(store, run_id) == 1
    jobs.resume(store, run_id, READER, person(run_id))
    assert waiting(store, run_id, 1) == waited or waiting(store, run_id, 1).call["identity"] == waited.call["identity"]
    assert [row.reply for row in store.runs.tape(run_id).records() if row.reply] == ["In short, 0."]


def test_a_deleted_visit_stops_the_run_as_well(store: Store, jobs: Jobs) -> None:
    with Store(visitor="somebody") as theirs:
        run_id = started(theirs, jobs)
    waiting(store, run_id, 0)
    jobs.end_visit("somebody")
    until(lambda: not store.runs.listed())
    assert jobs.wait(5)


@pytest.mark.slow
def test_after_a_kill_and_resume_the_same_call_waits_and_all_replies_stay(store: Store, jobs: Jobs, own_home: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD], cwd=ROOT, env={**os.environ, "PALIMPSEST_HOME": str(own_home)}, stdout=subprocess.PIPE
    )
    assert child.stdout
    run_id = child.stdout.readline().decode().strip()
    replied(store, run_id, 0)
    replied(store, run_id, 1)
    before = waiting(store, run_id, 2)
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    assert store.runs.get(run_id).status == "interrupted"
    kept = human_model.submit_reply(store, before, "Sent while nobody was there.")
    jobs.resume(store, run_id, READER, person(run_id))
    assert kept
    waiting(store, run_id, 3)
    assert [row.reply for row in store.runs.tape(run_id).records()] == [
        "In short, 0.",
        "In short, 1.",
        "Sent while nobody was there.",
    ]
    replied(store, run_id, 3)
    replied(store, run_id, 4)
    assert jobs.wait(20)
    assert store.runs.get(run_id).answer == "forty-two"


def test_a_worker_that_has_lost_a_run_leaves_the_next_ones_call_alone(store: Store) -> None:
    run_id = begun(store)
    store.runs.claim(run_id)
    asked = WaitingCall(run_id, 4, 0, {"identity": "a call", "prompt": {}})
    store.waiting.ask(asked)
    before = store.waiting.pending(run_id)
    late = WaitingCalls(store.connection, "1:1.00")  # which no longer owns the run
    late.ask(WaitingCall(run_id, 2, 0, {"identity": "another call", "prompt": {}}))
    late.withdraw(run_id)
    assert (store.waiting.pending(run_id), store.runs.get(run_id).status) == (before, "waiting")
    assert store.waiting.reply(run_id, 4, 0, "A reply.")
    late.discard_reply(run_id)
    taken = store.waiting.find_reply(run_id, 4, 0)
    assert (taken or ("",))[0] == "A reply."
    store.waiting.discard_reply(run_id)
    assert store.waiting.pending(run_id) == before
    store.runs.settle(run_id, "cancelled")
    late.withdraw(run_id)  # it owns nothing any more
    assert store.waiting.pending(run_id) is None


def test_runs_that_wait_for_people_occupy_no_place(store: Store, jobs: Jobs) -> None:
    people = [started(store, jobs) for _ in range(20)]
    for run_id in people:
        waiting(store, run_id, 0)
    offline = begun(store, model=catalogue.OFFLINE)
    jobs.start(offline, READER, Execution(Offline()))
    until(lambda: store.runs.get(offline).status == "finished")
    assert {store.runs.get(run_id).status for run_id in people} == {"waiting"}


def test_a_persons_replies_are_neither_shared_nor_reused(store: Store, jobs: Jobs) -> None:
    """Even if the spec allows reuse and another person reads the same text."""
    document = parts_of(3)
    execute(store, begun(store, document, model=catalogue.OFFLINE), READER, Execution(Offline()))
    first = begun(store, document)
    jobs.start(first, READER, person(first))
    for seq in range(5):
        replied(store, first, seq)
    assert jobs.wait(20)
    spec = RunSpec("memwalker", READER.version, "Where?", options=store.runs.get(first).spec["options"], model=HUMAN, reuse=True)
    second = create_run(store, document, READER, spec).id
    jobs.start(second, READER, person(second))
    waiting(store, second, 0)
    jobs.cancel(second)
    third = execute(store, begun(store, document, model=catalogue.OFFLINE), READER, Execution(Offline()))
    assert "cached" in {row.origin for row in store.runs.tape(third.id).records()}
    assert {row.model for row in store.runs.tape(third.id).records()} == {catalogue.OFFLINE}


def test_the_app_starts_it_without_reuse_and_one_call_at_a_time(store: Store) -> None:
    run = store.runs.get(begun(store))
    how = start_runs.execution(run, models_still_needed(store, run), ModelChoice(HUMAN))
    assert (how.waits_for_person, how.concurrency, how.model) == (True, 1, Human(run.id))


def test_on_the_command_line_it_is_wrong_use(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "text.txt"
    path.write_text("A lamp. A boat.")
    assert main(["read", str(path), "--question", "Where?", "--model", HUMAN]) == 2
    assert "Be the model yourself" in capsys.readouterr().err
    assert store.runs.listed() == []
    assert main(["resume", begun(store)]) == 2
    assert main(["models"]) == 0
    assert HUMAN in capsys.readouterr().out
    with pytest.raises(BadOptions, match="in the app"):
        catalogue.open_model(HUMAN)
    assert (catalogue.title(HUMAN), catalogue.window_for(HUMAN)) == ("you", None)


@pytest.mark.slow  # loads litellm
def test_it_costs_nothing_and_needs_as_many_calls_as_other_models(store: Store) -> None:
    document = parts_of(3)
    options = {"segment_tokens": 64}
    mine, theirs = (
        estimate(document, READER, RunSpec("memwalker", READER.version, "Where?", options=options, model=model))
        for model in (HUMAN, "gpt-4o-mini")
    )
    assert mine.cost == (0, 0)
    assert mine.calls == theirs.calls
