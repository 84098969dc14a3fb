"""Which answers say that there is none: one rule for what is shown, measured and graded."""

from __future__ import annotations

import pytest

from readers.engine.questions.no_answer_given import none_given, says_none, shown_outcome


@pytest.mark.parametrize(
    "answer",
    [
        "The parts in view do not say.", "The text does not say.",
        "The pages shown do not mention it.",
        "My memory does not say who.",
        "The summaries of the text do not give the answer.", "The memories do not contain any information about this.",
        "The provided context has no information about him.", "Based on the given text, there is no mention of a ship.",
        "I don't know", "I do not know.", "Unknown", "N/A",
        "The text does not provide this information", "There is no information in the text about this",
        "The text does not say when he left.",
        "Not mentioned in the text.", "I don’t know. The passage does not say.", "It is not stated in the text who left.",
        "The document never says so.", "This cannot be determined from the text.",
        "Unfortunately, the text doesn't contain enough information.",
        "**The passage does not specify.**", "The segments here don’t say. It cannot be determined.", "No answer found.",
    ],
)  # fmt: skip
def test_words_that_say_there_is_no_answer(answer: str) -> None:
    assert says_none(answer) == "no more"
    assert none_given("answered", answer)
    assert shown_outcome("answered", answer) == "none_given"


@pytest.mark.parametrize(
    "answer",
    [
        "He did not say a word.", "The page boy did not say.", "The book was not given to anybody.", "Nobody knows the way.",
        "The parts in view do not say, but it was probably Ann.", "The text does not say. Ann had it.", "Part of the crane.",
        "", "Unknown men took it.", "The story of the lamp.", "The information was given to Ann.",
    ],
)  # fmt: skip
def test_words_that_give_an_answer(answer: str) -> None:
    assert not none_given("answered", answer)
    assert shown_outcome("answered", answer) == "answered"


def test_a_choice_is_an_answer_whatever_it_says() -> None:
    choices = ("Ann", "The text does not say")
    assert not none_given("answered", "The text does not say.", choices=choices)
    assert none_given("answered", "The text does not say.", choices=("Ann", "Ben"))
    assert none_given("answered", "There is no information in the text.", choices=("Yes", "No"))


def test_other_outcomes_are_shown_as_recorded() -> None:
    assert [shown_outcome(one, None) for one in ("no_answer", "exhausted", None)] == ["no_answer", "exhausted", None]
    assert shown_outcome("over_budget", "The text does not say.") == "over_budget"
