"""What a project says for a paper: the methods in a paragraph, readers in pairs by people's outcome, and tidy rows."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from math import comb

import krippendorff
import numpy as np
import pytest

from components.annotate.cache import kind_title
from components.html.words.reading_words import title_of
from readers.engine.analysis import label_report, label_results, visible_labels
from readers.engine.analysis.visible_labels import VisibleLabels, load
from readers.engine.labels import codebook
from readers.engine.labels.label import OUTCOMES, Decision, Label
from readers.engine.labels.project import HOST
from readers.engine.report import files
from readers.engine.report.values import Report
from readers.engine.store import Store
from tests.support import labelled_projects


def of_field(labels: Iterable[Label], name: str, annotator: str) -> list[Label]:
    return [one for one in labels if one.annotator == annotator and one.target.get("field") == name]


def results(store: Store, visible: VisibleLabels) -> Report:
    about = visible_labels.about_readings(store, visible)
    codes = label_results.results(visible, about, "any", reader_title=title_of, kind_title=kind_title)
    found = label_results.found(visible, about, {}, reader_title=title_of)
    by = "both" if "both" in found.groupings else "reader"
    return label_report.results_report(visible, codes, found, by=by, titles=(title_of, kind_title))


def test_the_methods_are_written_from_the_protocol_the_labels_and_the_decisions(store: Store) -> None:
    drawn = "12 of 105 readings: any readings; drawn at random, as many of each reader, under seed 3"
    where = labelled_projects.project(store, 12, sample=drawn)
    labelled_projects.label_all(store, where)
    runs = store.projects.readings(where.id)
    store.turns.reopen(where.id, runs[0], "Ben")
    store.turns.finish(where.id, runs[0], "Ben")
    store.decisions.decide(Decision(where.id, runs[0], {"field": "outcome"}, {"value": "wrong"}, "So.", "Lea"), 0)
    visible = load(store, where, HOST)
    said = label_report.agreement_report(visible, visible_labels.about_readings(store, visible))
    before, _, figures = said.methods.partition(" Krippendorff's alpha was ")
    assert before == (
        "We labelled 12 of 12 readings (3 readers, 2 models, 12 questions and 1 text). The project's readings were drawn from "
        f"more ({drawn}). 2 annotators took part: 12 readings were labelled by 2 of them; each had the readings in an "
        "order of their own (seed 7), and they saw the labels of others on a reading only after finishing it themselves, except "
        f"in 1 of 24 assignments. They used a codebook of {len(codebook.preset().in_use)} codes, from the start."
    )
    given = [[one.value["value"] for one in of_field(visible.labels, "outcome", name)] for name in ("Ada", "Ben")]
    alpha = krippendorff.alpha(np.array(given), level_of_measurement="nominal", value_domain=list(OUTCOMES))
    assert re.match(rf"{alpha:.2f} \(95 % interval −?0\.\d\d to 0\.\d\d, n = 12\) for the outcome, ", figures)
    assert re.findall(r"for (?!the other)(the [\w ]+?)(?= \(|,| and |;)", figures) == [
        "the outcome", "the support", "the path", "the fate of the fact", "the decisive step", "the codes of a reading",
        "the codes within a step",
    ]  # fmt: skip
    assert figures.endswith(
        "; intervals keep the labels of a reading together. Of 20 disagreements, 1 was decided by 1 person. Labels were made and "
        "analysed with Palimpsest 0.1.0."
    )
    assert (said.about["drawn"], said.about["seed"], said.about["assignments_not_blind"]) == (drawn, 7, 1)


def test_a_codebook_with_broader_codes_that_grew_is_told(store: Store) -> None:
    where = labelled_projects.labelled(store, 6)
    book = codebook.from_json(1, store.codebooks.versions(where.id, HOST)[0].codes).redefine("N1", {"parent": "N2"}, why="x")
    store.codebooks.add(where.id, book, HOST)
    store.codebooks.add(where.id, book.redefine("N1", {"definition": "Another thing."}, why="y"), HOST)
    words = label_report.methods(load(store, where, HOST))
    assert ", 1 of them broader, from the start. It reached version 3 while labelling. " in words
    assert "made under an older definition count unchanged." in words


def test_readers_are_compared_by_the_outcomes_that_people_found_with_a_p_value_in_every_form(store: Store) -> None:
    """Two readers with one model on the same six questions, of which one cannot be judged."""
    where = labelled_projects.project(store, 12, names=("Ada",))
    runs = store.projects.readings(where.id)
    for number, run in enumerate(runs):  # readings of six questions by each of the two
        store.connection.execute(
            "UPDATE runs SET reader = ?, question = ?, spec = json_set(spec, '$.model', 'gpt-4o-mini') WHERE id = ?",
            (("memagent", "readagent")[number % 2], f"Question {number // 2}?", run),
        )
    right = {runs[n] for n in (0, 2, 4, 6, 9)}  # the first reader alone is right on four questions, the second alone on one
    values = {run: "correct" if run in right else "wrong" for run in runs} | {runs[-1]: "not_judgeable"}
    outcomes = [labelled_projects.field(where, run, "Ada", "outcome", value) for run, value in values.items()]
    labelled_projects.keep(store, where, outcomes, [labelled_projects.done(where, run, "Ada") for run in runs])
    said = results(store, load(store, where, HOST))
    (row,) = [one for one in files.rows_of(said.tables) if "p" in one]
    p = 2 * sum(comb(5, k) for k in range(2)) / 2**5
    assert (row["only_first"], row["only_second"], row["questions"]) == (4, 1, 5)
    assert row["p"] == row["p_corrected"] == pytest.approx(p)
    for form in ("csv", "json", "tex", "html"):
        written = files.written(said, form)  # type: ignore[arg-type]
        assert f"{p:.3f}" in written, form
        assert "McNemar" in written, form
        assert "Wilson" in written, form


def test_rows_of_counts_have_reader_and_model_in_columns_of_their_own_and_add_up(store: Store) -> None:
    where = labelled_projects.labelled(store, 12)
    said = results(store, load(store, where, HOST))
    rows = list(csv.DictReader(io.StringIO(files.written(said, "csv"))))
    paths = [row for row in rows if row["table"] == "Path"]
    assert {(row["reader"], row["model"]) for row in paths if row["by"]} == {
        (reader, model) for reader in labelled_projects.READERS for model in ("offline/extractive", "gpt-4o-mini")
    }
    every = {row["key"]: int(row["count"]) for row in paths if not row["by"]}
    assert sum(every.values()) == 12
    for value, count in every.items():
        assert sum(int(row["count"]) for row in paths if row["by"] and row["key"] == value) == count
    assert {row["key"] for row in rows if row["table"] == "Outcome"} <= set(OUTCOMES)
    assert {row["codebook_version"] for row in rows} == {"1"}
    assert {row["by"] for row in rows if row["table"].startswith("Codes by")} == {"", "reader", "model", "both", "kind"}
