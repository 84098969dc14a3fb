"""What a sentence of an answer is nearest to, and when that supports it."""

from __future__ import annotations

import pytest

from readers.engine.analysis.facts.attribution import Index, attributions, fuse, fused, not_in
from readers.engine.text import split
from readers.engine.text.document import Document, Span
from tests.facts import support

TEXT = (
    "The ferry leaves at noon from the old pier. The harbour master keeps a grey parrot called Doris. "
    "The parrot is fed with nuts. Nobody rows to Ballard. The brewery was sold for nineteen pounds."
)
OTHERS = " ".join(f"In the {n}th year what was done is told in the book of the {n}th keeper." for n in range(30))
INDEX = Index(Document.of(f"{TEXT} {OTHERS}"))


def told(question: str, answer: str) -> list[tuple[str, str, bool]]:
    found = attributions(INDEX, question, answer)
    return [(answer[slice(*one.sentence)].strip(), TEXT[slice(*one.place)].strip(), one.supports) for one in found]


def test_a_sentence_with_the_words_of_the_answer_and_the_question_supports_it() -> None:
    assert told("What is the parrot called?", "Doris.") == [
        ("Doris.", "The harbour master keeps a grey parrot called Doris.", True)
    ]
    assert told("What was the brewery sold for?", "19 pounds") == [
        ("19 pounds", "The brewery was sold for nineteen pounds.", True)
    ]


def test_what_a_question_asks_in_memory_of_is_among_the_words_that_are_not_there_and_what_it_calls_the_text_is_not() -> None:
    asked = "Who of the text paid for the music in memory of the drowned?"
    assert not_in(asked, "Doris paid.") == ("music", "memory", "drowned")


def test_with_few_of_its_words_it_is_only_the_nearest() -> None:
    (_, nearest, supports), *_ = told(
        "Why did the admiral leave the island?", "He quarrelled with Doris about money and a horse."
    )
    assert (nearest, supports) == ("The harbour master keeps a grey parrot called Doris.", False)


def test_what_the_question_asks_about_stands_there_too_or_is_said_to_be_missing() -> None:
    answer = "The harbour master keeps a grey parrot called Doris."
    assert told("Who keeps the parrot?", answer) == [(answer, answer, True)]
    [found] = attributions(INDEX, "Where was the parrot bought?", answer)
    assert (found.supports, found.missing) == (False, ("bought",))


def test_a_sentence_that_asks_for_the_reason_gives_none() -> None:
    text = "People asked me why the keeper hid the ledger. The keeper hid the ledger out of pity."
    found = attributions(Index(Document.of(text)), "Why did the keeper hide the ledger?", text)
    assert [one.supports for one in found] == [False, True]


def test_little_supports_an_answer_to_what_the_text_does_not_say() -> None:
    found = support.shares(support.told(("retrieval",)))
    assert all(found[whose, "none"].right <= 1 for whose in ("own", "the samples’"))
    assert found["the samples’", "answer elsewhere"].right <= 1
    assert found["own", "answer"].right >= 8
    short = support.shares(support.short_answers())
    assert short["short answers’", "none"].right == 0
    assert short["short answers’", "answer"].right >= 12


def test_a_word_of_the_question_may_have_another_ending_and_some_tell_nothing() -> None:
    index = Index(Document.of(f"The film about the pier was directed by Ida Brand. {TEXT} {OTHERS}"))
    assert [one.supports for one in attributions(index, "Who was really the director of the film?", "Ida Brand")] == [True]


def test_without_the_kind_of_thing_that_is_asked_for_or_anything_new_nothing_supports_an_answer() -> None:
    answer = "The brewery was sold for nineteen pounds."
    assert told("How much was the brewery sold for?", answer) == [(answer, answer, True)]
    assert told("In what year was the brewery sold?", answer) == [(answer, answer, False)]
    assert told("Who sold the brewery?", "The brewery") == [("The brewery", answer, False)]


def test_each_sentence_has_its_own_and_one_without_words_of_the_text_has_none() -> None:
    found = told("What is known?", "The ferry leaves at noon. Zeppelins! The parrot is fed with nuts.")
    assert [nearest for _, nearest, _ in found] == ["The ferry leaves at noon from the old pier.", "The parrot is fed with nuts."]
    assert told("What is known?", "") == []


QUESTION = "Why did the admiral leave the island?"
ANSWER = "He quarrelled with Doris and the parrot about a brewery and a horse."


def scored(answer: str, **similar: float) -> dict[Span, dict[Span, float]]:
    """Every sentence of the answer compared with the text: a sentence with one of these words is as similar as it says."""
    found = {place: [score for word, score in similar.items() if word in TEXT[slice(*place)]] for place in INDEX.spans}
    scores = {place: max(own, default=0.0) for place, own in found.items()}
    return dict.fromkeys(split.sentences(answer), scores)


def near(question: str, answer: str, compared: dict[Span, dict[Span, float]]) -> list[tuple[str, bool]]:
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
    assert fused(INDEX, QUESTION, answer, {}) == attributions(INDEX, QUESTION, answer)
    assert fused(INDEX, QUESTION, answer, {Span(0, 26): {}}) == attributions(INDEX, QUESTION, answer)
