"""The Evaluate page: scores of a batch with intervals, pairs, slices, and questions by readers that open the readings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from components.evaluate import batch as batch_page
from components.evaluate import choose, page, views
from components.session import state
from readers import get
from readers.engine.analysis.evaluate import report
from readers.engine.questions.question_set import QuestionField, SetQuestion
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
    assert [button.label for button in app.get("download_button")] == ["CSV", "JSON", "LaTeX", "HTML"]
    next(box for box in app.checkbox if box.label == "with the methods’ own figures").check().run()
    assert not app.exception
    assert "Tokens processed" not in page
    app.session_state[state.key("eval_measures", batch)] = True
    run(app)
    measured = next(one.proto.body for one in app.get("html") if report.OWN_FIGURES in one.proto.body)
    for said in ("Tokens processed", "Cost ($)", "Time (s)", '<th scope="col">Whole text</th>'):
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
