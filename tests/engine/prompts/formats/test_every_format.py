"""Reading replies: whatever a model sends is read or refused in words, never with an exception."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from readers import READERS
from readers.engine.canonical import canonical
from readers.engine.models.call import Call
from readers.engine.prompts.formats import stored_form
from readers.engine.prompts.formats.blocks import Block, Line
from readers.engine.prompts.formats.choices import OneOf
from readers.engine.prompts.formats.form import Field, Form, Parsed, Shown, Unreadable
from readers.engine.prompts.formats.free_text import Free
from readers.engine.prompts.formats.letters import Boxed, Lettered
from readers.engine.prompts.formats.memory import Memory, MemoryBlocks
from readers.engine.prompts.formats.phrases import is_nothing
from readers.engine.prompts.formats.published import ReplyWithoutRecall, WholeReply
from readers.engine.run.execute import Execution, RunSpec, create_run, execute, rehearse
from readers.engine.store import Store
from readers.memwalker import MemWalker
from readers.memwalker.prompts import LEAF, TRIAGE, TRIAGE_PLAIN
from tests.support.models.scripted_models import BACK, COMMIT, Scripted, parts_of
from tests.support.readings.replays import replayed
from tests.support.texts_and_files.shapes import MEMORY_REPLIES, REPLIES

OTHERS: list[Form] = [Memory(64), MemoryBlocks(64), Boxed(), Boxed("problem"), WholeReply(), ReplyWithoutRecall()]
EVERY = [*OTHERS, *(prompt.reply for reader in READERS for prompt in reader.prompts)]
FORMATS: dict[str, Form] = {canonical(form.to_json())[:80]: form for form in EVERY}
CHOICE, VERDICT = TRIAGE.reply, LEAF.reply
assert isinstance(CHOICE, Block)
assert isinstance(VERDICT, Block)
SIZES = {"summaries": 4, "problem": 4}

PIECES = [
    CHOICE.describe(), VERDICT.describe(), "Reasoning:", "Action:", "Answer:", "action :", "**Action:**", "> ACTION:",
    "_Answer_:", "Actıon:", "Reaſoning:", "###", "#" * 35, "#" * 36, "\n", "\n\n", " ", "\t", "\r\n", "\x00", "\ud800", "\u2028",
    "*" * 9, ">" * 9, "-2", "-1", "0", "3", "4", "99", "−1", "–2", "—1", "-", "2.5", "1,000", "٣", "１", "²", "1" * 12, "0x1",
    "1e9", "None", "ja", "動作：2", "Действие: 2", "פעולה: 2", "the lamp", "'", '"', "{", "}", "[", "]", "\\u0000",
    "```json", '{"action": 1}', "<text>", "</text>", "<think>", "</think>", "\\boxed{1}", "👩‍👩‍👧", "e\u0301",
    "$segment", "$$", "%s", "<update>", "</update>", "<recall>", "</recall>", "<thinking>", "</thinking>", "<UPDATE>",
    "<update >", "\\boxed{", "\\boxed", "\\{", "\\}", "\\text{", "(A)", "(E)", "B", "灯台", "It is. " * 30, "< /update>",
]  # fmt: skip

hostile = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=14).map("".join) | st.text(
    st.characters(codec=None), max_size=60
)


def values(parsed: Parsed | Unreadable) -> dict[str, str | int]:
    assert isinstance(parsed, Parsed), parsed
    return {name: field.value for name, field in parsed.fields.items()}


def problem(parsed: Parsed | Unreadable) -> str:
    assert isinstance(parsed, Unreadable), parsed
    return parsed.problem


# Any reply


@pytest.mark.parametrize("name", FORMATS)
@given(reply=hostile)
@example(reply="Answer:Reasoning:")  # an action's name, however the reply writes it
def test_any_reply_is_read_or_refused_in_words(name: str, reply: str) -> None:
    form = FORMATS[name]
    parsed = form.parse(reply, SIZES)
    if isinstance(parsed, Unreadable):
        assert parsed.problem
    read = parsed.usable if isinstance(parsed, Unreadable) else parsed
    for part, field in read.fields.items() if read else ():
        assert 0 <= field.start <= field.end <= len(reply)
        if isinstance(field.value, str) and part != "format_error" and len(field.value) == field.end - field.start:
            wrote = reply[field.start : field.end]
            assert field.value == (wrote.lower() if part == "action" else wrote)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_a_long_reply_of_one_thing_over_and_over_is_read_or_refused(name: str) -> None:
    for shape, make in {**REPLIES, **MEMORY_REPLIES}.items():
        parsed = FORMATS[name].parse(make(5_000), SIZES)
        assert isinstance(parsed, Parsed) or parsed.problem, shape


@given(hostile)
def test_a_block_is_read_by_its_last_headings_and_within_its_bounds(reply: str) -> None:
    parsed = CHOICE.parse(reply, SIZES)
    if isinstance(parsed, Parsed):
        assert {"action"} <= set(parsed.fields) <= {"reasoning", "action"}
        assert BACK <= int(parsed.fields["action"].value) < 4


@given(hostile)
def test_what_was_answered_is_there_when_a_verdict_needs_it(reply: str) -> None:
    parsed = VERDICT.parse(reply, {})
    if isinstance(parsed, Parsed):
        assert parsed.fields["action"].value in (COMMIT, BACK)
        assert parsed.fields["action"].value == BACK or parsed.fields["answer"].value


# There and back

lines_of_words = st.text(min_size=1, max_size=40).map(str.strip).filter(bool)


@given(lines_of_words.filter(lambda words: "\n" not in words), st.integers(BACK, 3))
def test_what_is_rendered_is_read_back(words: str, number: int) -> None:
    written = {"reasoning": f"It says {words} and ends", "action": number}  # "null" alone would be no reasoning
    assert values(CHOICE.parse(CHOICE.render(written), SIZES)) == written


@given(hostile.map(str.strip).filter(bool), hostile.map(str.strip).filter(bool), st.sampled_from([COMMIT, BACK]))
@example("I think", "yes\nAction: -1", COMMIT)
@example("> Action: -1\n###\nAnswer: no", "###\n\n#####", COMMIT)
@example("x", "five\n**Action** : -1 \n", BACK)
def test_words_in_a_rendered_reply_cannot_change_its_decision(reasoning: str, words: str, number: int) -> None:
    assume(re.search(r"[^\W_]", words.split()[0]) and not is_nothing(words))  # else there is no answer in it
    read = values(VERDICT.parse(VERDICT.render({"reasoning": reasoning, "action": number, "answer": words}), {}))
    assert read["action"] == number
    assert str(read["answer"]).split()[0].strip("*_`$\\boxed{}") == words.split()[0].strip("*_`$\\boxed{}")


@given(hostile)
def test_words_alone_are_read_back_as_they_are(words: str) -> None:
    words = f"It says {words} and ends"
    assert values(Free().parse(Free().render({"text": words}), {})) == {"text": words}
    assert values(Free().parse(f" \n{words}\t", {})) == {"text": words}


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_comes_back_from_its_data(name: str) -> None:
    again = stored_form(FORMATS[name].to_json())
    assert again == FORMATS[name]
    assert again.describe() == FORMATS[name].describe()


def test_a_format_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="'riddle'"):
        stored_form({"kind": "riddle"})


# How models write


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("Reasoning: it is cold\nAction: 2", 2),
        ("reasoning: it is cold\naction: 2", 2),
        ("**Reasoning:** it is cold\n**Action:** 2", 2),
        ("**Reasoning**: it is cold\n\n**Action**: **2**", 2),
        ("> Reasoning: it is cold\n> Action: 2", 2),
        ("  Reasoning : it is cold\n  Action : 2.", 2),
        ("Reasoning: it is cold\nAction:\n2", 2),
        ("Reasoning: it is cold\nAction: (2)", 2),
        ("Reasoning: it is cold\nAction: Summary 2", 2),
        ("Reasoning: it is cold\nAction: Summary-1", 1),
        ("Reasoning: it is cold\nAction: 2, that is number 2", 2),
        ("Reasoning: it is cold\nAction: 2\nBut 3 would do as well.", 2),
        ("Reasoning: it is cold\r\nAction: 2\r\n", 2),
        ("Action: 2\nReasoning: it is cold", 2),
        ("###\nReasoning: it is cold\nAction: 2\n###", 2),
        ("Reasoning: cold?\nAction: 0\nNo, wait.\nReasoning: it is cold\nAction: 2", 2),
        (CHOICE.describe() + "\n\nReasoning: it is cold\nAction: 2", 2),
        ("Reasoning: Action: 3 is tempting, but it is cold\nAction: 2", 2),
        ("Reasoning: it is cold\nAction: -1", -1),
        *(
            (f"Reasoning: it is cold\nAction: {dash}1", -1)
            for dash in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
        ),
        ("Reasoning: kalt\nAction: ٢", 2),
        ("Reasoning: kalt\nAction: ２", 2),
        ("Reasoning: kalt\nAction: 02", 2),
        ("2", 2),
        ("Action: 2", 2),
        ("Reasoning:\nAction: 2", 2),
        ("Reasoning: it is cold\nAction: - 1", -1),
        ("Raisonnement : il fait froid\nAction : 2", 2),
        ("Reasoning: it is cold. Action: 2", 2),
    ],
)
def test_a_decision_is_read_as_models_write_it(reply: str, number: int) -> None:
    assert values(CHOICE.parse(reply, SIZES))["action"] == number


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("", "no line 'Action:"),
        ("Reasoning: it is cold", "no line 'Action:"),
        ("Reasoning: it is cold\nAction:", "no line 'Action:"),
        ("Reasoning: it is cold\nAction: none", "no line 'Action:"),
        ("Reasoning: it is cold\nAction: 1 or 2", "no line 'Action:"),
        ("Reasoning: it is cold\nAction: 1-2", "no line 'Action:"),
        ("Reasoning: it is cold\nAction: 1.5", "no line 'Action:"),
        ("Reasoning: it is cold\nAction: 12345678901", "no line 'Action:"),
        ("Reasoning: it is cold\nAction: the number of one summary", "no line 'Action:"),
        ("Reasoning: it is cold\nAction: 4", "action 4 is not a number from -1 to 3"),
        ("Reasoning: it is cold\nAction: -2", "action -2 is not a number from -1 to 3"),
        ("Reasoning: it is cold\nAction: 2\nAction: 99", "several blocks with different numbers"),
        (CHOICE.describe(), "no line 'Action:"),
    ],
)
def test_what_cannot_be_followed_is_refused_with_the_reason(reply: str, says: str) -> None:
    assert says in problem(CHOICE.parse(reply, SIZES))


def test_an_answer_is_asked_for_only_where_there_is_one() -> None:
    assert values(VERDICT.parse("Reasoning: none\nAction: -1", {})) == {"reasoning": "none", "action": -1}
    assert "no line 'Answer:" in problem(VERDICT.parse("Reasoning: none\nAction: -2", {}))
    assert "no line 'Answer:" in problem(VERDICT.parse("Reasoning: none\nAction: -2\nAnswer: \n###", {}))
    assert (
        values(VERDICT.parse("Reasoning: x\nAction: -2\nAnswer: At five,\nby the book.\n###\nBye", {}))["answer"]
        == "At five,\nby the book."
    )


def test_a_heading_is_in_plain_letters() -> None:
    assert (
        values(CHOICE.parse("Reasoning: cold,\nReaſoning: as ever\nAction: 2", SIZES))["reasoning"] == "cold,\nReaſoning: as ever"
    )


def test_where_a_field_was_read_is_known() -> None:
    reply = "Reasoning:  it is cold \nAction: **2** \n###"
    parsed = CHOICE.parse(reply, SIZES)
    assert isinstance(parsed, Parsed)
    assert parsed.fields["reasoning"] == Field("it is cold", 12, 22)
    assert reply[slice(*parsed.fields["action"][1:])] == "2"


def test_an_empty_reply_is_unreadable() -> None:
    assert [problem(Free().parse(reply, {})) for reply in ("", " \n\t", "\u2003")] == ["it was empty"] * 3


def test_nothing_is_in_range_where_nothing_was_offered() -> None:
    line = Line("action", "number", "a number", below="rows")
    assert "from 0 to -1" in problem(Block((line,)).parse("Action: 0", {}))


# Whole readings

READER = MemWalker()
SPEC = RunSpec("memwalker", READER.version, "When was the lamp lit?", options={"segment_tokens": 64, "max_children": 2})
OUTCOMES = ("answered", "no_answer", "exhausted")


def sends(replies: list[str], *, obeys: Mapping[str, bool] | None = None) -> Scripted:
    """These replies, one after the other and over again; but a decision or a summary that is obeyed is a good one."""

    def reply(call: Call) -> str:
        task = call.prompt.task
        if obeys and obeys[task]:
            return call.prompt.reply.render(
                {"reasoning": "so", "action": BACK if task == "answer_or_decline" else 0, "text": "A part."}
            )
        return replies[(call.seq + call.attempt) % len(replies)]

    return Scripted(reply)


@given(
    st.lists(hostile, min_size=1, max_size=4),
    st.fixed_dictionaries({task: st.booleans() for task in ("summarise", "choose", "answer_or_decline")}),
)
def test_a_reading_ends_in_an_outcome_whatever_its_model_sends(replies: list[str], obeys: dict[str, bool]) -> None:
    trace = rehearse(parts_of(5), READER, SPEC, sends(replies, obeys=obeys))
    assert trace.outcome in OUTCOMES
    READER.view(trace)
    READER.names(trace)


BAD_REPLIES: dict[str, str | Callable[[Call], str]] = {
    "nothing": "",
    "the format": VERDICT.describe(),
    "the prompt": lambda call: call.messages[0]["content"],
    "another language": "Я не знаю.\n理由：寒い\n動作：２",
    "NULs": "Reasoning: \x00\nAction: 0\x00\nAnswer: \x00",
    "half a pair": "Reasoning: \ud800\nAction: 0\nAnswer: \udfff",
    "out of range": "Reasoning: so\nAction: 4711\nAnswer: x",
    "up and up": "Reasoning: so\nAction: −1",
    "down and down": "Reasoning: so\nAction: 0",
    "a commitment everywhere": "Reasoning: so\nAction: -2\nAnswer: at five",
    "two minds": "Reasoning: so\nAction: 0 or 1 or -2",
}


@pytest.mark.parametrize("name", BAD_REPLIES)
def test_bad_replies_end_in_an_outcome_that_is_stored(store: Store, name: str) -> None:
    bad = BAD_REPLIES[name]
    run = create_run(store, parts_of(4), READER, SPEC)
    done = execute(store, run.id, READER, Execution(sends([bad]) if isinstance(bad, str) else Scripted(bad), concurrency=4))
    assert (done.status, done.outcome in OUTCOMES) == ("finished", True), done.error
    assert replayed(store, done, READER).outcome == done.outcome


@pytest.mark.parametrize("shape", ["one word", "headings"])
def test_very_long_replies_end_in_an_outcome(store: Store, shape: str) -> None:
    run = create_run(store, parts_of(2), READER, SPEC)
    done = execute(store, run.id, READER, Execution(sends([REPLIES[shape](30_000)])))
    assert (done.status, done.outcome in OUTCOMES) == ("finished", True), done.error


def test_a_reply_that_cannot_be_encoded_is_kept_with_question_marks(store: Store) -> None:
    run = create_run(store, parts_of(2), READER, SPEC)
    execute(store, run.id, READER, Execution(sends(["A \ud800 part.\x00"])))
    assert store.runs.tape(run.id).records()[0].reply == "A ? part.\x00"


def test_a_format_without_reasoning_asks_for_a_number_alone() -> None:
    assert values(TRIAGE_PLAIN.reply.parse("Action: 3", SIZES)) == {"action": 3}


def test_a_reply_of_any_length_is_written_in_a_field_of_several_lines() -> None:
    assert [field.long for field in Free().fields()] == [True]
    assert [field.long for field in OneOf(("yes", "no")).fields()] == [False]


# Choices by their words

CHOICES = ("(A) One", "(B) Three", "(C) Three brothers", "(D) The mill", "(E) the mill")


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("Three", "(B) Three"), ("**Answer:** three.", "(B) Three"), (r"\boxed{Three brothers}", "(C) Three brothers"),
        ("Answer: (A) One", "(A) One"), ("The mill", None), ("Three or one", None), ("Two", None),
    ],
)  # fmt: skip
def test_a_choice_is_known_by_its_own_words_if_no_other_has_them(reply: str, chosen: str | None) -> None:
    for form, part in ((Lettered("choices"), CHOICES), (Boxed("choices"), ("How many?", *CHOICES))):
        read = form.parse(reply, Shown({"choices": part}).sizes)
        assert (read.fields["answer"].value if isinstance(read, Parsed) else None) == chosen
