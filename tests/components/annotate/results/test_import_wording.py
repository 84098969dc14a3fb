"""What is said of a file of labels before it is taken in: all that will not come in, and why."""

from __future__ import annotations

import json

import pytest

from components.annotate.results.import_wording import left_out
from readers.engine.files.export_labels import as_jsonl, gathered
from readers.engine.files.import_labels import LabelImport, Skipped
from readers.engine.labels.project import HOST
from readers.engine.store import Store
from tests.support import labelled_projects
from tests.support.app_pages import html, words
from tests.support.labelled_projects import code, done, keep

EVIL = "<img src=x onerror=alert(1)>"


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (Skipped(lead=2), "2 labels of who leads the project are not taken in: with them the lead would be an annotator"),
        (Skipped(elsewhere=1), "1 label is not taken in: on readings that are not yours to label"),
        (Skipped(turns=3), "Which readings are finished is not taken in from your file: finish them on the bench."),
        (Skipped(standing=1), "1 turn stands otherwise here (done in the file and open here, say) and is not changed"),
        (Skipped(codebooks=1), "1 version of a codebook of the file is not taken in: those of this project stand."),
        (Skipped(codebooks=2, decisions=1), "2 versions of a codebook and 1 decision of the file are not taken in"),
    ],
)
def test_each_thing_that_is_left_out_has_its_sentence(left: Skipped, said: str) -> None:
    (sentence,) = left_out(LabelImport(1, 0, (), skipped=left))
    assert said in sentence


def test_codes_that_are_not_here_are_named_and_many_of_them_counted() -> None:
    (sentence,) = left_out(LabelImport(1, 0, (), unknown=("Q1", "Q2")))
    assert sentence.endswith("these codes, and they come in as they are: Q1, Q2.")
    (sentence,) = left_out(LabelImport(1, 0, (), unknown=tuple(f"Q{n}" for n in range(60))))
    assert sentence.endswith(" and 10 more.")
    assert left_out(LabelImport(1, 2, ())) == []


def test_the_preview_tells_all_of_it_before_anything_is_taken_in(store: Store) -> None:
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
    told = html(app) + words(app)
    assert "1 label would be added; 1 are here already; 0 say something else" in told
    for said in ("1 label of who leads the project", "1 turn stands otherwise here", "1 version of a codebook of the file"):
        assert said in told
    assert "they come in as they are: &lt;img src=x" in told
    assert EVIL not in told
    assert len(store.labels.in_project(where.id, HOST)) == 1
    next(button for button in app.button if button.label == "Take in 1 label").click().run()
    assert len(store.labels.in_project(where.id, HOST)) == 2
    assert [one.name for one in store.projects.annotators(where.id)] == ["Ada"]
