"""Words are found where they stand, and chapters where they begin, in a long text while a person waits."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from readers.engine.text.document import Document, Span
from readers.engine.text.search import MOST_HITS, TOGETHER, Sought, around, find, landmarks
from tests.support.texts_and_files.shapes import SEARCHED


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
    ("typed", "phrases"),
    [
        ('keeper "high  light" lamp', ("high light", "keeper", "lamp")),
        ("“high light”", ("high light",)),
        ("「高い灯り」 灯台", ("高い灯り", "灯台")),
        ("a a A", ("a", "A")),
        (' "" ', ('""',)),
        ("  ", ()),
    ],
)
def test_words_and_quoted_phrases_are_told_apart(typed: str, phrases: tuple[str, ...]) -> None:
    assert Sought.of(typed).phrases == phrases


@pytest.mark.parametrize(
    ("typed", "text", "found"),
    [
        ("lamp KEEPER", "The keeper lit the lamp. " + "x" * TOGETHER + " a lamp", ["keeper lit the lamp"]),
        ("lamp keeper", "The keeper." + "x" * TOGETHER + "A lamp.", []),
        ("lamp keeper", "The lamp.", []),
        ('"high light"', "a high\n  light, a light so high", ["high\n  light"]),
        ("lamp", "Lamp, lamps", ["Lamp", "lamp"]),
        ("灯台 灯り", "その灯台の灯りは消えた。", ["灯台の灯り"]),
        ("المنارة", "أضاء حارس المنارة المصباح", ["المنارة"]),
        ("İzmir", "in İzmir", ["İzmir"]),
        ("", "a text", []),
    ],
)
def test_words_that_stand_together_are_one_passage(typed: str, text: str, found: list[str]) -> None:
    sought = Sought.of(typed)
    assert [text[start:end] for start, end in sought.places(text)] == found
    assert sought.is_in(text) is bool(found)
    assert "".join(words for words, _ in sought.marked(text)) == text
    assert all(run in text.lower() for run in sought.plain) or not found


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


@pytest.mark.parametrize("shape", SEARCHED)
def test_odd_texts_have_no_headings_and_keep_every_hit_apart(shape: str) -> None:
    text = SEARCHED[shape](2_000)
    assert len(landmarks(text)) <= 1
    for asked in ("a a", "zz", "a"):
        hits = find(text, asked).hits
        assert all(before.end <= after.start for before, after in pairwise(hits))


@pytest.mark.parametrize("size", [200_000, pytest.param(15_000_000, marks=pytest.mark.scale)])
def test_every_hit_of_a_long_text_is_counted(lamp: Document, size: int) -> None:
    text = lamp.text * (size // len(lamp.text))
    assert find(text, "harbour ledger").count == len(re.findall(r"harbour\s+ledger", text, re.IGNORECASE)) > 0
