"""Reply formats of the published checkpoints' own loops: every reply is taken as it came, malformed, cut off or empty.

Not here: the forms in which this program asks for memories (`memory.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from readers.engine.prompts.formats.form import NOTHING_SHOWN, Field, Form, FormField, Parsed, Shown, Unreadable
from readers.engine.prompts.formats.memory import RECALL

_THOUGHT = "</think>"
_CALLBACK_OPENS, _CALLBACK_CLOSES = "<recall>", "</recall>"
_QUERY = re.compile(f"{_CALLBACK_OPENS}(.+){_CALLBACK_CLOSES}")  # over one line, to its last closing tag


@dataclass(frozen=True)
class WholeReply(Form):
    """The whole reply is the memory; of a reply with `</think>`, what follows the last one (Yu et al., 2025, their code)."""

    kind = "whole_reply"
    main = "text"

    def describe(self) -> str:
        return "plain text"

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        return (FormField("text", "words", "Reply", begin="".join(shown.texts("memory")), long=True),)

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        at = reply.rfind(_THOUGHT)
        found = Field(reply, 0, len(reply)) if at < 0 else Field.between(reply, at + len(_THOUGHT), len(reply))
        return Parsed({"text": found})


@dataclass(frozen=True)
class ReplyWithoutRecall(Form):
    """The whole reply without its `<recall>` blocks is the memory, tags and thoughts and all; `recall` is the query
    (Shi et al., 2025, their code)."""

    kind = "reply_without_recall"
    main = "update"

    def describe(self) -> str:
        return (
            "<thinking>what the section adds</thinking>\n<update>the whole memory as it is to be from now on</update>\n"
            "<recall>what to look for in an earlier memory; leave this block out where nothing is missing</recall>"
        )

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        return FormField("update", "words", "Reply", begin="".join(shown.texts("memory")), long=True), RECALL

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        fields = {"update": _without_callbacks(reply)}
        if query := _QUERY.search(reply):
            fields["recall"] = Field(query[1], *query.span(1))
        return Parsed(fields)

    def render(self, values: Mapping[str, str | int]) -> str:
        query = f"\n{_CALLBACK_OPENS}{values['recall']}{_CALLBACK_CLOSES}" if values.get("recall") else ""
        return f"{values['update']}{query}"


def _without_callbacks(reply: str) -> Field:
    """The reply without its `<recall>` blocks and without white space at its ends, and where the rest begins and ends."""
    kept: list[tuple[int, int]] = []
    at = 0
    while (opens := reply.find(_CALLBACK_OPENS, at)) >= 0:
        closes = reply.find(_CALLBACK_CLOSES, opens)
        if closes < 0:
            break
        kept.append((at, opens))
        at = closes + len(_CALLBACK_CLOSES)
    kept.append((at, len(reply)))
    pieces = [Field.between(reply, *piece) for piece in kept]
    wrote = [piece for piece in pieces if piece.value]
    if not wrote:
        return Field("", 0, 0)
    return Field("".join(reply[start:end] for start, end in kept).strip(), wrote[0].start, wrote[-1].end)
