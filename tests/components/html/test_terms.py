"""The terms of the field: each is explained, marked once in a block, and never in words that are not ours."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from components.html import terms
from components.html.terms import TERMS, Term, explained, marks

OF_THE_DESIGN = {"raw", "gist", "segment", "look-up", "relation", "trial", "revert", "chunk", "callback", "fork"}
any_words = st.lists(st.sampled_from(["gist", "raw", "<b>", "“", "”", "looked back", "&amp;", "x", "Segments", "'"]), max_size=12)


def in_html(found: str) -> list[str]:
    return re.findall(r'popovertarget="term-([\w-]+)"', found)


def test_the_terms_of_the_design_are_in_the_list_each_with_a_sentence() -> None:
    assert {term.name for term in TERMS} >= OF_THE_DESIGN
    assert len({term.id for term in TERMS}) == len(TERMS)
    assert all(term.meaning.endswith(".") and term.meaning[0].isupper() for term in TERMS)


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.id)
def test_a_term_is_marked_by_its_own_name_and_its_explanation_is_on_every_page(term: Term) -> None:
    assert [found for *_, found in marks(f"Here is one {term.name} of them.")] == [term.id]
    assert f'id="term-{term.id}" popover' in terms.cards()


@pytest.mark.parametrize(
    ("words", "marked"),
    [
        ("It looked back at what it had looked up.", {"looked back": "callback", "looked up": "look-up"}),
        ("Looking pages up", {"Looking pages up": "look-up"}),
        ("Nothing in part 2 answered the question, so it went back up.", {"went back up": "revert"}),
        ("A rawer entity of two entities", {"entity": "entity"}),
        ("It asked below, about part 4, and searched it.", {"asked below": "ask-below", "searched": "search-for-words"}),
        ("It fell back on rules; 3 fallbacks", {"fell back": "fallback"}),
    ],
)
def test_the_forms_of_terms_are_marked_once_in_a_block(words: str, marked: dict[str, str]) -> None:
    assert {words[start:end]: term for start, end, term in marks(words)} == marked


def test_what_is_quoted_or_named_is_not_marked() -> None:
    assert not marks("It asked for “a chunk, “raw”, or a gist”.")
    words = "It followed Raw Segment – Fork to the fork, the raw one."
    ((start, _, term),) = marks(words, protected=["Raw Segment – Fork", "the raw one"])
    assert (start, term) == (words.index("fork,"), "fork")


def test_a_term_seen_above_in_a_block_is_not_marked_again() -> None:
    seen: set[str] = set()
    assert in_html(explained("tokens sent", seen=seen) + explained("tokens written, by chunk", seen=seen)) == ["token", "chunk"]


@given(any_words)
def test_the_words_stay_as_they_are_and_nothing_in_them_is_markup(parts: list[str]) -> None:
    words = " ".join(parts)
    found = explained(words)
    tags = re.sub(r'</?button(?: type="button" class="term" popovertarget="term-[\w-]+" title="[^"<>]*")?>', "", found)
    assert tags == escape(words)


def test_help_says_what_its_terms_mean() -> None:
    shown = terms.with_terms("The longest segment.", "Longest segment, in tokens")
    assert shown.split("\n\n")[0] == "The longest segment."
    assert shown.count("**segment**: ") == shown.count("**token**: ") == 1
    assert terms.with_terms("Where it pauses.") == "Where it pauses."


def test_a_meaning_of_its_own_opens_beside_its_words() -> None:
    shown = terms.with_meaning("14 <calls>", "How often it was asked.")
    (card,) = set(re.findall(r'(?:popovertarget|id)="([^"]+)"', shown))
    assert card.startswith("meaning-")
    assert "14 &lt;calls&gt;" in shown
