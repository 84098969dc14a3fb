"""What was wrong with a reply is told without the marks of its form."""

from __future__ import annotations

import pytest

from readers.engine.record.narrative import NOT_IN_ITS_FORM, in_plain_words, reason_in_plain_words


@pytest.mark.parametrize(
    ("problem", "rule"),
    [
        ("it has no line 'Action: (-2 or -1)'", "it did not say what it chose"),
        ("its action 0 is not a number from -2 to -1", "it chose number 0, where it could only answer or go back up"),
        ("its action 7 is not a number from 0 to 3", "it chose number 7, which it was not offered"),
        ("its label <9> was not offered; the labels are <1> to <4>", "it named place 9, which it was not offered"),
        ("it names no label, such as <1>", "it named none of the places that it was offered"),
        ("it has no line 'Argument:' with a question", "it named an action, and no words of its own to do it with"),
        ("it has no \\boxed{...} with the answer in it", "it did not put its answer into the box that was asked for"),
        ('it has no JSON object with the list "relations"', "it did not give the list that was asked for"),
        ("its <update> block repeats the form", "it repeated the form, and gave no memory of its own"),
        ("there is no ',' after item 23 of its list", "its list breaks off after item 23"),
        ('its "text" is empty or of another kind', NOT_IN_ITS_FORM),
    ],
)
def test_the_rule_that_was_broken_is_told_without_the_marks_of_the_form(problem: str, rule: str) -> None:
    assert in_plain_words(problem) == rule
    assert reason_in_plain_words(f"no memory could be read: {problem}") == f"no memory could be read: {rule}"
    assert reason_in_plain_words(f"3 replies could not be read; the last one: {problem}").endswith(rule)


def test_other_words_stay() -> None:
    problem = "it was cut off for its length; there was room for 312 tokens"
    assert in_plain_words(problem) == problem
    assert reason_in_plain_words("the reader's 'limit' was reached") == "the reader's 'limit' was reached"
