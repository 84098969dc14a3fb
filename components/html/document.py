"""The document as HTML: stretches of it in a reading column, with marks, its headings, lists, tables and code drawn as such; and
which stretches to show. Pure, everything escaped.

Not here: headings, chips and everything else around it (`markup.py`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from markupsafe import Markup, escape

from components.html.words.wording import words_between
from readers.engine.text import structure
from readers.engine.text.document import PrintedPage, Span
from readers.engine.text.structure import TextPart

Kind = Literal["evidence", "quote", "known", "now", "hit", "there"]
# A box around lists and tables, the roles of blocks and of the cells of rows; `assets/js/player/text_blocks.js` has the same.
_AROUND = {"bullet": "list", "number": "list", "header": "table", "row": "table", "rule": "table"}
_ROLES = {"heading": "heading", "bullet": "listitem", "number": "listitem", "header": "row", "row": "row", "rule": "row"}
_CELLS = {"header": "columnheader", "row": "cell", "rule": "cell"}
HARD_WRAPPED = 45
QUOTED_AT_MOST = 4_000


class Mark(NamedTuple):
    """Characters of the document that are highlighted, and as what."""

    start: int
    end: int
    kind: Kind


def passages(text: str, windows: Sequence[Span], marks: Sequence[Mark], *, pages: Sequence[PrintedPage] = ()) -> Markup:
    """Stretches of a document in a reading column, with the omissions between them in words, and a line where a page begins."""
    parts: list[str] = []
    at = 0
    for window in windows:
        parts += [_gap(text, at, window.start), *_paragraphs(text, window, marks, pages=pages)]
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


def _paragraphs(text: str, window: Span, marks: Sequence[Mark], *, pages: Sequence[PrintedPage] = ()) -> Iterator[str]:
    """The paragraphs and blocks of a stretch, each list and table of a page in a box of its own."""
    starts = [page.start for page in pages]
    page = bisect_left(starts, window.start)  # the first that begins here

    def box(part: TextPart) -> tuple[str, int]:
        return _AROUND.get(part.kind, ""), bisect_right(starts, part.start)

    for (around, begun), parts in groupby(structure.parts_in(text, window), key=box):
        if begun > page:
            yield Markup('<p class="page-begins">p. {}</p>').format(pages[begun - 1].label)
            page = begun
        drawn = Markup("").join(_paragraph(text, part, marks) for part in parts)
        direction = Markup(' dir="auto" tabindex="0"') if around == "table" else ""
        yield Markup('<div data-kind="{0}" role="{0}"{1}>{2}</div>').format(around, direction, drawn) if around else drawn


def _paragraph(text: str, part: TextPart, marks: Sequence[Mark]) -> Markup:
    """A paragraph or block, its classes given by its content; marks may begin or end anywhere in it."""
    inside = [mark for mark in marks if mark.start < part.end and part.start < mark.end]
    shape = _shape(text[part.start : part.end]) if part.kind == "prose" else []
    about: dict[str, object] = {"class": " ".join([*sorted({f"has-{mark.kind}" for mark in inside}), *shape])}
    if part.kind != "prose":
        about |= {"data-kind": part.kind, "data-depth": part.depth, "role": _ROLES.get(part.kind)}
    if part.kind == "heading":
        about["aria-level"] = min(6, part.depth + 2)
    if part.kind not in _CELLS:
        about["dir"] = "auto"
    given = Markup("").join(Markup(' {}="{}"').format(name, value) for name, value in about.items() if value)
    return Markup("<p{}>{}</p>").format(given, Markup("").join(_words(text, part, inside)))


def _words(text: str, part: TextPart, marks: Sequence[Mark]) -> Iterator[Markup]:
    """The words of a paragraph or block, and around them its signs, which a style sheet does not draw."""
    at, words, role = part.start, part.words or (Span(part.end, part.end),), _CELLS.get(part.kind)
    for start, end in words:
        stop = part.end if end == words[-1].end else end
        inside = Markup("").join(
            draw(text, Span(*span), marks) for draw, *span in ((_signs, at, start), (_runs, start, end), (_signs, end, stop))
        )
        yield Markup('<span class="cell" role="{}" dir="auto">{}</span>').format(role, inside) if role else inside
        at = stop


def _signs(text: str, span: Span, marks: Sequence[Mark]) -> Markup:
    return Markup('<span class="sign">{}</span>').format(_runs(text, span, marks)) if span.start < span.end else Markup()


def _runs(text: str, span: Span, marks: Sequence[Mark]) -> Markup:
    start, end = span
    edges = sorted({start, end, *(edge for mark in marks for edge in (mark.start, mark.end) if start < edge < end)})
    runs = (_run(text[a:b], {mark.kind for mark in marks if mark.start <= a and b <= mark.end}) for a, b in pairwise(edges))
    return Markup("").join(runs)


def _run(text: str, kinds: set[Kind]) -> Markup:
    return Markup('<mark class="{}">{}</mark>').format(" ".join(sorted(kinds)), text) if kinds else escape(text)


def _shape(paragraph: str) -> list[str]:
    """Verse keeps its lines, hard-wrapped prose does not."""
    lines = paragraph.strip().split("\n")
    return [] if len(lines) == 1 or all(len(line) > HARD_WRAPPED for line in lines[:-1]) else ["verse"]
