"""Thoughts are taken off a reply as it arrives, and stay on record beside it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.models.model import Scripted
from readers.engine.models.thoughts import split_thoughts, take_thoughts
from readers.engine.prompts.formats.memory import MemoryBlocks
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.journal import Journal, MemoryTape
from readers.engine.run.calls_in_flight import CallsInFlight

FREE = Prompt("t.free", "answer", "Say something.")
BLOCKS = Prompt("t.blocks", "update_memory", "Rewrite the memory.\n$format", reply=MemoryBlocks(64))


@pytest.mark.parametrize(
    ("reply", "thoughts", "text"),
    [
        ("(C) the lamp", "", "(C) the lamp"),
        ("  two blanks first", "", "  two blanks first"),
        ("<think>Is it B? No, C.</think>\n\n(C) the lamp", "Is it B? No, C.", "(C) the lamp"),
        ("\n<Thinking>Is it B?</Thinking>(C) the lamp", "Is it B?", "(C) the lamp"),
        ("The chat template opened these.\n</think>\n\n(C) the lamp", "The chat template opened these.", "(C) the lamp"),
        ("Sure.\n<think>It is C.</think>\n(C) the lamp", "It is C.", "Sure.\n\n(C) the lamp"),
        ("<think>I never come to an end", "I never come to an end", ""),
        ("<think></think>\n(C) the lamp", "", "(C) the lamp"),
        ("<think>They wrote <think> there.</think>(C)", "They wrote <think> there.", "(C)"),
        ("<think>One.</think>More.</think>(C)", "One.\n\nMore.", "(C)"),
        ("<think>One.</thinking>(C)", "One.", "(C)"),
        ("[THINK]One.[/THINK](C)", "One.", "(C)"),
        ("◁think▷One.◁/think▷(C)", "One.", "(C)"),
        ("<|channel|>analysis<|message|>One.<|end|><|start|>assistant<|channel|>final<|message|>(C)", "One.", "(C)"),
        ("It ends with the word <think> and nothing else.", "", "It ends with the word <think> and nothing else."),
        ("[think] of a lamp", "", "[think] of a lamp"),
    ],
)
def test_thoughts_are_split_from_the_text(reply: str, thoughts: str, text: str) -> None:
    assert split_thoughts(reply) == (thoughts, text)


@given(st.lists(st.sampled_from(["<think>", "</think>", "<thinking>", "</thinking>", "\n", " ", "a", "b."]), max_size=12))
def test_no_thoughts_remain_in_a_text_and_no_word_is_lost(pieces: list[str]) -> None:
    thoughts, text = split_thoughts("".join(pieces))
    assert "</think" not in text
    both = thoughts + text
    assert both.count("a") == pieces.count("a")
    assert both.count("b.") == pieces.count("b.")
    assert split_thoughts(text)[1].strip() == text.strip() or "<think" in text


def call(prompt: Prompt) -> Call:
    return Call(0, 0, prompt, (), ModelSettings("m"))


def test_thoughts_beside_the_text_come_before_those_in_it() -> None:
    taken = take_thoughts(call(FREE), Reply("<think>two</think>three", thoughts="one"))
    assert (taken.thoughts, taken.text) == ("one\n\ntwo", "three")


def test_a_form_that_has_thoughts_keeps_them_in_the_reply() -> None:
    own = "<thinking>It adds a lamp.</thinking>\n<update>There is a lamp.</update>"
    assert take_thoughts(call(BLOCKS), Reply(own)) == Reply(own)
    both = take_thoughts(call(BLOCKS), Reply(f"<think>What do they want?</think>\n{own}"))
    assert (both.thoughts, both.text) == ("What do they want?", own)


def test_a_recorded_reply_has_no_thoughts_in_it_whatever_the_model() -> None:
    tape = MemoryTape()
    flight = CallsInFlight(Journal(tape), Scripted(["<think>Hm \ud800.</think>At four."]), concurrency=1)
    asked = flight.ask(FREE, (), ModelSettings("m"))
    flight.close()
    (row,) = tape.records.values()
    assert asked.parsed
    assert asked.parsed.fields["text"].value == row.reply == "At four."
    assert row.thoughts == "Hm ?."
