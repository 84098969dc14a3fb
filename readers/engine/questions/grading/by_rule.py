"""Grade an answer by rule against the known answers: a suggestion for a person, with its certainty and the reason in words.

A choice, named by its words or its letter, is right or wrong. A free answer is right where it says the known answer
(`free_answer.py`). If the text does not give the answer, the right answer is none. Where no rule can decide, the grade says so.
Pure. Not here: what says that there is no answer (`no_answer_given.py`), grading by a model, and the decisions of a person.
"""

from __future__ import annotations

from collections.abc import Sequence

from readers.engine.questions.grading.choices import chosen_index, right_indices
from readers.engine.questions.grading.free_answer import graded_free, graded_together
from readers.engine.questions.grading.grade import Grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.no_answer_given import none_given, says_none
from readers.engine.questions.normalise_answer import comparable_words


def grade(outcome: str | None, answer: str | None, choices: Sequence[str], known: KnownAnswer | None) -> Grade | None:
    """Grade the answer of a run, given its outcome, the choices it had, and what is known. None while it has no outcome."""
    if outcome is None:
        return None
    if known is None:
        return Grade("not_judgeable", "Nothing is known about the right answer.")
    given = answer if outcome == "answered" and answer and answer.strip() else ""
    exact = bool(given) and comparable_words(given) in [comparable_words(one) for one in known.answers]
    if not given or (not exact and none_given(outcome, given, choices=choices)):
        return _abstained(outcome, known.answerable, in_words=bool(given))
    goes_on = not exact and bool(says_none(given))
    if not known.answerable:
        if goes_on and not choices:
            return Grade("not_judgeable", "It says that there is no answer, and goes on.")
        return Grade("wrong", "The text does not answer this question, and the reading gave an answer.")
    if not known.answers:
        return Grade("not_judgeable", "The text answers this question, and it is not known how.")
    if choices:
        return _graded_choice(given, choices, known.answers)
    graded = graded_together if known.all_required else graded_free
    return graded(given, known.question, known.answers, goes_on=goes_on)


def _abstained(outcome: str, answerable: bool, *, in_words: bool) -> Grade:
    subject = "The answer says that there is none" if in_words else "The reading gave no answer"
    if outcome == "over_budget":
        return Grade("not_judgeable", "The budget was used up before there was an answer.")
    if answerable:
        return Grade("abstained_wrong", f"{subject}, and the text gives one.")
    return Grade("abstained_right", f"{subject}, and the text gives none.")


def _graded_choice(answer: str, choices: Sequence[str], right: Sequence[str]) -> Grade:
    picked = chosen_index(answer, choices)
    if picked is None:
        return Grade("not_judgeable", "The answer does not name one of the choices, or it names several.")
    letters = [chr(65 + n) for n in right_indices(choices, right)]
    if chr(65 + picked) in letters:
        return Grade("correct", f"It chose ({chr(65 + picked)}), which is right.", exact=True)
    others = f"; right is ({'), ('.join(letters)})" if letters else ""
    return Grade("wrong", f"It chose ({chr(65 + picked)}){others}.")
