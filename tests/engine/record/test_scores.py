"""What scores decide, and scores in two decimals and a word: the rules, at their edges."""

from __future__ import annotations

import pytest

from readers.engine.record.scores import best_first, clearness, fitting, in_words, shortened


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


def test_of_equal_scores_the_first_comes_first() -> None:
    assert best_first([0.1, 0.5, 0.5, -1.0, 0.9]) == [4, 1, 2, 0, 3]
    assert best_first([]) == []


@pytest.mark.parametrize(
    ("room", "up_to_the_first", "all_that_fit"),
    [(0, [], []), (3, [2], [2, 3]), (2, [2], [2]), (7, [2, 0], [2, 0]), (8, [2, 0], [2, 0, 3]), (99, [2, 0, 1, 3], [2, 0, 1, 3])],
)
def test_what_fits_is_taken_in_its_order(room: int, up_to_the_first: list[int], all_that_fit: list[int]) -> None:
    sizes = [5, 4, 2, 1]
    assert fitting([2, 0, 1, 3], sizes.__getitem__, room) == up_to_the_first
    assert fitting([2, 0, 1, 3], sizes.__getitem__, room, skips=True) == all_that_fit
