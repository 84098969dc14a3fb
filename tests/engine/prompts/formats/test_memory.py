"""The formats of memories and boxed answers: whatever a model sends is read or refused in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.engine.prompts.formats import stored_form
from readers.engine.prompts.formats.form import Field, Form, Parsed, Unreadable
from readers.engine.prompts.formats.letters import Boxed
from readers.engine.prompts.formats.memory import UNCHANGED, Memory, MemoryBlocks
from readers.engine.text import tokens
from tests.engine.prompts.formats.test_every_format import hostile

FORMATS: list[Form] = [Memory(64), MemoryBlocks(64), Boxed(), Boxed("problem")]
SIZES = {"problem": 4}
every_format = pytest.mark.parametrize("form", FORMATS, ids=lambda form: str(form))


@every_format
@given(reply=hostile)
def test_what_can_be_used_has_words_and_a_memory_is_within_the_limit_and_holds_no_tag(form: Form, reply: str) -> None:
    found = form.parse(reply, SIZES)
    read = found if isinstance(found, Parsed) else found.usable
    if read:
        assert all(str(field.value).strip() == field.value for field in read.fields.values())
        assert UNCHANGED in read.fields or read.fields[form.main].value
    if isinstance(found, Parsed) and not isinstance(form, Boxed):
        memory = str(found.fields[form.main].value if form.main in found.fields else "")
        assert tokens.count(memory) <= 64
        assert isinstance(form, Memory) or not any(tag in memory for tag in ("<update>", "</update>", "<recall>", "</recall>"))


sentences = st.text("abcde ABC.,;!?éж灯\n", min_size=1, max_size=60).map(lambda words: f"Hale {words} lit it")


@given(update=sentences, recall=sentences)
def test_blocks_that_were_rendered_are_read_back(update: str, recall: str) -> None:
    form = MemoryBlocks(1000)
    found = form.parse(form.render({"update": update, "recall": recall, "thinking": "so"}), {})
    assert isinstance(found, Parsed)
    assert (found.fields["update"].value, found.fields["recall"].value) == (update, recall)
    assert Memory(1000).parse(Memory(1000).render({"text": update}), {}) == Parsed({"text": Field(update, 0, len(update))})


@pytest.mark.parametrize("words", ["<update>x</update>", "a </update> b", "<recall>x</recall>", "< update >"])
def test_tags_in_the_words_of_a_rendered_memory_are_no_tags(words: str) -> None:
    found = MemoryBlocks(1000).parse(MemoryBlocks(1000).render({"update": f"So it is: {words} and more"}), {})
    assert isinstance(found, Parsed)
    assert {*found.fields} == {"update"}
    assert str(found.fields["update"].value).endswith("and more")


@pytest.mark.parametrize(
    "words",
    [
        "The memory remains unchanged.", "No new information.", "No changes to the memory.", "Unchanged.", "None", "N/A",
        "The memory remains unchanged. This section only describes the weather.", "This section does not mention the ship.",
        "Das Gedächtnis bleibt unverändert.", "Aucune nouvelle information.", "Sin cambios.",
        "记忆保持不变。", "Память не изменилась.",
    ],
)  # fmt: skip
def test_a_reply_that_says_that_nothing_changes_is_read_as_that(words: str) -> None:
    for form, reply in ((Memory(64), words), (MemoryBlocks(64), f"<update>{words}</update>\n<recall>who lit it</recall>")):
        found = form.parse(reply, {})
        assert isinstance(found, Parsed)
        assert form.main not in found.fields
        assert found.fields[UNCHANGED].value == words
        assert ("recall" in found.fields) == isinstance(form, MemoryBlocks)


@pytest.mark.parametrize(
    "words",
    [
        "Nothing new on the will. It was last seen in the desk.", "The price of salt remains unchanged.",
        "No one had seen the peddler leave.", "None of the crew was found.",
        "No information about the buyer yet; the boat was sold in 1904.",
    ],
)  # fmt: skip
def test_a_memory_may_begin_with_such_words(words: str) -> None:
    found = Memory(64).parse(words, {})
    assert isinstance(found, Parsed)
    assert found.fields["text"].value == words


REFUSALS = ["I'm sorry, but I can't assist with that request.", "Please provide the next section.", "...", "[your answer here]"]


@every_format
@pytest.mark.parametrize("reply", REFUSALS)
def test_neither_a_refusal_nor_an_echo_is_usable(form: Form, reply: str) -> None:
    for words in (reply, form.describe()):
        found = form.parse(words, SIZES)
        assert isinstance(found, Unreadable)
        assert found.usable is None


def test_a_box_of_an_old_reading_is_shown_as_it_was() -> None:
    old = stored_form({"kind": "boxed", "among": "problem"})
    assert old.describe() == r"\boxed{the answer; one of the choices with its letter, as it stands, if there are any}"
    assert old.to_json() == {"kind": "boxed", "among": "problem"}
    assert Boxed("problem").to_json() == {"kind": "boxed", "among": "problem", "form": 2}
    assert (Boxed().describe(), Boxed("problem").describe()) == (r"\boxed{YOUR ANSWER}", r"\boxed{(LETTER) CHOICE}")


@given(words=st.text("ab {}\\", max_size=30))
def test_an_answer_that_was_rendered_is_read_back(words: str) -> None:
    found = Boxed().parse(Boxed().render({"answer": words}), {})
    assert isinstance(found, (Parsed, Unreadable))
    if words.strip() and not set(words) & set("{}\\"):
        assert isinstance(found, Parsed)
        assert found.fields["answer"].value == words.strip()


def test_an_over_long_memory_says_by_how_much() -> None:
    found = Memory(5).parse("One two three four five six seven.", {})
    assert isinstance(found, Unreadable)
    assert found.problem == "the memory in it has 8 tokens, and there is room for 5"
    assert found.usable


@pytest.mark.parametrize(
    ("answer", "box"),
    [("the set {a, b}", r"\boxed{the set {a, b}}"), ("the set {a", r"\boxed{the set (a}"), ("a}, {b", r"\boxed{a), (b}")],
)
def test_an_answer_in_a_box_keeps_its_braces_only_where_they_close(answer: str, box: str) -> None:
    assert Boxed().render({"answer": answer}) == box


@pytest.mark.parametrize(
    "reply", [r"\boxed{Paris} or \boxed{", r"\boxed{Paris}, so \boxed{}", r"\boxed{Rome} no, \boxed{Paris} {"]
)
def test_the_last_box_that_is_closed_and_not_empty_is_the_answer(reply: str) -> None:
    found = Boxed().parse(reply, {})
    assert isinstance(found, Parsed)
    assert found.fields["answer"].value == "Paris"
