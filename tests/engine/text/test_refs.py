"""Refs: what is written is read again, and anything else is no ref."""

from __future__ import annotations

import pytest

from readers.engine.text import refs
from readers.engine.text.document import Document, Question, Span, Text


def test_a_ref_is_read_as_it_was_written() -> None:
    assert refs.written(refs.wrote(3)) == 3
    assert refs.replied(refs.reply(7)) == 7
    assert refs.span(refs.place(120, 560)) == (120, 560)
    assert refs.node_id(refs.wrote(12)) == "12"
    assert [refs.kind(ref) for ref in (refs.wrote(0), refs.reply(0), refs.place(0, 1), refs.choice(2))] == [
        "wrote", "reply", "document", "choice",
    ]  # fmt: skip


def test_texts_carry_these_refs() -> None:
    text = Document.of("One. Two.").at(Span(0, 4))
    assert text.ref == refs.place(0, 4)
    assert Text.from_origin("a gist", refs.wrote(2)).ref == refs.wrote(2)
    assert Question("q", ("a", "b")).offered[1].pieces[0].origin == refs.choice(1)


@pytest.mark.parametrize(
    "words",
    ["", "back up", "wrote:", "wrote:x", "wrote:3:0-5", "reply:7:0-5", "document:1", "document:1-", "document:0-5+wrote:1"],
)
def test_other_words_name_no_text_no_reply_and_no_span(words: str) -> None:
    assert (refs.written(words), refs.replied(words), refs.span(words)) == (None, None, None)


def test_what_is_no_text_of_the_reader_keeps_its_words() -> None:
    assert refs.node_id("back up") == "back up"
    assert refs.kind("page 3") is None
