"""What a rule makes of an answer: right, partly, wrong, rightly or wrongly none, or nothing that a rule can tell; and that it is
so on labelled answers that no rule was made on (`tests/grading`)."""

from __future__ import annotations

import unicodedata

import pytest

from readers.engine.questions.answers import chosen
from readers.engine.questions.grading import grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.normalise_answer import comparable_words
from readers.engine.questions.question_set import SetQuestion
from tests.grading.measure import LabelledAnswer, agreement, halves, left_open
from tests.support.texts_and_files.shapes import ODD_ANSWERS

CHOICES = ("Nine weeks", "Eighteen weeks", "Ten", "Ten days")


def known(*answers: str, answerable: bool | None = True) -> KnownAnswer | None:
    return KnownAnswer.of(SetQuestion("q", "d", "How long?", answers=answers, answerable=answerable))


@pytest.mark.parametrize(
    ("answer", "right", "outcome"),
    [
        ("Eighteen weeks.", ["eighteen weeks"], "correct"),
        ("the Eighteen  Weeks", ["Eighteen weeks"], "correct"),
        ("It stayed shut for eighteen weeks, the story says.", ["nine", "Eighteen weeks"], "correct"),
        ("Eighteen months", ["Eighteen weeks"], "wrong"),
        ("Nine days", ["Eighteen weeks"], "wrong"),
        ("eighteenth", ["eighteen"], "wrong"),
        ("A", ["a"], "correct"),
        ("門は閉ざされた", ["門は閉"], "correct"),
        ("x " * 50, ["y " * 50], "not_judgeable"),
        ("", ["Eighteen"], "abstained_wrong"),
        ("The text does not say how long.", ["Eighteen"], "abstained_wrong"),
    ],
)
def test_free_answers(answer: str, right: list[str], outcome: str) -> None:
    judged = grade("answered", answer, (), known(*right))
    assert judged is not None
    assert judged.outcome == outcome
    assert judged.reason.endswith(".")


@pytest.mark.parametrize(
    ("answer", "right", "outcome"),
    [
        ("-5", "5", "wrong"),
        ("−5 °C", "-5 °C", "correct"),
        ("minus 5", "-5", "correct"),
        ("pages 3-5", "5", "correct"),  # a hyphen is no sign
        ("12,500", "500", "wrong"),
        ("12 500", "500", "wrong"),
        ("He paid 2,500 pounds", "500 pounds", "wrong"),
        ("He paid £2,500.", "2500", "correct"),
        ("1,000", "1000", "correct"),
        ("10.5", "10", "wrong"),
        ("10.50", "10.5", "correct"),
        ("It was 10.", "10", "correct"),
        ("3.5 million", "5 million", "wrong"),
        ("5 million", "5", "wrong"),
        ("3.5 million", "3,500,000", "correct"),
        ("twenty-five", "five", "wrong"),
        ("twenty-five", "twenty five", "correct"),
        ("Nine weeks", "Eighteen weeks", "wrong"),
        ("five pounds", "5 pounds", "correct"),
        ("Nineteen stone", "19 stone", "correct"),
        ("He weighed thirty-two pounds.", "32", "correct"),
        ("about two hundred and five men", "205 men", "correct"),
        ("a hundred", "100", "correct"),
        ("five million", "5,000,000", "correct"),
        ("Twelve thousand five hundred", "12,500", "correct"),
        ("on the fifth of May", "the 5th of May", "correct"),
        ("the twenty-first", "21st", "correct"),
        ("Nine", "Ten", "wrong"),
        ("Nineteen stone", "18 stone", "wrong"),
        ("Fourteen shillings and sixpence", "14s. 6d.", "correct"),
        ("It cost 14s 6d, she says.", "14s. 6d.", "correct"),
        ("£2 14s. 6d.", "two pounds, fourteen shillings and sixpence", "correct"),
        ("14s. 7d.", "14s. 6d.", "wrong"),
        ("in the 1980s.", "the 1980s", "correct"),
        ("No one came", "1", "not_judgeable"),
        ("one of them", "1", "not_judgeable"),
        ("One week", "1 week", "correct"),
        ("In 1912", "in 1913", "wrong"),
        ("10km", "10 km", "correct"),
        ("the 5th", "5", "wrong"),
        ("version 1.2.3", "1.2", "wrong"),
        ("9" * 5_000, "9" * 4_999, "wrong"),
        # Yes and no
        ("Yes, there is no doubt about it.", "no", "wrong"),
        ("Yes, there is no doubt about it.", "Yes", "correct"),
        ("No previous memory", "no", "not_judgeable"),
        ("No memory was recalled.", "no", "not_judgeable"),
        ("There is no doubt about it.", "no", "not_judgeable"),
        ("Yes and no.", "no", "not_judgeable"),
        ("False, I think.", "true", "wrong"),
        # Alternatives, and what is denied
        ("Paris or London or Rome", "Paris", "not_judgeable"),
        ("Paris/London", "Paris", "not_judgeable"),
        ("In Paris, as it says.", "Paris", "correct"),
        ("sooner or later", "Sooner or later", "correct"),
        ("It was London, not Paris", "Paris", "wrong"),
        ("It was not London. It was Paris.", "Paris", "correct"),
        ("more than 500 people", "500 people", "not_judgeable"),
        # One writing
        (unicodedata.normalize("NFD", "café"), unicodedata.normalize("NFC", "café"), "correct"),
        ("Mount Elsewhere", "Mount Gorran", "wrong"),  # it shares a word that many places have
        ("It was Orr.", "Mount Gorran", "wrong"),
        ("Ada L. Orr", "Ada Orr", "correct"),  # an initial more
        ("J. Orr", "Jean Paul Orr", "correct"),  # an initial alone
        ("Leo Orr", "Ada Leo Orr", "not_judgeable"),
    ],
)
def test_numbers_short_answers_and_what_a_rule_cannot_tell(answer: str, right: str, outcome: str) -> None:
    judged = grade("answered", answer, (), known(right))
    assert judged is not None
    assert (judged.outcome, judged.reason) == (outcome, judged.reason)
    assert judged.reason.endswith(".")


