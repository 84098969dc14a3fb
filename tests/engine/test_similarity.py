"""The lexical scorers, worked out by hand for a query and two or three texts."""

from __future__ import annotations

import math

import pytest

from readers.engine import similarity


def test_bm25() -> None:
    # "lamp" is in one of two texts: rarity ln(1 + 1.5/1.5). Twice among three words, where texts have two on average.
    first = math.log(2) * 2 * 2.5 / (2 + 1.5 * (0.25 + 0.75 * 3 / 2))
    assert similarity.bm25("lamp", ["lamp lamps oil", "oil"]) == pytest.approx([first, 0.0])
    assert first == pytest.approx(0.8531, abs=1e-4)


def test_tfidf() -> None:
    lamp, oil = math.log(2), math.log(1.2)
    query, text = math.hypot(lamp, oil), math.hypot(2 * lamp, oil)
    assert similarity.tfidf("lamp oil", ["lamp lamp oil", "oil"]) == pytest.approx(
        [(2 * lamp * lamp + oil * oil) / (query * text), oil / query]
    )
    assert oil / query == pytest.approx(0.2544, abs=1e-4)


def test_word_recall_is_the_share_of_the_querys_words() -> None:
    assert similarity.word_recall("red red lamp at sea", ["the red lamp", "SEA", "none"]) == pytest.approx([2 / 4, 1 / 4, 0])


def test_jaccard_is_shared_words_over_all_words() -> None:
    assert similarity.jaccard("red lamp", ["red lamp red", "red sea", "none of it"]) == pytest.approx([1, 1 / 3, 0])


@pytest.mark.parametrize("scorer", similarity.LEXICAL)
def test_a_scorer_gives_a_number_for_every_text_whatever_it_is(scorer: str) -> None:
    for query in ("", "…", "灯台", "lamp"):
        scores = similarity.LEXICAL[scorer](query, ["", " \n", "灯台守", "lamp", "\ud800"])
        assert len(scores) == 5
        assert all(math.isfinite(score) and score >= 0 for score in scores)
