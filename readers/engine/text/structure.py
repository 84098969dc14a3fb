"""The structure of a text, found in its plain characters: headings, items of lists, rows of tables and code, as blocks by offset.

What is written as in Markdown counts, so do the forms in which Word, HTML and EPUB files are imported (`ingest/blocks.py`): rows
with ` | ` between their cells, items that begin `- ` or `3. `, headings. Nothing is taken out of the text or put into it: a block
says where its words are, and the rest of it are signs (`## `, ` | `, a fence). Pure; linear in the length of the text.

Not here: which paragraphs between blocks are verse; emphasis, links and other marks within a line.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice, pairwise, takewhile
from typing import Literal, NamedTuple

import regex

from readers.engine.text import split
from readers.engine.text.document import Span
from readers.engine.text.headings import Heading, fenced, headings, markdown
from readers.engine.text.search import short_lines

Kind = Literal["prose", "heading", "bullet", "number", "header", "row", "rule", "code"]

_GAP = regex.compile(r"\n[^\S\n]*\n\s*")
_MARKED = regex.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]|\|", regex.MULTILINE)  # without it, a paragraph is no more than that
_ITEM = regex.compile(r"(?P<indent>[ \t]*+)(?:(?P<bullet>[-*+•])(?!(?:[ \t]*+[-*+])++[ \t]*+$)|\d{1,3}[.)])[ \t]++(?=\S)")
_RULE = regex.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?[ \t]*")  # between the header and the rows
_BAR = regex.compile(r"(?<!\\)\|")
_IMPORTED = regex.compile(r"(?<= )\|(?= )")
_DEEPEST = 6


class TextPart(NamedTuple):
    """A part of a text that is more than a paragraph (`prose`). `words`: the spans of what it says, in order: a heading's title,
    an item's words, the cells of a row, the lines of code; the rest are its signs. `depth`: of a heading or an item."""

    start: int
    end: int
    kind: Kind
    words: tuple[Span, ...]
    depth: int = 0


@lru_cache(maxsize=8)
def blocks(text: str) -> tuple[TextPart, ...]:
    """The blocks of a text in order. They do not overlap."""
    apart: list[TextPart] = []
    for block in sorted(chain(_code(text), _headings(text)), key=lambda block: (block.start, -block.end)):
        if not apart or apart[-1].end <= block.start:  # what looks like a heading in code is none
            apart.append(block)
    edges = [(0, 0), *((block.start, block.end) for block in apart), (len(text), len(text))]
    between = (_lists_and_tables(text, Span(end, start)) for (_, end), (start, _) in pairwise(edges) if end < start)
    return tuple(sorted(chain(apart, *between)))


def blocks_in(text: str, within: Span) -> Iterator[TextPart]:
    """The blocks inside a span, with the parts of those that cross its edges."""
    found = blocks(text)
    first = bisect_right(found, within.start, key=lambda block: block.end)
    for block in takewhile(lambda block: max(block.start, within.start) < within.end, islice(found, first, None)):
        start, end = max(block.start, within.start), min(block.end, within.end)
        words = tuple(Span(max(a, start), min(b, end)) for a, b in block.words if a <= end and start <= b)
        yield block._replace(start=start, end=end, words=words)


def parts_in(text: str, within: Span) -> Iterator[TextPart]:
    """The blocks inside a span, and the paragraphs between them."""
    at = within.start
    for block in (*blocks_in(text, within), None):
        end = block.start if block else within.end
        for gap in (*_GAP.finditer(text, at, end), None):
            stop = gap.start() if gap else end
            if text[at:stop].strip():
                yield TextPart(at, stop, "prose", (Span(at, stop),))
            at = gap.end() if gap else end
        if block:
            yield block
            at = block.end


def _code(text: str) -> Iterator[TextPart]:
    for start, end in fenced(text):
        first = text.find("\n", start, end) + 1 or end
        last = text.rfind("\n", first - 1, end)
        closed = regex.match(r"[ \t]*[`~]{3}", text, pos=last + 1, endpos=end) is not None
        yield TextPart(start, end, "code", (Span(first, max(first, last) if closed else end),))


def _headings(text: str) -> Iterator[TextPart]:
    """By the headings that divide the text, a single one of Markdown, or else its short lines, where they are few."""
    found = headings(text) or list(markdown(text)) or [Heading(line.start, line, 3, line.end) for line in short_lines(text)]
    lists = {n for n, (one, other) in enumerate(pairwise(found)) if _of_one_list(text, one, other)}
    for n, (start, title, depth, end) in enumerate(found):
        if n not in lists and n - 1 not in lists:
            yield TextPart(start, end, "heading", (title,), depth)


