"""MemAgent: read once, front to back, overwriting one bounded memory (Yu et al., 2025, arXiv 2507.02259).

Workflow (section 3.2): the text is cut into chunks. At each chunk the model sees the problem, the memory so far and the chunk,
and writes a new memory, which replaces the old one. After the last chunk it answers only from the problem and the memory, in
`\\boxed{}`. So prompts are bounded, and the number of calls grows linearly with the text. Every prompt contains the problem: a
second question is a second reading, and readings share nothing.

Where the paper is silent, or its code falls short of it, this reader
  - cuts chunks at paragraph and sentence ends, and reads all of them (the quickstart drops the middle of a long text);
  - enforces `memory_tokens` in code: a memory that is too long is requested once more, with the reason, and then cut at
    a sentence end, on record (the paper's code lets `max_tokens` cut it inside a word);
  - keeps the memory unchanged if a reply is empty twice, a recorded fallback;
  - lowers the limit if a prompt does not fit into the model's window, on record;
  - takes the whole reply as the answer if there is no `\\boxed{}` in it even when asked again, a recorded fallback;
  - can stop early, after this many chunks in a row without a change (off by default; the rest is then not read).
With `as_published` it does none of that, and sends what the paper's code sends to the published checkpoints: chunks are slices of
the checkpoint's own tokens, every prompt is sent once with its texts unchanged and room for `memory_tokens`, and a reply is the
memory as it came, cut off or empty. Only the wording is left to a prompt set.
Not here: the training that makes a model good at this.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from readers.engine.analysis.memory_snapshots import MemoryNarrative, MemoryState
from readers.engine.models.tokenizer_files import PublishedOptions, tokenizer_option
from readers.engine.prompts.formats.published import WholeReply
from readers.engine.prompts.options import PartSize, Preset, option
from readers.engine.record.pseudo_code import CUTS_CHUNKS, CUTS_MEMORY, OURS, UPDATES_MEMORY, Line, MemoryCode
from readers.engine.run.bounded_memory import NOTHING_YET, BoundedMemory, FreeMemory, cut_chunks
from readers.engine.run.desk import Desk
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document, Question, Text
from readers.memagent.prompts import ANSWER, UPDATE, answer_prompt

READ = "readers.memagent.reader:MemAgent.read"
WORKFLOW = "section 3.2"


@dataclass(frozen=True)
class MemAgentOptions(PublishedOptions):
    chunk_tokens: int = option(5000, "The longest chunk, in tokens.", lowest=32, title="Longest chunk, in tokens")
    memory_tokens: int = option(
        1024,
        "The longest memory, in tokens. Under 256, the paper's readings suffer.",
        lowest=32,
        title="Longest memory, in tokens",
    )
    stop_after_unchanged: int = option(
        0,
        "Stop reading after this many chunks in a row that leave the memory unchanged; 0 reads to the end.",
        lowest=0,
        title="Unchanged chunks to stop at",
    )
    as_published: bool = option(
        False,
        "Send what the published checkpoints were trained on: each prompt once, texts unchanged, memory_tokens as the room of "
        "every reply, and the reply as the memory. Their wording is a prompt set of your own.",
        title="As the checkpoint was trained",
    )
    tokenizer: str = tokenizer_option()


# How the published checkpoints were trained and are evaluated; `tokenizer` is the user's.
PRESETS: dict[str, Preset] = {
    "as_published": Preset(
        {"chunk_tokens": 5000, "memory_tokens": 1024, "stop_after_unchanged": 0, "as_published": True},
        temperature=0.7,
        top_p=0.95,
    )
}


class MemAgentCode(MemoryCode):
    paper = "Yu et al., 2025, arXiv 2507.02259"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("cut", "chunks 1 … n ← cut(text)", WORKFLOW, CUTS_CHUNKS),
        Line("empty", "m₀ ← nothing yet", WORKFLOW, READ),
        Line("each", "for t = 1 … n:", WORKFLOW, READ),
        Line("update", "mₜ ← model(question, chunk t, mₜ₋₁)", WORKFLOW, UPDATES_MEMORY, 1),
        Line("stays", "if there is no memory in the reply: mₜ ← mₜ₋₁", OURS, UPDATES_MEMORY, 1),
        Line("shorten", "if mₜ is over memory_tokens: cut it at a sentence end", OURS, CUTS_MEMORY, 1),
        Line("stop", "if mₜ has not changed for so many chunks: stop reading", OURS, READ, 1),
        Line("answer", "answer ← model(question, mₙ)", WORKFLOW, READ),
    )


class MemAgent(Reader):
    """Reads once, front to back, overwriting one bounded memory."""

    id, title, version = "memagent", "MemAgent", 2
    prompts = (UPDATE, ANSWER)
    Options = MemAgentOptions
    presets = PRESETS
    part_size = PartSize("chunk_tokens", "chunk", memory="memory_tokens")
    narrative = MemoryNarrative()
    pseudo_code = MemAgentCode()
    State = MemoryState

    def read(self, document: Document, question: Question, desk: Desk, options: MemAgentOptions) -> Text:
        problem = (question.asked.strip(), *question.offered)
        update, answer = UPDATE, answer_prompt(question)
        memory: FreeMemory = BoundedMemory(desk, Text(NOTHING_YET), options.memory_tokens, room=0)
        if options.as_published:
            update = UPDATE.exactly(WholeReply(), max_tokens=options.memory_tokens)
            answer = answer.exactly(answer.reply, max_tokens=options.memory_tokens)
            memory = FreeMemory(desk, Text(NOTHING_YET))
        unchanged = 0
        chunks = cut_chunks(document, desk, options)
        for number, chunk in enumerate(chunks, 1):
            with desk.step(f"chunk {number}"):
                desk.look(chunk)
                _, changed = memory.update(update, {"problem": problem, "section": chunk})
                unchanged = 0 if changed else unchanged + 1
                if 0 < options.stop_after_unchanged <= unchanged and number < len(chunks):
                    desk.choose("stop", f"chunk {number}", because=f"{unchanged} chunks in a row left the memory as it was")
                    break
        with desk.step("answer"):
            return memory.answer(answer, {"problem": problem})
