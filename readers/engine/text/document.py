"""Texts with provenance.

`Document` is the canonical text, fixed at upload. `Span` is a half-open range of its characters. `Text` is a string whose
`Piece`s record where its characters were copied from: the document, a text that a reader wrote, or a model's reply. Slicing and
joining keep the pieces, so the author of a reader gets provenance for free.

Nothing here calls a model. Not here: cutting a document (`split.py`).
"""

from __future__ import annotations

import hashlib
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from readers.engine.canonical import encodable
from readers.engine.text import refs, tokens

LONGEST_LABEL = 12  # characters of what is printed on a page
MOST_PAGES = 4  # runs of pages that are named
DOCUMENT = refs.DOCUMENT
QUESTION = refs.QUESTION


class Span(NamedTuple):
    """A half-open range of characters, 0 <= start <= end."""

    start: int
    end: int


class PrintedPage(NamedTuple):
    """Where a page of a document begins, and what is printed on it: `12`, `iv`."""

    start: int
    label: str


@dataclass(frozen=True)
class Document:
    """A canonical text (NFC, `\\n` line ends), its title, and its id: the first 16 hex digits of the SHA-256 of the text.
    `pages`: those of a PDF that have text, in order; empty for other texts. They are no part of the id."""

    title: str
    text: str
    pages: tuple[PrintedPage, ...] = ()

    @classmethod
    def of(cls, text: str, *, title: str = "Untitled") -> Document:
        """Make a document from any string: `\\n` line ends, NFC, no byte order mark, `?` for halves of characters."""
        lines = encodable(text).lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        return cls(title=encodable(title).strip() or "Untitled", text=unicodedata.normalize("NFC", lines))

    def titled(self, title: str) -> Document:
        """The same text under another title; results computed from it are reused."""
        other = copy(self)
        object.__setattr__(other, "title", title)
        return other

    @cached_property
    def id(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    def pages_of(self, *spans: Span) -> str:
        """The pages on which these places lie, `p. 12` or `pp. 3–4, 9`; empty for a document without pages."""
        starts = [page.start for page in self.pages]
        firsts = [(max(0, bisect_right(starts, start) - 1), bisect_left(starts, end)) for start, end in spans]
        held = sorted({n for first, stop in firsts for n in range(first, max(first + 1, stop))})
        if not held or not self.pages:
            return ""
        runs = [Span(held[0], held[0])]
        for n in held[1:]:
            runs[-1:] = [Span(runs[-1].start, n)] if n == runs[-1].end + 1 else [runs[-1], Span(n, n)]
        named = ["–".join(dict.fromkeys(self.pages[n].label for n in run)) for run in runs[:MOST_PAGES]]
        return f"{'p.' if len(held) == 1 else 'pp.'} {', '.join([*named, *(['…'] if len(runs) > MOST_PAGES else [])])}"

    @cached_property
    def tokens(self) -> int:
        """The number of tokens in `tokens.ENCODING`."""
        return tokens.count(self.text)

    def at(self, span: Span) -> Text:
        """The characters of `span`, with their offsets. Raises ValueError for a span outside the text."""
        start, end = span
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"span {start}-{end} lies outside a text of {len(self.text)} characters")
        return Text(self.text[start:end], (Piece(0, end - start, DOCUMENT, start, end),))


class Piece(NamedTuple):
    """`text[start:end]` comes from `origin[begin:stop]`: `document`, `question`, `wrote:3` (a text that a reader wrote, counted
    from 0) or `reply:7` (the reply to call 7).

    Equal lengths mean an exact copy; a piece shorter than its source was derived from all of it (an unescaped JSON string).
    """

    start: int
    end: int
    origin: str
    begin: int
    stop: int

    @property
    def exact(self) -> bool:
        return self.end - self.start == self.stop - self.begin

    def clipped(self, start: int, end: int) -> Piece | None:
        """The part of the piece inside `text[start:end]`, relative to `start`; None if there is none."""
        low, high = max(self.start, start), min(self.end, end)
        if low >= high:
            return None
        if not self.exact:
            return Piece(low - start, high - start, self.origin, self.begin, self.stop)
        shift = self.begin - self.start
        return Piece(low - start, high - start, self.origin, low + shift, high + shift)

    def moved(self, by: int) -> Piece:
        return Piece(self.start + by, self.end + by, self.origin, self.begin, self.stop)


@dataclass(frozen=True)
class Text:
    """A string and the sources of its characters. Characters without a piece (separators, a reader's fixed words) have no
    source."""

    text: str
    pieces: tuple[Piece, ...] = field(default=())

    @classmethod
    def from_origin(cls, text: str, origin: str) -> Text:
        """A text that is the whole of `origin`."""
        return cls(text, (Piece(0, len(text), origin, 0, len(text)),) if text else ())

    @property
    def ref(self) -> str:
        """A short name for its sources: `document:120-560`, `wrote:3`, joined with `+`; empty for fixed words."""
        return "+".join(
            p.origin if refs.kind(p.origin) == "wrote" and p.begin == 0 else f"{p.origin}:{p.begin}-{p.stop}" for p in self.pieces
        )

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans of the document that were copied verbatim, in order of appearance."""
        return tuple(Span(p.begin, p.stop) for p in self.pieces if p.origin == DOCUMENT)

    @classmethod
    def join(cls, separator: str, texts: Iterable[Text]) -> Text:
        """Like `str.join`, keeping every piece."""
        parts: list[str] = []
        pieces: list[Piece] = []
        at = 0
        for text in texts:
            if parts:
                parts.append(separator)
                at += len(separator)
            parts.append(text.text)
            pieces.extend(piece.moved(at) for piece in text.pieces)
            at += len(text.text)
        return cls("".join(parts), tuple(pieces))

    def strip(self) -> Text:
        """The text without white space at its ends."""
        left = len(self.text) - len(self.text.lstrip())
        return self[left : left + len(self.text.strip())]

    def __getitem__(self, key: slice) -> Text:
        start, end, step = key.indices(len(self.text))
        if step != 1:
            raise ValueError("a Text is sliced in steps of one, so that every character keeps its place")
        end = max(start, end)
        clipped = (piece.clipped(start, end) for piece in self.pieces)
        return Text(self.text[start:end], tuple(piece for piece in clipped if piece))

    def __len__(self) -> int:
        return len(self.text)

    def __str__(self) -> str:
        return self.text

    def __iter__(self) -> Iterator[str]:
        raise TypeError("a Text is one string: use .text for its characters, or put it in a tuple for a part of one text")


@dataclass(frozen=True)
class Question:
    """A question about a document; for multiple choice with two or more `choices`, in the order shown (else none)."""

    text: str
    choices: tuple[str, ...] = ()

    @property
    def asked(self) -> Text:
        return Text.from_origin(self.text, QUESTION)

    @property
    def offered(self) -> tuple[Text, ...]:
        """The choices, each lettered `(A) ...`."""
        return tuple(Text.from_origin(f"({chr(65 + n)}) {choice}", refs.choice(n)) for n, choice in enumerate(self.choices))
