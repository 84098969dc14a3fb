"""Forks in detail: how many calls a server receives, what cannot be changed, forks of forks, two people at once, stopping."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from readers import get
from readers.cli import main
from readers.engine.analysis.measures import measures
from readers.engine.canonical import digest
from readers.engine.errors import BadOptions, Busy
from readers.engine.files.runs.run_file import run_file
from readers.engine.forks.describe_edit import describe, tree
from readers.engine.forks.fork import ForkTerms, fork, price
from readers.engine.models import catalogue
from readers.engine.models.call import Reply, ServedModel
from readers.engine.models.model import LiteLLM
from readers.engine.models.offline import Offline
from readers.engine.models.similarity import WithScores
from readers.engine.record.edits import LEFT_OUT, LeaveOutEdit, ModelEdit, PromptEdit, ReplyEdit, RerunEdit, WrittenEdit, rewrite
from readers.engine.run import human_model
from readers.engine.run.estimate import PROMPT_SPREAD, REPLY_SPREAD, WALK_SPREAD
from readers.engine.run.execute import Execution, RunSpec, create_run, execute, models_still_needed
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.text.document import Piece, Text
from readers.memwalker import MemWalker
from readers.memwalker.prompts import TRIAGE
from tests.support.models.scripted_models import BACK, COMMIT, Scripted, parts_of, walker
from tests.support.processes import killed_readings
from tests.support.readings.replays import replayed
from tests.support.servers.model_server import ModelServer, memory_reply, memwalker_reply, replying

LEAVES = 64


def chained(words: str) -> str:
    """A reply that depends on everything read before."""
    return "\\boxed{at four}" if "<section>" not in words else f"A memory that comes of {digest(words)[:12]}."


def served(reader: str, server: ModelServer, **more: Any) -> RunSpec:
    return RunSpec(
        reader, get(reader).version, "Which word is it?", model="openai/test", api_base=server.base_url, window=None, **more
    )


def finished(store: Store, run: Run) -> Reading:
    done = execute(store, run.id, get(run.reader), Execution(LiteLLM("no-key"), concurrency=8))
    assert done.status == "finished", done.error
    return open_reading(store, done.id)


def told_apart(words: str) -> str:
    """MemWalker's replies, with summaries that depend on everything they are made of."""
    return memwalker_reply(words) if "Action:" in words else f"{'It is told at some length. ' * 4}{digest(words)[:12]}."


@pytest.mark.slow  # loads litellm
def test_a_chain_forked_at_k_replays_k_calls_and_sends_the_rest_to_the_server(store: Store) -> None:
    options = {"chunk_tokens": 64, "memory_tokens": 256}
    with ModelServer(replying(chained)) as server:
        parent = finished(store, create_run(store, parts_of(12), get("memagent"), served("memagent", server, options=options)))
        calls = len(server.requests)
        assert calls == len(parent.records) == 13
        for k in (0, 5, 11):
            before = len(server.requests)
            made = fork(store, parent, get("memagent"), ReplyEdit(k, 0, f"Another memory, {k}."))
            done = finished(store, made)
            assert len(server.requests) - before == calls - k - 1
            origins = Counter(record.origin for record in done.records)
            assert origins == Counter(replayed=k, edited=1, live=calls - k - 1)
        assert len(server.requests) == sum(store.runs.tape(run.id).spent().calls for run in store.runs.listed())


