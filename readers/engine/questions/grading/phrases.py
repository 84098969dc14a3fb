"""Known answers that are ordinary words: said where one sentence has all the words that matter, in any form. Pure."""

from __future__ import annotations

import re

from readers.engine.questions.answers import overlap
from readers.engine.questions.grading.case import Case, Finding
from readers.engine.questions.grading.mentions import denies, mentions, sentences, tokens
from readers.engine.questions.grading.word_lists import FUNCTION, KINDS, stem
from readers.engine.text.words import words

_MUCH = 8  # in so many words, a known answer would be said by one of its own
_TELLING = 4  # so many words of a known answer are not all put in other words
_APART = 6  # words that may stand between those of the known answer, besides
_UNSURE = re.compile(r"(?i)\b(?:might|may have|may be|maybe|perhaps|possibly|not sure|unclear|either)\b")
PARTLY = 0.5  # the F1 from which an answer counts as partly right


def graded(case: Case) -> Finding:
    """Right where a sentence has all the words that matter; otherwise open, but for another word of the same kind."""
    wanted = _weighty(case.known) or {stem(word) for word in words(case.known)}
    for sentence in sentences(case.text):
        if wanted <= {stem(word) for word in words(sentence)}:
            return _held(case, sentence, wanted)
    answer = _weighty(case.text)
    if kind := _another_of_kind(wanted, answer):
        return Finding("wrong", f"It says “{kind}”, and the known answer is {case.shown}.")
    asked = {stem(word) for word in words(case.question)}
    if not answer - asked:
        return Finding("wrong", f"It says no more than the question, and not the known answer, {case.shown}.")
    if not answer & wanted and (min(len(wanted - asked), len(answer)) >= _TELLING or len(answer) >= _MUCH):
        return Finding("wrong", f"It has no word of the known answer, {case.shown}.")
    if overlap(sorted(answer), sorted(wanted)) >= PARTLY:
        return Finding("partly", f"It shares words with the known answer, {case.shown}.")
    if len(answer) > 1 and answer < wanted:
        return Finding("partly", f"It has some of the words of the known answer, {case.shown}.")
    return Finding("not_judgeable", f"It puts it in other words than the known answer, {case.shown}, or means something else.")


def _held(case: Case, sentence: str, wanted: set[str]) -> Finding:
    """The finding for a sentence that has all the words."""
    there = [stem(word) for word in words(sentence)]
    places = [n for n, word in enumerate(there) if word in wanted]
    if places[-1] - places[0] > len(wanted) + _APART and not _close(there, wanted):
        return Finding("not_judgeable", f"It has the words of the known answer, {case.shown}, far apart.")
    denials = [word for word in words(sentence) if denies(word.casefold().replace("’", "").replace("'", ""))]
    if denials and not any(denies(word.casefold()) for word in words(case.known)):
        found = list(mentions(case.text, case.value))
        if not any(one.how == "said" for one in found):
            return Finding("not_judgeable", f"It may deny the known answer, {case.shown}: it has a “{denials[0]}”.")
    found = list(mentions(case.text, case.value))
    if (found and all(one.how == "hedged" for one in found)) or _UNSURE.search(sentence):
        return Finding("not_judgeable", f"It names several alternatives or is unsure, and {case.shown} is one of them.")
    if found and all(one.how == "longer" for one in found):
        return Finding("not_judgeable", f"The known answer, {case.shown}, stands in it only as part of a longer name.")
    certain = bool(found) and len(tokens(case.text)) <= len(case.value) + 3
    return Finding("correct", f"It says the known answer, {case.shown}.", "certain" if certain else "likely")


def _close(there: list[str], wanted: set[str]) -> bool:
    """Whether all the words stand close together anywhere."""
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
