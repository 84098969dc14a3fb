"""No string reaches a page unescaped, wherever in a table it stands; marks are said in words, and open their page."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from readers.engine.report import files, html
from readers.engine.report.files import Report
from readers.engine.report.values import Cell, Column, Figure, Link, Row, Table

HOSTILE = "<img src=x onerror=alert(1)>'\"&amp;<script>"
ANY = st.text(st.sampled_from("<>&\"'/=x{}%s ") | st.characters(codec="utf-8"), max_size=12)


class Shown(HTMLParser):
    """The tags of a page with their attributes' names but for the direction, which depends on the words, and its words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, ...]] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, *(name for name, _ in attrs if name != "dir")))

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


def test_a_row_without_cells_heads_the_rows_after_it_and_a_meaning_is_explained() -> None:
    rows = [Row("Alone", [Cell("1")]), Row("Group", (), "of two"), Row("kappa", [Cell("2")], meaning="beyond chance")]
    drawn = str(html.table(Table("t", [Column("A")], rows), explain=lambda name, meaning: f"<i>{name}: {meaning}</i>"))
    assert drawn.count("<tbody>") == 2
    assert '<tr class="group"><th colspan="2" scope="rowgroup">Group <span>of two</span></th></tr>' in drawn
    assert '<th scope="row"><i>kappa: beyond chance</i></th>' in drawn
    assert '<th scope="row">kappa</th>' in str(html.table(Table("t", [Column("A")], rows)))


def test_figures_are_drawn_where_their_column_has_an_axis() -> None:
    figures = [Figure(0.5, 0.25, 0.75, "coefficient"), Figure(0.3, 0.1, 0.6, "part", 10), Figure(None)]
    heads = [Column(name, axis=axis) for name, axis in (("A", (0.0, 1.0)), ("B", (0.0, 1.0)), ("C", (0.0, 1.0)), ("D", None))]
    drawn = str(html.table(Table("t", heads, [Row("r", [*map(Cell, figures), Cell(figures[0])])])))
    cells = re.findall("<td>(.*?)</td>", drawn)
    assert '<i class="at-25 up-to-75"></i><b class="at-50"></b></span>0.50<small>0.25 to 0.75</small>' in cells[0]
    assert (
        '<span class="share" aria-hidden="true"><i class="up-to-30"></i></span>3 of 10<small>30% (10% to 60%)</small>' in cells[1]
    )
    assert cells[2:] == ["–", "0.50<small>0.25 to 0.75</small>"]


def test_no_table_has_a_style_of_its_own_so_that_a_page_may_forbid_them() -> None:
    figures = [Cell(Figure(0.5, 0.25, 0.75, "coefficient")), Cell(Figure(0.3, unit="part", of=10))]
    table = Table("t", [Column("A", axis=(-1.0, 1.0)), Column("B", axis=(0.0, 1.0))], [Row("r", figures)])
    for kind in ("scores", "versus", "agreement"):
        assert "style=" not in html.table(table, kind=kind)
    wide = Table("t", [Column(str(n)) for n in range(14)], [])
    assert 'class="versus of-10"' in html.table(wide, kind="versus")
