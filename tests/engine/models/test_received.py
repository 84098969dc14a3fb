"""A reply that was cut off for its length is asked for again with more room, and used as cut only at last, on record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers import get
from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.models.received import LEAST_LENGTH, LEAST_TIMES, repeats_after, split_thoughts, take_thoughts
from readers.engine.prompts.formats.form import Parsed, numbers
from readers.engine.prompts.formats.json_lists import Listed
from readers.engine.prompts.formats.memory import MemoryBlocks
from readers.engine.prompts.formats.pages import Pages
from readers.engine.prompts.prompt import Part, Prompt, Task
from readers.engine.record.events import CutOff
from readers.engine.record.journal import Journal, MemoryTape
from readers.engine.run.calls_in_flight import CallsInFlight, PendingCall
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text.document import Text
from tests.support.models.scripted_models import Scripted, parts_of

FREE = Prompt("t.free", "summarise", "Summarise $what.", tries=3, max_tokens=100)
BLOCKS = Prompt("t.blocks", "update_memory", "Rewrite $what.\n$format", reply=MemoryBlocks(64), tries=2, max_tokens=100)
ENDLESS = "The lamp is lit. " + "She went up the stairs, and up. " * 20


class Cutting:
    """Sends these texts one after the other, each cut off for its length unless it is in `whole`, after these thoughts."""

    def __init__(self, texts: Sequence[str], *, whole: Sequence[str] = (), thoughts: str = "") -> None:
        self.texts, self.whole, self.thoughts = list(texts), whole, thoughts
        self.calls: list[Call] = []

    def complete(self, call: Call) -> Reply:
        self.calls.append(call)
        text = self.texts.pop(0)
        return Reply(text, thoughts=self.thoughts, finish="stop" if text in self.whole else "length")


def asked(model: Cutting, prompt: Prompt = FREE, tape: MemoryTape | None = None, **settings: Any) -> PendingCall:
    flight = CallsInFlight(Journal(tape or MemoryTape()), model, concurrency=1)
    pending = flight.ask(prompt, (Part("what", (Text("the lamp"),)),), ModelSettings("m", **settings))
    flight.close()
    return pending


def value(pending: PendingCall) -> object:
    assert pending.parsed
    return next(iter(pending.parsed.fields.values())).value


def test_a_cut_reply_is_asked_for_again_with_twice_the_room() -> None:
    model = Cutting(["The lamp was", "The lamp was lit.", "never asked"], whole=["The lamp was lit."])
    pending = asked(model)
    assert [call.max_tokens for call in model.calls] == [100, 200]
    assert pending.problems == ["it was cut off for its length; there was room for 100 tokens"]
    assert "there was room for 100 tokens" in model.calls[1].messages[0]["content"]
    assert (value(pending), pending.cut_off) == ("The lamp was lit.", None)


@pytest.mark.parametrize(("text", "thoughts"), [("On and on. " * 500_000, ""), ("The lamp.", "Hm. " * 1_000_000)])
def test_a_reply_far_over_its_room_is_cut_when_it_arrives(text: str, thoughts: str) -> None:
    tape = MemoryTape()
    pending = asked(Cutting([text] * 3, whole=[text], thoughts=thoughts), tape=tape)
    first = tape.records[0, 0]
    reply, kept = first.reply or "", first.thoughts or ""
    assert (first.finish, max(len(reply), len(kept))) == ("length", 10_000)
    assert text.startswith(reply)
    assert thoughts.startswith(kept)
    assert len(pending.problems) == 2
    assert isinstance(pending.cut_off, CutOff)


def test_what_a_scorer_computes_is_not_cut() -> None:
    prompt = Prompt("score", "score", "$what", tries=1, max_tokens=0)
    text = "0.5, " * 100_000
    assert value(asked(Cutting([text], whole=[text]), prompt)) == text.strip()


@pytest.mark.parametrize(("text", "thoughts"), [("The lamp", "Hm."), ("", "Hm."), ("", "")])
def test_one_that_was_cut_after_thinking_gets_the_room_of_a_model_that_thinks(text: str, thoughts: str) -> None:
    model = Cutting([text, "The lamp was lit."], whole=["The lamp was lit."], thoughts=thoughts)
    pending = asked(model)
    assert [call.max_tokens for call in model.calls] == [100, 800]
    assert value(pending) == "The lamp was lit."


def test_on_the_last_try_it_is_used_as_cut_and_that_is_on_record() -> None:
    model = Cutting(["The", "The lamp", "The lamp was"])
    pending = asked(model)
    assert [call.max_tokens for call in model.calls] == [100, 200, 400]
    assert value(pending) == "The lamp was"
    assert pending.cut_off == CutOff(0, 2, 400)


@pytest.mark.parametrize(
    ("window", "task", "rules", "rooms"),
    [
        (8192, "summarise", 2, [100, 200]), (1000, "summarise", 2, [100]), (1000, "shorten", 2, [100]),
        (1000, "answer", 2, [100, 200]), (1000, "summarise", 1, [100, 200]), (None, "summarise", 2, [100, 200]),
        (1000, "update_memory", 2, [100, 200]), (1000, "update_memory", 3, [100]),
    ],
)  # fmt: skip
def test_a_summary_or_memory_is_used_as_cut_where_asking_again_takes_over_a_sixteenth_of_the_window(
    window: int | None, task: Task, rules: int, rooms: list[int]
) -> None:
    model = Cutting(["The lamp was", "The lamp was lit."], whole=["The lamp was lit."])
    pending = asked(model, Prompt("t.cut", task, "Read $what.", max_tokens=100), window=window, reply_rules=rules)
    assert [call.max_tokens for call in model.calls] == rooms
    assert (pending.cut_off is not None) == (len(rooms) == 1)


def test_five_of_six_summaries_that_are_cut_cost_six_calls_on_a_small_window_where_they_cost_eleven() -> None:
    made = {}
    for rules in (1, 2):
        calls: list[Call] = []

        class SmallModel:
            def complete(self, call: Call) -> Reply:
                calls.append(call)  # noqa: B023
                if call.prompt.task != "summarise":
                    return Reply(call.prompt.reply.render({"action": -2, "answer": "four", "reasoning": "so"}))
                cut = call.attempt == 0 and not call.part("segment")[0].startswith("Part 0")
                return Reply("A part that goes on", finish="length" if cut else "stop")

        options = {"segment_tokens": 64, "max_children": 8, "summary_limit_tokens": 1000}
        spec = RunSpec("memwalker", get("memwalker").version, "When?", options=options, window=2048, reply_rules=rules)
        rehearse(parts_of(6), get("memwalker"), spec, SmallModel())
        made[rules] = sum(bool(call.part("segment")) and call.prompt.task == "summarise" for call in calls)
    assert made == {1: 11, 2: 6}


CUT_LIST = 'I found:\n{"same": [{"a": "Amos, \\"the boy\\"", "b": "Amos"}, {"a": "Ann", "b": "Ann Hale"}, {"a": "Hale", "'
WHOLE = [{"a": 'Amos, "the boy"', "b": "Amos"}, {"a": "Ann", "b": "Ann Hale"}]
LISTED = Prompt("t.listed", "merge", "Who is in $what?\n$format", reply=Listed("same", ("a", "b")), tries=2, max_tokens=100)


@pytest.mark.parametrize("prompt", [LISTED, LISTED.held()], ids=["words", "schema"])
@pytest.mark.parametrize(
    ("window", "rules", "tries"), [(8192, 3, 2), (1000, 3, 1), (1000, 2, 2), (None, 3, 2)], ids=["large", "small", "then", "none"]
)
def test_of_a_list_that_was_cut_the_whole_items_are_used_at_once_where_asking_again_costs_much(
    prompt: Prompt, window: int | None, rules: int, tries: int
) -> None:
    model = Cutting([CUT_LIST.removeprefix("I found:\n") if prompt.schema else CUT_LIST] * 2)
    pending = asked(model, prompt, window=window, reply_rules=rules)
    assert (json.loads(str(value(pending))), len(model.calls)) == (WHOLE, tries)
    assert isinstance(pending.cut_off, CutOff)


@pytest.mark.parametrize("prompt", [LISTED, LISTED.held()], ids=["words", "schema"])
def test_a_list_that_repeats_an_item_without_end_is_used_at_once_up_to_there(prompt: Prompt) -> None:
    endless = '{"same": [{"a": "Amos, \\"the boy\\"", "b": "Amos"}' + ', {"a": "Ann", "b": "Ann Hale"}' * 40
    model = Cutting([endless])
    pending = asked(model, prompt)
    assert (json.loads(str(value(pending))), len(model.calls)) == (WHOLE, 1)
    assert pending.cut_off
    assert pending.cut_off.repeats_after


@pytest.mark.parametrize("cut", ['{"same": [{"a": "Ann", "b": "An', '{"same": [', '{"same', '{"a": "x, y'])
def test_a_list_that_was_cut_in_its_first_item_has_none(cut: str) -> None:
    assert asked(Cutting([cut] * 2), LISTED).parsed is None


def test_numbers_that_a_schema_lists_without_end_are_those_before_they_repeat() -> None:
    prompt = Prompt("t.pages", "choose_many", "Which of $what?\n$format", reply=Pages(), max_tokens=100).held()
    pending = asked(Cutting(['{"reasoning": "so", "pages": [0, 0, ' + "0, " * 200]), prompt)
    assert pending.parsed
    assert {*numbers(str(pending.parsed.fields["pages"].value))} == {0}


def test_with_a_single_try_it_is_used_at_once() -> None:
    pending = asked(Cutting(["The lamp"]), Prompt("t.once", "summarise", "Summarise $what.", tries=1, max_tokens=7))
    assert (value(pending), pending.cut_off) == ("The lamp", CutOff(0, 0, 7))


def test_one_that_its_format_cannot_read_is_never_used() -> None:
    pending = asked(Cutting(["", ""]), BLOCKS)
    assert (pending.parsed, pending.cut_off) == (None, None)
    assert pending.problems == [
        f"all the room for it, {room} tokens, was used up by thinking, and nothing was left for the reply" for room in (100, 800)
    ]


def test_what_can_be_used_of_a_malformed_one_is_used() -> None:
    pending = asked(Cutting(["<update>The lamp", "<update>The lamp was"]), BLOCKS)
    assert isinstance(pending.parsed, Parsed)
    assert pending.parsed.fields["update"].value == "The lamp was"
    assert pending.cut_off == CutOff(0, 1, 200)


def test_the_window_bounds_the_room() -> None:
    model = Cutting(["The", "The lamp", "The lamp was"])
    asked(model, replace(FREE, task="answer"), window=300)
    rooms = [call.max_tokens for call in model.calls]
    assert rooms[:2] == [100, 200]
    assert 200 <= rooms[2] < 300


def test_an_endless_repetition_gets_no_more_room_and_is_left_out_at_last() -> None:
    model = Cutting([ENDLESS] * 3)
    tape = MemoryTape()
    pending = asked(model, tape=tape)
    assert [call.max_tokens for call in model.calls] == [100, 100, 100]
    assert value(pending) == "The lamp is lit. She went up the stairs, and up."
    assert pending.cut_off
    assert pending.cut_off.repeats_after is not None
    assert {row.reply for row in tape.records.values()} == {ENDLESS}
    assert "repeats itself without end" in pending.problems[0]


def test_a_reply_that_ends_by_itself_may_say_the_same_often() -> None:
    pending = asked(Cutting([ENDLESS], whole=[ENDLESS]))
    assert (value(pending), pending.cut_off) == (ENDLESS.strip(), None)


@pytest.mark.parametrize("texts", [["The", "The lamp", "The lamp was"], [ENDLESS] * 3, ["", "", "The"]])
def test_replay_takes_the_same_path_from_the_record(texts: list[str]) -> None:
    tape = MemoryTape()
    first = asked(Cutting(texts), tape=tape)
    again = asked(Cutting([]), tape=tape)
    assert (again.parsed, again.problems, again.cut_off) == (first.parsed, first.problems, first.cut_off)


@pytest.mark.parametrize(
    ("settings", "room"),
    [
        ({}, 100),
        ({"room_factor": 8}, 800),
        ({"room_factor": 8, "window": 1000}, 500),
        ({"room_factor": 8, "window": 120}, 100),
        ({"room_factor": 8, "reply_tokens": 64}, 64),
        ({"reply_tokens": 4096, "window": 8192}, 4096),
    ],
)
def test_the_room_for_replies_is_an_option_and_counts_in_the_window(settings: dict[str, Any], room: int) -> None:
    model = Cutting(["The lamp."], whole=["The lamp."])
    pending = asked(model, **settings)
    if room + 20 > settings.get("window", 10**6):
        assert pending.failure
        assert f"and {room} for the reply" in str(pending.failure)
    else:
        (call,) = model.calls
        assert call.max_tokens == room
        assert (call.identity == asked_plainly().identity) == (room == 100)


def asked_plainly() -> Call:
    model = Cutting(["The lamp."], whole=["The lamp."])
    asked(model)
    return model.calls[0]


SAY = Prompt("t.free", "answer", "Say something.")
REWRITE = Prompt("t.blocks", "update_memory", "Rewrite the memory.\n$format", reply=MemoryBlocks(64))


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
    taken = take_thoughts(call(SAY), Reply("<think>two</think>three", thoughts="one"))
    assert (taken.thoughts, taken.text) == ("one\n\ntwo", "three")


def test_a_form_that_has_thoughts_keeps_them_in_the_reply() -> None:
    own = "<thinking>It adds a lamp.</thinking>\n<update>There is a lamp.</update>"
    assert take_thoughts(call(REWRITE), Reply(own)) == Reply(own)
    both = take_thoughts(call(REWRITE), Reply(f"<think>What do they want?</think>\n{own}"))
    assert (both.thoughts, both.text) == ("What do they want?", own)


def test_a_recorded_reply_has_no_thoughts_in_it_whatever_the_model() -> None:
    tape = MemoryTape()
    flight = CallsInFlight(Journal(tape), Scripted(["<think>Hm \ud800.</think>At four."]), concurrency=1)
    asked = flight.ask(SAY, (), ModelSettings("m"))
    flight.close()
    (row,) = tape.records.values()
    assert asked.parsed
    assert asked.parsed.fields["text"].value == row.reply == "At four."
    assert row.thoughts == "Hm ?."


LEAD = "The keeper lit the lamp at four, and the ledger lay on the table. "


@pytest.mark.parametrize(
    "block", ["She went up. ", "la ", "x", "One said: no.\nThe other said: yes, and then he said more of it.\n", "潮が満ちる。"]
)
@pytest.mark.parametrize("rest", [0, 1])
def test_a_text_is_cut_after_the_first_of_what_it_repeats(block: str, rest: int) -> None:
    text = LEAD + block * (LEAST_LENGTH // len(block) + LEAST_TIMES + 1) + block[: rest * (len(block) // 2)]
    end = repeats_after(text)
    assert end is not None
    said = text[:end]
    assert len(LEAD) <= end <= len(LEAD + block) + 1
    assert said.count(block.strip()) <= LEAD.count(block.strip()) + 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        LEAD,
        LEAD * (LEAST_TIMES - 1),
        LEAD + "-" * 80,
        "no, " * 30,
        LEAD + "She went up. " * 40 + "Then she came down, and all was well in the end, as it should be.",
        ", ".join(str(n) for n in range(200)),
    ],
)
def test_other_texts_do_not_repeat_themselves(text: str) -> None:
    assert repeats_after(text) is None


@given(st.text(alphabet="ab ", max_size=30), st.text(alphabet="abc", min_size=1, max_size=60), st.integers(0, 30))
def test_what_follows_the_end_only_repeats_what_comes_before_it(lead: str, block: str, count: int) -> None:
    text = (lead + block * count).rstrip()
    end = repeats_after(text)
    if end is None:
        assert not block.strip() or len(block) * count < max(LEAST_LENGTH + len(block), LEAST_TIMES * len(block))
    else:
        period = next(p for p in range(1, end + 1) if text[end - p :].startswith(text[end:]))
        assert len(text) - end >= (LEAST_TIMES - 2) * period
