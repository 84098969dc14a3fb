"""Grade an answer by rule against the known answers: a suggestion for a person, with the reason in words.

A choice, named by its words or its letter, is right or wrong. A free answer is correct if it equals a known answer or contains
one in full, and partly correct if it shares at least half of its words with one (F1 as in SQuAD: Rajpurkar et al., 2016). Where
several values are required, it is correct with all of them, and partly correct with some.
Capitals, punctuation and English articles do not count, and numbers are compared by value. Longer known answers, such as
summaries, are not graded by words; only their F1 is reported. If the text does not give the answer, the right answer is none. If
a rule cannot decide, it says so: for an answer that names alternatives, denies a known answer, or says there is no answer and
goes on. Pure. Not here: what says that there is no answer (`no_answer_given.py`), grading by a model, and storing the
decisions of a person.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.no_answer_given import none_given, says_none
from readers.engine.questions.normalise_answer import comparable_words, is_figure, is_number_word, nfc, positions
from readers.engine.text.shorten import shorten

Outcome = Literal["correct", "partly", "wrong", "abstained_right", "abstained_wrong", "not_judgeable"]
PARTLY = 0.5  # the F1 from which an answer counts as partly correct
LONGEST_BY_WORDS = 20  # the most words of a known answer that is graded by words
OPPOSITE = {"yes": "no", "no": "yes", "true": "false", "false": "true"}
_DENYING = frozenset({"not", "cannot", "never", "nor", "neither", "than", "instead"})  # "rather than", "instead of"
_DENIED_WITHIN = 2  # words: "not in Paris"

# Every pattern is matched against a single line without runs of blanks.
# Letters. A letter marked as one names its choice; before a full stop, it may be an initial.
_ALONE = re.compile(r"\W*([A-Za-z])\W*")
_SAID = re.compile(
    r"(?i:\b(?:answer|choice|option)\b(?: (?:is|was|would be|must be))?) ?[:=]? ?[*_\"“']{0,3}"
    r"(?:\(([A-Za-z])\)|([A-Za-z])(?=[*_\"”']{0,3}(?:[).:,;]| ?$))|([B-HJ-Z])\b)"
)
_MARKED = re.compile(r"[*_\"“']{0,3}(?:\(([A-Za-z])\)|([A-Za-z])[):])")
_INITIAL = re.compile(r"[*_\"“']{0,3}([A-Za-z])\.")
_IN_BRACKETS = re.compile(r"\(([A-Za-z])\)")
_ANOTHER_LETTER = re.compile(r"\W*(?:\b(?:or|and)\b|[/,]) ?(?:[*_]{0,2}\(?[A-Z]\b|\([a-z]\))")
_SLASHED = re.compile(r"[^\W\d_]{2} ?/ ?[^\W\d_]{2}")


class Grade(NamedTuple):
    """The grade of an answer by rule. `f1`, from 0 to 1, is the best over the known answers; None if words are not compared."""

    outcome: Outcome
    reason: str
    exact: bool = False
    f1: float | None = None


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
    if known.all_required:
        return _graded_together(given, known.answers, goes_on=goes_on)
    return _graded_free(given, known.answers, goes_on=goes_on)


def _abstained(outcome: str, answerable: bool, *, in_words: bool) -> Grade:
    subject = "The answer says that there is none" if in_words else "The reading gave no answer"
    if outcome == "over_budget":
        return Grade("not_judgeable", "The budget was used up before there was an answer.")
    if answerable:
        return Grade("abstained_wrong", f"{subject}, and the text gives one.")
    return Grade("abstained_right", f"{subject}, and the text gives none.")


# Choices


def _graded_choice(answer: str, choices: Sequence[str], right: Sequence[str]) -> Grade:
    picked = chosen_index(answer, choices)
    if picked is None:
        return Grade("not_judgeable", "The answer does not name one of the choices, or it names several.")
    letter = chr(65 + picked)
    if _folded(choices[picked]) in {_folded(one) for one in right}:
        return Grade("correct", f"It chose ({letter}), which is right.", exact=True)
    letters = [chr(65 + n) for n, choice in enumerate(choices) if _folded(choice) in {_folded(one) for one in right}]
    others = f"; right is ({'), ('.join(letters)})" if letters else ""
    return Grade("wrong", f"It chose ({letter}){others}.")


def chosen_index(answer: str, choices: Sequence[str]) -> int | None:
    """The index of the choice that an answer names; None if it names none, or several.

    In this order: the words of the choice alone; its letter alone; a letter marked as such; an initial letter before a full stop,
    if no word of another choice follows; the only choice that the answer contains in words and does not deny.
    """
    answer = _line(nfc(answer))
    folded = [_folded(choice) for choice in choices]
    if _folded(answer) in folded:
        return folded.index(_folded(answer))
    if (alone := _ALONE.fullmatch(answer)) and _number(alone[1]) < len(choices):
        return _number(alone[1])
    words = [comparable_words(choice) for choice in choices]
    if marked := _marked(answer, len(choices)):
        picked, rest = marked
        return None if _ANOTHER_LETTER.match(rest) or _begins_with_another(comparable_words(rest), words, picked) else picked
    initial = _INITIAL.match(answer)
    if initial and _number(initial[1]) < len(choices):
        picked, rest = _number(initial[1]), answer[initial.end() :]
        of_others = {word for n, of_choice in enumerate(words) if n != picked for word in of_choice} - set(words[picked])
        if positions(comparable_words(rest)[: len(words[picked])], words[picked]) or not of_others & set(comparable_words(rest)):
            return picked
    return _by_words(comparable_words(answer), words)


def _marked(answer: str, choices: int) -> tuple[int, str] | None:
    """The index of the letter that an answer marks as its choice, and the words after it."""
    for found in (_SAID.search(answer), _MARKED.match(answer)):
        letter = next((letter for letter in found.groups() if letter), "") if found else ""
        if found and letter and _number(letter) < choices:
            return _number(letter), answer[found.end() :]
    bracketed = [found for found in _IN_BRACKETS.finditer(answer) if _number(found[1]) < choices]
    if len({_number(found[1]) for found in bracketed}) == 1:
        return _number(bracketed[0][1]), answer[bracketed[0].end() :]
    return None


def _number(letter: str) -> int:
    return ord(letter.upper()) - 65


def _begins_with_another(answer_words: Sequence[str], choices: Sequence[Sequence[str]], picked: int) -> bool:
    """Whether the letter of one choice is followed by the words of another, so that the meaning is unclear."""
    begun = [n for n, of_choice in enumerate(choices) if of_choice and list(answer_words[: len(of_choice)]) == list(of_choice)]
    return bool(begun) and picked not in begun


def _by_words(answer_words: Sequence[str], choices: Sequence[Sequence[str]]) -> int | None:
    held = [
        n
        for n, of_choice in enumerate(choices)
        if any(not _denied(answer_words, at) for at in _occurrences(answer_words, of_choice))
    ]
    # A choice contained in another ("ten" in "ten days") does not count if the answer contains the longer one.
    longest = [n for n in held if not any(n != m and positions(choices[m], choices[n]) for m in held)]
    return longest[0] if len(longest) == 1 else None


# Free answers


def _graded_together(answer: str, required: Sequence[str], *, goes_on: bool) -> Grade:
    """The grade where several values are required: correct with all of them, partly correct with some."""
    grades = [_graded_free(answer, [one], goes_on=goes_on) for one in required]
    score = f1(answer, " ".join(required))
    missing = [one for one, graded in zip(required, grades, strict=True) if graded.outcome != "correct"]
    if not missing:
        return Grade("correct", f"It holds all {len(required)} values that are required.", f1=score)
    if doubt := next((graded for graded in grades if graded.outcome == "not_judgeable"), None):
        return Grade("not_judgeable", doubt.reason, f1=score)
    held = len(required) - len(missing)
    reason = f"It holds {held or 'none'} of the {len(required)} values that are required; “{_short(missing[0])}” is missing."
    return Grade("partly" if held else "wrong", reason, f1=score)


def _graded_free(answer: str, right: Sequence[str], *, goes_on: bool) -> Grade:
    answer_words = comparable_words(answer)
    known = {one: comparable_words(one) for one in right}
    best = max(right, key=lambda one: f1(answer, one))
    score = f1(answer, best)
    doubt = "It says that there is no answer, and goes on." if goes_on else ""
    for one, known_words in known.items():
        if answer_words == known_words:
            return Grade("correct", f"It is the known answer, “{_short(one)}”.", exact=True, f1=1.0)
    for one, known_words in known.items():
        if known_words and known_words[0] in OPPOSITE and len(known_words) == 1:
            if answer_words[:1] == known_words and answer_words[1:2] not in (["or"], ["and"]):
                return Grade("correct", f"It begins with the known answer, “{_short(one)}”.", f1=score)
        elif len(known_words) <= LONGEST_BY_WORDS and (found := _occurrences(answer_words, known_words)):
            if all(_denied(answer_words, at) for at in found):
                doubt = f"It may deny the known answer, “{_short(one)}”: a “not” or “than” stands before it."
            elif _alternatives(answer, answer_words, one, known_words):
                doubt = f"It names several alternatives, and the known answer, “{_short(one)}”, is one of them."
            else:
                return Grade("correct", f"It holds the known answer, “{_short(one)}”.", f1=score)
    if doubt:
        return Grade("not_judgeable", doubt, f1=score)
    return _graded_yes_or_no(answer_words, known, score) or _graded_overlap(answer_words, best, score, known)


def _graded_yes_or_no(answer_words: Sequence[str], known: Mapping[str, list[str]], score: float) -> Grade | None:
    """The grade if the known answer is yes or no; None for other questions."""
    one = next((one for one, known_words in known.items() if len(known_words) == 1 and known_words[0] in OPPOSITE), None)
    if one is None:
        return None
    if answer_words[:1] == [OPPOSITE[known[one][0]]] and answer_words[1:2] not in (["or"], ["and"]):
        return Grade("wrong", f"It begins with “{answer_words[0]}”, and the known answer is “{_short(one)}”.", f1=score)
    return Grade(
        "not_judgeable", f"The known answer is “{_short(one)}”, and it does not begin with that or its opposite.", f1=score
    )


def _graded_overlap(answer_words: Sequence[str], one: str, score: float, known: Mapping[str, list[str]]) -> Grade:
    """The grade by shared words, for an answer that does not contain a known one in full. A different number makes it wrong."""
    known_words = known[one]
    if min(map(len, known.values())) > LONGEST_BY_WORDS:
        reason = f"The known answer is too long to be held against word for word (F1 {score:.2f})."
        return Grade("not_judgeable", reason, f1=score)
    figures, letters = ({word for word in known_words if kind(word)} for kind in (is_figure, is_number_word))
    own_figures, own_letters = ({word for word in answer_words if kind(word)} for kind in (is_figure, is_number_word))
    if (figures and own_letters and not own_figures) or (letters and own_figures and not own_letters):
        reason = f"One of it and the known answer, “{_short(one)}”, has a number in figures, the other in words (F1 {score:.2f})."
        return Grade("not_judgeable", reason, f1=score)
    if (figures and own_figures and not figures & own_figures) or (letters and own_letters and not letters & own_letters):
        return Grade("wrong", f"It has another number than the known answer, “{_short(one)}” (F1 {score:.2f}).", f1=score)
    if score >= PARTLY:
        return Grade("partly", f"It shares words with the known answer, “{_short(one)}” (F1 {score:.2f}).", f1=score)
    return Grade("wrong", f"It is not the known answer, “{_short(one)}” (F1 {score:.2f}).", f1=score)


def f1(answer: str, known: str) -> float:
    """The word overlap of two answers: the harmonic mean of precision and recall, from 0 to 1."""
    answer_words, known_words = comparable_words(answer), comparable_words(known)
    if not answer_words or not known_words:
        return float(answer_words == known_words)
    common = (Counter(answer_words) & Counter(known_words)).total()
    return 2 * common / (len(answer_words) + len(known_words))


# Both


def _occurrences(answer_words: Sequence[str], known_words: Sequence[str]) -> list[int]:
    """The positions of these words in an answer. Yes and no count only at its beginning; elsewhere they belong to a sentence."""
    found = positions(answer_words, known_words)
    return [at for at in found if at == 0] if len(known_words) == 1 and known_words[0] in OPPOSITE else found


def _denied(answer_words: Sequence[str], at: int) -> bool:
    before = answer_words[max(0, at - _DENIED_WITHIN) : at]
    return any(word in _DENYING or word.endswith("n't") for word in before)


def _alternatives(answer: str, answer_words: Sequence[str], one: str, known_words: Sequence[str]) -> bool:
    """Whether an answer names several alternatives and the known one does not."""
    return ("or" in answer_words and "or" not in known_words) or bool(_SLASHED.search(_line(answer)) and not _SLASHED.search(one))


def _folded(text: str) -> str:
    return _line(nfc(text).casefold())


def _line(text: str) -> str:
    return " ".join(text.split())


def _short(text: str) -> str:
    return shorten(text, 80)
