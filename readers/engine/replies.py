"""What a model's reply must look like: formats that describe themselves, parse and render.

A format is plain data, stored with the call, so that an old reading stays readable. Parsing never fails with an exception,
whatever
the bytes: it gives the fields found, each with the characters of the reply it was taken from, or the problem in words, which the
model is told when it is asked again. Only the reply is ever parsed, never the prompt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol


class Field(NamedTuple):
    """One value read out of a reply, and where: `reply[start:end]`."""

    value: str | int
    start: int
    end: int


class Parsed(NamedTuple):
    """The fields of a reply that could be read."""

    fields: dict[str, Field]


class Unreadable(NamedTuple):
    """Why a reply could not be read: a clause that completes "your reply could not be read: ..."."""

    problem: str


class ReplyFormat(Protocol):
    @property
    def main(self) -> str:
        """The field that stands for the whole reply."""
        ...

    @property
    def markers(self) -> tuple[str, ...]:
        """Regular expressions of what a document must not be able to pose as."""
        ...

    def describe(self) -> str:
        """The format as the prompt shows it."""
        ...

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        """Read a reply. `sizes` is the number of texts in each part of the prompt, for what must lie in range."""
        ...

    def render(self, values: Mapping[str, str | int]) -> str:
        """A well-formed reply with these values; `parse` reads them back."""
        ...

    def to_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Free:
    """The whole reply, without white space at its ends. Empty is unreadable."""

    main = "text"
    markers = ()

    def describe(self) -> str:
        return ""

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        text = reply.strip()
        if not text:
            return Unreadable("it was empty")
        start = reply.index(text[0])
        return Parsed({"text": Field(text, start, start + len(text))})

    def render(self, values: Mapping[str, str | int]) -> str:
        return str(values["text"])

    def to_json(self) -> dict[str, Any]:
        return {"kind": "free"}


@dataclass(frozen=True)
class Line:
    """One `Name: value` of a block.

    A `number` is one integer from `lowest` up to `highest`, or to one less than the number of texts in the part `below`. A line
    is
    `needed` always, never, or only when the block's action equals a number ("when").
    """

    name: str
    kind: Literal["words", "number"]
    hint: str
    lowest: int = 0
    highest: int | None = None
    below: str = ""
    needed: bool = True
    when: int | None = None

    def bound(self, sizes: Mapping[str, int]) -> int:
        return self.highest if self.highest is not None else sizes.get(self.below, 0) - 1


_RULE = "#" * 35

# A minus as models write it: the sign itself, or a dash of any length or width, but not the hyphen of "Summary-1".
_MINUS = "-\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
_INTEGER = re.compile(rf"(?<![\d.])(?:(?<!\w)[{_MINUS}])?\d{{1,9}}(?![\d.]*\d)")


@dataclass(frozen=True)
class Block:
    """`Name: value` lines between two rules of `#` (MemWalker, Table 5). A heading counts at the start of a line, in any case,
    with or without bold marks.

    The last value of each name is taken: models repeat the format, quote the text, and think aloud before they decide.
    """

    lines: tuple[Line, ...]

    @property
    def main(self) -> str:
        return self.lines[-1].name

    @property
    def markers(self) -> tuple[str, ...]:
        return (rf"^(?:[^\S\n]|[>*_])*(?:{'|'.join(line.name for line in self.lines)})(?:[^\S\n]|[*_])*:", "#{3,}")

    def describe(self) -> str:
        return "\n".join([_RULE, *(f"{line.name.capitalize()}: {line.hint}" for line in self.lines), _RULE])

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        found = self._sections(reply)
        fields: dict[str, Field] = {}
        for line in self.lines:
            section = found.get(line.name)
            field = section and (_number(section) if line.kind == "number" else section)
            if field and line.kind == "number" and not line.lowest <= int(field.value) <= line.bound(sizes):
                return Unreadable(f"its {line.name} {field.value} is not a number from {line.lowest} to {line.bound(sizes)}")
            if field and field.value != "":
                fields[line.name] = field
            elif line.needed and (line.when is None or self._action(fields) == line.when):
                return Unreadable(f"it has no line '{line.name.capitalize()}: {line.hint}'")
        return Parsed(fields)

    def _action(self, fields: Mapping[str, Field]) -> int | None:
        numbers = [fields[line.name].value for line in self.lines if line.kind == "number" and line.name in fields]
        return int(numbers[0]) if numbers else None

    @cached_property
    def _heading(self) -> re.Pattern[str]:
        names = "|".join(line.name for line in self.lines)
        line = rf"^[ \t>*_]*({names})[ \t*_]*:[*_]*|^[ \t]*#{{3,}}[ \t]*$"
        return re.compile(line, re.ASCII | re.IGNORECASE | re.MULTILINE)

    def _sections(self, reply: str) -> dict[str, Field]:
        """The last section under each heading: its words up to the next heading or rule."""
        marks = list(self._heading.finditer(reply))
        sections: dict[str, Field] = {}
        for number, mark in enumerate(marks):
            if mark[1]:
                end = marks[number + 1].start() if number + 1 < len(marks) else len(reply)
                sections[mark[1].lower()] = _stripped(reply, mark.end(), end)
        return sections

    def render(self, values: Mapping[str, str | int]) -> str:
        body = [f"{line.name.capitalize()}: {self._plain(str(values[line.name]))}" for line in self.lines if line.name in values]
        return "\n".join([_RULE, *body, _RULE])

    def _plain(self, words: str) -> str:
        """`words` without a line that would be read as a heading or a rule."""
        first, *others = words.split("\n")
        return "\n".join([first, *(f"- {line}" if self._heading.match(line) else line for line in others)])

    def to_json(self) -> dict[str, Any]:
        return {"kind": "block", "lines": [line.__dict__ for line in self.lines]}


def reply_format(data: Mapping[str, Any]) -> ReplyFormat:
    """The format that `to_json` wrote. An unknown one raises ValueError."""
    if data["kind"] == "free":
        return Free()
    if data["kind"] == "block":
        return Block(tuple(Line(**line) for line in data["lines"]))
    raise ValueError(f"no reply format of the kind {data['kind']!r} is known here")


def _stripped(reply: str, start: int, end: int) -> Field:
    section = reply[start:end]
    start += len(section) - len(section.lstrip())
    return Field(section.strip(), start, start + len(section.strip()))


def _number(section: Field) -> Field | None:
    """The one integer that a section's first line names; None where it names none, or several that differ."""
    first = str(section.value).partition("\n")[0]
    values = {int(re.sub(f"[{_MINUS}]", "-", found)) for found in _INTEGER.findall(first)}
    return Field(values.pop(), section.start, section.start + len(first)) if len(values) == 1 else None
