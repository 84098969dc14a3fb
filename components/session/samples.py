"""The sample texts that come with Palimpsest, their questions and what is known of the answers. Pure, no Streamlit."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.text.document import Document, Span

FOLDER = Path(__file__).parents[2] / "assets" / "samples"
_ORDER = ("story", "report", "articles")


@dataclass(frozen=True)
class Sample:
    document: Document
    about: str
    questions: tuple[KnownAnswer, ...]

    def known(self, question: str) -> KnownAnswer | None:
        """What is known of a question, if it is one of this text's own."""
        return next((known for known in self.questions if known.question == question.strip()), None)


@cache
def samples() -> tuple[Sample, ...]:
    """All of them, the story first."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))]
    return tuple(_sample(data) for data in sorted(found, key=lambda data: _ORDER.index(data["kind"])))


def sample_of(document: str) -> Sample | None:
    """The sample of this text."""
    return next((sample for sample in samples() if sample.document.id == document), None)


def _sample(data: dict[str, object]) -> Sample:
    text = (FOLDER / str(data["text"])).read_text(encoding="utf-8")
    questions = data["questions"]
    assert isinstance(questions, list)
    return Sample(Document.of(text, title=str(data["title"])), str(data["about"]), tuple(map(_known, questions)))


def _known(data: dict[str, object]) -> KnownAnswer:
    evidence, choices, answer = data["evidence"], data["choices"], data["answer"]
    assert isinstance(evidence, list)
    assert isinstance(choices, list)
    spans = tuple(Span(place["start"], place["end"]) for place in evidence)
    answers = () if answer is None else (str(answer),)
    return KnownAnswer(str(data["question"]), tuple(map(str, choices)), answers, spans, answerable=bool(answers))
