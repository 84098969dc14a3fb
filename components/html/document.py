"""The document as HTML: stretches of it in a reading column, with marks; and which stretches to show. Pure, everything escaped.

Not here: headings, chips and everything else around it (`markup.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from markupsafe import Markup, escape

from components.html.words.wording import words_between
from readers.engine.text.document import Span

Kind = Literal["evidence", "quote", "known", "now", "hit", "there"]
_BREAK = re.compile(r"\n[^\S\n]*\n\s*")
HARD_WRAPPED = 45
HEADING = 60
QUOTED_AT_MOST = 4_000


class Mark(NamedTuple):
    """Characters of the document that are highlighted, and as what."""

    start: int
    end: int
    kind: Kind


def passages(text: str, windows: Sequence[Span], marks: Sequence[Mark]) -> Markup:
    """Stretches of a document in a reading column, with the omissions between them in words."""
    parts: list[str] = []
    at = 0
    for window in windows:
        parts += [_gap(text, at, window.start), *_paragraphs(text, window, marks)]
        at = window.end
    parts.append(_gap(text, at, len(text)))
    return Markup('<div class="text">{}</div>').format(Markup("").join(parts))


def paragraphs(text: str, span: Span) -> list[str]:
    """A stretch of a document without marks."""
    return list(_paragraphs(text, span, ()))


def quotes(text: str, words: str, spans: Sequence[Span]) -> list[Mark]:
    """The places of an answer's words in the evidence, as a whole or sentence by sentence; white space may differ."""
    if not words.strip() or len(words) > QUOTED_AT_MOST:
        return []
    whole = _standing(text, words, spans)
    if whole:
        return [whole]
    sentences = [part for part in re.split(r"(?<=[.!?…][”’\"')])\s+|(?<=[.!?…])\s+|\n+", words) if len(part.split()) >= 4]
    return [found for sentence in sentences if (found := _standing(text, sentence, spans))]


def _standing(text: str, words: str, spans: Sequence[Span]) -> Mark | None:
    pattern = re.compile(r"\s+".join(map(re.escape, words.split())))
    found = (pattern.search(text, start, end) for start, end in spans)
    return next((Mark(*match.span(), "quote") for match in found if match and len(match[0]) > 2), None)


def opening(text: str, most: int = 2_600) -> Span:
    """How a text begins: its first paragraphs, some `most` characters."""
    return Span(0, min(_break_after(text, most), most + 1_500))


def windows(text: str, spans: Sequence[Span], *, around: int = 500, most: int = 12_000) -> list[Span]:
    """The spans with something around them, up to a paragraph break, merged; no more than `most` characters in all."""
    wide = [Span(_break_before(text, start - around), _break_after(text, end + around)) for start, end in sorted(spans)]
    out: list[Span] = []
    left = most
    for start, end in wide:
        if out and start <= out[-1].end:
            joined = Span(out[-1].start, min(max(end, out[-1].end), out[-1].end + left))
            left -= joined.end - out[-1].end
            out[-1] = joined
        elif left > 0:
            out.append(Span(start, min(end, start + left)))
            left -= out[-1].end - out[-1].start
    return out


def pages(text: str, size: int) -> list[Span]:
    """The whole of a text in stretches of about `size` characters, cut at paragraph breaks where there are any."""
    out: list[Span] = []
    at = 0
    while at < len(text):
        end = len(text) if len(text) - at <= size else max(_break_before(text, at + size, reach=size // 2), at + 1)
        out.append(Span(at, end))
        at = end
    return out or [Span(0, 0)]


def _break_before(text: str, at: int, *, reach: int = 1_500) -> int:
    """The beginning of the paragraph around `at`, or of the word where that is further than `reach`."""
    if at <= 0:
        return 0
    found = text.rfind("\n\n", max(0, at - reach), at)
    if found >= 0:
        return found + 2
    return 0 if at <= reach else max(text.rfind(" ", at - 100, at) + 1, at - 100)


def _break_after(text: str, at: int, *, reach: int = 1_500) -> int:
    if at >= len(text):
        return len(text)
    found = text.find("\n\n", at, at + reach)
    if found >= 0:
        return found
    space = text.find(" ", at, at + 100)
    return len(text) if len(text) - at <= reach else space if space >= 0 else at


def _gap(text: str, start: int, end: int) -> Markup:
    """So many words are not shown here."""
    words = words_between(text, start, end)
    return Markup() if words == "0 words" else Markup('<p class="gap">⋯ {} not shown</p>').format(words)


def _paragraphs(text: str, window: Span, marks: Sequence[Mark]) -> Iterator[str]:
    at = window.start
    for found in [*_BREAK.finditer(text, window.start, window.end), None]:
        end = found.start() if found else window.end
        if text[at:end].strip():
            yield _paragraph(text, Span(at, end), marks)
        at = found.end() if found else end


def _paragraph(text: str, span: Span, marks: Sequence[Mark]) -> Markup:
    """One paragraph, its classes given by its content; marks may begin or end anywhere in it."""
    start, end = span
    inside = [mark for mark in marks if mark.start < end and start < mark.end]
    edges = sorted({start, end, *(edge for mark in inside for edge in (mark.start, mark.end) if start < edge < end)})
    runs = [_run(text[a:b], {mark.kind for mark in inside if mark.start <= a and b <= mark.end}) for a, b in pairwise(edges)]
    classes = " ".join([*sorted({f"has-{mark.kind}" for mark in inside}), *_shape(text[start:end])])
    kind = Markup(' class="{}"').format(classes) if classes else ""
    return Markup('<p{} dir="auto">{}</p>').format(kind, Markup("").join(runs))


def _run(text: str, kinds: set[Kind]) -> Markup:
    return Markup('<mark class="{}">{}</mark>').format(" ".join(sorted(kinds)), text) if kinds else escape(text)


def _shape(paragraph: str) -> list[str]:
    """Verse and lists keep their lines, hard-wrapped prose does not; a short line without an end stop looks like a heading."""
    lines = paragraph.strip().split("\n")
    if len(lines) == 1:
        return ["title"] if len(lines[0]) <= HEADING and lines[0][-1].isalnum() else []
    return [] if all(len(line) > HARD_WRAPPED for line in lines[:-1]) else ["verse"]
