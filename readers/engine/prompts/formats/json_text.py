"""JSON as models write it, with the position of every value.

Besides the strict kind: curly or single quotes, keys without quotes, trailing commas, comments, full-width marks.

A value that is cut off or nested too deeply raises `Unparsable`, whose message is a clause. Reading is linear in the text.
Not here: what the values mean.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from readers.engine.canonical import encodable
from readers.engine.prompts.formats.form import Field
from readers.engine.prompts.formats.labels import words

_DECODER = json.JSONDecoder(strict=False)  # allows line breaks inside strings
_SKIP = re.compile(r"(?:\s+|//[^\n]*)*")
_CURLY = re.compile(r"“([^“”\"]*)[”“]|„([^“”„]*)[“”]|「([^」]*)」")
_SINGLE = re.compile(r"'((?:[^'\\\n]|\\.|(?<=\w)'(?=\w))*)'")
_BARE = re.compile(r"[^\W\d][\w -]{0,60}?(?=\s*[:：])")
_NUMBER = re.compile(r"-?\d{1,18}(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
_WORD = re.compile(r"(?:true|false|null|None|True|False|NaN)\b")
_OBJECT = re.compile(r"\{\s*[\"“'„]|\{\s*\w{1,40}\s*[:：]")
_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{},]', re.DOTALL)
_CLOSED_BY = {"[": "]", "{": "}"}
_MOST_TRIED = 20
_DEEPEST = 5


class Unparsable(Exception):
    """Why a text is not the JSON that was expected, as a clause."""


class Value(NamedTuple):
    """A value and its position; a string's is that of its contents."""

    data: str | int | float | bool | list[Value] | dict[str, Value] | None
    start: int
    end: int

    @property
    def text(self) -> str | None:
        """A string, or a number as it is written; None for anything else."""
        if isinstance(self.data, str):
            return self.data
        return str(self.data) if isinstance(self.data, (int, float)) and not isinstance(self.data, bool) else None


def read_value(text: str, start: int, *, what: str = "it", deep: int = 0) -> tuple[Value, int]:
    """The value that begins at `start` or after blanks, and its end. Raises Unparsable."""
    at = skip(text, start)
    mark = text[at : at + 1]
    if mark == "{":
        return _read_object(text, at, what=what, deep=deep)
    if mark == "[":
        return _read_list(text, at, what=what, deep=deep)
    if mark and mark in "\"“'„「":
        return _read_string(text, at, what=what)
    found = _NUMBER.match(text, at)
    if found:
        number: int | float = float(found[0]) if set(found[0]) & {*".eE"} else int(found[0])
        return Value(number, at, found.end()), found.end()
    word = _WORD.match(text, at)
    if word:
        return Value({"true": True, "false": False}.get(word[0].lower()), at, word.end()), word.end()
    raise Unparsable(f"{what} is cut off" if not mark else f"{what} is not a string")


def skip(text: str, start: int) -> int:
    """The next position that is neither white space nor a comment."""
    found = _SKIP.match(text, start)
    return found.end() if found else start


def _read_string(text: str, at: int, *, what: str) -> tuple[Value, int]:
    if text[at] == '"':
        try:
            data, end = _DECODER.raw_decode(text, at)
        except ValueError:
            raise Unparsable(f"{what} is cut off, or has a backslash that JSON does not know") from None
        return Value(encodable(data), at + 1, end - 1), end
    found = (_SINGLE if text[at] == "'" else _CURLY).match(text, at)
    if not found:
        raise Unparsable(f"{what} is cut off")
    inner = next((part for part in found.groups() if part is not None), "")
    return Value(encodable(inner.replace("\\'", "'")), at + 1, found.end() - 1), found.end()


def _read_list(text: str, at: int, *, what: str, deep: int) -> tuple[Value, int]:
    _check_depth(what, deep)
    items: list[Value] = []
    start, at = at, skip(text, at + 1)
    while text[at : at + 1] != "]":
        if items:
            if text[at : at + 1] == "}":  # the object around it is closed, and only this mark was forgotten
                return Value(items, start, at + 1), at
            at = _after(text, at, wanted=",，、", where=f"after item {len(items)} of {_its(what)}")
            if text[at : at + 1] == "]":
                break
        item, at = read_value(text, at, what=f"item {len(items) + 1} of {_its(what)}", deep=deep + 1)
        items.append(item)
        at = skip(text, at)
    return Value(items, start, at + 1), at + 1


