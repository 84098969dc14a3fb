"""The reply that is a text: a summary, a gist, an answer in words, without what a model puts around it.

Taken off are courtesies before and after, a heading such as "Summary:", a fence, bold marks, a tag or a JSON object around the
whole. The inside of the text is not changed. The wording of problems is stored with readings and must not change. Not here: forms
with fields, and memories (`memory.py`), and whether words are a value at all (`phrases.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from readers.engine.prompts.formats.form import NOTHING_SHOWN, Field, Form, FormField, Parsed, Shown, Unreadable
from readers.engine.prompts.formats.json_text import Unparsable, Value, plain_key, read_value, skip
from readers.engine.prompts.formats.labels import words
from readers.engine.prompts.formats.letters import final_answer
from readers.engine.prompts.formats.phrases import is_placeholder, is_refusal, without_closing, without_opening
from readers.engine.prompts.formats.plain import Plain, peeled, turn, unquoted

_OPENING_TAG = re.compile(r"<([A-Za-z_]{2,20})>")
_INSTRUCTION = re.compile(
    r"(?:please )?(?:write|reply|answer|give|say) (?:with )?nothing (?:else|but)\b[^.\n]{0,120}[.]?\s*(?:the new memory:?)?\Z",
    re.IGNORECASE,
)
_RULE_AT_END = re.compile(r"\n[ \t]*(?:-{3,}|_{3,}|\*{3,}|={3,})\s*\Z")
_MOST_LAYERS = 6
_ALSO_A_TEXT = ("update", "relation", "output", "content", "shortened text", "rewritten question")


def body(reply: str, *, start: int = 0, end: int | None = None) -> Field:
    """The text between two positions of a reply, without what a model puts around it; empty if nothing is left."""
    start, end = turn(reply, start=start, end=end)
    for _ in range(_MOST_LAYERS):
        before = start, end
        start, end = peeled(reply, start, end)
        end = start + without_closing(reply[start:end])
        start += without_opening(reply[start:end])
        end = _without_rule(reply, start, end)
        start, end = unquoted(reply, *_untagged(reply, start, end))
        if (start, end) == before:
            break
    found = Field(reply[start:end], start, end)
    inner = _of_object(found) if reply.startswith("{", start) else None
    return inner or found


def _without_rule(reply: str, start: int, end: int) -> int:
    """The end without a rule on its own line."""
    tail = max(start, end - 200)
    found = _RULE_AT_END.search(reply[tail:end])
    return tail + found.start() if found else end


def _untagged(reply: str, start: int, end: int) -> tuple[int, int]:
    """What a tag encloses, if it encloses all."""
    tag = _OPENING_TAG.match(reply, start, end)
    if tag and reply.endswith(f"</{tag[1]}>", start, end):
        return tag.end(), end - len(tag[1]) - 3
    return start, end


def _of_object(found: Field) -> Field | None:
    """The text that a JSON object holds, if it is the whole: under a name for it, or its only string."""
    text = str(found.value)
    try:
        value, end = read_value(text, 0)
    except Unparsable:
        return None
    if skip(text, end) < len(text) or not isinstance(value.data, dict):
        return None
    by_name = {plain_key(key): inner for key, inner in value.data.items()}
    inner: Value | None = next((by_name[name] for name in (*words("work"), *_ALSO_A_TEXT) if name in by_name), None)
    if inner is None and len(by_name) == 1:
        inner = next(iter(by_name.values()))
    said = inner.text if inner else None
    if inner is None or said is None:
        return Field("", found.start, found.start) if inner else None
    return Field(said.strip(), found.start + inner.start, found.start + inner.end)


def is_instruction(text: str) -> bool:
    """Whether a text repeats the end of a prompt: "Write nothing but the summary."."""
    return bool(_INSTRUCTION.match(text.strip()[:600]))


@dataclass(frozen=True)
class Free(Form):
    """The text of a reply, without courtesies and decoration around it. Empty is unreadable, and so is a refusal."""

    kind = "free"
    main = "text"

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

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        return (FormField("text", "words", "Reply", long=True),)


def text_or_problem(found: Field) -> Parsed | Unreadable:
    """The text, unless it is not an answer."""
    text = str(found.value)
    if not text:
        return Unreadable("there is no text in it")
    if is_placeholder(text) or is_instruction(text):
        return Unreadable("it repeats the form and has no text of its own")
    if is_refusal(text):
        return Unreadable("it declines, or asks for something, instead of giving the text")
    return Parsed({"text": found})
