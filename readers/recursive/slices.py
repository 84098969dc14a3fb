"""What recursive reading is made of: slices of the text, questions about them, and what a reader knows of its own slice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from readers.engine.text.document import Span, Text
from readers.recursive import looking

WHOLE = "the whole text"


@dataclass(frozen=True)
class TextSlice:
    """A stretch of the text by its name, and how far below the whole text it is."""

    name: str
    span: Span
    depth: int

    def part(self, number: int, span: Span) -> TextSlice:
        """One of its parts, by its number from 1."""
        return TextSlice(part_name(self.name, number), span, self.depth + 1)


def part_name(above: str, number: int) -> str:
    """`part 2`, `part 2.1`: the name of a part of the slice with this name, by its number from 1."""
    return f"part {number}" if above == WHOLE else f"{above}.{number}"


@dataclass(frozen=True)
class Asked:
    """The question that a reader has about its slice."""

    question: Text
    choices: Sequence[Text] = ()


@dataclass(frozen=True)
class Seen:
    """A stretch of a slice that was shown, and how it came to be."""

    how: Text
    text: Text

    def shown(self, parts: Sequence[Part]) -> Text:
        """As the prompt shows it, with the part that it is in once there are parts."""
        start = next((span.start for span in self.text.spans), -1)
        number = next((n for n, part in enumerate(parts, 1) if part.slice.span.start <= start < part.slice.span.end), 0)
        return Text.join("", [self.how, Text(f", in part {number}:\n" if number else ":\n"), self.text])


@dataclass(eq=False)
class Part:
    """A part of a slice, and what came back from those who read it."""

    slice: TextSlice
    text: Text
    asked: dict[str, bool] = field(default_factory=dict)
    """Whether there was an answer, by question."""

    def shown(self) -> Text:
        """As the prompt shows it: how it begins, and whether it was asked."""
        start, end = looking.line(self.text.text)
        found = "" if not self.asked else " (asked: answered)" if any(self.asked.values()) else " (asked: nothing there)"
        return Text.join("", [self.text[start:end], Text(f" …{found}")])
