"""The formats of replies that are words, numbers or a choice: each describes itself, parses and renders.

Their wording in prompts and of problems is stored with readings and must not change. Not here: lists in JSON (`json_lists`) and
memories (`memory_formats`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from readers.engine.prompts.reply import Field, Parsed, Unreadable


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

    A `number` is an integer from `lowest` to `highest`, or below the number of texts in the part `below`. A `needed` line must be
    present: always, or only if the block's action equals `when`.
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

# A minus as models write it: a hyphen or a dash of any length or width, but not the hyphen of "Summary-1".
_MINUS = "-\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
_INTEGER = re.compile(rf"(?<![\d.])(?:(?<!\w)[{_MINUS}])?\d{{1,9}}(?![\d.]*\d)")


@dataclass(frozen=True)
class Block:
    """`Name: value` lines between two rules of `#` (Chen et al., 2023, Table 5). A heading is at the start of a line, in any
    case, with or without bold marks.

    The last value of each name counts: models repeat the format, quote the text, and think aloud before they decide.
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
        """The last section under each heading: the text up to the next heading or rule."""
        marks = list(self._heading.finditer(reply))
        sections: dict[str, Field] = {}
        for number, mark in enumerate(marks):
            if mark[1]:
                end = marks[number + 1].start() if number + 1 < len(marks) else len(reply)
                sections[mark[1].lower()] = Field.between(reply, mark.end(), end)
        return sections

    def render(self, values: Mapping[str, str | int]) -> str:
        body = [f"{line.name.capitalize()}: {self._plain(str(values[line.name]))}" for line in self.lines if line.name in values]
        return "\n".join([_RULE, *body, _RULE])

    def _plain(self, words: str) -> str:
        """The words, with each line that would be parsed as a heading or a rule made a list item."""
        first, *others = words.split("\n")
        return "\n".join([first, *(f"- {line}" if self._heading.match(line) else line for line in others)])

    def to_json(self) -> dict[str, Any]:
        return {"kind": "block", "lines": [line.__dict__ for line in self.lines]}


# A whole number, not part of a word or of a decimal number.
_WHOLE = re.compile(r"(?<![\w.])\d{1,9}(?!\w|\.\d)")


def numbers(words: str) -> list[int]:
    """The whole numbers in a text, in order, with repetitions."""
    return [int(found) for found in _WHOLE.findall(words)]


@dataclass(frozen=True)
class Label:
    """`Break point: <3>`: one of the labels, from 1, before the texts of a part (Lee et al., 2024, pagination).

    Other words are allowed, unless they name several labels and none follows `Break point:`.
    """

    part: str
    main = "label"
    markers = ()

    def describe(self) -> str:
        return "Break point: <N>"

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        found = (
            list(re.finditer(r"break point\b[ \t:*_]*<?[ \t]*(\d{1,9})\b", reply, re.IGNORECASE))[-1:]
            or list(re.finditer(r"<[ \t]*(\d{1,9})[ \t]*>", reply))
            or list(re.finditer(r"\A[\s(]*(\d{1,9})[\s).]*\Z", reply))
        )
        most = sizes.get(self.part, 0)
        values = {int(label[1]) for label in found}
        if len(values) != 1:
            return Unreadable("it names several labels" if values else "it names no label, such as <1>")
        value = values.pop()
        if not 1 <= value <= most:
            return Unreadable(f"its label <{value}> was not offered; the labels are <1> to <{most}>")
        return Parsed({"label": Field(value, *found[-1].span(1))})

    def render(self, values: Mapping[str, str | int]) -> str:
        return f"Break point: <{values['label']}>"

    def to_json(self) -> dict[str, Any]:
        return {"kind": "label", "part": self.part}


@dataclass(frozen=True)
class Pages:
    """`I want to look up Page [2, 5] to ...`: any number of pages, or none, and why (Lee et al., 2024, parallel look-up).

    The reader checks which pages exist, and how many are allowed.
    """

    main = "pages"
    markers = ()

    def describe(self) -> str:
        return "I want to look up Page [N, N] to ..."

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        lists = [found for found in re.finditer(r"\[([^\[\]]*)\]", reply) if not re.search(r"[^\W\d]", _bare(found[1]))]
        if not lists:
            return Unreadable("it has no list of pages in square brackets, such as [2, 5], or [] for none")
        if re.search(r"[^\s,;]", _WHOLE.sub(" ", _bare(lists[-1][1]))):
            return Unreadable("what stands between its square brackets is not page numbers with commas between them")
        return Parsed({"pages": Field.between(reply, *lists[-1].span(1))} | _reason(reply, lists[-1].end()))

    def render(self, values: Mapping[str, str | int]) -> str:
        why = " ".join(re.sub(r"[\[\]]", " ", str(values.get("reasoning", ""))).split())
        return f"I want to look up Page [{values['pages']}]" + (f": {why}" if why else "")

    def to_json(self) -> dict[str, Any]:
        return {"kind": "pages"}


