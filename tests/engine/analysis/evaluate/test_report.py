"""What is said of a batch, in words, tables and files: the same figures, and nothing in a name that would do something."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace

from readers.engine.analysis.evaluate import report
from readers.engine.analysis.evaluate.scores import Comparison, ScoredReading, Scores, scored_row, scores_of, with_figures
from readers.engine.analysis.facts.fates import SEVERAL
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.recipes import Recipe, recipe
from readers.engine.questions.scores import SCORES
from readers.engine.questions.scores.score import Scored
from readers.engine.report import files, html
from readers.engine.report.files import Form
from readers.engine.report.values import Cell, Figure, small_dollars
from readers.engine.statistics.intervals import ABOUT, MeanEstimate

NAMES = ("=Tree & Co_1", "<b>Pages</b>")
ROWS = [
    ScoredReading(
        name, f"t{n % 3}", f"q{n}", {"accuracy": Scored(float(n % 2), None if n == 0 else float(n % 2), ("it trips",) * (n == 0))}
    )
    for name in NAMES
    for n in range(4)
]
TABLE = scores_of(ROWS)


def written(scored: Scores, form: Form, *, name: str, facts: Sequence[str] = (), papers: Sequence[Recipe] = ()) -> str:
    return files.written(report.file_of(name, facts, scored, papers=papers), form)


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
    many = scores_of([ScoredReading("Tree", f"t{n}", "q", {"accuracy": Scored(float(n < 3), float(n < 3))}) for n in range(12)])
    (row,) = csv.DictReader(io.StringIO(written(many, "csv", name="x")))
    assert (row["low"], row["high"], row["note"]) == ("0.0889417", "0.532305", "")
    assert row["interval"] == "Wilson, each of 12 texts counted once"
    few, *_ = csv.DictReader(io.StringIO(written(TABLE, "csv", name="x")))
    why = "no interval: there are fewer than 5 texts"
    assert (few["low"], few["high"], few["interval"], few["note"]) == ("", "", "", why)
    data = json.loads(written(TABLE, "json", name="x"))
    assert (data["intervals"], data["rows"][0]["note"]) == (ABOUT, why)
    page, tex = written(TABLE, "html", name="x"), written(TABLE, "tex", name="x")
    for form in (page, tex.replace(r"\%", "%")):
        assert ABOUT in form
        assert f"{why.capitalize()}." in form
    assert "% " not in tex.partition(r"\end{tabular}")[2].replace(r"\%", "")  # it is printed, and no comment


def test_latex_escapes_what_it_would_obey_and_html_too() -> None:
    tex = written(TABLE, "tex", name="50%\nof them")
    assert tex.startswith("% 50% of them: \n% batch: 50% of them\n")
    assert "\\begin{tabular}{lr}\n\\toprule\n & Accuracy \\\\\n\\midrule\n" in tex
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
    assert r"\textit{Gists \& \textless{}i\textgreater{}} & 77.52 & -- & 1 \\" in tex
    page = written(TABLE, "html", name="x", papers=[paper])
    assert '<section class="printed"><h2>In the paper: ReadAgent: QuALITY</h2>' in page
    assert '<th scope="row">Gists &amp; &lt;i&gt;</th><td>77.52</td><td>–</td><td>1</td>' in page


def small(cell: Cell) -> list[str]:
    return [str(cell.content), *cell.small]


def test_pairs_claim_no_more_than_is_shown() -> None:
    ahead = Comparison("accuracy", "Tree", "Net", MeanEstimate(0.2, 0.1, 0.3), 9, 1, 0.02, 0.02)
    behind = Comparison("accuracy", "Tree", "Net", MeanEstimate(-0.2, -0.3, -0.1), 1, 9, 0.02, 0.02)
    chance = Comparison("accuracy", "Tree", "Net", MeanEstimate(0.2, -0.1, 0.3), 3, 1, 0.6, 1.0)
    assert report.pairs_sentence([ahead, chance]) == "Of 2 pairs 1 has a reader ahead: Tree is ahead of Net."
    assert report.pairs_sentence([behind]) == "Of 1 pair 1 has a reader ahead: Net is ahead of Tree."
    first, second = report.pairs([chance, ahead]).rows
    assert small(first.cells[0]) == ["+20.0", "+10.0 to +30.0"]
    assert [str(cell.content) for cell in first.cells[1:]] == ["9 and 1", "0.020", "0.020", "Tree is ahead"]
    assert small(second.cells[-1]) == ["open"]
    assert small(report.pairs([behind]).rows[0].cells[-1]) == ["Net is ahead"]
    assert str(Figure(0.0001, unit="probability")) == "under 0.001"
    assert [small_dollars(price) for price in (0, 1e-6, 0.0001)] == ["free", "under $0.0001", "$0.0001"]


def test_own_figures_are_in_their_units_with_their_papers_and_of_how_many_readings() -> None:
    taken = [{"stray": n % 2, "tokens_processed": 1200.0 + n} for n in range(6)]
    rows = [
        with_figures(ScoredReading("Tree", f"t{n}", "0"), one) for n, one in enumerate([*taken, {"tokens_processed": 1206.0}])
    ]
    found = report.own_figures(scores_of([*rows, with_figures(ScoredReading("Net", "t0", "0"), {})]))
    assert [column.name for column in found.columns] == ["Tree", "Net"]
    stray, tokens = found.rows
    assert (stray.name, stray.note) == ("Strayed (%)", "Chen et al. 2023, table 4: readings that turned back")
    assert [small(cell) for cell in stray.cells] == [["50.0", "18.8 to 81.2", "of 6 readings"], ["–"]]
    assert (tokens.name, small(tokens.cells[0])) == ("Tokens of all prompts", ["1,203", "1,201 to 1,205"])
    assert [*files.row_lines(found, stray)][1:] == ["  Tree       50.0  18.8 to 81.2   of 6 readings"]


def test_it_is_said_of_which_figures_intervals_are_missing_and_why() -> None:
    many = [with_figures(ScoredReading("Tree", f"t{n}", "0"), {"stray": n % 2, "calls": 4.0}) for n in range(6)]
    few = [with_figures(ScoredReading("Net", f"t{n}", "0"), {"stray": 1.0, "calls": 2.0 + n}) for n in range(3)]
    assert report.no_intervals(scores_of([*many, *few])) == [
        "No interval: the figure is the same without any of the texts, for “Calls” of Tree.",
        "No interval: there are fewer than 5 texts, for “Strayed (%)” of Net; “Calls” of Net.",
    ]
    assert report.no_intervals(scores_of(few)) == ["No interval: there are fewer than 5 texts."]


def test_a_file_has_each_figure_once_and_each_note_once() -> None:
    rows = [with_figures(one, {"stray": 1.0, "evidence_raw": 0.0}) for one in ROWS]
    measured = scores_of([replace(one, scores={name: one.scores[name] for name in ("stray", "evidence_raw")}) for one in rows])
    twice = replace(report.own_figures(measured, without=["evidence_raw"]), title="Elsewhere")
    made = report.file_of("x", [], TABLE, measured=measured, more=[twice])
    cells = [*csv.DictReader(io.StringIO(files.written(made, "csv")))]
    assert len({(one["reader"], one["score"]) for one in cells}) == len(cells)
    assert [bool(one["published"]) for one in cells] == [one["score"] == "accuracy" for one in cells]
    assert [bool(one["notes"]) for one in cells] == [number in (0, 2, 4) for number in range(len(cells))]
    assert sum(ABOUT in one["notes"] for one in cells) == 1
    assert SEVERAL in made.tables[1].notes


def test_a_score_that_does_not_apply_to_all_questions_says_to_how_many() -> None:
    rows = [
        ScoredReading("Tree", "t", f"q{n}", {"f1": Scored(1.0, 1.0), **({"accuracy": Scored(1.0, 1.0)} if n == 0 else {})})
        for n in range(2)
    ]
    said = report.scores(scores_of(rows), name="x", questions=2)
    assert [(column.name, column.note) for column in said.columns] == [("F1", ""), ("Accuracy", "1 of 2 questions")]
    assert '<th scope="col">Accuracy<small>1 of 2 questions</small></th>' in html.table(said)


def test_what_makes_published_scores_differ_is_said_once_for_all_scores() -> None:
    known = KnownAnswer("Who?", answers=("Zoë Orr",))
    wanted = [SCORES["rouge_1"], SCORES["rouge_l"]]
    rows = [scored_row(ScoredReading("r", f"text {n}", "q"), "Zo Orr", known, wanted) for n in range(2)]
    assert report.scores(scores_of(rows), name="x").notes[-1] == (
        "Letters other than a to z are dropped, and break a word in two: ROUGE-1 (2 readings), ROUGE-L (2 readings)."
    )
