"""Which choice an answer names, by its letter or its words. Pure. Not here: whether that is right (`by_rule.py`)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from readers.engine.questions.normalise_answer import comparable_words, nfc, positions

_DENYING = frozenset({"not", "cannot", "never", "nor", "neither", "than", "instead"})  # "rather than", "instead of"
_DENIED_WITHIN = 2  # words: "not in Paris"
_YES_OR_NO = frozenset({"yes", "no", "true", "false"})

# Every pattern is matched against a single line without runs of blanks.
# Letters. A letter marked as one names its choice, and a capital before a comma, too; before a full stop, it may be an initial.
_ALONE = re.compile(r"\W*([A-Za-z])\W*")
_SAID = re.compile(
    r"(?i:\b(?:answer|choice|option)\b(?: (?:is|was|would be|must be))?) ?[:=]? ?[*_\"“']{0,3}"
    r"(?:\(([A-Za-z])\)|([A-Za-z])(?=[*_\"”']{0,3}(?:[).:,;]| ?$))|([B-HJ-Z])\b)"
)
_MARKED = re.compile(r"[*_\"“']{0,3}(?:\(([A-Za-z])\)|([A-Za-z])[):]|([A-Z])(?=, ?[a-z]))")
_INITIAL = re.compile(r"[*_\"“']{0,3}([A-Za-z])\.")
_IN_BRACKETS = re.compile(r"\(([A-Za-z])\)")
_ANOTHER_LETTER = re.compile(r"\W*(?:\b(?:or|and)\b|[/,]) ?(?:[*_]{0,2}\(?[A-Z]\b|\([a-z]\))")
_SLASHED = re.compile(r"[^\W\d_]{2} ?/ ?[^\W\d_]{2}")


def right_indices(choices: Sequence[str], right: Sequence[str]) -> list[int]:
    """The indices of the choices that are among the right answers."""
    return [n for n, choice in enumerate(choices) if any(same_words(choice, one) for one in right)]


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


def _occurrences(answer_words: Sequence[str], choice: Sequence[str]) -> list[int]:
    """The positions of these words in an answer. Yes and no count only at its beginning; elsewhere they belong to a sentence."""
    found = positions(answer_words, choice)
    return [at for at in found if at == 0] if len(choice) == 1 and choice[0] in _YES_OR_NO else found


def _denied(answer_words: Sequence[str], at: int) -> bool:
    before = answer_words[max(0, at - _DENIED_WITHIN) : at]
    return any(word in _DENYING or word.endswith("n't") for word in before)


def same_words(one: str, other: str) -> bool:
    """Whether two choices are the same, blanks and capitals aside."""
    return _folded(one) == _folded(other)


def _folded(text: str) -> str:
    return _line(nfc(text).casefold())


def _line(text: str) -> str:
    return " ".join(text.split())
