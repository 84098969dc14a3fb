"""`Name: value` lines between two rules of `#`: a reason, an action, an answer.

The lines of a reply are searched for under headings in bold, in lists, in tags, in
JSON, or as the only number that it decides for. Several blocks must agree, or the last one must say that it corrects the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from readers.engine.on_first_use import pattern
from readers.engine.prompts.formats.form import NOTHING_SHOWN, Choice, Field, Form, FormField, Parsed, Shown, Unreadable
from readers.engine.prompts.formats.json_text import stated_in_json
from readers.engine.prompts.formats.labels import JOIN, blocks, label, labelled, words
from readers.engine.prompts.formats.letters import is_one
from readers.engine.prompts.formats.phrases import is_echo, is_nothing, is_placeholder, says_none
from readers.engine.prompts.formats.plain import Plain, Stated, peeled, settled


@dataclass(frozen=True)
class Line:
    """One `Name: value` of a block.

    A `number` is an integer from `lowest` to `highest`, or below the number of texts in the part `below`. A `needed` line
    must be present: always, or only if the block's action equals `when`.
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
_INTEGER = pattern(rf"(?<![\d.,])(?:(?<![\w.])[{_MINUS}])?\d{{1,9}}(?![.,]?\d)")
# A number at the beginning, and words after it that do not name another one at once.
_LEADING = pattern(
    rf"[\s(\[<\"'“]*((?:[{_MINUS}]\s?)?\d{{1,9}})(?![.,]?\d)[\s)\]>\"'”]*(?!\s*(?:{JOIN}|[{_MINUS}])\s*[{_MINUS}]?\s?\d)"
    rf"(?:\Z|\n|[.,;:(]|[{_MINUS}]\s|(?:because|since|as|for|weil|denn|car|parce|porque|так как|потому)\b|[,，。；])",
    re.IGNORECASE,
)
_POINT_ZERO = pattern(r"(?<=\d)\.0{1,9}(?![\d])")
_BACK = pattern(r"\W*(?:none[^.]{0,20} )?(?:(?:go|going|move|step)[ \t]+)?back(?:[ \t]+up)?\b", re.IGNORECASE)
_COUNTED = r"(?:summary|part|number|child|node|zusammenfassung|résumé|resumen|сводка|摘要)"
_WHOLE_NUMBER = pattern(
    rf"[^{_MINUS}\w]*(?:(?:{_COUNTED}|{label('action', 'answer')})\s*+(?:[:#]\s*+)?)*+"
    rf"((?:(?<!\w)[{_MINUS}]\s?)?\d{{1,9}})[\s.)\]>*#]*(?:\Z|\n)",
    re.IGNORECASE,
)
_CHOSEN = pattern(
    rf"\b(?:i(?:'d|'ll| would| will| should)? (?:choose|pick|select|open|decide (?:for|on)|go (?:with|to|for|into)|opt for)"
    rf"|(?:my|the|best|correct|right|final) (?:choice|answer|action|decision|{_COUNTED})\b(?: \w+){{0,6}} (?:is|would be)"
    rf"|{label('answer', 'action')}[ \t]*:)[ \t]*(?:(?:to|open|action|the|with|{_COUNTED})[ \t]+)*+"
    rf"[\"'(\[<#]*((?:(?<!\w)[{_MINUS}])?\d{{1,9}})(?![\d.]*\d)(?![\w-])",
    re.IGNORECASE,
)
_AFTER_CHOSEN = pattern(rf"[\s)\]>\"']*{JOIN}[^.\n]{{0,20}}?\d", re.IGNORECASE)


