"""What was wrong with a reply is told without the marks of its form."""

from __future__ import annotations

import pytest

from readers.engine.record.narrative import NOT_IN_ITS_FORM, in_plain_words, reason_in_plain_words


@pytest.mark.parametrize(
    "problem",
    [
        "it has no line 'Action: (-2 or -1)'",
        "it has no \\boxed{...} with the answer in it",
        'it has no JSON object with the list "relations"',
        "its <update> block repeats the form",
    ],
)
def test_the_marks_of_a_form_are_not_told(problem: str) -> None:
    assert in_plain_words(problem) == NOT_IN_ITS_FORM
    assert reason_in_plain_words(f"no memory could be read: {problem}") == f"no memory could be read: {NOT_IN_ITS_FORM}"


def test_other_words_stay() -> None:
    for problem in ("it was cut off for its length; there was room for 312 tokens", "it names no label, such as <1>"):
        assert in_plain_words(problem) == problem
    assert reason_in_plain_words("the reader's 'limit' was reached") == "the reader's 'limit' was reached"
