"""Replay, resume and order: the same run, however often, in whichever process, and wherever it was interrupted."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from readers.engine.canonical import canonical
from readers.engine.errors import AlreadyFinished, BadFile, BadOptions, Diverged, ModelFailed, ReadingError
from readers.engine.files.runs.import_run import check_run_file, save_checked
from readers.engine.files.runs.run_file import run_file
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import RefusingModel
from readers.engine.models.offline import Offline
from readers.engine.prompts import options
from readers.engine.prompts.options import option
from readers.engine.record import events
from readers.engine.run.execute import Execution, RunSpec, create_run, execute, rehearse
from readers.engine.run.jobs import Jobs
from readers.engine.store import Run, Store
from readers.engine.text.document import Document, Text
from readers.memwalker import MemWalker
from readers.memwalker.options import MemWalkerOptions
from readers.memwalker.prompts import TRIAGE
from tests.support.models.scripted_models import BACK, Scripted, parts_of, walker
from tests.support.paths import ROOT
from tests.support.processes.killed_readings import CALLS, OPTIONS, PARTS, Dying, Killed, answer
from tests.support.readings.replays import replayed
from tests.support.specs import current_spec

READER = MemWalker()


def start(store: Store, **changes: Any) -> Run:
    spec = RunSpec("memwalker", READER.version, "When was the lamp lit?", options=OPTIONS, reuse=False)
    return create_run(store, parts_of(PARTS), READER, replace(spec, **changes))


def processes(home: Path, *readings: tuple[str, Path, int]) -> list[int]:
    """The exit codes of these runs (id, log, the call that kills it), each in a process of its own."""
    with Store(home / "palimpsest.db") as store:
        store.connection.execute("UPDATE runs SET worker = ''")  # no worker, so that other processes can claim them
    words = [
        sys.executable,
        "-m",
        "tests.support.processes.killed_readings",
        *(str(word) for reading in readings for word in reading),
    ]
    done = subprocess.run(words, cwd=ROOT, env={**os.environ, "PALIMPSEST_HOME": str(home)}, stdout=subprocess.PIPE, check=True)
    return [int(line) for line in done.stdout.split()]


def recorded(store: Store, run_id: str) -> list[tuple[Any, ...]]:
    return [(r.seq, r.attempt, r.asked, r.identity, r.reply, r.note, r.sample) for r in store.runs.tape(run_id).records()]


# Replay


def test_a_finished_run_executed_again_makes_no_call_and_yields_the_same_events(store: Store) -> None:
    run = start(store)
    execute(store, run.id, READER, Execution(Scripted(answer), concurrency=4))
    before, rows = store.runs.tape(run.id).events(), recorded(store, run.id)
    replayed(store, run, READER)
    assert store.runs.tape(run.id).events() == before
    assert recorded(store, run.id) == rows


def test_so_does_a_run_that_ended_without_an_answer(store: Store) -> None:
    run = create_run(store, parts_of(2), READER, current_spec("memwalker", "Where?", options={"segment_tokens": 64}))
    assert execute(store, run.id, READER, Execution(walker([0, BACK, 1, BACK]))).outcome == "exhausted"
    before = store.runs.tape(run.id).events()
    replayed(store, run, READER)
    assert store.runs.tape(run.id).events() == before


def broken(*_: object) -> Text:
    raise ZeroDivisionError


def test_a_finished_run_is_refused_and_stays_as_it_was(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run = execute(store, start(store).id, READER, Execution(Scripted(answer)))
    monkeypatch.setattr(MemWalker, "read", broken)
    with pytest.raises(AlreadyFinished, match=f"reading '{run.id}' is finished"):
        execute(store, run.id, READER, Execution(RefusingModel()))
    with pytest.raises(AlreadyFinished):
        Jobs(at_once=1).resume(store, run.id, READER, Execution(RefusingModel()))
    for begin in (store.runs.queue, store.runs.claim):  # another process may have finished it in between
        with pytest.raises(AlreadyFinished):
            begin(run.id)
    assert store.runs.get(run.id) == run


UNREADABLE = {
    "an option that was renamed": {"options": {"segment_size": 64}},
    "a prompt that is gone": {"prompts": {"memwalker.gone": "$question"}},
    "a setting of another version": {"mood": "calm"},
}


@pytest.mark.parametrize("change", UNREADABLE.values(), ids=[*UNREADABLE])
def test_a_run_whose_settings_cannot_be_read_stays_as_it_was(store: Store, change: dict[str, Any]) -> None:
    stopped = execute(store, start(store).id, READER, Execution(RefusingModel(), stopped=lambda: True))
    store.connection.execute("UPDATE runs SET spec = ? WHERE id = ?", (json.dumps({**stopped.spec, **change}), stopped.id))
    before = store.runs.get(stopped.id)
    with pytest.raises(BadOptions, match=f"reading '{stopped.id}' cannot be resumed"):
        execute(store, stopped.id, READER, Execution(Scripted(answer)))
    with pytest.raises(BadOptions, match=f"reading '{stopped.id}' cannot be resumed"):
        Jobs(at_once=1).resume(store, stopped.id, READER, Execution(Scripted(answer)))
    assert store.runs.get(stopped.id) == before


# Killed and resumed


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The events and rows of the run that nobody kills."""
    with Store(tmp_path_factory.mktemp("whole") / "p.db") as store:
        run = start(store)
        assert execute(store, run.id, READER, Execution(Scripted(answer), concurrency=4)).outcome == "answered"
        return store.runs.tape(run.id).events(), recorded(store, run.id)


