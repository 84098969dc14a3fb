"""A parsed or unreadable reply, and what every reply format offers.

A format is plain data, stored with the call, so old readings stay readable. Parsing never raises, whatever the bytes: it returns
the fields it found, each with its position in the reply, or the problem in words, which the model sees when it is asked again.
Only the reply is parsed, never the prompt. Not here: any particular format.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol


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


class ReplyFormat(Protocol):
    @property
    def main(self) -> str:
        """The field that stands for the whole reply."""
        ...

    @property
    def markers(self) -> tuple[str, ...]:
        """Regular expressions for the marks of this format; a document that contains one must not pass for a reply."""
        ...

    def describe(self) -> str:
        """The format as the prompt shows it."""
        ...

    def parse(self, reply: str, sizes: Mapping[str, int]) -> Parsed | Unreadable:
        """Read a reply. `sizes` is the number of texts in each part of the prompt, for values that must lie in range."""
        ...

    def render(self, values: Mapping[str, str | int]) -> str:
        """A well-formed reply with these values; `parse` reads them back."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The format as JSON data; `registry.reply_format` reads it back."""
        ...