@pytest.mark.parametrize(
    ("question", "right", "answer", "outcome"),
    [
        ("Was the lamp lit?", "yes", "The lamp was lit.", "correct"),
        ("Was the lamp lit?", "yes", "The lamp was not lit.", "wrong"),
        ("Was the lamp lit?", "yes", "The harbour was quiet.", "not_judgeable"),
        ("Who is older, Al Orr or Bo Orr?", "Al Orr", "Al Orr", "correct"),
        ("Who is older, Al Orr or Bo Orr?", "Al Orr", "Al", "not_judgeable"),  # so short a word may be any
    ],
)
def test_an_answer_in_the_light_of_its_question(question: str, right: str, answer: str, outcome: str) -> None:
    judged = grade("answered", answer, (), KnownAnswer(question, (), (right,)))
    assert judged is not None
    assert judged.outcome == outcome


def test_an_answer_that_says_there_is_none() -> None:
    assert grade("answered", "I don't know", (), known("1912")).outcome == "abstained_wrong"  # type: ignore[union-attr]
    assert grade("answered", "I don't know", (), known(answerable=False)).outcome == "abstained_right"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("answer", "right", "outcome"),
    [
        ("The text does not say when he left, but his letter is dated 1912.", ["1912"], "correct"),
        ("The text does not say when he left. His letter is dated 1912.", ["1912"], "correct"),
        ("The text does not say when he left, but perhaps he never did.", ["1912"], "not_judgeable"),
        ("I don't know, maybe Paris.", [], "not_judgeable"),
        ("Unknown", ["unknown"], "correct"),
        ("It was not given to anybody.", ["nobody"], "not_judgeable"),
        ("There was no evidence against him", ["there was no evidence"], "correct"),
        ("Unknown men took it.", ["thieves"], "not_judgeable"),
    ],
)
def test_what_follows_may_be_an_answer_all_the_same(answer: str, right: list[str], outcome: str) -> None:
    asked = known(*right) if right else known(answerable=False)
    assert grade("answered", answer, (), asked).outcome == outcome  # type: ignore[union-attr]


