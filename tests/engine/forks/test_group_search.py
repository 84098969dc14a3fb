"""The search for what an answer stands on, with answers that depend on known sentences, on none, or on chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.engine.forks.group_search import Count, Found, NotAskedError, Plan, search

Changes = Callable[[frozenset[int]], bool]


def found(changes: Changes, size: int = 40, *, repeats: int = 3, budget: int = 200) -> Found:
    return search(Plan(size, repeats, budget), lambda left_out, times: [changes(left_out)] * times)


def groups(one: Found) -> list[tuple[int, ...]]:
    return [group.sentences for group in one.groups]


def test_one_sentence_is_found_with_a_logarithm_of_calls_and_counted() -> None:
    one = found(lambda out: 17 in out, size=1_000)
    assert one.groups[0] == ((17,), Count(3, 3), False)
    assert (len(one.groups), one.end, one.noise) == (1, "settled", Count(0, 3))
    assert one.calls <= 2 * 3 + 2 + 2 * math.ceil(math.log2(1_000))


def test_of_two_that_are_both_needed_each_is_found() -> None:
    one = found(lambda out: bool({3, 31} & out))
    assert groups(one) == [(3,), (31,)]
    assert one.end == "settled"
    assert not any(group.together for group in one.groups)


def test_either_of_two_is_enough_so_they_change_it_only_together() -> None:
    one = found(lambda out: {3, 31} <= out)
    assert one.groups == (((3, 31), Count(3, 3), True),)
    assert one.end == "settled"


def test_a_sentence_and_a_pair_are_both_found() -> None:
    one = found(lambda out: 8 in out or {3, 31} <= out)
    assert sorted(groups(one)) == [(3, 31), (8,)]


def test_what_is_known_by_heart_stands_on_nothing_and_costs_few_calls() -> None:
    one = found(lambda out: False, size=5_000)
    assert (one.groups, one.end, one.everything, one.calls) == ((), "nothing changes it", Count(0, 3), 6)


def test_an_answer_that_changes_by_itself_half_of_the_time_is_not_searched() -> None:
    coin = cycle([True, False])
    one = search(Plan(40, 4, 100), lambda left_out, times: [next(coin) for _ in range(times)])
    assert (one.noise, one.groups, one.end, one.calls) == (Count(2, 4), (), "differs by itself", 4)


def test_over_a_noise_floor_a_trial_is_repeated_until_it_stands_out() -> None:
    asked: list[frozenset[int]] = []
    chance = cycle([True, False, False, False, False])

    def ask(left_out: frozenset[int], times: int) -> Sequence[bool]:
        asked.extend([left_out] * times)
        return [5 in left_out or next(chance) for _ in range(times)]

    one = search(Plan(16, 5, 300), ask)
    assert (one.noise, groups(one), one.end) == (Count(1, 5), [(5,)], "settled")
    assert one.groups[0].came == Count(5, 5)
    assert max(asked.count(left_out) for left_out in set(asked)) == 5
    assert asked.count(frozenset(range(16))) == 4  # it was settled then


def test_the_bound_on_calls_is_kept_and_what_was_found_by_then_is_told() -> None:
    whole = found(lambda out: bool({3, 31} & out))
    for budget in range(whole.calls):
        part = found(lambda out: bool({3, 31} & out), budget=budget)
        assert part.calls <= budget
        assert part.end == "out of calls"
        assert groups(part) == groups(whole)[: len(part.groups)]


def test_a_search_whose_replies_are_not_all_there_yet_says_so() -> None:
    left = [6]

    def ask(left_out: frozenset[int], times: int) -> Sequence[bool]:
        left[0] -= times
        if left[0] < 0:
            raise NotAskedError
        return [17 in left_out] * times

    one = search(Plan(40, 3, 200), ask)
    assert (one.end, one.groups, one.noise, one.everything) == ("unfinished", (), Count(0, 3), Count(1, 1))


@given(st.data())
def test_every_group_changes_the_answer_and_none_of_its_sentences_can_be_spared(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 24))
    needs = data.draw(st.lists(st.frozensets(st.integers(0, size - 1), min_size=1, max_size=3), max_size=3))

    def changes(out: frozenset[int]) -> bool:
        return any(need <= out for need in needs)

    one = found(changes, size, budget=2_000)
    assert one.end == ("settled" if needs else "nothing changes it")
    for group in map(frozenset, groups(one)):
        assert changes(group)
        assert not any(changes(group - {number}) for number in group)
    assert not changes(frozenset(range(size)) - frozenset(number for group in groups(one) for number in group))


@pytest.mark.parametrize("size", [1, 2, 3])
def test_of_very_few_sentences_the_last_is_found(size: int) -> None:
    assert groups(found(lambda out: size - 1 in out, size)) == [(size - 1,)]
