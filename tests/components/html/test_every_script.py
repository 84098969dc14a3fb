"""Words in every script: each piece of text says for itself in which direction it is read, and where no spaces part the words,
characters are counted."""

from __future__ import annotations

import re

import pytest

from components.compare import answers
from components.html import document, markup
from components.html.markup import PromptStretch
from components.html.words import wording
from components.player import frames
from components.read import html as read_html
from readers.engine.report import html as report_html
from readers.engine.report.values import Cell, Column, Row, Table
from readers.engine.text.document import Document, Span
from readers.engine.text.words import has_no_spaces

ARABIC = "أخفى الحارس دفتر الميناء في البرج."
HEBREW = "השומר החביא את יומן הנמל במגדל."
JAPANESE = "灯台守は港の帳簿を塔に隠した。"
THAI = "ผู้ดูแลซ่อนสมุดบัญชีท่าเรือไว้ในหอคอย"
MIXED = "השומר said: “the ledger”, 灯台"
# What stands between the element that says its direction and its words: a letter of a choice, a sign, an author.
BEFORE = r"(?:<b dir=\"ltr\">\(A\)</b> |<span (?:class=\"(?:sign|visually-hidden)\"|aria-hidden)[^>]*>[^<]*</span> ?)?"
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
        document.passages(f"# {words}\n\n- {words}\n\n{words} | {words}\n\n{words} | 1", [Span(0, 9 * len(words))], []),
        markup.section("", words),
        read_html.chosen(words),
        read_html.choices([words]),
        answers._answered(words, "a model"),
    ]
    for html in map(str, drawn):
        around = re.findall(rf"<([^<>]*)>{BEFORE}{re.escape(words)}", html)
        assert around, html
        assert all('dir="auto"' in tag for tag in around), html


@pytest.mark.parametrize("words", [ARABIC, HEBREW])
def test_words_that_are_read_from_the_right_do_not_turn_their_neighbours_around(words: str) -> None:
    beside = [
        markup.heading("Who?", [words, "2 readings"], []),
        markup.titled("", "MemAgent", [words, "2 calls"]),
        markup.listed_reading("", "", [words, "2 calls"], []),
        markup.facts([words, "2 calls"]),
    ]
    assert all(f"<bdi>{words}</bdi>" in html for html in beside)
    assert "<bdi>" not in markup.facts(["The ledger", "2 calls"])
    table = Table("Parts", [Column("begins")], [Row("1", [Cell(words)]), Row("2", [Cell("The ledger")])])
    assert re.findall(r'<td dir="auto">(.*?)</td>', report_html.table(table)) == [words]


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
