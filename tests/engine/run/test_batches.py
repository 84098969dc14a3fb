"""Batches: every question by every variant, once, whatever goes wrong; and what they cost."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from readers import get
from readers.engine.errors import BadOptions, KeyRefused, ModelFailed, NotFound
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution, BatchPlan, Draw
from readers.engine.run.estimate import MAX_TRIED_TEXTS, price_batch
from readers.engine.run.execute import SAMPLE_STRIDE, Execution, RunSpec, rehearse
from readers.engine.run.jobs import Jobs
from readers.engine.store import Run, Store
from readers.engine.store import batches as store_batches
from readers.engine.store.batches import Batch
from readers.engine.text.document import Document
from readers.engine.work import Work
from tests.support.models.scripted_models import parts_of
from tests.support.paths import ROOT
from tests.support.processes.killed_batches import Logging, work
from tests.support.waiting import until

ASK = "What begins here in part {}?"


def variant(reader: str, **options: Any) -> RunSpec:
    return RunSpec(reader, get(reader).version, "", options=options)


WHOLE = variant("whole")
TREE = variant("memwalker", segment_tokens=64, max_children=8)


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that consists of readings looks for what is to be done twenty times as often as otherwise."""
    monkeypatch.setattr("readers.engine.run.jobs.RECHECK_SECONDS", 0.05)


def kept(store: Store, *, texts: int = 2, each: int = 3) -> str:
    """A set of questions on several texts."""
    documents = [Document(f"Text {n}", parts_of(4 + n).text) for n in range(texts)]
    asked = [
        SetQuestion(f"{n}", document.id, f"{ASK.format(n)} ({m})", answers=(f"Part {m}",), answerable=True)
        for m, document in enumerate(documents)
        for n in range(each)
    ]
    return store.question_sets.add(QuestionSet("Parts", tuple(asked), tuple(documents))).id


def added(store: Store, *variants: RunSpec, numbers: list[int] | None = None, **size: int) -> Batch:
    return batches.add(store, kept(store, **size), BatchPlan(variants or (WHOLE,)), readers=get, numbers=numbers)


