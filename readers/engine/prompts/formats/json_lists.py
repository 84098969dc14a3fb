"""Replies that are a JSON list, `{"entities": ["...", "..."]}`: parsed with the position of every string, and rendered.

Words and fences around the JSON are allowed; so are a list without its object, items in bullets, objects with a name in place
of strings, and single items that are of no use, which are left out. A list that is cut off, or has no item of use, is
unreadable. The field's value is the list as in the reply; `rows` and `strings` split it into texts with their provenance. Not
here: whether an item makes sense.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from readers.engine.on_first_use import pattern
from readers.engine.prompts.formats.form import NOTHING_SHOWN, Field, Form, FormField, Parsed, Shown, Unreadable
from readers.engine.prompts.formats.form import Value as Held
from readers.engine.prompts.formats.free_text import body
from readers.engine.prompts.formats.json_text import Unparsable, Value, objects, read_value, skip
from readers.engine.prompts.formats.labels import ENDS, either, said
from readers.engine.prompts.formats.phrases import is_placeholder, is_refusal, without_closing
from readers.engine.prompts.formats.plain import Stated, peeled, settled, unquoted
from readers.engine.text.document import Piece, Text

MOST_ITEMS, LONGEST_STRING = 500, 2_000
_PLACEHOLDER = "…"
# Where a list without its object may begin, and how many such positions are tried.
_BARE = pattern(r"\[(?=\s*(?:[\"“'„「{\[]|\]\s*(?:```)?\s*\Z))")
_MOST_TRIED = 20
_NAMING = ("name", "entity", "text", "question", "value", "title", "label", "term", "mention", "item", "content")
_DESCRIBING = "type kind category class role description reason note id number"  # keys that name nothing
_SLOT = pattern(r"(?:entity|relation|question|name|item|string)[ _-]?\d{1,3}\Z", re.IGNORECASE)
_BULLET = pattern(r"^[ \t]*(?:[-•·●*+–]|\(?(?:[^\W\d_]{1,10}[ \t]?)?\d{1,3}[.):])[ \t]+(\S.*)$", re.MULTILINE)
_BETWEEN = pattern(r"[\n,;、，；]")
_TAGGED = pattern(r"<(\w{1,30})>([^<>\n]{1,500})</\1>|\*\*([^*\n:]{1,100})\*\*(?!:)")
_LONGEST_ITEM = 6  # words of an item without a mark of its own
_OF_WHAT = r"(?:\w+ ){0,2}(?:entit|relation|question|name|pair|duplicate)\w*"
_NONE = pattern(
    rf"(?:(?:{either('there')}) )?(?:(?:{either('nothing')}){ENDS}(?<!\bno)|no {_OF_WHAT})[^.\n]{{0,80}}\.?\Z", re.IGNORECASE
)
_CANNOT = pattern(said("wrong"), re.IGNORECASE)
_ROW = pattern(r"^[ \t]*\|(.*?)\|[ \t]*$", re.MULTILINE)
_BOLD = pattern(r"\*\*([^*\n]+?):?\*\*|__([^_\n]+?):?__|`([^`\n]+)`")
_EXPLAINED = pattern(r"(?<![ \t])[ \t]+[–—-][ \t]+|:[ \t]+|(?<![ \t])[ \t]+(?=\()")


class _String(NamedTuple):
    """A string of the list: its value, and its position without the quotes."""

    value: str
    start: int
    end: int


_Item = dict[str, _String]


@dataclass(frozen=True)
class Listed(Form):
    """A JSON object with one list: of strings, or of objects with these `keys`, all strings. An empty list is legal."""

    name: str
    keys: tuple[str, ...] = ()
    kind = "listed"

    @property
    def main(self) -> str:
        return self.name

    def describe(self) -> str:
        item: Any = dict.fromkeys(self.keys, _PLACEHOLDER) if self.keys else _PLACEHOLDER
        return json.dumps({self.name: [item, item]}, ensure_ascii=False)

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        return (FormField(self.name, "list", self.name.capitalize(), needed=False, keys=self.keys),)

    def held(self, field: FormField, said: int | str) -> Held | None:
        listed = rows(Text(str(said)), self.keys)
        if not self.keys:
            return tuple(row[""].text for row in listed)
        return tuple({key: text.text for key, text in row.items()} for row in listed)

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        try:
            found = self._find_list(reply)
        except Unparsable as error:
            return Unreadable(str(error))
        if found is None and is_refusal(reply.strip()):
            return Unreadable(f"it declines instead of giving the list {json.dumps(self.name)}")
        if found is None:
            return Unreadable(f"it has no JSON object with the list {json.dumps(self.name)}")
        return Parsed({self.name: found})

    def _find_list(self, reply: str) -> Field | None:
        """The list under its name, else a list without a name, else its items one by one, else bullets. Raises Unparsable for
        one that is cut off, differs from another, or has no item of use."""
        named = list(self._named(reply))
        if named:
            return self._one_of(reply, named)
        kinds = next((one for one in objects(reply) if _sorted_by_kind(one)), None)
        if kinds:
            return self._field(reply, kinds)
        problem: Unparsable | None = None
        for tried, found in enumerate(_BARE.finditer(reply)):
            if tried == _MOST_TRIED:
                break
            try:
                value, _ = read_value(reply, found.start())
                return self._field(reply, value)
            except Unparsable as error:
                problem = problem or error
        found_items = self._single_items(reply) or ([] if self.keys else _bullets(reply))
        found_items = found_items or ([] if self.keys or problem else self._in_words(reply))
        if found_items:
            texts = [item[0] for item in found_items]
            return Field(json.dumps(texts, ensure_ascii=False), found_items[0][1], found_items[-1][2])
        if problem:
            raise problem
        return Field("[]", 0, len(reply)) if _NONE.match(str(body(reply).value)) and not is_refusal(reply.strip()) else None

    def _in_words(self, reply: str) -> list[tuple[str, int, int]]:
        """The items of a list in tags, in bold, between commas or on lines, if there are several and each is short or asks."""
        tags = ((tag[tag.lastindex or 0].strip(), *tag.span(tag.lastindex or 0)) for tag in _TAGGED.finditer(reply))
        tagged = [tag for tag in tags if tag[0] and not is_placeholder(tag[0])]
        if len(tagged) > 1:
            return tagged[:MOST_ITEMS]
        found = body(reply)
        label = re.compile(rf"{self.name}[*_ ]{{0,4}}[:：]", re.IGNORECASE).match(reply, found.start, found.end)
        at, items = label.end() if label else found.start, []
        lines = "\n" in reply[at : found.end].strip()
        ends = [mark.start() for mark in _BETWEEN.finditer(reply, at, found.end) if not lines or mark[0] == "\n"]
        for end in [*ends, found.end]:
            start, stop = unquoted(reply, *peeled(reply, at, end))
            items += [(reply[start:stop], start, stop)] if stop > start and not is_placeholder(reply[start:stop]) else []
            at = end + 1
        short = all(len(text.split()) <= _LONGEST_ITEM or text.endswith(("?", "？")) for text, _, _ in items)
        bare = not set(str(found.value)) & set("[]{}<>|") and not _CANNOT.search(reply)
        whole = short and bare and (label or len(items) > 1)
        return items[:MOST_ITEMS] if whole and not is_refusal(reply.strip()) else []

    @cached_property
    def _key(self) -> re.Pattern[str]:
        name = re.escape(self.name)
        return re.compile(rf"[\"“”'„]{name}[\"“”'][ \t\n]*[:：][ \t\n]*|(?<=[{{,])\s*{name}[ \t]*[:：]\s*", re.IGNORECASE)

    def _named(self, reply: str) -> Iterator[Value]:
        """The lists under the name. Raises Unparsable if the last one cannot be read."""
        found = list(self._key.finditer(reply))[-_MOST_TRIED:]
        found = [mark for mark in found if reply[mark.end() : mark.end() + 1] in "[{"] or found
        at = 0
        for number, mark in enumerate(found):
            if mark.start() < at:
                continue
            try:
                value, end = read_value(reply, mark.end())
                if not isinstance(value.data, list) and not _sorted_by_kind(value):
                    raise Unparsable("what it gives is not a list")
                if reply[skip(reply, end) : skip(reply, end) + 1] not in ("}", ",", "，", ""):
                    raise Unparsable("it is cut off before the closing brace")
            except Unparsable:
                if number + 1 == len(found):
                    raise
                continue
            at = end
            yield value

    def _one_of(self, reply: str, values: list[Value]) -> Field:
        """The list that a reply states, without echoes of the form."""
        fields = [(value, _items(value, self.keys)) for value in values]
        real = [(value, items) for value, items in fields if items or not value.data]
        if not real:
            return self._field(reply, values[-1])
        places = [
            Stated(
                str(sorted(sorted((key, text.value) for key, text in item.items()) for item in items)),
                value.start,
                value.end,
            )
            for value, items in real
        ]
        last = settled(reply, places)
        if last is None:
            raise Unparsable("it gives several lists that differ")
        return self._field(reply, next(value for value, _ in real if value.start == last.start))

    def _field(self, reply: str, value: Value) -> Field:
        """A list as a field. Raises Unparsable if it is not a list of this form."""
        items, data = _items(value, self.keys), _sorted_by_kind(value) or value.data
        assert isinstance(data, list)
        if len(data) > MOST_ITEMS:
            raise Unparsable(f"it lists {len(data)} items, and {MOST_ITEMS} is the most")
        for number, item in enumerate(items, 1):
            if any(len(string.value) > LONGEST_STRING for string in item.values()):
                raise Unparsable(f"item {number} of its list is longer than {LONGEST_STRING} characters")
        if data and not items:
            if any(_item(one, self.keys, slots=True) for one in data):
                raise Unparsable("it repeats the form and lists nothing")
            shape = f"an object with {_quoted(self.keys)}" if self.keys else "a string"
            raise Unparsable(f"item 1 of its list is not {shape}")
        return Field(reply[value.start : value.end], value.start, value.end)

    def _single_items(self, reply: str) -> list[tuple[Any, int, int]]:
        """Objects with all the keys that are outside a list, or the rows of a table."""
        if not self.keys:
            return []
        found = [(one, _item(one, self.keys)) for one in objects(reply)]
        items = [({key: item[key].value for key in self.keys}, one.start, one.end) for one, item in found if item]
        return items or list(self._table(reply))

    def _table(self, reply: str) -> Iterator[tuple[Any, int, int]]:
        """The rows of a table whose head names the keys."""
        head: list[str] = []
        for row in _ROW.finditer(reply):
            cells = [cell.strip().strip("*`") for cell in row[1].split("|")]
            if head and len(cells) == len(head) and not set(row[1]) <= set("|-: "):
                by_key = dict(zip(head, cells, strict=True))
                yield {key: by_key[key] for key in self.keys}, row.start(1), row.end(1)
            elif not head and {*self.keys} <= {cell.lower() for cell in cells}:
                head = [cell.lower() for cell in cells]

    def render(self, values: Mapping[str, str | int]) -> str:
        """`values[name]` is a JSON list, as `parse` returns it."""
        return f"{{{json.dumps(self.name)}: {values[self.name]}}}"


def _sorted_by_kind(value: Value) -> list[Value]:
    """The items of an object of lists, one after another; none of anything else."""
    kinds = list(value.data.values()) if isinstance(value.data, dict) else []
    return [item for kind in kinds for item in kind.data] if all(isinstance(kind.data, list) for kind in kinds) else []


def _items(value: Value, keys: tuple[str, ...]) -> list[_Item]:
    """The items of use in a list; none if they only number the form ("entity1", "entity2")."""
    data = _sorted_by_kind(value) or value.data
    items = [item for one in data if (item := _item(one, keys))] if isinstance(data, list) else []
    return [] if all(_SLOT.match(text.value.strip()) for item in items for text in item.values()) else items


def _item(one: Value, keys: tuple[str, ...], *, slots: bool = False) -> _Item | None:
    """One item as its strings by key, or under "" for a list of strings; None if it is of no use. `slots`: also one that was
    not filled in."""
    if not keys:
        text = _naming(one)
        return {"": text} if text and (slots or not is_placeholder(text.value)) else None
    if isinstance(one.data, dict):
        by_key = {key.strip().lower(): inner for key, inner in one.data.items()}
        others = [inner for key, inner in by_key.items() if key not in keys and key not in _DESCRIBING.split()]
        in_order = iter(others if len(others) == sum(key not in by_key for key in keys) < len(keys) else [])
        inner = [by_key.get(key) or next(in_order, None) for key in keys]
    else:
        inner = list(one.data) if isinstance(one.data, list) and len(one.data) == len(keys) else []
    texts = [_string(value) if value else None for value in inner]
    if not texts or None in texts or not any(text and text.value.strip() for text in texts):
        return None
    item = {key: text for key, text in zip(keys, texts, strict=True) if text}
    return item if slots or not all(is_placeholder(text.value) for text in item.values()) else None


def _naming(one: Value) -> _String | None:
    """The string of an item: its own, or that of the key that names it."""
    if isinstance(one.data, dict):
        by_key = {key.strip().lower(): inner for key, inner in one.data.items()}
        named = next((by_key[key] for key in _NAMING if key in by_key), None)
        only = next(iter(by_key.values())) if len(by_key) == 1 and not by_key.keys() & {*_DESCRIBING.split()} else None
        one = named or only or one
    text = _string(one)
    return text if text and text.value.strip() else None


def _string(value: Value) -> _String | None:
    return _String(value.text, value.start, value.end) if value.text is not None else None


def _bullets(reply: str) -> list[tuple[str, int, int]]:
    """The items of a list in lines, if a reply consists of one, with words before it at most."""
    end = without_closing(reply)
    marks = list(_BULLET.finditer(reply, 0, end))[: MOST_ITEMS + 1]
    if not marks:
        return []
    lead = reply[: marks[0].start()].strip(" \t\n`")
    between = [reply[one.end() : other.start()].strip() for one, other in pairwise(marks)]
    if (
        any(between)
        or reply[marks[-1].end() : end].strip(" \t\n`")
        or (lead and not re.search(r"(?::|：|\*\*|\A#+ [^\n]*)\Z", lead))
    ):
        return []
    items = []
    for mark in marks:
        start, stop = unquoted(reply, *peeled(reply, *_named_span(mark)))
        text = reply[start:stop].strip()
        if text and len(text) <= LONGEST_STRING and not is_placeholder(text):
            items.append((text, start, stop))
    return items


def _named_span(mark: re.Match[str]) -> tuple[int, int]:
    """The span of what an item names, without its explanation."""
    bold = _BOLD.match(mark.string, mark.start(1), mark.end(1))
    if bold:
        return bold.span(bold.lastindex or 0)
    if mark[1].rstrip().endswith(("?", "？")):
        return mark.span(1)
    explained = _EXPLAINED.search(mark.string, mark.start(1), mark.end(1))
    return mark.start(1), explained.start() if explained else mark.end(1)


def rows(field: Text, keys: tuple[str, ...]) -> list[dict[str, Text]]:
    """The objects of a parsed list with these keys, each string with its position in the reply."""
    if not field.text:
        return []
    value, _ = read_value(field.text, 0)
    return [{key: _with_position(field, string) for key, string in item.items()} for item in _items(value, keys)]


def strings(field: Text) -> list[Text]:
    """The strings of a parsed list, each with its position in the reply."""
    return [row[""] for row in rows(field, ())]


def _with_position(field: Text, string: _String) -> Text:
    """A string of the list as a Text. An escaped character is derived from its whole source."""
    there = field[string.start : string.end]
    if there.text == string.value or not string.value:
        return there if string.value else Text("")
    pieces = (Piece(0, len(string.value), p.origin, p.begin, p.stop) for p in there.pieces[:1])
    return Text(string.value, tuple(pieces))


def _quoted(keys: tuple[str, ...]) -> str:
    *first, last = (f'"{key}"' for key in keys)
    return f"{', '.join(first)} and {last}" if first else last