@pytest.mark.parametrize("shape", ODD_ANSWERS)
def test_an_odd_answer_is_wrong_or_not_judgeable(shape: str) -> None:
    odd = ODD_ANSWERS[shape](2_000)
    assert grade("answered", odd, (), known("500")).outcome in ("wrong", "not_judgeable")  # type: ignore[union-attr]
    chosen(odd, CHOICES)


def test_the_words_that_are_compared() -> None:
    assert comparable_words("The sum: −£1,234.50, or 12\u202f500 and 1.234.567; two hundred and five") == [
        "sum", "-1234.5", "or", "12500", "and", "1234567", "205",
    ]  # fmt: skip
    assert comparable_words("B-12, 5pm, 1980's, five six, 0.0, -0") == ["b", "12", "5", "pm", "1980s", "5", "6", "0", "0"]
    assert comparable_words("1912年") == ["1912", "年"]
    assert comparable_words("The") == ["the"]


def test_choices_are_right_wrong_or_none() -> None:
    asked = known("Eighteen weeks")
    right = grade("answered", "(B) Eighteen weeks", CHOICES, asked)
    assert (right.outcome, right.exact, right.reason) == ("correct", True, "It chose (B), which is right.")  # type: ignore[union-attr]
    wrong = grade("answered", "(A) Nine weeks", CHOICES, asked)
    assert (wrong.outcome, wrong.reason) == ("wrong", "It chose (A); right is (B).")  # type: ignore[union-attr]
    assert grade("answered", "I cannot tell", CHOICES, asked).outcome == "abstained_wrong"  # type: ignore[union-attr]
    assert grade("answered", "Some weeks", CHOICES, asked).outcome == "not_judgeable"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("outcome", "answerable", "judged"),
    [
        ("no_answer", False, "abstained_right"),
        ("exhausted", False, "abstained_right"),
        ("over_budget", False, "not_judgeable"),
        ("no_answer", True, "abstained_wrong"),
        ("exhausted", True, "abstained_wrong"),
        ("no_answer", None, "not_judgeable"),
        (None, True, None),
    ],
)
def test_no_answer(outcome: str | None, answerable: bool | None, judged: str | None) -> None:
    found = grade(outcome, None, (), known(answerable=answerable))
    assert (found.outcome if found else None) == judged


def test_an_answer_where_there_is_none_or_nothing_is_known() -> None:
    assert grade("answered", "Five", (), known(answerable=False)).outcome == "wrong"  # type: ignore[union-attr]
    assert grade("answered", "Not stated.", (), known(answerable=False)).outcome == "abstained_right"  # type: ignore[union-attr]
    assert grade("answered", "Five", (), known(answerable=True)).outcome == "not_judgeable"  # type: ignore[union-attr]
    assert grade("answered", "Five", (), known("Five", answerable=None)).outcome == "not_judgeable"  # type: ignore[union-attr]
    assert grade("answered", "Five", (), None).outcome == "not_judgeable"  # type: ignore[union-attr]


VALUES = ("4517", "8822", "1093")


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("4517, 8822 and 1093", "correct"),
        ("The numbers are 1093, 4517, 8822.", "correct"),
        ("4517, 8822 and 1094", "partly"),
        ("4517", "partly"),
        ("1, 2, 3", "wrong"),
        ("4517 and 8822, but not 1093", "partly"),
    ],
)
def test_where_several_values_are_required_an_answer_is_right_only_with_all(answer: str, outcome: str) -> None:
    asked = SetQuestion("q", "d", "Which numbers?", answers=VALUES, answerable=True, all_required=True)
    found = grade("answered", answer, (), KnownAnswer.of(asked))
    assert found is not None
    assert found.outcome == outcome
    assert grade("answered", "4517", (), known(*VALUES)).outcome == "correct"  # type: ignore[union-attr]


def test_that_all_are_required_is_kept_with_the_question() -> None:
    asked = SetQuestion("q", "d", "Which numbers?", answers=VALUES, answerable=True, all_required=True)
    assert SetQuestion.of("q", "d", "Which numbers?", asked.known()) == asked
    assert "all_required" not in SetQuestion("q", "d", "Who?", answers=("Ann",), answerable=True).known()


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
