"""BABILong's score: the label of its task that a reply names, and no other. Pure.

Kuratov et al. 2024, `babilong/metrics.py`, `compare_answers`: of the reply, lower-cased, what stands before the first full stop
counts; labels that the question names are never the answer; the rest must be the known label alone (or, of several values joined
by commas, all of them and no other). The published rule looks for labels as characters, so that "one" stands in "none" and "no"
in "know"; over everything asked they are looked for as words.
"""

from __future__ import annotations

from collections.abc import Callable

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores.score import LABEL_IN_A_WORD, NOT_APPLICABLE, Score, Scored, scored
from readers.engine.questions.scores.words import has_whole

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

    return scored(right(has_whole), right(str.__contains__), LABEL_IN_A_WORD)


def _target(known: KnownAnswer) -> str:
    return (",".join(known.answers) if known.all_required else known.answers[0]).lower()


def _parts(wanted: str) -> list[str]:
    """The values of a known answer; a way of two letters (`e,s`) is one."""
    return wanted.split(",") if "," in wanted and len(wanted) > 3 else [wanted]


_SOURCE = "Kuratov et al. 2024, BABILong, babilong/metrics.py, compare_answers"

BABILONG = (Score("babilong", "BABILong's match", _SOURCE, babilong, binary=True),)
