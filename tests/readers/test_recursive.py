"""Recursive reading: what each action shows, what goes down and comes back up, and that it is bounded in every way."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from components.player.pictures import picture
from readers import get
from readers.engine.analysis.narrate import narrate
from readers.engine.models.call import Call
from readers.engine.record.events import Answered, Ended, Looked
from readers.engine.record.hint import HintSource
from readers.engine.record.trace import Trace
from readers.engine.text import tokens
from readers.engine.text.document import Document, Span
from readers.recursive import looking
from tests.readers.every_reader.test_fates import CHANGED, FACT, LESS, PLACES, followed
from tests.support.models.scripted_models import Scripted, parts_of
from tests.support.readings.recursive_readings import QUESTION, SMALL, Turn, model, read
from tests.support.readings.shipped_readings import shipped_reading

READER = get("recursive")
BAD = "I do not know."
# Down to a part that has nothing, to one with an answer, and to the end.
THERE_AND_BACK = [
    ("search", "word5x2"),
    ("split", "4"),
    ("ask", "1, 3: What is word5x2?"),
    ("nothing", ""),
    ("answer", "a word"),
    ("answer", "in part 5"),
]


def decisions(trace: Trace) -> list[tuple[str, str, str]]:
    """Every action, with the slice in which it was taken and what was picked."""
    names = READER.names(trace)
    found = []
    for step in trace.steps:
        for event in trace.of(step):
            if event.kind == "chose":
                found.append((step.names[-1], event.action, names.get(event.picked, event.picked)))
    return found


def shown(call: Call, part: str) -> str:
    return "\n".join(call.part(part))


# The actions


def test_a_question_goes_down_to_the_parts_named_and_answers_come_back_up() -> None:
    scripted = model(THERE_AND_BACK)
    trace = read([], scripted=scripted)
    assert decisions(trace) == [
        ("the whole text", "search", "“word5x2”"),
        ("the whole text", "split", "split"),
        ("the whole text", "ask_below", "part 1"),
        ("the whole text", "ask_below", "part 3"),
        ("part 1", "not_there", "nothing"),
        ("part 3", "commit", "answer"),
        ("the whole text", "commit", "answer"),
    ]
    last = scripted.calls[-1]
    assert shown(last, "answers") == "From part 3, asked “What is word5x2?”: a word"
    assert "(asked: nothing there)" in last.part("parts")[0]
    assert "(asked: answered)" in last.part("parts")[2]
    assert isinstance(trace.end, Answered)
    assert trace.end.text == "in part 5"


def test_whoever_reads_below_sees_the_slice_and_the_question_and_nothing_else() -> None:
    scripted = model(THERE_AND_BACK)
    read([], scripted=scripted)
    below = scripted.calls[3]
    assert set(below.sizes) == {"segment", "question", "choices"}
    assert shown(below, "question") == "What is word5x2?"
    assert "word0x1" in shown(below, "segment")
    assert "word5x2" not in shown(below, "segment")


def test_the_first_prompt_has_the_question_and_how_long_the_text_is_and_nothing_of_it() -> None:
    scripted = model(THERE_AND_BACK)
    trace = read([], scripted=scripted)
    first = scripted.calls[0].messages[0]["content"]
    assert QUESTION in first
    assert f"{trace.document.tokens:,} tokens" in first
    assert trace.spans_shown(0) == ()


def test_a_search_shows_the_phrase_where_it_stands_and_the_part_it_is_in_once_there_are_parts() -> None:
    scripted = model(THERE_AND_BACK)
    trace = read([], scripted=scripted)
    assert shown(scripted.calls[1], "seen").startswith("Found for “word5x2”:\n")
    assert "word5x2" in shown(scripted.calls[1], "seen").split("\n", 1)[1]
    assert shown(scripted.calls[2], "seen").startswith("Found for “word5x2”, in part 3:\n")
    looked = next(event for event in trace.events if isinstance(event, Looked))
    assert looked.why == "1 of 1 places"


def test_a_question_that_is_left_out_is_that_of_who_asks() -> None:
    scripted = model([("split", "2"), ("ask", "2"), ("answer", "there"), ("answer", "there")])
    trace = read([], scripted=scripted, document=parts_of(4), choices=("here", "there"))
    assert shown(scripted.calls[2], "question") == QUESTION
    assert scripted.calls[2].part("choices") == ("(A) here", "(B) there")
    assert not [wrote for wrote in trace.wrote.values() if wrote.role == "question"]


def test_answering_is_open_once_something_was_seen_or_asked_and_asking_above_the_limit_of_depth() -> None:
    scripted = model([("split", "2"), ("ask", "1"), ("search", "word0x1"), ("answer", "a"), ("answer", "b")])
    read([], scripted=scripted, document=parts_of(20), depth=1, window=900)  # which has no room for a part
    offered = [[act.word for act in call.prompt.reply.acts] for call in scripted.calls]  # type: ignore[attr-defined]
    assert offered == [
        ["search", "peek", "split"],
        ["search", "peek", "ask"],
        ["search", "peek", "nothing"],
        ["search", "peek", "answer", "nothing"],
        ["search", "peek", "ask", "answer"],
    ]


def test_a_text_that_fits_is_shown_as_a_whole_and_answered_from() -> None:
    scripted = model([("answer", "here")])
    trace = read([], scripted=scripted, document=parts_of(2))
    assert len(scripted.calls) == 1
    assert trace.spans_shown(0) == (Span(0, len(trace.document.text)),)
    assert getattr(trace.end, "text", "") == "here"


def test_a_slice_of_exactly_as_many_tokens_as_may_be_is_shown_as_a_whole() -> None:
    document = parts_of(2)
    scripted = model([("answer", "here")])
    read([], scripted=scripted, document=document, slice_tokens=tokens.count(document.text))
    assert len(scripted.calls) == 1


def test_nothing_in_the_whole_text_is_no_answer() -> None:
    end = read([("nothing", "")], document=parts_of(2)).end
    assert isinstance(end, Ended)
    assert end.outcome == "no_answer"


# What it does by rule


def test_what_was_done_before_is_refused_and_not_offered_next() -> None:
    scripted = model([("search", "word1x1"), ("search", "“Word1x1”"), ("peek", "last"), ("answer", "x")])
    trace = read([], scripted=scripted)
    assert [action for _, action, _ in decisions(trace)] == ["search", "repeat", "peek", "commit"]
    offered = [[act.word for act in call.prompt.reply.acts] for call in scripted.calls]  # type: ignore[attr-defined]
    assert "search" not in offered[2]
    assert "search" in offered[3]


def test_who_goes_in_circles_is_offered_less_and_less_until_something_new_is_done() -> None:
    again = [("search", "word1x1"), ("peek", "last")]
    scripted = model([*again, *again, ("split", "2"), ("peek", "first"), ("answer", "x")])
    trace = read([], scripted=scripted)
    assert [action for _, action, _ in decisions(trace)] == ["search", "peek", "repeat", "repeat", "split", "peek", "commit"]
    offered = [[act.word for act in call.prompt.reply.acts] for call in scripted.calls]  # type: ignore[attr-defined]
    assert offered[4] == ["split", "answer"]
    assert offered[5] == ["search", "peek", "ask", "answer"]


def test_an_unreadable_reply_searches_for_the_question_and_a_second_one_answers_from_what_was_seen() -> None:
    trace = read([BAD, BAD, BAD, BAD, ("answer", "x")])
    assert [action for _, action, _ in decisions(trace)] == ["fallback", "stop", "commit"]
    assert trace.wrote[0].text == QUESTION
    assert getattr(trace.end, "text", "") == "x"


def test_an_unreadable_verdict_on_a_slice_is_nothing() -> None:
    trace = read([("split", "2"), ("ask", "1"), BAD, BAD, ("answer", "x")], document=parts_of(4))
    assert ("part 1", "fallback", "nothing") in decisions(trace)
    assert [row["answer"] for row in READER.view(trace)["asked"]] == [None]


@pytest.mark.parametrize(("where", "told"), [("A short stretch", True), ("first", True), ("last", False)])
def test_a_peek_at_the_beginning_is_told_as_one_that_may_have_named_no_place(where: str, told: bool) -> None:
    sentence = narrate(read([("peek", where), ("answer", "x")]), READER)[0]
    assert (", where a peek without a place goes, too" in sentence) == told


def test_after_its_actions_it_answers_from_what_it_has_seen() -> None:
    scripted = model([("search", "word1x1"), ("peek", "first"), ("answer", "x")])
    trace = read([], scripted=scripted, max_actions=2)
    assert scripted.calls[-1].prompt.id == "recursive.last"
    assert len(scripted.calls[-1].part("seen")) == 2
    assert getattr(trace.end, "text", "") == "x"


class Busy(Scripted):
    """A model that always does something new, and never answers of itself."""

    def __init__(self) -> None:
        super().__init__(self._busy)

    def _busy(self, call: Call) -> str:
        offered = [act.word for act in call.prompt.reply.acts]  # type: ignore[attr-defined]
        parts = ", ".join(str(number) for number in range(1, call.sizes.get("parts", 0) + 1))
        if "ask" in offered and call.seq % 2:
            return call.prompt.reply.render({"action": "ask", "argument": f"{parts}: what of {call.seq}?"})
        action = next(word for word in ("split", "search", "nothing") if word in offered)
        return call.prompt.reply.render({"action": action, "argument": "3" if action == "split" else f"word{call.seq}"})


@pytest.mark.parametrize("most", [2, 3, 7, 20])
def test_it_makes_no_more_calls_than_it_may_and_each_slice_can_still_answer(most: int) -> None:
    scripted = Busy()
    trace = read([], scripted=scripted, document=parts_of(30), max_calls=most, depth=4, max_actions=50)
    assert len(scripted.calls) <= most
    assert isinstance(trace.end, Ended)
    assert scripted.calls[-1].prompt.id == "recursive.last"


def test_a_part_that_nobody_can_be_asked_about_is_shown_whole_as_far_as_the_window_has_room() -> None:
    long = parts_of(20)
    turns = [("split", "2"), ("ask", "2"), ("answer", "word15x2"), ("answer", "it")]
    scripted = model(turns)
    read([], scripted=scripted, document=long, depth=1)
    assert tokens.count(shown(scripted.calls[2], "segment")) > SMALL["slice_tokens"]
    assert "word15x2" in shown(scripted.calls[2], "segment")
    scripted = model([*turns[:2], ("search", "word15x2"), *turns[2:]])
    trace = read([], scripted=scripted, document=long, depth=1, window=900)
    assert [(slice_, action) for slice_, action, _ in decisions(trace)][2:4] == [("part 2", "put_back"), ("part 2", "search")]
    assert isinstance(trace.end, Answered)
    assert "It put part 2 back" in narrate(trace, READER)[2]


def test_by_default_there_are_calls_enough_to_read_every_slice_of_a_long_text_once() -> None:
    def reply(call: Call) -> str:
        offered = [act.word for act in call.prompt.reply.acts]  # type: ignore[attr-defined]
        left = [str(number) for number, part in enumerate(call.part("parts"), 1) if "(asked" not in part]
        action = next(word for word in ("split", "ask" if left else "nothing", "answer") if word in offered)
        return call.prompt.reply.render({"action": action, "argument": f"{', '.join(left)}: what?" if left else "x"})

    long = parts_of(160)
    scripted = Scripted(reply)
    assert not read([], scripted=scripted, document=long).decisions("stop")
    assert len(scripted.calls) > 60
    assert "".join(shown(call, "segment") for call in scripted.calls) == long.text
    assert read([], scripted=Scripted(reply), document=long, max_calls=60).decisions("stop")


def test_it_asks_no_deeper_than_it_may() -> None:
    trace = read([], scripted=Busy(), document=parts_of(40), depth=2, max_calls=200, max_actions=4)
    assert {step.names[-1].count(".") for step in trace.steps} == {0, 1}


# Looking into a slice


@pytest.mark.parametrize(
    ("where", "begins"), [("first", "Part 0"), ("", "Part 0"), ("last", ""), ("50%", ""), ("the middle", ""), ("99999", "")]
)
def test_a_peek_shows_so_many_tokens_and_no_more(where: str, begins: str) -> None:
    text = parts_of(12).text
    start, end = looking.peek(text, where, 50)
    assert text[start:end].startswith(begins)
    assert 25 <= tokens.count(text[start:end]) <= 50
    assert (start == 0) == bool(begins)


def test_a_peek_at_a_percentage_begins_there() -> None:
    text = parts_of(20).text
    start, _ = looking.peek(text, "at 40 %", 30)
    assert 0.35 < start / len(text) <= 0.4


def test_words_that_do_not_stand_together_are_found_by_the_rarest_of_them() -> None:
    text = "The cat slept. The harmonium was wet. The cat ate. The cat sat by the stove. A cat ran."
    _, found = looking.find(text, "cat harmonium", 1, 8)
    assert [text[start:end].strip() for start, end in found] == ["The harmonium was wet."]
    assert looking.find(text, "zeppelin", 3, 8) == (0, [])


@pytest.mark.parametrize("text", [parts_of(9).text, "word " * 900, "一。" * 400, "x" * 3_000, "a\n\n" * 300, "No end " + "." * 9])
@pytest.mark.parametrize("count", [2, 5])
def test_parts_are_the_whole_text_in_order_and_about_as_long_as_each_other(text: str, count: int) -> None:
    parts = looking.parts(text, count)
    assert "".join(text[start:end] for start, end in parts) == text
    assert 1 <= len(parts) <= count
    assert all(start < end for start, end in parts)
    if len(text) > 1_000:
        assert len(parts) == count
        assert max(end - start for start, end in parts) <= 2 * len(text) / count


def test_as_few_parts_as_it_takes_for_each_to_fit() -> None:
    text = parts_of(12).text
    parts = looking.fitting_parts(text, 200, 20)
    assert all(tokens.count(text[start:end]) <= 200 for start, end in parts)
    assert len(parts) <= 2 + tokens.count(text) // 200
    assert len(looking.fitting_parts(text, 200, 3)) == 3


# What is told and drawn of it


def test_it_is_told_in_sentences() -> None:
    assert list(narrate(read(THERE_AND_BACK), READER)) == [
        "It searched the whole text for “word5x2” and found 1 of 1 places, for its next call to show.",
        "It split the whole text into 4 parts, for its next call to show how each begins.",
        "It asked below, about each of part 1 and part 3: “What is word5x2?”.",
        "It read all of part 1 raw and said that the answer is not there.",
        "It read all of part 3 raw and answered: “a word”.",
        "It had seen enough of the whole text and answered. It answered “in part 5”, from places in parts 1, 2, 3 and 4, "
        "shown raw, and a query, a question and an answer.",
    ]


def test_an_answer_that_had_to_be_given_is_not_said_to_rest_on_enough() -> None:
    told = [narrate(shipped_reading(f"recursive-lamp-cold{name}.json").trace, READER)[-1] for name in ("", "-part-4")]
    had_to = "It had to answer from what it had seen of the whole text: as much was done in this slice as may be."
    assert told[0].startswith(f"{had_to} It answered “The text provides")
    assert told[1].startswith(
        f"{had_to} It said that the answer is not there. It ended without an answer: no answer came back from"
    )


def test_the_view_has_every_slice_and_what_each_question_brought() -> None:
    found = READER.view(read(THERE_AND_BACK))
    assert [(row["name"], row["above"], row["read"]) for row in found["slices"]] == [
        ("the whole text", "", False),
        *((f"part {n}", "the whole text", n in (1, 3)) for n in range(1, 5)),
    ]
    assert [(row["from"], row["to"], row["began"], row["ended"], row["answer"]) for row in found["asked"]] == [
        ("the whole text", "part 1", 3, 3, None),
        ("the whole text", "part 3", 4, 4, "a word"),
    ]


def test_the_picture_has_the_questions_going_down_and_what_came_back() -> None:
    drawn = picture("recursive", read(THERE_AND_BACK))
    assert drawn is not None
    nodes = {node["id"]: node for node in drawn["nodes"]}
    assert nodes["part 1"]["changes"] == [(1, "offered"), (2, "asked"), (3, "visited"), (3, "back")]
    assert nodes["part 3"]["changes"] == [(1, "offered"), (2, "asked"), (4, "visited"), (4, "answered")]
    assert nodes["part 2"]["changes"] == [(1, "offered")]
    assert nodes["the whole text"]["changes"][-1] == (5, "answer")
    moves = [(edge["from"], edge["to"], edge["kind"], edge["label"]) for edge in drawn["edges"] if edge["kind"] != "tree"]
    assert moves == [
        ("the whole text", "part 1", "down", "1"),
        ("the whole text", "part 3", "down", "2"),
        ("part 1", "the whole text", "back", ""),
        ("part 3", "the whole text", "up", ""),
    ]
    assert [node["x"] for node in drawn["nodes"][1:]] == sorted(node["x"] for node in drawn["nodes"][1:])
    assert [(row["question"], row["answer"]) for row in drawn["asked"]] == [
        ("What is word5x2?", None),
        ("What is word5x2?", "a word"),
    ]


def test_what_a_step_found_or_asked_about_and_what_was_refused_is_marked_at_it() -> None:
    trace = shipped_reading("recursive-lamp-cold.json").trace
    drawn = picture("recursive", trace)
    assert drawn is not None
    aims = {at: (aim["spans"][0], aim["words"]) for at, aim in drawn["aims"].items()}
    assert {at: aims[at] for at in (2, 4, 7)} == {
        2: ([979, 1199], "1 place · found here"),
        4: ([0, 620], "the beginning · peeked at here"),
        7: ([11949, 15819], "part 4 · asked about here"),
    }
    again = {"id": "the whole text", "words": "search refused", "why": "that was done in this slice before"}
    assert (drawn["refused"][3], set(drawn["refused"])) == ([again], {3, 5, 6, 9, 11})
    part = next(node for node in drawn["nodes"] if node["id"] == "part 4")
    assert part["changes"][:3] == [(0, "offered"), (7, "asked"), (8, "visited")]


def test_a_slice_for_which_no_call_is_left_stays_asked_about() -> None:
    drawn = picture("recursive", read((SPLIT, ("ask", "2, 3, 4"), *["nothing"] * 9), max_calls=5))
    assert drawn is not None
    begun = {one["id"]: one["began"] is not None for one in drawn["asked"]}
    states = {node["id"]: node["changes"][-1][1] for node in drawn["nodes"] if node["id"] in begun}
    assert set(begun.values()) == {True, False}
    assert all((states[name] == "asked") != was for name, was in begun.items())


def test_a_repetition_and_a_rule_that_ends_the_work_are_hinted_at() -> None:
    trace = read([("search", "word1x1"), ("search", "word1x1"), ("answer", "x")], max_actions=2)
    hints = {hint.kind: hint.steps for hint in READER.hints(HintSource(trace, names=READER.names(trace)))}
    assert hints == {"repeated": (2,), "stopped": (3,)}


def test_nothing_from_a_part_with_known_evidence_is_hinted_at() -> None:
    trace = read(THERE_AND_BACK)
    evidence = [Span(20, 40)]
    hints = list(READER.hints_from_evidence(HintSource(trace, names=READER.names(trace)), evidence))
    assert [(hint.kind, hint.steps) for hint in hints] == [("left_evidence", (4,))]


# The recursive reader, with models that take given actions: a fact dies in each way it can; its fate and step are right.


# The fact is at the end of its part: of each part that is split off, the model is shown the beginning.
NINE_PARTS = Document.of(
    "\n\n".join(
        f"Part {n} is about the {place}. "
        + f"In the {place} they worked, as {place} people do. " * 3
        + (FACT if n == 5 else f"Nothing was sold at the {place}.")
        for n, place in enumerate(PLACES, 1)
    ),
    title="Nine parts",
)
SPLIT, LAMP = ("split", "9"), "A lamp."
NINE_SLICES = {"slice_tokens": 96, "max_parts": 9, "depth": 1}
ASK = ("ask", "5: What did the dealer pay?")
FATES: Sequence[tuple[Sequence[Turn], str, str]] = (
    ((("search", "orchard"), ("answer", LAMP)), "never read", "the whole text"),
    ((("search", "harbour bell"), ("answer", "Forty pounds.")), "used", "the whole text"),
    ((("search", "harbour bell"), ("answer", LAMP)), "in view, not used", "the whole text"),
    ((SPLIT, ASK, ("answer", FACT), ("answer", "Forty pounds.")), "used", "the whole text"),
    ((SPLIT, ASK, ("answer", FACT), ("answer", LAMP)), "in view, not used", "the whole text"),
    ((SPLIT, ASK, ("answer", LESS), ("answer", LAMP)), "opened, then left", "part 5"),
    ((SPLIT, ASK, ("answer", CHANGED), ("answer", "Fifty pounds.")), "altered", "part 5"),
    ((SPLIT, ASK, ("nothing", ""), ("search", "orchard"), ("answer", LAMP)), "opened, then left", "part 5"),
    (
        (SPLIT, ("ask", "2: What did the dealer pay?"), ("nothing", ""), ("search", "orchard"), ("answer", LAMP)),
        "passed over",
        "the whole text",
    ),
)


@pytest.mark.parametrize(("turns", "kind", "step"), FATES)
def test_the_fate_and_the_step(turns: Sequence[Turn], kind: str, step: str) -> None:
    trace = read(turns, document=NINE_PARTS, **NINE_SLICES)
    lived, came, said = followed(trace, "recursive")
    assert (came.kind, trace.steps[came.step].names[-1]) == (kind, step), (said, lived.moments)


def test_a_part_of_which_the_prompt_held_nothing_does_not_say_the_fact() -> None:
    turns: Sequence[Turn] = (
        SPLIT,
        ("ask", "2: What did the dealer pay?"),
        ("nothing", ""),
        ("search", "orchard"),
        ("answer", LAMP),
    )
    _, _, said = followed(read(turns, document=NINE_PARTS, **NINE_SLICES), "recursive")
    assert said == "Part 5 has it, but was not opened at step 2: no prompt held any of it there."


def test_an_answer_from_below_is_named_once() -> None:
    _, _, said = followed(
        read((SPLIT, ASK, ("answer", CHANGED), ("answer", "Fifty pounds.")), document=NINE_PARTS, **NINE_SLICES), "recursive"
    )
    assert said == "The answer about part 5, written at step 3, says it with another value."
