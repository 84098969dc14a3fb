"""Whether an answer is right, as far as a rule can tell from what is known: a suggestion for a person, with its reason in words.

A choice is right or wrong: it is named by its words, or by its letter. A free answer is right where it is word for word a known
answer, or holds one whole; partly where it shares at least half of its words with one (F1, as SQuAD counts it: Rajpurkar et al.,
2016; capitals, punctuation and English articles do not count, and numbers are compared by their value). Longer known answers,
such as summaries, are not judged by words: only their F1 is told. Where the text does not give the answer, it is right to give
none. Where a rule cannot tell, it says so: of an answer that names alternatives, that denies what is known, that says there is
no answer and goes on. Pure. Not here: judging by a model, and keeping what a person decides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.normalise_answer import compared, holds_at, in_figures, in_words, written

Outcome = Literal["correct", "partly", "wrong", "abstained_right", "abstained_wrong", "not_judgeable"]
PARTLY = 0.5  # F1 from which on words in common are told as part of an answer
LONGEST_BY_WORDS = 20  # words of a known answer up to which words decide
OPPOSITE = {"yes": "no", "no": "yes", "true": "false", "false": "true"}
_DENYING = frozenset({"not", "cannot", "never", "nor", "neither", "than", "instead"})  # "rather than", "instead of"
_DENIED_WITHIN = 2  # words: "not in Paris"

# All are searched for in one line: no pattern meets a run of blanks.
# Letters. One that is marked as a letter names its choice; before a full stop, it may be the first letter of a name.
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

_TEXT = r"(?:the|this|that) (?:given |provided )?(?:text|passage|document|story|article|context|excerpt|book|novel|report|author)"
_HOW = r"(?:explicitly |directly |actually |specifically |clearly |ever |really )?"
_TOLD = r"(?:stated|said|told|mentioned|answered|specified|given|provided|known|clear|disclosed|revealed)"
_NONE_GIVEN = re.compile(
    r"(?i)\W*(?:(?:sorry|unfortunately|well)\W+)?(?:"
    rf"{_TEXT}(?: (?:provided|given|itself))? (?:do(?:es)? not|do(?:es)?n[’']t|did not|didn[’']t|never) {_HOW}(?:"
    r"(?:say|tell|state|mention|give|answer|provide|specify|specifie|indicate|reveal|disclose|explain|name)s?\b"
    r"|(?:contain|include|have|offer)s? (?:any |the |this |that |an |enough |sufficient )*(?:information|answer|details?)\b)"
    rf"|(?:(?:it|this|that|the answer) )?(?:(?:is|was) (?:not|never|nowhere)|isn[’']t|wasn[’']t) {_HOW}{_TOLD}"
    r"(?=\W*$|\W+(?:in|from|by|anywhere|here|exactly|wh\w+|how|if)\b)"
    r"|(?:(?:it|this|that|the answer|the question) )?(?:can ?not|can[’']t|could not) be "
    r"(?:answered|told|known|determined|found|inferred|said|established)\b"
    rf"|i (?:do not|don[’']t|can ?not|can[’']t|could not|couldn[’']t) {_HOW}(?:know|tell|say|determine|answer|find|infer)\b"
    r"|there(?: is|[’']s) (?:no|not any|not enough|insufficient) (?:information|mention|answer|indication|way to (?:know|tell))\b"
    r"|(?:no (?:answer|information)|unanswerable|unknown|n/?a|not (?:stated|mentioned|given|known|specified|available|provided))"
    r"(?: (?:is given|can be given|given|available|provided|stated))?(?: (?:in|by|from) the \w+)?\W*$)"
)
# What makes more of a sentence than that it gives no answer.
_GOES_ON = re.compile(
    r"(?i)\b(?:but|however|al?though|though|except|only|while|yet|instead|nevertheless|still|maybe|perhaps|probably|possibly|likely"
    r"|presumably|seems?|suggests?|implie[sd]|appears?|guess)\b"
)
_SENTENCES = re.compile(r"(?<=[.!?;:])\s+|\n+")


class Judged(NamedTuple):
    """What a rule makes of an answer. `f1` is from 0 to 1, the best over the known answers; None where words are not compared."""

    outcome: Outcome
    reason: str
    exact: bool = False
    f1: float | None = None


def judge(outcome: str | None, answer: str | None, choices: Sequence[str], known: KnownAnswer | None) -> Judged | None:
    """A reading's outcome and answer, the choices it was given, what is known of its question. None while it has no outcome."""
    if outcome is None:
        return None
    if known is None:
        return Judged("not_judgeable", "Nothing is known about the right answer.")
    given = answer if outcome == "answered" and answer and answer.strip() else ""
    exact = bool(given) and compared(given) in [compared(one) for one in known.answers]
    says_none = _says_none(given) if given and not choices and not exact else ""
    if not given or says_none == "no more":
        return _abstained(outcome, known.answerable, in_words=bool(given))
    if not known.answerable:
        if says_none:
            return Judged("not_judgeable", "It says that there is no answer, and goes on.")
        return Judged("wrong", "The text does not answer this question, and the reading gave an answer.")
    if not known.answers:
        return Judged("not_judgeable", "The text answers this question, and it is not known how.")
    if choices:
        return _chosen(given, choices, known.answers)
    return _said(given, known.answers, says_none=bool(says_none))


