"""One known answer held against one free answer, and what a rule finds. Values only."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from readers.engine.questions.grading.grade import Certainty, Outcome
from readers.engine.questions.grading.mentions import folded, plain, tokens
from readers.engine.questions.normalise_answer import comparable_words
from readers.engine.text.shorten import shorten

_BRACKETS = re.compile(r"(?<!\s)\s*+\([^()]*\)\s*$")  # "The Ferry (1950)"
_CLAUSE = re.compile(r"(?<=\w), (?:who|which|whose|where|when|the|an?|in|as|at|to)\b[^,]*$")  # "Ada Orr, the botanist"
_LONGEST_START, _LONGEST_END = 3_000, 1_000  # characters of an answer that rules look at


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
