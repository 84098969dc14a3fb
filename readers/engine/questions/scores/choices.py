"""Scores of answers that choose: accuracy, and the letters that LongBench v2 and InfiniteBench read out of a reply. Pure.

Over everything asked, a choice counts however it is named (`answers.py`), and a reply that names none, or several, is
wrong. As published, LongBench v2 and InfiniteBench each look for a letter in their own way.
"""

from __future__ import annotations

import re

from readers.engine.questions.answers import chosen, letter, right_choices
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores.score import (
    FIRST_LETTER,
    LETTER_OF_A_WORD,
    NOT_APPLICABLE,
    ONLY_ITS_WORDS,
    SKIPPED_CLASS,
    Score,
    Scored,
    same,
    scored,
)
from readers.engine.questions.scores.words import counted_lines

_IN_BRACKETS, _BARE = re.compile(r"The correct answer is \(([A-D])\)"), re.compile(r"The correct answer is ([A-D])(\w?)")
_BLANKED = str.maketrans(dict.fromkeys("\n\"'.,?!{}", " "))
_BEFORE_LETTER = ("answer is:", "answer:", "answer is", "option is")
_FIRST_LINES = ("trec", "lsht")  # LongBench's tasks of which only the first line of a reply counts


def _right(known: KnownAnswer) -> list[int]:
    """The indices of the right choices; empty where the score does not apply."""
    return right_choices(known.choices, known.answers) if known.answerable else []


def _value(answer: str, known: KnownAnswer) -> float:
    return float(chosen(answer, known.choices) in _right(known))


def accuracy(answer: str, known: KnownAnswer) -> Scored:
    """1 if the answer names the right choice by its letter or its words, and no other."""
    return same(_value(answer, known)) if _right(known) else NOT_APPLICABLE


def longbench_v2(answer: str, known: KnownAnswer) -> Scored:
    """As published: the letter after "The correct answer is", in brackets or not; a reply without these words is wrong."""
    if not (right := _right(known)):
        return NOT_APPLICABLE
    said = answer.replace("*", "")
    found, bare = _IN_BRACKETS.search(said), _BARE.search(said)
    named = found[1] if found else bare[1] if bare else ""
    published = float(named in [letter(n) for n in right])
    trap = LETTER_OF_A_WORD if not found and bare and bare[2] else ONLY_ITS_WORDS
    return scored(_value(answer, known), published, trap)


def infinitebench_choice(answer: str, known: KnownAnswer) -> Scored:
    """As published, in this order: the first character if it is A to D; the words of the choice alone; what follows "answer is"
    and the like; the first word that is a run of the letters A to D."""
    if not (right := _right(known)):
        return NOT_APPLICABLE
    labels = (known.choices[right[0]], letter(right[0]))
    return scored(_value(answer, known), float(_infinitebench_right(answer.strip(), labels)), FIRST_LETTER)


def _infinitebench_right(said: str, labels: tuple[str, str]) -> bool:
    if not said or said[0] in "ABCD":
        return said[:1] in labels
    if said in labels:
        return True
    said = re.sub(" {2,}", " ", said.translate(_BLANKED))
    for words in _BEFORE_LETTER:
        if words in said:
            after = said[said.index(words) + len(words) + 1 :]
            return bool(after) and after.startswith(labels)
    return next((word in labels for word in said.split() if word in "ABCD"), False)


def longbench_class(answer: str, known: KnownAnswer) -> Scored:
    """1 over the number of classes that stand in the answer, if the right one is among them, without those that are a part of the
    right one. The classes are the choices. As published, of several such parts not all are set aside."""
    if not (right := _right(known)):
        return NOT_APPLICABLE
    answer = counted_lines(answer, known, _FIRST_LINES)
    wanted = known.choices[right[0]]
    named = [one for one in known.choices if one in answer]
    kept = [one for one in named if one == wanted or one not in wanted]
    return scored(_one_of(wanted, kept), _one_of(wanted, _set_aside(named, wanted)), SKIPPED_CLASS)


def _one_of(wanted: str, named: list[str]) -> float:
    return 1 / len(named) if wanted in named else 0.0


def _set_aside(named: list[str], wanted: str) -> list[str]:
    """The classes without parts of the right one. The published loop goes past the class that follows one it took out."""
    kept, at = list(named), 0
    while at < len(kept):
        if kept[at] != wanted and kept[at] in wanted:
            del kept[at]
        at += 1
    return kept


_QUALITY = "Pang et al. 2022, QuALITY: the share of questions whose choice is right"
_LONGBENCH_V2 = "Bai et al. 2025, LongBench v2, pred.py, extract_answer"
_LONGBENCH = "Bai et al. 2024, LongBench, metrics.py, classification_score"
_INFINITE = "Zhang et al. 2024, InfiniteBench, src/compute_scores.py, get_score_one_longbook_choice_eng"

CHOICES = (
    Score("accuracy", "Accuracy", _QUALITY, accuracy, binary=True),
    Score("longbench_v2", "Accuracy (LongBench v2)", _LONGBENCH_V2, longbench_v2, binary=True),
    Score("infinitebench_choice", "Accuracy (InfiniteBench)", _INFINITE, infinitebench_choice, binary=True),
    Score("longbench_class", "Classification (LongBench)", _LONGBENCH, longbench_class),
)
