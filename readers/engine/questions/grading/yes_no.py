"""Read yes or no from an answer: from its first word, or from a sentence that affirms or denies what was asked. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from readers.engine.questions.grading.case import Case, Grade, Outcome, denies, finding, folded, sentences, tokens
from readers.engine.questions.grading.word_lists import CONTRARIES, FUNCTION
from readers.engine.text.words import stem, term, terms, words

Reply = Literal["yes", "no"]
_OPPOSITE: dict[Reply, Reply] = {"yes": "no", "no": "yes"}
SAME: dict[str, Reply] = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}
_ANSWER_IS = r"(?i)\W*(?:(?:based on|according to|from) [^,.]{1,40},\W*)?(?:(?:the )?answer(?: is)?\W+)?"
_SOURCE = re.compile(r"(?i)\W*+(?:based on|according to|from) [^,.]{1,40},\W*")
_YES = r"(?:yes|yeah|true|correct|indeed|right|that is (?:right|true|correct))"
_NO = r"(?:no|nope|false|incorrect|wrong|that is not (?:right|true|correct))"
_OPENING: dict[Reply, re.Pattern[str]] = {
    "yes": re.compile(rf"{_ANSWER_IS}{_YES}\b(?!\W+(?:or|and no)\b)"),
    "no": re.compile(rf"{_ANSWER_IS}{_NO}\b(?!\W+(?:or|and yes|one|idea|doubt|answer|information|previous|memory)\b)"),
}
_CLOSING = re.compile(r"(?i)\b(?:so|therefore|thus|hence|answer is|answer:)\W+(?:the answer is\W+)?(yes|no|true|false)\b")
_BEFORE_VERB = r"(?:and|so|well|he|she|it|they|we|both|i think|both of them)"
_VERB = r"(is|are|was|were|did|does|do|has|had|have|can|could)"
_ALONE = re.compile(rf"(?i)\W*(?:{_BEFORE_VERB}\W+)+{_VERB}(n't| not)?\W*")
_UNSURE = re.compile(r"(?i)\b(?:unclear|uncertain|not (?:certain|clear|sure|known)|may|might|perhaps|possibly|partly|depends)\b")
_SAME_SAID = re.compile(r"(?i)\b(?:the same|share[sd]?|in common|alike|both)\b")
_DIFFERENT = re.compile(r"(?i)\b(?:different|differ|differs|neither|unlike|no common|one\b[^.]{3,60}\bthe other|only)\b")
_CONTRAST = re.compile(r"(?i),? (?:while|whereas|but|and|although)\b|[;:]")
_NOT_BOTH = re.compile(r"(?i)\b(?:neither|only one|not both|one of them|only)\b")
_ONE_AND_OTHER = re.compile(r"(?i)\bone\b.{3,60}\b(?:the )?other\b")
_BOTH = re.compile(r"(?i)\bboth\b")
_COVERED, _PARTLY, _SOME, _FEW = 0.75, 0.5, 0.3, 3
_OUTCOME: dict[bool, Outcome] = {True: "correct", False: "wrong"}
_OF_BOTH = re.compile(r"(?i)\band\b.{1,60}\b(?:are|were|have|had|did|do)\b|\bthey\b")
_COMPARISON = re.compile(r"(?i)\b(\w+er|more|less) (?:\w+ )?than ([^?]+)")


def graded(case: Case) -> Grade | None:
    """For a known yes or no: right or wrong by what the answer says, where that can be read; left open otherwise."""
    known = SAME.get(case.known_words[0]) if len(case.known_words) == 1 else None
    if known is None:
        return None
    said, sentence = _opened(case.text), _first_sentence(case.text)
    if said:
        if sentence and any(read(case.question, sentence) == _OPPOSITE[said] for read in _SURE):
            return finding("not_judgeable", f"It says “{said}”, but continues as if it meant the opposite.")
        verb = "is" if said == known else "is the contrary of"
        return finding(
            _OUTCOME[said == known], f"It says “{said}”, which {verb} the known answer, {case.shown}.", certainty="certain"
        )
    reply = next((found for read in _READINGS if sentence and (found := read(case.question, sentence))), None)
    if reply:
        return finding(_OUTCOME[reply == known], f"Its sentence amounts to “{reply}”, and the known answer is {case.shown}.")
    return finding("not_judgeable", f"The known answer is {case.shown}, and no rule reads that or its opposite from the answer.")


def _opened(text: str) -> Reply | None:
    """Yes or no, explicitly, at the beginning or as a conclusion."""
    for reply, pattern in _OPENING.items():
        if pattern.match(text):
            return reply
    found = _CLOSING.search(text)
    return SAME[found[1].lower()] if found else None


def _first_sentence(text: str) -> str:
    """The first sentence, without yes or no and without where it is from; empty if it is unsure."""
    for pattern in (*_OPENING.values(), _SOURCE):
        if found := pattern.match(text):
            text = text[found.end() :].lstrip(" ,.;:-–—")
    there = sentences(text)
    return "" if not there or _UNSURE.search(text) else there[0]


def _of_verb(question: str, sentence: str) -> Reply | None:
    """For a sentence that is no more than a verb: "She did not." """
    found = _ALONE.fullmatch(sentence)
    return None if found is None else "no" if found[2] else "yes"


def _of_same(question: str, sentence: str) -> Reply | None:
    """For questions whether two are the same: "different", "the same", or two different values side by side."""
    if not re.search(r"(?i)\b(?:same|common|share)\b", question):
        return None
    if _DIFFERENT.search(sentence):
        return "no"
    if _SAME_SAID.search(sentence):
        return "no" if _negated(sentence) else "yes"
    return "no" if _contrasted(question, sentence) else None


def _of_both(question: str, sentence: str) -> Reply | None:
    """For questions about both: "both" affirms, "neither" and "only" deny, and so do two different statements about them."""
    if not _BOTH.search(question) and not re.match(r"(?i)(?:are|were) [^?]+ and ", question):
        return None
    if _NOT_BOTH.search(sentence):
        return "no" if len(words(sentence)) <= _FEW or _content(sentence) & _content(question) else None
    if _BOTH.search(sentence):
        if _negated(sentence):
            return "no"
        return "yes" if _covers(sentence, question, _SOME) and _about_the_same(sentence, question) else None
    return "no" if _ONE_AND_OTHER.search(sentence) or _contrasted(question, sentence) else None


def _of_comparison(question: str, sentence: str) -> Reply | None:
    """For "Is X older than Y?": "Y is older" denies it."""
    asked = _COMPARISON.search(question)
    if asked is None or _negated(sentence):
        return None
    there, other = [token.folded for token in tokens(sentence)], list(folded(asked[2]))
    return "no" if other and there[: len(other)] == other and asked[1].casefold() in there else None


def _of_statement(question: str, sentence: str) -> Reply | None:
    """For any question: a sentence that says again what was asked affirms it, and with a "not" denies it."""
    sentence = sentence.partition(";")[0]
    if _contrary(question, sentence):
        return "no"
    if not _about_the_same(sentence, question):
        return None
    if _negated(sentence):
        return "no" if _covers(sentence, question, _PARTLY) else None
    if _BOTH.search(question) and not _OF_BOTH.search(sentence):
        return None
    return "yes" if _covers(sentence, question, _COVERED) and _objects(question) <= set(words(sentence)) else None


def _objects(question: str) -> set[str]:
    """The names at the end of a question, of which something is asked ("at Sill")."""
    there = words(question)
    last = max((n for n, word in enumerate(there) if word.islower() and word not in FUNCTION), default=0)
    return {word for word in there[last + 1 :] if word[:1].isupper()} if last else set()


# Each reads a reply from the question and a sentence, or None; the first that reads one decides. The sure ones outweigh a "yes".
_SURE: tuple[Callable[[str, str], Reply | None], ...] = (_of_same, _of_both)
_READINGS = (_of_verb, *_SURE, _of_comparison, _of_statement)


def _contrasted(question: str, sentence: str) -> bool:
    """Whether the two things asked about are on either side of a contrast, with a different statement about each."""
    sides = [side for side in _CONTRAST.split(sentence) if side.strip()]
    if len(sides) < 2 or not re.search(r"(?i)\b(?:while|whereas|but)\b|;", sentence):
        return False
    asked = {term for word in words(question) if word[:1].isupper() for term in terms(word)}
    first, last = (set(terms(side)) for side in (sides[0], sides[-1]))
    return bool(first & asked) and bool(last & asked - first or {"other", "not"} & last or last - first)


def _about_the_same(sentence: str, question: str) -> bool:
    """Whether a sentence is about those that are asked about: by a pronoun, or by all but one of the words of their names."""
    if re.match(r"(?i)\W*+(?:(?:yes|no)\W*+)?(?:they|both|neither|he|she|it|the two|one)\b", sentence):
        return True
    asked = {word for word in words(question)[1:] if word[:1].isupper()}
    return not asked or len(asked - set(words(sentence))) <= min(1, len(asked) - 1)


def _contrary(question: str, sentence: str) -> bool:
    """Whether the sentence has the contrary of a word of the question in its place."""
    asked, said = set(terms(question)), set(terms(sentence))
    both = [pair for one, other in CONTRARIES for pair in ((one, other), (other, one))]
    return any(one in asked - said and other in said - asked for one, other in both)


def _negated(sentence: str) -> bool:
    return any(denies(word) for word in words(sentence) if word.casefold() != "than")


def _content(text: str) -> set[str]:
    """What a text says about its subjects: its weighty words without names."""
    found = words(text)
    there = found[:1] + [word for word in found[1:] if not word[:1].isupper()]
    return {stem(word) for word in there if term(word) not in FUNCTION}


def _covers(sentence: str, question: str, share: float) -> bool:
    """Whether a sentence has at least this share of what the question says; of a few words, all."""
    asked = _content(question)
    said = set(map(stem, words(sentence)))
    missing = len(asked - said)
    return missing <= (1 - share) * len(asked) and (share < _COVERED or missing == 0 or len(asked) > _FEW)
