"""A reply form as JSON: the schema that a model can be held to, and the reading of replies that follow it.

The schema is strict in the sense that servers enforce: every key is required and none may be added; reasons come before
decisions. Words that are not called for are empty: where null was allowed, small models decided to answer, and gave null. A reply
is read in two steps: its values are filled into the form that the JSON represents, and that form reads them. So what counts as a
memory, a choice or an answer is decided in one place, and a reply in words, from a server that ignores the schema, is read as
ever. Not here: how a schema is sent (`models/`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from readers.engine.prompts.formats.form import NOTHING_SHOWN, REASON, Field, Form, FormField, Parsed, Shown, Unreadable, numbers
from readers.engine.prompts.formats.form import Value as Held
from readers.engine.prompts.formats.json_text import Unparsable, Value, objects, read_value

_FIRST = (REASON, "thinking")  # fields that are written before anything is decided
_CUT = ('"}', "}")  # what may be missing at the end of a reply that was cut off in its last value


@dataclass(frozen=True)
class AsJson(Form):
    """The fields of a form as one JSON object. With `nulls`, as earlier readings were asked, words that are not called for are
    null."""

    form: Form
    nulls: bool = False
    kind = "json"

    @property
    def main(self) -> str:
        return self.form.main

    @property
    def markers(self) -> tuple[str, ...]:
        return self.form.markers

    @property
    def is_text(self) -> bool:
        return False

    @property
    def in_words(self) -> Form:
        return self.form

    def describe(self) -> str:
        """The form in words, which say what each value is, and the keys of the object."""
        keys, words = [json.dumps(name) for name in self._by_name()], self.form.describe()
        reply = f"{words}\n\nIn place of these lines, reply" if words else "Reply"
        left_out = "null" if self.nulls else "empty"
        among = f"keys {', '.join(keys)}, in this order; a value that is not called for is {left_out}"
        return f"{reply} with one JSON object with the {among if keys[1:] else f'key {keys[0]}'}."

    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        return self.form.fields(shown)

    def held(self, field: FormField, said: int | str) -> Held | None:
        return self.form.held(field, said)

    def schema(self, shown: Shown = NOTHING_SHOWN, *, bounded: bool = False) -> dict[str, Any]:
        """The JSON schema of a reply to what is shown, which may choose only from these options. If it is `bounded`, which not
        every server takes, what may be needed is never empty: where it is not called for, it is not read."""
        fields = self._by_name(shown)
        properties = {name: _property(same, nulls=self.nulls) for name, same in fields.items()}
        for name, same in fields.items() if bounded and not self.nulls else ():
            properties[name] |= _bounds(same)
        return {"type": "object", "properties": properties, "required": [*fields], "additionalProperties": False}

    def _by_name(self, shown: Shown = NOTHING_SHOWN) -> dict[str, list[FormField]]:
        """The fields of each name, reasons first. A name comes twice if it depends on the decision."""
        by_name: dict[str, list[FormField]] = {}
        for field in sorted(self.fields(shown), key=lambda field: field.name not in _FIRST):
            by_name.setdefault(field.name, []).append(field)
        return by_name

    def render(self, values: Mapping[str, str | int]) -> str:
        data = {name: self._as_data(same[0], values.get(name)) for name, same in self._by_name().items()}
        return json.dumps(data, ensure_ascii=False)

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        stated = list(self._stated(reply))
        if not stated:
            return self._cut_off(reply, sizes) if reply.lstrip().startswith("{") else self.form.parse(reply, sizes)
        if any(self._filled_in(one) != self._filled_in(stated[0]) for one in stated):
            return Unreadable("it gives several JSON objects that differ")
        return self._read(reply, stated[-1], sizes)

    def _stated(self, reply: str) -> Iterator[dict[str, Value]]:
        """The objects of a reply that have the keys of this form."""
        for value in objects(reply):
            if isinstance(value.data, dict) and {*self.required} <= {*value.data} <= {*self._by_name()}:
                yield value.data

    def _cut_off(self, reply: str, sizes: Mapping[str, int]) -> Unreadable:
        """A reply that has no whole object of this form: usable up to there, if it was cut off in its last value."""
        for ending in _CUT:
            try:
                value, _ = read_value(reply.rstrip().rstrip("\\") + ending, len(reply) - len(reply.lstrip()))
            except Unparsable:
                continue
            if isinstance(value.data, dict) and {*self.required} <= {*value.data} <= {*self._by_name()}:
                read = self._read(reply, value.data, sizes)
                return Unreadable("its JSON object is cut off", read.usable if isinstance(read, Unreadable) else read)
        keys = ", ".join(json.dumps(name) for name in self.required)
        return Unreadable(f"it has no whole JSON object with {keys}" if keys else "it has no whole JSON object")

    def _read(self, reply: str, data: Mapping[str, Value], sizes: Mapping[str, int]) -> Parsed | Unreadable:
        values = self._filled_in(data)
        for name in self.required:
            if name not in values:
                return Unreadable(f"its {json.dumps(name)} is empty or of another kind")
        read = self.form.parse(self.form.filled(values), sizes)
        if isinstance(read, Parsed):
            return self._placed(reply, data, read)
        return Unreadable(read.problem, self._placed(reply, data, read.usable) if read.usable else None)

    def _filled_in(self, data: Mapping[str, Value]) -> dict[str, Any]:
        """The values that are called for, as the form's fields hold them."""
        by_name = self._by_name()
        values = {name: held for name, value in data.items() if (held := _as_held(by_name[name][0], value)) not in (None, "")}
        return {name: held for name, held in values.items() if any(field.applies(values) for field in by_name[name])}

    def _placed(self, reply: str, data: Mapping[str, Value], read: Parsed) -> Parsed:
        """What was read, with its positions in the JSON. A list is the text of the list in the reply."""
        by_name, fields = self._by_name(), {}
        for name, field in read.fields.items():
            value = data.get(name, data[self.main])
            start, end = value.start, min(value.end, len(reply))
            at = reply.find(str(field.value), start, end)
            if name in by_name and by_name[name][0].kind == "list":
                fields[name] = Field(reply[start:end], start, end)
            elif at >= 0:
                fields[name] = Field(field.value, at, at + len(str(field.value)))
            else:
                fields[name] = Field(field.value, start, end)
        return Parsed(fields)

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "form": self.form.to_json(), **({} if self.nulls else {"nulls": False})}

    def _as_data(self, field: FormField, value: str | int | None) -> Any:
        """A value that the form is rendered with, as JSON data."""
        if field.kind == "several":
            return numbers(str(value or ""))
        if field.kind == "list":
            return json.loads(str(value or "[]"))
        return "" if value is None and _is_words(field) and not (self.nulls and _may_lack(field)) else value