@dataclass(frozen=True)
class PageOrStop:
    """`Page 7` or `STOP`, and why (Lee et al., 2024, sequential look-up). The field `action` is the page, or -1 to stop.

    The beginning of a line decides; otherwise the only page that is named, or STOP as the last word.
    """

    main = "action"
    markers = ()

    def describe(self) -> str:
        return "Page N (or STOP), and why"

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        page = r"(?i:page)[ \t]*[\[<(*_]*[ \t]*(\d{1,9})\b[\])>*_]*"
        found = list(re.finditer(rf"^[ \t>*_(]*(?:(?i:i want to look up)[ \t]+)?(?:{page}|STOP\b[*_]*)", reply, re.MULTILINE))
        found = found or list(re.finditer(rf"\b{page}|\bSTOP[.*_]*\Z", reply.rstrip()))
        values = {int(mark[1]) if mark[1] else -1 for mark in found}
        if len(values) != 1:
            return Unreadable("it names several pages" if values else "it says neither 'Page' with a number nor 'STOP'")
        mark = found[-1]
        return Parsed({"action": Field(values.pop(), mark.start(), mark.end())} | _reason(reply, mark.end()))

    def render(self, values: Mapping[str, str | int]) -> str:
        why = " ".join(str(values.get("reasoning", "")).split())
        return ("STOP" if int(values["action"]) < 0 else f"Page {values['action']}") + (f": {why}" if why else "")

    def to_json(self) -> dict[str, Any]:
        return {"kind": "page_or_stop"}


@dataclass(frozen=True)
class Lettered:
    """`Answer: (C) ...`: one of the choices of a part, by its letter. Bold marks and a missing heading or bracket are allowed."""

    part: str
    main = "answer"
    markers = ()

    def describe(self) -> str:
        return "Answer: (the letter) the choice as it stands"

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        letter = r"(?:\(([A-Za-z])\)|([A-Z])(?=[).:,*]|[^\S\n]*$))"
        found = list(re.finditer(rf"(?i:answer)(?i:[ \t]+is)?[ \t:*_]*{letter}", reply, re.MULTILINE))[-1:]
        found = found or list(re.finditer(rf"\A[\s*_>]*{letter}", reply, re.MULTILINE))
        if not found:
            return Unreadable("it names no choice by its letter")
        named = found[0][1] or found[0][2]
        most = sizes.get(self.part, 0)
        if ord(named.upper()) - ord("A") >= most:
            return Unreadable(f"its answer ({named}) is not one of the {most} choices")
        start = found[0].start(1) - 1 if found[0][1] else found[0].start(2)
        end = reply.find("\n", start)
        return Parsed({"answer": Field.between(reply, start, len(reply) if end < 0 else end)})

    def render(self, values: Mapping[str, str | int]) -> str:
        return f"Answer: {values['answer']}"

    def to_json(self) -> dict[str, Any]:
        return {"kind": "lettered", "part": self.part}


@dataclass(frozen=True)
class OneOf:
    """A reply that begins with one of these words, in any case."""

    words: tuple[str, ...]
    main = "answer"
    markers = ()

    def describe(self) -> str:
        return " | ".join(self.words)

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        words = "|".join(map(re.escape, sorted(self.words, key=len, reverse=True)))
        found = re.match(rf"[\s\"'“*_]*({words})\b(?!\s*\|)", reply, re.IGNORECASE)
        if not found:
            return Unreadable(f"it begins with none of {', '.join(self.words)}")
        return Parsed({"answer": Field(found[1], *found.span(1))})

    def render(self, values: Mapping[str, str | int]) -> str:
        return str(values["answer"])

    def to_json(self) -> dict[str, Any]:
        return {"kind": "one_of", "words": list(self.words)}


def _bare(listed: str) -> str:
    """The contents of brackets without the words `page`, `pages` and `and`."""
    return re.sub(r"\b(?:pages?|and)\b", " ", listed, flags=re.IGNORECASE)


def _reason(reply: str, start: int) -> dict[str, Field]:
    """The rest of the line after a decision, as the field `reasoning`; no field if it is empty."""
    end = reply.find("\n", start)
    end = len(reply) if end < 0 else end
    while start < end and reply[start] in " \t.,:;*_)-–—":
        start += 1
    found = Field.between(reply, start, end)
    return {"reasoning": found} if found.value else {}


def _number(section: Field) -> Field | None:
    """The only integer in the first line of a section; None if there is none, or several different ones."""
    first = str(section.value).partition("\n")[0]
    values = {int(re.sub(f"[{_MINUS}]", "-", found)) for found in _INTEGER.findall(first)}
    return Field(values.pop(), section.start, section.start + len(first)) if len(values) == 1 else None
