"""ROUGE-L is what the `rouge-score` package gives, and the nearest of many is found whatever was ruled out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from readers.engine.text.rouge import Nearest, rouge_l

PACKAGE = RougeScorer(["rougeL"], use_stemmer=False)
SOME = ("the", "lamp", "Sarn", "who", "lit", "it's", "1907", "a-b", "...", "_x_", "STOP")
words = st.lists(st.sampled_from(SOME), max_size=14).map(" ".join)


def theirs(a: str, b: str) -> float:
    return float(PACKAGE.score(a, b)["rougeL"].fmeasure)


@given(words, words)
def test_it_is_what_the_package_gives(a: str, b: str) -> None:
    assert rouge_l(a, b) == theirs(a, b)


@given(st.text(st.characters(max_codepoint=127), max_size=60), st.text(st.characters(max_codepoint=127), max_size=60))
def test_for_any_ascii_text(a: str, b: str) -> None:
    assert rouge_l(a, b) == theirs(a, b)


@given(st.integers(60, 200), st.integers(60, 200), st.integers(1, 30))
def test_for_texts_of_more_words_than_a_machine_word_has_bits(m: int, n: int, apart: int) -> None:
    a, b = " ".join(str(k * k % 37) for k in range(m)), " ".join(str(k * apart % 37) for k in range(n))
    assert rouge_l(a, b) == theirs(a, b)


@pytest.mark.parametrize(
    ("a", "b", "score"), [("", "", 0), ("", "a", 0), ("?!", "?!", 0), ("Who lit it?", "who LIT it", 1), ("a b c d", "a c", 2 / 3)]
)
def test_by_hand(a: str, b: str, score: float) -> None:
    assert rouge_l(a, b) == pytest.approx(score)


def test_scripts_without_spaces_count_by_characters() -> None:
    assert rouge_l("灯塔看守人是谁", "灯塔看守人在哪") == pytest.approx(2 * 5 / 14)
    assert rouge_l("café noir", "café") == pytest.approx(2 / 3)


@given(st.lists(words, max_size=8), words)
def test_the_nearest_of_many_is_the_highest_of_all(kept: list[str], asked: str) -> None:
    pool = Nearest()
    for text in kept:
        pool.keep(text)
    assert pool.score(asked) == max((rouge_l(text, asked) for text in kept), default=0.0)
    assert pool.size == len(kept)