def _of_one_list(text: str, one: Heading, other: Heading) -> bool:
    """Whether two numbered lines that follow each other with nothing between them are items of a list rather than headings."""
    return one.depth == other.depth and bool(_ITEM.match(text, one.start)) and not text[one.end : other.start].strip()


def _lists_and_tables(text: str, within: Span) -> Iterator[TextPart]:
    rows: list[TextPart] = []  # imported rows that follow each other; one alone is a paragraph
    indents: list[int] = []  # of the items around the next one
    for paragraph in split.paragraphs(text[within.start : within.end]):
        end = within.start + paragraph.end
        start = max(within.start, text.rfind("\n", 0, within.start + paragraph.start) + 1)  # a first cell may be empty
        lines = _lines(text, Span(start, end)) if _MARKED.search(text, start, end) else []
        row = _imported_row(text, lines)
        rows += [row] if row else []
        if not row:
            yield from rows if len(rows) > 1 else ()
            rows = []
            table = list(_table(text, lines))
            items = [] if table else list(_items(text, lines, indents))
            yield from table or items
            if not items:
                indents.clear()
    yield from rows if len(rows) > 1 else ()


def _lines(text: str, span: Span) -> list[Span]:
    """The lines of a paragraph without blank ones."""
    found, at = [], span.start
    for line in text[span.start : span.end].split("\n"):
        if line.strip():
            found.append(Span(at, at + len(line)))
        at += len(line) + 1
    return found


def _imported_row(text: str, lines: Sequence[Span]) -> TextPart | None:
    """A paragraph of one line that is a row as tables of Word and HTML files are imported."""
    if len(lines) != 1 or not _IMPORTED.search(text, *lines[0]) or text.startswith("|", lines[0].start):
        return None
    return _row(text, lines[0], "row", _IMPORTED)


def _table(text: str, lines: Sequence[Span]) -> Iterator[TextPart]:
    """The rows of a table of Markdown: a header, a rule below it and rows; or rows alone, between bars at both ends."""
    written = [text[slice(*line)].strip() for line in lines]
    rule = next((n for n, line in enumerate(written) if n and "|" in line and _RULE.fullmatch(line)), 0)
    if rule and "|" in written[rule - 1]:
        yield _row(text, lines[rule - 1], "header", _BAR)
        yield TextPart(*lines[rule], "rule", ())
        for line in takewhile(lambda line: "|" in text[slice(*line)], lines[rule + 1 :]):
            yield _row(text, line, "row", _BAR)
    elif len(lines) > 1 and all(len(line) > 2 and line[0] == line[-1] == "|" for line in written):
        yield from (_row(text, line, "row", _BAR) for line in lines)


def _row(text: str, line: Span, kind: Kind, bar: regex.Pattern[str]) -> TextPart:
    """A row with its cells, which may be empty. Of Markdown's bars the first and the last may have nothing outside of them."""
    edges = [line.start - 1, *(match.start() for match in bar.finditer(text, *line)), line.end]
    cells = [_stripped(text, Span(one + 1, other)) for one, other in pairwise(edges)]
    if bar is _BAR:
        cells = cells[cells[0].start == cells[0].end : len(cells) - (len(cells) > 1 and cells[-1].start == cells[-1].end)]
    return TextPart(*line, kind, tuple(cells))


def _stripped(text: str, span: Span) -> Span:
    """A span without blanks at its ends; where it has nothing else, none of it, at its end."""
    words = text[span.start : span.end]
    start = span.end - len(words.lstrip())
    return Span(start, start + len(words.strip()))


def _items(text: str, lines: Sequence[Span], indents: list[int]) -> Iterator[TextPart]:
    """The items of a list, each with the lines below it that begin no other. A paragraph may go over into a list of bullets."""
    matches = [_ITEM.match(text, *line) for line in lines]
    first = next((n for n, match in enumerate(matches) if match), None)
    if first is None or (first and sum(bool(match and match["bullet"]) for match in matches) < 2):
        return
    starts = [n for n, match in enumerate(matches) if match and n >= first]
    for n, following in pairwise([*starts, len(lines)]):
        match, end = matches[n], lines[following - 1].end
        assert match is not None
        indent = len(match["indent"].expandtabs(4))
        while indents and indent < indents[-1]:
            indents.pop()
        if not indents or indent > indents[-1]:
            indents.append(indent)
        kind: Kind = "bullet" if match["bullet"] else "number"
        yield TextPart(match.start(), end, kind, (Span(match.end(), end),), min(len(indents), _DEEPEST))
