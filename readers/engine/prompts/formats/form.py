"""A reply form: what a prompt asks for, defined once. The prompt's words, the reading of replies, and the fields follow from it.

A form is plain data, stored with the call, so old readings stay readable. Parsing never raises, no matter what the bytes are: it
returns the fields it found, each with its position in the reply, or the problem in words, which the model sees when it is asked
again. Only the reply is parsed, never the prompt. The `fields` are what a person fills in, what the offline model has to give,
and what an edit of a recorded reply may change. Not here: any particular form, and how fields are drawn.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, NamedTuple, Self

from readers.engine.on_first_use import pattern

REASON = "reasoning"  # the field for why something is chosen
Value = int | str | tuple[int, ...] | tuple[Mapping[str, str], ...] | tuple[str, ...]

# A whole number, not part of a word or of a decimal number.
_WHOLE = pattern(r"(?<![\w.])\d{1,9}(?!\w|\.\d)")
# Parts that list the numbers of options, and the note that those options get.
_NOTED = {"opened": "opened before", "refused": "leads nowhere that is still open"}


class Field(NamedTuple):
    """One value read out of a reply, and its position: `reply[start:end]`."""

    value: str | int
    start: int
    end: int

    @classmethod
    def between(cls, reply: str, start: int, end: int) -> Field:
        """The text of `reply[start:end]` without white space at its ends."""
        section = reply[start:end]
        start += len(section) - len(section.lstrip())
        return cls(section.strip(), start, start + len(section.strip()))


class Parsed(NamedTuple):
    """The fields that could be read from a reply."""

    fields: dict[str, Field]


class Unreadable(NamedTuple):
    """Why a reply could not be read: a clause that completes "your reply could not be read: ...".

    `usable` is what may still be used of it: on the last try it counts as read.
    """

    problem: str
    usable: Parsed | None = None


class CountedFrom0(NamedTuple):
    """A part whose texts a prompt numbers from 0, and the word before each number: `Page`. People count from 1."""

    part: str
    word: str

    def sent(self, number: int) -> str:
        """What the prompt calls the text: `Page 0`."""
        return f"{self.word} {number}".strip()

    def shown(self, number: int) -> str:
        """What people call it: `page 1`."""
        return f"{self.word.lower() or 'number'} {number + 1}"


class Choice(NamedTuple):
    """One option: its value in the reply, its name, its words in the prompt (if any), and a plain name if `label` is a symbol.
    `sent` is its number in the prompt, if that counts from 0; `label` counts from 1."""

    value: int | str
    label: str
    words: str = ""
    plain: str = ""
    sent: str = ""


class Sizes(dict[str, int]):
    """The number of texts in each part of a prompt, and the texts, by whose words a reply may name a choice."""

    def __init__(self, texts: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__({name: len(those) for name, those in texts.items()})
        self.texts = texts


@dataclass(frozen=True)
class Shown:
    """What a prompt shows: the texts of its parts, and the part whose texts it numbers from 0."""

    parts: Mapping[str, tuple[str, ...]]
    counted: CountedFrom0 | None = None

    def texts(self, part: str) -> tuple[str, ...]:
        return self.parts.get(part, ())

    @property
    def sizes(self) -> Sizes:
        """The number of texts in each part."""
        return Sizes(self.parts)

    def noted(self, number: int, words: str) -> str:
        """The words of an option, after its number in the prompt."""
        notes = [note for name, note in _NOTED.items() if str(number) in self.texts(name)]
        return f"({', '.join(notes)}) {words}" if notes else words

    def numbered(self) -> tuple[Choice, ...]:
        """The texts that the prompt numbers from 0, as options."""
        counted = self.counted
        texts = enumerate(self.texts(counted.part)) if counted else ()
        return tuple(Choice(n, counted.shown(n), self.noted(n, words), sent=counted.sent(n)) for n, words in texts if counted)


NOTHING_SHOWN = Shown({})


@dataclass(frozen=True)
class FormField:
    """One field. Its value is that of one choice ("one"), a tuple of choices' values, most important first ("several"), a string
    ("line", "words"), or a tuple of strings or of mappings with these `keys` ("list").

    With `when`, the field appears only if another field has that value. `begin` is an optional starting text; `long` fields are
    drawn tall; `limit` is the most tokens. With `numbers`, its values are numbers: those from 0 are the texts of `part`.
    """

    name: str
    kind: Literal["one", "several", "line", "words", "list"]
    label: str
    choices: tuple[Choice, ...] = ()
    needed: bool = True
    help: str = ""
    keys: tuple[str, ...] = ()
    when: tuple[str, Value] | None = None
    begin: str = ""
    long: bool = False
    limit: int = 0
    numbers: bool = False
    part: str = ""

    def applies(self, values: Mapping[str, Any]) -> bool:
        """Whether the field applies, given the other fields' values."""
        return self.when is None or values.get(self.when[0]) == self.when[1]


WHY = FormField(REASON, "line", "Why", needed=False)


