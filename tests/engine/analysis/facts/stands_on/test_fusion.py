"""What an answer is nearest to by its words and an embedding model together."""

from __future__ import annotations

import pytest

from readers.engine.analysis.facts.stands_on.attribution import attributions
from readers.engine.analysis.facts.stands_on.fusion import fuse, fused
from readers.engine.forks.nearness import ComparedSentence
from readers.engine.text import split
from readers.engine.text.document import Span
from tests.engine.analysis.facts.stands_on.test_attribution import INDEX, TEXT

QUESTION = "Why did the admiral leave the island?"
ANSWER = "He quarrelled with Doris and the parrot about a brewery and a horse."


def scored(answer: str, **similar: float) -> list[ComparedSentence]:
    """Every sentence of the answer compared with the text: a sentence with one of these words is as similar as it says."""
    found = {place: [score for word, score in similar.items() if word in TEXT[slice(*place)]] for place in INDEX.spans}
    scores = {place: max(own, default=0.0) for place, own in found.items()}
    return [ComparedSentence(sentence, scores) for sentence in split.sentences(answer)]


def near(question: str, answer: str, compared: list[ComparedSentence]) -> list[tuple[str, bool]]:
    return [(TEXT[slice(*one.place)].strip(), one.supports) for one in fused(INDEX, question, answer, compared)]


def test_ranks_are_summed_as_reciprocals_and_a_ranking_without_a_number_gives_it_nothing() -> None:
    assert fuse({1: 0.9, 2: 0.5}, {2: 7.0, 3: 7.0}) == pytest.approx({1: 1 / 61, 2: 1 / 62 + 1 / 61, 3: 1 / 62})


def test_a_sentence_that_both_rank_high_is_nearer_than_one_that_the_words_alone_do() -> None:
    (by_words,) = attributions(INDEX, QUESTION, ANSWER)
    assert "called Doris" in TEXT[slice(*by_words.place)]
    assert near(QUESTION, ANSWER, scored(ANSWER, Doris=0.9)) == [("The harbour master keeps a grey parrot called Doris.", False)]
    unlike = scored(ANSWER, brewery=0.9, Doris=-0.5)
    assert near(QUESTION, ANSWER, unlike) == [("The brewery was sold for nineteen pounds.", False)]


def test_what_supports_stays_as_the_words_have_it_whatever_the_embeddings_say() -> None:
    question, answer = "What is the parrot called?", "Doris."
    assert near(question, answer, scored(answer, brewery=1.0)) == [("The harbour master keeps a grey parrot called Doris.", True)]
    assert near(QUESTION, ANSWER, scored(ANSWER, Doris=1.0))[0][1] is False


def test_an_answer_without_a_word_of_the_text_has_what_the_embeddings_alone_find() -> None:
    assert near(QUESTION, "Zeppelins!", scored("Zeppelins!", ferry=0.4)) == [
        ("The ferry leaves at noon from the old pier.", False)
    ]


def test_without_scores_nothing_changes() -> None:
    answer = "The ferry leaves at noon. Zeppelins! He quarrelled with Doris about money."
    assert fused(INDEX, QUESTION, answer, []) == attributions(INDEX, QUESTION, answer)
    nothing = [ComparedSentence(Span(0, 26), {})]
    assert fused(INDEX, QUESTION, answer, nothing) == attributions(INDEX, QUESTION, answer)
