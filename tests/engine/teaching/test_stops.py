"""What is marked at the steps of a reading: tidied, in order, one at a step, and at steps that there are."""

from __future__ import annotations

import pytest

from readers.engine.errors import BadOptions
from readers.engine.teaching.stops import LONGEST_NOTE, Stop, all_checked, checked, from_json, to_json


def test_they_are_in_order_tidied_and_without_empty_ones() -> None:
    given = [Stop(4, " Look here. \0"), Stop(1, pauses=True), Stop(2, "  ")]
    assert all_checked(given, 5) == (Stop(1, pauses=True), Stop(4, "Look here."))
    assert all(from_json(to_json(one)) == one for one in given)


@pytest.mark.parametrize(
    ("stops", "says"),
    [
        ([Stop(5)], "there is no step 6: the reading has 5"),
        ([Stop(-1)], "there is no step 0"),
        ([Stop(0, "x" * (LONGEST_NOTE + 1))], "shorten it to 2,000"),
        ([Stop(1, "a"), Stop(1, pauses=True)], "at the same step"),
        ([Stop(n, "x") for n in range(501)], "up to 500"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(stops: list[Stop], says: str) -> None:
    with pytest.raises(BadOptions, match=says):
        all_checked(stops, 1_000 if len(stops) > 500 else 5)


def test_one_alone_is_checked_likewise() -> None:
    assert checked(Stop(0, "\ud800 a ", predicts=True), 1) == Stop(0, "? a", predicts=True)
