"""What a watched program's calls were shown and gave, in words: what was found is not told as known."""

from __future__ import annotations

import pytest

from readers.engine.analysis.measures import chips, measures, rows
from readers.engine.analysis.memory_snapshots import snapshots
from readers.engine.analysis.narrate import narrate
from readers.engine.record.events import Wrote
from readers.engine.text.document import Span
from readers.observed import Observed
from readers.observed.calls import Said
from readers.observed.narrative import FOUND
from readers.observed.script import read_script, write_script
from readers.observed.state import ObservedState, without
from tests.support.readings.watched_readings import ANSWER, DOCUMENT, MEMORIES, PARTS, call, watched, with_a_memory, with_a_tool


def place(part: int) -> Span:
    at = DOCUMENT.text.index(PARTS[part])
    return Span(at, at + len(PARTS[part]))


def test_a_reply_that_is_carried_and_replaced_is_told_as_a_memory_that_was_found() -> None:
    trace = with_a_memory().trace
    told = narrate(trace, Observed())
    assert told[0] == f"It read the first 24% of the text and wrote its first memory. {FOUND}"
    assert told[1].startswith("It read 24% to 49% of the text and wrote the memory anew: ")
    assert told[4].startswith("It read 24% to 49% of the text again (as call 2 had) and ")
    assert told[5].startswith(f"It went on from the memory after call 5. It answered “{ANSWER}”")
    assert sum(FOUND in one for one in told) == 1
    assert [one.text for one in snapshots(trace)] == list(MEMORIES)
    assert [one.chunk for one in snapshots(trace)] == [place(0), place(1), place(2), place(3), place(1)]
    assert trace.steps[4].names == ("exchange 5 reads again",)
    assert Observed.narrative.step("exchange 5 reads again") == "call 5, reads again"


def test_a_conversation_that_is_sent_again_reads_what_is_new_in_it() -> None:
    trace = with_a_tool().trace
    calls = ObservedState.of(trace).calls
    assert [one.does for one in calls] == ["writes", "tool", "tool", "answers"]
    assert (calls[1].fresh, calls[1].still, calls[1].replies) == ((place(3),), (), (0,))
    assert (calls[3].fresh, calls[3].replies) == ((place(2), place(3)), (0, 1))  # the call before it failed: nothing was shown
    told = narrate(trace, Observed())
    assert told[0].startswith("It asked in words of its own and got “Let me look. ")
    assert told[1].startswith("It went on from a tool’s result that shows 73% to 100% of the text and got “I read on ")
    assert told[2] == "It got no reply: the server replied 429."


def test_what_stood_in_the_prompt_before_is_still_there() -> None:
    talk = Said("user", PARTS[0])
    calls = (call(0, talk, reply="One."), call(1, talk, Said("assistant", "One."), Said("user", PARTS[1]), reply="Two."))
    last = ObservedState.of(watched(calls).trace).calls[1]
    assert (last.fresh, last.still) == ((place(1),), (place(0),))


@pytest.mark.parametrize(("reason", "does"), [("", "answers"), ("the program ended with exit status 3", "reads")])
def test_only_a_program_that_answered_has_a_call_that_answers(reason: str, does: str) -> None:
    trace = watched((call(0, Said("user", PARTS[0]), reply="One."),), reason=reason).trace
    assert ObservedState.of(trace).calls[0].does == does


def test_a_script_keeps_what_is_only_likely_and_where_else_it_stands() -> None:
    said = watched((call(0, Said("user", "See:\nand nobody at the harbour said a word"), reply="Yes."),)).options["script"]
    [source] = read_script(said).calls[0].sources
    assert source.elsewhere is not None
    assert write_script(read_script(said)) == said


def test_how_much_of_the_text_stood_in_prompts_is_not_told_as_read_for_the_answer() -> None:
    trace = watched((call(0, Said("user", PARTS[1]), reply="One."), call(1, Said("user", PARTS[1]), reply="Two."))).trace
    found = measures(Observed(), trace, [])
    assert chips({**found, "outcome": "answered"})[0][1] == "25% stood raw in prompts"
    told = rows(found, memory="memory")
    assert ("Stood raw in prompts", "25%") in told
    assert not [title for title, _ in told if title.endswith("for the answer")]


def test_names_are_by_the_number_of_the_call() -> None:
    calls = (call(0, Said("user", "Hello."), reply="", error="down"), call(1, Said("user", "Hello."), reply="Good day."))
    trace = watched(calls).trace
    [wrote] = [event for event in trace.events if isinstance(event, Wrote)]
    assert Observed().names(trace) == {f"wrote:{wrote.n}": "reply to call 2"}


def test_what_of_some_places_is_in_no_other() -> None:
    assert without((Span(0, 10), Span(20, 30)), (Span(4, 6), Span(8, 25))) == (Span(0, 4), Span(6, 8), Span(25, 30))
    assert without((Span(0, 10),), ()) == (Span(0, 10),)
    assert without((Span(0, 10),), (Span(0, 10),)) == ()
