"""Replies that are a list in JSON, `{"entities": ["...", "..."]}`: read with the place of every string in it, and rendered.

Words and fences around the JSON do no harm, nor does a list without its object; a trailing comma and curly quotes are set right.
What is cut off or of another shape is unreadable, never read in part. The list stays the field's value as it stands in the reply;
`rows` and `strings` take it apart into texts that know their place there. Not here: whether an item makes sense.
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
_STRAIGHTENED = re.compile(r'"(?:[^"\\]|\\.)*"|“((?:[^“”"\\]|\\.)*)[”“]|,(?=\s*[\]}])', re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)  # a line break inside a string is let pass
_SPACE = re.compile(r"\s*")
# Where a list without its object may begin, and how many such places are tried.
_BARE = re.compile(r'\[(?=\s*(?:["“{]|\]\s*(?:```)?\s*\Z))')
_MOST_TRIED = 20


class _Said(NamedTuple):
    """A string of the list: its value, and where it stands, quotes left out."""

    value: str
    start: int
    end: int


_Item = dict[str, _Said]


class _Broken(Exception):
    """Why a list cannot be read: a clause."""


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
            start, end, items = self._found(reply)
            self._check(items)
        except _Broken as broken:
            return Unreadable(str(broken))
        return Parsed({self.name: Field(reply[start:end], start, end)})

    def _found(self, reply: str) -> tuple[int, int, list[_Item]]:
        """The last list under the name, else the first one that stands alone and can be read."""
        named = list(re.finditer(rf'["“]{re.escape(self.name)}["”]\s*:\s*', reply))
        if named:
            start = named[-1].end()
            end, items = _walked(reply, start)
            after = _SPACE.match(reply, end)
            if after is None or reply[after.end() : after.end() + 1] not in ("}", ","):
                raise _Broken("it is cut off before the closing brace")
            return start, end, items
        problem = f"it has no JSON object with the list {json.dumps(self.name)}"
        for tried, found in enumerate(_BARE.finditer(reply)):
            if tried == _MOST_TRIED:
                break
            try:
                end, items = _walked(reply, found.start())
                self._check(items)
                return found.start(), end, items
            except _Broken as broken:
                problem = str(broken)
        raise _Broken(problem)

    def _check(self, items: list[_Item]) -> None:
        if len(items) > MOST_ITEMS:
            raise _Broken(f"it lists {len(items)} items, and {MOST_ITEMS} is the most")
        wanted = {*self.keys} or {""}
        for number, item in enumerate(items, 1):
            if {*item} != wanted:
                shape = f"an object with {_quoted(self.keys)} and nothing else" if self.keys else "a string"
                raise _Broken(f"item {number} of its list is not {shape}")
            if any(len(said.value) > LONGEST_STRING for said in item.values()):
                raise _Broken(f"item {number} of its list is longer than {LONGEST_STRING} characters")
        if items and all(said.value.strip(" .…") == "" for item in items for said in item.values()):
            raise _Broken("it repeats the form and lists nothing")

    def render(self, values: Mapping[str, str | int]) -> str:
        """`values[name]` is a JSON list, as `parse` gives it back."""
        return f"{{{json.dumps(self.name)}: {values[self.name]}}}"

    def to_json(self) -> dict[str, Any]:
        return {"kind": "listed", "name": self.name, "keys": list(self.keys)}


def rows(field: Text) -> list[dict[str, Text]]:
    """The objects of a list that was read, each string with its place in the reply."""
    _, items = _walked(field.text, 0) if field.text else (0, [])
    return [{key: _placed(field, said) for key, said in item.items()} for item in items]


def strings(field: Text) -> list[Text]:
    """The strings of a list that was read, each with its place in the reply."""
    return [row[""] for row in rows(field)]


def _placed(field: Text, said: _Said) -> Text:
    """A string of the list. Where it was escaped, it is made of all of what stands there."""
    there = field[said.start : said.end]
    if there.text == said.value or not said.value:
        return there if said.value else Text("")
    pieces = (Piece(0, len(said.value), p.origin, p.begin, p.stop) for p in there.pieces[:1])
    return Text(said.value, tuple(pieces))


def _walked(text: str, start: int) -> tuple[int, list[_Item]]:
    """The list that begins at `start`, and where it ends. Raises _Broken; set right as little as it needs."""
    try:
        return _List(text).read(start)
    except _Broken:
        return _List(text[:start] + _STRAIGHTENED.sub(_straight, text[start:])).read(start)


def _straight(found: re.Match[str]) -> str:
    """The same number of characters, so that every place stays."""
    if found[0] == ",":
        return " "
    return f'"{found[1]}"' if found[1] is not None else found[0]


@dataclass
class _List:
    """Walks one list of strings, or of objects of strings."""

    text: str

    def read(self, start: int) -> tuple[int, list[_Item]]:
        if self._next(start) != (start, "["):
            raise _Broken("what it gives is not a list")
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
        said, end = self._string(at, mark, f"item {number} of its list")
        return {"": said}, end

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
                raise _Broken(f"{what} has {json.dumps(key.value, ensure_ascii=False)[:60]} twice")
            item[key.value], at = self._string(at, mark, f"a value of {what}")
            at, mark = self._next(at)
        return item, at + 1

    def _string(self, at: int, mark: str, what: str) -> tuple[_Said, int]:
        if mark != '"':
            raise _Broken(f"{what} is cut off" if not mark else f"{what} is not a string")
        try:
            value, end = _DECODER.raw_decode(self.text, at)
        except ValueError:
            raise _Broken(f"{what} is cut off, or has a backslash that JSON does not know") from None
        return _Said(encodable(value), at + 1, end - 1), end

    def _after(self, at: int, mark: str, wanted: str, where: str) -> tuple[int, str]:
        """What follows the mark that must stand here."""
        if mark != wanted:
            raise _Broken(f"it is cut off {where}" if not mark else f"there is no '{wanted}' {where}")
        return self._next(at + 1)

    def _next(self, at: int) -> tuple[int, str]:
        """The next character that is no white space, and where; an empty one at the end."""
        found = _SPACE.match(self.text, at)
        end = found.end() if found else at
        return end, self.text[end : end + 1]


def _quoted(keys: tuple[str, ...]) -> str:
    *first, last = (f'"{key}"' for key in keys)
    return f"{', '.join(first)} and {last}" if first else last
