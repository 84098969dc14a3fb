"""The planted-fact lab: a fact goes in, readers look for it, and the map says where it was found and lost."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from unittest.mock import MagicMock

import pytest
from streamlit.testing.v1 import AppTest

from components.learn import lab_wording
from components.session import process_cache
from readers import get
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.fates import LUCKY, RIGHT, WRONG, Verdict
from readers.engine.analysis.facts.flow import PlantedCell, is_planted, planted_cells
from readers.engine.files.tables import planted_csv, planted_json
from readers.engine.models.offline import Offline
from readers.engine.questions.made import planted
from readers.engine.questions.made.planted import Places
from readers.engine.questions.question_set import QuestionField, QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.run.execute import Execution, RunSpec
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store
from readers.engine.text.document import Document, Span
from tests.support import app_pages
from tests.support.app_pages import html, links, opened, press_popover, words

HOSTILE = "<img src=x onerror=alert(1)> ![x](http://example.org/x.png) :red[z]"


def test_a_depth_is_told_in_words_with_its_place() -> None:
    told = lab_wording.goes_in([0, 12], "one two one two one two ")
    assert told.startswith("0 % is the beginning of the text, 100 % its end.")
    assert told.endswith("word 1 and word 4 of 6.")


@pytest.fixture
def app() -> Iterator[AppTest]:
    with opened("7_Learn") as app:
        yield app


def test_the_form_shows_what_is_planted_and_where_it_goes_in(app: AppTest) -> None:
    app_pages.run(app, view="lab")
    assert "The number of the" in html(app)
    assert 'class="there"' in html(app) or "has-there" in html(app)
    assert any(button.label == "Estimate 10 readings" for button in app.button)
    assert not any(button.label.startswith("Start") for button in app.button)


def test_a_fact_of_ones_own_waits_for_its_question_and_answer(app: AppTest) -> None:
    app_pages.run(app, view="lab")
    app.selectbox(key="lab_kind").set_value("own").run()
    assert not app.exception
    assert "Write all three." in words(app)
    assert not any(button.label.startswith("Start") for button in app.button)


@pytest.mark.slow  # reads six texts
def test_a_fact_is_planted_read_and_mapped(app: AppTest) -> None:
    app_pages.run(app, view="lab")
    app.multiselect(key="lab_depths").set_value([0, 100]).run()
    app.multiselect(key="lab_readers").set_value(["memwalker", "memagent", "whole"]).run()
    for label in ("Estimate 6 readings", "Start 6 readings"):
        next(button for button in app.button if button.label == label).click().run()
        assert not app.exception
        if label.startswith("Estimate"):
            marks = [group for group in app.button_group if (group.key or "").startswith("lab_expected.")]
            assert len(marks) == 3  # a row for each reader
            marks[1].set_value([0]).run()
            marks[2].set_value([0, 100]).run()
    expected = app.session_state[f"lab_expected_of.{app.query_params['batch']}"]
    assert expected == {(1, 0.0), (2, 0.0), (2, 100.0)}
    assert process_cache.jobs().wait(60)
    with Store() as store:
        (batch,) = store.batches.listed()
        results = batches.results(store, batch)
        assert batch.name.startswith("Planted fact: a prepared fact")
        assert len(results) == 6
        for one in results:
            span = store.planted.of(one.question.document)
            text = store.documents.get(one.question.document)
            assert span in one.question.evidence
            assert "with a planted fact at" in text.title
    with opened("7_Learn") as found:
        app_pages.run(found, view="lab", batch=batch.id)
        cells = [(label, query) for label, query in links(found) if label[:1] in "◆◇◐✕"]
        assert len(cells) == 6
        assert {query.partition("&")[0] for _, query in cells} == {f"run={one.run.id}" for one in results if one.run}
        assert all("at=" in query and "fact=" in query for _, query in cells)  # the step that decided it, with the fact followed
        assert any(label == "◆ found" for label, _ in cells)
        assert results[0].question.question in html(found)
        found.button_group(key=f"lab_map.{batch.id}").set_value("evidence").run()
        stood = [label for label, _ in links(found) if label[:1] in "●○?"]
        assert len(stood) == 6
        assert any(label[:2] == "● " and label[2].isdecimal() for label in stood)
        found.selectbox(key=f"lab_share.{batch.id}").set_value("MemWalker · offline model (no neural network)").run()
        assert not found.exception
        press_popover(found, "Save as a replay")
        assert "2 readings, every step of each" in words(found)


def test_what_was_expected_to_be_lost_is_compared_with_what_was() -> None:
    def cell(variant: int, depth: float, verdict: Verdict | None) -> PlantedCell:
        return PlantedCell(variant, 100, depth, verdict, None, MagicMock())

    cells = [cell(0, 0, WRONG), cell(0, 50, RIGHT), cell(1, 0, WRONG), cell(1, 50, LUCKY)]
    told = lab_wording.expected(cells, {(0, 0.0), (0, 50.0)})
    assert told.endswith("the fact was lost in 1 of 2, and in 1 cell that you did not mark.")
    assert lab_wording.expected(cells, {(0, 0.0), (1, 0.0)}).endswith("lost in 2 of 2, and in no other.")
    assert lab_wording.expected(cells, set()) == ""
    assert lab_wording.expected([*cells, cell(1, 99, None)], {(0, 0.0)}) == ""


@pytest.mark.slow  # reads four texts
def test_the_table_has_a_line_for_each_reading(store: Store) -> None:
    text = Document("A text", "\n\n".join(f"Paragraph {n} says little. It says it twice." for n in range(60)))
    made = planted.as_set(
        "Planted", list(planted.planted_texts(text, planted.prepared("one", text.text), Places((0, 100), (200, 0))))
    )
    kept = store.question_sets.add(made)
    plan = BatchPlan((RunSpec("whole", get("whole").version, ""),))
    batch = batches.add(store, kept.id, plan, readers=get)
    jobs = Jobs()
    batches.start(jobs, batch.id, batches.BatchExecution(get, lambda run: Execution(Offline()), path=store.path))
    assert jobs.wait(60)
    results = batches.results(store, batch)
    assert is_planted(results)
    fates = {want.run.id: fate for want, fate in evidence.make_fates(store, evidence.wanted(results), get)}
    cells = planted_cells(results, fates)
    assert [(cell.tokens < 300, cell.depth) for cell in cells] == [(True, 0), (True, 100), (False, 0), (False, 100)]
    right = [one.grade is not None and one.grade.outcome == "correct" for one in results]
    assert sum(cell.found == "found" for cell in cells) == sum(right) > 0
    rows = list(csv.DictReader(io.StringIO(planted_csv(cells, ["Whole text"]))))
    assert [row["depth"] for row in rows] == ["0.0", "100.0"] * 2
    assert [row["reading"] for row in rows] == [cell.run for cell in cells]
    assert [row["found"] for row in json.loads(planted_json(cells, ["Whole text"]))] == [row["found"] for row in rows]


def test_names_from_outside_are_shown_as_words(app: AppTest, store: Store) -> None:
    text = Document(HOSTILE, "One. Two. Three.")
    fields = (QuestionField("depth", "50"), QuestionField("text_tokens", "6"))
    asked = SetQuestion("q", text.id, HOSTILE, answers=(HOSTILE,), evidence=(Span(0, 4),), fields=fields)
    kept = store.question_sets.add(QuestionSet(HOSTILE, (asked,), (text,)))
    plan = BatchPlan((RunSpec("whole", get("whole").version, ""),), name=f"Planted fact: {HOSTILE}")
    batch = batches.add(store, kept.id, plan, readers=get)
    for asks in ({"view": "lab"}, {"view": "lab", "batch": batch.id}):
        app_pages.run(app, **asks)
        assert "<img" not in html(app) + words(app).replace(HOSTILE, "")
    assert "□ waiting" in html(app)


def test_a_batch_without_planted_facts_and_one_that_is_gone_are_said(app: AppTest, store: Store) -> None:
    text = Document("A text", "One. Two. Three.")
    kept = store.question_sets.add(QuestionSet("Set", (SetQuestion("q", text.id, "How many?"),), (text,)))
    batch = batches.add(store, kept.id, BatchPlan((RunSpec("whole", get("whole").version, ""),)), readers=get)
    app_pages.run(app, view="lab", batch=batch.id)
    assert "no texts with a planted fact" in html(app)
    app_pages.run(app, view="lab", batch="none-such")
    assert "no batch 'none-such'" in words(app)
