"""Plant a sentence: a text with one more sentence in it, and its place. Pure.

The sentence goes in after the sentence whose end is nearest to a depth (0: the beginning, 1: the end), never after a heading or
another line that does not end as a sentence does, unless there is nothing else. Not here: texts with many planted sentences.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from readers.engine.errors import BadOptions
from readers.engine.text import split
from readers.engine.text.document import Document, PrintedPage, Span

LONGEST_SENTENCE = 500  # characters
_NEAR = 4_000  # characters on either side of a place that are looked through first
_NUMBER = re.compile(r"\W*(\d+|[ivxlcdm]+|[a-z])\.\W*", re.IGNORECASE)  # of a heading or a list, such as "1." or "iv."
_ENDED = re.compile(r"[.!?…。！？][\"'’”»)\]]*$")


class Planted(NamedTuple):
    """A text with a planted sentence, and the place of that sentence."""

    document: Document
    span: Span


def plant(document: Document, sentence: str, depth: float) -> Planted:
    """The text with a sentence, as near as possible to `depth` of its length. Raises BadOptions if the sentence is empty or too
    long, or the depth is outside 0 to 1."""
    words = as_sentence(sentence)
    at = place_for(document.text, depth)
    before = "" if not at or document.text[at - 1].isspace() else " "
    after = "" if at == len(document.text) or document.text[at].isspace() else " "
    text = f"{document.text[:at]}{before}{words}{after}{document.text[at:]}"
    start = at + len(before)
    pages = pages_with(document, [(at, len(text) - len(document.text))])
    return Planted(Document(f"{document.title}, with a planted sentence", text, pages), Span(start, start + len(words)))


def pages_with(document: Document, added: Sequence[tuple[int, int]]) -> tuple[PrintedPage, ...]:
    """Where the pages of a document begin once so many characters were added at these places. What is added at the beginning of a
    page stands on that page."""
    return tuple(
        PrintedPage(page.start + sum(count for place, count in added if place < page.start), page.label)
        for page in document.pages
    )


def as_sentence(words: str) -> str:
    """Words in one line that end as a sentence does. Raises BadOptions."""
    line = unicodedata.normalize("NFC", " ".join(words.split()))
    if not line:
        raise BadOptions("there is no sentence to plant; write one")
    if len(line) > LONGEST_SENTENCE:
        raise BadOptions(f"the sentence has {len(line):,} characters; one of at most {LONGEST_SENTENCE} can be planted")
    return line if _ENDED.search(line) else f"{line}."


def place_for(text: str, depth: float) -> int:
    """Where a sentence goes in: after the sentence whose end is nearest to this depth. Raises BadOptions."""
    if not 0 <= depth <= 1:
        raise BadOptions(f"a depth is from 0 (the beginning) to 1 (the end), not {depth}")
    aim = round(depth * len(text))
    near = Span(max(0, aim - _NEAR), min(len(text), aim + _NEAR))
    for within in (near, Span(0, len(text))):
        if found := list(_ends(text, within)):
            return min(found, key=lambda end: (abs(end - aim), end))
    return len(text.rstrip())


def _ends(text: str, within: Span) -> Iterator[int]:
    """The ends of the sentences in a stretch. The last one may be cut off there, and then does not count."""
    for sentence in split.sentences(text, within):
        end = sentence.start + len(text[sentence.start : sentence.end].rstrip())
        words = text[sentence.start : end]
        if (sentence.end < within.end or within.end == len(text)) and _ENDED.search(words) and not _NUMBER.fullmatch(words):
            yield end
