"""A memory that is rewritten chunk by chunk and held to a token limit, for readers that read once, front to back.

The limit is enforced in code. A reply with an overlong memory is requested again once (its format says why), then cut at a
sentence end and recorded as `truncate`. If a prompt does not fit into the model's window, the limit shrinks by a quarter until it
does, recorded as `shrink`; earlier texts in the prompt are then cut to the same limit, recorded as `shorten`. If no reply can be
parsed, the memory is unchanged, recorded as a fallback; if a reply only says that nothing changes, it is unchanged as well,
recorded as `unchanged`. A `FreeMemory` has no limit: it is all that was read from a reply. Not here: the purpose of the memory,
and earlier memories.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from readers.engine.errors import Ended, PromptTooLong
from readers.engine.models.tokenizer_files import PublishedOptions, TokenSlices
from readers.engine.prompts.formats.memory import UNCHANGED as SAYS_UNCHANGED
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.events import Chose
from readers.engine.run.desk import Desk, Got, Unread
from readers.engine.text import split, tokens
from readers.engine.text.document import Document, Text
from readers.engine.text.shorten import shorten

MEMORY = "memory"
REPLY = "reply"  # the role of a reply of which only the program that got it knows what it is for
NOTHING_YET = "No previous memory"  # the text in the first prompt in place of a memory
WHOLE_REPLY = "the reply as it stands"
AS_IT_WAS = "as it was"  # how a memory that stays is picked: "the memory as it was"
LONGEST_SAID = 120  # characters that are quoted of a reply without a memory
MIN_MEMORY_TOKENS = 32  # tokens; the limit does not shrink below this

MemoryParts = Mapping[str, Text | Iterable[Text]]


def cut_chunks(document: Document, desk: Desk, options: PublishedOptions) -> list[Text]:
    """The chunks of a text: to the ends of paragraphs and sentences, or slices of a checkpoint's own tokens."""
    if options.tokenizer:
        return desk.cut(document, TokenSlices(options.chunk_tokens, options.tokenizer))
    return desk.cut(document, split.segments(document.text, options.chunk_tokens), join_blank_end=True)


class FreeMemory:
    """The current memory of one run, however long. A prompt that does not fit into the model's window fails. `called` is the
    reader's word for it."""

    called: ClassVar[str] = MEMORY

    def __init__(self, desk: Desk, first: Text) -> None:
        self.text = first
        self._desk = desk

    def update(self, prompt: Prompt, parts: MemoryParts) -> tuple[Got | None, bool]:
        """Ask for the next memory and adopt it, unless the reply says that nothing changes. Returns the reply (None if none could
        be parsed), and whether the memory changed."""
        before = self.text
        got = self._ask(prompt, parts, rewrites=True)
        if isinstance(got, Unread):
            self._stay("fallback", f"no {self.called} could be read: {got.problems[-1]}")
            return None, True
        if said := got.field(SAYS_UNCHANGED).text:
            self._stay("unchanged", f"it replied “{shorten(said, LONGEST_SAID)}”")
            return got, False
        self.text = self._desk.write(MEMORY, self._cut_new(got))
        return got, self.text.text.split() != before.text.split()

    def ask(self, prompt: Prompt, parts: MemoryParts) -> Got | Unread:
        """Ask something about the memory without changing it."""
        return self._ask(prompt, parts, rewrites=False)

    def answer(self, prompt: Prompt, parts: MemoryParts) -> Text:
        """The answer in the box of a reply; without a box, the whole reply, recorded as such. Raises Ended where no reply could
        be read."""
        got = self.ask(prompt, parts)
        if isinstance(got, Unread):
            raise Ended("no_answer", f"{len(got.problems)} replies could not be read; the last one: {got.problems[-1]}")
        if error := got.field("format_error").text:
            self._desk.choose("fallback", WHOLE_REPLY, because=f"it was not in the form that was asked for: {error}")
        return got

    def _stay(self, action: Literal["fallback", "unchanged"], why: str) -> None:
        self._desk.choose(action, f"the {self.called} {AS_IT_WAS}", because=why)

    def _ask(self, prompt: Prompt, parts: MemoryParts, *, rewrites: bool) -> Got | Unread:
        return self._desk.ask(prompt, **{MEMORY: self.text, **parts})

    def _cut_new(self, memory: Text) -> Text:
        """As much of a new memory as is adopted."""
        return memory


