"""A reply without its decoration keeps every position, and several statements of a value settle on one or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.engine.prompts.formats.free_text import body
from readers.engine.prompts.formats.plain import Plain, Stated, peeled, settled
from tests.engine.prompts.formats.test_every_format import hostile


@given(hostile | st.text("&lgt;<>a/ \\boxed{}text*_`#-：【\n\r", max_size=80))
def test_every_position_of_the_plain_text_is_one_of_the_reply(reply: str) -> None:
    plain = Plain(reply)
    assert len(plain.text) == len(reply)
    field = plain.field(0, len(reply))
    assert reply[field.start : field.end] == field.value


@pytest.mark.parametrize(
    ("reply", "plain"),
    [
        ("**Action:** 2", "Action: 2"),
        ("### Action：２", "Action:2"),
        ("- Answer: `x`", "Answer: x"),
        ("> Page 【3】", "Page [3]"),
        ("```json\nPage 3\n```", "Page 3"),
        (r"$\boxed{\text{B}}$", "answer: B"),
        ("<answer>B</answer>", "answer:B"),
        ("&lt;4&gt;", "< 4>"),
        ("- 1", "- 1"),
        ("snake_case * 2", "snake_case 2"),
    ],
)
def test_what_is_decoration(reply: str, plain: str) -> None:
    assert " ".join(Plain(reply).text.split()) == plain


@pytest.mark.parametrize(
    ("reply", "inside"),
    [
        (" **x y** ", "x y"),
        ("**a** and **b**", "**a** and **b**"),
        ("- **a:** b", "- **a:** b"),
        ("```\nx\n```", "x"),
        (r"$\text{x}$", "x"),
        (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}"),
        ("---\nx\n---", "x"),
        ("****", "****"),
    ],
)
def test_only_what_encloses_all_is_taken_off(reply: str, inside: str) -> None:
    start, end = peeled(reply, 0, len(reply))
    assert reply[start:end] == inside


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Sure! Here is the summary:\n\nHale lit it.\n\nLet me know if you need more!", "Hale lit it."),
        ("**New memory:** Hale lit it.", "Hale lit it."),
        ('{"summary": "Hale lit it."}', "Hale lit it."),
        ("<memory>\nHale lit it.\n</memory>", "Hale lit it."),
        ("Here the river bends: nobody answers.", "Here the river bends: nobody answers."),
        ("Hale said: let me know.", "Hale said: let me know."),
        ("Let me know if you need anything else!", ""),
    ],
)
def test_what_stands_around_a_text_is_no_part_of_it(reply: str, text: str) -> None:
    found = body(reply)
    assert found.value == text
    assert reply[found.start : found.end] == text


def test_places_that_agree_or_are_corrected_settle_on_the_last() -> None:
    def found(text: str) -> int | None:
        places = [Stated(int(mark), at, at + 1) for at, mark in enumerate(text) if mark.isdigit()]
        last = settled(text, places)
        return last.start if last else None

    assert found("none") is None
    assert found("2, and again 2") == 13
    assert found("2 or 3") is None
    assert found("2. No, wait: 3") == 13
    assert found("2. No, wait: 3, or 4") is None
    assert found("2, 3. Final answer: 2") == 20
