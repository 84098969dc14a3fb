"""The forms of a report: each says how its figures came about, and figures are drawn where their numbers are."""

from __future__ import annotations

import csv
import io
import json
import re
from xml.etree import ElementTree

import pypdf
import pytest

from readers.engine.report import files
from readers.engine.report.files import Form
from readers.engine.report.values import Cell, Column, Figure, Report, Row, Table

TABLE = Table(
    "Shares & <more>",
    [Column("Alpha", axis=(-0.5, 1.0)), Column("p"), Column("Notes")],
    [
        Row("Outcome (α)", (), "One value."),
        Row("first_one", [
            Cell(Figure(0.25, -0.5, 1.0, "coefficient"), data={"figure": "first", "value": 0.25}),
            Cell(Figure(0.0004, unit="probability")), Cell("A note that is long enough to have lines of its own."),
        ], "of 9"),
    ],
    ["A caveat of the table."],
    head="Figure",
)  # fmt: skip
REPORT = Report(
    "Lamps", ["6 of 9 readings"], [TABLE], ["A caveat of all."], {"seed": 7, "protocol": "blind"}, "We labelled 6 of 9 readings."
)


@pytest.mark.parametrize("form", ["csv", "json", "tex", "html"])
def test_every_form_says_how_the_figures_came_about_and_what_limits_them(form: Form) -> None:
    text = files.written(REPORT, form)
    assert "A caveat of all." in text
    assert all(word in text for word in ("seed", "7", "protocol", "blind", "palimpsest", "0.1.0"))
    assert ("We labelled 6 of 9 readings." in text) == (form != "csv")
    assert "A caveat of the table." in text


def test_csv_has_the_same_columns_in_each_row_and_json_the_figures_as_they_are() -> None:
    (row,) = csv.DictReader(io.StringIO(files.written(REPORT, "csv")))
    assert row == {
        "figure": "first", "value": "0.25", "seed": "7", "protocol": "blind", "palimpsest": "0.1.0",
        "notes": "A caveat of all. A caveat of the table.",
    }  # fmt: skip
    data = json.loads(files.written(REPORT, "json"))
    assert data["about"] == {"seed": 7, "protocol": "blind", "palimpsest": "0.1.0"}
    assert (data["rows"], data["notes"]) == ([{"figure": "first", "value": 0.25}], ["A caveat of all.", "A caveat of the table."])


def test_latex_has_the_rules_of_booktabs_and_every_line_of_a_cell() -> None:
    lines = files.written(REPORT, "tex").splitlines()
    start = lines.index(r"\begin{tabular}{lrrp{0.3\textwidth}}")
    assert lines[start + 1 : lines.index(r"\bottomrule")] == [
        r"\toprule", r"Figure & Alpha & p & Notes \\", r"\midrule",
        r"\multicolumn{4}{l}{\textit{Outcome (α)} {\small One value.}} \\",
        r"first\_one & 0.25 & under 0.001 & A note that is long enough to have lines of its own. \\",
        r"{\small of 9} & {\small $-$0.50 to 1.00} &  &  \\",
    ]  # fmt: skip
    assert r"% \usepackage{booktabs}" in lines


def test_a_figure_stands_at_its_number_in_svg_and_pdf_and_words_are_only_words() -> None:
    svg = ElementTree.fromstring(files.written(REPORT, "svg"))
    space = "{http://www.w3.org/2000/svg}"
    words = [one.text for one in svg.iter(f"{space}text")]
    assert words[:4] == ["Shares & <more>", "Outcome (α)", "first_one", "Alpha"]
    (dot,) = svg.iter(f"{space}circle")
    reach = list(svg.iter(f"{space}line"))[-1]
    left, right = float(reach.get("x1", 0)), float(reach.get("x2", 0))
    assert float(dot.get("cx", 0)) == pytest.approx((left + right) / 2)  # the interval is the whole axis, the value its middle
    pdf = files.written(REPORT, "pdf")
    assert pdf.isascii()
    (page,) = pypdf.PdfReader(io.BytesIO(pdf.encode()), strict=True).pages
    assert page.extract_text().split("\n")[:3] == ["Shares & <more>", "Outcome (?)", "first_one"]
    at = re.search(r"w 1 J ([\d.]+) (-[\d.]+) m", pdf)
    assert at is not None
    assert (float(at[1]), -float(at[2])) == (float(dot.get("cx", 0)), float(dot.get("cy", 0)))


def test_a_report_without_intervals_is_an_empty_figure() -> None:
    bare = Report("x", [], [Table("x", [Column("y")], [Row("z", [Cell("words")])])])
    assert "<text" not in files.written(bare, "svg")
    assert pypdf.PdfReader(io.BytesIO(files.written(bare, "pdf").encode())).pages[0].extract_text() == ""


def drawn(table: Table) -> tuple[list[str], list[float], ElementTree.Element]:
    """The words of a figure of this table, the places of its dots across, and all of it."""
    svg = ElementTree.fromstring(files.written(Report("x", [], [table]), "svg"))
    space = "{http://www.w3.org/2000/svg}"
    return (
        [one.text or "" for one in svg.iter(f"{space}text")],
        [float(one.get("cx", 0)) for one in svg.iter(f"{space}circle")],
        svg,
    )


def test_the_axis_of_a_figure_reaches_as_far_as_its_figures() -> None:
    shares = [Figure(1.072, 0.927, 1.216), Figure(0.5, 0.4, 0.6)]
    table = Table("Walk", [Column("Tokens of the walk")], [Row(f"row {n}", [Cell(one)]) for n, one in enumerate(shares)])
    words, (over, half), svg = drawn(table)
    assert [one for one in words if one in ("0", "75", "150")] == ["0", "75", "150"]
    line = next(one for one in svg.iter() if one.get("stroke-width") == "1.6")
    left, right = float(line.get("x1", 0)), float(line.get("x2", 0))
    assert (over - half) / (right - left) == pytest.approx((1.072 - 0.5) / (1.216 - 0.927), abs=0.01)


def test_a_figure_has_every_interval_of_a_table_with_several_units_in_a_panel_for_each() -> None:
    table = Table(
        "Own figures",
        [Column("MemAgent"), Column("ReadAgent")],
        [
            Row("Tokens", [Cell(Figure(16_072, 12_618, 19_525, "tokens")), Cell(Figure(20_519, 18_001, 23_037, "tokens"))]),
            Row("Read", [Cell(Figure(1.0, 0.61, 1.0)), Cell(Figure(0.354))]),
        ],
    )
    words, dots, _ = drawn(table)
    assert words[:5] == ["Own figures", "MemAgent", "ReadAgent", "Tokens", "0"]
    assert [one for one in words if one in ("25,000", "100", "16,072", "35.4")] == ["25,000", "16,072", "100", "35.4"]
    assert len(dots) == 4


def test_a_figure_fits_a_sheet_of_paper_and_its_names_are_whole() -> None:
    name = "The share of the tokens of the walk, of all those that the text has (%)"
    cells = [Cell(Figure(0.5, 0.4, 0.6))] * 5
    words, dots, svg = drawn(Table("Wide", [Column(f"{name} {n}") for n in range(5)], [Row(f"{name} of a row", cells)]))
    assert float(svg.get("width", "").removesuffix("pt")) <= 595  # A4
    assert max(dots) < 595
    assert "…" not in "".join(words)
    assert f"{name} of a row" in " ".join(words)
