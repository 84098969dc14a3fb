"""The figures of agreement as tables: reasons, shared notes, one axis; what a page and a terminal show of them."""

from __future__ import annotations

import re

from components.html import terms
from readers.engine.labels import agreement_tables
from readers.engine.report import files, html
from readers.engine.statistics.agreement import Coefficient


def shown(**groups: tuple[Coefficient, ...]) -> str:
    return str(html.table(agreement_tables.table(groups), explain=terms.with_meaning))


def test_an_undefined_figure_says_why_and_zero_has_no_sign() -> None:
    figures = (
        Coefficient("Cohen's kappa", None, readings=2, why="there is no variation"),
        Coefficient("x", -0.001, -0.2, 0.1, 9, 8, 7),
    )
    table = agreement_tables.table({"path": figures})
    assert [(row.name, *(str(cell.content) for cell in row.cells)) for row in table.rows] == [
        ("Path",),
        ("Cohen’s kappa", "undefined", "2", "0", "0", "There is no variation."),
        ("x", "0.00", "9", "8", "7", ""),
    ]
    assert table.rows[2].cells[0].small == ["−0.20 to 0.10"]
    assert table.rows[2].cells[0].data["pairs"] == 7
    assert 'title="Agreement beyond chance: 1 is full agreement' in shown(path=figures)
    assert list(files.lines(table))[1:4] == ["[Path] One value for each reading.", "", "Cohen’s kappa"]


def test_what_nobody_labelled_stands_last_in_one_row() -> None:
    nothing = tuple(Coefficient(name, None, why="nobody labelled it") for name in ("alpha", "kappa", "pairs"))
    known = (Coefficient("alpha", 0.5, readings=9),)
    names = [row.name for row in agreement_tables.table({"fate": nothing, "path": known}).rows]
    assert names == ["Path", "alpha", "Fate of the fact", "alpha, kappa, pairs"]
    differently = (*nothing, Coefficient("w", None, why="there is no variation"))
    assert len(agreement_tables.table({"fate": differently}).rows) == 1 + 4


def test_a_note_on_many_figures_is_given_once_below_them() -> None:
    few, own = "there are only 2 readings", "the scale is nominal"
    many = [Coefficient(f"f{n}", 0.5, readings=2, note=few) for n in range(agreement_tables.REPEATED - 1)]
    undefined = Coefficient("u", None, why="nobody labelled it")
    table = agreement_tables.table({"path": (*many, Coefficient("g", 0.1, note=f"{own}; {few}"), undefined)})
    assert table.notes == ["Note 1: There are only 2 readings."]
    notes = [str(row.cells[-1].content) for row in table.rows[1:]]
    assert notes == [*["Note 1."] * len(many), "The scale is nominal. Note 1.", "Nobody labelled it."]
    assert agreement_tables.table({"path": tuple(many[1:])}).notes == []


def test_single_codes_have_their_alpha_and_prevalence_the_most_frequent_first() -> None:
    steps = {"N1": (Coefficient("a", 0.25), 0.1), "N2": (Coefficient("a", None, why="why"), 0.8)}
    readings = {"N1": (Coefficient("a", 0.5), 0.2), "N2": (Coefficient("a", 0.75, note="few"), 0.9)}
    table = agreement_tables.codes_table(steps, readings, str.lower)
    assert [(row.name, *(str(cell.content) for cell in row.cells)) for row in table.rows] == [
        ("n2", "undefined", "80%", "0.75", "90%", "Why. Few."), ("n1", "0.25", "10%", "0.50", "20%", ""),
    ]  # fmt: skip
    rows = files.rows_of([table])
    assert [(row["question"], row["code"], row["prevalence"]) for row in rows][1:3] == [
        ("reading", "N2", 0.9),
        ("step", "N1", 0.1),
    ]


def test_all_figures_of_a_table_are_drawn_on_one_axis_below_zero_if_one_is_negative() -> None:
    def drawn(*given: tuple[float, float, float]) -> list[tuple[str, ...]]:
        figures = tuple(Coefficient("alpha", value, low, high, readings=30) for value, low, high in given)
        return re.findall(r"<(\w) class=\"at-(\d+)(?: up-to-(\d+))?", shown(step=figures))

    assert drawn((0.25, 0.0, 0.5)) == [("i", "0", "50"), ("b", "25", "")]
    negative = [("s", "37", ""), ("i", "0", "62"), ("b", "25", "")]
    assert drawn((-0.2, -0.6, 0.4), (1.0, 0.2, 1.0)) == [*negative, ("s", "37", ""), ("i", "50", "100"), ("b", "100", "")]
