"""Replies that pick one of several: a label between paragraphs, one of a few words.

A pick joined to another ("<2> or <4>") or contradicted later is none. Not here: pages (`page_formats.py`), choices by letter
(`letters.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from readers.engine.prompts.json_text import fields_named
from readers.engine.prompts.letters import ANSWER
from readers.engine.prompts.plain import Plain, Stated, settled
from readers.engine.prompts.reply import Field, Parsed, Unreadable

_BREAK = r"break[ \t_-]*point"
_NUMBER = r"[<\[(]?[ \t]*(\d{1,9})(?![\w]|\.\d)[ \t]*[>\])]?"
_LABELLED = re.compile(
    rf"{_BREAK}\b[ \t:]*(?:\w+[ \t]+){{0,3}}?(?:is|at|after|label|answer:)?[ \t:#]*(?:label"
    rf"|number)?[ \t]*#?{_NUMBER}|^[ \t]*{_BREAK}[ \t]*:?[ \t]*\n\s*{_NUMBER}",
    re.IGNORECASE | re.MULTILINE,
)
_MARKED = re.compile(r"<[ \t]*(\d{1,9})[ \t]*>|\blabel[ \t]*#?(\d{1,9})(?![\w]|\.\d)", re.IGNORECASE)
_STATED = re.compile(rf"{ANSWER}[ \t]*(?:is|:)[ \t]*{_NUMBER}[ \t.]*$", re.IGNORECASE | re.MULTILINE)
_ALONE = re.compile(r"\s*(?:(?:label|answer|number)\s*:?\s*)*[<\[(#]*(\d{1,9})[\s)\]>.!]*\Z", re.IGNORECASE)
_SECOND = re.compile(
    rf"[ \t]*(?:(?:,|/|&|or|and|to|oder|und|ou|et|o|y|или|и)\b|[-–—]|或|和|,)[ \t]*(?:label[ \t]*)?{_NUMBER}", re.IGNORECASE
)


@dataclass(frozen=True)
class Label:
    """`Break point: <3>`: one of the labels, from 1, before the texts of a part (Lee et al., 2024, pagination)."""

    part: str
    main = "label"
    markers = ()

    def describe(self) -> str:
        return "Break point: <N>"

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        plain = Plain(reply)
        places = list(_labels(plain))
        found = settled(plain.text, places)
        if found is None:
            return Unreadable("it names several labels" if places else "it names no label, such as <1>")
        most = sizes.get(self.part, 0)
        if not 1 <= int(found.value) <= most:  # type: ignore[arg-type]
            return Unreadable(f"its label <{found.value}> was not offered; the labels are <1> to <{most}>")
        return Parsed({"label": Field(int(found.value), found.start, found.end)})  # type: ignore[arg-type]

    def render(self, values: Mapping[str, str | int]) -> str:
        return f"Break point: <{values['label']}>"

    def to_json(self) -> dict[str, Any]:
        return {"kind": "label", "part": self.part}


def _labels(plain: Plain) -> Iterator[Stated]:
    """The labels that a reply names: after `Break point:`, else in brackets, else alone."""
    text = plain.text
    for fields in fields_named(plain.reply, {"label": ("break point", "breakpoint", "label", "answer", "break")}):
        found = re.fullmatch(r"\s*(?:label\s*)?<?\s*(\d{1,9})\s*>?\s*", fields["label"].text or "", re.IGNORECASE)
        if found:
            yield Stated(int(found[1]), fields["label"].start, fields["label"].end)
        return
    alone = _ALONE.match(text)
    patterns = (_LABELLED, _MARKED, _STATED)
    marks = [alone] if alone else next((places for pattern in patterns if (places := list(pattern.finditer(text)))), [])
    for mark in marks:
        group = 1 if mark[1] else 2
        yield Stated(int(mark[group]), *mark.span(group))
        second = _SECOND.match(text, mark.end())
        if second:
            yield Stated(int(second[1]), *second.span(1))


@dataclass(frozen=True)
class OneOf:
    """One of these words, in any case: at the beginning of a sentence and before a mark, or after "Answer:"."""

    words: tuple[str, ...]
    main = "answer"
    markers = ()

    def describe(self) -> str:
        return " | ".join(self.words)

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        plain = Plain(reply)
        found = settled(plain.text, self._places(plain))
        if found is None:
            return Unreadable(f"it begins with none of {', '.join(self.words)}")
        return Parsed({"answer": Field(reply[found.start : found.end], found.start, found.end)})

    def _places(self, plain: Plain) -> Iterator[Stated]:
        words = "|".join(map(re.escape, sorted(self.words, key=len, reverse=True)))
        given = fields_named(plain.reply, {"answer": ("answer", "reply", "result", "decision")})
        if given:
            for fields in given:
                value = fields["answer"]
                inner = re.fullmatch(rf"\s*({words})[\s.!]*", value.text or "", re.IGNORECASE)
                if inner:
                    yield Stated(inner[1].lower(), value.start + inner.start(1), value.start + inner.end(1))
            return
        said = (
            rf"(?:(?:^|(?<=[.!?])[ \t])[ \t\"'“„«(]{{0,40}}(?:i(?:'m| am) (?=not)|i(?:'d| would)? (?:say|answer|think):? )?"
            rf"|{ANSWER}[ \t]*(?::|is\b|ist\b|est\b|es\b"
            rf"|是)[\s:\"'“„«(]{{0,40}})({words})"
        )
        ends = r"(?=[ \t\"'”“»)]*(?:$|[.,;:!(—–](?![ \t]*\d)|-[ \t]))(?!,[ \t]*(?!\1\b)(?:" + words + r")\b)"
        for mark in re.finditer(said + ends, plain.text, re.IGNORECASE | re.MULTILINE):
            yield Stated(mark[1].lower(), *mark.span(1))

    def render(self, values: Mapping[str, str | int]) -> str:
        return str(values["answer"])

    def to_json(self) -> dict[str, Any]:
        return {"kind": "one_of", "words": list(self.words)}
