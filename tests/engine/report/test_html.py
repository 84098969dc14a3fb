"""No string reaches a page unescaped, wherever in a table it stands; marks are said in words, and open their page."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from readers.engine.report import files, html
from readers.engine.report.files import Report
from readers.engine.report.values import Cell, Column, Link, Row, Table

HOSTILE = "<img src=x onerror=alert(1)>'\"&amp;<script>"
ANY = st.text(st.sampled_from("<>&\"'/=x{}%s ") | st.characters(codec="utf-8"), max_size=12)


class Shown(HTMLParser):
    """The tags of a page with their attributes' names, and its words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, ...]] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, *(name for name, _ in attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


def filled(words: str) -> Table:
    """A table with these words wherever words may stand."""
    cells = [Cell(words, [words], Link("Trace", {"run": words}), mark="right"), Cell(words, [words])]
    return Table(words, [Column(words, words), Column(words)], [Row(words, cells, words)], [words], words)


@given(ANY.filter(str.strip))
def test_no_string_becomes_markup_anywhere_in_a_table(words: str) -> None:
    drawn, plain = (str(html.table(filled(one), address=lambda link: link.asks["run"])) for one in (words, "x"))
    assert Shown(drawn).tags == Shown(plain).tags


def test_a_file_of_a_hostile_table_has_the_tags_of_a_harmless_one() -> None:
    pages = [files.written(Report(one, [one], [filled(one)], [one]), "html") for one in (HOSTILE, "x")]
    drawn, plain = map(Shown, pages)
    assert drawn.tags == plain.tags
    assert HOSTILE in drawn.words


def test_a_mark_says_its_score_in_words_and_opens_its_reading() -> None:
    cells = [Cell("Tree: 50 %", link=Link("Trace", {"run": "r1"}), mark="partly"), Cell("Net: not read", mark="none")]
    found = Table("Questions", [Column("Tree"), Column("Net")], [Row("Who?", cells)])
    grid = str(html.table(found, address=lambda link: f"{link.page}?run={link.asks['run']}"))
    assert '<a href="Trace?run=r1" target="_self" title="Tree: 50 %"><i class="partly" aria-hidden="true">◐</i>' in grid
    assert [unescape(one) for one in re.findall(r'class="visually-hidden">([^<]*)<', grid)] == ["Tree: 50 %", "Net: not read"]
    assert grid.count("<a ") == 1
