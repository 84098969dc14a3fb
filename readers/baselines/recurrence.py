"""Recurrence: MemWalker's baseline of that name (section 4.3). One summary is carried from chunk to chunk, and answers.

Where the paper is silent, this reader
  - shows the question while the running summary is written (section 4.3 does not say whether it is seen);
  - holds the summary to its limit in code: an over-long summary is asked for again once, then cut at a sentence end, on record.
    It is the reading's `memory`, so it is described and measured like that of any reader that keeps one;
  - ends without an answer where no reply could be read: there is nothing else to fall back on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from readers.baselines.answering import BASELINES, MEMWALKER, read
from readers.engine.analysis.memory_snapshots import MemoryNarrative, MemoryState
from readers.engine.prompts.answering import QUESTION, answer_prompts
from readers.engine.prompts.formats.memory import Memory
from readers.engine.prompts.options import PartSize, option
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.pseudo_code import CUTS_MEMORY, OURS, UPDATES_MEMORY, Line, MemoryCode
from readers.engine.run.bounded_memory import NOTHING_YET, BoundedMemory
from readers.engine.run.desk import Desk, PromptParts
from readers.engine.run.reader import Reader
from readers.engine.text import split
from readers.engine.text.document import Document, Question, Text

ANSWERS = answer_prompts(
    "recurrence.answer", "All that is left of a long text is this summary:\n\n<memory>\n$memory\n</memory>\n\n", "the summary"
)

CARRY = Prompt(
    id="recurrence.carry",
    task="update_memory",
    template=(
        "You are summarising a long text part by part. Later there will be a question about it:\n\n"
        + QUESTION
        + "<memory>\n$memory\n</memory>\n\n<part>\n$section\n</part>\n\n"
        "The memory is your summary of everything before this part. Write one summary of everything up to the end of this part: "
        "put what is new into the old summary, and shorten what matters less to the question. Do not answer the question. Write "
        "nothing but the summary: $format.\n\nThe summary:"
    ),
    reply=Memory(500),
)


READ = "readers.baselines.recurrence:Recurrence.read"


@dataclass(frozen=True)
class RecurrenceOptions:
    chunk_tokens: int = option(2500, "The longest chunk, in tokens.", lowest=32, title="Longest chunk, in tokens")
    summary_tokens: int = option(500, "The longest running summary, in tokens.", lowest=32, title="Longest summary, in tokens")


class RecurrenceCode(MemoryCode):
    paper = MEMWALKER
    letter = "s"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("cut", "chunks 1 … n ← cut(text)", BASELINES, READ),
        Line("empty", "s₀ ← nothing yet", BASELINES, READ),
        Line("each", "for t = 1 … n:", BASELINES, READ),
        Line("update", "sₜ ← model(question, chunk t, sₜ₋₁)", BASELINES, UPDATES_MEMORY, 1),
        Line("stays", "if there is no summary in the reply: sₜ ← sₜ₋₁", OURS, UPDATES_MEMORY, 1),
        Line("shorten", "if sₜ is over summary_tokens: cut it at a sentence end", OURS, CUTS_MEMORY, 1),
        Line("answer", "answer ← model(question, sₙ)", BASELINES, READ),
    )


class Recurrence(Reader):
    """Carries one running summary from chunk to chunk, and answers from the last."""

    id, title, version = "recurrence", "Recurrence", 2
    prompts = (CARRY, *ANSWERS)
    Options = RecurrenceOptions
    part_size = PartSize("chunk_tokens", "chunk", memory="summary_tokens")
    baseline = True
    narrative = MemoryNarrative()
    pseudo_code = RecurrenceCode()
    State = MemoryState

    def read(self, document: Document, question: Question, desk: Desk, options: RecurrenceOptions) -> Text:
        asked: PromptParts = {"question": question.asked, "choices": question.offered}
        memory = BoundedMemory(desk, Text(NOTHING_YET), options.summary_tokens, room=0)
        for number, chunk in enumerate(
            desk.cut(document, split.segments(document.text, options.chunk_tokens), join_blank_end=True), 1
        ):
            with desk.step(f"chunk {number}"):
                desk.look(chunk)
                memory.update(CARRY, {**asked, "section": chunk})
        with desk.step("answer"):
            return read(memory.ask(ANSWERS[1 if question.choices else 0], asked))