class Form(ABC):
    """What every reply form offers. Its own data are the fields of a dataclass; `earlier` are the values of fields that were
    added later, for stored forms without them."""

    kind: ClassVar[str]
    earlier: ClassVar[Mapping[str, Any]] = {}

    @property
    @abstractmethod
    def main(self) -> str:
        """The field that represents the whole reply."""

    @property
    def markers(self) -> tuple[str, ...]:
        """Regular expressions for the marks of this form; a document that contains one must not pass for a reply."""
        return ()

    @abstractmethod
    def describe(self) -> str:
        """The form as the prompt shows it."""

    @abstractmethod
    def fields(self, shown: Shown = NOTHING_SHOWN) -> tuple[FormField, ...]:
        """What there is to fill in, each option with its words in the prompt."""

    @abstractmethod
    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        """Read a reply. `sizes` is the number of texts in each part of the prompt, for values that must lie in range."""

    def render(self, values: Mapping[str, str | int]) -> str:
        """A well-formed reply with these values; `parse` reads them back. Where nothing is around it, the words of its main
        field."""
        return str(values[self.main])

    def filled(self, values: Mapping[str, Any]) -> str:
        """The reply with the fields filled in so. Every needed one must be there (see `missing`); empty ones are left out."""
        given = {name: value for name, value in values.items() if value not in (None, "")}
        for field in self.fields():
            if field.kind == "several":
                given[field.name] = ", ".join(map(str, given.get(field.name, ())))
            elif field.kind == "list":
                given[field.name] = _as_json(given.get(field.name, ()))
        return self.render(given)

    def values(self, reply: str, shown: Shown) -> dict[str, Any] | None:
        """The values of the fields that make this reply; None if it cannot be read, or the fields cannot hold it."""
        parsed = self.parse(reply, shown.sizes)
        if isinstance(parsed, Unreadable):
            return None
        values: dict[str, Any] = {name: field.value for name, field in parsed.fields.items()}
        for field in self.fields(shown):
            if field.name in values:
                value = self.held(field, values[field.name])
                if value is None:
                    return None
                values[field.name] = value
        return values

    def held(self, field: FormField, said: int | str) -> Value | None:
        """A value read from a reply, as its field holds it; None if it cannot."""
        if field.kind == "several":
            named = tuple(numbers(str(said)))
            return named if {*named} <= {choice.value for choice in field.choices} else None
        if field.kind == "one":
            values = [choice.value for choice in field.choices]
            lettered = [value for value in values if str(value)[:1] == "(" and letter(value) == letter(said)]
            return next(iter([*(value for value in values if value == said), *lettered]), None)
        return said

    @property
    def required(self) -> tuple[str, ...]:
        """The names without which no reply can be made."""
        always = (field for field in self.fields() if field.when is None)
        return tuple(field.name for field in always if field.needed or field.kind in ("several", "list"))

    @property
    def in_words(self) -> Form:
        """The form without any notation of data around it, which decides what is read."""
        return self

    @property
    def asks_why(self) -> bool:
        """Whether there is a place for why something is chosen. A reply without it is read all the same."""
        return any(field.name == REASON for field in self.fields())

    @property
    def is_text(self) -> bool:
        """Whether the reply is plain text without a form around it."""
        return [field.kind for field in self.fields()] == ["words"] and not self.markers

    def to_json(self) -> dict[str, Any]:
        """The form as JSON data; `stored` makes it again."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        said = {name: value for name, value in own.items() if name not in self.earlier or value != self.earlier[name]}
        return {"kind": self.kind, **{name: [*value] if isinstance(value, tuple) else value for name, value in said.items()}}

    @classmethod
    def stored(cls, data: Mapping[str, Any]) -> Self:
        """The form that `to_json` wrote. Raises KeyError if something is missing."""
        names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
        own = {**cls.earlier, **{name: data[name] for name in names if name in data or name not in cls.earlier}}
        return cls(**{name: tuple(value) if isinstance(value, list) else value for name, value in own.items()})


def numbers(words: str) -> list[int]:
    """The whole numbers in a text, in order, with repetitions."""
    return [int(found) for found in _WHOLE.findall(words)]


def letter(words: object) -> str:
    """The letter with which an answer begins: `(C) the hill` is C."""
    return str(words).strip("( ")[:1].upper()


def lettered(choices: Iterable[str]) -> tuple[Choice, ...]:
    """Choices by their letters, which they may begin with already."""
    letters = [(f"({chr(ord('A') + n)})", words) for n, words in enumerate(choices)]
    named = [words if words.startswith(letter) else f"{letter} {words}" for letter, words in letters]
    return tuple(Choice(words, words) for words in named)


def missing(asked: Sequence[FormField], values: Mapping[str, Any]) -> str:
    """The first field that is not filled in, in a sentence; empty if none is missing."""
    for field in asked:
        if field.needed and field.applies(values) and values.get(field.name) in (None, "", ()):
            return f"“{field.label}” has not been {'chosen' if field.kind == 'one' else 'written'} yet."
    return ""


def unthought(words: object) -> str:
    """Words without the mark that ends a model's thoughts; everything up to it would be dropped."""
    return str(words).replace("</think>", "< /think>")


def _as_json(items: Sequence[Any]) -> str:
    """A list in JSON. Curly quotes are escaped: a parser looks for the list's own name between curly quotes."""
    plain = [dict(item) if isinstance(item, Mapping) else item for item in items]
    return json.dumps(plain, ensure_ascii=False).replace("“", "\\u201c").replace("”", "\\u201d")
