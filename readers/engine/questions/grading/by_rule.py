"""Grade an answer by rule against the known answers: a suggestion for a person, with its certainty and the reason in words.

A choice, named by its words or its letter, is right or wrong. A free answer is right if it states the known answer, and wrong if
it states another value of the same kind: a table of kinds of known answers has the rules that hold for each. What a rule cannot
read, it leaves open: a paraphrase is never called wrong. If the text does not give the answer, the right answer is that there is
none. Pure. Not here: which choice an answer names (`answers.py`), what says that there is no answer (`no_answer_given.py`),
grading by a model, and the decisions of a person.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from readers.engine.questions.answers import chosen, f1, letter, overlap, right_choices
from readers.engine.questions.grading import alternatives, amounts, names, yes_no
from readers.engine.questions.grading.case import Case, Grade, Outcome, denies, finding, mentions, sentences, tokens
from readers.engine.questions.grading.word_lists import FUNCTION, KINDS
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.no_answer_given import none_given, says_none
from readers.engine.questions.normalise_answer import comparable_words
from readers.engine.text.words import stem, words

LONGEST_BY_WORDS = 20  # the most words of a known answer that is graded by words
LONGEST_ANSWER = 60  # words: in a longer answer, a known answer counts if it is in the first or last sentence
_MUCH = 8  # an answer of this many words would contain at least one word of a known answer
_TELLING = 4  # this many words of a known answer are not all paraphrased
_APART = 6  # additional words that may be between those of the known answer
_UNSURE = re.compile(r"(?i)\b(?:might|may have|may be|maybe|perhaps|possibly|not sure|unclear|either)\b")
PARTLY = 0.5  # from this F1 on, an answer counts as partly right
_BEST: tuple[Outcome, ...] = ("correct", "partly", "not_judgeable", "wrong")  # of several known answers, the best finding holds


def grade(outcome: str | None, answer: str | None, choices: Sequence[str], known: KnownAnswer | None) -> Grade | None:
    """Grade the answer of a run, given its outcome, the choices it had, and the known answer. None while it has no outcome."""
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
            return Grade("not_judgeable", "It says that there is no answer, but continues.")
        return Grade("wrong", "The text does not answer this question, and the reading gave an answer.")
    if not known.answers:
        return Grade("not_judgeable", "The text answers this question, but the answer is not known.")
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
    picked = chosen(answer, choices)
    if picked is None:
        return Grade("not_judgeable", "The answer does not name one of the choices, or it names several.")
    letters = [letter(index) for index in right_choices(choices, right)]
    if letter(picked) in letters:
        return Grade("correct", f"It chose ({letter(picked)}), which is right.", exact=True)
    others = f"; right is ({'), ('.join(letters)})" if letters else ""
    return Grade("wrong", f"It chose ({letter(picked)}){others}.")


def _exact(case: Case) -> Grade | None:
    if case.words == case.known_words:
        return finding("correct", f"It is the known answer, {case.shown}.", certainty="certain")
    return None


def _echo(case: Case) -> Grade | None:
    """An answer made only of the question's words, if the known answer is not."""
    asked = case.question_words | FUNCTION
    there = [token.folded for token in tokens(case.text)]
    if not there or not set(there) <= asked or set(case.value) <= asked or set(there) & set(case.value):
        return None
    return finding("wrong", f"It says no more than the question, and not the known answer, {case.shown}.")


def _too_long(case: Case) -> Grade | None:
    if len(case.known_words) <= LONGEST_BY_WORDS:
        return None
    return finding("not_judgeable", "The known answer is too long to be compared word for word.")


# Ordinary words


def _words(case: Case) -> Grade:
    """Right where a sentence has all the words that matter; otherwise open, but for another word of the same kind."""
    wanted = _weighty(case.known) or {stem(word) for word in words(case.known)}
    for sentence in sentences(case.text):
        if wanted <= {stem(word) for word in words(sentence)}:
            return _held(case, sentence, wanted)
    answer = _weighty(case.text)
    if kind := _another_of_kind(wanted, answer):
        return finding("wrong", f"It says “{kind}”, and the known answer is {case.shown}.")
    asked = {stem(word) for word in words(case.question)}
    if not answer - asked:
        return finding("wrong", f"It says no more than the question, and not the known answer, {case.shown}.")
    if not answer & wanted and (min(len(wanted - asked), len(answer)) >= _TELLING or len(answer) >= _MUCH):
        return finding("wrong", f"It has no word of the known answer, {case.shown}.")
    if overlap(sorted(answer), sorted(wanted)) >= PARTLY:
        return finding("partly", f"It shares words with the known answer, {case.shown}.")
    if len(answer) > 1 and answer < wanted:
        return finding("partly", f"It has some of the words of the known answer, {case.shown}.")
    return finding("not_judgeable", f"It puts it in other words than the known answer, {case.shown}, or means something else.")


