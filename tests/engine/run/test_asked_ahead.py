"""What the next batch of calls asks goes out while the last of this one is awaited, and the record is as if it had waited."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from readers.engine.analysis.narrate import narrate
from readers.engine.errors import ModelFailed
from readers.engine.models.call import Call, Reply
from readers.engine.record.events import StepBegan
from readers.engine.record.provisional import Answers, with_answers
from readers.engine.record.trace import Trace
from readers.engine.run.execute import Execution, create_run, execute
from readers.engine.store import Reading, Store, open_reading
from readers.memwalker import MemWalker
from readers.memwalker.prompts import LEAF, LEAF_SUMMARY, PARENT_SUMMARY
from tests.support.models.scripted_models import COMMIT, parts_of
from tests.support.specs import current_spec

READER = MemWalker()
PARTS = 9
LEVELS = {"segment_tokens": 64, "max_children": 3, "summary_limit_tokens": 40}
HEADED = {**LEVELS, "tree": "headings"}
WAIT = 30.0  # seconds for what must happen; nothing waits as long where it does


def summary(call: Call) -> str:
    """Three of a leaf's are too long to be joined; one of a parent is not."""
    return (
        "A short one." if call.prompt.id == PARENT_SUMMARY.id else f"The boats of part {call.seq} were in, and the sea was grey. "
    )


@dataclass
class SlowLast:
    """A model that replies to the last leaf `when` it may, and notes the calls in the order in which they come."""

    when: Callable[[SlowLast], bool]
    parent: threading.Event = field(default_factory=threading.Event)
    came: list[str] = field(default_factory=list)
    in_time: bool = False
    fails: bool = False

    def complete(self, call: Call) -> Reply:
        self.came.append(call.prompt.id)
        if call.prompt.id == PARENT_SUMMARY.id:
            self.parent.set()
        if call.prompt.id == LEAF_SUMMARY.id and f"Part {PARTS - 1}" in call.part("segment")[0]:
            self.in_time = self.when(self)
            if self.fails:
                raise ModelFailed("the last leaf has no reply")
        if call.prompt.task == "summarise":
            return Reply(summary(call))
        action = {"action": COMMIT, "answer": "There"} if call.prompt.id == LEAF.id else {"action": 0}
        return Reply(call.prompt.reply.render({"reasoning": "It is there.", **action}))


def after_a_parent(model: SlowLast) -> bool:
    return model.parent.wait(WAIT)


def at_once(_: SlowLast) -> bool:
    return True


def read(store: Store, model: SlowLast, *, at_once: int, caps: dict[str, int] | None = None, headings: bool = False) -> Reading:
    document = parts_of(PARTS)
    if headings:
        halves = document.text.partition("Part 3")
        document = type(document).of(f"# One\n\n{halves[0]}\n\n# Two\n\nPart 3{halves[2]}", title="Headed")
    spec = current_spec("memwalker", "Where is it?", options=HEADED if headings else LEVELS, caps=caps or {}, reuse=False)
    run = create_run(store, document, READER, spec)
    execute(store, run.id, READER, Execution(model, concurrency=at_once))
    return open_reading(store, run.id)


def record(reading: Reading) -> tuple[object, ...]:
    """Everything that the same replies must give again: the events, and each call with its number, prompt, parts and reply."""
    calls = [(one.seq, one.attempt, one.prompt, one.parts, one.reply) for one in reading.records]
    return (reading.trace.events, sorted(calls))


@pytest.mark.parametrize("headings", [False, True])
def test_a_parent_is_asked_for_while_a_leaf_behind_it_is_awaited_and_the_record_is_the_same(
    store: Store, *, headings: bool
) -> None:
    ahead = SlowLast(after_a_parent)
    overlapped = read(store, ahead, at_once=4, headings=headings)
    assert ahead.in_time
    waited = read(store, SlowLast(at_once), at_once=1, headings=headings)
    assert overlapped.run.outcome == waited.run.outcome == "answered"
    assert record(overlapped) == record(waited)
    assert record(waited)[1] == record(read(store, SlowLast(at_once), at_once=0, headings=headings))[1]


def test_under_a_budget_a_level_is_waited_for(store: Store) -> None:
    model = SlowLast(lambda model: model.parent.wait(0.3))
    assert read(store, model, at_once=4, caps={"max_calls": 100}).run.outcome == "answered"
    assert not model.in_time
    assert model.came.index(PARENT_SUMMARY.id) == PARTS


def test_a_reading_that_failed_with_calls_made_ahead_resumes_as_if_it_had_not(store: Store, tmp_path: Path) -> None:
    failing = SlowLast(after_a_parent, fails=True)
    broken = read(store, failing, at_once=4)
    assert (broken.run.status, failing.in_time) == ("failed", True)
    again = SlowLast(at_once)
    execute(store, broken.run.id, READER, Execution(again, concurrency=4))
    assert again.came.count(LEAF_SUMMARY.id) == 1
    resumed, clean = open_reading(store, broken.run.id), read(store, SlowLast(at_once), at_once=1)
    assert resumed.trace.events == clean.trace.events


def test_a_reading_is_followed_while_calls_made_ahead_are_answered(store: Store) -> None:
    reading = read(store, SlowLast(at_once), at_once=4)
    events = reading.trace.events
    level = [n for n, event in enumerate(events) if isinstance(event, StepBegan)][2]
    begun = Trace(reading.document, events[: level + 1], "Where is it?")
    last = PARTS - 1
    answers = [one for one in store.runs.tape(reading.run.id).answers_from(0) if one.seq != last and one.seq < last + 3]
    assert {one.prompt for one in answers} == {LEAF_SUMMARY.id, PARENT_SUMMARY.id}
    given = Answers(begun, 0, answers)
    shown = with_answers(given, list(READER.provisional(given)))
    assert [node["level"] for node in READER.view(shown)["nodes"]] == [0] * last
    assert list(narrate(shown, READER))
