"""What ratings amount to: all that two raters can say of two references, and HELMET's product."""

from __future__ import annotations

from itertools import product

import pytest

from readers.engine.questions.scores import GROUPS, RATED, Scored
from readers.engine.questions.scores.rated import (
    ComparedRatings,
    Match,
    Quality,
    best_match,
    helmet_score,
    lr_scores,
    mean_of_raters,
)
from readers.engine.questions.scores.score import UNRATED_DROPPED

SAID: list[Match | None] = ["exact", "partial", "none", None]
POINTS = {"exact": 2, "partial": 1, "none": 0}


def points(strict: bool | None, permissive: Match | None) -> set[int]:
    """What a reference may be worth, over all that an unread reply may have said (ReadAgent's rule, counted in points)."""
    could = product(
        [strict] if strict is not None else [True, False], [permissive] if permissive else ["exact", "partial", "none"]
    )
    return {2 if one or other == "exact" else POINTS[other] for one, other in could}


@pytest.mark.parametrize("first", list(product([True, False, None], SAID)))
def test_lr_is_the_best_of_the_references_by_either_rater(first: tuple[bool | None, Match | None]) -> None:
    for second in product([True, False, None], SAID):
        worth = {max(pair) for pair in product(points(*first), points(*second))}
        match = best_match([ComparedRatings(*first), ComparedRatings(*second)])
        if len(worth) == 1:
            (sure,) = worth
            expected: Match | None = next(one for one in ("exact", "partial", "none") if POINTS[one] == sure)
            assert match in (expected, None), (first, second)
            if None not in (*first, *second):
                assert match == expected
        else:
            assert match is None
        got = lr_scores([ComparedRatings(*first), ComparedRatings(*second)])
        assert got["lr_1"] == Scored(float(min(worth) == 2), float(min(worth) == 2))
        assert got["lr_2"] == Scored(float(min(worth) >= 1), float(min(worth) >= 1))


def test_an_answer_that_was_not_rated_is_no_match() -> None:
    assert lr_scores([]) == {"lr_1": Scored(0, 0), "lr_2": Scored(0, 0)}
    assert helmet_score(None) == {"helmet": Scored(0, 0)}


@pytest.mark.parametrize(("fluency", "correctness"), list(product([0, 1], range(4))))
def test_helmets_judge_multiplies(fluency: int, correctness: int) -> None:
    assert helmet_score(Quality(fluency, correctness)) == {"helmet": Scored(fluency * correctness, fluency * correctness)}


@pytest.mark.parametrize("quality", [Quality(None, 3), Quality(1, None), Quality(None, None)])
def test_what_helmets_judge_did_not_say_is_dropped_as_published(quality: Quality) -> None:
    assert helmet_score(quality) == {"helmet": Scored(0, None, (UNRATED_DROPPED,))}


def test_several_raters_count_the_same() -> None:
    both = mean_of_raters([helmet_score(Quality(1, 3)), helmet_score(Quality(1, None)), helmet_score(Quality(1, 0))])
    assert both == {"helmet": Scored(1.0, 1.5, (UNRATED_DROPPED,))}
    assert mean_of_raters([lr_scores([ComparedRatings(True, "exact")]), lr_scores([ComparedRatings(False, "partial")])]) == {
        "lr_1": Scored(0.5, 0.5),
        "lr_2": Scored(1, 1),
    }


def test_rated_scores_have_their_source() -> None:
    assert {*GROUPS["lr"], "helmet"} == set(RATED)
    assert all(one.source and one.title for one in RATED.values())