def _held(case: Case, sentence: str, wanted: set[str]) -> Grade:
    """The finding for a sentence that has all the words."""
    there = [stem(word) for word in words(sentence)]
    places = [n for n, word in enumerate(there) if word in wanted]
    if places[-1] - places[0] > len(wanted) + _APART and not _close(there, wanted):
        return finding("not_judgeable", f"It has the words of the known answer, {case.shown}, far apart.")
    denials = [word for word in words(sentence) if denies(word)]
    if denials and not any(denies(word) for word in words(case.known)):
        found = list(mentions(case.text, case.value))
        if not any(one.how == "said" for one in found):
            return finding("not_judgeable", f"It may deny the known answer, {case.shown}: it has a “{denials[0]}”.")
    found = list(mentions(case.text, case.value))
    if (found and all(one.how == "hedged" for one in found)) or _UNSURE.search(sentence):
        return finding("not_judgeable", f"It names several alternatives or is unsure, and {case.shown} is one of them.")
    if found and all(one.how == "longer" for one in found):
        return finding("not_judgeable", f"The known answer, {case.shown}, is in it only as part of a longer name.")
    certain = bool(found) and len(tokens(case.text)) <= len(case.value) + 3
    return finding("correct", f"It says the known answer, {case.shown}.", certainty="certain" if certain else "likely")


def _close(there: list[str], wanted: set[str]) -> bool:
    """Whether all the words occur close together anywhere."""
    size = len(wanted) + _APART + 1
    return any(wanted <= set(there[at : at + size]) for at in range(max(1, len(there) - size + 1)))


def _weighty(text: str) -> set[str]:
    return {stem(word) for word in words(text) if word.casefold() not in FUNCTION}


def _another_of_kind(wanted: set[str], answer: set[str]) -> str:
    """A word of the answer that is of the same kind as the known answer, and another; empty if there is none."""
    for kind in KINDS:
        others = answer & kind.keys() - wanted
        if wanted & kind.keys() and len(others) == 1:
            return kind[min(others)]
    return ""


# The first rule that applies to a known answer decides.
RULES: tuple[Callable[[Case], Grade | None], ...] = (
    _exact, _too_long, yes_no.graded, alternatives.graded, _echo, amounts.graded_date, amounts.graded_period,
    amounts.graded_quantity, names.graded, _words,
)  # fmt: skip


def graded_free(answer: str, question: str, right: Sequence[str], *, goes_on: bool) -> Grade:
    """The grade against the known answers, any of which is enough. `goes_on`: the answer says that there is none, and more."""
    findings = [_found(Case(answer, question, one)) for one in right]
    best = min(findings, key=lambda one: (_BEST.index(one.outcome), one.certainty != "certain"))
    score = max(f1(answer, one) for one in right)
    if goes_on and best.outcome != "correct":
        best = finding("not_judgeable", "It says that there is no answer, but continues.")
    exact = any(comparable_words(answer) == comparable_words(one) for one in right)
    return best._replace(exact=exact, f1=score)


def _found(case: Case) -> Grade:
    grade = next(found for rule in RULES if (found := rule(case)) is not None)
    lengthy = len(case.words) > max(LONGEST_ANSWER, 2 * len(case.known_words))
    if grade.outcome == "correct" and lengthy and not _stands_out(case):
        return finding("not_judgeable", f"The known answer, {case.shown}, is in it among much else.")
    return grade


def _stands_out(case: Case) -> bool:
    """Whether a long answer says the known answer in its first or last fifty words or so."""
    text = case.text
    ends = f"{text[:300]}\n{text[-300:]}"
    return any(True for _ in mentions(ends, case.value))


def graded_together(answer: str, question: str, required: Sequence[str], *, goes_on: bool) -> Grade:
    """The grade where several values are required: right with all of them, partly right with some."""
    grades = [graded_free(answer, question, [one], goes_on=goes_on) for one in required]
    score = f1(answer, " ".join(required))
    missing = [one for one, graded in zip(required, grades, strict=True) if graded.outcome != "correct"]
    certainty = "certain" if all(graded.certainty == "certain" for graded in grades) else "likely"
    if not missing:
        return Grade("correct", f"It holds all {len(required)} values that are required.", f1=score, certainty=certainty)  # type: ignore[arg-type]
    held = len(required) - len(missing)
    doubt = next((graded for graded in grades if graded.outcome == "not_judgeable"), None)
    if doubt and not held:
        return Grade("not_judgeable", doubt.reason, f1=score)
    first = Case(answer, question, missing[0]).shown
    reason = f"It holds {held or 'none'} of the {len(required)} values that are required; {first} is missing."
    return Grade("partly" if held else "wrong", reason, f1=score, certainty="likely")
