"""Words are found where they stand, and chapters where they begin, in a long text while a person waits."""

from __future__ import annotations

import re
import time

import pytest

from readers.engine.text.document import Document, Span
from readers.engine.text.search import MOST_HITS, around, find, landmarks


def test_case_and_white_space_do_not_matter() -> None:
    text = "The harbour\nledger. A HARBOUR  Ledger, an harbourledger."
    assert [text[start:end] for start, end in find(text, " harbour ledger ").hits] == ["harbour\nledger", "HARBOUR  Ledger"]
    assert find(text, "  ").count == 0


@pytest.mark.parametrize("words", ["a.b", "(", "[x](y)", "\\d", "a|b", "^$", "İ", "ß", "🙂", "$name"])
def test_what_is_looked_for_is_characters_and_no_pattern(words: str) -> None:
    text = f"before {words} after axb"
    assert find(text, words).hits == (Span(7, 7 + len(words)),)


def test_very_many_hits_are_counted_and_the_first_kept() -> None:
    found = find("a " * 10_000, "a")
    assert (found.count, len(found.hits)) == (10_000, MOST_HITS)


def test_a_hit_is_shown_with_the_words_around_it() -> None:
    text = "one two three four five six seven"
    hit = find(text, "four").hits[0]
    assert around(text, hit, reach=10) == ("…three ", "four", " five six …")
    assert around(text, hit) == ("one two three ", "four", " five six seven")


@pytest.mark.parametrize(
    ("line", "there"),
    [
        ("Chapter 4", True),
        ("CHAPTER IV. The Lamp", True),
        ("## The Lamp", True),
        ("Part two: the sea", True),
        ("He saw it.", False),
    ],
)
def test_headings_that_call_themselves_one(line: str, there: bool) -> None:
    text = "\n\n".join([line, "He saw the sea. " * 50] * 4)
    found = landmarks(text)
    assert len(found) == (4 if there else 0)
    assert all(text[at:].startswith(line) for _, at in found)


def test_short_lines_that_stand_alone_are_headings_where_there_is_much_text_between(lamp: Document) -> None:
    found = landmarks(lamp.text)
    assert "1. The Point" in [title for title, _ in found]
    assert all(lamp.text[at:].startswith(title) for title, at in found)
    verse = "\n\n".join(["The sea came in"] * 40)
    assert landmarks(verse) == ()


@pytest.mark.parametrize("text", ["", "a" * 2_000_000, " " * 2_000_000, "#" * 500_000, "a\n\n" * 500_000, "\n" * 2_000_000])
def test_no_text_keeps_one_waiting(text: str) -> None:
    began = time.perf_counter()
    landmarks(text)
    find(text, "a a")
    find(text, "zz")
    assert time.perf_counter() - began < 8


def test_fifteen_million_characters_are_searched_at_once(lamp: Document) -> None:
    text = lamp.text * (15_000_000 // len(lamp.text))
    began = time.perf_counter()
    found = find(text, "harbour ledger")
    took = time.perf_counter() - began
    assert found.count == len(re.findall(r"harbour\s+ledger", text, re.IGNORECASE))
    assert took < 4  # under a second where nothing else runs