def test_a_run_interrupted_at_any_call_and_resumed_repeats_no_answered_call(
    store: Store, whole: tuple[list[str], list[tuple[Any, ...]]]
) -> None:
    for last in range(1, CALLS + 1):
        run = start(store)
        with pytest.raises(Killed):
            execute(store, run.id, READER, Execution(Dying(last), concurrency=4))
        kept = {(record.seq, record.attempt) for record in store.runs.tape(run.id).records() if record.reply is not None}
        assert len(kept) < last
        resumed_as_whole(store, run.id, kept, whole)


def resumed_as_whole(
    store: Store, run_id: str, kept: set[tuple[int, int]], whole: tuple[list[str], list[tuple[Any, ...]]]
) -> None:
    """It goes on to the same events and records, and nothing of `kept` is asked again."""
    model = Scripted(answer)
    assert execute(store, run_id, READER, Execution(model, concurrency=4)).outcome == "answered"
    assert not kept & {(call.seq, call.attempt) for call in model.calls}
    assert store.runs.tape(run_id).events() == whole[0]
    assert recorded(store, run_id) == whole[1]


@pytest.mark.slow
def test_a_run_killed_at_any_call_and_resumed_repeats_no_answered_call(
    store: Store, own_home: Path, tmp_path: Path, whole: tuple[list[str], list[tuple[Any, ...]]]
) -> None:
    """A real SIGKILL at each call; the last reading is killed twice and then let go on."""
    ids, twice, log = [start(store).id for _ in range(CALLS)], start(store).id, tmp_path / "twice"
    kills = [(run_id, tmp_path / run_id, last) for last, run_id in enumerate(ids, 1)]
    assert processes(own_home, *kills, (twice, log, 4), (twice, log, 5), (twice, log, 0)) == [-9] * (CALLS + 2) + [0]
    in_flight = 4  # answered by the model and not yet on record when the process died: at most one a place
    for last, run_id in enumerate(ids, 1):
        assert store.runs.get(run_id).status == "interrupted"
        kept = {(record.seq, record.attempt) for record in store.runs.tape(run_id).records() if record.reply is not None}
        assert last - in_flight <= len(kept) < last
        resumed_as_whole(store, run_id, kept, whole)
    assert store.runs.get(twice).outcome == "answered"
    answered = Counter(log.read_text(encoding="utf-8").split())
    assert len(answered) == CALLS
    assert sum(count - 1 for count in answered.values()) <= 2 * in_flight


def test_some_kills_fell_inside_batches(whole: tuple[list[str], list[tuple[Any, ...]]]) -> None:
    attempts = Counter(row[0] for row in whole[1])
    assert attempts.total() == CALLS
    assert {seq for seq, count in attempts.items() if count > 1} == {3, 10}  # the fourth of the six segments, and a decision


# Independent of timing; the hash seed is varied for every reader in one test of its own


