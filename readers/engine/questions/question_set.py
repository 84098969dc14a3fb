"""A set of questions with what is known about the answers: correct answers, choices, and evidence in the text.

Values only. Reading question files is in `import_questions.py`, storage in `store/question_sets.py`, grading in `grading/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from readers.engine.canonical import canonical, digest, encodable
from readers.engine.text.document import Document, Span

LONGEST_NAME = 120
BENCHMARK, SCORES = "benchmark", "scores"  # fields of every question of a benchmark


class QuestionField(NamedTuple):
    """Something else that a question's file says of it, such as its `type` or `difficult`, to filter and count by. `value` is
    words; true and false are written so, numbers as JSON writes them."""

    name: str
    value: str


@dataclass(frozen=True)
class SetQuestion:
    """A question of a set. `document` is the id of its text; `answers` are the alternative correct answers; with
    `all_required` they are values that a correct answer has all of.

    `answerable` is False if the text does not give the answer, None if that is unknown. `key` is the id in its file, and need not
    be unique. `distractors` are places that speak for a wrong answer.
    """

    key: str
    document: str
    question: str
    choices: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    answerable: bool | None = None
    evidence: tuple[Span, ...] = ()
    note: str = ""
    all_required: bool = False
    distractors: tuple[Span, ...] = ()
    fields: tuple[QuestionField, ...] = ()

    def known(self) -> dict[str, Any]:
        """Everything except the question, its key and its document, as JSON data."""
        return {
            "choices": list(self.choices), "answers": list(self.answers), "answerable": self.answerable,
            "evidence": [list(span) for span in self.evidence], "note": self.note,
            **({"all_required": True} if self.all_required else {}),
            **({"distractors": [list(span) for span in self.distractors]} if self.distractors else {}),
            **({"fields": [list(one) for one in self.fields]} if self.fields else {}),
        }  # fmt: skip

    @classmethod
    def of(cls, key: str, document: str, question: str, known: Mapping[str, Any]) -> SetQuestion:
        """The question of this `known()` data."""
        return cls(
            key, document, question, tuple(known["choices"]), tuple(known["answers"]), known["answerable"],
            tuple(Span(*span) for span in known["evidence"]), known["note"], known.get("all_required", False),
            tuple(Span(*span) for span in known.get("distractors", ())),
            tuple(QuestionField(*one) for one in known.get("fields", ())),
        )  # fmt: skip


@dataclass(frozen=True)
class QuestionSet:
    """Questions in order, and the texts that came with them; other texts are in the library. Two sets with the same questions
    have the same id."""

    name: str
    questions: tuple[SetQuestion, ...]
    documents: tuple[Document, ...] = ()
    note: str = ""

    @cached_property
    def id(self) -> str:
        """The first 10 hex digits of the hash of its questions, computed once; the name does not count."""
        return digest(canonical([[one.key, one.document, one.question, one.known()] for one in self.questions]))[:10]


def set_name(name: str) -> str:
    """A name as it is stored: one line, at most 120 characters."""
    return "".join(c for c in " ".join(encodable(name).split()) if c.isprintable())[:LONGEST_NAME].strip()
