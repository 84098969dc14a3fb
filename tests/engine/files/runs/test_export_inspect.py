"""Readings as logs of Inspect: every call and every score is in them, and Inspect's own reader opens them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from readers import get
from readers.cli import main
from readers.engine.errors import ModelFailed
from readers.engine.files.runs import export_inspect
from readers.engine.files.runs.inspect_sample import model_usage
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution, BatchPlan
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.run.jobs import Jobs
from readers.engine.store import Run, Store
from readers.engine.store.batches import Batch
from tests.support.models.scripted_models import Thinking, parts_of
from tests.support.processes import inspect_logs

TREE = RunSpec("memwalker", get("memwalker").version, "What is in part 2?", options={"segment_tokens": 64, "max_children": 4})


def read(store: Store, model: Any = None) -> Run:
    run = create_run(store, parts_of(5), get("memwalker"), TREE)
    return execute(store, run.id, get("memwalker"), Execution(model or Offline()))


def batch_of(store: Store, questions: int, *variants: RunSpec, samples: int = 1) -> Batch:
    text = parts_of(5)
    asked = tuple(
        SetQuestion(f"q{n}", text.id, f"What is in part {n % 5}?", answers=(f"Part {n % 5} begins here",), answerable=True)
        for n in range(questions)
    )
    made = store.question_sets.add(QuestionSet("Parts", asked, (text,)))
    batch, jobs = batches.add(store, made.id, BatchPlan(variants, samples=samples), readers=get), Jobs()
    batches.start(jobs, batch.id, BatchExecution(get, lambda run: Execution(Offline())))
    assert jobs.wait(120)
    return batch


def entry(path: Path, name: str) -> Any:
    with ZipFile(path) as archive:
        return json.loads(archive.read(name))


def test_a_reading_is_one_sample_with_its_calls_in_their_steps(store: Store, tmp_path: Path) -> None:
    run, path = read(store, Thinking(Offline())), tmp_path / "one.eval"
    known = KnownAnswer(answers=("Part 2 begins here",))
    export_inspect.write(store, export_inspect.of_run(run, known, "Parts"), path, get)
    with ZipFile(path) as archive:
        samples = f"samples/{run.id}_epoch_1.json"
        journal = ["_journal/start.json", "_journal/summaries/1.json"]
        assert sorted(archive.namelist()) == sorted([*journal, "header.json", samples, "summaries.json"])
    whole = entry(path, samples)
    called = [one for one in whole["events"] if one["event"] == "model"]
    records = store.runs.tape(run.id).records()
    assert [(one["metadata"]["call"], one["output"]["completion"]) for one in called] == [(one.seq, one.reply) for one in records]
    assert called[0]["output"]["choices"][0]["message"]["content"][0]["reasoning"] == records[0].thoughts
    assert all(one["span_id"] for one in called)
    begun, ended = ([one["id"] for one in whole["events"] if one["event"] == kind] for kind in ("span_begin", "span_end"))
    assert sorted(begun) == sorted(ended) != []
    told = [one["data"] for one in whole["events"] if one.get("source") == "palimpsest.narration"]
    assert "cut the text into" in told[0]
    assert whole["target"] == "Part 2 begins here"
    header = entry(path, "header.json")
    assert (header["version"], header["status"], header["eval"]["model"]) == (2, "success", "offline/extractive")
    assert header["stats"]["model_usage"]["offline/extractive"]["input_tokens"] == sum(one.tokens_in or 0 for one in records)
    assert [step["solver"] for step in header["plan"]["steps"]] == ["memwalker"]


def test_a_call_whose_tokens_are_not_known_adds_none(store: Store) -> None:
    known, *_ = store.runs.tape(read(store).id).records()
    usage = model_usage([known, replace(known, tokens_in=None, tokens_out=None, cost_usd=None)])
    assert usage == model_usage([known])
    assert usage[known.model]["total_tokens"] == (known.tokens_in or 0) + (known.tokens_out or 0) > 0


def test_a_reading_that_failed_keeps_its_failed_call_and_says_why(store: Store, tmp_path: Path) -> None:
    class Failing:
        def complete(self, call: Call) -> Reply:
            raise ModelFailed("the model is out of order")

    run, path = read(store, Failing()), tmp_path / "failed.eval"
    export_inspect.write(store, export_inspect.of_run(run, None, "Parts"), path, get)
    whole, header = entry(path, f"samples/{run.id}_epoch_1.json"), entry(path, "header.json")
    failed = [one["error"] for one in whole["events"] if one["event"] == "model"]
    assert failed
    assert set(failed) == {"the model is out of order"}
    assert "out of order" in whole["error"]["message"]
    assert (header["status"], header["results"]["completed_samples"], whole["scores"]) == ("error", 0, {})


def test_a_batch_is_one_log_with_its_repeats_as_epochs(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = RunSpec("whole", get("whole").version, "", temperature=0.5)
    smaller = RunSpec("whole", get("whole").version, "", options={"window_tokens": 64}, temperature=0.5)
    batch = batch_of(store, 2, whole, smaller, samples=2)
    path = tmp_path / "batch.eval"
    assert main(["export", batch.id, "--format", "eval", "-o", str(path)]) == 0
    assert "8 readings" in capsys.readouterr().out
    listed = entry(path, "summaries.json")
    names = [(one["id"], one["epoch"]) for one in listed]
    assert names == [(f"{q}-whole-{v}", e) for q in (1, 2) for v in (1, 2) for e in (1, 2)]
    assert {one["metadata"]["question_key"] for one in listed} == {"q0", "q1"}
    header = entry(path, "header.json")
    assert (header["eval"]["dataset"]["samples"], header["eval"]["config"]["epochs"]) == (4, 2)
    means = {one["name"]: one["metrics"]["mean"]["value"] for one in header["results"]["scores"]}
    assert means["f1"] == pytest.approx(sum(one["scores"]["f1"]["value"] for one in listed) / 8)


def test_a_log_needs_its_own_name_and_something_to_hold(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = read(store)
    assert main(["export", run.id, "--format", "eval"]) == 2
    assert main(["export", run.id, "--format", "eval", "-o", str(tmp_path / "log.zip")]) == 2
    assert main(["export", "nothing", "--format", "eval", "-o", str(tmp_path / "log.eval")]) == 2
    assert "neither one batch nor one reading" in capsys.readouterr().err
    assert list(tmp_path.glob("*.eval")) == []


@pytest.mark.slow
def test_inspect_opens_a_batch_of_fifty_readings_with_every_call_and_every_score(store: Store, tmp_path: Path) -> None:
    batch = batch_of(store, 25, RunSpec("whole", get("whole").version, ""), TREE)
    path = tmp_path / "fifty.eval"
    export_inspect.write(store, export_inspect.of_batch(store, batch, get), path, get)
    found = inspect_logs.opened(path)
    assert (found["status"], found["version"], len(found["samples"]), len(found["summaries"])) == ("success", 2, 50, 50)
    log = export_inspect.of_batch(store, batch, get)
    for one in log.entries:
        there = found["samples"][f"{one.sample_id} {one.epoch}"]
        records = store.runs.tape(one.run.id).records()
        assert there["calls"] == [[record.seq, record.attempt, record.reply] for record in records]
        assert there["scores"] == {name: score.value for name, score in one.scores.items()} != {}
        assert (there["answer"], there["error"]) == (one.run.answer or "", None)
        assert there["spans"] > 0
    assert set(found["means"]) == {name for one in log.entries for name in one.scores} > {"grade", "exact_match", "rouge_l"}
    assert path.stat().st_size < 500_000


@pytest.mark.scale  # Inspect starts three tasks in a process of its own
def test_a_reader_solves_a_task_of_inspect_with_its_own_model_and_with_the_tasks(store: Store, tmp_path: Path) -> None:
    found = inspect_logs.solved(tmp_path)
    assert {name: one["status"] for name, one in found.items()} == dict.fromkeys(found, "success"), found
    assert found["own"]["scores"] == ["C"]
    assert found["choice"]["scores"] == ["C"]
    assert (found["theirs"]["scores"], found["theirs"]["calls"]) == (["C", "C"], [1, 1])
    assert found["own"]["calls"] == [0]
    run = store.runs.get(found["theirs"]["readings"][0])
    assert (run.spec["model"], run.answer) == ("mockllm/model", "It is called Doris.")
