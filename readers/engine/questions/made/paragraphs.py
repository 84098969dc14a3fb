"""Questions over titled paragraphs, and pools of paragraphs that distract from them, out of question files and texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from readers.engine.ingest import MAX_BYTES
from readers.engine.questions.benchmarks.recognise import QuestionFile, questions, recognised
from readers.engine.questions.benchmarks.shape import Asked, has, objects, strings, tidy
from readers.engine.questions.files import rows
from readers.engine.questions.question_fields import ANSWERS, QUESTION, first_of, other_fields
from readers.engine.questions.question_importer import KNOWN
from readers.engine.text import split, tokens
from readers.engine.text.document import Document, Span

LEAST_PARAGRAPH = 200  # characters of a text's paragraph that can distract


@dataclass(frozen=True)
class Paragraph:
    """A titled paragraph as it will stand in a text; `evidence` are places in `words` that support the answer."""

    words: str
    evidence: tuple[Span, ...] = ()

    @cached_property
    def tokens(self) -> int:
        return tokens.count(self.words)


@dataclass(frozen=True)
class ParagraphQuestion:
    """A question whose text is a list of paragraphs. `fields` are the short ones of its row."""

    key: str
    question: str
    answers: tuple[str, ...]
    paragraphs: tuple[Paragraph, ...]
    fields: tuple[tuple[str, str], ...] = ()


def paragraph_questions(files: Sequence[QuestionFile]) -> Iterator[ParagraphQuestion]:
    """The questions of these files that have paragraphs, at least one of them marked, and an answer. Raises BadFile."""
    for number, fields in enumerate(_rows(files), start=1):
        paragraphs = tuple(_paragraph(one) for one in objects(fields.get("paragraphs")) if has(one, text=str))
        asked, answers = first_of(fields, QUESTION), strings(first_of(fields, ANSWERS))
        if isinstance(asked, str) and answers and any(one.evidence for one in paragraphs):
            key = fields.get("id")
            named = str(key) if isinstance(key, str | int) else str(number)
            yield ParagraphQuestion(named, asked.strip(), tuple(answers), paragraphs, other_fields(fields, KNOWN))


def _rows(files: Sequence[QuestionFile]) -> Iterator[dict[str, Any]]:
    published, own = recognised(files, lambda name: None)
    yield from (read.found.fields for read in questions(published) if isinstance(read.found, Asked))
    for file in own:
        with file.opened() as stream:
            data = stream.read(MAX_BYTES + 1)
        yield from (row.fields for row in rows(data, file.name))


def _paragraph(given: Any) -> Paragraph:
    """The title and the text of a paragraph; its supporting sentences, or all of it, if it is marked as supporting."""
    title, text = given.get("title"), tidy(given["text"])
    head = f"{tidy(title)}\n" if isinstance(title, str) and title.strip() else ""
    if given.get("is_supporting") is not True:
        return Paragraph(head + text)
    sentences = [one for one in map(tidy, strings(given.get("supporting_sentences"))) if one in text]
    starts = [(len(head) + text.find(one), len(one)) for one in sentences or [text]]
    return Paragraph(head + text, tuple(Span(start, start + size) for start, size in starts))


def text_paragraphs(documents: Iterable[Document]) -> Iterator[Paragraph]:
    """The paragraphs of ordinary texts that are long enough to distract."""
    for document in documents:
        for start, end in split.paragraphs(document.text):
            words = document.text[start:end].strip()
            if len(words) >= LEAST_PARAGRAPH:
                yield Paragraph(words)
