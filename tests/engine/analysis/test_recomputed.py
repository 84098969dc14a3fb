"""Every figure of Agreement and Results as files is what other code computes from the exported labels."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping

import pytest

from components.annotate.cache import kind_title
from components.html.words.reading_words import title_of
from readers import get
from readers.engine.analysis import label_report, label_results, visible_labels
from readers.engine.files.labels.export_labels import as_jsonl, gathered
from readers.engine.labels.project import HOST, Project
from readers.engine.report import files
from readers.engine.report.values import Report
from readers.engine.store import Store
from tests.support import labelled_projects
from tests.support.recomputed import Exported, assert_agreement, assert_results


def rows(said: Report) -> list[Mapping[str, str]]:
    return list(csv.DictReader(io.StringIO(files.written(said, "csv"))))


@pytest.mark.parametrize("names", [("Ada", "Ben"), ("Ada", "Ben", "Cai")])
def test_files_hold_what_other_code_computes_from_the_labels(store: Store, names: tuple[str, ...]) -> None:
    where = labelled_projects.labelled(store, 12, names=names)
    of_agreement, of_results = recomputed(store, where)
    assert of_agreement >= 3 * 4 + 5 + 2 * (2 + 8) + 6
    assert of_results > 100


def recomputed(store: Store, where: Project) -> tuple[int, int]:
    """Compute each figure of a project's files again; how many there are of agreement and of results."""
    visible = visible_labels.load(store, where, HOST)
    about = visible_labels.about_readings(store, visible)
    lines = [json.loads(line) for line in as_jsonl(gathered(store, where.id, HOST, readers=get)).splitlines()]
    exported = Exported(lines, {one.run: one.kinds for one in about})
    told = [row for row in rows(label_report.agreement_report(visible, about)) if row["question"] != "span"]
    codes = label_results.results(visible, about, "any", reader_title=title_of, kind_title=kind_title)
    found = label_results.found(visible, about, {}, reader_title=title_of)
    written = []
    for by in ("reader", "model"):
        if by in found.groupings:
            written += rows(label_report.results_report(visible, codes, found, by=by, titles=(title_of, kind_title)))
    one_by_one = [row for row in written if row["table"] != "Codes by reader and model"]
    return assert_agreement(told, exported), assert_results(one_by_one, exported, kind_title)
