"""The two prompts with which most readers ask for the answer: for an answer in words, and for one of several choices. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from readers.engine.prompts.formats.letters import Lettered
from readers.engine.prompts.prompt import Prompt

QUESTION = "<question>\n$question\n\n$choices\n</question>\n\n"
QUOTED = {"segments": '"""\n$text\n"""'}  # each segment in quotation marks


def answer_prompts(
    prompt_id: str, shown: str, source: str, *, each: Mapping[str, str] | None = None, tries: int = 2, warmer: float = 0.0
) -> tuple[Prompt, Prompt]:
    """The prompt for an answer in words, and the one for a question with choices, whose id ends in `_choice`. `shown` comes
    before the question, `source` is where the answer shall be taken from: `these pages`."""
    free = Prompt(
        id=prompt_id,
        task="answer",
        template=f"{shown}{QUESTION}Answer the question from {source}, briefly and to the point.",
        tries=tries,
        warmer=warmer,
        max_tokens=512,
        each=each or {},
    )
    by_letter = f"{shown}{QUESTION}Which of the choices is right, by {source}?\n\nReply in exactly this form:\n$format"
    return free, replace(free, id=f"{prompt_id}_choice", template=by_letter, reply=Lettered("choices"))
