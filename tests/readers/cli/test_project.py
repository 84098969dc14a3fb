"""`python -m readers project`: the tables of Agreement and Results, printed and saved."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from readers.cli import main
from readers.engine.store import Store
from tests.support import labelled_projects

Printed = pytest.CaptureFixture[str]


@pytest.fixture
def where(store: Store) -> str:
    return labelled_projects.labelled(store, 6).id


def test_agreement_is_printed_and_saved_with_its_intervals(where: str, tmp_path: Path, capsys: Printed) -> None:
    out, page = tmp_path / "a.csv", tmp_path / "a.html"
    assert main(["project", "agreement", "Lamps", "--save", str(out), "--save", str(page)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Lamps: 6 of 6 readings, finished by 2 annotators\n\n# Figures of agreement\n")
    assert "[Path] One value for each reading.\n\npercent agreement\n  Value          1.00  0.61 to 1.00\n" in printed
    rows = {(row["question"], row["figure"]): row for row in csv.DictReader(out.read_text(encoding="utf-8").splitlines())}
    assert rows["path", "percent agreement"]["value"] == "1"
    assert rows["outcome", "Cohen's kappa"]["pairs"] == "6"
    assert "<h1>Lamps</h1>" in page.read_text(encoding="utf-8")


def test_results_are_printed_by_reader_or_model_under_a_rule(where: str, tmp_path: Path, capsys: Printed) -> None:
    out, tex = tmp_path / "r.json", tmp_path / "r.tex"
    asks = ["--by", "model", "--count", "all", "--save", str(out), "--save", str(tex)]
    assert main(["project", "results", where, *asks]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"# Path\n\nDirect\n  All +2 of 6  33% \(10% to 70%\)\n", printed)
    assert "# Codes by kind of step" in printed
    assert "A code of a step is counted if it was given by all annotators." in printed
    rows = json.loads(out.read_text(encoding="utf-8"))["rows"]
    assert {(row["row"], row["of"]) for row in rows if row["table"] == "Path" and row["column"] == "All"} >= {("Direct", 6)}
    assert tex.read_text(encoding="utf-8").count(r"\begin{tabular}") > 5
    assert main(["project"]) == 0
    assert capsys.readouterr().out == f"{where}  Lamps  6 readings, 2 annotators\n"


@pytest.mark.parametrize("asks", [["agreement", "nowhere"], ["results", "Lamps"], ["agreement", "Lamps", "--save", "a.docx"]])
def test_what_cannot_be_told_is_refused_in_words(store: Store, asks: list[str], capsys: Printed) -> None:
    labelled_projects.project(store, 1)
    assert main(["project", *asks]) != 0
    assert capsys.readouterr().err.strip()