def _abstained(outcome: str, answerable: bool, *, in_words: bool) -> Judged:
    said = "The answer says that there is none" if in_words else "The reading gave no answer"
    if outcome == "over_budget":
        return Judged("not_judgeable", "The budget was used up before there was an answer.")
    if answerable:
        return Judged("abstained_wrong", f"{said}, and the text gives one.")
    return Judged("abstained_right", f"{said}, and the text gives none.")


def _says_none(answer: str) -> Literal["", "no more", "and more"]:
    """Whether an answer says that there is none, and whether it says anything more that may answer."""
    sentences = [_line(one) for one in _SENTENCES.split(answer.strip()) if one.strip()]
    if not sentences or not _NONE_GIVEN.match(sentences[0]):
        return ""
    whole = all(_NONE_GIVEN.match(one) and not _GOES_ON.search(one) for one in sentences)
    return "no more" if whole else "and more"


# Choices


def _chosen(answer: str, choices: Sequence[str], right: Sequence[str]) -> Judged:
    picked = chosen(answer, choices)
    if picked is None:
        return Judged("not_judgeable", "The answer does not name one of the choices, or it names several.")
    letter = chr(65 + picked)
    if _folded(choices[picked]) in {_folded(one) for one in right}:
        return Judged("correct", f"It chose ({letter}), which is right.", exact=True)
    letters = [chr(65 + n) for n, choice in enumerate(choices) if _folded(choice) in {_folded(one) for one in right}]
    others = f"; right is ({'), ('.join(letters)})" if letters else ""
    return Judged("wrong", f"It chose ({letter}){others}.")


def chosen(answer: str, choices: Sequence[str]) -> int | None:
    """Which of the choices an answer names, from 0; None for none, or several.

    In this order: its words and nothing else; its letter and nothing else; a letter that is marked as one; the first letter of
    the answer before a full stop, where no word of another choice follows; the only choice whose words it holds, and does not
    deny.
    """
    answer = _line(written(answer))
    folded = [_folded(choice) for choice in choices]
    if _folded(answer) in folded:
        return folded.index(_folded(answer))
    if (alone := _ALONE.fullmatch(answer)) and _number(alone[1]) < len(choices):
        return _number(alone[1])
    words = [compared(choice) for choice in choices]
    if marked := _marked(answer, len(choices)):
        picked, rest = marked
        return None if _ANOTHER_LETTER.match(rest) or _begins_with_another(compared(rest), words, picked) else picked
    initial = _INITIAL.match(answer)
    if initial and _number(initial[1]) < len(choices):
        picked, rest = _number(initial[1]), answer[initial.end() :]
        of_others = {word for n, its in enumerate(words) if n != picked for word in its} - set(words[picked])
        if holds_at(compared(rest)[: len(words[picked])], words[picked]) or not of_others & set(compared(rest)):
            return picked
    return _by_words(compared(answer), words)


def _marked(answer: str, choices: int) -> tuple[int, str] | None:
    """The letter that an answer marks as its choice, and what follows it."""
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


def _begins_with_another(said: Sequence[str], choices: Sequence[Sequence[str]], picked: int) -> bool:
    """Whether the letter of one choice is followed by the words of another: then it is not clear which is meant."""
    begun = [n for n, its in enumerate(choices) if its and list(said[: len(its)]) == list(its)]
    return bool(begun) and picked not in begun


def _by_words(said: Sequence[str], choices: Sequence[Sequence[str]]) -> int | None:
    held = [n for n, its in enumerate(choices) if any(not _denied(said, at) for at in _places(said, its))]
    # A choice within another one ("ten" in "ten days") is not meant where the longer one is held, too.
    longest = [n for n in held if not any(n != m and holds_at(choices[m], choices[n]) for m in held)]
    return longest[0] if len(longest) == 1 else None


# Free answers


