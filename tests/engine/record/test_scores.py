"""Scores in two decimals and a word: the rule, at its edges."""

from __future__ import annotations

import pytest

from readers.engine.record.scores import clearness, in_words, shortened


@pytest.mark.parametrize(
    ("score", "other", "word"),
    [
        (0.5, 0.5, "equal"),
        (0.0, 0.0, "equal"),
        (1.0, 0.96, "close"),
        (0.96, 1.0, "close"),
        (1.0, 0.94, "clear"),
        (0.1, 0.0, "clear"),
    ],
)
def test_how_clear_a_decision_was(score: float, other: float, word: str) -> None:
    assert clearness(score, other) == word


def test_what_was_taken_is_compared_with_the_best_that_was_left_and_what_was_left_with_the_last_taken() -> None:
    assert in_words([0.9, 0.5, 0.49, 0.2], {0, 1}) == ["0.90, clear", "0.50, close", "0.49, close", "0.20, clear"]
    assert in_words([0.3, 0.3], {0}) == ["0.30, equal", "0.30, equal"]


def test_where_all_or_nothing_was_taken_there_is_no_word() -> None:
    assert in_words([0.4321, 0.1], {0, 1}) == ["0.43", "0.10"]
    assert in_words([0.4321], set()) == ["0.43"]
    assert in_words([], set()) == []


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("rank 1 of 12, with a score of 0.4213", "rank 1 of 12, with a score of 0.42"),
        ("its score, 12.9996, is the highest of 5", "its score, 13.00, is the highest of 5"),
        ("part 1.2.345 of version 0.25", "part 1.2.345 of version 0.25"),
        ("-0.1234.", "-0.12."),
    ],
)
def test_a_readers_own_words_have_two_decimals(words: str, shown: str) -> None:
    assert shortened(words) == shown
