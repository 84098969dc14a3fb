"""A conversation about a text: which readings belong together, what each answer rests on, and what the next question takes."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pytest

from readers import get
from readers.engine.analysis import conversation
from readers.engine.models.offline import Offline
from readers.engine.run.estimate import estimate
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store
from tests.support.models.scripted_models import parts_of
from tests.support.readings.shipped_readings import shipped_reading

SPEC = RunSpec("memwalker", 3, "Where is it?", options={"segment_tokens": 64}, blank_end=True)


def run(name: str, *, document: str = "d", of: dict[str, Any] | None = None, **spec: Any) -> Run:
    return replace(Run(name, document, "memwalker", "", asdict(replace(SPEC, **spec)), "finished"), **(of or {}))


FIRST, LAST = (
    run("first"),
    run("last", question="And there?", choices=("a", "b"), caps={"max_calls": 3}, reuse=False, profile="mine"),
)
OTHERS = (
    run("text", document="e"), run("reader", reader="readagent"), run("version", version=2), run("model", model="openai/other"),
    run("options", options={"segment_tokens": 65}), run("temperature", temperature=0.5), run("prompts", prompts={"a": "b"}),
    run("fork", of={"parent": "first", "edit": {"kind": "model"}}), run("orphan", of={"edit": {"kind": "model"}}),
    run("sample", of={"parent": "first", "experiment": "x"}),
)  # fmt: skip
NEWEST_FIRST = (LAST, *OTHERS, FIRST)


@pytest.mark.parametrize("of", [FIRST, LAST, OTHERS[-3]], ids=lambda one: one.id)
def test_questions_with_the_same_settings_are_one_conversation_the_oldest_first(of: Run) -> None:
    assert [one.id for one in conversation.around(of, NEWEST_FIRST)] == ["first", "last"]


def test_a_text_has_a_conversation_for_each_setting_the_last_continued_first() -> None:
    found = [[one.id for one in runs] for runs in conversation.conversations(NEWEST_FIRST)]
    assert found == [["first", "last"], *([one.id] for one in OTHERS[:7])]


def test_a_setting_that_did_not_exist_counts_as_usual() -> None:
    spec = {name: value for name, value in FIRST.spec.items() if name not in ("blank_end", "reply_form", "room_factor")}
    assert len(conversation.around(replace(FIRST, id="older", spec=spec), NEWEST_FIRST)) == 2


@pytest.mark.parametrize(
    ("name", "step", "rests"),
    [
        ("memwalker-bridge-glass", 11, "She filed them under Glazing, Lodges and Offices"),  # the part where it answered
        ("readagent-bridge-postcards", 24, "She filed them under Glazing, Lodges and Offices"),
        ("memagent-lamp-bolts-mended", 4, "had noticed some bright new bolt holes in the crane post"),  # which came by there
        ("memwalker-lamp-cold", 7, ""),  # nothing supports it by its words: the last step
        ("memagent-lamp-bolts", 10, ""),
        ("memwalker-lamp-harmonium", 8, ""),  # no answer
    ],
)
def test_an_answer_rests_on_passages_that_a_step_showed_first(name: str, step: int, rests: str) -> None:
    reading = shipped_reading(f"{name}.json")
    found = conversation.passages(reading)
    words = [" ".join(reading.document.text[slice(*place)].split()) for place in found]
    assert len(words) == bool(rests)
    assert all(rests in one for one in words)
    assert conversation.deciding_step(reading.trace, found) == step - 1


def test_the_next_question_takes_what_is_not_built_yet(store: Store) -> None:
    reader, document = get("memwalker"), parts_of(9)
    spec = RunSpec("memwalker", reader.version, "Where is word3x3?", options={"segment_tokens": 64}, choices=("a", "b"))
    first = create_run(store, document, reader, spec)
    execute(store, first.id, reader, Execution(Offline()))
    following = RunSpec.from_json(store.runs.get(first.id).spec).asking(" Where is word7x3? ", version=reader.version)
    price = estimate(document, reader, following, store=store)
    second = create_run(store, document, reader, following)
    execute(store, second.id, reader, Execution(Offline()))
    made = store.run_list.figures([second.id])[second.id]
    assert (price.calls, price.reused) == ((made.calls, made.calls), made.reused)
    assert made.reused >= 9  # parts
    assert (second.question, second.spec["choices"]) == ("Where is word7x3?", ())
    assert [one.id for one in conversation.around(first, store.runs.listed())] == [first.id, second.id]
