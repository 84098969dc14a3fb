"""Scores of answers that choose: accuracy, the letters that LongBench v2 and InfiniteBench read from a reply, and the labels of
BABILong. Pure.

Over everything asked, a choice counts however it is named (`answers.py`), and a reply that names none, or several, is
wrong. As published, LongBench v2 and InfiniteBench each look for a letter in their own way.

BABILong (Kuratov et al. 2024, `babilong/metrics.py`, `compare_answers`): of the reply, lower-cased, only the part before the
first full stop counts; labels that the question names are never the answer; the rest must be only the known label (or, for
several values joined by commas, all of them and no other). The published rule looks for labels as characters, so it finds "one"
in "none" and "no" in "know"; over everything asked they are looked for as words.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from readers.engine.questions.answers import chosen, letter, right_choices
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores import score
from readers.engine.questions.scores.score import NOT_APPLICABLE, Score, Scored, counted_lines, has_whole, same, scored

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
    trap = score.LETTER_OF_A_WORD if not found and bare and bare[2] else score.ONLY_ITS_WORDS
    return scored(_value(answer, known), published, trap)


def infinitebench_choice(answer: str, known: KnownAnswer) -> Scored:
    """As published, in this order: the first character if it is A to D; only the words of the choice; what follows "answer is"
    and the like; the first word that is a run of the letters A to D."""
    if not (right := _right(known)):
        return NOT_APPLICABLE
    labels = (known.choices[right[0]], letter(right[0]))
    return scored(_value(answer, known), float(_infinitebench_right(answer.strip(), labels)), score.FIRST_LETTER)


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
    """1 over the number of classes in the answer, if the right class is among them, without classes that are a part of the right
    one. The classes are the choices. As published, of several such parts not all are set aside."""
    if not (right := _right(known)):
        return NOT_APPLICABLE
    answer = counted_lines(answer, known, _FIRST_LINES)
    wanted = known.choices[right[0]]
    named = [one for one in known.choices if one in answer]
    kept = [one for one in named if one == wanted or one not in wanted]
    return scored(_one_of(wanted, kept), _one_of(wanted, _set_aside(named, wanted)), score.SKIPPED_CLASS)


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


# --- BABILong ------------------------------------------------------------------------------------------------------------

_ROOMS = ("bathroom", "bedroom", "garden", "hallway", "kitchen", "office")
_YES_NO = ("no", "yes")
_WAYS = ("e,e", "e,n", "e,s", "n,e", "n,n", "n,w", "s,e", "s,s", "s,w", "w,n", "w,s", "w,w")
LABELS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("qa1", "qa2", "qa3", "qa4"), _ROOMS),
    "qa5": ("Bill", "Fred", "Jeff", "Mary", "apple", "football", "milk"),
    "qa6": _YES_NO,
    "qa7": ("none", "one", "three", "two"),
    "qa8": ("apple", "football", "milk", "nothing"),
    "qa9": _YES_NO,
    "qa10": ("maybe", "no", "yes"),
    **dict.fromkeys(("qa11", "qa12", "qa13"), _ROOMS),
    "qa14": ("bedroom", "cinema", "kitchen", "office", "park", "school"),
    "qa15": ("cat", "mouse", "sheep", "wolf"),
    "qa16": ("gray", "green", "white", "yellow"),
    "qa17": _YES_NO,
    "qa18": _YES_NO,
    "qa19": _WAYS,
    "qa20": ("bedroom", "bored", "garden", "hungry", "kitchen", "thirsty", "tired"),
}
Says = Callable[[str, str], bool]


def labels_of(known: KnownAnswer) -> tuple[str, ...]:
    """The labels of a question's task: of its field `task`, else the first task's that have the known answer; else none."""
    task = known.field("task")
    if task in LABELS:
        return LABELS[task]
    parts = set(_parts(_target(known)))
    return next((labels for labels in LABELS.values() if parts <= {one.lower() for one in labels}), ())


def babilong(answer: str, known: KnownAnswer) -> Scored:
    """1 if the reply names the known label and no other that the question does not name."""
    labels = labels_of(known) if known.answerable else ()
    if not labels:
        return NOT_APPLICABLE
    said = answer.lower().partition(".")[0]
    for mark in ("<context>", "<example>"):
        said = said.partition(mark)[0]
    wanted = set(_parts(_target(known)))
    folded = [one.lower() for one in labels]

    def right(says: Says) -> float:
        named = {one for one in folded if says(said, one)} - {one for one in folded if says(known.question.lower(), one)}
        return float(named == wanted)

    return scored(right(has_whole), right(str.__contains__), score.LABEL_IN_A_WORD)


def _target(known: KnownAnswer) -> str:
    return (",".join(known.answers) if known.all_required else known.answers[0]).lower()


def _parts(wanted: str) -> list[str]:
    """The values of a known answer; a way of two letters (`e,s`) is one."""
    return wanted.split(",") if "," in wanted and len(wanted) > 3 else [wanted]


_BABILONG = "Kuratov et al. 2024, BABILong, babilong/metrics.py, compare_answers"
_QUALITY = "Pang et al. 2022, QuALITY: the share of questions whose choice is right"
_LONGBENCH_V2 = "Bai et al. 2025, LongBench v2, pred.py, extract_answer"
_LONGBENCH = "Bai et al. 2024, LongBench, metrics.py, classification_score"
_INFINITE = "Zhang et al. 2024, InfiniteBench, src/compute_scores.py, get_score_one_longbook_choice_eng"

CHOICES = (
    Score("accuracy", "Accuracy", _QUALITY, accuracy),
    Score("longbench_v2", "Accuracy (LongBench v2)", _LONGBENCH_V2, longbench_v2),
    Score("infinitebench_choice", "Accuracy (InfiniteBench)", _INFINITE, infinitebench_choice),
    Score("longbench_class", "Classification (LongBench)", _LONGBENCH, longbench_class),
)
BABILONG = Score("babilong", "BABILong's match", _BABILONG, babilong)
