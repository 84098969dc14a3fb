"""Length sweeps in RULER's manner: a question's paragraphs among others, in texts of 7K, 14K ... 3.5M tokens.

As in RULER's question answering (github.com/NVIDIA/RULER, `scripts/data/synthetic/qa.py`) each paragraph is a numbered document,
and their order is random. A longer text of a question has the distractors of its shorter ones and more. All is decided by the
seed. A distractor is never a paragraph of the question itself; how many contain an answer word for word is on record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from readers.engine.errors import BadOptions
from readers.engine.questions.made.paragraphs import Paragraph, ParagraphQuestion
from readers.engine.questions.made.row import Made, in_seeded_order
from readers.engine.text.document import Span

LENGTHS = tuple(7_000 * 2**doubled for doubled in range(10))  # tokens: 7K to 3.584M
NUMBERING = 6  # tokens at most that a document's number and the blank line after it take


@dataclass(frozen=True)
class Sweep:
    """How to make texts: their lengths in tokens, the seed, and whether distractors are repeated where they run out."""

    lengths: tuple[int, ...] = LENGTHS
    seed: int = 0
    repeat: bool = False


def too_short(asked: ParagraphQuestion, sweep: Sweep) -> tuple[int, ...]:
    """The lengths that the paragraphs of a question already exceed, in which it is left out."""
    own = sum(one.tokens + NUMBERING for one in asked.paragraphs)
    return tuple(length for length in sorted(sweep.lengths) if own > length)


def fitting(asked: ParagraphQuestion, sweep: Sweep) -> tuple[int, ...]:
    """The lengths in which a question is made, shortest first."""
    return tuple(sorted({*sweep.lengths} - {*too_short(asked, sweep)}))


def pool_of(paragraphs: Iterable[Paragraph]) -> tuple[Paragraph, ...]:
    """Different paragraphs, in order, without marks."""
    return tuple(Paragraph(words) for words in dict.fromkeys(one.words for one in paragraphs))


def lengthened(asked: ParagraphQuestion, pool: Sequence[Paragraph], sweep: Sweep) -> Iterator[Made]:
    """The question in a text of each length that its paragraphs fit into, shortest first. Raises BadOptions where the pool is
    too small."""
    own = {one.words for one in asked.paragraphs}
    order = in_seeded_order(f"{sweep.seed}|{asked.key}", len(pool))
    others = [pool[number] for number in order if pool[number].words not in own]
    for length in fitting(asked, sweep):
        yield _made(asked, _chosen(asked, others, length, repeat=sweep.repeat), length, seed=sweep.seed)


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
