"""The sample texts that come with Palimpsest, their questions and what is known of the answers. Pure, no Streamlit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.text.document import Document, Span

FOLDER = Path(__file__).parents[2] / "assets" / "samples"
_ORDER = ("story", "report", "articles")


@dataclass(frozen=True)
class SampleText:
    """A sample text. `questions` are in the order of its file, which recordings count; `offered` begins with those that show
    most: one that the first reader answers rightly with the offline model, then one on which it goes wrong. `watched` are the
    options with which each reader is best watched, by the reader's id."""

    document: Document
    about: str
    questions: tuple[KnownAnswer, ...]
    offered: tuple[KnownAnswer, ...]
    watched: Mapping[str, Mapping[str, Any]]

    def known(self, question: str) -> KnownAnswer | None:
        """What is known of a question, if it is one of this text's own."""
        return next((known for known in self.questions if known.question == question.strip()), None)


@cache
def samples() -> tuple[SampleText, ...]:
    """All of them, the story first."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))]
    return tuple(_sample(data) for data in sorted(found, key=lambda data: _ORDER.index(data["kind"])))


def sample_of(document: str) -> SampleText | None:
    """The sample of this text."""
    return next((sample for sample in samples() if sample.document.id == document), None)


def _sample(data: Mapping[str, Any]) -> SampleText:
    text = (FOLDER / str(data["text"])).read_text(encoding="utf-8")
    known = {str(question["id"]): _known(question) for question in data["questions"]}
    first = [known[question_id] for question_id in data["first"]]
    offered = (*first, *(question for question in known.values() if question not in first))
    document = Document.of(text, title=str(data["title"]))
    return SampleText(document, str(data["about"]), tuple(known.values()), offered, data["watched"])


def _known(data: Mapping[str, Any]) -> KnownAnswer:
    answer = data["answer"]
    spans = tuple(Span(place["start"], place["end"]) for place in data["evidence"])
    answers = () if answer is None else (str(answer),)
    return KnownAnswer(str(data["question"]), tuple(map(str, data["choices"])), answers, spans, answerable=bool(answers))