@pytest.mark.slow  # loads litellm
def test_editing_one_of_64_leaves_repeats_only_its_ancestors_and_the_walk(store: Store) -> None:
    options = {"segment_tokens": 64, "max_children": 4, "summary_limit_tokens": 64}
    with ModelServer(replying(told_apart)) as server:
        parent = finished(store, create_run(store, parts_of(LEAVES), MemWalker(), served("memwalker", server, options=options)))
        nodes = {node["id"]: node for node in MemWalker().view(parent.trace)["nodes"]}
        leaves = [node_id for node_id, node in nodes.items() if not node["children"]]
        assert len(leaves) == LEAVES
        leaf = leaves[40]
        above = {leaf}
        while grown := {node_id for node_id, node in nodes.items() if above & set(node["children"])} - above:
            above |= grown
        number = int(leaf)
        wrote = parent.trace.wrote[number]
        before = len(server.requests)
        made = fork(store, parent, MemWalker(), WrittenEdit(number, wrote.role, wrote.text, "All of it is about kettles."))
        done = finished(store, made)
        sent = server.requests[before:]
        tree_calls = [request for request in sent if "Action:" not in request.content]
        assert len(tree_calls) == len(above) - 1 == 3
        assert "All of it is about kettles." in tree_calls[0].content
        walk = [record for record in done.records if record.task in ("choose", "answer_or_decline")]
        assert len(sent) - len(tree_calls) == len([record for record in walk if record.origin == "live"]) <= len(walk)
        assert MemWalker().view(done.trace)["nodes"][number]["summary"] == "All of it is about kettles."


def test_the_price_of_a_fork_is_what_it_then_takes(store: Store) -> None:
    """For a run by the offline model the price is exact."""
    document = parts_of(8)
    spec = RunSpec("memagent", get("memagent").version, "Which word?", options={"chunk_tokens": 64, "memory_tokens": 128})
    run = execute(store, create_run(store, document, get("memagent"), spec).id, get("memagent"), Execution(Offline()))
    parent = open_reading(store, run.id)
    found = price(store, parent, get("memagent"), ReplyEdit(3, 0, "Nothing much."))
    assert (found.reused, found.calls, found.cost) == (3, (5, 5), (0, 0))
    assert store.runs.listed() == [parent.run]
    made = fork(store, parent, get("memagent"), ReplyEdit(3, 0, "Nothing much."))
    execute(store, made.id, get("memagent"), Execution(Offline()))
    assert store.runs.tape(made.id).spent().calls == 5


