"""Length sweeps in RULER's manner: a question's paragraphs among others, in texts of 7K, 14K ... 3.5M tokens.

As in RULER's question answering (github.com/NVIDIA/RULER, `scripts/data/synthetic/qa.py`) each paragraph is a numbered document,
and their order is random. A longer text of a question has the distractors of its shorter ones and more. All is decided by the
seed. A distractor is never a paragraph of the question itself; how many contain an answer word for word is on record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from readers.engine.errors import BadOptions
from readers.engine.ingest import MAX_BYTES
from readers.engine.questions.benchmarks.recognise import QuestionFile, questions, recognised
from readers.engine.questions.benchmarks.shape import has, objects, strings, tidy
from readers.engine.questions.files import rows
from readers.engine.questions.made import Made, in_seeded_order
from readers.engine.questions.question_fields import ANSWERS, QUESTION, first_of, other_fields
from readers.engine.questions.question_importer import KNOWN
from readers.engine.text import split, tokens
from readers.engine.text.document import Document, Span

LENGTHS = tuple(7_000 * 2**doubled for doubled in range(10))  # tokens: 7K to 3.584M
NUMBERING = 6  # tokens at most that a document's number and the blank line after it take
LEAST_PARAGRAPH = 200  # characters of a text's paragraph that can distract


@dataclass(frozen=True)
class Paragraph:
    """A titled paragraph as it will appear in a text; `evidence` are places in `words` that support the answer."""

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
    """The questions of these files that have paragraphs, at least one of which is marked, and an answer. Raises BadFile."""
    for number, fields in enumerate(_rows(files), start=1):
        paragraphs = tuple(_paragraph(one) for one in objects(fields.get("paragraphs")) if has(one, text=str))
        asked, answers = first_of(fields, QUESTION), strings(first_of(fields, ANSWERS))
        if isinstance(asked, str) and answers and any(one.evidence for one in paragraphs):
            key = fields.get("id")
            named = str(key) if isinstance(key, str | int) else str(number)
            yield ParagraphQuestion(named, asked.strip(), tuple(answers), paragraphs, other_fields(fields, KNOWN))


def _rows(files: Sequence[QuestionFile]) -> Iterator[dict[str, Any]]:
    known, context, own = recognised(files, lambda name: None)
    yield from (asked.fields for *_, asked in questions(known, context) if not asked.skipped)
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


def pool_of(paragraphs: Iterable[Paragraph]) -> tuple[Paragraph, ...]:
    """Different paragraphs, in order, without marks."""
    return tuple(Paragraph(words) for words in dict.fromkeys(one.words for one in paragraphs))


def fitting(asked: ParagraphQuestion, lengths: Iterable[int]) -> list[int]:
    """The lengths in tokens in which a question is made, shortest first: those that its own paragraphs do not exceed."""
    own = sum(one.tokens + NUMBERING for one in asked.paragraphs)
    return [length for length in sorted(set(lengths)) if own <= length]


def lengthened(
    asked: ParagraphQuestion, pool: Sequence[Paragraph], lengths: Iterable[int], *, seed: int = 0, repeat: bool = False
) -> Iterator[Made]:
    """The question in a text of each length that its paragraphs fit into, shortest first. With `repeat`, distractors are repeated
    where they run out. Raises BadOptions if the pool is too small."""
    own = {one.words for one in asked.paragraphs}
    order = in_seeded_order(f"{seed}|{asked.key}", len(pool))
    others = [pool[number] for number in order if pool[number].words not in own]
    for length in fitting(asked, lengths):
        yield _made(asked, _chosen(asked, others, length, repeat=repeat), length, seed=seed)


def _chosen(asked: ParagraphQuestion, others: Sequence[Paragraph], length: int, *, repeat: bool) -> list[Paragraph]:
    """The paragraphs of a text: the question's own, and as many others as there is room for."""
    chosen = list(asked.paragraphs)
    used = before = sum(one.tokens + NUMBERING for one in chosen)
    while True:
        for one in others:
            if used + one.tokens + NUMBERING > length:
                return chosen
            chosen.append(one)
            used += one.tokens + NUMBERING
        if not repeat or used == before:
            held = f"all paragraphs together have {used:,} tokens, and {length:,} are asked for"
            raise BadOptions(f"{held}: give more distractors, or use them again (in the shell: --distractors TEXT, --repeat)")
        before = used


def _made(asked: ParagraphQuestion, chosen: Sequence[Paragraph], length: int, *, seed: int) -> Made:
    parts: list[str] = []
    evidence: list[Span] = []
    supporting: list[int] = []
    at = used = 0
    for number, place in enumerate(in_seeded_order(f"{seed}|{asked.key}|{length}", len(chosen)), start=1):
        paragraph = chosen[place]
        head = f"Document {number}:\n"
        evidence += [Span(at + len(head) + start, at + len(head) + end) for start, end in paragraph.evidence]
        supporting += [number] if paragraph.evidence else []
        parts.append(head + paragraph.words)
        at += len(parts[-1]) + 2
        used += paragraph.tokens + NUMBERING
    distractors = chosen[len(asked.paragraphs) :]
    wanted = [answer.casefold() for answer in asked.answers]
    echoes = sum(any(answer in one.words.casefold() for answer in wanted) for one in distractors)
    fields = {
        "length": length, "tokens": used, "documents": len(chosen), "seed": seed, "answer_in_distractors": echoes,
        "evidence_documents": ", ".join(map(str, supporting)), **dict(asked.fields),
    }  # fmt: skip
    key = f"{asked.key[:150]}, {length:,} tokens"
    return Made("sweep", key, key, "\n\n".join(parts), asked.question, asked.answers, tuple(sorted(evidence)), fields=fields)
