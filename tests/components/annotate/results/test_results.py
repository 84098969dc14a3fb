"""Results on the Annotate page: the engine's counts, each cell with its readings, import and export, and blindness."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest

from components.annotate.results import html as results_html
from components.annotate.results import import_wording, label_files, table_component, tables
from components.annotate.results.tables import ALL, ANNOTATORS, READERS, TOGETHER, TURNING, Grid, GridCell, Results, Rule, results
from readers.engine.analysis import visible_labels
from readers.engine.analysis.visible_labels import VisibleLabels, load
from readers.engine.canonical import canonical
from readers.engine.files.labels.export_labels import as_jsonl, code_names, gathered
from readers.engine.files.labels.import_labels import import_labels
from readers.engine.files.labels.read_labels import read_label_file
from readers.engine.labels import codebook, counts, saturation
from readers.engine.labels.codes import Code
from readers.engine.labels.counts import BEGINNING, CodesByStep, LabelledRun
from readers.engine.labels.label import Decision
from readers.engine.labels.project import HOST, Project
from readers.engine.store import Store
from tests.support import labelled_projects
from tests.support.app_pages import html, links
from tests.support.labelled_projects import code, done, field, keep
from tests.support.labels import HOSTILE

Made = tuple[Store, Project, tuple[str, ...]]


def about(store: Store, visible: VisibleLabels) -> list[LabelledRun]:
    return visible_labels.about_readings(
        visible.runs.values(), lambda run: visible_labels.step_kinds(store.runs.tape(run.id).events())
    )


def seen_by(store: Store, project: Project, name: str) -> VisibleLabels:
    return load(store, project, store.projects.viewer(project.id, name))


def found(store: Store, project: Project, rule: Rule = "any") -> Results:
    visible = seen_by(store, project, "Lea")
    return results(visible, about(store, visible), rule)


@pytest.fixture
def lamps(store: Store) -> Made:
    """Six readings by three readers; Ada finished all, Ben four. Ben gives N2 where Ada gives N1 on the first two."""
    where = labelled_projects.project(store, 6, names=("Ada", "Ben", "Cai"))
    runs = store.projects.readings(where.id)
    labels, turns = [], []
    for number, run in enumerate(runs):
        for name in ("Ada", "Ben")[: 2 if number < 4 else 1]:
            given = "N2" if number < 2 and name == "Ben" else "N1"
            labels += [code(where, run, name, 4, code=given), code(where, run, name, 1 + number, code="B2")]
            turns.append(done(where, run, name, minute=5 + number, ms=60_000 * (1 + number)))
    keep(store, where, labels, turns)
    return store, where, runs


# --- what is counted ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["any", "most", "all"])
def test_every_cell_is_the_engines_with_its_interval_and_readings(lamps: Made, rule: Any) -> None:
    store, where, _ = lamps
    visible = seen_by(store, where, "Lea")
    counted = CodesByStep(visible.labels, about(store, visible), done=visible.done, rule=rule)
    grids = found(store, where, rule).grids
    counted_tables = {
        "reader": counts.by_reader(counted), "model": counts.by_model(counted), "kind": counts.by_kind(counted),
        TURNING: counts.turning_points(counted),
    }  # fmt: skip
    for grid_id, table in counted_tables.items():
        shown = {key: cell for key, cell in grids[grid_id].cells.items() if key[1] != ALL}
        assert shown.keys() == table.cells.keys()
        for key, cell in table.cells.items():
            assert shown[key].text == f"{cell.count:,} of {cell.of:,}"
            assert shown[key].runs == cell.runs
            assert f"({cell.low:.0%} to {cell.high:.0%})" in shown[key].small
            assert shown[key].bar == (cell.share, cell.low, cell.high)
    every = counts.by_code(counted)
    assert {row: grids["reader"].cells[row, ALL].runs for row in every.rows} == {
        row: every.at(row, "all readings").runs for row in every.rows
    }
    pairs = counts.together(counted)
    assert [grids[TOGETHER].cells[f"{n}", "both"].runs for n in range(len(pairs))] == [pair.runs for pair in pairs]
    assert [grids[TOGETHER].cells[f"{n}", "either"].runs for n in range(len(pairs))] == [pair.either_runs for pair in pairs]
    assert len(pairs) >= 1


def test_the_rule_decides_which_codes_count(lamps: Made) -> None:
    store, where, runs = lamps
    assert {row for row, _ in found(store, where, "any").grids["reader"].rows} == {"N1", "N2", "B2"}
    assert {row for row, _ in found(store, where, "all").grids["reader"].rows} == {"N1", "B2"}
    store.decisions.decide(Decision(where.id, runs[0], {"step": 4}, {"codes": ["N2", "R1"]}, "So.", "Lea"), 0)
    decided = found(store, where, "decided")
    assert {row for row, _ in decided.grids["reader"].rows} == {"N1", "N2", "B2", "R1"}
    assert decided.grids["reader"].cells["N2", ALL].runs == (runs[0],)
    assert decided.undecided == 1
    assert {row for row, _ in found(store, where, "any").grids["reader"].rows} == {"N1", "N2", "B2"}


def test_a_broader_code_counts_what_stands_under_it_and_says_so(lamps: Made) -> None:
    store, where, runs = lamps
    before = found(store, where).grids["reader"]
    assert before.cells["N2", ALL].runs == runs[:2]
    book = codebook.from_json(1, store.codebooks.versions(where.id, HOST)[0].codes).redefine("N1", {"parent": "N2"}, why="x")
    codes, change = codebook.to_json(book)
    store.codebooks.add(where.id, codes, change=change, viewer=HOST, expected=1)
    after = found(store, where)
    grid = after.grids["reader"]
    assert dict(grid.rows)["N2"] == f"{book.get('N2').called}, with 1 under it"
    assert set(grid.cells["N2", ALL].runs) == set(runs)
    assert grid.cells["N1", ALL] == before.cells["N1", ALL]
    assert tables.first_steps(seen_by(store, where, "Lea"), ["reader", "N2", ALL])[runs[5]] == 4
    assert ("N1", "N2") in {(pair.one, pair.other) for pair in after.pairs}, "pairs are of the codes as they were given"
    assert "counts theirs, too" in html(labelled_projects.page(where, "Lea", "results"))
    export = gathered(store, where.id, HOST)
    assert code_names(export, "parent")[2, "N1"] == "N2"
    assert "code_parent" not in label_files.as_csv(export).splitlines()[0], "no label was made under version 2"
    later = replace(export, labels=tuple(replace(label, codebook=2) for label in export.labels))
    rows = csv.DictReader(io.StringIO(label_files.as_csv(later)))
    assert {(row["code"], row["code_parent"]) for row in rows} == {("N1", "N2"), ("N2", ""), ("B2", "")}


def test_turns_times_and_saturation(lamps: Made) -> None:
    store, where, runs = lamps
    made = found(store, where)
    turning = made.grids[TURNING]
    assert turning.cells[BEGINNING, "build"].runs == (runs[0],)
    assert dict(turning.rows)[BEGINNING] == "The beginning"
    assert ("walk", "Looking for the answer") in [(key, name) for key, name, _ in turning.columns]
    times = made.grids[ANNOTATORS]
    assert times.cells["Ada", "median"].text == "3 min 30 s"
    assert times.cells["Ben", "median"].text == "2 min 30 s"
    assert [times.cells["Ada", column].runs for column in ("count", "median", "half", "total")] == [runs[::-1]] * 4
    assert [name for _, name in made.grids[READERS].rows] == ["MemAgent", "MemWalker", "ReadAgent"]
    assert made.saturation == saturation.saturation([["N1", "N2", "B2"], *[["N1", "B2"]] * 5])._replace(
        which=made.saturation.which
    )


def test_the_codebook_and_the_results_count_saturation_alike(lamps: Made) -> None:
    """Ben's code on a span is counted, Cai's is not: she is not done."""
    store, where, runs = lamps
    target = {"on": "text", "number": None, "start": 0, "end": 3}
    for name, given, label_id in (("Ben", "R1", "e" * 32), ("Cai", "R2", "f" * 32)):
        span = replace(code(where, runs[1], name, 1), kind="span", target=target, value={"code": given, "note": ""})
        span = replace(span, id=label_id)
        keep(store, where, [span], [])
    new = found(store, where).saturation
    assert "R1" in new.which
    assert "R2" not in new.which
    book = html(labelled_projects.page(where, "Lea", "codebook"))
    assert new.sentence in book


# --- the page -------------------------------------------------------------------------------------------------------------


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
    grid = Grid("t", "about", "c", [("a", "A", "")], [("r", "R")], {("r", "a"): GridCell("1", runs=("x",))})
    assert table_component.pressed(grid, {"open": ["r", "a"]}) == ("t", "r", "a")
    for said in (None, {}, {"open": None}, {"open": ["r"]}, {"open": [1, 2]}, {"open": ["r", "<b>"]}, {"open": ["a", "r"]}, "x"):
        assert table_component.pressed(grid, said) == ()
    data = grid.data(("t", "r", "a"))
    assert (data["opened"], data["rows"][0]["cells"][0]["opens"]) == (["r", "a"], 1)
    assert grid.data(("other", "r", "a"))["opened"] is None


def test_the_chosen_rule_is_named_and_changes_what_is_counted(lamps: Made) -> None:
    _, where, _ = lamps
    app = labelled_projects.page(where, "Lea", "results", cell=canonical(["reader", "N2", ALL]))
    rule = next(box for box in app.selectbox if box.label.startswith("Count a code of a step"))
    assert rule.value == "any"
    rule.set_value("all").run()
    assert not app.exception
    assert "N2 Right option hidden · All" not in html(app)  # the cell is not there any more, and is not open


# --- blindness ------------------------------------------------------------------------------------------------------------


def test_an_annotator_counts_and_exports_only_what_they_may_see(lamps: Made) -> None:
    store, where, runs = lamps
    before = html(labelled_projects.page(where, "Cai", "results", cell=canonical(["reader", "N1", ALL])))
    assert "Nothing to count yet" in before
    assert "Ada" not in before
    keep(store, where, [field(where, runs[1], "Cai", "outcome", "wrong")], [done(where, runs[1], "Cai")])
    visible = seen_by(store, where, "Cai")
    made = results(visible, about(store, visible), "any")
    assert made.readings == 1
    assert {run for grid in made.grids.values() for cell in grid.cells.values() for run in cell.runs} == {runs[1]}
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
        "JSON lines", "CSV", "Label Studio JSON", "Label Studio setup",
    ]  # fmt: skip


# --- importing labels ------------------------------------------------------------------------------------------------------


def test_labels_that_differ_are_listed_and_nothing_is_overwritten(lamps: Made) -> None:
    store, where, _ = lamps
    mine = gathered(store, where.id, HOST)
    evil = "<img src=x onerror=alert(1)>"
    changed = [replace(label, value={**label.value, "note": evil}) if label.code == "B2" else label for label in mine.labels]
    new = code(where, mine.readings[0].id, "Ada", 9, code="R1")
    labels_file = read_label_file("labels.jsonl", as_jsonl(replace(mine, labels=(*changed, new))).encode())
    preview = import_labels(store, where.id, labels_file, viewer=HOST, dry=True)
    assert import_wording.summary(preview, dry=True) == "1 label would be added; 10 already here; 10 differ"
    runs = {run.id: run for run in store.run_list.runs([one.id for one in mine.readings])}
    rows = import_wording.conflict_rows(preview.clashes, runs)
    said = f"code B2, severity 2, note {evil}"
    here = "code B2, severity 2"
    assert ("Who put the lamp out on night 1?", "Ada", "Code, step 1", said, here) in rows
    shown = results_html.conflicts(rows, 3)
    assert "&lt;img src=x" in shown
    assert "<img" not in shown
    assert "And 3 more" in shown
    assert gathered(store, where.id, HOST).labels == mine.labels


def test_a_hidden_or_removed_label_is_reported_as_such(lamps: Made) -> None:
    store, where, runs = lamps
    offered = code(where, runs[0], "Ada", 4)
    kept = next(
        one for one in store.labels.in_project(where.id, HOST, run=runs[0], annotator="Ada") if one.target == offered.target
    )
    rows = import_wording.conflict_rows(
        [import_wording.Clash(offered, None), import_wording.Clash(offered, replace(kept, removed=True))], {}
    )
    assert [row[4] for row in rows] == [import_wording.HIDDEN, import_wording.REMOVED]
    assert rows[0][0] == runs[0]


# --- hostile words, and speed ---------------------------------------------------------------------------------------------


def test_hostile_codes_names_and_readings_are_data_and_nothing_else(store: Store) -> None:
    evil = "<img src=x onerror=alert(1)>"
    book = codebook.Codebook((Code("=1", evil), Code("<b>2", HOSTILE[0])))
    where = labelled_projects.project(store, 1, names=(evil,), codes=codebook.to_json(book)[0])
    (run,) = store.projects.readings(where.id)
    labels = [
        code(where, run, evil, 2, code="=1"),
        code(where, run, evil, 2, code="<b>2"),
        code(where, run, evil, 3, code="gone"),
    ]
    keep(store, where, labels, [done(where, run, evil)])
    grids = found(store, where).grids
    assert dict(grids["reader"].rows) == {"=1": f"=1 {evil}", "<b>2": f"<b>2 {HOSTILE[0]}", "gone": "gone"}
    assert grids[ANNOTATORS].rows == [(evil, evil)]
    shown = html(labelled_projects.page(where, "Lea", "results", cell=canonical(["reader", "=1", ALL])))
    assert "=1 &lt;img src=x" in shown
    assert "<img" not in shown
    assert "<script" not in shown
    export = gathered(store, where.id, HOST)
    assert list(csv.reader(io.StringIO(label_files.as_csv(export))))[1]


def test_the_tables_of_many_readings_count_them_all(store: Store) -> None:
    made = found(store, labelled_projects.labelled(store, 30))
    assert made.readings == 30
    assert tables.rule_of("x", any_decided=False) == "any"
