"""What the rules call right or wrong is so, on labelled answers that no rule was made on, too (`tests/grading`)."""

from __future__ import annotations

import pytest

from tests.grading.measure import LabelledAnswer, agreement, halves, left_open


@pytest.mark.parametrize("number", [0, 1], ids=["made on", "kept"])
def test_right_and_wrong_agree_with_the_labels(number: int) -> None:
    shares = agreement(halves()[number])
    assert shares.of > 80
    assert shares.right / shares.of >= 0.97, [one for one in halves()[number] if _differs(one)]


def test_few_of_the_kept_answers_are_left_open() -> None:
    shares = left_open(halves()[1])
    assert shares.right / shares.of <= 0.15


def test_certain_is_more_often_right_than_likely() -> None:
    every = [one for half in halves() for one in half]
    certain, likely = (agreement([one for one in every if one.certain is sure]) for sure in (True, False))
    assert certain.right / certain.of >= likely.right / likely.of


def _differs(one: LabelledAnswer) -> bool:
    return one.said in ("right", "wrong") and one.said != one.label
