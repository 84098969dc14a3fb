"""The summaries that MemWalker's model saw at a step, and the words of them that met the question."""

from __future__ import annotations

import json
from typing import Any

import pytest

from components.player.pictures import picture
from components.player.shared_words import asked_about, most_telling, shared
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.memwalker.prompts import TRIAGE
from tests.support.models.scripted_models import BACK, COMMIT, parts_of, walker
from tests.support.readings.memwalker_walks import READER
from tests.support.readings.shipped_readings import shipped_reading

QUESTION = "Who hid the ledger in the sand?"
SUMMARIES = (
    "The harbour crane fell, because of the gale.",
    "The keeper went home.",
    "The Ledger was burned.",
    "The keeper hid the ledgers under white sand.",
)


@pytest.fixture(scope="module")
def trace() -> Trace:
    """From the root to the first half, back up from it, and to the last part."""
    spec = RunSpec("memwalker", READER.version, QUESTION, options={"segment_tokens": 64, "max_children": 2})
    left = TRIAGE.reply.render({"reasoning": "because of the gale", "action": BACK})
    model = walker([0, left, 1, 1, COMMIT], summaries=lambda call: SUMMARIES[int(call.part("segment")[0].split()[1])])
    return rehearse(parts_of(4), READER, spec, model)


@pytest.fixture(scope="module")
def drawn(trace: Trace) -> dict[str, Any]:
    return json.loads(json.dumps(picture("memwalker", trace, question=QUESTION)))


def at(drawn: dict[str, Any], trace: Trace, visit: int) -> dict[str, Any]:
    """What was seen at one step of the walk."""
    walk = [step.number for step in trace.steps if step.phase == "walk"]
    seen: dict[str, Any] = drawn["compared"][str(walk[visit])]
    return seen


def test_the_summaries_of_a_prompt_are_shown_in_its_order_with_the_one_opened(drawn: dict[str, Any], trace: Trace) -> None:
    seen = at(drawn, trace, 3)
    assert [drawn["texts"][option["id"]] for option in seen["options"]] == list(SUMMARIES[2:])
    assert [option["picked"] for option in seen["options"]] == [False, True]
    assert seen["count"] == 2


def test_going_back_up_is_an_option_below_the_root_alone_and_may_be_chosen(drawn: dict[str, Any], trace: Trace) -> None:
    assert [at(drawn, trace, visit)["back"] for visit in range(4)] == ["", "chosen", "", "offered"]
    assert not any(option["picked"] for option in at(drawn, trace, 1)["options"])


def test_a_summary_that_later_prompts_of_a_step_lack_is_not_counted_in_them() -> None:
    """A part whose choice was refused is left out when the model is asked again."""
    refusing = picture("memwalker", shipped_reading("memwalker-lamp-harmonium.json").trace)
    assert refusing is not None
    counts = {step: (seen["count"], seen["left"]) for step, seen in refusing["compared"].items()}
    assert counts.pop(7) == (4, 3)
    assert all(count == left for count, left in counts.values())


def test_words_that_the_question_or_only_the_reason_has_are_told_apart(drawn: dict[str, Any], trace: Trace) -> None:
    burned, hidden = at(drawn, trace, 3)["options"]
    assert burned["met"] == ["ledger"]
    assert hidden["met"] == ["hid", "ledgers", "sand"]
    gale, home = at(drawn, trace, 1)["options"]
    assert (gale["met"], gale["cited"]) == ([], ["gale"])
    assert (home["met"], home["cited"]) == ([], [])


def test_at_a_leaf_no_summary_is_shown_for_what_was_seen_raw(drawn: dict[str, Any], trace: Trace) -> None:
    assert str(len(trace.steps) - 1) not in drawn["compared"]


def test_a_label_has_the_words_that_tell_its_part_from_its_neighbours(drawn: dict[str, Any]) -> None:
    labels = {node["name"]: node["label"] for node in drawn["nodes"]}
    assert labels["part 2.1"] == "2.1\nledger"
    assert labels["part 2.2"].split("\n")[1].split(", ")[0] in ("sand", "hid")
    assert labels["part 1.2"] == "1.2"
    assert labels["the whole text"] == "the whole text"


def test_without_a_question_nothing_is_marked(trace: Trace) -> None:
    drawn = picture("memwalker", trace)
    assert drawn is not None
    assert not any(option["met"] for seen in drawn["compared"].values() for option in seen["options"])


def test_words_that_only_hold_a_sentence_together_are_never_marked() -> None:
    asked = asked_about("What illness did the man have while he himself lodged among them?", "while he lodged there")
    assert shared("He was ill while among them himself, and lodged there.", asked) == ["ill", "lodged"]
    assert most_telling(["while", "nobody", "lodged"], others=[], room=40) == "lodged"
