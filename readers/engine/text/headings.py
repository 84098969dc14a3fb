"""The headings of a text, and the sections that they open. Pure; linear in the length of the text.

Three kinds are known, and only the first kind that a text has is used: headings of Markdown (`# Title`, `## Title`, or a line of
`=` or `-` below it), which an imported Markdown file keeps, and which the headings of Word, HTML and EPUB files become; lines
that begin `Part`, `Book`, `Chapter`, `Act` or the like and are separate; numbered lines (`2.1 Title`, `IV.`) that are separate.
One heading is not enough: two are needed to divide a text. Not here: where a model would divide it, and headings that only large
or bold type sets apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import regex

from readers.engine.text.document import Span

FEWEST = 2

_FENCE = regex.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*$", regex.MULTILINE)
_MARKDOWN = regex.compile(
    r"^ {0,3}(?P<hashes>#{1,6})[ \t]++(?P<title>[^\n]*\S)[^\n]*$"
    r"|^(?P<above>[^\s#>|*+-][^\n]{0,200})\n {0,3}(?P<under>={3,}|-{3,})[ \t]*$",
    regex.MULTILINE,
)
_LONGEST = 120  # characters of a separate line
_DEPTHS = (("volume", "book", "part", "act"), ("chapter", "letter", "canto", "appendix", "scene"), ("section",))
_WORDS = {word: depth for depth, words in enumerate(_DEPTHS, 1) for word in words}
_COUNTED = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|"
    "twenty|first|second|third|fourth|fifth|last"
)
_NUMBER = rf"(?:the[ \t]+)?(?:\d{{1,4}}|[IVXLC]{{1,7}}|[A-Z]|{_COUNTED})\b"
_NAMED = regex.compile(rf"(?P<word>{'|'.join(_WORDS)})(?:[ \t]+{_NUMBER}(?:[ \t]*[-.:–—].*|[ \t].*)?)?", regex.IGNORECASE)
_NUMBERED = regex.compile(r"(?:(?P<number>\d{1,3}(?:\.\d{1,3}){0,4})|[IVXLC]{1,7})[.)]?(?:[ \t]+\p{Lu}[^.!?]*+)?")


class Heading(NamedTuple):
    """A heading: where its line begins, the span of its title, its depth, from 1, and where its last line ends."""

    start: int
    title: Span
    depth: int
    end: int


class Section(NamedTuple):
    """A part of a text: its span, the span of its title (None for the part before its first heading), and the sections in it, in
    order; together they cover it."""

    span: Span
    title: Span | None
    parts: tuple[Section, ...] = ()


def headings(text: str) -> list[Heading]:
    """The headings of a text in order; empty where it has fewer than two."""
    for find in (markdown, _named, _numbered):
        found = list(find(text))
        if len(found) >= FEWEST:
            return found
    return []


def sections(text: str, found: Sequence[Heading]) -> tuple[Section, ...]:
    """The sections of a text by its headings. They cover it from end to end."""
    return _sections(text, found, Span(0, len(text)))


def _sections(text: str, found: Sequence[Heading], within: Span) -> tuple[Section, ...]:
    """The sections in a span. A single line before the first of them, such as a higher heading, belongs to the first."""
    if not found:
        return ()
    made: list[Section] = []
    start = within.start
    if "\n" in text[start : found[0].start].strip():
        made.append(Section(Span(start, found[0].start), None))
        start = found[0].start
    while found:
        count = next((n for n, one in enumerate(found) if n and one.depth <= found[0].depth), len(found))
        span = Span(start, found[count].start if count < len(found) else within.end)
        made.append(Section(span, found[0].title, _sections(text, found[1:count], span)))
        found, start = found[count:], span.end
    return tuple(made)


def fenced(text: str) -> list[Span]:
    """The code of a text, with the lines of its fences; a fence that nothing closes goes on to the end."""
    found: list[Span] = []
    fence = ""
    for match in _FENCE.finditer(text):
        if not fence:
            fence = match["fence"]
            found.append(Span(match.start(), len(text)))
        elif match["fence"].startswith(fence):
            fence = ""
            found[-1] = Span(found[-1].start, match.end())
    return found


def markdown(text: str) -> Iterator[Heading]:
    """The headings of Markdown, also a single one. Those in code are none."""
    code = fenced(text)
    edges = [0, *(edge for span in code for edge in span), len(text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        for match in _MARKDOWN.finditer(text, start, end):
            if match["hashes"]:
                yield Heading(match.start(), Span(*match.span("title")), len(match["hashes"]), match.end())
            else:
                depth = 1 if match["under"].startswith("=") else 2
                yield Heading(match.start(), Span(*match.span("above")), depth, match.end())


def _named(text: str) -> Iterator[Heading]:
    for line in _lines_alone(text):
        if match := _NAMED.fullmatch(text, *line):
            yield Heading(line.start, line, _WORDS[match["word"].lower()], line.end)


def _numbered(text: str) -> Iterator[Heading]:
    for line in _lines_alone(text):
        if match := _NUMBERED.fullmatch(text, *line):
            depth = match["number"].count(".") + 1 if match["number"] else 1
            yield Heading(line.start, line, depth, line.end)


def _lines_alone(text: str) -> Iterator[Span]:
    """The short lines with an empty line, or nothing, before and after them, without the blanks around their words."""
    start, empty_before = 0, True
    pending: Span | None = None
    for line in text.splitlines(keepends=True):
        words = line.strip()
        if pending and not words:
            yield pending
        at = start + line.find(words)
        pending = Span(at, at + len(words)) if words and empty_before and len(words) <= _LONGEST else None
        empty_before = not words
        start += len(line)
    if pending:
        yield pending
