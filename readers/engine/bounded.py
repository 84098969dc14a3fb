"""A memory that is overwritten chunk by chunk and held to a limit, for readers that read once, front to back.

The limit holds in code: a reply with an over-long memory is asked for again once (its format says why), and then cut at a
sentence end, on record as `truncate`. A prompt that does not fit into the model's window makes the limit smaller by a quarter,
on record as `shrink`, until it does fit. Where no reply could be read the memory stays as it was, on record as a fallback. Not
here: what the memory is for, and earlier memories.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from readers.engine import split, tokens
from readers.engine.desk import Desk, Got, Unread
from readers.engine.errors import PromptTooLong
from readers.engine.prompts import Prompt
from readers.engine.text import Text

MEMORY = "memory"
AS_IT_WAS = "the memory as it was"
LEAST = 32  # tokens: a memory is not made smaller than that for want of room

Given = Mapping[str, Text | Iterable[Text]]


class Bounded:
    """The current memory of one reading. `room` is what a reply may hold besides the memory, in tokens."""

    def __init__(self, desk: Desk, first: Text, limit: int, *, room: int) -> None:
        self.text = first
        self._desk = desk
        self._limit = limit
        self._room = room

    def update(self, prompt: Prompt, parts: Given) -> tuple[Got | None, bool]:
        """Ask for the next memory and take it. Gives the reply (None where none could be read), and whether the memory is another
        one."""
        before = self.text
        got = self._ask(prompt, parts, bounded=True)
        if isinstance(got, Unread):
            self._desk.choose("fallback", AS_IT_WAS, because=f"no memory could be read: {got.problems[-1]}")
            return None, True
        self.text = self._desk.write(MEMORY, self._cut(got, "the memory"))
        return got, self.text.text.split() != before.text.split()

    def ask(self, prompt: Prompt, parts: Given) -> Got | Unread:
        """Ask something of the memory, and leave it as it is."""
        return self._ask(prompt, parts, bounded=False)

    def _ask(self, prompt: Prompt, parts: Given, *, bounded: bool) -> Got | Unread:
        while True:
            shown = self._cut(self.text, "what is shown of the memory")
            asked = self._fitted(prompt) if bounded else prompt
            try:
                return self._desk.ask(asked, **{**parts, MEMORY: shown})
            except PromptTooLong:
                if self._limit * 3 // 4 < LEAST:
                    raise
                self._limit = self._limit * 3 // 4
                why = "the prompt did not fit into the model's window"
                self._desk.choose("shrink", f"{self._limit} tokens", because=why)

    def _fitted(self, prompt: Prompt) -> Prompt:
        """The prompt with the limit of this moment, and room for a reply that holds a quarter more: what is over is seen."""
        reply: Any = prompt.reply
        return replace(prompt, reply=replace(reply, limit=self._limit), max_tokens=self._limit * 5 // 4 + self._room)

    def _cut(self, text: Text, what: str) -> Text:
        end = sentences_within(text.text, self._limit)
        if end == len(text):
            return text
        why = f"{what} had {tokens.count(text.text)} tokens, and there is room for {self._limit}"
        self._desk.choose("truncate", f"{end} of {len(text)} characters", because=why)
        return text[:end].strip()


def sentences_within(text: str, limit: int) -> int:
    """Where the last sentence ends that still fits into `limit` tokens with all before it; inside the first one, if that is over
    the limit by itself."""
    if tokens.count(text) <= limit:
        return len(text)
    most = tokens.prefix(text, limit)
    ends = [span.end for span in split.sentences(text[:most])]
    if len(ends) > 1:
        ends.pop()  # which the cut broke off
    while len(ends) > 1 and tokens.count(text[: ends[-1]]) > limit:
        ends.pop()
    whole = ends[0] < most and tokens.count(text[: ends[-1]]) <= limit
    return ends[-1] if whole else split.segments(text, limit)[0].end