class Shuffled:
    """Answers like `answer`, each batch in a random order."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self.order: list[int] = []

    def complete(self, call: Call) -> Reply:
        with self._lock:
            wait = self._random.uniform(0, 0.02)
        time.sleep(wait)
        self.order.append(call.seq)
        return Reply(answer(call), 10, 5, 0.0)


def test_events_do_not_depend_on_the_order_of_replies(store: Store, whole: tuple[list[str], list[tuple[Any, ...]]]) -> None:
    orders = set()
    for seed in range(6):
        run, model = start(store), Shuffled(seed)
        execute(store, run.id, READER, Execution(model, concurrency=6))
        orders.add(tuple(model.order[:6]))
        assert store.runs.tape(run.id).events() == whole[0]
        assert recorded(store, run.id) == whole[1]
    assert len(orders) > 1


def test_events_do_not_depend_on_concurrency(store: Store, whole: tuple[list[str], list[tuple[Any, ...]]]) -> None:
    for width in (1, 2, 32):
        run = start(store)
        execute(store, run.id, READER, Execution(Scripted(answer), concurrency=width))
        assert store.runs.tape(run.id).events() == whole[0]


def test_a_rehearsal_calls_the_model_on_its_own_thread() -> None:
    """Nobody stops it, so a thread for the calls would only cost time."""
    threads: set[int] = set()

    def noting(call: Call) -> str:
        threads.add(threading.get_ident())
        return answer(call)

    rehearse(parts_of(PARTS), READER, RunSpec("memwalker", READER.version, "?", options=OPTIONS), Scripted(noting))
    assert threads == {threading.get_ident()}


# Rules 7 and 8: runs that no longer match their record


def finished(store: Store, **changes: Any) -> Run:
    run = start(store, **changes)
    return execute(store, run.id, READER, Execution(Scripted(answer), concurrency=4))


def test_a_diverging_run_names_the_changed_prompt(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run = finished(store)
    monkeypatch.setattr("readers.memwalker.reader.TRIAGE", replace(TRIAGE, template=TRIAGE.template + " Thank you."))
    with pytest.raises(Diverged, match=r"memwalker\.triage.*start a new reading"):
        replayed(store, run, READER)


def test_a_diverging_run_names_the_changed_part(store: Store) -> None:
    run = finished(store)
    sql = "UPDATE runs SET spec = json_set(spec, '$.question', 'Who lit it?') WHERE id = ?"
    store.connection.execute(sql, (run.id,))
    with pytest.raises(Diverged, match=r"call 10.*'question'|'question'.*call 10"):
        replayed(store, store.runs.get(run.id), READER)


def test_a_reader_that_emits_other_events_diverges(store: Store) -> None:
    run = finished(store)
    store.connection.execute("UPDATE events SET body = replace(body, 'at 9', 'at nine') WHERE run = ?", (run.id,))
    with pytest.raises(Diverged, match="but the record has"):
        replayed(store, run, READER)


def test_a_run_of_another_version_is_not_resumed(store: Store) -> None:
    class Newer(MemWalker):
        version = READER.version + 1

    run = finished(store)
    with pytest.raises(Diverged, match=f"by version {READER.version} of"):
        execute(store, run.id, Newer(), Execution(RefusingModel()))
    assert store.runs.get(run.id).status == "finished"


def test_a_reading_recorded_before_an_option_got_its_name_opens_and_replays_under_the_new_one(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dataclass(frozen=True)
    class Named(MemWalkerOptions):
        segment_tokens: int = option(1000, "The longest segment.", was=("leaf_tokens",))

    class Renamed(MemWalker):
        Options = Named

    run = finished(store)
    store.connection.execute("UPDATE runs SET spec = replace(spec, 'segment_tokens', 'leaf_tokens')")
    assert "leaf_tokens" in store.runs.get(run.id).spec["options"]
    monkeypatch.setitem(options._CURRENT, "memwalker", Named)
    assert store.runs.get(run.id).spec["options"] == run.spec["options"]
    replayed(store, store.runs.get(run.id), Renamed())


# Failing, stopping, and edited prompts


def test_a_reader_that_raises_fails_its_run_and_the_error_is_raised_again(store: Store) -> None:
    class Broken(MemWalker):
        def read(self, *_: Any) -> Text:
            raise KeyError("nothing of the kind")

    run = start(store)
    with pytest.raises(KeyError):
        execute(store, run.id, Broken(), Execution(RefusingModel()))
    assert store.runs.get(run.id).status == "failed"
    assert "nothing of the kind" in (store.runs.get(run.id).error or "")


def test_an_error_message_that_cannot_be_encoded_fails_the_run_like_any_other(store: Store) -> None:
    def refuse(call: Call) -> str:
        raise ModelFailed("the server said \ud800")

    run = start(store)
    failed = execute(store, run.id, READER, Execution(Scripted(refuse)))
    assert (failed.status, failed.error) == ("failed", "the server said ?")
    assert {record.error for record in store.runs.tape(run.id).records()} == {"the server said ?"}
    assert execute(store, run.id, READER, Execution(Scripted(answer))).outcome == "answered"


@pytest.mark.parametrize("text", ["", " \n\n\t"])
def test_an_empty_document_is_refused_before_anything_is_stored(store: Store, text: str) -> None:
    with pytest.raises(BadFile, match="no text in 'Blank'"):
        create_run(store, Document.of(text, title="Blank"), READER, current_spec("memwalker", "Where?"))
    assert (store.runs.listed(), store.documents.listed()) == ([], [])


def test_a_cancel_request_in_the_store_stops_the_run(store: Store) -> None:
    run = start(store)

    def cancel_at_four(call: Call) -> str:
        if call.seq == 4:
            with Store(store.path) as other:
                other.runs.cancel(run.id)
        time.sleep(0.1)
        return answer(call)

    model = Scripted(cancel_at_four)
    assert execute(store, run.id, READER, Execution(model, concurrency=1)).status == "cancelled"
    assert 5 <= len(model.calls) <= 9
    resumed = execute(store, run.id, READER, Execution(Scripted(answer)))
    assert resumed.outcome == "answered"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"question": " "}, "no question"),
        ({"choices": ("one",)}, "2 to 26"),
        ({"choices": ("one", " ")}, "2 to 26"),
        ({"temperature": 3.0}, "temperature"),
        ({"api_base": "ftp://x"}, "http"),
        ({"prompts": {"memwalker.triage": "no parts"}}, "lacks"),
        ({"prompts": {"memwalker.nap": "x"}}, "no prompt"),
        ({"options": {"segment_tokens": 1}}, "at least 32"),
        ({"question": "Why \ud83d?"}, "half a character"),
        ({"choices": ("one", "tw\udcff")}, "half a character"),
        ({"model": "\ud800"}, "half a character"),
        ({"prompts": {"memwalker.leaf_summary": "\ud800 $segment"}}, "half a character"),
    ],
)
def test_an_invalid_spec_is_refused_before_anything_is_stored(store: Store, changes: dict[str, Any], says: str) -> None:
    with pytest.raises(BadOptions, match=says):
        start(store, **changes)
    assert store.runs.listed() == []


def test_the_model_sees_an_edited_prompt(store: Store) -> None:
    model = Scripted(answer)
    run = start(store, prompts={TRIAGE.id: "Ahoy. " + TRIAGE.template})
    execute(store, run.id, READER, Execution(model))
    assert all(call.messages[0]["content"].startswith("Ahoy.") for call in model.calls if call.prompt.id == TRIAGE.id)
    assert issubclass(BadOptions, ReadingError)


def test_a_run_can_be_followed_while_it_is_executing(store: Store) -> None:
    run, seen = start(store), []

    def watch(call: Call) -> str:
        if call.seq == 13:
            time.sleep(0.05)
            with Store(store.path) as other:
                seen.extend(other.runs.tape(run.id).events_after(-1))
        return answer(call)

    execute(store, run.id, READER, Execution(Scripted(watch)))
    kinds = [events.from_json(line).kind for line in seen]
    assert kinds.count("wrote") == 9
    assert "answered" not in kinds


def test_the_offline_model_reads_the_sample_without_any_thread(lamp: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[threading.Thread] = []
    monkeypatch.setattr(threading.Thread, "start", started.append)  # another test's may end meanwhile, so they are not counted
    trace = rehearse(lamp, READER, current_spec("memwalker", "Who painted the lamp?", options={"segment_tokens": 400}), Offline())
    assert trace.outcome in ("answered", "exhausted", "no_answer")
    assert not started


class Slow:
    """Answers as the offline model, 40 milliseconds later."""

    def complete(self, call: Call) -> Reply:
        began = time.monotonic()
        time.sleep(0.04)
        return replace(Offline().complete(call), ms=round(1000 * (time.monotonic() - began)))


@pytest.mark.parametrize("at_once", [1, 2])
def test_minutes_end_a_reading_as_other_budgets_do_and_its_file_is_imported(store: Store, at_once: int) -> None:
    run, began = start(store, caps={"max_minutes": 0.002}), time.monotonic()
    done = execute(store, run.id, READER, Execution(Slow(), concurrency=at_once))
    took = time.monotonic() - began
    assert (done.status, done.outcome, done.error) == ("finished", "over_budget", "the budget of 0.002 minutes is used up")
    spent = store.runs.tape(run.id).spent()
    assert 0.12 <= spent.seconds <= took
    assert 2 <= spent.calls <= 6 * at_once
    data = canonical(run_file(store, run.id, READER)).encode()
    there = save_checked(store, check_run_file(data, "some.json", readers=lambda _: READER))
    assert (there.outcome, there.error) == (done.outcome, done.error)
    another = start(store, caps={"max_minutes": 60.0})
    assert execute(store, another.id, READER, Execution(Offline())).outcome != "over_budget"
