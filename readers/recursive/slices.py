"""The elements of recursive reading: its options, slices of the text, and what a reader knows about its own slice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from readers.engine.prompts.options import Preset, option
from readers.engine.text.document import Span, Text
from readers.recursive import looking

WHOLE = "the whole text"


@dataclass(frozen=True)
class RecursiveOptions:
    slice_tokens: int = option(
        1000,
        "A slice of at most so many tokens is shown raw and answered from directly; at the limit of depth any is.",
        lowest=32,
        title="Slice read as a whole, in tokens",
    )
    depth: int = option(
        2, "How deep questions may be asked below the whole text.", lowest=1, highest=8, title="How deep it may ask"
    )
    max_parts: int = option(8, "The most parts into which a slice is split.", lowest=2, highest=40, title="Most parts of a split")
    max_actions: int = option(
        12,
        "The most actions in one slice; then it has to answer from what it has seen.",
        lowest=1,
        title="Most actions in a slice",
    )
    max_calls: int | None = option(
        None,
        "The most calls in one reading, without those made again after an unreadable reply; auto is 60, or more where it takes "
        "more to read every slice of the text once.",
        lowest=2,
        title="Most calls in total",
    )
    peek_tokens: int = option(150, "How many tokens of its slice a peek shows.", lowest=16, title="Shown by a peek, in tokens")
    max_hits: int = option(5, "The most places that a search shows.", lowest=1, highest=50, title="Most places a search shows")
    hit_tokens: int = option(
        60, "How many tokens a search shows of each place.", lowest=16, title="Shown of each place, in tokens"
    )


# Questions go one level down in the paper's experiments (section 2): those below answer directly.
PRESETS: dict[str, Preset] = {"one_level": Preset({"depth": 1, "max_parts": 20})}


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
class SliceQuestion:
    """The question that a reader has about its slice."""

    question: Text
    choices: Sequence[Text] = ()


@dataclass(frozen=True)
class Seen:
    """A stretch of a slice that was shown, and how it was chosen."""

    how: Text
    text: Text

    def shown(self, parts: Sequence[SlicePart]) -> Text:
        """As the prompt shows it, with the part that it is in once there are parts."""
        start = next((span.start for span in self.text.spans), -1)
        number = next((n for n, part in enumerate(parts, 1) if part.slice.span.start <= start < part.slice.span.end), 0)
        return Text.join("", [self.how, Text(f", in part {number}:\n" if number else ":\n"), self.text])


@dataclass(eq=False)
class SlicePart:
    """A part of a slice, and the answers of its readers."""

    slice: TextSlice
    text: Text
    asked: dict[str, bool] = field(default_factory=dict)
    """Whether there was an answer, by question."""

    def shown(self) -> Text:
        """As the prompt shows it: how it begins, and whether it was asked."""
        start, end = looking.line(self.text.text)
        found = "" if not self.asked else " (asked: answered)" if any(self.asked.values()) else " (asked: nothing there)"
        return Text.join("", [self.text[start:end], Text(f" …{found}")])
