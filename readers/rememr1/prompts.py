"""ReMemR1's two prompts: one rewrites the memory, one answers."""

from __future__ import annotations

from dataclasses import replace

from readers.engine.prompts.formats.letters import Boxed
from readers.engine.prompts.formats.memory import MemoryBlocks
from readers.engine.prompts.prompt import Prompt
from readers.engine.text.document import Question

UPDATE = Prompt(
    id="rememr1.update",
    task="update_memory",
    template=(
        "You are reading a long text section by section to solve the problem below. You carry a memory from one section to the "
        "next, and can look back at one earlier memory by a query.\n\n"
        "<problem>\n$problem\n</problem>\n\n<recalled_memory>\n$recalled\n</recalled_memory>\n\n<memory>\n$memory\n</memory>\n\n"
        "<section>\n$section\n</section>\n\n"
        "Write the memory anew. Keep whatever may still help with the problem, from the old memory and from the recalled one, "
        "add what this section has that may help, and drop what will not. If something is missing that an earlier memory may "
        "have held, ask for it: the memory that is nearest to your query will be shown with the next section.\n\n"
        "Reply in exactly this form:\n$format"
    ),
    reply=MemoryBlocks(2048),
)

ANSWER = Prompt(
    id="rememr1.answer",
    task="answer",
    template=(
        "You have read a long text and remember this of it:\n\n"
        "<problem>\n$problem\n</problem>\n\n<recalled_memory>\n$recalled\n</recalled_memory>\n\n<memory>\n$memory\n</memory>\n\n"
        "Solve the problem from the memory and the recalled memory. Put the answer, and nothing else, into a box:\n$format"
    ),
    reply=Boxed("problem"),
    max_tokens=512,
)


def answer_prompt(question: Question) -> Prompt:
    """The prompt for the answer; its form speaks of choices only where the question has some."""
    return ANSWER if question.choices else replace(ANSWER, reply=Boxed())
