"""The Evaluate page: a batch is begun with a set or a benchmark's file and a recipe, and priced; its scores with intervals,
pairs, slices, and questions by readers that open the readings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.evaluate import batch as batch_page
from components.evaluate import choose, page, views
from components.session import process_cache, state
from components.widgets.start import import_questions
from readers import get
from readers.engine.analysis.evaluate import report
from readers.engine.questions.question_set import QuestionField, QuestionSet, SetQuestion
from readers.engine.questions.recipes import recipe
from readers.engine.run.batches import BatchPlan
from readers.engine.run.execute import RunSpec
from readers.engine.statistics.intervals import MeanEstimate
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.support.app_pages import html as shown
from tests.support.app_pages import links, opened, run, words
from tests.support.models.scripted_models import parts_of
from tests.support.readings.batches import planned, read

HOSTILE = "<img src=x onerror=alert(1)> $y^2$"
READERS = ("whole", "retrieval")


@pytest.fixture
def app() -> Iterator[AppTest]:
    with opened("6_Evaluate") as app:
        yield app


@pytest.fixture
def batch(store: Store) -> str:
    """Two readers over three questions, one of which is of another kind."""
    return read(plan(store))


def plan(store: Store) -> str:
    document = Document("Parts", parts_of(4).text)
    asked = [
        SetQuestion(
            f"q{n}", document.id, f"What begins in part {n}? {HOSTILE}", answers=(f"part {n}",), answerable=True,
            fields=(QuestionField("kind", "odd" if n % 2 else "even"),),
        )
        for n in range(3)
    ]  # fmt: skip
    return planned(store, document, asked, *(RunSpec(one, get(one).version, "") for one in READERS), name=HOSTILE)


def test_without_batches_the_page_says_how_to_come_by_one(app: AppTest, store: Store) -> None:
    run(app)
    assert page.NO_SET_YET.partition("’")[2] in shown(app)


def test_scores_pairs_slices_and_questions_of_a_batch(app: AppTest, batch: str, store: Store) -> None:
    run(app)
    assert f"batch={batch}" in [asks for _, asks in links(app)]
    app.query_params["batch"] = batch
    run(app)
    page = shown(app)
    for said in (
        "Exact match",
        "ROUGE-L",
        "Whole text",
        "Retrieval",
        "6 readings",
        "read by offline model",
        "No interval: there are fewer than 5 texts.",
    ):
        assert said in page
    assert "Of 1 pair no reader is ahead of the other beyond chance." in page
    assert "<img" not in page
    runs = [one.id for one in store.batches.runs_of(batch)]
    assert all(f'href="Trace?run={one}"' in page for one in runs)
    assert "even" in page
    assert "odd" in page
    assert [button.label for button in app.get("download_button")] == ["CSV", "JSON", "LaTeX", "HTML", "SVG", "PDF"]
    next(box for box in app.checkbox if box.label == "with the methods’ own figures").check().run()
    assert not app.exception
    assert "Tokens of all prompts" not in page
    app.session_state[state.key("eval_measures", batch)] = True
    run(app)
    measured = next(one.proto.body for one in app.get("html") if report.OWN_FIGURES in one.proto.body)
    for said in ("Tokens of all prompts", "Cost ($)", "Time (s)", '<th scope="col">Whole text</th>'):
        assert said in measured
    assert '<th scope="row">Calls</th><td>1.0' in measured


def test_the_columns_are_chosen(app: AppTest, batch: str) -> None:
    app.query_params["batch"] = batch
    run(app)
    box = app.multiselect(key=state.key("eval_scores", batch))
    assert box.value == ["exact_match", "f1", "substring", "rouge_1", "rouge_2", "rouge_l"]
    box.set_value(["sub_em", "f1"]).run()
    heads = next(one.proto.body for one in app.get("html") if "Scores of " in one.proto.body)
    assert '<th scope="col">sub_em</th><th scope="col">F1</th></tr>' in heads
    assert "Exact match" not in shown(app)
    app.multiselect(key=state.key("eval_scores", batch)).set_value(["accuracy"]).run()
    assert not app.exception
    assert batch_page.NO_COLUMN in shown(app)


def test_scores_follow_the_readings(app: AppTest, store: Store) -> None:
    app.query_params["batch"] = plan(store)
    run(app)
    assert "6 readings not finished yet" in shown(app)
    read(app.query_params["batch"])
    run(app)
    assert "not finished yet" not in shown(app)
    assert "Exact match" in shown(app)


def test_a_batch_that_is_not_there_is_told_and_the_others_are_offered(app: AppTest, batch: str) -> None:
    app.query_params["batch"] = "nothere"
    run(app)
    assert "no batch 'nothere'" in words(app)
    assert f"batch={batch}" in [asks for _, asks in links(app)]


def test_figures_have_error_bars_and_differ_in_mark_and_dash() -> None:
    one, other = MeanEstimate(0.5, 0.4, 0.7, 10), MeanEstimate(0.25, None, None, 1)
    drawn = views.by_length(["up to 1K", "up to 2K"], {"Tree": [one, None], "Net": [one, other]}, "light")
    tree, net = drawn["data"]
    assert tree["x"] == ["up to 1K"]
    assert (net["y"], net["error_y"]["array"], net["error_y"]["arrayminus"]) == (
        [50.0, 25.0], [pytest.approx(20), 0.0], [pytest.approx(10), 0.0],
    )  # fmt: skip
    assert tree["line"]["dash"] != net["line"]["dash"]
    assert tree["marker"]["symbol"] != net["marker"]["symbol"]
    points = views.by_effort("calls", {"Tree": (12.0, one)}, "dark")
    assert (points["data"][0]["x"], points["data"][0]["y"]) == ([12.0], [50.0])
    heat, marks = views.by_depth(["up to 1K"], {(4, "up to 1K"): (0.75, 4)}, "light", keys=choose.depth_key)["data"]
    assert (marks["x"], marks["y"], marks["customdata"]) == (["up to 1K"], ["80 to 100 %"], ["depth:4:up to 1K"])
    assert heat["z"] == [[None]] * 4 + [[75.0]]
    assert heat["text"][4] == ["75<br>n = 4"]


# Beginning a batch


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
    assert "<dt>Readings</dt><dd>4</dd>" in shown(app)
    assert "<dt>Cost</dt><dd>free</dd>" in shown(app)
    next(one for one in app.button if one.label == "Start 4 readings").click().run()
    assert process_cache.jobs().wait(30)
    app.run()
    assert not app.exception
    (batch,) = store.batches.listed()
    assert app.query_params["batch"] in (batch.id, [batch.id])
    assert "Accuracy" in shown(app)
    assert "4 readings" in shown(app)
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
    assert "In the paper: ReadAgent: QuALITY" in shown(app)


def test_a_benchmarks_own_file_is_given_here_and_chosen(app: AppTest, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [{"question": f"{n}?", "options": ["a", "b"], "gold_label": n} for n in (1, 2)]
    row = {"article": "The lamp.", "title": "Lamp", "set_unique_id": "9", "questions": asked}
    uploads = [SimpleNamespace(name="QuALITY.htmlstripped.dev", getvalue=lambda: json.dumps(row).encode())]
    monkeypatch.setattr(import_questions.st, "file_uploader", lambda *_, **__: uploads)
    run(app)
    assert page.NO_SET_YET in shown(app).replace("&#x27;", "'")
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
