"""Readings of a batch are exported for training: each prompt and reply with its reward and advantage, as computed by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from readers import get
from readers.engine.files.runs.export_training import LeftOut, group_of, groups_of, left_out, lines
from readers.engine.models.call import Call, Sampled
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution, BatchPlan, CellResult
from readers.engine.run.execute import SAMPLE_STRIDE, Execution, RunSpec
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store
from tests.support.models.scripted_models import Scripted
from tests.support.readings.rememr1_readings import SMALL, blocks, chunks_of, number

WARM = RunSpec("rememr1", get("rememr1").version, "", options=SMALL, temperature=0.7)


def reply(call: Call) -> str:
    """Of three samples, the first writes the answer at the second chunk and boxes it; the others write and box something else."""
    right = call.settings.sample_base < SAMPLE_STRIDE
    if call.prompt.task != "update_memory":
        return "\\boxed{grey Doris}" if right else "\\boxed{a boat}"
    return blocks("Grey Doris." if right and number(call) == 2 else "A boat.")


@pytest.fixture
def read(store: Store) -> tuple[str, list[CellResult], Scripted]:
    """A batch of three samples of one question with a known answer and one without, over two chunks; and the model's calls."""
    text, model = chunks_of(2), Scripted(reply)
    asked = (
        SetQuestion("a", text.id, "Who is it?", answers=("Grey Doris",), answerable=True),
        SetQuestion("b", text.id, "Why?"),
    )
    made = store.question_sets.add(QuestionSet("Doris", asked, (text,)))
    batch, jobs = batches.add(store, made.id, BatchPlan((WARM,), samples=3), readers=get), Jobs()
    batches.start(jobs, batch.id, BatchExecution(get, lambda run: Execution(model)))
    assert jobs.wait(30)
    return batch.id, batches.results(store, batch), model


def rows(store: Store, groups: Any, shape: Any = "training") -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines(store, groups, shape=shape)]


def test_a_line_for_each_prompt_and_reply_with_its_reward_and_advantages(
    store: Store, read: tuple[str, list[CellResult], Scripted]
) -> None:
    batch, found, model = read
    assert left_out(found) == LeftOut(0, 3)
    assert str(left_out(found)) == "3 readings left out: 3 have no known answer in their text"
    every = rows(store, groups_of(batch, found))
    assert [(row["sample"], row["step"], row["final"]) for row in every] == [
        (sample, step, step == "answer") for sample in range(3) for step in ("chunk 1", "chunk 2", "answer")
    ]
    assert {row["group"] for row in every} == {f"{batch}-0-0"}
    assert [row["reward"] for row in every] == [1] * 3 + [0] * 6
    # Outcomes 1, 0, 0: advantages 2/3 and -1/3. States in total: 1 for the form, and 1 more for the whole answer at chunk 2.
    assert [row["advantage"] for row in every] == pytest.approx([2 / 3] * 3 + [-1 / 3] * 6)
    assert [row["state"]["total"] for row in every] == [1, 2, 1, 1, 1, 1, 1, 1, 1]
    assert every[1]["state"] == {"update": 1, "look_back": 0, "form": 1, "total": 2}
    assert every[1]["level_advantage"] == pytest.approx(0.8 * 2 / 3 + 0.2 * (2 - 4 / 3))
    assert every[4]["level_advantage"] == pytest.approx(0.8 * -1 / 3 + 0.2 * (1 - 4 / 3))
    sent = {(json.dumps(call.messages), call.settings.sample_base) for call in model.calls}
    assert all((json.dumps(row["messages"]), row["sample"] * SAMPLE_STRIDE) in sent for row in every)
    assert (every[1]["reply"], every[1]["origin"]) == (blocks("Grey Doris."), "live")
    assert (every[0]["token_ids"], every[0]["logprobs"], every[0]["missing"]) == (None, None, ["token_ids", "logprobs"])


def test_a_line_for_each_reading_under_the_names_of_the_authors_trainer(
    store: Store, read: tuple[str, list[CellResult], Scripted]
) -> None:
    batch, found, _ = read
    flat = rows(store, groups_of(batch, found))
    every = rows(store, groups_of(batch, found), "trajectories")
    assert [row["uid"] for row in every] == [f"{batch}-0-0"] * 3
    for index, row in enumerate(every):
        own = [one for one in flat if one["sample"] == index]
        said = [[*one["messages"], {"role": "assistant", "content": one["reply"]}] for one in own]
        assert (row["conversations"], row["sample_index"], row["final_mask"]) == (said, [index] * 3, [False, False, True])
        assert (row["advantages"], row["states"]) == ([one["advantage"] for one in own], [one["state"] for one in own])
        assert row["reward_model"] == {"ground_truth": ["Grey Doris"], "all_required": False}


def test_a_reading_alone_is_a_group_of_its_own(store: Store, read: tuple[str, list[CellResult], Scripted]) -> None:
    _, found, _ = read
    run, known = found[0].run, KnownAnswer.of(found[0].question)
    assert run
    assert [(row["reward"], row["advantage"], row["group"]) for row in rows(store, group_of(run, known))] == [(1, 0, run.id)] * 3
    assert group_of(run, None) == []
    store.connection.execute("UPDATE runs SET outcome = 'over_budget'")
    assert group_of(store.runs.get(run.id), known) == []


def test_tokens_are_taken_along_where_they_were_given(store: Store, read: tuple[str, list[CellResult], Scripted]) -> None:
    batch, found, _ = read
    run = found[0].run
    assert run
    given = Sampled((5, 6), (-0.5, -1.5)).to_json()
    store.connection.execute("UPDATE calls SET sampled = ? WHERE run = ? AND seq = 0", (given, run.id))
    first, second, *_ = rows(store, groups_of(batch, found))
    assert (first["token_ids"], first["logprobs"], first["missing"]) == ([5, 6], [-0.5, -1.5], [])
    assert second["missing"] == ["token_ids", "logprobs"]
    (one, *_) = rows(store, groups_of(batch, found), "trajectories")
    assert (one["token_ids"], one["missing"]) == ([[5, 6], None, None], ["token_ids", "logprobs"])
