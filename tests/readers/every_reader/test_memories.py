"""What holds for every reader that carries one memory along: what its prompts hold, and that the memory keeps to its limit
whatever the model does. A reader's own test has what only that reader does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from readers import get
from readers.engine.analysis.measures import measures
from readers.engine.analysis.narrate import narrate
from readers.engine.models.call import Call
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text import tokens
from tests.support.models.scripted_models import Scripted
from tests.support.readings.every_reading import MEMORIES, small_parts
from tests.support.readings.rememr1_readings import QUESTION, blocks, chunks_of, model, number, snapshots, updates

LONG = "This sentence is one of very many that say the same thing over again. " * 90
every_memory = pytest.mark.parametrize("reader", MEMORIES)


def run(reader: str, memory: Callable[[Call], str], *, count: int = 3, limit: int = 48) -> tuple[Trace, Scripted]:
    """A reading of so many chunks, with a model that writes these memories in the form that it is asked for."""
    in_blocks = any(part == "recalled" for prompt in get(reader).prompts for part in prompt.names)
    scripted = model(lambda call: blocks(memory(call)) if in_blocks else memory(call))
    spec = RunSpec(reader, get(reader).version, QUESTION, options=small_parts(get(reader), 64, limit))
    return rehearse(chunks_of(count), get(reader), spec, scripted), scripted


def read_part(call: Call) -> str:
    return f"Part {number(call)} was read."


def memories(reader: str, trace: Trace) -> list[Any]:
    return [row["memory"] for row in snapshots(reader, trace)]


@every_memory
def test_each_chunk_is_shown_once_with_the_question_and_the_memory_before_and_the_last_memory_answers(reader: str) -> None:
    trace, scripted = run(reader, read_part, count=5)
    first, *carried = [call.part("memory")[0] for call in updates(scripted)]
    assert [number(call) for call in updates(scripted)] == [1, 2, 3, 4, 5]
    assert first in ("", "No previous memory")
    assert carried == [f"Part {n} was read." for n in (1, 2, 3, 4)]
    assert {QUESTION} == {(*call.part("question"), *call.part("problem"))[0] for call in scripted.calls}
    last = scripted.calls[-1]
    assert (last.part("memory"), last.part("section")) == (("Part 5 was read.",), ())
    assert "It goes on" not in last.messages[0]["content"]
    assert trace.end
    assert trace.end.evidence == ()  # type: ignore[union-attr]
    assert memories(reader, trace) == [f"Part {n} was read." for n in (1, 2, 3, 4, 5)]
    assert measures(get(reader), trace, [])["read_fraction"] == 1.0


@every_memory
def test_one_that_is_too_long_is_asked_for_again_with_the_fact_and_then_cut_at_a_sentence_end(reader: str) -> None:
    trace, scripted = run(reader, lambda call: LONG if number(call) == 2 else read_part(call), limit=100)
    again = updates(scripted)[2]
    assert (again.attempt, number(again), len(scripted.calls)) == (1, 2, 5)
    assert f"has {tokens.count(LONG.strip())} tokens, and there is room for 100" in again.messages[0]["content"]
    assert [row["truncated"] for row in snapshots(reader, trace)] == [False, True, False]
    cut = snapshots(reader, trace)[1]
    assert cut["memory"].endswith("over again.")
    assert 50 <= cut["tokens"] <= 100
    assert updates(scripted)[-1].part("memory") == (cut["memory"],)
    assert (len(trace.decisions("truncate")), len(trace.misreads)) == (1, 1)
    carried = get(reader).narrative.carried
    assert f"It was cut at the end of a sentence: the {carried} had" in narrate(trace, get(reader))[1]


@every_memory
def test_one_that_is_short_enough_when_asked_again_is_not_cut(reader: str) -> None:
    trace, _ = run(reader, lambda call: LONG if number(call) == 2 and not call.attempt else read_part(call))
    assert memories(reader, trace)[1] == "Part 2 was read."
    assert not trace.decisions("truncate")


@every_memory
@pytest.mark.parametrize(
    ("reply", "action", "said"),
    [
        (" ", "fallback", "It fell back on the {} as it was, for no {} could be read: "),
        (
            "Nothing new to add; the {} stays the same.",
            "unchanged",
            "It kept the {} as it was, as a rule took the reply to say so: ",
        ),
    ],
)
def test_a_reply_without_one_leaves_it_as_it_was_on_record(reader: str, reply: str, action: str, said: str) -> None:
    carried = get(reader).narrative.carried
    trace, scripted = run(reader, lambda call: reply.format(carried) if number(call) == 2 else read_part(call))
    assert memories(reader, trace) == ["Part 1 was read.", "Part 1 was read.", "Part 3 was read."]
    assert updates(scripted)[-1].part("memory") == ("Part 1 was read.",)
    assert [event.picked for event in trace.decisions("fallback", "unchanged")] == [f"the {carried} as it was"]
    assert len(updates(scripted)) == (4 if trace.decisions("fallback") else 3)
    assert trace.decisions(action)
    assert said.format(carried, carried) in narrate(trace, get(reader))[1]
