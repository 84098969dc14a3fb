"""Reply formats of readers that overwrite a memory: the memory itself, and tagged blocks.

A reply that only says that the memory stays as it is has no memory and the field `unchanged`, which holds its words. The
limit of a memory is checked while parsing, so one that is too long is asked for again like any misread reply, but is `usable`
on the last try. Thoughts are taken off before. Every search is linear in the reply.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from readers.engine.prompts.replies.body import body, is_instruction
from readers.engine.prompts.replies.json_text import fields_named
from readers.engine.prompts.replies.phrases import is_echo, is_nothing, is_placeholder, is_refusal
from readers.engine.prompts.replies.plain import Plain, Stated, settled
from readers.engine.prompts.replies.reply import Field, Parsed, Unreadable
from readers.engine.prompts.replies.unchanged import says_unchanged
from readers.engine.text import tokens

UNCHANGED = "unchanged"
_NAMES = "thinking|update|recall"
_TAG = re.compile(rf"<(/?)({_NAMES})>", re.IGNORECASE)
_LOOSE_TAG = re.compile(rf"<\s*(/?)\s*({_NAMES})\s*>", re.IGNORECASE)
_HEADING = re.compile(
    r"^[ \t]*(?:\d[.)][ \t]*)?(?:(thinking|thoughts?|reasoning)|((?:memory )?update|(?:new|updated) memory"
    r"|memory)|(recall|recall query|query))[ \t]*(?::|(?=\n))",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True)
class Memory:
    """The whole reply is the new memory, of at most `limit` tokens (Yu et al., 2025). A longer one is usable. `called` is what
    the prompt calls it."""

    limit: int
    called: str = "memory"
    main = "text"
    markers = ()

    def describe(self) -> str:
        return f"plain text of at most {self.limit} tokens (some {_words(self.limit)} words)"

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        if not reply.strip():
            return Unreadable("it was empty")
        return _memory(body(reply), _WantedMemory("text", self.limit, self.describe(), self.called))

    def render(self, values: Mapping[str, str | int]) -> str:
        return str(values["text"])

    def to_json(self) -> dict[str, Any]:
        return {"kind": "memory", "limit": self.limit} | ({"called": self.called} if self.called != "memory" else {})


@dataclass(frozen=True)
class MemoryBlocks:
    """`<thinking>`, one `<update>` with the new memory of at most `limit` tokens, and at most one `<recall>` query (Shi et al.,
    2025).

    Blocks inside `<thinking>` do not count; several updates must agree, or the last one corrects the others. Without an
    `<update>`, the reply without the other blocks is usable. `format_error` says what was malformed.
    """

    limit: int
    main = "update"
    markers = ()

    def describe(self) -> str:
        thinking, update, recall = self._hints()
        return f"<thinking>{thinking}</thinking>\n<update>{update}</update>\n<recall>{recall}</recall>"

    def _hints(self) -> tuple[str, str, str]:
        return (
            "what the section adds, in a sentence or two",
            f"the whole memory as it is to be from now on, at most {self.limit} tokens (some {_words(self.limit)} words)",
            "what to look for in an earlier memory; leave this block out where nothing is missing",
        )

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        found = _other_form(reply)
        error = ""
        if found is None:
            tag = _TAG if any(mark[2].lower() == "update" for mark in _TAG.finditer(reply)) else _LOOSE_TAG
            blocks = _TaggedBlocks(reply, tag)
            found, error = blocks.found, blocks.problem()
        _, shown, asked = self._hints()
        fields = _query(found.get("recall", []), asked)
        if error:
            fields["format_error"] = Field(error, 0, len(reply.rstrip()))
        updates = [field for field in found.get("update", []) if not is_echo(str(field.value), [shown])]
        if not found.get("update"):
            return self._without_update(blocks.rest(), error, fields=fields)
        last = settled(reply, [Stated(" ".join(str(field.value).split()), field.start, field.end) for field in updates])
        if last is None:
            return Unreadable("its <update> blocks differ" if updates else "its <update> block repeats the form")
        update = next(field for field in updates if field.start == last.start)
        if not update.value:
            return Unreadable("its <update> block is empty")
        return _memory(update, _WantedMemory("update", self.limit, shown), others=fields)

    def _without_update(self, rest: Field, error: str, *, fields: Mapping[str, Field]) -> Parsed | Unreadable:
        """A reply without an update: nothing to use, a statement that nothing changes, or words that are usable."""
        if not rest.value:
            return Unreadable(error or "it was empty")
        read = _memory(rest, _WantedMemory("update", self.limit, self._hints()[1]), others=fields)
        if isinstance(read, Unreadable):
            return Unreadable(error or read.problem, read.usable)
        return read if UNCHANGED in read.fields else Unreadable(error, read)

    def render(self, values: Mapping[str, str | int]) -> str:
        thoughts = f"<thinking>{_untagged(values['thinking'])}</thinking>\n" if values.get("thinking") else ""
        query = f"\n<recall>{_untagged(values['recall'])}</recall>" if values.get("recall") else ""
        return f"{thoughts}<update>{_untagged(values['update'])}</update>{query}"

    def to_json(self) -> dict[str, Any]:
        return {"kind": "memory_blocks", "limit": self.limit}


@dataclass(frozen=True)
class _WantedMemory:
    """The memory that a form asks for: its field, its longest size in tokens, its place in the form as `shown`, and what it is
    called."""

    field: str
    limit: int
    shown: str
    called: str = "memory"


def _memory(found: Field, wanted: _WantedMemory, *, others: Mapping[str, Field] | None = None) -> Parsed | Unreadable:
    """The memory in a field, unless it is none; `others` are the fields beside it."""
    words, called = str(found.value), wanted.called
    if not words:
        return Unreadable("there is no text in it")
    if is_placeholder(words) or is_instruction(words) or is_echo(words, [wanted.shown]):
        return Unreadable(f"it repeats the form and has no {called} of its own")
    if says_unchanged(words):
        return Parsed({**(others or {}), UNCHANGED: found})
    if is_refusal(words):
        return Unreadable(f"it declines, or asks for something, instead of giving the {called}")
    parsed = Parsed({**(others or {}), wanted.field: found})
    size, limit = tokens.count(words), wanted.limit
    return parsed if size <= limit else Unreadable(f"the {called} in it has {size} tokens, and there is room for {limit}", parsed)


def _query(found: list[Field], shown: str) -> dict[str, Field]:
    """The last query that is one."""
    real = [
        field for field in found if field.value and not is_nothing(str(field.value)) and not is_echo(str(field.value), [shown])
    ]
    return {"recall": real[-1]} if real else {}


def _words(limit: int) -> int:
    """About how many English words have this many tokens."""
    return max(1, limit * 3 // 4)


def _other_form(reply: str) -> dict[str, list[Field]] | None:
    """The update and the query of a reply in JSON, or under headings in place of tags; None if it has neither."""
    if _TAG.search(reply):
        return None
    names = {"update": ("update", "memory", "new memory", "updated memory"), "recall": ("recall", "query", "recall query")}
    given = [fields for fields in fields_named(reply, names) if "update" in fields]
    if given:
        found: dict[str, list[Field]] = {"update": [], "recall": []}
        for fields in given:
            for name, value in fields.items():
                found[name].append(Field((value.text or "").strip(), value.start, value.end))
        return found
    return _headed(reply)


def _headed(reply: str) -> dict[str, list[Field]] | None:
    plain = Plain(reply)
    marks = [
        mark
        for mark in _HEADING.finditer(plain.text)
        if mark[0].rstrip().endswith(":") or "#" in reply[mark.start() : mark.end()]
    ]
    if len(marks) < 2 or not any(mark[2] for mark in marks):
        return None
    found: dict[str, list[Field]] = {"update": [], "recall": []}
    for number, mark in enumerate(marks):
        end = marks[number + 1].start() if number + 1 < len(marks) else len(reply)
        if not mark[1]:
            found["update" if mark[2] else "recall"].append(body(reply, start=_after_marks(reply, mark.end()), end=end))
    return found


def _after_marks(reply: str, at: int) -> int:
    """The position after bold marks that belong to a heading."""
    found = re.compile(r"[ \t]*[*_]*[ \t]*[:：]?[*_]*").match(reply, at)
    return found.end() if found else at


class _TaggedBlocks:
    """The tagged blocks of a reply; `found` has the well-formed ones of each name, outside `<thinking>`."""

    def __init__(self, reply: str, tag: re.Pattern[str]) -> None:
        self._reply = reply
        self._tag = tag
        self._opened: dict[str, tuple[int, int]] = {}
        self._dropped: list[tuple[int, int]] = []  # spans outside the memory: blocks of thoughts and queries, and every tag
        inside = self._read()
        self._dropped.sort(key=lambda stretch: (stretch[0], -stretch[1]))
        self.found = {name: [self._without(*stretch) for stretch in stretches] for name, stretches in inside.items()}

    def _read(self) -> dict[str, list[tuple[int, int]]]:
        """The spans inside the blocks of each name. An update that is not closed ends where a query begins."""
        tags = [(m[2].lower(), bool(m[1]), m.start(), m.end()) for m in self._tag.finditer(self._reply)]
        thoughts_end = max((start for name, closes, start, _ in tags if name == "thinking" and closes), default=-1)
        update_end = max((start for name, closes, start, _ in tags if name == "update" and closes), default=-1)
        recall_end = max((start for name, closes, start, _ in tags if name == "recall" and closes), default=-1)
        inside: dict[str, list[tuple[int, int]]] = {}
        for name, closes, start, end in tags:
            if "thinking" in self._opened and not (name == "thinking" and closes):
                continue
            self._dropped.append((start, end))
            if name == "recall" and not closes and "update" in self._opened and update_end < start < recall_end:
                inside.setdefault("update", []).append((self._opened.pop("update")[1], start))
            if not closes and (name != "thinking" or start < thoughts_end):
                self._opened[name] = (start, end)
            elif closes and name in self._opened:
                began, inner = self._opened.pop(name)
                if name != "thinking":
                    inside.setdefault(name, []).append((inner, start))
                if name != "update":
                    self._dropped.append((began, end))
        return inside

    def _without(self, start: int, end: int) -> Field:
        """The text between two positions, without the blocks and tags in it."""
        parts, at = [], start
        first = bisect_left(self._dropped, (start, -1))
        for number in range(first, len(self._dropped)):
            begin, stop = self._dropped[number]
            if begin >= end:
                break
            if at <= begin and stop <= end:
                parts.append(self._reply[at:begin])
                at = stop
        parts.append(self._reply[at:end])
        if len(parts) == 1:
            return body(self._reply, start=start, end=end)
        return Field("\n".join(piece.strip() for piece in parts if piece.strip()), start, end)

    def rest(self) -> Field:
        """The reply without thoughts, queries and tags."""
        return self._without(0, len(self._reply))

    def problem(self) -> str:
        """What is malformed, as a clause; empty if nothing is."""
        if "update" not in self.found:
            return "its <update> block is not closed" if "update" in self._opened else "it has no <update> block"
        return "its <recall> block is not closed" if "recall" in self._opened and "recall" not in self.found else ""


def _untagged(words: str | int) -> str:
    """The words with their tags in other brackets, so that they are not parsed."""
    return _LOOSE_TAG.sub(lambda tag: f"«{tag[0][1:-1]}»", str(words))