def _property(same: list[FormField], *, nulls: bool) -> dict[str, Any]:
    """The schema of a field's value."""
    field = same[0]
    helps = {one.help.rstrip(".") for one in same}
    described = {"description": ". ".join(filter(None, [field.label, *(helps if len(helps) == 1 else ())]))}
    if field.kind == "several":
        return {"type": "array", "items": _scalar(field, optional=False), **described}
    if field.kind == "list":
        text = {"type": "string"}
        item = {"type": "object", "properties": dict.fromkeys(field.keys, text), "required": [*field.keys]}
        return {"type": "array", "items": item | {"additionalProperties": False} if field.keys else text, **described}
    return _scalar(field, optional=(nulls or not _is_words(field)) and any(map(_may_lack, same))) | described


def _bounds(same: list[FormField]) -> dict[str, Any]:
    """What keeps a value from being empty, and the choices of a list from coming without end."""
    field, needed = same[0], any(one.needed for one in same)
    if field.kind == "several":
        return ({"minItems": 1} if needed else {}) | ({"maxItems": len(field.choices)} if field.choices else {})
    if needed and _is_words(field):
        return {"minLength": 1}
    return _scalar(field, optional=False) if needed and field.choices else {}


def _is_words(field: FormField) -> bool:
    return field.kind in ("line", "words") and not field.numbers


def _may_lack(field: FormField) -> bool:
    """Whether a field may have no value. A reason is always given."""
    return field.name not in _FIRST and (not field.needed or field.when is not None)


def _scalar(field: FormField, *, optional: bool) -> dict[str, Any]:
    values = [choice.value for choice in field.choices]
    numbered = field.numbers or field.kind == "several" or (values and all(isinstance(value, int) for value in values))
    kind = "integer" if numbered else "string"
    schema: dict[str, Any] = {"type": [kind, "null"] if optional else kind}
    return schema | ({"enum": [*values, None] if optional else values} if values else {})


def _as_held(field: FormField, value: Value) -> Any:
    """A value of the JSON, as its field holds it; None if it is null or of another kind."""
    items = value.data if isinstance(value.data, list) else None
    if field.kind == "several":
        texts = [item.text for item in items] if items is not None else [value.text]
        return tuple(number for text in texts for number in numbers(text or ""))
    if field.kind == "list":
        listed = None if items is None else [_item(field, item) for item in items]
        return None if listed is None or None in listed else tuple(listed)
    return value.data if isinstance(value.data, int) and not isinstance(value.data, bool) else value.text


def _item(field: FormField, item: Value) -> str | dict[str, str] | None:
    if not field.keys:
        return item.text
    inner = item.data if isinstance(item.data, dict) else {}
    texts = {key: inner[key].text for key in field.keys if key in inner}
    return {key: text for key, text in texts.items() if text is not None} if len(texts) == len(field.keys) else None
