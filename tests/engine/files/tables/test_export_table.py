"""The table of scores as CSV, JSON, LaTeX and HTML: the same figures, and nothing in a name that would do something."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

from readers.engine.analysis.evaluate import ABOUT, Row, table
from readers.engine.files.tables.export_table import written
from readers.engine.questions.recipes import recipe
from readers.engine.questions.scores.score import Scored

NAMES = ("=Tree & Co_1", "<b>Pages</b>")
ROWS = [
    Row(
        name, f"t{n % 3}", f"q{n}", {"accuracy": Scored(float(n % 2), None if n == 0 else float(n % 2), ("it trips",) * (n == 0))}
    )
    for name in NAMES
    for n in range(4)
]
TABLE = table(ROWS)


def test_csv_and_json_hold_both_means_the_interval_and_the_traps() -> None:
    first, second = csv.DictReader(io.StringIO(written(TABLE, "csv", name="x")))
    assert (first["reader"], second["reader"]) == ("'=Tree & Co_1", "<b>Pages</b>")
    assert (first["score"], first["mean"], first["readings"], first["texts"]) == ("accuracy", "0.5", "4", "3")
    assert (first["published"], first["dropped"], first["traps"]) == ("0.666667", "1", "it trips: 1")
    data = json.loads(written(TABLE, "json", name="x", facts=["4 readings"]))
    assert data["facts"] == ["4 readings"]
    assert [row["reader"] for row in data["rows"]] == list(NAMES)
    assert data["rows"][0]["mean"] == 0.5
    assert data["rows"][0]["low"] is None


def test_every_form_says_what_the_interval_is_or_why_there_is_none() -> None:
    many = table([Row("Tree", f"t{n}", "q", {"accuracy": Scored(float(n < 3), float(n < 3))}) for n in range(12)])
    (row,) = csv.DictReader(io.StringIO(written(many, "csv", name="x")))
    assert (row["low"], row["high"], row["note"]) == ("0.0889417", "0.532305", "")
    assert row["interval"] == "Wilson, each of 12 texts counted once"
    few, *_ = csv.DictReader(io.StringIO(written(TABLE, "csv", name="x")))
    why = "no interval: there are fewer than 5 texts"
    assert (few["low"], few["high"], few["interval"], few["note"]) == ("", "", "", why)
    data = json.loads(written(TABLE, "json", name="x"))
    assert (data["intervals"], data["rows"][0]["note"]) == (f"{ABOUT} {why.capitalize()}.", why)
    page, tex = written(TABLE, "html", name="x"), written(TABLE, "tex", name="x")
    for form in (page, tex.replace(r"\%", "%")):
        assert f"{ABOUT} {why.capitalize()}." in form
    assert "% " not in tex.partition(r"\end{tabular}")[2].replace(r"\%", "")  # it is printed, and no comment


def test_latex_escapes_what_it_would_obey_and_html_too() -> None:
    tex = written(TABLE, "tex", name="50%\nof them")
    assert tex.startswith("% 50% of them: \n\\begin{tabular}{lr}")
    assert r"=Tree \& Co\_1 & 50.0 \\" in tex
    page = written(TABLE, "html", name="<script>", facts=["4 readings"])
    assert "<script>" not in page
    assert "&lt;b&gt;Pages&lt;/b&gt;" in page
    assert "<td>50.0<small>as published 66.7</small>" in page


def test_what_a_paper_prints_follows_marked_with_its_source() -> None:
    paper = replace(recipe("readagent-quality"), rows=(("Gists & <i>", (77.52, None, 1.0)),))
    *ours, printed, last = csv.DictReader(io.StringIO(written(TABLE, "csv", name="x", papers=[paper])))
    assert [(row["printed"], row["source"]) for row in ours] == [("", "")] * 2
    assert (printed["reader"], printed["score"], printed["mean"], printed["printed"]) == ("Gists & <i>", "Accuracy", "", "77.52")
    assert (last["score"], last["source"]) == ("Look-ups", paper.paper)
    (told,) = json.loads(written(TABLE, "json", name="x", papers=[paper]))["papers"]
    assert told["rows"] == [{"reader": "Gists & <i>", "printed": {"Accuracy": 77.52, "Compression rate": None, "Look-ups": 1.0}}]
    assert told["source"] == paper.paper
    tex = written(TABLE, "tex", name="x", papers=[paper])
    assert f"% Printed in {paper.paper}, not measured here." in tex
    assert r"\textit{Gists \& <i>} & 77.52 & -- & 1 \\" in tex
    page = written(TABLE, "html", name="x", papers=[paper])
    assert '<section class="printed"><h2>In the paper: ReadAgent: QuALITY</h2>' in page
    assert '<th scope="row">Gists &amp; &lt;i&gt;</th><td>77.52</td><td>–</td><td>1</td>' in page
