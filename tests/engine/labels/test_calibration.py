"""Calibration: a training round that everybody labels first, each annotator beside what is known, and agreement by round."""

from __future__ import annotations

from dataclasses import replace

import krippendorff
import numpy as np
import pytest

from readers.engine.analysis import label_report, visible_labels
from readers.engine.analysis.visible_labels import VisibleLabels, load
from readers.engine.labels import calibration, project
from readers.engine.labels.label import OUTCOMES, Decision
from readers.engine.labels.project import HOST, Settings, protocol, settings_json, settings_of
from readers.engine.report.files import rows_of
from readers.engine.store import Store
from tests.support import labelled_projects
from tests.support.labelled_projects import done, field, keep


def test_everybody_has_the_training_round_first_in_the_same_order() -> None:
    runs = tuple(f"r{number}" for number in range(40))
    settings = Settings(start_stage=3, share=0.2, training=3, seed=5)
    orders = {name: project.order(settings, name, runs) for name in ("Ada", "Ben")}
    assert {found[:3] for found in orders.values()} == {("r0", "r1", "r2")}
    assert orders["Ada"] != orders["Ben"]
    assert sorted(orders["Ada"]) == sorted(runs)
    plain = replace(settings, training=0)
    assert [run for run in project.order(plain, "Ada", runs) if run not in runs[:3]] == list(orders["Ada"][3:])
    room = project.quotas(settings, runs)
    assert [room[run] for run in runs[:3]] == [project.MOST_ANNOTATORS] * 3
    assert project.quotas(plain, runs) == {**room, **{run: project.quotas(plain, runs)[run] for run in runs[:3]}}
    assert settings_of(settings_json(settings)) == settings
    assert "training" not in settings_json(plain)
    assert "; the first 3 readings are a training round for all; " in protocol(settings, 40)


OWN = ["correct", "wrong", "wrong", "partly", "correct", "wrong", "partly", "correct", "wrong", "correct", "wrong", "partly"]


@pytest.fixture
def visible(store: Store) -> VisibleLabels:
    """Lea knows; Ada agrees on all but the second reading, Ben on all but each third one. One reading is decided otherwise."""
    where = labelled_projects.project(store, 12, names=("Ada", "Ben", "Lea"), training=4)
    runs = store.projects.readings(where.id)
    labels, turns = [], []
    for number, (run, value) in enumerate(zip(runs, OWN, strict=True)):
        given = {"Lea": value, "Ada": "partly" if number == 1 else value, "Ben": value if number % 3 else "not_judgeable"}
        labels += [field(where, run, name, "outcome", one) for name, one in given.items()]
        turns += [done(where, run, name, minute=10 + number) for name in given]
    keep(store, where, labels, turns)
    store.decisions.decide(Decision(where.id, runs[5], {"field": "outcome"}, {"value": "correct"}, "So.", "Lea"), 0)
    return load(store, where, HOST)


def alpha(*given: list[str]) -> float:
    return float(krippendorff.alpha(np.array(given), level_of_measurement="nominal", value_domain=list(OUTCOMES)))


def test_each_annotator_stands_beside_what_is_known_and_rounds_follow_each_other(visible: VisibleLabels) -> None:
    known = [*OWN[:5], "correct", *OWN[6:]]
    ada = [*OWN[:1], "partly", *OWN[2:]]
    ben = [value if number % 3 else "not_judgeable" for number, value in enumerate(OWN)]
    beside, rounds = label_report.calibration_tables(visible)
    found = {(row["annotator"], row["question"]): row for row in rows_of([beside])}
    assert {name for name, _ in found} == {"Ada", "Ben"}
    for name, own in (("Ada", ada), ("Ben", ben)):
        assert found[name, "outcome"]["value"] == pytest.approx(alpha(known, own))
        assert found[name, "outcome"]["readings"] == 12
        assert found[name, "path"]["note"] == "nobody has given such a label yet"
    assert [row.name for row in rounds.rows] == ["Training round", "Readings 1 to 8"]
    by_round = {(row["round"], row["question"]): row for row in rows_of([rounds])}
    for name, part in (("Training round", slice(0, 4)), ("Readings 1 to 8", slice(4, 12))):
        assert by_round[name, "outcome"]["value"] == pytest.approx(alpha(OWN[part], ada[part], ben[part]))
    assert [str(cell.content) for cell in rounds.rows[0].cells][1:4] == ["–"] * 3
    assert calibration.by_annotator(visible.labels, visible.done, (), owner="").rows[0].cells[0].notes == [""]


def test_the_training_round_is_in_no_figure_of_agreement_and_the_methods_say_so(visible: VisibleLabels, store: Store) -> None:
    about = visible_labels.about_readings(store, visible)
    assert label_report.figures(visible, about)["outcome"][0].readings == 8
    said = label_report.agreement_report(visible, about)
    assert " The first 4 readings were a training round, in no figure of agreement. " in said.methods
    assert {"Agreement on single codes", "Figures of agreement"} & {table.title for table in said.tables}
    assert said.tables[-1].title == "From round to round"
