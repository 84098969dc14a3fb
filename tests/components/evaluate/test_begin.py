"""Beginning a batch on the Evaluate page: a set or a benchmark's file, a recipe that fills the form, the price, and the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.evaluate import page
from components.session import process_cache
from components.widgets.start import import_questions
from readers import get
from readers.engine.questions.question_set import QuestionField, QuestionSet, SetQuestion
from readers.engine.questions.recipes import recipe
from readers.engine.run.batches import BatchPlan
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.support.app_pages import html, opened, run, words
from tests.support.models.scripted_models import parts_of


@pytest.fixture
def app() -> Iterator[AppTest]:
    with opened("6_Evaluate") as app:
        yield app


def put(store: Store, benchmark: str = "QuALITY") -> str:
    document = Document("Parts", parts_of(4).text)
    fields = (QuestionField("benchmark", benchmark),)
    asked = [
        SetQuestion(f"q{n}", document.id, f"What begins in part {n}?", ("part 1", "a lamp"), ("part 1",), True, fields=fields)
        for n in range(3)
    ]
    return store.question_sets.add(QuestionSet("Lamps", tuple(asked), (document,))).id


def pick(app: AppTest, label: str) -> Any:
    return next(box for kind in (app.selectbox, app.multiselect, app.number_input) for box in kind if box.label == label)


@pytest.mark.slow
def test_a_set_is_chosen_priced_read_and_its_table_is_there(app: AppTest, store: Store) -> None:
    put(store)
    run(app)
    pick(app, "Readers").set_value(["whole", "retrieval"]).run()
    pick(app, "How many of the 3 questions").set_value(2).run()
    assert "<dt>Readings</dt><dd>4</dd>" in html(app)
    assert "<dt>Cost</dt><dd>free</dd>" in html(app)
    next(one for one in app.button if one.label == "Start 4 readings").click().run()
    assert process_cache.jobs().wait(30)
    app.run()
    assert not app.exception
    (batch,) = store.batches.listed()
    assert app.query_params["batch"] in (batch.id, [batch.id])
    assert "Accuracy" in html(app)
    assert "4 readings" in html(app)
    assert "Resume" not in [one.label for one in app.button]


@pytest.mark.slow
def test_a_recipe_fills_the_form_and_says_what_cannot_be_had_here(app: AppTest, store: Store) -> None:
    put(store)
    run(app)
    chosen = pick(app, "Recipe")
    assert chosen.options[1].startswith("MemWalker: three question sets")
    assert chosen.options[-1].endswith("(for RULER-HQA, Length sweep)")
    chosen.set_value("memagent-lengths").run()
    assert pick(app, "Readers").value == ["memagent"]
    assert "The trained models need a GPU server: vllm serve" in words(app)
    assert "These questions are not of RULER-HQA or Length sweep" in words(app)
    assert "temperature 0.7, top p 0.95" in words(app)
    assert [box.value for box in app.checkbox if box.label == "Give the readers the choices"] == [False]
    assert "As_published needs the checkpoint's own tokenizer" in words(app)
    chosen = pick(app, "Recipe").set_value("readagent-quality").run()
    assert pick(app, "Readers").value == ["readagent", "whole"]
    assert pick(app, "Other rows of the paper").value[0] == "ReadAgent in sequence, 1–6 pages"
    assert "Start 15 readings" in [one.label for one in app.button]
    pick(app, "Other rows of the paper").set_value(["Gists alone"]).run()
    next(one for one in app.button if one.label == "Start 9 readings").click().run()
    assert process_cache.jobs().wait(30)
    (batch,) = store.batches.listed()
    plan, preset = BatchPlan.of(batch.plan), get("readagent").presets["QuALITY"]
    assert (plan.recipe, plan.give_choices) == ("readagent-quality", True)
    assert [preset.options.items() <= variant.options.items() for variant in plan.variants] == [True, False, True]
    assert [variant.options.get("mode") for variant in plan.variants] == ["parallel", None, "none"]
    assert [variant.window for variant in plan.variants] == [8192, None, 8192]
    app.run()
    assert "In the paper: ReadAgent: QuALITY" in html(app)


def test_a_benchmarks_own_file_is_given_here_and_chosen(app: AppTest, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [{"question": f"{n}?", "options": ["a", "b"], "gold_label": n} for n in (1, 2)]
    row = {"article": "The lamp.", "title": "Lamp", "set_unique_id": "9", "questions": asked}
    uploads = [SimpleNamespace(name="QuALITY.htmlstripped.dev", getvalue=lambda: json.dumps(row).encode())]
    monkeypatch.setattr(import_questions.st, "file_uploader", lambda *_, **__: uploads)
    run(app)
    assert page.NO_SET_YET in html(app).replace("&#x27;", "'")
    next(one for one in app.button if one.label == "Save this set").click().run()
    assert not app.exception
    (kept,) = store.question_sets.listed()
    assert app.query_params["set"] in (kept.id, [kept.id])
    assert pick(app, "Question set").value == kept.id
    assert "Start 2 readings" in [one.label for one in app.button]


def test_what_to_know_of_a_recipe_names_its_questions_where_they_are_others() -> None:
    one = recipe("readagent-qmsum")
    assert len(page.about_recipe(one, ["QMSum"])) == 1
    assert page.recipe_name(one, ["QMSum"]) == "ReadAgent: QMSum"