@dataclass(frozen=True)
class Block(Form):
    """`Name: value` lines between two rules of `#` (Chen et al., 2023, Table 5). A heading is at the start of a line, in any
    case."""

    lines: tuple[Line, ...]
    kind = "block"

    @property
    def main(self) -> str:
        return self.lines[-1].name

    @property
    def markers(self) -> tuple[str, ...]:
        return (rf"^(?:[^\S\n]|[>*_])*(?:{'|'.join(line.name for line in self.lines)})(?:[^\S\n]|[*_])*:", "#{3,}")

    def describe(self) -> str:
        return "\n".join([_RULE, *(f"{line.name.capitalize()}: {line.hint}" for line in self.lines), _RULE])

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        decided = next((line.name for line in self.lines if line.kind == "number"), "")
        return tuple(_field(line, decided, shown) for line in self.lines)

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        plain = Plain(reply)
        found = self._blocks(plain)
        stated = [block for one in found if (block := self._without_echoes(one))]
        if stated and not any(name in one for one in found for name in self._numbers):
            stated[-1] |= self._implied(stated[-1])
        decided = self._decided(plain, stated)
        if isinstance(decided, Unreadable):
            return decided
        return self._checked(decided, sizes)

    def _blocks(self, plain: Plain) -> list[dict[str, Field]]:
        """The blocks of a reply, each with its fields by name."""
        exact = self._exact(plain.reply)
        if exact:
            return [exact]
        in_json = {line.name: words(line.name) for line in self.lines}
        found = stated_in_json(plain.reply, in_json) or list(self._headed(plain))
        return found if any(name in block for block in found for name in self._numbers) else [*found, *self._bare(plain)]

    @cached_property
    def _numbers(self) -> tuple[str, ...]:
        return tuple(line.name for line in self.lines if line.kind == "number")

    def _exact(self, reply: str) -> dict[str, Field] | None:
        """The fields of a reply in exactly the form, each line once and in order; None for any other."""
        text = reply.strip()
        if not (text.startswith(_RULE) and text.endswith(_RULE)):
            return None
        marks = list(self._strict.finditer(reply))
        names = [mark[1].lower() for mark in marks if mark[1]]
        known = [line.name for line in self.lines if line.name in names]
        if len(marks) != len(names) + 2 or names != known or marks[0][1] or marks[-1][1]:
            return None
        ends = [mark.start() for mark in marks[1:]]
        spans = {mark[1].lower(): peeled(reply, mark.end(), end) for mark, end in zip(marks, ends, strict=False) if mark[1]}
        return {name: Field(reply[start:end], start, end) for name, (start, end) in spans.items()}

    @cached_property
    def _strict(self) -> re.Pattern[str]:
        names = "|".join(line.name for line in self.lines)
        line = rf"^[ \t>*_]*({names})[ \t*_]*:[*_]*|^[ \t]*#{{3,}}[ \t]*$"
        return re.compile(line, re.ASCII | re.IGNORECASE | re.MULTILINE)

    def _headed(self, plain: Plain) -> Iterator[dict[str, Field]]:
        """The blocks of the labels in a reply. A name that comes again begins another block."""
        marks = labelled(plain.text, plain.reply, [line.name for line in self.lines])
        for block in blocks(marks):
            yield {mark.name: self._value(plain, mark.value, mark.end) for mark in block}

    def _value(self, plain: Plain, start: int, end: int) -> Field:
        colon = re.compile(r"[\s:*_]*:").match(plain.reply, start, end)
        return plain.paragraph(colon.end() if colon else start, end)

    def _bare(self, plain: Plain) -> list[dict[str, Field]]:
        """The number of a reply without headings: the whole reply, or the number that a sentence decides for."""
        line = next((line for line in self.lines if line.kind == "number"), None)
        if line is None:
            return []
        whole = _WHOLE_NUMBER.match(plain.text)
        rest = plain.paragraph(whole.end(), len(plain.text)) if whole else None
        if whole and rest and rest.value and line != self.lines[-1]:
            return [{line.name: Field(whole[1], *whole.span(1)), self.main: rest}]
        found = (
            [whole]
            if whole and not (rest and rest.value)
            else [m for m in _CHOSEN.finditer(plain.text) if not _AFTER_CHOSEN.match(plain.text, m.end())]
        )
        return [{line.name: Field(mark[1], *mark.span(1))} for mark in found]

    def _without_echoes(self, found: Mapping[str, Field]) -> dict[str, Field]:
        hints = {line.name: line.hint for line in self.lines}
        return {
            name: field
            for name, field in found.items()
            if not is_placeholder(str(field.value)) and not is_echo(str(field.value), [hints[name]])
        }

    def _implied(self, block: Mapping[str, Field]) -> dict[str, Field]:
        """The number with which alone a line of the block is given, if a reply does not name it."""
        given = next((line for line in self.lines if line.when is not None and line.name in block), None)
        return {name: block[given.name]._replace(value=given.when or 0) for name in self._numbers} if given else {}

    def _decided(self, plain: Plain, blocks: list[dict[str, Field]]) -> dict[str, Field] | Unreadable:
        """The fields of the block that decides, with those that only an earlier one has."""
        line = next((line for line in self.lines if line.kind == "number"), None)
        if line is None:
            return blocks[-1] if blocks else {}
        answers = [Stated(str(f.value).casefold(), f.start, f.end) for block in blocks if (f := block.get("answer"))]
        if answers and settled(plain.text, answers) is None:
            return Unreadable("it has several answers that differ")
        places: list[Stated] = []
        by_place: dict[int, dict[str, Field]] = {}
        for block in blocks:
            field = block.get(line.name)
            if field is None:
                continue
            number = field if isinstance(field.value, int) else _number(plain, field)
            if number is None:
                return Unreadable(f"it has no line '{line.name.capitalize()}: {line.hint}'")
            block[line.name] = number
            places.append(Stated(int(number.value), field.start, max(block_field.end for block_field in block.values())))
            by_place[field.start] = block
        chosen = settled(plain.text, places)
        if chosen is None:
            if places:
                return Unreadable(f"it has several blocks with different numbers in the line '{line.name.capitalize()}:'")
            return blocks[-1] if blocks else {}
        decided = dict(by_place[chosen.start])
        for block in blocks:
            if line.name not in block:
                decided = {**block, **decided}
        return decided

    def _checked(self, found: Mapping[str, Field], sizes: Mapping[str, int]) -> Parsed | Unreadable:
        fields: dict[str, Field] = {}
        for line in self.lines:
            field = found.get(line.name)
            if field and line.kind == "number" and not line.lowest <= int(field.value) <= line.bound(sizes):
                return Unreadable(f"its {line.name} {field.value} is not a number from {line.lowest} to {line.bound(sizes)}")
            expected = line.when is None or self._action(fields) == line.when
            if field and line.kind == "words" and line.needed and says_none(str(field.value)):
                field = None
            if field and expected and line.name == "answer" and not is_one(str(field.value), sizes):
                return Unreadable("its answer names several of the choices")
            if field and field.value != "" and (expected or not is_nothing(str(field.value))):
                fields[line.name] = field
            elif line.needed and expected:
                return Unreadable(f"it has no line '{line.name.capitalize()}: {line.hint}'")
        return Parsed(fields)

    def _action(self, fields: Mapping[str, Field]) -> int | None:
        numbers = [fields[line.name].value for line in self.lines if line.kind == "number" and line.name in fields]
        return int(numbers[0]) if numbers else None

    def render(self, values: Mapping[str, str | int]) -> str:
        given = [line.name for line in self.lines if line.name in values]
        return "\n".join([_RULE, *(f"{name.capitalize()}: {self._plain(str(values[name]))}" for name in given), _RULE])

    def _plain(self, words: str) -> str:
        """The words, with each line that would be parsed as a heading or a rule made a list item."""
        first, *others = words.split("\n")
        return "\n".join([first, *(f"- {line}" if self._strict.match(line) else line for line in others)])

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "lines": [line.__dict__ for line in self.lines]}

    @classmethod
    def stored(cls, data: Mapping[str, Any]) -> Block:
        return cls(tuple(Line(**line) for line in data["lines"]))


