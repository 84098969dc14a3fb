"""The formats of memories and boxed answers: whatever a model sends is read or refused in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.engine.prompts.memory_formats import Boxed, Memory, MemoryBlocks
from readers.engine.prompts.registry import reply_format
from readers.engine.prompts.reply import Parsed, ReplyFormat, Unreadable
from readers.engine.text import tokens
from tests.support.shapes import MEMORY_REPLIES

FORMATS: list[ReplyFormat] = [Memory(64), MemoryBlocks(64), Boxed(), Boxed("problem")]
SIZES = {"problem": 4}
PIECES = [
    "<update>", "</update>", "<recall>", "</recall>", "<thinking>", "</thinking>", "<UPDATE>", "<update >", "</think>", "<think>",
    "\\boxed{", "\\boxed", "{", "}", "\\{", "\\}", "\\text{", "(A)", "(E)", "B", "\n", " ", "\x00", "\ud800", "\u2028",
    "the lamp", "灯台", "It is. " * 30, "$x$", "< /update>",
]  # fmt: skip
hostile = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=16).map("".join)
every_format = pytest.mark.parametrize("form", FORMATS, ids=lambda form: str(form))


@every_format
@given(reply=hostile)
def test_every_field_is_at_the_position_it_states(form: ReplyFormat, reply: str) -> None:
    found = form.parse(reply, SIZES)
    read = found if isinstance(found, Parsed) else found.usable
    if isinstance(found, Unreadable):
        assert found.problem
    for name, (value, start, end) in read.fields.items() if read else ():
        assert 0 <= start <= end <= len(reply)
        if name != "format_error" and len(str(value)) == end - start:
            assert reply[start:end] == value
        assert str(value).strip() == value
    if read:
        assert read.fields[form.main].value


@pytest.mark.parametrize("form", FORMATS[:2], ids=lambda form: str(form))
@given(reply=hostile)
def test_what_is_read_as_a_memory_is_within_the_limit_and_holds_no_tag(form: ReplyFormat, reply: str) -> None:
    found = form.parse(reply, SIZES)
    if isinstance(found, Parsed):
        memory = str(found.fields[form.main].value)
        assert tokens.count(memory) <= 64
        assert isinstance(form, Memory) or not any(tag in memory for tag in ("<update>", "</update>", "<recall>", "</recall>"))


@given(update=st.text(min_size=1, max_size=60), recall=st.text(max_size=30))
def test_blocks_that_were_rendered_are_read_back(update: str, recall: str) -> None:
    form = MemoryBlocks(1000)
    found = form.parse(form.render({"update": update, "recall": recall, "thinking": "so"}), {})
    plain = update.strip() and not any(tag in update for tag in ("<", "think"))
    if plain and "<" not in recall:
        assert isinstance(found, Parsed)
        assert found.fields["update"].value == update.strip()
        assert (str(found.fields["recall"].value) if "recall" in found.fields else "") == recall.strip()


@given(words=st.text("ab {}\\", max_size=30))
def test_an_answer_that_was_rendered_is_read_back(words: str) -> None:
    found = Boxed().parse(Boxed().render({"answer": words}), {})
    assert isinstance(found, (Parsed, Unreadable))
    if words.strip() and not set(words) & set("{}\\"):
        assert isinstance(found, Parsed)
        assert found.fields["answer"].value == words.strip()


@every_format
def test_a_format_is_stored_and_made_again(form: ReplyFormat) -> None:
    assert reply_format(form.to_json()) == form


@every_format
def test_a_long_reply_of_one_thing_over_and_over_is_read_or_refused(form: ReplyFormat) -> None:
    for shape, make in MEMORY_REPLIES.items():
        parsed = form.parse(make(20_000), SIZES)
        assert isinstance(parsed, Parsed) or parsed.problem, shape


def test_an_over_long_memory_says_by_how_much() -> None:
    found = Memory(5).parse("One two three four five six seven.", {})
    assert isinstance(found, Unreadable)
    assert found.problem == "the memory in it has 8 tokens, and there is room for 5"
    assert found.usable


@pytest.mark.parametrize(
    "reply", [r"\boxed{Paris} or \boxed{", r"\boxed{Paris}, so \boxed{}", r"\boxed{Rome} no, \boxed{Paris} {"]
)
def test_the_last_box_that_is_closed_and_not_empty_is_the_answer(reply: str) -> None:
    found = Boxed().parse(reply, {})
    assert isinstance(found, Parsed)
    assert found.fields["answer"].value == "Paris"