def _read_object(text: str, at: int, *, what: str, deep: int) -> tuple[Value, int]:
    _check_depth(what, deep)
    fields: dict[str, Value] = {}
    start, at = at, skip(text, at + 1)
    while text[at : at + 1] != "}":
        if fields:
            at = _after(text, at, wanted=",，", where=f"inside {what}")
            if text[at : at + 1] == "}":
                break
        key, at = _read_key(text, at, what=what)
        at = _after(text, skip(text, at), wanted=":：", where=f"after a key of {what}")
        if key in fields:
            raise Unparsable(f"{what} has {json.dumps(key, ensure_ascii=False)[:60]} twice")
        fields[key], at = read_value(text, at, what=f"a value of {what}", deep=deep + 1)
        at = skip(text, at)
    return Value(fields, start, at + 1), at + 1


def _read_key(text: str, at: int, *, what: str) -> tuple[str, int]:
    if text[at : at + 1] in ('"', "“", "'", "„"):
        value, end = _read_string(text, at, what=f"a key of {what}")
        return str(value.data), end
    bare = _BARE.match(text, at)
    if not bare:
        raise Unparsable(f"a key of {what} is cut off" if at >= len(text) else f"a key of {what} is not a string")
    return bare[0], bare.end()


def _after(text: str, at: int, *, wanted: str, where: str) -> int:
    """The next position after the mark that is required here."""
    mark = text[at : at + 1]
    if not mark or mark not in wanted:
        raise Unparsable(f"it is cut off {where}" if not mark else f"there is no '{wanted[0]}' {where}")
    return skip(text, at + 1)


def _check_depth(what: str, deep: int) -> None:
    if deep > _DEEPEST:
        raise Unparsable(f"{what} is not a string")


def _its(what: str) -> str:
    return "its list" if what == "it" else what


def up_to_whole_item(text: str) -> str:
    """A text that is cut off inside a list, up to the list's last whole item and closed there; empty if there is none."""
    closing, end, missing = "", 0, ""
    for mark in _STRUCTURE.finditer(text):
        if mark[0] in _CLOSED_BY and len(closing) <= _DEEPEST:
            closing = _CLOSED_BY[mark[0]] + closing
        elif closing.startswith(mark[0]):
            closing = closing[1:]
        elif mark[0] == "," and closing.startswith("]"):
            end, missing = mark.start(), closing
    return text[:end] + missing if closing else ""


def objects(text: str) -> Iterator[Value]:
    """The JSON objects of a text, from the first on, without those inside others; at most twenty beginnings are tried."""
    at = 0
    for _ in range(_MOST_TRIED):
        found = _OBJECT.search(text, at)
        if not found:
            return
        try:
            value, at = read_value(text, found.start())
            yield value
        except Unparsable:
            at = found.start() + 1


def fields_named(text: str, names: Mapping[str, tuple[str, ...]]) -> list[dict[str, Value]]:
    """For each JSON object of a text that has one of the names: its values by name. `names` gives the keys that count, in
    lower case and with spaces for `_`; words such as "final" before them are left out. Empty without such an object."""
    if "{" not in text:
        return []
    found = []
    for value in objects(text):
        assert isinstance(value.data, dict)
        keys = {plain_key(key): inner for key, inner in value.data.items()}
        named = {name: keys[key] for name, known in names.items() for key in known[::-1] if key in keys}
        if named:
            found.append(named)
    return found


def _only(value: Value) -> Value:
    """The value in an object that has one alone: `{"arguments": {"query": "..."}}`."""
    return next(iter(value.data.values())) if isinstance(value.data, dict) and len(value.data) == 1 else value


def plain_key(key: str) -> str:
    """A key in lower case, with spaces between its words, and without those that only say which one is meant."""
    *which, last = key.strip().lower().replace("_", " ").replace("-", " ").split() or [""]
    return " ".join([*itertools.dropwhile(set(words("which")).__contains__, which), last])


def stated_in_json(text: str, names: Mapping[str, tuple[str, ...]]) -> list[dict[str, Field]]:
    """The same as fields of a reply, only strings and numbers."""
    stated = [{name: (_only(value).text, _only(value)) for name, value in one.items()} for one in fields_named(text, names)]
    return [{n: Field(said.strip(), at.start, at.end) for n, (said, at) in one.items() if said is not None} for one in stated]