class Model:
    """The offline model, with its calls counted, held back or made to fail by question."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        self.open = threading.Event()
        self.open.set()
        self.failing: dict[str, Exception] = {}
        self.at_once = self.most = 0
        self._lock = threading.Lock()

    def execution(self, run: Run) -> Execution:
        return Execution(_Of(self, run.question), concurrency=2)


class _Of:
    def __init__(self, model: Model, question: str) -> None:
        self._model, self._question = model, question

    def complete(self, call: Call) -> Reply:
        model = self._model
        with model._lock:
            model.calls.append((self._question, call.prompt.id))
        assert model.open.wait(20)
        if self._question in model.failing:
            raise model.failing[self._question]
        return Offline().complete(call)


def read(jobs: Jobs, batch: Batch, model: Model) -> None:
    """Begin or resume a batch, and wait for its end."""
    batches.start(jobs, batch.id, BatchExecution(get, model.execution))
    assert jobs.wait(60)


def test_every_question_is_read_by_every_variant_and_graded(store: Store) -> None:
    batch, jobs, model = added(store, WHOLE, TREE), Jobs(), Model()
    assert batches.progress(store, batch.id) == Work(0, 12, left=12)
    read(jobs, batch, model)
    stands = batches.progress(store, batch.id)
    assert (stands.of, stands.done, stands.resumable, stands.going) == (12, 12, 0, 0)
    found = batches.results(store, batch)
    assert [(one.cell.number, one.cell.variant) for one in found] == [(n, v) for n in range(6) for v in range(2)]
    for one in found:
        assert one.run is not None
        assert (one.run.question, one.run.document) == (one.question.question, one.question.document)
        assert one.run.reader == ("whole", "memwalker")[one.cell.variant]
        assert one.grade is not None
        assert store.question_sets.question_of(one.run) == one.question
    assert len({one.run.id for one in found if one.run}) == len(store.runs.listed()) == 12
    assert [run.id for run in store.batches.runs_of(batch.id)] == [one.run.id for one in found if one.run]


def test_answers_are_read_when_a_batch_ends_and_not_at_its_steps(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    batch, jobs, model = added(store, each=10), Jobs(), Model()
    seen: list[str | None] = []

    def noted(outcome: str | None, answer: str | None, *, choices: Sequence[str] = ()) -> str | None:
        seen.append(outcome)
        return outcome

    monkeypatch.setattr(store_batches, "shown_outcome", noted)
    read(jobs, batch, model)
    assert batches.progress(store, batch.id).done == 20
    assert seen.count("answered") <= 20  # the cells are read when it begins and when it ends, however long its last readings take
    assert batches.unanswered(store, batch.id) == 0


def test_resuming_a_finished_batch_makes_no_call(store: Store) -> None:
    batch, jobs, model = added(store), Jobs(), Model()
    for _ in range(3):
        batches.start(jobs, batch.id, BatchExecution(get, model.execution))
        assert jobs.wait(60)
    assert Counter(question for question, _ in model.calls).most_common(1)[0][1] == 1
    assert len(store.runs.listed()) == 6


def test_choices_are_given_or_withheld(store: Store) -> None:
    document = parts_of(2)
    asked = SetQuestion("a", document.id, "Which?", choices=("Part 0", "Part 1"), answers=("Part 1",), answerable=True)
    made = store.question_sets.add(QuestionSet("x", (asked,), (document,)))
    for give in (True, False):
        batch = batches.add(store, made.id, BatchPlan((WHOLE,), give_choices=give), readers=get)
        jobs = Jobs()
        batches.start(jobs, batch.id, BatchExecution(get, Model().execution))
        assert jobs.wait(60)
        (run,) = store.batches.runs_of(batch.id)
        assert run.spec["choices"] == (["Part 0", "Part 1"] if give else [])


@pytest.mark.slow
def test_a_batch_killed_midway_and_resumed_reads_nothing_twice(store: Store, own_home: Path, tmp_path: Path) -> None:
    batch, log, last = added(store, TREE, WHOLE), tmp_path / "log", 9
    words = [sys.executable, "-m", "tests.support.processes.killed_batches", batch.id, str(log), str(last)]
    assert subprocess.run(words, cwd=ROOT, check=False, timeout=60).returncode == -9
    before = batches.progress(store, batch.id)
    assert before.going == 0
    assert before.done < 12
    finished = {run.id: (run.ended, run.answer) for run in store.batches.runs_of(batch.id) if run.status == "finished"}
    asked = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    assert len(asked) == last - 1
    work(batch.id, log)
    stands = batches.progress(store, batch.id)
    assert (stands.done, stands.of) == (12, 12)
    again = log.read_text(encoding="utf-8").splitlines()
    assert len(set(again)) == len(again), "an answered call was made again"
    after = {run.id: (run.ended, run.answer) for run in store.batches.runs_of(batch.id)}
    assert finished.items() <= after.items()
    assert len(store.runs.listed()) == 12
    whole = tmp_path / "whole"
    with Store(tmp_path / "other.db") as other:
        same = added(other, TREE, WHOLE)
        jobs = Jobs(other.path, at_once=1)
        batches.start(jobs, same.id, BatchExecution(get, Logging(whole).execution, path=other.path))
        assert jobs.wait(60)
        assert [run.answer for run in other.batches.runs_of(same.id)] == [run.answer for run in store.batches.runs_of(batch.id)]
    assert sorted(whole.read_text(encoding="utf-8").splitlines()) == sorted(again)


def test_a_batch_can_be_stopped_and_resumed(store: Store) -> None:
    batch, jobs, model = added(store), Jobs(at_once=3), Model()
    model.open.clear()
    batches.start(jobs, batch.id, BatchExecution(get, model.execution))
    until(lambda: len(model.calls) == 2)  # one place stays free
    assert batches.progress(store, batch.id).going == 2
    batches.cancel(jobs, store, batch.id)
    until(lambda: not jobs.is_following(batch.id) and batches.progress(store, batch.id).stopped == 2)
    model.open.set()
    assert jobs.wait(60)
    stands = batches.progress(store, batch.id)
    assert (stands.stopped, stands.left, len(model.calls)) == (2, 4, 2)
    assert store.batches.get(batch.id).cancelled
    read(jobs, batch, model)
    assert batches.progress(store, batch.id).done == 6
    assert len(model.calls) == 6  # the late replies were recorded


def test_a_batch_can_be_resumed_while_it_is_still_stopping(store: Store) -> None:
    batch, jobs, model = added(store), Jobs(at_once=3), Model()
    model.open.clear()
    batches.start(jobs, batch.id, BatchExecution(get, model.execution))
    until(lambda: len(model.calls) == 2)
    batches.cancel(jobs, store, batch.id)
    batches.start(jobs, batch.id, BatchExecution(get, model.execution))
    model.open.set()
    assert jobs.wait(60)
    assert batches.progress(store, batch.id).done == 6
    assert len(store.runs.listed()) == 6


@pytest.mark.parametrize("error", [KeyRefused("no key"), ModelFailed("no reply"), ZeroDivisionError("by nothing")])
def test_a_failed_run_delays_no_other_and_is_tried_again(store: Store, error: Exception) -> None:
    batch, jobs, model = added(store), Jobs(at_once=2), Model()
    bad = f"{ASK.format(1)} (0)"
    model.failing[bad] = error
    read(jobs, batch, model)
    stands = batches.progress(store, batch.id)
    assert (stands.done, stands.failed, stands.resumable) == (5, 1, 1)
    asked = len(model.calls)
    model.failing.clear()
    read(jobs, batch, model)
    assert batches.progress(store, batch.id).done == 6
    assert model.calls[asked:] == [(bad, model.calls[0][1])]
    assert len(store.runs.listed()) == 6


def test_a_run_that_cannot_start_says_why_and_starts_once_it_can(store: Store) -> None:
    batch, jobs, model = added(store), Jobs(), Model()
    gone = store.question_sets.questions(batch.question_set)[0].document
    text = store.documents.get(gone)
    store.documents.delete(gone)
    read(jobs, batch, model)
    stands = batches.progress(store, batch.id)
    assert (stands.done, stands.refused) == (3, 3)
    assert "its text is no longer in the library" in str(batches.results(store, batch)[0].cell.error)
    store.documents.add(text)
    read(jobs, batch, model)
    assert batches.progress(store, batch.id).done == 6
    assert batches.results(store, batch)[0].cell.error is None


def test_a_limit_keeps_further_runs_from_starting(store: Store) -> None:
    batch, jobs, model = added(store), Jobs(), Model()

    def four(opened: Store) -> None:
        if len(opened.runs.listed()) >= 4:
            raise BadOptions("four are enough")

    batches.start(jobs, batch.id, BatchExecution(get, model.execution, four))
    assert jobs.wait(60)
    stands = batches.progress(store, batch.id)
    assert (stands.done, stands.refused, len(store.runs.listed())) == (4, 2, 4)


def test_two_processes_on_one_batch_read_nothing_twice(store: Store) -> None:
    batch, model = added(store, WHOLE, each=10), Model()
    both = Jobs(at_once=4), Jobs(at_once=4)
    for jobs in both:
        batches.start(jobs, batch.id, BatchExecution(get, model.execution))
    for jobs in both:
        assert jobs.wait(60)
    assert batches.progress(store, batch.id).done == 20
    assert (len(store.runs.listed()), len(model.calls)) == (20, 20)


def test_the_first_question_on_a_text_goes_ahead_so_that_shared_work_is_done_once(store: Store) -> None:
    batch, jobs, model = added(store, TREE, texts=1, each=5), Jobs(at_once=5), Model()
    read(jobs, batch, model)
    summaries = [prompt for _, prompt in model.calls if "summary" in prompt]
    alone = Model()
    with Store(store.path.parent / "alone.db") as other:
        one = added(other, TREE, texts=1, each=1)
        there = Jobs(other.path)
        batches.start(there, one.id, BatchExecution(get, alone.execution, path=other.path))
        assert there.wait(60)
    assert Counter(summaries) == Counter(prompt for _, prompt in alone.calls if "summary" in prompt)


def test_samples_are_readings_of_their_own_and_warm_ones_share_no_reply(store: Store) -> None:
    plan = BatchPlan((TREE, replace(TREE, temperature=0.7)), samples=3)
    batch, jobs, model = batches.add(store, kept(store, texts=1, each=2), plan, readers=get), Jobs(), Model()
    cells = store.batches.cells(batch.id)
    assert [(*cell[:2], cell.sample) for cell in cells] == [(n, v, s) for n in range(2) for v in range(2) for s in range(3)]
    read(jobs, batch, model)
    assert batches.progress(store, batch.id).done == len({run.id for run in store.batches.runs_of(batch.id)}) == 12
    found = batches.results(store, batch)
    assert [one.cell.sample for one in found] == [cell.sample for cell in cells]
    bases = [one.run.spec["sample_base"] for one in found if one.run]
    assert bases == [0, 0, 0, 0, SAMPLE_STRIDE, 2 * SAMPLE_STRIDE] * 2
    summaries = [prompt for _, prompt in model.calls if "summary" in prompt]
    alone = rehearse(parts_of(4), get("memwalker"), plan.spec(0, found[0].question), Offline())
    once = sum("summary" in event.prompt for event in alone.asked.values())
    assert len(summaries) == once * (1 + 3)  # the cold samples share those of one, each warm sample has its own


def test_samples_are_priced_and_bounded(store: Store) -> None:
    set_id = kept(store, texts=1, each=2)
    asked = store.question_sets.questions(set_id)
    warm = replace(TREE, temperature=0.7)

    def calls(spec: RunSpec, samples: int) -> float:
        return price_batch(store, asked, BatchPlan((spec,), samples=samples), readers=get).calls.low

    assert calls(warm, 3) == 3 * calls(warm, 1)
    assert calls(TREE, 1) < calls(TREE, 3) < calls(warm, 3)
    assert price_batch(store, asked, BatchPlan((WHOLE, warm), samples=3), readers=get).of == 12
    for samples in (0, batches.MAX_SAMPLES + 1):
        with pytest.raises(BadOptions, match="1 to 64 times"):
            batches.add(store, set_id, BatchPlan((WHOLE,), samples=samples), readers=get)
    assert BatchPlan.of({**BatchPlan((WHOLE,)).to_json(), "samples": 5}).samples == 5


def test_a_deleted_batch_starts_no_more_runs_and_keeps_those_it_has(store: Store) -> None:
    batch, jobs, model = added(store), Jobs(at_once=2), Model()
    model.open.clear()
    batches.start(jobs, batch.id, BatchExecution(get, model.execution))
    until(lambda: len(model.calls) == 1)
    store.batches.delete(batch.id)
    model.open.set()
    assert jobs.wait(60)
    assert [run.status for run in store.runs.listed()] == ["finished"]
    assert store.question_sets.question_of(store.runs.listed()[0]) is not None  # its set still asks the same


def test_a_deleted_run_is_made_again(store: Store) -> None:
    batch, jobs, model = added(store), Jobs(), Model()
    read(jobs, batch, model)
    store.runs.delete(store.batches.runs_of(batch.id)[2].id)
    assert batches.progress(store, batch.id).left == 1
    read(jobs, batch, model)
    assert (batches.progress(store, batch.id).done, len(model.calls)) == (6, 7)


def test_the_obstacle_to_resuming_a_failed_run_is_shown_until_it_is_gone(store: Store) -> None:
    batch, jobs, model = added(store, texts=1, each=1), Jobs(), Model()
    bad = f"{ASK.format(0)} (0)"
    model.failing[bad] = ModelFailed("no reply")
    read(jobs, batch, model)
    (one,) = batches.results(store, batch)
    assert (one.cell.error, one.problem) == (None, one.run.error if one.run else "")

    class Newer(type(get("whole"))):  # type: ignore[misc]
        version = 99

    batches.start(jobs, batch.id, BatchExecution(lambda reader_id: Newer(), model.execution))
    assert jobs.wait(60)
    (one,) = batches.results(store, batch)
    assert "and this is version 99: make a new batch" in str(one.cell.error)
    assert one.problem.endswith(f". It could not be resumed: {one.cell.error}")
    assert batches.progress(store, batch.id).failed == 1
    model.failing.clear()
    read(jobs, batch, model)
    (one,) = batches.results(store, batch)
    assert (one.cell.error, one.problem, batches.progress(store, batch.id).done) == (None, "", 1)


def test_the_error_noted_in_a_cell_belongs_to_the_run_that_was_tried(store: Store) -> None:
    batch = added(store, texts=1, each=1)
    (cell,) = store.batches.cells(batch.id)
    assert store.batches.begin(batch.id, cell, Run("", cell.document, "whole", "Q?", {}, "queued"))
    store.batches.note_error(batch.id, cell, "it came too late")
    assert store.batches.cells(batch.id)[0].error is None


def test_a_plan_for_another_version_starts_no_run(store: Store) -> None:
    made = kept(store)
    plan = BatchPlan((replace(WHOLE, version=99),))
    batch = store.batches.add("old", made, plan.to_json(), variants=1, numbers=[0, 1])
    jobs = Jobs()
    batches.start(jobs, batch.id, BatchExecution(get, Model().execution))
    assert jobs.wait(60)
    assert batches.progress(store, batch.id).refused == 2
    assert "planned for version 99" in str(batches.results(store, batch)[0].cell.error)
    assert store.runs.listed() == []


@pytest.mark.parametrize(
    ("plan", "error", "says"),
    [
        (BatchPlan(()), BadOptions, "1 to 16 variants"),
        (BatchPlan((WHOLE, WHOLE)), BadOptions, "listed twice"),
        (BatchPlan((variant("whole", window=3),)), BadOptions, "no option 'window'"),
        (BatchPlan((replace(WHOLE, model="human/you"),)), BadOptions, "a batch is read by models"),
        (BatchPlan((replace(WHOLE, model="offline/other"),)), BadOptions, "offline/other"),
        (BatchPlan((replace(WHOLE, reader="skimmer"),)), NotFound, "skimmer"),
    ],
)
def test_an_unusable_plan_is_refused(store: Store, plan: BatchPlan, error: type[Exception], says: str) -> None:
    made = kept(store)
    for act in (
        lambda: batches.add(store, made, plan, readers=get),
        lambda: price_batch(store, store.question_sets.questions(made), plan, readers=get),
    ):
        with pytest.raises(error, match=says):
            act()
    assert store.batches.listed() == []


def test_no_questions_or_too_many_are_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made = kept(store)
    with pytest.raises(BadOptions, match="no question to read"):
        batches.add(store, made, BatchPlan((WHOLE,)), readers=get, numbers=[77])
    monkeypatch.setattr(batches, "MAX_CELLS", 5)
    with pytest.raises(BadOptions, match="at most 5 readings"):
        batches.add(store, made, BatchPlan((WHOLE,)), readers=get)


def test_a_plan_is_stored_and_loaded_unchanged(store: Store) -> None:
    plan = BatchPlan((replace(TREE, caps={"max_calls": 3}), WHOLE), give_choices=False, name="  Night\nrun ")
    batch = batches.add(store, kept(store), plan, readers=get, numbers=[4, 1, 1])
    found = store.batches.get(batch.id[:4])
    assert (found.name, BatchPlan.of(found.plan)) == ("Night run", plan)
    assert [(cell.number, cell.variant) for cell in store.batches.cells(batch.id)] == [(1, 0), (1, 1), (4, 0), (4, 1)]


@pytest.mark.slow  # loads litellm
def test_the_price_range_contains_the_actual_price(store: Store) -> None:
    """Both texts are tried, so the calls are in the range, and shared ones count once for each text."""
    made, model, jobs = kept(store, each=4), Model(), Jobs()
    plan = BatchPlan((WHOLE, TREE))
    told = price_batch(store, store.question_sets.questions(made), plan, readers=get)
    assert (told.of, told.whole, told.problems) == (16, True, ())
    assert told.cost == (0, 0)
    batch = batches.add(store, made, plan, readers=get)
    read(jobs, batch, model)
    assert told.calls.low <= len(model.calls) <= told.calls.high
    assert told.calls.high < 16 * 12
    again = price_batch(store, store.question_sets.questions(made), plan, readers=get)
    assert again.calls.high < told.calls.high  # summaries are on record now
    unknown = BatchPlan((replace(WHOLE, model="openai/no-such-model", api_base="http://127.0.0.1:9/v1"),))
    assert price_batch(store, store.question_sets.questions(made), unknown, readers=get).cost is None


def test_a_price_counts_what_a_model_may_think(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readers.engine.run.estimate.token_cost", lambda model, sent, received, **_: received * 0.001)
    asked = store.question_sets.questions(kept(store, each=1))
    plan = BatchPlan((replace(WHOLE, model="openai/some-model", window=8192, reply_tokens=500),))
    told = []
    for factor in (1, 8):
        monkeypatch.setattr(batches.catalogue, "room_factor_for", lambda model, factor=factor: factor)
        told.append(price_batch(store, asked, plan, readers=get))
    plain, thinking = told
    assert thinking.tokens_out.low == plain.tokens_out.low
    assert thinking.tokens_out.high > plain.tokens_out.high + 400 * plain.calls.low
    assert thinking.cost == (plain.tokens_out.low * 0.001, pytest.approx(thinking.tokens_out.high * 0.001))


def test_only_a_few_of_many_texts_are_tried(store: Store) -> None:
    documents = [Document(f"Text {n}", parts_of(2 + n).text) for n in range(12)]
    asked = tuple(SetQuestion(str(n), document.id, f"Which part is number {n}?") for n, document in enumerate(documents))
    store.question_sets.add(QuestionSet("many", asked, tuple(documents)))
    told = price_batch(store, asked, BatchPlan((WHOLE,)), readers=get)
    assert (told.note, told.whole, told.of) == (f"{MAX_TRIED_TEXTS} of 12 texts sampled", False, 12)
    assert told.calls.low <= 12 <= told.calls.high


def test_a_draw_takes_as_many_questions_about_each_text_and_says_so(store: Store) -> None:
    questions = store.question_sets.questions(kept(store, texts=4, each=10))
    numbers, drawn = batches.draw(questions, 10, seed=3)
    texts = Counter(questions[number].document for number in numbers)
    assert (len(numbers), sorted(texts.values()), numbers == sorted(numbers)) == (10, [2, 2, 3, 3], True)
    words = "10 of 40 questions, about 4 texts: drawn at random, as many of each text, under seed 3"
    assert drawn == Draw(10, 3, words)
    assert batches.draw(questions, 10, seed=3)[0] == numbers != batches.draw(questions, 10, seed=4)[0]
    assert set(numbers) < set(batches.draw(questions, 20, seed=3)[0])
    assert batches.draw(questions, 40, seed=3) == (list(range(40)), None)
    plan = BatchPlan((WHOLE,), drawn=drawn)
    assert BatchPlan.of(json.loads(json.dumps(plan.to_json()))) == plan
    assert BatchPlan.of({**plan.to_json(), "drawn": words}) == plan  # as it was stored when it had only words
    assert BatchPlan.of({**plan.to_json(), "drawn": "every third"}).drawn == Draw(0, 0, "every third")
    assert "drawn" not in BatchPlan((WHOLE,)).to_json()  # a plan of all is as older ones are
