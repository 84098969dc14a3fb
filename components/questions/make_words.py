"""The words of the forms that make questions: what is made, and what it amounts to. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from components.html.words import wording
from readers.engine.questions.made.needles import NeedleKind
from readers.engine.questions.made.row import Made

CHARS_A_TOKEN = 4.5  # of English, about
ABOUT: Mapping[str, str] = {
    "sweep": "Each question stands in ever longer texts, its own paragraphs among others. Its evidence is on record, so that "
    "scores can be drawn by length and by depth.",
    "needles": "Sentences about a number that a text does not have are put into it at chosen depths, and asked for.",
}
KINDS: Mapping[NeedleKind, str] = {
    "one": "One in a text",
    "several": "Several in a text, all asked for",
    "scattered": "A chain of facts, scattered over the text",
    "contradicted": "One that is contradicted later",
}
NOTHING = "Nothing would be made: no question fits into a text of these lengths."


class Making(NamedTuple):
    """What would be made: the set's name, how many questions with how many tokens of text, the same in the shell, and how."""

    name: str
    questions: int
    tokens: int
    command: str
    make: Callable[[], Iterable[Made]]


def length(tokens: int) -> str:
    """A length in a list: `7K`, `3.58M`."""
    return f"{tokens / 1_000_000:.3g}M" if tokens >= 1_000_000 else f"{tokens // 1_000}K"


def price(making: Making) -> list[str]:
    """What the texts amount to, and so what reading them all once takes at least."""
    characters = making.tokens * CHARS_A_TOKEN
    size = f"some {characters / 1_000_000:,.0f} MB" if characters >= 1_000_000 else "under 1 MB"
    return [wording.count(making.questions, "question"), f"about {making.tokens:,} tokens of text in all", size]


def too_much(most: int) -> str:
    return f"A page makes up to {most:,} tokens of text at once. In the shell there is no such limit:"
