"""Reply formats of readers that overwrite a memory: the memory itself, tagged blocks, and a boxed answer.

A malformed reply whose value can still be extracted is unreadable but `usable`: the call is repeated, and the last attempt uses
it. The limit of a memory is checked while parsing, so one that is too long is asked for again like any misread reply. All formats
drop the thoughts of a model up to `</think>`. Every search is linear in the reply, whatever it contains.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from readers.engine.prompts.reply import Field, Parsed, Unreadable
from readers.engine.text import tokens

_THOUGHT = "</think>"
_TAG = re.compile(r"<(/?)(thinking|update|recall)>", re.IGNORECASE)
_BOX = re.compile(r"\\boxed\s*\{")
_BLANK = re.compile(r"\s*")
_BRACE = re.compile(r"\\?[{}]")
_WRAPPED = re.compile(r"\\(?:text|textbf|mathrm|mathbf)\s*\{([^{}]*)\}")
_LETTER = re.compile(r"\(?([A-Za-z])(?:[).:]|$)")


@dataclass(frozen=True)
class Memory:
    """The whole reply is the new memory, of at most `limit` tokens (Yu et al., 2025). A longer one is usable."""

    limit: int
    main = "text"
    markers = ()

    def describe(self) -> str:
        return f"plain text of at most {self.limit} tokens (some {_words(self.limit)} words)"

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        found = _without_thoughts(reply)
        if not found.value:
            return Unreadable("it was empty")
        return _within(found, self.limit, Parsed({"text": found}))

    def render(self, values: Mapping[str, str | int]) -> str:
        return str(values["text"])

    def to_json(self) -> dict[str, Any]:
        return {"kind": "memory", "limit": self.limit}


@dataclass(frozen=True)
class MemoryBlocks:
    """`<thinking>`, one `<update>` with the new memory of at most `limit` tokens, and at most one `<recall>` query (Shi et al.,
    2025).

    The last well-formed block of each name outside `<thinking>` counts. Without an `<update>`, the reply without the other blocks
    is usable. `format_error` says what was malformed.
    """

    limit: int
    main = "update"
    markers = ()

    def describe(self) -> str:
        return (
            "<thinking>what the section adds, in a sentence or two</thinking>\n"
            f"<update>the whole memory as it is to be from now on, at most {self.limit} tokens (some {_words(self.limit)} words)"
            "</update>\n"
            "<recall>what to look for in an earlier memory; leave this block out where nothing is missing</recall>"
        )

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        visible = _without_thoughts(reply)
        blocks = _Blocks(reply, visible.start, visible.end)
        fields: dict[str, Field] = {}
        query = blocks.last.get("recall")
        if query and query.value:
            fields["recall"] = query
        error = blocks.problem()
        if error:
            fields["format_error"] = Field(error, visible.start, visible.end)
        update = blocks.last.get("update")
        if update is None:
            rest = blocks.rest()
            if not rest.value:
                return Unreadable(error or "it was empty")
            return Unreadable(error, Parsed({**fields, "update": rest}))
        if not update.value:
            return Unreadable("its <update> block is empty")
        return _within(update, self.limit, Parsed({**fields, "update": update}))

    def render(self, values: Mapping[str, str | int]) -> str:
        thoughts = f"<thinking>{_untagged(values['thinking'])}</thinking>\n" if values.get("thinking") else ""
        query = f"\n<recall>{_untagged(values['recall'])}</recall>" if values.get("recall") else ""
        return f"{thoughts}<update>{_untagged(values['update'])}</update>{query}"

    def to_json(self) -> dict[str, Any]:
        return {"kind": "memory_blocks", "limit": self.limit}


@dataclass(frozen=True)
class Boxed:
    """`\\boxed{the answer}`: the last box of the reply, with balanced braces. A reply without one is usable as a whole.

    If the part `among` has choices after its first text, the box names one of them by its letter; other words are usable.
    """

    among: str = ""
    main = "answer"
    markers = (r"\\boxed(?=\s*\{)",)

    def describe(self) -> str:
        choice = "; one of the choices with its letter, as it stands, if there are any" if self.among else ""
        return f"\\boxed{{the answer{choice}}}"

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        visible = _without_thoughts(reply)
        box = _box(reply, visible.start, visible.end)
        if box is None or not box.value:
            problem = "it has no \\boxed{...} with the answer in it"
            return Unreadable(problem, _malformed(visible, problem) if visible.value else None)
        choices = sizes.get(self.among, 0) - 1
        letter = _LETTER.match(str(box.value))
        if choices > 1 and not (letter and ord(letter[1].upper()) - ord("A") < choices):
            problem = f"its box names none of the {choices} choices by its letter"
            return Unreadable(problem, _malformed(box, problem))
        return Parsed({"answer": box})

    def render(self, values: Mapping[str, str | int]) -> str:
        words = str(values["answer"])
        return f"\\boxed{{{words if _balanced(words) else words.replace('{', '(').replace('}', ')')}}}"

    def to_json(self) -> dict[str, Any]:
        return {"kind": "boxed", "among": self.among}


def _malformed(answer: Field, problem: str) -> Parsed:
    return Parsed({"answer": answer, "format_error": Field(problem, answer.start, answer.end)})


def _within(memory: Field, limit: int, parsed: Parsed) -> Parsed | Unreadable:
    size = tokens.count(str(memory.value))
    if size <= limit:
        return parsed
    return Unreadable(f"the memory in it has {size} tokens, and there is room for {limit}", parsed)


def _words(limit: int) -> int:
    """About how many English words have this many tokens."""
    return max(1, limit * 3 // 4)


def _without_thoughts(reply: str) -> Field:
    """The reply after its last `</think>`, without white space at its ends."""
    at = reply.rfind(_THOUGHT)
    return Field.between(reply, at + len(_THOUGHT) if at >= 0 else 0, len(reply))


class _Blocks:
    """The tagged blocks of a reply; `last` has the last well-formed one of each name, outside `<thinking>`."""

    def __init__(self, reply: str, start: int, end: int) -> None:
        self._reply, self._start, self._end = reply, start, end
        self._opened: dict[str, tuple[int, int]] = {}
        self._dropped: list[tuple[int, int]] = []  # spans outside the memory: blocks of thoughts and queries, and every tag
        inside = self._read()
        self._dropped.sort(key=lambda stretch: (stretch[0], -stretch[1]))
        self.last = {name: self._without(*stretch) for name, stretch in inside.items()}

    def _read(self) -> dict[str, tuple[int, int]]:
        """The span inside the last well-formed block of each name."""
        tags = [(m[2].lower(), bool(m[1]), m.start(), m.end()) for m in _TAG.finditer(self._reply, self._start, self._end)]
        thoughts_end = max((start for name, closes, start, _ in tags if name == "thinking" and closes), default=-1)
        inside: dict[str, tuple[int, int]] = {}
        for name, closes, start, end in tags:
            if "thinking" in self._opened and not (name == "thinking" and closes):
                continue
            self._dropped.append((start, end))
            if not closes and (name != "thinking" or start < thoughts_end):
                self._opened[name] = (start, end)
            elif closes and name in self._opened:
                began, inner = self._opened.pop(name)
                if name != "thinking":
                    inside[name] = (inner, start)
                if name != "update":
                    self._dropped.append((began, end))
        return inside

    def _without(self, start: int, end: int) -> Field:
        """The text between two positions, without the blocks and tags in it."""
        parts, at = [], start
        for begin, stop in self._dropped:
            if at <= begin and stop <= end:
                parts.append(self._reply[at:begin])
                at = stop
        parts.append(self._reply[at:end])
        if len(parts) == 1:
            return Field.between(self._reply, start, end)
        return Field("\n".join(piece.strip() for piece in parts if piece.strip()), start, end)

    def rest(self) -> Field:
        """The reply without thoughts, queries and tags."""
        return self._without(self._start, self._end)

    def problem(self) -> str:
        """What is malformed, as a clause; empty if nothing is."""
        if "update" not in self.last:
            return "its <update> block is not closed" if "update" in self._opened else "it has no <update> block"
        return "its <recall> block is not closed" if "recall" in self._opened and "recall" not in self.last else ""


def _untagged(words: str | int) -> str:
    """The words with their tags broken up, so that they are not parsed."""
    return _TAG.sub(lambda tag: f"< {tag[0][1:]}", str(words))


def _box(reply: str, start: int, end: int) -> Field | None:
    """The contents of the last box that is closed and not empty; None if there is none."""
    boxes = {match.end() for match in _BOX.finditer(reply, start, end)}
    last: tuple[int, int] | None = None
    opened: list[int] = []
    for brace in _BRACE.finditer(reply, start, end):
        if brace[0] == "{":
            opened.append(brace.end())
        elif brace[0] == "}" and opened:
            inner = opened.pop()
            blank = _BLANK.match(reply, inner)
            if inner in boxes and blank and blank.end() < brace.start():
                last = inner, brace.start()
    if last is None:
        return None
    found = Field.between(reply, *last)
    wrapped = _WRAPPED.fullmatch(str(found.value))
    return Field.between(reply, found.start + wrapped.start(1), found.start + wrapped.end(1)) if wrapped else found


def _balanced(words: str) -> bool:
    depth = 0
    for brace in _BRACE.finditer(words):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if depth < 0:
            return False
    return depth == 0
