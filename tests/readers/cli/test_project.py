"""`python -m readers project`: the tables of Agreement and Results, printed and saved."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from readers import get
from readers.cli import main
from readers.engine.models import catalogue
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, create_run, execute
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.engine.files.runs.import_run.conftest import spec_of, text
from tests.support import labelled_projects
from tests.support.models.scripted_models import Scripted

__all__ = ["text"]  # a fixture

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
    assert {(row["seed"], row["codebook_version"], row["annotators"]) for row in rows.values()} == {("7", "1", "2")}
    assert printed.rstrip().endswith("Labels were made and analysed with Palimpsest 0.1.0.")
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
    paths = [row for row in rows if row.get("table") == "Path"]
    assert {(row["value"], row["of"]) for row in paths if not row["by"]} >= {("Direct", 6)}
    assert {row["model"] for row in paths if row["by"]} == {"offline/extractive", "gpt-4o-mini"}
    assert tex.read_text(encoding="utf-8").count(r"\begin{tabular}") > 5
    assert main(["project"]) == 0
    assert capsys.readouterr().out == f"{where}  Lamps  6 readings, 2 annotators\n"


@pytest.mark.parametrize("asks", [["agreement", "nowhere"], ["results", "Lamps"], ["agreement", "Lamps", "--save", "a.docx"]])
def test_what_cannot_be_told_is_refused_in_words(store: Store, asks: list[str], capsys: Printed) -> None:
    labelled_projects.project(store, 1)
    assert main(["project", *asks]) != 0
    assert capsys.readouterr().err.strip()


def test_a_project_is_made_exported_imported_and_merged(
    store: Store, text: Document, tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = get("memagent")
    run = execute(store, create_run(store, text, reader, spec_of(reader)).id, reader, Execution(Offline()))
    made = ["project", "new", "Lamps", "--readings", run.id, "--owner", "Lea", "--share", "1", "--json"]
    assert main(made) == 0
    about = json.loads(capsys.readouterr().out)
    assert (about["name"], about["readings"]) == ("Lamps", 1)
    assert store.projects.get(about["id"]).settings.lead == "Lea"
    out = tmp_path / "lamps.zip"
    assert main(["project", "export", "Lamps", "-o", str(out)]) == 0
    assert capsys.readouterr().out.startswith(f"{out}: Lamps, 1 reading, ")
    monkeypatch.setenv("PALIMPSEST_HOME", str(tmp_path / "elsewhere"))
    for told in (
        "is new here: 1 reading imported, 0 already here.",
        "merged with the file: 0 readings imported, 1 already here.",
    ):
        assert main(["project", "import", str(out)]) == 0
        assert told in capsys.readouterr().out
    assert main(["project", "--json"]) == 0
    assert [one["id"] for one in json.loads(capsys.readouterr().out)] == [about["id"]]
    assert main(["project", "import", str(tmp_path / "none.zip")]) != 0
    assert main(["project", "new", "Empty"]) != 0


def test_agreement_is_printed_as_json(where: str, capsys: Printed) -> None:
    assert main(["project", "agreement", where, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["facts"] == ["6 of 6 readings", "finished by 2 annotators"]
    assert {row["figure"] for row in told["rows"] if row.get("question") == "outcome"} >= {"Cohen's kappa"}


def test_a_model_proposes_codes_where_the_project_allows_it(
    store: Store, text: Document, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = get("memagent")
    run = execute(store, create_run(store, text, reader, spec_of(reader)).id, reader, Execution(Offline())).id
    reply = json.dumps({"codes": [{"step": "1", "code": "N1", "words": "", "why": "It strayed."}]})
    monkeypatch.setattr(catalogue, "open_model", lambda *_, **__: Scripted([reply]))
    monkeypatch.setattr(catalogue, "window_for", lambda _: None)
    monkeypatch.setattr(catalogue, "room_factor_for", lambda _: 1)
    asks = ["project", "propose", "Open", "--model", "openai/coder"]
    for name, more in (("Open", ["--proposals"]), ("Closed", [])):
        assert main(["project", "new", name, "--readings", run, *more]) == 0
    capsys.readouterr()
    assert main(asks) == 0
    done = "model: openai/coder has proposed codes for {} further reading{}.\n"
    assert capsys.readouterr().out == f"{run}: 1 code and 0 spans proposed.\n" + done.format(1, "")
    assert main([*asks, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["readings"] == []
    assert main(["project", "propose", "Closed", "--model", "openai/coder"]) != 0
    assert "does not let a model propose codes" in capsys.readouterr().err
    assert main(["project"]) == 0
    assert capsys.readouterr().out.count("1 reading, 0 annotators\n") == 2