def stayed(event: Chose) -> bool:
    """Whether a decision left the memory as it was."""
    return event.picked.endswith(f" {AS_IT_WAS}")


class BoundedMemory(FreeMemory):
    """The current memory of one run. `room` is the tokens that a reply may contain in addition to the memory; `carried` names the
    parts of a prompt that are cut to the limit as well."""

    def __init__(self, desk: Desk, first: Text, limit: int, *, room: int, carried: Sequence[str] = ()) -> None:
        super().__init__(desk, first)
        self._limit = limit
        self._room = room
        self._carried = carried

    def _cut_new(self, memory: Text) -> Text:
        end = end_within(memory.text, self._limit)
        if end == len(memory):
            return memory
        self._desk.choose("truncate", f"{end} of {len(memory)} characters", because=self._why(f"the {self.called}", memory))
        return memory[:end].strip()

    def _ask(self, prompt: Prompt, parts: MemoryParts, *, rewrites: bool) -> Got | Unread:
        while True:
            whole = {MEMORY: self.text} | {name: text for name, text in parts.items() if name in self._carried}
            fitted = {name: self._cut_to_limit(text) for name, text in whole.items() if isinstance(text, Text)}
            asked = self._with_current_limit(prompt) if rewrites else prompt
            try:
                got = self._desk.ask(asked, **{**parts, **fitted})
            except PromptTooLong:
                if self._limit * 3 // 4 < MIN_MEMORY_TOKENS:
                    raise
                self._limit = self._limit * 3 // 4
                why = "the prompt did not fit into the model's window"
                self._desk.choose("shrink", f"{self._limit} tokens", because=why)
                continue
            for name, text in fitted.items():
                if text != whole[name]:
                    what = self.called if name == MEMORY else f"{name} {self.called}"
                    self._desk.choose("shorten", f"the {what}", because=self._why("it", whole[name]))
            return got

    def _with_current_limit(self, prompt: Prompt) -> Prompt:
        """The prompt with the current limit, and room for a reply."""
        reply: Any = prompt.reply
        return replace(prompt, reply=replace(reply, limit=self._limit), max_tokens=room_for_reply(self._limit) + self._room)

    def _cut_to_limit(self, text: Text) -> Text:
        """As much of a text as the current limit holds."""
        end = end_within(text.text, self._limit)
        return text if end == len(text) else text[:end].strip()

    def _why(self, what: str, text: Text | Iterable[Text]) -> str:
        return f"{what} had {tokens.count(str(text))} tokens, and there is room for {self._limit}"


def room_for_reply(limit: int) -> int:
    """The tokens that a reply may have: a quarter more than the memory in it, so that an overlong one is noticed."""
    return limit * 5 // 4


def end_within(text: str, limit: int) -> int:
    """The end of the last sentence that fits into `limit` tokens with everything before it.

    If the sentences before it make up less than half the limit, the end is inside a sentence: a number, a heading or a short
    sentence is not a memory.
    """
    if tokens.count(text) <= limit:
        return len(text)
    most = tokens.prefix(text, limit)
    ends = [span.end for span in split.sentences(text[:most])]
    if len(ends) > 1:
        ends.pop()  # the cut broke this one off
    while len(ends) > 1 and tokens.count(text[: ends[-1]]) > limit:
        ends.pop()
    kept_tokens = tokens.count(text[: ends[-1]])
    whole = ends[0] < most and limit // 2 <= kept_tokens <= limit
    return ends[-1] if whole else _cut_inside_sentence(text, most, limit)


def _cut_inside_sentence(text: str, most: int, limit: int) -> int:
    """Where to cut a sentence so that everything before fits: after a word, if one ends in the second half."""
    end = max(text.rfind(blank, 0, most) for blank in " \n")
    end = end if end > most // 2 else most
    while end > 1 and tokens.count(text[:end]) > limit:
        end -= 1
    return end
