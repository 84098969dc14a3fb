"""Headings are found by their lines, and the sections that they open cover the text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.engine.text.headings import Section, headings, sections

MARKDOWN = """# The report

Some words
before all.

## Findings

One.

```
## not a heading
```

### A detail

Two.

Conclusion
----------

Three.
"""
NOVEL = (
    "A tale\nof two\n\nPart One\n\nCHAPTER I. The start\n\nIt began.\n\nChapter II\n\nIt went on.\n\n"
    "Part Two\n\nChapter III\n\nIt ended."
)
NUMBERED = "1 Aims\n\nWe aim.\n\n1.1 First aim\n\nThis.\n\n2 Means\n\nNone. And 3\n\nmore words here\nand 4 here"


def outline(text: str) -> list[str]:
    return [f"{'-' * one.depth} {text[slice(*one.title)]}" for one in headings(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (MARKDOWN, ["- The report", "-- Findings", "--- A detail", "-- Conclusion"]),
        (NOVEL, ["- Part One", "-- CHAPTER I. The start", "-- Chapter II", "- Part Two", "-- Chapter III"]),
        (NUMBERED, ["- 1 Aims", "-- 1.1 First aim", "- 2 Means"]),
        ("# One alone\n\nWords.", []),
        ("Part of it was lost.\n\nChapter and verse, he said, were wrong! Yes.\n\nChapter I", []),
        ("", []),
    ],
)
def test_headings_are_found_by_their_lines(text: str, found: list[str]) -> None:
    assert outline(text) == found


def told(text: str, parts: tuple[Section, ...]) -> list[object]:
    return [(text[slice(*one.title)] if one.title else None, told(text, one.parts)) for one in parts]


def test_sections_lie_in_each_other_as_their_headings_do() -> None:
    assert told(NOVEL, sections(NOVEL, headings(NOVEL))) == [
        (None, []),
        ("Part One", [("CHAPTER I. The start", []), ("Chapter II", [])]),
        ("Part Two", [("Chapter III", [])]),
    ]
    report = ("The report", [(None, []), ("Findings", [(None, []), ("A detail", [])]), ("Conclusion", [])])
    assert told(MARKDOWN, sections(MARKDOWN, headings(MARKDOWN))) == [report]


def ends(parts: tuple[Section, ...]) -> Iterator[Section]:
    for one in parts:
        yield from ends(one.parts) if one.parts else [one]


@given(st.lists(st.sampled_from(["# A", "## B", "### C", "words", "more\nwords", "Chapter I", "Part 2", "1.2 X", "```"])))
def test_sections_cover_the_text_in_order(lines: list[str]) -> None:
    text = "\n\n".join(lines)
    parts = sections(text, headings(text))
    assert not parts or "".join(text[slice(*one.span)] for one in ends(parts)) == text
