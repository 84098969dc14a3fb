"""Replies that are a JSON list, `{"entities": ["...", "..."]}`: parsed with the position of every string, and rendered.

Words and fences around the JSON are allowed, and so is a list without its object; trailing commas and curly quotes are repaired.
A list that is cut off or has another shape is unreadable, never read in part. The field's value is the list as in the reply;
`rows` and `strings` split it into texts with their provenance. Not here: whether an item makes sense.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from readers.engine.canonical import encodable
from readers.engine.prompts.reply import Field, Parsed, Unreadable
from readers.engine.text.document import Piece, Text

MOST_ITEMS, LONGEST_STRING = 500, 2_000
_PLACEHOLDER = "…"
_REPAIRABLE = re.compile(r'"(?:[^"\\]|\\.)*"|“((?:[^“”"\\]|\\.)*)[”“]|,(?=\s*[\]}])', re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)  # allows line breaks inside strings
_SPACE = re.compile(r"\s*")
# Where a list without its object may begin, and how many such positions are tried.
_BARE = re.compile(r'\[(?=\s*(?:["“{]|\]\s*(?:```)?\s*\Z))')
_MOST_TRIED = 20


class _String(NamedTuple):
    """A string of the list: its value, and its position without the quotes."""

    value: str
    start: int
    end: int


_Item = dict[str, _String]


class _Unparsable(Exception):
    """Why a list cannot be read, as a clause."""


@dataclass(frozen=True)
class Listed:
    """A JSON object with one list: of strings, or of objects with exactly these `keys`, all strings. An empty list is legal."""

    name: str
    keys: tuple[str, ...] = ()
    markers = ()

    @property
    def main(self) -> str:
        return self.name

    def describe(self) -> str:
        item: Any = dict.fromkeys(self.keys, _PLACEHOLDER) if self.keys else _PLACEHOLDER
        return json.dumps({self.name: [item, item]}, ensure_ascii=False)

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        try:
            start, end, items = self._find_list(reply)
            self._check(items)
        except _Unparsable as error:
            return Unreadable(str(error))
        return Parsed({self.name: Field(reply[start:end], start, end)})

    def _find_list(self, reply: str) -> tuple[int, int, list[_Item]]:
        """The last list under the name, else the first readable list without a name."""
        named = list(re.finditer(rf'["“]{re.escape(self.name)}["”]\s*:\s*', reply))
        if named:
            start = named[-1].end()
            end, items = _parsed_list(reply, start)
            after = _SPACE.match(reply, end)
            if after is None or reply[after.end() : after.end() + 1] not in ("}", ","):
                raise _Unparsable("it is cut off before the closing brace")
            return start, end, items
        problem = f"it has no JSON object with the list {json.dumps(self.name)}"
        for tried, found in enumerate(_BARE.finditer(reply)):
            if tried == _MOST_TRIED:
                break
            try:
                end, items = _parsed_list(reply, found.start())
                self._check(items)
                return found.start(), end, items
            except _Unparsable as error:
                problem = str(error)
        raise _Unparsable(problem)

    def _check(self, items: list[_Item]) -> None:
        if len(items) > MOST_ITEMS:
            raise _Unparsable(f"it lists {len(items)} items, and {MOST_ITEMS} is the most")
        wanted = {*self.keys} or {""}
        for number, item in enumerate(items, 1):
            if {*item} != wanted:
                shape = f"an object with {_quoted(self.keys)} and nothing else" if self.keys else "a string"
                raise _Unparsable(f"item {number} of its list is not {shape}")
            if any(len(string.value) > LONGEST_STRING for string in item.values()):
                raise _Unparsable(f"item {number} of its list is longer than {LONGEST_STRING} characters")
        if items and all(string.value.strip(" .…") == "" for item in items for string in item.values()):
            raise _Unparsable("it repeats the form and lists nothing")

    def render(self, values: Mapping[str, str | int]) -> str:
        """`values[name]` is a JSON list, as `parse` returns it."""
        return f"{{{json.dumps(self.name)}: {values[self.name]}}}"

    def to_json(self) -> dict[str, Any]:
        return {"kind": "listed", "name": self.name, "keys": list(self.keys)}


def rows(field: Text) -> list[dict[str, Text]]:
    """The objects of a parsed list, each string with its position in the reply."""
    _, items = _parsed_list(field.text, 0) if field.text else (0, [])
    return [{key: _with_position(field, string) for key, string in item.items()} for item in items]


def strings(field: Text) -> list[Text]:
    """The strings of a parsed list, each with its position in the reply."""
    return [row[""] for row in rows(field)]


def _with_position(field: Text, string: _String) -> Text:
    """A string of the list as a Text. An escaped one is derived from its whole source."""
    there = field[string.start : string.end]
    if there.text == string.value or not string.value:
        return there if string.value else Text("")
    pieces = (Piece(0, len(string.value), p.origin, p.begin, p.stop) for p in there.pieces[:1])
    return Text(string.value, tuple(pieces))


def _parsed_list(text: str, start: int) -> tuple[int, list[_Item]]:
    """The list that begins at `start`, and its end; repaired only if it must be. Raises _Broken."""
    try:
        return _List(text).read(start)
    except _Unparsable:
        return _List(text[:start] + _REPAIRABLE.sub(_repaired, text[start:])).read(start)


def _repaired(found: re.Match[str]) -> str:
    """The repaired characters, of the same number, so that every position stays valid."""
    if found[0] == ",":
        return " "
    return f'"{found[1]}"' if found[1] is not None else found[0]


@dataclass
class _List:
    """Parses one list of strings, or of objects of strings."""

    text: str

    def read(self, start: int) -> tuple[int, list[_Item]]:
        if self._next(start) != (start, "["):
            raise _Unparsable("what it gives is not a list")
        items: list[_Item] = []
        at, mark = self._next(start + 1)
        while mark != "]":
            if items:
                at, mark = self._after(at, mark, ",", f"after item {len(items)} of its list")
            item, at = self._object(at, len(items) + 1) if mark == "{" else self._bare(at, mark, len(items) + 1)
            items.append(item)
            at, mark = self._next(at)
        return at + 1, items

    def _bare(self, at: int, mark: str, number: int) -> tuple[_Item, int]:
        string, end = self._string(at, mark, f"item {number} of its list")
        return {"": string}, end

    def _object(self, at: int, number: int) -> tuple[_Item, int]:
        what = f"item {number} of its list"
        item: _Item = {}
        at, mark = self._next(at + 1)
        while mark != "}":
            if item:
                at, mark = self._after(at, mark, ",", f"inside {what}")
            key, at = self._string(at, mark, f"a key of {what}")
            at, mark = self._after(*self._next(at), ":", f"after a key of {what}")
            if key.value in item:
                raise _Unparsable(f"{what} has {json.dumps(key.value, ensure_ascii=False)[:60]} twice")
            item[key.value], at = self._string(at, mark, f"a value of {what}")
            at, mark = self._next(at)
        return item, at + 1

    def _string(self, at: int, mark: str, what: str) -> tuple[_String, int]:
        if mark != '"':
            raise _Unparsable(f"{what} is cut off" if not mark else f"{what} is not a string")
        try:
            value, end = _DECODER.raw_decode(self.text, at)
        except ValueError:
            raise _Unparsable(f"{what} is cut off, or has a backslash that JSON does not know") from None
        return _String(encodable(value), at + 1, end - 1), end

    def _after(self, at: int, mark: str, wanted: str, where: str) -> tuple[int, str]:
        """The next character after the mark that is required here."""
        if mark != wanted:
            raise _Unparsable(f"it is cut off {where}" if not mark else f"there is no '{wanted}' {where}")
        return self._next(at + 1)

    def _next(self, at: int) -> tuple[int, str]:
        """The position of the next character that is not white space, and the character; empty at the end."""
        found = _SPACE.match(self.text, at)
        end = found.end() if found else at
        return end, self.text[end : end + 1]


def _quoted(keys: tuple[str, ...]) -> str:
    *first, last = (f'"{key}"' for key in keys)
    return f"{', '.join(first)} and {last}" if first else last
