"""Results on the Annotate page: each cell with its readings, pictures, blindness."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from components.annotate import figures, label_files, result_tables
from readers.engine.analysis.visible_labels import load
from readers.engine.canonical import canonical
from readers.engine.files.labels.export_labels import as_jsonl, gathered
from readers.engine.labels import codebook, saturation
from readers.engine.labels.counts import ALL
from readers.engine.labels.project import HOST, Project
from readers.engine.report.values import Cell, Column, Row, Table
from readers.engine.store import Store
from tests.support import labelled_projects
from tests.support.app_pages import html, links
from tests.support.labelled_projects import code, done, field, keep

Made = tuple[Store, Project, tuple[str, ...]]


@pytest.fixture
def lamps(store: Store) -> Made:
    return store, *labelled_projects.differing(store)


def test_the_page_shows_the_figures_and_a_cell_opens_its_readings(lamps: Made) -> None:
    _, where, runs = lamps
    app = labelled_projects.page(where, "Lea", "results", cell=canonical(["reader", "N2", ALL]))
    shown = html(app)
    assert "have been finished by 2 annotators" in shown
    assert "N2 Right option hidden · All" in shown
    assert "2 of 6, 33% (10% to 70%)" in shown
    assert [(label, asks) for label, asks in links(app) if "night" in label] == [
        (f"Who put the lamp out on night {n}?", f"run={runs[n - 1]}&at=4") for n in (1, 2)
    ]
    bench = f"project={where.id}&view=bench&run={runs[0]}"
    assert ("At the bench", bench) in links(
        labelled_projects.page(where, "Ada", "results", cell=canonical(["reader", "N2", ALL]))
    )
    next(button for button in app.button if button.label == "Close").click().run()
    assert not app.exception
    assert "cell" not in app.query_params
    assert not [label for label, _ in links(app) if "night" in label]


def test_invalid_addresses_open_nothing(lamps: Made) -> None:
    _, where, _ = lamps
    for cell in ("[", "[1]", '["reader","<b>","x"]', "[" * 5_000, '["nothing","N1","all readings"]', "null"):
        app = labelled_projects.page(where, "Lea", "results", cell=cell)
        assert not [label for label, _ in links(app) if "night" in label]


def test_a_pressed_cell_must_exist() -> None:
    table = Table("about", [Column("A", key="a")], [Row("R", [Cell("1", runs=("x",))], key="r")], key="t")
    assert result_tables.pressed(table, {"open": ["r", "a"]}) == ("t", "r", "a")
    for said in (None, {}, {"open": None}, {"open": ["r"]}, {"open": [1, 2]}, {"open": ["r", "<b>"]}, {"open": ["a", "r"]}, "x"):
        assert result_tables.pressed(table, said) == ()
    data = result_tables.table_data(table, ("t", "r", "a"))
    assert (data["opened"], data["rows"][0]["cells"][0]["opens"]) == (["r", "a"], 1)
    assert result_tables.table_data(table, ("other", "r", "a"))["opened"] is None


def test_the_chosen_rule_is_named_and_changes_what_is_counted(lamps: Made) -> None:
    _, where, _ = lamps
    app = labelled_projects.page(where, "Lea", "results", cell=canonical(["reader", "N2", ALL]))
    rule = next(box for box in app.selectbox if box.label.startswith("Count a code of a step"))
    assert rule.value == "any"
    rule.set_value("all").run()
    assert not app.exception
    assert "N2 Right option hidden · All" not in html(app)  # the cell is not there any more, and is not open


# --- blindness ------------------------------------------------------------------------------------------------------------


def test_an_annotator_exports_only_what_they_may_see(lamps: Made) -> None:
    store, where, runs = lamps
    before = html(labelled_projects.page(where, "Cai", "results", cell=canonical(["reader", "N1", ALL])))
    assert "Nothing to count yet" in before
    assert "Ada" not in before
    keep(store, where, [field(where, runs[1], "Cai", "outcome", "wrong")], [done(where, runs[1], "Cai")])
    viewer = store.projects.viewer(where.id, "Cai")
    saved = as_jsonl(gathered(store, where.id, label_files._now(store, where, viewer)))
    labels = [line for line in map(json.loads, saved.splitlines()) if line.get("what") == "label"]
    assert {label["run"] for label in labels} == {runs[1]}
    assert {label["annotator"] for label in labels} == {"Ada", "Ben", "Cai"}
    store.turns.reopen(where.id, runs[1], "Cai")  # after the page was drawn
    saved = as_jsonl(gathered(store, where.id, label_files._now(store, where, viewer)))
    assert [line["annotator"] for line in map(json.loads, saved.splitlines()) if line.get("what") == "label"] == ["Cai"]


def test_visitors_outside_the_project_export_nothing(lamps: Made) -> None:
    _, where, _ = lamps
    app = labelled_projects.page(where, "Nobody", "results")
    assert not app.get("download_button")
    assert not app.get("file_uploader")
    assert [button.proto.label for button in labelled_projects.page(where, "Lea", "results").get("download_button")] == [
        *("CSV", "JSON", "LaTeX", "HTML", "SVG", "PDF"), *("JSON lines", "CSV", "Label Studio JSON"), "Label Studio setup",
        "Whole project",
    ]  # fmt: skip


def test_the_codebook_and_the_results_count_saturation_alike(lamps: Made) -> None:
    """Ben's code on a span is counted, Cai's is not: she is not done."""
    store, where, runs = lamps
    target = {"on": "text", "number": None, "start": 0, "end": 3}
    for name, given, label_id in (("Ben", "R1", "e" * 32), ("Cai", "R2", "f" * 32)):
        span = replace(code(where, runs[1], name, 1), kind="span", target=target, value={"code": given, "note": ""})
        span = replace(span, id=label_id)
        keep(store, where, [span], [])
    visible = load(store, where, store.projects.viewer(where.id, "Lea"))
    new = saturation.saturation(saturation.codes_by_reading(visible.labels, visible.turns))
    assert "R1" in new.which
    assert "R2" not in new.which
    book = html(labelled_projects.page(where, "Lea", "codebook"))
    assert new.sentence() in book


def test_a_broader_code_is_explained(lamps: Made) -> None:
    store, where, _ = lamps
    book = codebook.from_json(1, store.codebooks.versions(where.id, HOST)[0].codes).redefine("N1", {"parent": "N2"}, why="x")
    store.codebooks.add(where.id, book, HOST)
    assert "also counts the codes under it" in html(labelled_projects.page(where, "Lea", "results"))


def test_results_begin_with_what_was_found_and_name_what_is_left_out(store: Store) -> None:
    where = labelled_projects.project(store, 2, names=("Ada",))
    runs = store.projects.readings(where.id)
    keep(store, where, [field(where, run, "Ada", "outcome", "wrong") for run in runs], [done(where, run, "Ada") for run in runs])
    drawn = labelled_projects.page(where, "Lea", "results")
    assert not drawn.exception
    shown = html(drawn)
    assert shown.index("What was found") < shown.index("Under this rule, no step")
    assert "What the rule says, compared with people" not in shown  # nobody knows the right answers
    assert [box.label for box in drawn.selectbox][1:3] == ["What was found", "By"]


def test_a_figure_has_its_numbers_and_takes_no_markup_from_names() -> None:
    link = '<a href="https://example.org">x</a>'
    figure: dict[str, Any] = figures.stacked([link, "b"], [(link, "lost", (2, 0)), ("Right", "raw", (1, 3))], "dark")
    assert "<" not in str(figure["data"]).replace("<extra></extra>", "")
    assert [bar["x"] for bar in figure["data"]] == [[2, 0], [1, 3]]
    assert figure["layout"]["legend"]["traceorder"] == "normal"
    assert figure["data"][1]["text"] == ["1 Right", "3 Right"]
    assert figure["layout"]["xaxis"]["dtick"] == 1  # no halves, which would be written as the same whole number twice
    many: dict[str, Any] = figures.stacked(["b"], [("Right", "raw", (900,))], "dark")
    assert "dtick" not in many["layout"]["xaxis"]
    share: dict[str, Any] = figures.shares([link, "b"], ["one", link], {(0, 0): 0.25, (1, 1): 1.0}, "light")
    assert share["data"][0]["text"] == [["25%", ""], ["", "100%"]]
    assert "<" not in str(share)
    square = figures.together([link, "b", "c"], {(0, 1): 3, (1, 2): 1}, "light")
    assert square["data"][0]["z"] == [[None, None, None], [3, None, None], [0, 1, None]]
    assert "<" not in str(square)
