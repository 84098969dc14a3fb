"""What a sentence of an answer is nearest to, and when that supports it."""

from __future__ import annotations

from readers.engine.analysis.facts.stands_on.attribution import Index, attributions
from readers.engine.text.document import Document
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
