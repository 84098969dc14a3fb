"""The sample texts that come with Palimpsest, their questions and what is known of the answers. Pure, no Streamlit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from readers.engine.questions.question_set import SetQuestion
from readers.engine.text.document import Document, Span

FOLDER = Path(__file__).parents[2] / "assets" / "samples"
_ORDER = ("story", "report", "articles")


@dataclass(frozen=True)
class Known:
    """What is known of a question of a sample, or of a question set: the right answers, each by itself, and where the text gives
    them. Both are empty where it does not answer the question."""

    question: str
    choices: tuple[str, ...]
    answers: tuple[str, ...]
    evidence: tuple[Span, ...]
    answerable: bool = True

    @classmethod
    def of(cls, asked: SetQuestion) -> Known | None:
        """What a question set knows of a question; None where it does not know whether the text answers it."""
        if asked.answerable is None:
            return None
        return cls(asked.question, asked.choices, asked.answers, asked.evidence, asked.answerable)

    @property
    def answer(self) -> str | None:
        """The right answers as they are shown; None where the text gives none."""
        if not self.answerable:
            return None
        return " / ".join(self.answers) or "The text answers this question; it is not known how."


@dataclass(frozen=True)
class Sample:
    document: Document
    about: str
    questions: tuple[Known, ...]

    def known(self, question: str) -> Known | None:
        """What is known of a question, if it is one of this text's own."""
        return next((known for known in self.questions if known.question == question.strip()), None)


@cache
def samples() -> tuple[Sample, ...]:
    """All of them, the story first."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))]
    return tuple(_sample(data) for data in sorted(found, key=lambda data: _ORDER.index(data["kind"])))


def sample_of(document: str) -> Sample | None:
    """The sample whose text has this id."""
    return next((sample for sample in samples() if sample.document.id == document), None)


def found_by(reading: Sequence[Span], known: Sequence[Span]) -> int:
    """How many of the known places a reading's evidence overlaps."""
    return sum(any(a.start < b.end and b.start < a.end for a in reading) for b in known)


def _sample(data: dict[str, object]) -> Sample:
    text = (FOLDER / str(data["text"])).read_text(encoding="utf-8")
    questions = data["questions"]
    assert isinstance(questions, list)
    return Sample(Document.of(text, title=str(data["title"])), str(data["about"]), tuple(map(_known, questions)))


def _known(data: dict[str, object]) -> Known:
    evidence, choices, answer = data["evidence"], data["choices"], data["answer"]
    assert isinstance(evidence, list)
    assert isinstance(choices, list)
    spans = tuple(Span(place["start"], place["end"]) for place in evidence)
    answers = () if answer is None else (str(answer),)
    return Known(str(data["question"]), tuple(map(str, choices)), answers, spans, answerable=bool(answers))