def _said(answer: str, right: Sequence[str], *, says_none: bool) -> Judged:
    said = compared(answer)
    known = {one: compared(one) for one in right}
    best = max(right, key=lambda one: f1(answer, one))
    score = f1(answer, best)
    doubt = "It says that there is no answer, and goes on." if says_none else ""
    for one, its in known.items():
        if said == its:
            return Judged("correct", f"It is the known answer, “{_short(one)}”.", exact=True, f1=1.0)
    for one, its in known.items():
        if its and its[0] in OPPOSITE and len(its) == 1:
            if said[:1] == its and said[1:2] not in (["or"], ["and"]):
                return Judged("correct", f"It begins with the known answer, “{_short(one)}”.", f1=score)
        elif len(its) <= LONGEST_BY_WORDS and (places := _places(said, its)):
            if all(_denied(said, at) for at in places):
                doubt = f"It may deny the known answer, “{_short(one)}”: a “not” or “than” stands before it."
            elif _alternatives(answer, said, one, its):
                doubt = f"It names several alternatives, and the known answer, “{_short(one)}”, is one of them."
            else:
                return Judged("correct", f"It holds the known answer, “{_short(one)}”.", f1=score)
    if doubt:
        return Judged("not_judgeable", doubt, f1=score)
    return _yes_or_no(said, known, score) or _in_part(said, (best, known[best]), score, list(known.values()))


def _yes_or_no(said: Sequence[str], known: dict[str, list[str]], score: float) -> Judged | None:
    """Of a question whose known answer is yes or no; None for another."""
    one = next((one for one, its in known.items() if len(its) == 1 and its[0] in OPPOSITE), None)
    if one is None:
        return None
    if said[:1] == [OPPOSITE[known[one][0]]] and said[1:2] not in (["or"], ["and"]):
        return Judged("wrong", f"It begins with “{said[0]}”, and the known answer is “{_short(one)}”.", f1=score)
    return Judged(
        "not_judgeable", f"The known answer is “{_short(one)}”, and it does not begin with that or its opposite.", f1=score
    )


def _in_part(said: Sequence[str], best: tuple[str, list[str]], score: float, known: Sequence[Sequence[str]]) -> Judged:
    """What the words in common say, where the answer is not held whole. Another number is no part of an answer."""
    one, its = best
    if min(len(words) for words in known) > LONGEST_BY_WORDS:
        told = f"The known answer is too long to be held against word for word (F1 {score:.2f})."
        return Judged("not_judgeable", told, f1=score)
    figures, in_letters = ({word for word in its if kind(word)} for kind in (in_figures, in_words))
    mine, my_letters = ({word for word in said if kind(word)} for kind in (in_figures, in_words))
    if (figures and my_letters and not mine) or (in_letters and mine and not my_letters):
        told = f"One of it and the known answer, “{_short(one)}”, has a number in figures, the other in words (F1 {score:.2f})."
        return Judged("not_judgeable", told, f1=score)
    if (figures and mine and not figures & mine) or (in_letters and my_letters and not in_letters & my_letters):
        return Judged("wrong", f"It has another number than the known answer, “{_short(one)}” (F1 {score:.2f}).", f1=score)
    if score >= PARTLY:
        return Judged("partly", f"It shares words with the known answer, “{_short(one)}” (F1 {score:.2f}).", f1=score)
    return Judged("wrong", f"It is not the known answer, “{_short(one)}” (F1 {score:.2f}).", f1=score)


def f1(answer: str, known: str) -> float:
    """How much two answers have in common, word by word: the harmonic mean of precision and recall, from 0 to 1."""
    said, its = compared(answer), compared(known)
    if not said or not its:
        return float(said == its)
    common = (Counter(said) & Counter(its)).total()
    return 2 * common / (len(said) + len(its))


# Both


def _places(said: Sequence[str], its: Sequence[str]) -> list[int]:
    """Where an answer holds these words. Yes and no only at its beginning: elsewhere they are words of a sentence."""
    places = holds_at(said, its)
    return [at for at in places if at == 0] if len(its) == 1 and its[0] in OPPOSITE else places


def _denied(said: Sequence[str], at: int) -> bool:
    before = said[max(0, at - _DENIED_WITHIN) : at]
    return any(word in _DENYING or word.endswith("n't") for word in before)


def _alternatives(answer: str, said: Sequence[str], one: str, its: Sequence[str]) -> bool:
    """Whether an answer names several alternatives where the known one does not."""
    return ("or" in said and "or" not in its) or bool(_SLASHED.search(_line(answer)) and not _SLASHED.search(one))


def _folded(text: str) -> str:
    return _line(written(text).casefold())


def _line(text: str) -> str:
    return " ".join(text.split())


def _short(text: str) -> str:
    line = _line(text)
    return line if len(line) <= 80 else f"{line[:78]} …"
