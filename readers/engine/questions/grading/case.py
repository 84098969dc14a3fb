"""A grade by rule, with the one wording in which it is shown; and the case that a rule decides: one answer, one known answer.

Values only. Not here: the rules (`by_rule.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from readers.engine.questions.grading.mentions import folded, plain, tokens
from readers.engine.questions.normalise_answer import comparable_words
from readers.engine.text.shorten import shorten

_BRACKETS = re.compile(r"(?<!\s)\s*+\([^()]*\)\s*$")  # "The Ferry (1950)"
_CLAUSE = re.compile(r"(?<=\w), (?:who|which|whose|where|when|the|an?|in|as|at|to)\b[^,]*$")  # "Ada Orr, the botanist"
_LONGEST_START, _LONGEST_END = 3_000, 1_000  # characters of an answer that rules look at

Outcome = Literal["correct", "partly", "wrong", "abstained_right", "abstained_wrong", "not_judgeable"]
Certainty = Literal["certain", "likely"]

CANNOT_TELL = "cannot be told by rule"
WORDS: dict[Outcome, str] = {
    "correct": "right",
    "partly": "partly right",
    "wrong": "wrong",
    "abstained_right": "right: no answer given",
    "abstained_wrong": "wrong: no answer given",
    "not_judgeable": CANNOT_TELL,
}


class Grade(NamedTuple):
    """The grade of an answer by rule: a suggestion. `certainty` is *likely* where the rule reads sentences or holds unlike words
    together. `f1`, from 0 to 1, is the best over the known answers; None if words are not compared."""

    outcome: Outcome
    reason: str
    exact: bool = False
    f1: float | None = None
    certainty: Certainty = "certain"

    @property
    def suggested(self) -> Outcome | None:
        """The outcome; None where the rule cannot tell."""
        return None if self.outcome == "not_judgeable" else self.outcome

    @property
    def sure(self) -> Literal["certain", "likely", "open"]:
        """How sure the rule is; *open* where it cannot tell."""
        return self.certainty if self.suggested else "open"

    @property
    def words(self) -> str:
        """The suggestion as it is shown everywhere, such as *right* or *likely wrong*."""
        likely = self.certainty == "likely" and self.outcome != "not_judgeable"
        return f"likely {WORDS[self.outcome]}" if likely else WORDS[self.outcome]


class Finding(NamedTuple):
    """What a rule says of an answer, and how sure it is."""

    outcome: Outcome
    reason: str
    certainty: Certainty = "likely"


@dataclass(frozen=True)
class Case:
    """An answer, the question, and one of its known answers."""

    answer: str
    question: str
    known: str

    @cached_property
    def text(self) -> str:
        """The answer without accents; of a very long one its beginning and end."""
        answer = self.answer
        if len(answer) > _LONGEST_START + _LONGEST_END:
            answer = f"{answer[:_LONGEST_START]}\n{answer[-_LONGEST_END:]}"
        return plain(answer)

    @cached_property
    def words(self) -> list[str]:
        return comparable_words(self.text)

    @cached_property
    def known_words(self) -> list[str]:
        return comparable_words(plain(self.known))

    @cached_property
    def value(self) -> tuple[str, ...]:
        """The known answer as the words that mentions are looked for by."""
        return folded(self.bare)

    @property
    def bare(self) -> str:
        """The known answer without what it has in brackets or in a clause at its end."""
        return _CLAUSE.sub("", _BRACKETS.sub("", self.known)).strip() or self.known

    @cached_property
    def question_words(self) -> frozenset[str]:
        return frozenset(token.folded for token in tokens(plain(self.question)))

    @property
    def shown(self) -> str:
        """The known answer as it is quoted in a reason."""
        return f"“{shorten(self.known, 80)}”"

    @property
    def short(self) -> bool:
        """Whether the answer is hardly more than a value."""
        return len(self.words) <= max(4, len(self.known_words) + 3)
