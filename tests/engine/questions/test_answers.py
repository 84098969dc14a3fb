"""One judge of answers: which choice an answer names, and which answers are the same, wherever it is asked."""

from __future__ import annotations

import pytest

from components.annotate.bench_player import choices_offered
from components.annotate.corrections import fork_result
from readers.engine.analysis.rewards import outcome_reward
from readers.engine.forks.experiment_results import answer_changed, compare_arms
from readers.engine.questions.answers import answer_key, chosen, f1, right_choices, same
from readers.engine.questions.grading import grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores import SCORES
from readers.engine.store import Run

CHOICES = ("At the harbour", "On the hill", "In the mill")
WRITERS = ("Victor Hugo", "A. Dumas", "Paris", "London")
WEEKS = ("Nine weeks", "Eighteen weeks", "Ten", "Ten days")
KNOWN = KnownAnswer("Where did the keeper sleep?", CHOICES, ("on the  Hill",))


def run(answer: str, choices: tuple[str, ...] = ()) -> Run:
    return Run("x", "d", "memwalker", "?", {"choices": choices}, "finished", "answered", answer)


@pytest.mark.parametrize(
    ("answer", "letter"),
    [
        ("(B)", "B"),
        ("b", "B"),
        ("B. On the hill", "B"),
        ("on the hill", "B"),
        ("I choose (b) on the hill", "B"),
        ("The answer is b", "B"),
        ("Not at the harbour but on the hill", "B"),
        ("answer: C", "C"),
        ("It was in the mill.", "C"),
        ("(A) or (B)", ""),
        ("at the harbour or on the hill", ""),
        ("(Z)", ""),
    ],
)
def test_everything_that_asks_which_choice_an_answer_names_says_the_same(answer: str, letter: str) -> None:
    index = chosen(answer, CHOICES)
    assert index == ("ABC".index(letter) if letter else None)
    right = letter == "B"
    graded = grade("answered", answer, CHOICES, KNOWN)
    assert graded is not None
    assert graded.outcome == ("correct" if right else "wrong" if letter else "not_judgeable")
    given, parent = run(answer, CHOICES), run("(B) On the hill", CHOICES)
    assert answer_changed(parent, given) is not right
    assert len(compare_arms(parent, [given], []).answers) == (1 if right else 2)
    assert ("as this reading does" in fork_result(given, parent)) is right
    assert [chosen for _, _, chosen, _ in choices_offered(given, KNOWN)] == [n == index for n in range(3)]
    assert outcome_reward(answer, KNOWN, choices=CHOICES) == (float(right), "choice", False)
    assert SCORES["accuracy"].of(answer, KNOWN).value == float(right)


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        ("thirty-two", "32", True),
        ("It was 32 steps.", "it was thirty-two steps", True),
        ("It was 32 steps.", "It was 33 steps.", False),
        ("on 3 May 1884", "on 4 May 1884", False),
        ("Cal Dorran in 1884", "Cal Dorran", True),
        ("The green door.", "a GREEN door!", True),
        ("green door", "the old green door", True),
        ("green door", "red door", False),  # half is shared
        ("at five", "at six", False),
        ("?!", "?", False),
        ("", "", True),
    ],
)
def test_free_answers_are_the_same_by_their_words_and_figures(first: str, second: str, alike: bool) -> None:
    assert same(first, second, ()) is same(second, first, ()) is alike
    assert answer_changed(run(first), run(second)) is not alike


def test_an_answer_that_names_no_choice_is_another_than_one_that_does() -> None:
    choices = ("at four", "at five", "never")
    assert not same("(B) at five", "(A) at five minutes", choices)
    assert same("nobody knows", "Nobody knows!", choices)
    assert answer_key("The answer is b", choices) == answer_key("at FIVE", choices) == "(B)"
    assert answer_key("The Keeper’s  lamp!") == "keeper's lamp"
    assert answer_key("?!") == "?!"
    assert right_choices(choices, ("At  Five", "never")) == [1, 2]


@pytest.mark.parametrize(
    ("choices", "answers"),
    [
        (WRITERS, {
            "b": 1, "(b)": 1, "**B**": 1, "B.": 1, "Answer: B": 1, "answer: b": 1, "The answer is (B).": 1,
            "The answer is B because of the ink.": 1, "I think that (d) is right.": 3, "b) because of the ink": 1,
            "It is London, not Paris": 3, "It isn't Paris. It is London.": 3, "A. Dumas wrote it": 1, "A. It is clear.": 0,
            "A. Victor Hugo, and not London": 0, "C. London": 3, "(C) Paris, for London is too far": 2,
            "(C) London": None, "A or B": None, "Answer: A or B": None, "The answer is a mystery": None, "Paris or London": None,
            "e": None,
        }),
        (WEEKS, {
            "Eighteen weeks": 1, " eighteen  WEEKS ": 1, "(B) Eighteen": 1, "B. because": 1, "B, because of it": 1, "**(C)**": 2,
            "D": 3, "It was ten days in all": 3, "It was ten in all": 2, "nine weeks, not eighteen weeks": 0,
            "B, C": None, "B, or C": None, "not nine weeks": None, "nine weeks or eighteen weeks": None, "Z": None, "Bread": None,
            "no idea": None,
        }),
        (("Victor Hugo", "Alexandre Dumas"), {"A. Dumas wrote it": None}),  # an initial, and a word of another choice
        (("No", "Yes"), {"Yes, there is no doubt about it.": 1}),
    ],
)  # fmt: skip
def test_letters_and_words_that_name_a_choice(choices: tuple[str, ...], answers: dict[str, int | None]) -> None:
    assert {answer: chosen(answer, choices) for answer in answers} == answers


def test_f1_is_squads() -> None:
    """Worked by hand: 2 words in common of 3 and 4 (articles aside) are P 2/3, R 1/2, F1 4/7."""
    assert f1("the red old lamp", "a lamp, red in spring") == pytest.approx(4 / 7)
    assert f1("lamp", "The LAMP!") == 1.0
    assert f1("lamp lamp", "lamp") == pytest.approx(2 / 3)
    assert f1("", "lamp") == 0.0
