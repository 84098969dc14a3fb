"""The preview of a label import: what will not be imported and why, and what differs from the labels here."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from components.annotate import label_files
from components.annotate.label_files import left_out
from readers.engine.files.labels.export_labels import as_jsonl, gathered
from readers.engine.files.labels.import_labels import Clash, LabelImport, Skipped, import_labels
from readers.engine.files.labels.read_labels import read_label_file
from readers.engine.labels.project import HOST
from readers.engine.store import Store
from tests.support import labelled_projects
from tests.support.app_pages import html, words
from tests.support.labelled_projects import code, done, keep

EVIL = "<img src=x onerror=alert(1)>"


@pytest.mark.parametrize(
    ("skipped", "expected"),
    [
        (Skipped(lead=2), "2 labels by the project’s owner are not imported: they would make the owner an annotator"),
        (Skipped(elsewhere=1), "1 label is not imported: the readings are not yours to label"),
        (Skipped(turns=3), "Your file does not change which readings are finished: finish them at the bench."),
        (Skipped(standing=1), "1 assignment has another status here (open instead of done, for example) and is not changed"),
        (Skipped(codebooks=1), "1 version of a codebook of the file is not imported: this project keeps its own."),
        (Skipped(codebooks=2, decisions=1), "2 versions of a codebook and 1 decision of the file are not imported"),
    ],
)
def test_each_kind_of_skipped_item_has_a_sentence(skipped: Skipped, expected: str) -> None:
    (sentence,) = left_out(LabelImport(1, 0, (), skipped=skipped))
    assert expected in sentence


def test_unknown_codes_are_named_up_to_a_limit() -> None:
    (sentence,) = left_out(LabelImport(1, 0, (), unknown=("Q1", "Q2")))
    assert sentence.endswith("these codes; they are imported unchanged: Q1, Q2.")
    (sentence,) = left_out(LabelImport(1, 0, (), unknown=tuple(f"Q{n}" for n in range(60))))
    assert sentence.endswith(" and 10 more.")
    assert left_out(LabelImport(1, 2, ())) == []


def test_the_preview_shows_everything_before_the_import(store: Store) -> None:
    where = labelled_projects.project(store, 2, names=("Ada",))
    run = store.projects.readings(where.id)[0]
    keep(store, where, [code(where, run, "Ada", 2)], [done(where, run, "Ada", standing="open", closed="")])
    lines = [json.loads(line) for line in as_jsonl(gathered(store, where.id, HOST)).splitlines()]
    turn = next(line for line in lines if line.get("what") == "turn")
    turn |= {"standing": "done", "closed": turn["opened"]}
    label = next(line for line in lines if line.get("what") == "label")
    lines.append({**label, "id": "e" * 32, "value": {**label["value"], "code": EVIL}})
    lines.append({**label, "id": "f" * 32, "annotator": "lea"})
    app = labelled_projects.page(where, "Lea", "results")
    data = "\n".join(map(json.dumps, lines)).encode()
    app.file_uploader[0].set_value(("labels.jsonl", data, "application/x-ndjson")).run()
    assert not app.exception
    shown = html(app) + words(app)
    assert "1 label would be added; 1 already here; 0 differ" in shown
    for expected in (
        "1 label by the project’s owner",
        "1 assignment has another status here",
        "1 version of a codebook of the file",
    ):
        assert expected in shown
    assert "they are imported unchanged: &lt;img src=x" in shown
    assert EVIL not in shown
    assert len(store.labels.in_project(where.id, HOST)) == 1
    next(button for button in app.button if button.label == "Import 1 label").click().run()
    assert len(store.labels.in_project(where.id, HOST)) == 2
    assert [one.name for one in store.projects.annotators(where.id)] == ["Ada"]


def test_labels_that_differ_are_listed_and_nothing_is_overwritten(store: Store) -> None:
    where = labelled_projects.project(store, 2, names=("Ada",))
    runs = store.projects.readings(where.id)
    keep(store, where, [code(where, run, "Ada", 1, code="B2") for run in runs], [done(where, run, "Ada") for run in runs])
    mine = gathered(store, where.id, HOST)
    changed = [replace(label, value={**label.value, "note": EVIL}) if label.code == "B2" else label for label in mine.labels]
    new = code(where, mine.readings[0].id, "Ada", 9, code="R1")
    labels_file = read_label_file("labels.jsonl", as_jsonl(replace(mine, labels=(*changed, new))).encode())
    preview = import_labels(store, where.id, labels_file, viewer=HOST, dry=True)
    assert label_files.summary(preview, dry=True) == "1 label would be added; 0 already here; 2 differ"
    by_id = {run.id: run for run in store.run_list.runs(runs)}
    table = label_files.conflicts(preview.clashes, by_id)
    said, here = f"code B2, severity 2, note {EVIL}", "code B2, severity 2"
    first = min(table.rows, key=lambda row: row.name)
    assert (first.name, *(str(cell.content) for cell in first.cells)) == (
        "Who put the lamp out on night 1?", "Ada", "Code, step 1", said, here,
    )  # fmt: skip
    assert table.notes == []
    assert label_files.conflicts(preview.clashes * 30, by_id).notes == ["And 10 more."]
    assert gathered(store, where.id, HOST).labels == mine.labels


def test_a_hidden_or_removed_label_is_reported_as_such(store: Store) -> None:
    where = labelled_projects.project(store, 1, names=("Ada",))
    offered = code(where, store.projects.readings(where.id)[0], "Ada", 4)
    table = label_files.conflicts([Clash(offered, None), Clash(offered, replace(offered, removed=True))], {})
    assert [str(row.cells[-1].content) for row in table.rows] == [label_files.HIDDEN, label_files.REMOVED]
    assert table.rows[0].name == offered.run
