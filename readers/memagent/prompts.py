"""MemAgent's two prompts: one rewrites the memory, one answers."""

from __future__ import annotations

from dataclasses import replace

from readers.engine.prompts.formats.letters import Boxed
from readers.engine.prompts.formats.memory import Memory
from readers.engine.prompts.prompt import Prompt
from readers.engine.text.document import Question

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


def answer_prompt(question: Question) -> Prompt:
    """The prompt for the answer; its form speaks of choices only where the question has some."""
    return ANSWER if question.choices else replace(ANSWER, reply=Boxed())