def test_the_price_of_a_fork_counts_what_its_model_may_think(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readers.engine.forks.fork.cost_of", lambda *_, **__: None)
    reader = get("memagent")
    spec = RunSpec("memagent", reader.version, "Which word?", options={"chunk_tokens": 64, "memory_tokens": 128})
    run = execute(store, create_run(store, parts_of(8), reader, spec).id, reader, Execution(Offline()))
    plain, found = (
        price(store, open_reading(store, run.id), reader, ModelEdit(3, "openai/some-model", None, 0.0, None, 8192, 500, factor))
        for factor in (1, 8)
    )
    assert (found.calls, found.tokens_in, found.tokens_out.low) == (plain.calls, plain.tokens_in, plain.tokens_out.low)
    replies = plain.tokens_out.high / REPLY_SPREAD[1]
    assert found.tokens_out.high - plain.tokens_out.high == pytest.approx(500 * plain.calls.high - replies)


def test_a_price_sends_no_text_to_an_embedding_model(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memories are compared by embeddings; trying a fork compares them by words instead, and costs nothing."""
    embedded: list[list[str]] = []

    def embed(_: WithScores, served: ServedModel, texts: list[str]) -> Reply:
        embedded.append(texts)
        return Reply(json.dumps([0.5] * (len(texts) - 1)), 0, 0, 0.0)

    monkeypatch.setattr(WithScores, "_embed", embed)
    options = {"chunk_tokens": 64, "memory_tokens": 128, "recall": "embedding", "recall_query": "question"}
    spec = RunSpec("rememr1", get("rememr1").version, "Where is word3x3?", options=options)
    model = Scripted(lambda call: f"<update>Memory {call.seq}.</update>")
    run = execute(store, create_run(store, parts_of(8), get("rememr1"), spec).id, get("rememr1"), Execution(model))
    assert embedded
    embedded.clear()
    found = price(store, open_reading(store, run.id), get("rememr1"), ReplyEdit(1, 0, "<update>Nothing much.</update>"))
    assert found.whole
    assert embedded == []


def test_the_price_of_a_fork_of_a_finished_run_counts_calls_to_a_model_alone(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = get("rememr1")
    options = {"chunk_tokens": 64, "memory_tokens": 128, "recall": "word_recall"}
    spec = RunSpec("rememr1", reader.version, "Where is word3x3?", options=options)
    model = Scripted(lambda call: f"<update>Memory {call.seq}.</update><recall>What of {call.seq}?</recall>")
    run = execute(store, create_run(store, parts_of(8), reader, spec).id, reader, Execution(model))
    parent = open_reading(store, run.id)
    asked = [record for record in parent.records if record.task != "score"]
    assert 9 < len(asked) < len(parent.records)
    edit = ReplyEdit(asked[3].seq, 0, asked[3].reply or "")
    exact = price(store, parent, reader, edit)
    assert (exact.asks_nothing, exact.reused, exact.note.split()[0]) == (True, len(asked) - 1, str(len(asked) - 4))
    monkeypatch.setattr("readers.engine.forks.fork.MAX_TRIED_CALLS", 5)
    about = price(store, parent, reader, edit)
    assert (about.whole, about.reused, about.note) == (False, 3, "as many as the reading has left")
    left = asked[3:]
    assert about.calls == (round(len(left) * WALK_SPREAD[0]), round(len(left) * WALK_SPREAD[1]))
    sent = sum(record.tokens_in or 0 for record in left)
    assert about.tokens_in.high == pytest.approx(sent / len(left) * PROMPT_SPREAD[1] * about.calls.high)


def test_a_stopped_long_run_is_priced_by_an_estimate_of_the_whole(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = RunSpec("memagent", get("memagent").version, "Which word?", options={"chunk_tokens": 64, "memory_tokens": 128})
    run, model = create_run(store, parts_of(40), get("memagent"), spec), Scripted(lambda call: "A memory.")
    execute(store, run.id, get("memagent"), Execution(model, concurrency=1, stopped=lambda: len(model.calls) >= 6))
    half = open_reading(store, run.id)
    assert half.run.status == "cancelled"
    exact = price(store, half, get("memagent"), ReplyEdit(3, 0, "Nothing much."))
    monkeypatch.setattr("readers.engine.forks.fork.MAX_TRIED_CALLS", 5)
    about = price(store, half, get("memagent"), ReplyEdit(3, 0, "Nothing much."))
    assert exact.whole
    assert not about.whole
    assert exact.calls.low == exact.calls.high == 37
    assert about.calls.low <= 37 <= about.calls.high
    assert about.reused == 3


@pytest.mark.slow  # loads litellm
def test_tokens_and_calls_add_up_to_what_the_server_received_whatever_was_reused(store: Store) -> None:
    """A run, a second question on the text (cached), a fork of it (replayed, inherited, edited) and a fork of that fork."""
    options = {"segment_tokens": 64, "max_children": 4, "summary_limit_tokens": 64}
    with ModelServer(replying(told_apart)) as server:
        first = finished(store, create_run(store, parts_of(16), MemWalker(), served("memwalker", server, options=options)))
        other = replace(served("memwalker", server, options=options), question="Which other word?")
        second = finished(store, create_run(store, parts_of(16), MemWalker(), other))
        wrote = second.trace.wrote[3]
        third = finished(store, fork(store, second, MemWalker(), WrittenEdit(3, wrote.role, wrote.text, "About kettles.")))
        at = choices(third)[-1]
        fourth = finished(store, fork(store, third, MemWalker(), ReplyEdit(at, 0, third.records[at].reply or "")))
        readings = (first, second, third, fourth)
        origins = [Counter(record.origin for record in reading.records) for reading in readings]
        assert set(origins[0]) == {"live"}
        assert set(origins[1]) == {"cached", "live"}
        assert {"replayed", "inherited", "live"} <= set(origins[2])
        assert origins[3]["live"] == 0 < origins[3]["edited"]
        assert sum(counted["live"] for counted in origins) == len(server.requests)
        told = [measures(MemWalker(), reading.trace, reading.records) for reading in readings]
        words = [len(request.content.split()) for request in server.requests]
        assert (sum(one["calls_live"] for one in told), sum(one["tokens_in"] for one in told)) == (len(words), sum(words))
        assert sum(store.runs.tape(reading.run.id).spent().tokens for reading in readings) == sum(
            one["tokens_in"] + one["tokens_out"] for one in told
        )


@pytest.mark.slow  # loads litellm
def test_another_model_answers_from_a_call_on_and_receives_no_other_call(store: Store) -> None:
    options = {"chunk_tokens": 64, "memory_tokens": 256}
    with ModelServer(replying(memory_reply)) as first, ModelServer(replying(memory_reply)) as second:
        parent = finished(store, create_run(store, parts_of(10), get("memagent"), served("memagent", first, options=options)))
        sent = len(first.requests)
        made = fork(store, parent, get("memagent"), ModelEdit(6, "openai/other", second.base_url, 0.5))
        models = catalogue.open_models(RunSpec.from_json(made.spec).models, open_one=lambda model_id, base: LiteLLM("no-key"))
        done = execute(store, made.id, get("memagent"), Execution(models))
        assert done.status == "finished"
        assert len(first.requests) == sent
        assert [(r.body["model"], r.body["temperature"]) for r in second.requests] == [("other", 0.5)] * (sent - 6)
        again = fork(store, open_reading(store, done.id), get("memagent"), ReplyEdit(8, 0, "A memory."))
        execute(store, again.id, get("memagent"), Execution(models))
        assert {r.model for r in open_reading(store, again.id).records if r.seq > 8} == {"openai/other"}


@pytest.fixture
def parent(store: Store) -> Reading:
    """A walk over eight parts that turns back once."""
    spec = RunSpec("memwalker", MemWalker.version, "Which?", options={"segment_tokens": 64, "max_children": 4})
    run = create_run(store, parts_of(8), MemWalker(), spec)
    execute(store, run.id, MemWalker(), Execution(walker([0, 0, BACK, 1, COMMIT])))
    return open_reading(store, run.id)


def choices(reading: Reading) -> list[int]:
    return [record.seq for record in reading.records if record.task in ("choose", "answer_or_decline")]


def test_an_edited_prompt_is_sent_verbatim_and_the_model_replies(store: Store, parent: Reading) -> None:
    at = choices(parent)[0]
    made = fork(store, parent, MemWalker(), PromptEdit(at, ({"role": "user", "content": "Take the second."},)))
    model = walker(["no number", 1, 0, COMMIT])
    assert execute(store, made.id, MemWalker(), Execution(model)).outcome == "answered"
    sent = [call.messages for call in model.calls if call.seq == at]
    assert [messages[0]["content"].startswith("Take the second.") for messages in sent] == [True, True]
    assert "could not be used" in sent[1][0]["content"]
    assert replayed(store, made, MemWalker()).outcome == "answered"


def test_forks_of_forks_keep_earlier_edits_and_stand_below_them_in_the_tree(store: Store, parent: Reading) -> None:
    wrote = parent.trace.wrote[2]
    first = fork(
        store, parent, MemWalker(), WrittenEdit(2, wrote.role, wrote.text, "Something else."), terms=ForkTerms(name="one")
    )
    execute(store, first.id, MemWalker(), Execution(walker([0, 0, COMMIT])))
    one = open_reading(store, first.id)
    second = fork(store, one, MemWalker(), ReplyEdit(choices(one)[0], 0, rendered(1)))
    execute(store, second.id, MemWalker(), Execution(walker([0, COMMIT])))
    two = open_reading(store, second.id)
    assert two.trace.wrote[2].text == "Something else."
    third = fork(store, two, MemWalker(), WrittenEdit(2, wrote.role, "Something else.", ""))
    execute(store, third.id, MemWalker(), Execution(walker([0, 0, COMMIT])))
    assert open_reading(store, third.id).trace.wrote[2].text == LEFT_OUT
    members = tree(store.runs.family(second.id))
    assert [member.id for member in members] == [parent.run.id, first.id, second.id, third.id]
    assert "part 2 instead of part 1" in describe(members[2].edit or {})
    earlier = fork(store, open_reading(store, parent.run.id), MemWalker(), ReplyEdit(0, 0, "Something else."))
    assert [member.id for member in tree(store.runs.family(second.id))][-1] == earlier.id  # before those of an earlier call
    store.runs.delete(first.id)
    assert tree(store.runs.family(second.id)) == [store.runs.get(second.id), store.runs.get(third.id)]
    assert replayed(store, third, MemWalker()).outcome == "answered"


def rendered(action: int) -> str:
    return TRIAGE.reply.render({"reasoning": "a person said so", "action": action})


def test_an_invalid_fork_is_refused_with_the_reason_and_nothing_is_stored(store: Store, parent: Reading) -> None:
    older = parent._replace(run=replace(parent.run, spec={**parent.run.spec, "version": 0}))
    with pytest.raises(BadOptions, match=r"made by version 0 .* this is version"):
        fork(store, older, MemWalker(), RerunEdit(0))
    with pytest.raises(Busy, match="still running"):
        fork(store, parent._replace(run=replace(parent.run, status="running")), MemWalker(), RerunEdit(0))
    wrong = [
        ReplyEdit(99, 0, "x"), ReplyEdit(0, 3, "x"), PromptEdit(-1, ({"role": "user", "content": "x"},)),
        PromptEdit(0, ({"role": "user", "content": " "},)), LeaveOutEdit(0, 5, 5), LeaveOutEdit(0, 0, 10**9),
        WrittenEdit(0, "gist", "x", "y"), WrittenEdit(0, "summary", "not what it says", "y"), ReplyEdit(0, 0, "x" * 1_000_001),
    ]  # fmt: skip
    for edit in wrong:
        with pytest.raises(BadOptions):
            fork(store, parent, MemWalker(), edit)
    assert len(store.runs.listed()) == 1


def test_half_a_character_in_an_edit_is_replaced(store: Store, parent: Reading) -> None:
    wrote = parent.trace.wrote[0]
    made = fork(store, parent, MemWalker(), WrittenEdit(0, wrote.role, wrote.text, "broken \ud83d emoji"))
    assert execute(store, made.id, MemWalker(), Execution(walker([0, 0, COMMIT]))).status == "finished"
    assert open_reading(store, made.id).trace.wrote[0].text == "broken ? emoji"


def test_two_people_fork_the_same_run_at_once_and_both_get_their_fork(store: Store, parent: Reading) -> None:
    at, made, wrong = choices(parent)[0], [], []
    start = threading.Barrier(8)

    def one(number: int) -> None:
        try:
            with Store(store.path) as own:
                reading = open_reading(own, parent.run.id)
                start.wait()
                run = fork(own, reading, MemWalker(), ReplyEdit(at, 0, rendered(number % 2)), terms=ForkTerms(name=str(number)))
                execute(own, run.id, MemWalker(), Execution(walker([0, COMMIT])))
                made.append((number, run.id))
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    for number, run_id in made:
        run = store.runs.get(run_id)
        assert (run.status, run.outcome, run.name, run.parent) == ("finished", "answered", str(number), parent.run.id)
    assert open_reading(store, parent.run.id).records == parent.records


def test_a_fork_is_stopped_and_resumed_like_any_run(store: Store, parent: Reading) -> None:
    at = choices(parent)[0]
    made = fork(store, parent, MemWalker(), ReplyEdit(at, 0, rendered(1)))
    model = walker([0, COMMIT])
    stopped = execute(store, made.id, MemWalker(), Execution(model, stopped=lambda: len(model.calls) > 0))
    assert stopped.status == "cancelled"
    assert len(model.calls) == 1
    rest = walker([COMMIT])
    done = execute(store, made.id, MemWalker(), Execution(rest))
    assert (done.outcome, len(rest.calls)) == ("answered", 1)
    origins = Counter(record.origin for record in open_reading(store, made.id).records)
    assert origins == {"replayed": at, "edited": 1, "live": 2}


@pytest.mark.slow
def test_a_killed_fork_resumes_without_repeating_an_answered_call(store: Store, tmp_path: Path) -> None:
    spec = RunSpec("memwalker", MemWalker.version, "Which?", options=killed_readings.OPTIONS, reuse=False)
    run = create_run(store, parts_of(killed_readings.PARTS), MemWalker(), spec)
    execute(store, run.id, MemWalker(), Execution(Scripted(killed_readings.answer)))
    whole = open_reading(store, run.id)
    wrote = whole.trace.wrote[0]
    made = fork(store, whole, MemWalker(), WrittenEdit(0, wrote.role, wrote.text, "All of it is about kettles."))
    log = tmp_path / "calls"
    store.runs.cancel(made.id)  # otherwise this process would execute it
    command = [sys.executable, "-m", "tests.support.processes.killed_readings", made.id, str(log), "3"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "-9"
    assert store.runs.get(made.id).status == "interrupted"
    before = {(r.seq, r.attempt) for r in store.runs.tape(made.id).records() if r.reply is not None}
    model = Scripted(killed_readings.answer)
    execute(store, made.id, MemWalker(), Execution(model))
    done = open_reading(store, made.id)
    assert (done.run.status, done.run.answer) == ("finished", whole.run.answer)
    assert done.trace.wrote[0].text == "All of it is about kettles."
    assert before
    assert not before & {(call.seq, call.attempt) for call in model.calls}
    assert {r.origin for r in done.records} == {"replayed", "inherited", "live"}


def test_a_fork_switched_back_from_a_person_waits_for_nobody(store: Store) -> None:
    """Superseded edits have no effect, and no model is called if no call is left for it."""
    spec = RunSpec("memagent", get("memagent").version, "Which word?", options={"chunk_tokens": 64, "memory_tokens": 128})
    run = execute(store, create_run(store, parts_of(8), get("memagent"), spec).id, get("memagent"), Execution(Offline()))
    parent = open_reading(store, run.id)
    mine = fork(store, parent, get("memagent"), ModelEdit(4, catalogue.HUMAN))
    assert human_model.may_ask_person(mine.spec, first=mine.fork_at or 0)
    execute(store, mine.id, get("memagent"), Execution(Scripted(lambda call: "A memory."), stopped=lambda: False))
    back = fork(store, open_reading(store, mine.id), get("memagent"), ModelEdit(2, catalogue.OFFLINE))
    assert models_still_needed(store, back) == ((catalogue.OFFLINE, None),)
    assert not human_model.may_ask_person(back.spec, first=2)
    person = create_run(store, parts_of(8), get("memagent"), replace(spec, model=catalogue.HUMAN))
    whole = execute(store, person.id, get("memagent"), Execution(Scripted(lambda call: "A memory.")))
    rest = fork(store, open_reading(store, whole.id), get("memagent"), ModelEdit(5, catalogue.OFFLINE))
    assert models_still_needed(store, rest) == ((catalogue.OFFLINE, None),)
    models = catalogue.open_models(models_still_needed(store, rest))
    assert execute(store, rest.id, get("memagent"), Execution(models)).status == "finished"


def test_a_fork_of_a_stopped_run_continues_to_the_end(store: Store) -> None:
    spec = RunSpec("memwalker", MemWalker.version, "Which?", options={"segment_tokens": 64, "max_children": 4})
    run = create_run(store, parts_of(8), MemWalker(), spec)
    model = walker([0, 0])
    execute(store, run.id, MemWalker(), Execution(model, stopped=lambda: len(model.calls) > 9))
    half = open_reading(store, run.id)
    assert half.run.status == "cancelled"
    made = fork(store, half, MemWalker(), ReplyEdit(choices(half)[0], 0, rendered(1)))
    assert execute(store, made.id, MemWalker(), Execution(walker([0, COMMIT]))).outcome == "answered"


@pytest.mark.slow  # loads litellm
def test_a_server_named_only_in_a_run_file_gets_neither_call_nor_key(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-host")
    with ModelServer(replying(memory_reply)) as server:
        spec = served("memagent", server, options={"chunk_tokens": 64, "memory_tokens": 256})
        run = create_run(store, parts_of(6), get("memagent"), spec)
        execute(
            store, run.id, get("memagent"), Execution(LiteLLM("no-key"), stopped=lambda: len(server.requests) > 2, concurrency=1)
        )
        out = tmp_path / "run.json"
        out.write_text(json.dumps(run_file(store, run.id, get("memagent"))), encoding="utf-8")
        assert main(["import", str(out)]) == 0
        run_id = capsys.readouterr().out.strip()
        before = len(server.requests)
        (tmp_path / "reply.txt").write_text("A memory.", encoding="utf-8")
        assert main(["resume", run_id]) == 2
        assert main(["fork", run_id, "--at", "1", "--reply", str(tmp_path / "reply.txt")]) == 2
        assert server.base_url in capsys.readouterr().err
        assert len(server.requests) == before
        assert main(["resume", run_id, "--api-base", server.base_url]) == 0
        assert len(server.requests) > before


def test_the_command_line_forks_by_reply_text_model_and_passage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text.txt"
    text.write_text(parts_of(8).text, encoding="utf-8")
    out = tmp_path / "run.json"
    ask = ["--question", "Where does Part 6 begin?", "--set", "segment_tokens=64", "--set", "max_children=4", "--json", str(out)]
    assert main(["read", str(text), *ask]) in (0, 3)
    parent = json.loads(out.read_text())
    event = next(n for n, event in enumerate(parent["events"]) if event["kind"] == "wrote")
    at = next(call["seq"] for call in parent["calls"] if call["task"] == "choose")
    (tmp_path / "words.txt").write_text("The kettle is green.\n", encoding="utf-8")
    (tmp_path / "reply.txt").write_text(rendered(1), encoding="utf-8")
    run_id, words = parent["run"]["id"], str(tmp_path / "words.txt")
    for change, kind in (
        (["--at", str(at), "--reply", str(tmp_path / "reply.txt")], "reply"),
        (["--wrote", str(event), words], "wrote"),
        (["--at", str(at), "--prompt", words], "prompt"),
        (["--at", "0", "--leave-out", "0", "40"], "leave_out"),
        (["--at", str(at), "--model", "offline/extractive"], "model"),
    ):
        made = tmp_path / f"{kind}.json"
        assert main(["fork", run_id, *change, "--json", str(made), "--name", kind]) in (0, 1, 3)
        if kind != "prompt":
            found = json.loads(made.read_text())["run"]
            assert (found["parent"], found["edit"]["kind"]) == (run_id, kind)
    capsys.readouterr()
    for wrong in (
        ["--at", str(at)],
        ["--wrote", "0", words],
        ["--at", "999", "--reply", words],
        ["--wrote", str(event), "nowhere"],
        ["--at", str(at), "--reply", words, "--name", "x" * 121],
    ):
        assert main(["fork", run_id, *wrong]) == 2
        assert capsys.readouterr().err.startswith("palimpsest: ")


def test_the_command_line_lets_a_model_that_is_here_answer_after_another_change(store: Store, tmp_path: Path) -> None:
    options = {"segment_tokens": 64, "max_children": 4}
    spec = RunSpec("memwalker", MemWalker.version, "Where does Part 6 begin?", options=options, model="openai/gone")
    run = create_run(store, parts_of(8), MemWalker(), spec)
    execute(store, run.id, MemWalker(), Execution(walker([0, 0, COMMIT])))
    seq = choices(open_reading(store, run.id))[0]
    reply, made = tmp_path / "reply.txt", tmp_path / "made.json"
    reply.write_text(rendered(1), encoding="utf-8")
    words = ["fork", run.id, "--at", str(seq), "--reply", str(reply), "--model", "offline/extractive", "--json", str(made)]
    assert main(words) in (0, 3)
    found = json.loads(made.read_text(encoding="utf-8"))
    assert found["run"]["edit"]["kind"] == "reply"
    assert {call["model"] for call in found["calls"] if call["origin"] == "live"} == {"offline/extractive"}


def test_unchanged_words_keep_their_provenance_and_new_ones_get_inexact_pieces() -> None:
    text = Text("The lamp was lit.", (Piece(0, 17, "reply:3", 5, 22),))
    other = rewrite(text, "The bell was lit.")
    assert other.text == "The bell was lit."
    assert other.pieces[0] == Piece(0, 4, "reply:3", 5, 9)
    assert other.pieces[-1] == Piece(8, 17, "reply:3", 13, 22)
    assert [piece.exact for piece in other.pieces] == [True, False, True]
    assert {piece.origin for piece in rewrite(text, "Quite another thing").pieces} == {"reply:3"}
    assert rewrite(text, f"{text.text} And more.").text.endswith("And more.")
    assert rewrite(text, text.text) == text
