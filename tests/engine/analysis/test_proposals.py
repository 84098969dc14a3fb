"""A model proposes codes and spans: stored as its own labels, beside all that people do, and compared with what they give."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import krippendorff
import numpy as np
import pytest

from readers import get
from readers.engine.analysis import label_report, proposals, visible_labels
from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.errors import BadOptions, ModelFailed
from readers.engine.labels import codebook
from readers.engine.labels.label import CODES, Label, is_model
from readers.engine.labels.project import HOST, Project, Settings
from readers.engine.models.call import ModelSettings
from readers.engine.models.offline import Offline
from readers.engine.report.values import Figure
from readers.engine.run.execute import Execution, create_run, execute
from readers.engine.store import Store, open_reading
from tests.engine.files.runs.import_run.conftest import spec_of, text
from tests.support import labelled_projects
from tests.support.models.scripted_models import Scripted

__all__ = ["text"]  # a fixture
MODEL = "openai/coder"
NAME = f"model: {MODEL}"
SETTINGS = ModelSettings(MODEL)


def reply(*items: tuple[object, str, str]) -> str:
    keys = ("step", "code", "words")
    return json.dumps({"codes": [{**dict(zip(keys, map(str, item), strict=True)), "why": "It strayed."} for item in items]})


def allowing(store: Store, runs: Sequence[str], **more: object) -> Project:
    settings = Settings(**{"lead": "Lea", "start_stage": 3, "share": 1.0, "annotators": 2, "proposals": True} | more)  # type: ignore[arg-type]
    made = store.projects.create("Lamps", settings, runs=runs, book=codebook.preset(), by="Lea")
    for name in ("Ada", "Ben"):
        store.projects.join(made.id, name)
    return made


@pytest.fixture
def where(store: Store, text: object) -> Project:
    reader = get("memagent")
    run = create_run(store, text, reader, spec_of(reader))  # type: ignore[arg-type]
    execute(store, run.id, reader, Execution(Offline()))
    return allowing(store, [run.id])


def proposed(store: Store, where: Project, *replies: str) -> tuple[proposals.Proposals, Scripted]:
    asking, model = proposals.begin(store, where, SETTINGS), Scripted(replies)
    return asking.ask(store, asking.runs[0], get, model), model


def test_a_model_proposes_codes_and_the_words_that_show_them(store: Store, where: Project) -> None:
    [run] = store.projects.readings(where.id)
    reading = open_reading(store, run)
    number, wrote = next(iter(reading.trace.wrote.items()))
    step = next(n for n, one in enumerate(reading.trace.steps, 1) if wrote in reading.trace.of(one))
    words, here = wrote.text[2:20].strip(), reading.document.text[100:120].strip()
    found, model = proposed(
        store, where, reply((step, "N1", words), (1, "n2 Name", here), (step, "Nope", ""), (99, "N1", ""), (1, "B2", "not told"))
    )
    assert (found.codes, len(found.labels), found.left_out) == (3, 5, 3)
    stored = {(one.kind, one.code): one for one in store.labels.in_project(where.id, HOST)}
    assert stored["step", "N1"].value == {"code": "N1", "severity": 2, "note": "It strayed."}
    assert stored["step", "N1"].target == {"step": step}
    at = wrote.text.index(words)
    assert stored["span", "N1"].target == {"on": "wrote", "number": number, "start": at, "end": at + len(words)}
    target = stored["span", "N2"].target
    assert target["on"] == "text"
    assert reading.document.text[target["start"] : target["end"]] == here
    assert {one.annotator for one in stored.values()} == {NAME}
    prompt = model.calls[0].messages[0]["content"]
    assert reading.run.question in prompt
    assert "N1 " in prompt
    assert f"<step {len(reading.trace.steps)}>" in prompt


def test_it_is_asked_again_once_and_a_reading_is_proposed_for_once(store: Store, where: Project) -> None:
    with pytest.raises(ModelFailed, match="could not be read"):
        proposed(store, where, "I cannot.", "No idea.")
    assert proposals.begin(store, where, SETTINGS).runs == store.projects.readings(where.id)
    found, model = proposed(store, where, "I cannot.", reply())
    assert (found.labels, len(model.calls)) == ((), 2)
    assert "could not be used" in model.calls[1].messages[0]["content"]
    assert proposals.begin(store, where, SETTINGS).runs == ()
    assert proposals.begin(store, where, ModelSettings("openai/other")).runs == store.projects.readings(where.id)


def test_it_is_the_project_that_allows_it_and_a_language_model_that_proposes(store: Store, where: Project) -> None:
    with pytest.raises(BadOptions, match="language model"):
        proposals.begin(store, where, ModelSettings("offline/extractive"))
    closed = allowing(store, store.projects.readings(where.id), proposals=False)
    with pytest.raises(BadOptions, match="does not let"):
        proposals.begin(store, closed, SETTINGS)
    with pytest.raises(BadOptions, match="is a model's"):
        store.projects.join(where.id, "Model: me")


def test_a_model_takes_nobodys_place_and_who_labels_blind_does_not_see_it(store: Store, where: Project) -> None:
    [run] = store.projects.readings(where.id)
    proposed(store, where, reply((1, "N1", "")))
    assert store.turns.upcoming(where.id, "Ada") == store.turns.upcoming(where.id, "Ben") == (run,)
    store.turns.open(where.id, run, "Ada")
    seen = [store.labels.in_project(where.id, store.projects.viewer(where.id, "Ada"))]
    store.labels.put(labelled_projects.code(where, run, "Ada", 1), 0)
    store.turns.finish(where.id, run, "Ada")
    seen.append(store.labels.in_project(where.id, store.projects.viewer(where.id, "Ada")))
    assert [[one.annotator for one in labels] for labels in seen] == [[], [NAME, "Ada"]]


def test_agreement_is_that_of_people_and_the_model_stands_beside_them_code_by_code_and_over_time(store: Store) -> None:
    where = labelled_projects.labelled(store, 12)
    people = visible_labels.load(store, where, HOST)
    about = visible_labels.about_readings(store, people)
    like_ada = [
        replace(one, id=f"{number:032x}", annotator=NAME)
        for number, one in enumerate(people.labels)
        if one.annotator == "Ada" and one.kind in ("step", "span")
    ]
    turns = [labelled_projects.done(where, run, NAME) for run in people.runs]
    labelled_projects.keep(store, where, like_ada, turns)
    visible = visible_labels.load(store, where, HOST)
    assert (visible.labels, visible.done, len(visible.proposals)) == (people.labels, people.done, len(like_ada))
    assert label_report.figures(visible, about) == label_report.figures(people, about)

    by_code, rounds = label_report.calibration_tables(visible)[-2:]
    assert by_code.title == f"{NAME}, beside people code by code"
    told = {cell.data["code"]: cell.data for row in by_code.rows for cell in row.cells if cell.data.get("question") == "step"}
    given = codes_by_step(visible)
    for code in ("N1", "R1"):
        units = [  # pairs of the model with each person, at each step that either of them coded
            [code in given[NAME].get(place, ()), code in given[name].get(place, ())]
            for name in ("Ada", "Ben")
            for place in {*given[NAME], *given[name]}
        ]
        counts = [[unit.count(False), unit.count(True)] for unit in units]
        alpha = krippendorff.alpha(value_counts=np.array(counts), level_of_measurement="nominal")
        assert told[code]["value"] == pytest.approx(alpha)
        assert (told[code]["units"], told[code]["annotator"]) == (len(units), NAME)
    assert [row.name for row in rounds.rows] == ["Readings 1 to 10", "Readings 11 to 12"]
    of_rounds = [cell.data for row in rounds.rows for cell in row.cells]
    assert [(one["annotator"], one["readings"]) for one in of_rounds] == [(NAME, 10)] * 3 + [(NAME, 2)] * 3
    beside_ada = label_report.calibration_tables(visible.without([one for one in visible.done if one[1] == "Ben"]))[-2:]
    values = [
        cell.content.value for table in beside_ada for row in table.rows for cell in row.cells if isinstance(cell.content, Figure)
    ]
    assert values
    assert set(values) == {1.0}


def codes_by_step(visible: VisibleLabels) -> dict[str, dict[tuple[str, int | None], set[str | None]]]:
    found: dict[str, dict[tuple[str, int | None], set[str | None]]] = {}
    for label in (*visible.labels, *visible.proposals):
        if label.kind == "step":
            found.setdefault(label.annotator, {}).setdefault((label.run, label.step), set()).add(label.code)
    return found


def accepted(label: Label) -> Label:
    return replace(label, value={**label.value, "suggested": "model"})


def test_an_accepted_label_stays_marked_through_a_file(store: Store, where: Project) -> None:
    [run] = store.projects.readings(where.id)
    store.turns.open(where.id, run, "Ada")
    store.labels.put(accepted(labelled_projects.code(where, run, "Ada", 1)), 0)
    [label] = store.labels.in_project(where.id, HOST)
    assert label.proposed
    with pytest.raises(BadOptions, match="'suggested' is one of model"):
        store.labels.put(replace(label, value={**label.value, "suggested": "rule"}), 1)
    assert [is_model(name) for name in (NAME, "Ada", "Modeller")] == [True, False, False]
    assert store.projects.annotator(where.id, "Ada").stage == CODES
