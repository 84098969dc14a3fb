"""MemAgent: read once, front to back, overwriting one bounded memory (Yu et al., 2025, arXiv 2507.02259).

Workflow (section 3.2): the text is cut into chunks. At each chunk the model sees the problem, the memory so far and the chunk,
and writes a new memory, which replaces the old one. After the last chunk it answers from the problem and the memory alone, in
`\\boxed{}`. So prompts are bounded, and the number of calls grows linearly with the text. Every prompt contains the problem: a
second question is a second reading, and readings share nothing.

Where the paper is silent, or its code falls short of it, this reader
  - cuts chunks at paragraph and sentence ends, and reads all of them (the quickstart drops the middle of a long text);
  - enforces `memory_tokens` in code: a memory that is too long is asked for once more, with the reason, and then cut at a
    sentence end, on record (the paper's code lets `max_tokens` cut it inside a word);
  - keeps the memory unchanged if a reply is empty twice, a recorded fallback;
  - lowers the limit if a prompt does not fit into the model's window, on record;
  - takes the whole reply as the answer if there is no `\\boxed{}` in it even when asked again, a recorded fallback;
  - can stop early, after so many chunks in a row that changed nothing (off by default; the rest is then not read).
With `as_published` it does none of that, and sends what the paper's code sends to the published checkpoints: chunks are slices of
the checkpoint's own tokens, every prompt is sent once with its texts unchanged and room for `memory_tokens`, and a reply is the
memory as it came, cut off or empty. Only the wording is left to a prompt set.
Not here: the training that makes a model good at this.
"""

from __future__ import annotations

from typing import Any

from readers.engine.analysis import memory_snapshots
from readers.engine.analysis.memory_snapshots import MemoryNarrative
from readers.engine.errors import Ended
from readers.engine.models.tokenizer_files import TokenSlices
from readers.engine.prompts.formats.published import WholeReply
from readers.engine.prompts.options import PartSize
from readers.engine.record.trace import Trace
from readers.engine.run.bounded_memory import NOTHING_YET, BoundedMemory, FreeMemory
from readers.engine.run.desk import Desk, Unread
from readers.engine.run.reader import Reader
from readers.engine.text import split
from readers.engine.text.document import Document, Question, Text
from readers.memagent.options import PRESETS, MemAgentOptions
from readers.memagent.prompts import ANSWER, UPDATE, answer_prompt
from readers.memagent.pseudo_code import MemAgentCode

WHOLE_REPLY = "the reply as it stands"


class MemAgent(Reader):
    """Reads once, front to back, overwriting one bounded memory."""

    id, title, version = "memagent", "MemAgent", 2
    prompts = (UPDATE, ANSWER)
    Options = MemAgentOptions
    presets = PRESETS
    part_size = PartSize("chunk_tokens", "chunk", memory="memory_tokens")
    narrative = MemoryNarrative()
    pseudo_code = MemAgentCode()

    def read(self, document: Document, question: Question, desk: Desk, options: MemAgentOptions) -> Text:
        problem = (question.asked.strip(), *question.offered)
        update, answer = UPDATE, answer_prompt(question)
        memory: FreeMemory = BoundedMemory(desk, Text(NOTHING_YET), options.memory_tokens, room=0)
        if options.as_published:
            update = UPDATE.exactly(WholeReply(), max_tokens=options.memory_tokens)
            answer = answer.exactly(answer.reply, max_tokens=options.memory_tokens)
            memory = FreeMemory(desk, Text(NOTHING_YET))
        unchanged = 0
        chunks = _chunks(document, desk, options)
        for number, chunk in enumerate(chunks, 1):
            with desk.step(f"chunk {number}"):
                desk.look(chunk)
                _, changed = memory.update(update, {"problem": problem, "section": chunk})
                unchanged = 0 if changed else unchanged + 1
                if 0 < options.stop_after_unchanged <= unchanged and number < len(chunks):
                    desk.choose("stop", f"chunk {number}", because=f"{unchanged} chunks in a row left the memory as it was")
                    break
        with desk.step("answer"):
            got = memory.ask(answer, {"problem": problem})
            if isinstance(got, Unread):
                raise Ended("no_answer", f"{len(got.problems)} replies could not be read; the last one: {got.problems[-1]}")
            if error := got.field("format_error").text:
                desk.choose("fallback", WHOLE_REPLY, because=f"it was not in the form that was asked for: {error}")
            return got

    def view(self, trace: Trace) -> dict[str, Any]:
        """The memory after each chunk."""
        return {"snapshots": memory_snapshots.rows(memory_snapshots.snapshots(trace, first=NOTHING_YET))}

    def names(self, trace: Trace) -> dict[str, str]:
        return memory_snapshots.names(trace)


def _chunks(document: Document, desk: Desk, options: MemAgentOptions) -> list[Text]:
    if options.tokenizer:
        return desk.cut(document, TokenSlices(options.chunk_tokens, options.tokenizer))
    return desk.cut(document, split.segments(document.text, options.chunk_tokens), join_blank_end=True)
