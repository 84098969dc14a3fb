"""The 95 % intervals: how often they hold the truth in seeded draws, what they are at the ends, and when there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from statistics import mean

import numpy as np
import pytest

from readers.engine.statistics import intervals
from readers.engine.statistics.agreement import Coefficient, Item, alpha, percent
from readers.engine.statistics.intervals import SHARE, MeanEstimate, clustered, estimate, mcnemar, without_each

Draws = np.random.Generator
SIZES: dict[str, Callable[[Draws, int], list[int]]] = {
    "one question each": lambda draws, texts: [1] * texts,
    "six questions each": lambda draws, texts: [6] * texts,
    "1 to 12 questions": lambda draws, texts: draws.integers(1, 13, texts).tolist(),
}


def drawn(draws: Draws, sizes: list[int], share: float, alike: float) -> list[tuple[str, str, float]]:
    """Questions right (1) or wrong (0) about texts of these sizes. How many of a text are right varies around the share, the more
    the more `alike` its questions are (the correlation of two of them)."""
    spread = 1 / alike - 1
    chances = draws.beta(share * spread, (1 - share) * spread, len(sizes))
    right = draws.random(sum(sizes)) < np.repeat(chances, sizes)
    asked = [(str(t), str(q)) for t, size in enumerate(sizes) for q in range(size)]
    return [(text, question, float(one)) for (text, question), one in zip(asked, right.tolist(), strict=True)]


def held(found: Iterator[MeanEstimate | Coefficient], truth: float) -> tuple[float, float]:
    """The share of intervals that hold the truth, and the share of draws with an interval."""
    every = [(one.low, one.high) for one in found]
    given = [low <= truth <= high for low, high in every if low is not None and high is not None]
    return mean(given), len(given) / len(every)


def scores(texts: int, sizes: str, share: float, *, alike: float, times: int) -> tuple[float, float]:
    draws = np.random.default_rng(texts)
    return held((estimate(drawn(draws, SIZES[sizes](draws, texts), share, alike), SHARE) for _ in range(times)), share)


@pytest.mark.parametrize("texts", [5, 20, 100])
def test_intervals_of_scores_hold_the_truth_as_often_as_they_say(texts: int) -> None:
    share, given = scores(texts, "1 to 12 questions", 0.4, alike=0.1, times=600)
    assert 0.93 <= share <= 0.97
    assert given == 1


@pytest.mark.scale
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("texts", [5, 20, 100])
def test_intervals_of_scores_hold_the_truth_for_any_share(texts: int, sizes: str) -> None:
    """In the mean over shares from 20 to 80 % in 93 to 97 % of draws. Of one share alone an interval of five texts may hold more
    often, since few values are possible."""
    found = {
        (share, alike): scores(texts, sizes, share, alike=alike, times=1000)[0]
        for share in (0.2, 0.35, 0.5, 0.65, 0.8)
        for alike in (0.05, 0.2)
    }
    print(texts, sizes, {key: round(value, 3) for key, value in found.items()}, round(mean(found.values()), 4))
    assert 0.93 <= mean(found.values()) <= 0.97
    assert min(found.values()) >= 0.92


@pytest.mark.scale
@pytest.mark.parametrize(("texts", "least"), [(5, 0.82), (20, 0.88), (100, 0.92)])
def test_intervals_of_graded_scores_near_0_are_too_narrow_on_few_texts(texts: int, least: float) -> None:
    """Six answers a text, each graded from 0 to 1, around 10 %: what `docs/evaluate.md` warns of."""
    draws, share, spread = np.random.default_rng(texts), 0.1, 1 / 0.2 - 1
    found = []
    for _ in range(1000):
        chances = np.clip(draws.beta(share * spread, (1 - share) * spread, texts), 1e-6, 1 - 1e-6)
        grades = draws.beta(2 * chances, 2 * (1 - chances), (6, texts)).T
        found.append(estimate([(str(t), str(q), one) for t, of in enumerate(grades.tolist()) for q, one in enumerate(of)], SHARE))
    hold, _ = held(iter(found), share)
    print(texts, "graded", hold)
    assert least <= hold <= 0.97


def labelled(draws: Draws, readings: int, same: float) -> list[Item]:
    """Two annotators' labels of four steps a reading: one at random, and the other's the same in this share, else at random."""
    items = []
    for n in range(readings):
        for step in range(4):
            one, other = (str(draws.integers(3)) for _ in "ab")
            items += [Item(str(n), "a", one, str(step)), Item(str(n), "b", one if draws.random() < same else other, str(step))]
    return items


@pytest.mark.scale
@pytest.mark.parametrize("readings", [5, 20, 100])
@pytest.mark.parametrize("same", [0.4, 0.8])
def test_intervals_of_agreement_hold_the_truth(readings: int, same: float) -> None:
    draws, times = np.random.default_rng(readings), 1000
    every = [labelled(draws, readings, same) for _ in range(times)]
    found = {"alpha": held(map(alpha, every), same)[0], "percent": held(map(percent, every), same + (1 - same) / 3)[0]}
    print(readings, same, found)
    assert all(0.93 <= one <= 0.985 for one in found.values())  # of five readings near 1 few values are possible


@pytest.mark.parametrize(("freedom", "printed"), [(4, 2.776), (5, 2.571), (9, 2.262), (19, 2.093), (99, 1.984)])
def test_students_quantiles_equal_printed_ones(freedom: int, printed: float) -> None:
    assert intervals._t(freedom) == pytest.approx(printed, abs=0.0012)


def test_fewer_than_five_units_have_no_interval_and_the_reason_is_given() -> None:
    found = clustered(0.25, np.array([0.5, 0.0, 0.2, 0.3]), "texts", bounds=SHARE)
    assert found == (None, None, "", "no interval: there are fewer than 5 texts")


@pytest.mark.parametrize(("value", "ends"), [(0.0, (0, 0.2039)), (1.0, (0.7961, 1))])
def test_none_and_all_of_15_have_wilsons_own_interval(value: float, ends: tuple[float, float]) -> None:
    """Worked by hand: 1.96² / (15 + 1.96²) = 0.2039."""
    found = clustered(value, np.full(15, value), "texts", bounds=SHARE)
    assert (found.low, found.high) == pytest.approx(ends, abs=0.0001)
    assert found.kind == "Wilson, each of 15 texts counted once"


def test_units_that_are_one_item_each_have_wilsons_own_interval() -> None:
    """15 of 148: Newcombe (1998), table I, method 3."""
    found = estimate([(str(n), "q", float(n < 15)) for n in range(148)], SHARE)
    assert (found.low, found.high) == pytest.approx((0.0624, 0.1605), abs=0.0001)


def test_questions_that_are_alike_count_once() -> None:
    once, often = (
        estimate([(str(n), str(q), float(n < 8)) for n in range(20) for q in range(questions)], SHARE) for questions in (1, 9)
    )
    assert (often.low, often.high) == pytest.approx((once.low, once.high))


def test_what_is_no_share_has_students_interval() -> None:
    """The calls 1 to 9 of nine texts: 5, and 2.306 times the root of 7.5 / 9."""
    found = estimate([(str(n), "q", n) for n in range(1, 10)], None)
    assert (found.low, found.high) == pytest.approx((5 - 2.105, 5 + 2.105), abs=0.002)
    assert found.interval == "t, clustered by 9 texts"


@pytest.mark.parametrize(("right", "bounds"), [((1.0, 0.0), SHARE), ((7.0, 7.0), None)])
def test_where_no_text_moves_the_mean_there_is_no_interval(right: tuple[float, float], bounds: intervals.Bounds | None) -> None:
    found = estimate([(str(n), str(q), number) for n in range(8) for q, number in enumerate(right)], bounds)
    assert (found.low, found.note) == (None, "no interval: the figure is the same without any of the texts")


def test_without_each_leaves_out_one_unit_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intervals, "_MOST_CELLS", 15)  # in blocks of two
    numbers = np.arange(7.0)
    assert without_each(7, lambda weights: weights @ numbers).tolist() == [21 - n for n in range(7)]


@pytest.mark.parametrize(
    ("one", "other", "p"),
    [(0, 0, 1), (5, 5, 1), (0, 5, 1 / 16), (1, 5, 7 / 32), (6, 0, 1 / 32), (2, 8, 112 / 1024), (10, 3, 756 / 8192), (0, 1, 1)],
)
def test_mcnemars_probability_is_that_of_a_fair_coin(one: int, other: int, p: float) -> None:
    """Worked by hand: of six heads in six throws it is 2/64; of two or fewer of ten 2(1 + 10 + 45)/1024."""
    assert mcnemar(one, other) == mcnemar(other, one) == pytest.approx(p)


@pytest.mark.parametrize("total", [1, 4, 9, 13])
def test_mcnemars_probability_is_the_share_of_all_throws_as_uneven(total: int) -> None:
    throws = [sum(one) for one in product((0, 1), repeat=total)]
    for heads in range(total + 1):
        uneven = sum(abs(2 * of - total) >= abs(2 * heads - total) for of in throws)
        assert Fraction(mcnemar(heads, total - heads)) == Fraction(uneven, 2**total)
    assert 0 <= mcnemar(900, 1100) < 1e-4