# What a number below 0 means, where the numbers above refer to texts and where there are none; each also in plain words.
_UP = {-1: ("none of them: go back up", "go back up")}
_VERDICT = {-2: ("it can be answered from this", "answer from here"), -1: ("it cannot be answered from this", "go back up")}


def _field(line: Line, decided: str, shown: Shown) -> FormField:
    """What a line asks for; `decided` is the line with the number."""
    label, needed = line.name.capitalize(), line.needed
    if line.kind == "number":
        return FormField(line.name, "one", label, _numbered(line, shown), needed=needed, numbers=True, part=line.below)
    choices = tuple(Choice(words, words) for words in shown.texts("choices")) if line.name == "answer" else ()
    when = (decided, line.when) if line.when is not None else None
    kind: Literal["one", "words"] = "one" if choices else "words"
    return FormField(line.name, kind, label, choices, needed=needed, help=f"{line.hint.capitalize()}.", when=when)


def _numbered(line: Line, shown: Shown) -> tuple[Choice, ...]:
    """The numbers of a line, each with its words. Going back up is offered only if the prompt offers it."""
    texts, meant = shown.texts(line.below), _UP if line.below else _VERDICT
    no_way_back = "back" in shown.parts and not shown.texts("back")
    offered = []
    for number in range(line.lowest, line.bound(shown.sizes) + 1):
        if number == -1 and no_way_back:
            continue
        is_text = 0 <= number < len(texts)
        words, plain = (texts[number], "") if is_text else meant.get(number, ("", ""))
        counted = shown.counted if is_text else None
        label, sent = (counted.shown(number), counted.sent(number)) if counted else (str(number), "")
        offered.append(Choice(number, label, shown.noted(number, words), plain, sent))
    return tuple(sorted(offered, key=lambda choice: (int(choice.value) < 0 and bool(line.below), choice.value)))


def _number(plain: Plain, section: Field) -> Field | None:
    """The integer that a section begins with, or the only one in its first line; None if there is none, or several different
    ones."""
    text = _POINT_ZERO.sub(lambda found: " " * len(found[0]), plain.text[section.start : section.end])
    blank = len(text) - len(text.lstrip())
    end = text.find("\n", blank)
    first = text[: end if end >= 0 else len(text)]
    leading = _LEADING.match(first)
    if leading:
        return Field(_integer(leading[1]), section.start, section.start + len(first))
    values = {_integer(found) for found in _INTEGER.findall(first)} or ({-1} if _BACK.match(first) else set())
    return Field(values.pop(), section.start, section.start + len(first)) if len(values) == 1 else None


def _integer(found: str) -> int:
    return int(re.sub(rf"[{_MINUS}]\s*", "-", found))
