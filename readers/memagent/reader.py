"""MemAgent: read once, front to back, overwriting one bounded memory (Yu et al., 2025, arXiv 2507.02259).

Workflow (section 3.2): the text is cut into chunks; at each, the model sees the problem, the memory so far and the chunk, and
writes the memory anew, which takes the place of the old one; after the last chunk it answers from the problem and the memory
alone, in `\\boxed{}`. So a prompt is of bounded size, and the calls grow linearly with the text. The problem stands in every
prompt: a second question is a second reading, and nothing is shared between readings.

Where the paper is silent, or its code falls short of it, this reader
  - cuts chunks at paragraph and sentence ends and reads all of them (the quickstart drops the middle of a long text);
  - holds the memory to `memory_tokens` in code: an over-long one is asked for again once, the model being told so, and then cut
    at a sentence end, on record (the code lets `max_tokens` cut it in the middle of a word);
  - keeps the memory as it was where a reply is empty twice, on record as a fallback;
  - makes the limit smaller where a prompt does not fit into the model's window, on record;
  - takes the whole of a reply for the answer where there is no `\\boxed{}` in it, also when asked again: a fallback, on record;
  - can stop early, after so many chunks in a row that changed nothing (off by default; what is left is then not read).
Not here: the training that makes a model good at it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from readers.engine.analysis import memory_snapshots
from readers.engine.errors import Ended
from readers.engine.prompts.memory_formats import Boxed, Memory
from readers.engine.prompts.options import option
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.trace import Trace
from readers.engine.run.bounded_memory import Bounded
from readers.engine.run.desk import Desk, Unread
from readers.engine.text import split
from readers.engine.text.document import Document, Question, Text

NOTHING_YET = "No previous memory"
WHOLE_REPLY = "the reply as it stands"

UPDATE = Prompt(
    id="memagent.update",
    task="update_memory",
    template=(
        "You are reading a long text section by section to solve the problem below, and all you carry from one section to the "
        "next is a memory.\n\n"
        "<problem>\n$problem\n</problem>\n\n<memory>\n$memory\n</memory>\n\n<section>\n$section\n</section>\n\n"
        "Write the memory anew. Keep from the old memory whatever may still help with the problem, add what this section has "
        "that may help, and drop what will not. What you leave out is lost. Write nothing but the new memory: $format.\n\n"
        "The new memory:"
    ),
    reply=Memory(1024),
)

ANSWER = Prompt(
    id="memagent.answer",
    task="answer",
    template=(
        "You have read a long text and remember this of it:\n\n"
        "<problem>\n$problem\n</problem>\n\n<memory>\n$memory\n</memory>\n\n"
        "Solve the problem from the memory. Put the answer, and nothing else, into a box:\n$format"
    ),
    reply=Boxed("problem"),
    max_tokens=512,
)


@dataclass(frozen=True)
class MemAgentOptions:
    chunk_tokens: int = option(5000, "The longest chunk, in tokens.", lowest=32)
    memory_tokens: int = option(1024, "The longest memory, in tokens. Under 256, the paper's readings suffer.", lowest=32)
    stop_after_unchanged: int = option(
        0, "Stop reading after so many chunks in a row that leave the memory as it was; 0 reads to the end.", lowest=0
    )


class MemAgent:
    """Reads once, front to back, overwriting one bounded memory."""

    id, title, version = "memagent", "MemAgent", 1
    prompts = (UPDATE, ANSWER)
    Options = MemAgentOptions
    presets: ClassVar[dict[str, dict[str, Any]]] = {}

    def read(self, document: Document, question: Question, desk: Desk, options: MemAgentOptions) -> Text:
        problem = (question.asked, *question.offered)
        memory = Bounded(desk, Text(NOTHING_YET), options.memory_tokens, room=0)
        unchanged = 0
        chunks = desk.cut(document, split.segments(document.text, options.chunk_tokens))
        for number, chunk in enumerate(chunks, 1):
            with desk.step(f"chunk {number}"):
                desk.look(chunk)
                _, changed = memory.update(UPDATE, {"problem": problem, "section": chunk})
                unchanged = 0 if changed else unchanged + 1
                if 0 < options.stop_after_unchanged <= unchanged and number < len(chunks):
                    desk.choose("stop", f"chunk {number}", because=f"{unchanged} chunks in a row left the memory as it was")
                    break
        with desk.step("answer"):
            got = memory.ask(ANSWER, {"problem": problem})
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
