"""The prompts of Chain-of-Agents: a worker's, and the manager's for an answer in words or for a choice."""

from __future__ import annotations

from dataclasses import replace

from readers.engine.prompts.answering import QUESTION, answer_prompts
from readers.engine.prompts.formats.memory import Memory
from readers.engine.prompts.prompt import Prompt

WORKER = Prompt(
    id="chain_of_agents.worker",
    task="update_memory",
    template=(
        "Several workers read a long text together, one chunk each, so that a manager can answer the question below. You are one "
        "of them. The manager sees no part of the text: all that comes to it is the message of the last worker.\n\n"
        + QUESTION
        + "The message of the worker before you, which is empty if you are the first:\n<message>\n$memory\n</message>\n\n"
        "Your chunk of the text:\n<chunk>\n$section\n</chunk>\n\n"
        "Write the message for the worker after you: a summary of the message before you and of your chunk in one, with all the "
        "evidence for the question that either has. What you leave out is lost. Do not answer the question. Write nothing but "
        "the message: $format.\n\nThe message:"
    ),
    reply=Memory(1024, "message"),
)


def with_limit(tokens: int) -> Prompt:
    """The prompt of a worker whose message has at most this many tokens."""
    return replace(WORKER, reply=Memory(tokens, "message"))


MANAGER, MANAGER_CHOICE = answer_prompts(
    "chain_of_agents.manager",
    "Several workers have read a long text, which you cannot see, and handed a summary of it from one to the next. This is the "
    "message of the last worker:\n\n<message>\n$memory\n</message>\n\n",
    "the message",
)
