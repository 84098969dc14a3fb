"""What is known about the answer to a question: from a question set, or from a sample text that comes with its own questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readers.engine.questions.question_set import QuestionField, SetQuestion
from readers.engine.text.document import Span


@dataclass(frozen=True)
class KnownAnswer:
    """The right answers to a question, each on its own (or with `all_required` only together), and where the text gives them.

    Both are empty if the text does not answer the question (`answerable` is False), or if nobody recorded them. `distractors` are
    places that speak for a wrong answer; `fields` is what else the question's file says of it.
    """

    question: str = ""
    choices: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    evidence: tuple[Span, ...] = ()
    answerable: bool = True
    all_required: bool = False
    distractors: tuple[Span, ...] = ()
    fields: tuple[QuestionField, ...] = ()

    @classmethod
    def of(cls, asked: SetQuestion) -> KnownAnswer | None:
        """What a question set knows about a question; None where it does not know whether the text answers it."""
        if asked.answerable is None:
            return None
        return cls(
            asked.question, asked.choices, asked.answers, asked.evidence,
            asked.answerable, asked.all_required, asked.distractors, asked.fields,
        )  # fmt: skip

    def field(self, name: str) -> str:
        """The value of a field; empty if the question's file has none of this name."""
        return next((one.value for one in self.fields if one.name == name), "")

    @property
    def answer(self) -> str | None:
        """The right answers in one line, for display; None where the text gives none."""
        if not self.answerable:
            return None
        return (" + " if self.all_required else " / ").join(
            self.answers
        ) or "The text answers this question; it is not known how."


def found_by(evidence: Sequence[Span], known: Sequence[Span]) -> int:
    """How many of the known places the evidence of a reading overlaps."""
    return sum(any(a.start < b.end and b.start < a.end for a in evidence) for b in known)
