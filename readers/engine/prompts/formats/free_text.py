"""The reply that is a text: a summary, a gist, an answer in words.

Its wording of problems is stored with readings and must not change. Not here: forms with fields, and memories (`memory.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from readers.engine.prompts.formats.letters import final_answer
from readers.engine.prompts.replies.body import body, is_instruction
from readers.engine.prompts.replies.phrases import is_placeholder, is_refusal
from readers.engine.prompts.replies.plain import Plain
from readers.engine.prompts.replies.reply import Field, Parsed, Unreadable


@dataclass(frozen=True)
class Free:
    """The text of a reply, without courtesies and decoration around it. Empty is unreadable, and so is a refusal."""

    main = "text"
    markers = ()

    def describe(self) -> str:
        return ""

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        if not reply.strip():
            return Unreadable("it was empty")
        found = body(reply)
        final = final_answer(Plain(reply))
        if final is not None and found.start < final < found.end:
            found = body(reply, start=final, end=found.end)
        return text_or_problem(found)

    def render(self, values: Mapping[str, str | int]) -> str:
        return str(values["text"])

    def to_json(self) -> dict[str, Any]:
        return {"kind": "free"}


def text_or_problem(found: Field) -> Parsed | Unreadable:
    """The text, unless it is none."""
    words = str(found.value)
    if not words:
        return Unreadable("there is no text in it")
    if is_placeholder(words) or is_instruction(words):
        return Unreadable("it repeats the form and has no text of its own")
    if is_refusal(words):
        return Unreadable("it declines, or asks for something, instead of giving the text")
    return Parsed({"text": found})
