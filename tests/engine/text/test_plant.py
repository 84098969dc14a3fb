"""A planted sentence stands between two sentences of the text, nearest to its depth, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.engine.errors import BadOptions
from readers.engine.text.document import Document, PrintedPage
from readers.engine.text.plant import LONGEST_SENTENCE, plant

TEXT = (
    "Chapter 1\n\nThe mill stood. “Did it?” asked Ann.\n\n"
    "Chapter 2\n\nThey left on 3.5. in Dr. Ash’s cart. It rained\nall day. The end."
)
DOCUMENT = Document.of(TEXT, title="The mill")
SENTENCE = "The key is under the third stone."


@pytest.mark.parametrize(
    ("depth", "before", "after"),
    [
        (0.0, "The mill stood.", " “Did it?”"),
        (0.2, "The mill stood.", " “Did it?”"),
        (0.35, "asked Ann.", "\n\nChapter 2"),
        (0.75, "Ash’s cart.", " It rained"),
        (1.0, "The end.", ""),
    ],
)
def test_it_goes_in_after_the_nearest_sentence_and_never_after_a_heading(depth: float, before: str, after: str) -> None:
    document, span = plant(DOCUMENT, SENTENCE, depth)
    assert document.text[slice(*span)] == SENTENCE
    assert document.text[: span.start].endswith(f"{before} ")
    assert document.text[span.end :].startswith(after)
    assert document.title == "The mill, with a planted sentence"


@pytest.mark.parametrize("depth", [0.0, 0.2, 0.35, 0.75, 1.0])
def test_the_pages_of_a_text_begin_with_the_same_words_as_before(depth: float) -> None:
    pages = (PrintedPage(0, "7"), PrintedPage(TEXT.index("asked"), "8"), PrintedPage(TEXT.index("Chapter 2"), "9"))
    document, _ = plant(replace(DOCUMENT, pages=pages), SENTENCE, depth)
    assert [page.label for page in document.pages] == ["7", "8", "9"]
    for before, after in zip(pages, document.pages, strict=True):
        assert document.text[after.start :].split()[0] == TEXT[before.start :].split()[0]


@given(st.text(alphabet="ab .!?\n“”é🗝", max_size=60), st.floats(0, 1))
def test_without_the_sentence_the_text_is_as_it_was(words: str, depth: float) -> None:
    given_text = Document.of(words)
    document, (start, end) = plant(given_text, SENTENCE, depth)
    assert document.text[start:end] == SENTENCE
    assert Document.of(document.text).text == document.text
    rest = document.text[:start] + document.text[end:]
    assert "".join(rest.split()) == "".join(given_text.text.split())
    assert len(rest) - len(given_text.text) <= 2


def test_the_number_of_a_heading_is_no_sentence_to_stand_after() -> None:
    numbered = Document("Numbered", "The mill\n\n1. The wheel\n\nThe mill stood. It was old.")
    made = plant(numbered, SENTENCE, 0.0)
    assert made.document.text[: made.span.start].endswith("The mill stood. ")


def test_in_a_long_text_it_stands_where_it_was_asked_for() -> None:
    text = "One short sentence here. " * 20_000
    document, span = plant(Document.of(text), SENTENCE, 0.37)
    assert span.start / len(document.text) == pytest.approx(0.37, abs=0.001)
    unbroken, span = plant(Document.of("No end. " + "word " * 10_000), SENTENCE, 0.9)
    assert unbroken.text[: span.start] == "No end. "


def test_words_become_one_sentence_and_what_is_none_is_refused() -> None:
    document, span = plant(DOCUMENT, "  The key\nis\t under the stone ", 0.5)
    assert document.text[slice(*span)] == "The key is under the stone."
    document, span = plant(DOCUMENT, "Who has it?", 0.5)
    assert document.text[slice(*span)] == "Who has it?"
    for wrong, depth in ((" \n", 0.5), ("x" * (LONGEST_SENTENCE + 1), 0.5), (SENTENCE, 1.2), (SENTENCE, float("nan"))):
        with pytest.raises(BadOptions):
            plant(DOCUMENT, wrong, depth)
