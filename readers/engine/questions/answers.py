"""The one judge of answers: which choice an answer names, whether two answers are the same, and which choices are right.

Grading, experiments, rewards, scores and pages all use it, so that no two disagree on whether an answer changed. Pure. Not here:
whether a free answer is right (`grading/`), and published scorers, which stay as published (`scores/`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from readers.engine.questions.normalise_answer import comparable_words, is_figure, nfc, positions

MIN_SHARED = 0.5  # half is not enough: `at the mill` and `at the inn` share half
_DENYING = frozenset({"not", "cannot", "never", "nor", "neither", "than", "instead"})  # "rather than", "instead of"
_DENIED_WITHIN = 2  # words: "not in Paris"
_YES_OR_NO = frozenset({"yes", "no", "true", "false"})

# Every pattern is matched against a single line without runs of blanks. Letters. A letter marked as a letter names its choice,
# and so does a capital before a comma; before a full stop, it may be an initial.
_ALONE = re.compile(r"\W*([A-Za-z])\W*")
_SAID = re.compile(
    r"(?i:\b(?:answer|choice|option)\b(?: (?:is|was|would be|must be))?) ?[:=]? ?[*_\"“']{0,3}"
    r"(?:\(([A-Za-z])\)|([A-Za-z])(?=[*_\"”']{0,3}(?:[).:,;]| ?$))|([B-HJ-Z])\b)"
)
_MARKED = re.compile(r"[*_\"“']{0,3}(?:\(([A-Za-z])\)|([A-Za-z])[):]|([A-Z])(?=, ?[a-z]))")
_INITIAL = re.compile(r"[*_\"“']{0,3}([A-Za-z])\.")
_IN_BRACKETS = re.compile(r"\(([A-Za-z])\)")
_ANOTHER_LETTER = re.compile(r"\W*(?:\b(?:or|and)\b|[/,]) ?(?:[*_]{0,2}\(?[A-Z]\b|\([a-z]\))")


def chosen(answer: str, choices: Sequence[str]) -> int | None:
    """The index of the choice that an answer names; None if it names none, or several.

    In this order: only the words of the choice; only its letter; a letter marked as such; an initial letter before a full stop,
    if no word of another choice follows; the only choice that the answer contains in words and does not deny.
    """
    answer = _line(nfc(answer))
    whole = [folded(choice) for choice in choices]
    if folded(answer) in whole:
        return whole.index(folded(answer))
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
        named = next((one for one in found.groups() if one), "") if found else ""
        if found and named and _number(named) < choices:
            return _number(named), answer[found.end() :]
    bracketed = [found for found in _IN_BRACKETS.finditer(answer) if _number(found[1]) < choices]
    if len({_number(found[1]) for found in bracketed}) == 1:
        return _number(bracketed[0][1]), answer[bracketed[0].end() :]
    return None


def _number(named: str) -> int:
    return ord(named.upper()) - 65


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


def _occurrences(answer_words: Sequence[str], choice: Sequence[str]) -> list[int]:
    """The positions of these words in an answer. Yes and no count only at its beginning; elsewhere they belong to a sentence."""
    found = positions(answer_words, choice)
    return [at for at in found if at == 0] if len(choice) == 1 and choice[0] in _YES_OR_NO else found


def _denied(answer_words: Sequence[str], at: int) -> bool:
    before = answer_words[max(0, at - _DENIED_WITHIN) : at]
    return any(word in _DENYING or word.endswith("n't") for word in before)


def right_choices(choices: Sequence[str], answers: Sequence[str]) -> list[int]:
    """The indices of the choices that are among the right answers, blanks and capitals aside."""
    right = {folded(answer) for answer in answers}
    return [n for n, choice in enumerate(choices) if folded(choice) in right]


def same(first: str, second: str, choices: Sequence[str]) -> bool:
    """Whether two answers count as the same: they name the same choice or, if neither names one, they share more than
    half of their words, and the figures of one are among those of the other."""
    picked, other = chosen(first, choices), chosen(second, choices)
    if picked is not None or other is not None:
        return picked == other
    words, others = normalise(first).split(), normalise(second).split()
    figures, other_figures = (set(filter(is_figure, some)) for some in (words, others))
    return overlap(words, others) > MIN_SHARED and (figures <= other_figures or other_figures <= figures)


def answer_key(answer: str, choices: Sequence[str] = ()) -> str:
    """A key that is equal for answers that are listed as one: the letter of a choice in brackets, or comparable words."""
    picked = chosen(answer, choices)
    return normalise(answer) if picked is None else f"({letter(picked)})"


def letter(index: int) -> str:
    """The letter of a choice."""
    return chr(65 + index)


def normalise(answer: str) -> str:
    """The comparable words of an answer in one line; the answer itself if it has none."""
    return " ".join(comparable_words(answer)) or _line(answer)


def f1(first: str, second: str) -> float:
    """The word overlap of two answers: the harmonic mean of precision and recall, from 0 to 1."""
    return overlap(comparable_words(first), comparable_words(second))


def overlap(first: Sequence[str], second: Sequence[str]) -> float:
    """F1 of two lists of words, from 0 to 1."""
    if not first or not second:
        return float(first == second)
    return 2 * (Counter(first) & Counter(second)).total() / (len(first) + len(second))


def folded(text: str) -> str:
    """A text in one line without capitals; two choices with the same are one."""
    return _line(nfc(text).casefold())


def _line(text: str) -> str:
    return " ".join(text.split())
