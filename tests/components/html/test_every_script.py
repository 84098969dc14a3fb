"""Words in every script: each piece of text says for itself in which direction it is read, and where no spaces part the words,
characters are counted."""

from __future__ import annotations

import re

import pytest

from components.html import document, markup
from components.html.markup import PromptStretch
from components.html.words import wording
from components.player import frames
from readers.engine.text.document import Document, Span
from readers.engine.text.words import has_no_spaces

ARABIC = "أخفى الحارس دفتر الميناء في البرج."
HEBREW = "השומר החביא את יומן הנמל במגדל."
JAPANESE = "灯台守は港の帳簿を塔に隠した。"
THAI = "ผู้ดูแลซ่อนสมุดบัญชีท่าเรือไว้ในหอคอย"
MIXED = "השומר said: “the ledger”, 灯台"
every_script = pytest.mark.parametrize("words", [ARABIC, HEBREW, JAPANESE, THAI, MIXED])


@every_script
def test_texts_questions_and_answers_say_their_direction_themselves(words: str) -> None:
    drawn = [
        markup.question(words),
        markup.heading(words, ["MemAgent"], []),
        markup.answer(words, "a model", ""),
        markup.compared_answer(words, "a model", ""),
        markup.listed_reading(words, words, [], []),
        markup.known(words),
        markup.reply(words, "a model"),
        markup.thoughts(words, "a model"),
        markup.to_send(words, ""),
        markup.prompt([PromptStretch(words, "document", "the text")]),
        markup.asked(words, "a text", words, [(words, True)]),
        document.passages(words, [Span(0, len(words))], []),
    ]
    for html in map(str, drawn):
        around = re.findall(r"<([^<>]*)>(?:<b>\(A\)</b> |<span aria-hidden=\"true\">◆</span> )?" + re.escape(words), html)
        assert around, html
        assert all('dir="auto"' in tag for tag in around), html


@pytest.mark.parametrize(
    ("words", "counted"),
    [(JAPANESE, f"{len(JAPANESE)} characters"), (THAI, f"{len(THAI)} characters"), (ARABIC, "6 words"), (HEBREW, "6 words")],
)
def test_characters_are_counted_where_no_spaces_part_the_words(words: str, counted: str) -> None:
    assert wording.size(Document.of(words)) == counted
    assert has_no_spaces(words) == counted.endswith("characters")


def test_a_place_is_told_in_characters_where_no_spaces_part_the_words() -> None:
    assert not has_no_spaces("")
    text = JAPANESE * 3
    assert frames.place_range(Document.of(text), [Span(15, 30)], {15: 1, 30: 1}) == "characters 16 to 30"
    assert frames.place_range(Document.of(ARABIC), [Span(0, 12)], {0: 0, 12: 2}) == "words 1 to 2"
