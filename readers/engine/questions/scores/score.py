"""What a score is: its name, its source, its range, and a pure function of one answer and what is known about it.

A score is given twice. As *published*, it keeps the rule of the published scorer to the letter, with the traps of that rule; None
where that scorer leaves the question out of its denominator. Its *value* is over everything asked: an empty reply counts 0, and
what a trap alone counted as right does not. Both are None where the score does not apply, as where nobody knows the answer.
Where the two differ, the traps that made the difference are named in words. Values only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from readers.engine.questions.known_answer import KnownAnswer

# Traps, as they are shown.
EMPTY_DROPPED = "an empty reply is left out of the denominator"
PART_OF_KNOWN = "a prediction that is part of the known answer counts as right"
NO_WORDS_RIGHT = "a prediction of articles and punctuation alone counts as right"
KNOWN_NO_WORDS = "a known answer of articles alone stands in every prediction"
FIRST_ONLY = "only the first known answer counts"
INSIDE_A_WORD = "the known answer counts where it is only part of another word"
ROUNDED = "each question is rounded to two decimals before the mean"
ONLY_BOXED = "the answer counts only in the last box, and only if that is closed"
ONLY_AFTER_ITS_WORDS = "the answer counts only after the last “the answer is”"
ONLY_ITS_WORDS = "the letter counts only after the very words “The correct answer is”"
LETTER_OF_A_WORD = "a capital A to D that begins a word counts as the letter of a choice"
FIRST_LETTER = "the first capital A to D of a reply counts as the letter of a choice"
LABEL_IN_A_WORD = "a label that is part of another word counts as named (“one” in “none”)"
ONE_WORD_ONLY = "a known answer of several words cannot be matched"
CAPITALS = "the known answer must be a word of the reply as typed, capitals and all"
FIRST_NUMBER = "only the first number of a reply counts"
ASCII_ONLY = "letters other than a to z are dropped, and break a word in two"
AS_TYPED = "words are compared as typed, with capitals and punctuation"
DISTINCT_WORDS = "a word counts once, however often it is said"
SKIPPED_CLASS = "of two classes that are parts of a third, only the first is set aside"
UNRATED_DROPPED = "an answer whose rating could not be read is left out of the denominator"


class Scored(NamedTuple):
    """The score of one answer over everything asked, as published, and the traps that make the two differ."""

    value: float | None
    published: float | None
    traps: tuple[str, ...] = ()


NOT_APPLICABLE = Scored(None, None)


def scored(value: float, published: float | None, *traps: str) -> Scored:
    """A score whose traps are named only if they make a difference."""
    return Scored(float(value), published, traps if published is None or abs(value - published) > 1e-12 else ())


def same(value: float) -> Scored:
    """A score that is the same over everything asked as published."""
    return Scored(float(value), float(value))


Scoring = Callable[[str, KnownAnswer], Scored]


class Taking(NamedTuple):
    """How a published scorer takes the answer from a model's whole reply, None where there is none; and the trap of that."""

    rule: Callable[[str], str | None]
    trap: str


@dataclass(frozen=True)
class Score:
    """A score. `source` names the paper and the function whose rule it keeps; `binary` scores are 0 or 1 and nothing between.
    With `taking`, the published scorer sees the whole last reply, not the answer that the reader took from it."""

    name: str
    title: str
    source: str
    rule: Scoring
    binary: bool = False
    range: tuple[float, float] = (0.0, 1.0)
    taking: Taking | None = None

    def of(self, answer: str | None, known: KnownAnswer | None, *, reply: str | None = None) -> Scored:
        """The score of an answer; None is a reading that gave none. Nothing applies where nothing is known. `reply` is the
        reply that the answer was taken from, if it is known."""
        if known is None or (known.answerable and not known.answers):
            return NOT_APPLICABLE
        found = self.rule(answer or "", known)
        if self.taking is None or found.value is None or not answer:
            return found
        taken = self.taking.rule((reply or answer).strip())
        published, traps = (self.rule(taken, known)[1:]) if taken else (0.0, ())
        return scored(found.value, published, *(traps or (self.taking.trap,)))
