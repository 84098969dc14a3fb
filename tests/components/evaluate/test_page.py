"""The Evaluate page: scores of a batch with intervals, pairs, slices, and questions by readers that open the readings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from components.evaluate import figures, html, keys, measures, selections, wording
from components.session.page import state
from readers import get
from readers.engine.analysis.evaluate import Comparison, Estimate, Row, Spread, table, with_figures
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionField, QuestionSet, SetQuestion
from readers.engine.questions.scores import Scored
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution, BatchPlan
from readers.engine.run.execute import Execution, RunSpec
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.support.app_pages import html as shown
from tests.support.app_pages import links, opened, run, words
from tests.support.models.scripted_models import parts_of

HOSTILE = "<img src=x onerror=alert(1)> $y^2$"
READERS = ("whole", "retrieval")


@pytest.fixture
def app() -> Iterator[AppTest]:
    with opened("6_Evaluate") as app:
        yield app


@pytest.fixture
def batch(store: Store) -> str:
    """Two readers over three questions, one of which is of another kind."""
    planned = plan(store)
    read(planned)
    return planned


def plan(store: Store) -> str:
    document = Document("Parts", parts_of(4).text)
    asked = [
        SetQuestion(
            f"q{n}", document.id, f"What begins in part {n}? {HOSTILE}", answers=(f"part {n}",), answerable=True,
            fields=(QuestionField("kind", "odd" if n % 2 else "even"),),
        )
        for n in range(3)
    ]  # fmt: skip
    made = store.question_sets.add(QuestionSet(HOSTILE, tuple(asked), (document,)))
    variants = BatchPlan(tuple(RunSpec(one, get(one).version, "") for one in READERS))
    return batches.add(store, made.id, variants, readers=get).id


def read(batch: str) -> None:
    jobs = Jobs()
    batches.start(jobs, batch, BatchExecution(get, lambda run: Execution(Offline())))
    assert jobs.wait(30)


def test_without_batches_the_page_says_how_to_come_by_one(app: AppTest, store: Store) -> None:
    run(app)
    assert wording.NO_SET_YET.partition("’")[2] in shown(app)


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
    app.session_state[state.key(keys.MEASURES, batch)] = True
    run(app)
    measured = next(one.proto.body for one in app.get("html") if measures.TITLE in one.proto.body)
    for said in ("Tokens processed", "Cost ($)", "Time (s)", '<th scope="col">Whole text</th>'):
        assert said in measured
    assert '<th scope="row">Calls</th><td>1.0' in measured


def test_the_columns_are_chosen(app: AppTest, batch: str) -> None:
    app.query_params["batch"] = batch
    run(app)
    box = app.multiselect(key=state.key(keys.SCORES, batch))
    assert box.value == ["exact_match", "f1", "substring", "rouge_1", "rouge_2", "rouge_l"]
    box.set_value(["sub_em", "f1"]).run()
    heads = next(one.proto.body for one in app.get("html") if "Scores of " in one.proto.body)
    assert '<th scope="col">sub_em</th><th scope="col">F1</th></tr>' in heads
    assert "Exact match" not in shown(app)
    app.multiselect(key=state.key(keys.SCORES, batch)).set_value(["accuracy"]).run()
    assert not app.exception
    assert wording.NO_COLUMN in shown(app)


def test_scores_follow_the_readings(app: AppTest, store: Store) -> None:
    planned = plan(store)
    app.query_params["batch"] = planned
    run(app)
    assert "6 readings not finished yet" in shown(app)
    read(planned)
    run(app)
    assert "not finished yet" not in shown(app)
    assert "Exact match" in shown(app)


def test_a_batch_that_is_not_there_is_told_and_the_others_are_offered(app: AppTest, batch: str) -> None:
    app.query_params["batch"] = "nothere"
    run(app)
    assert "no batch 'nothere'" in words(app)
    assert f"batch={batch}" in [asks for _, asks in links(app)]


def test_words_claim_no_more_than_is_shown() -> None:
    ahead = Comparison("accuracy", "Tree", "Net", Estimate(0.2, 0.1, 0.3), 9, 1, 0.02, 0.02)
    behind = Comparison("accuracy", "Tree", "Net", Estimate(-0.2, -0.3, -0.1), 1, 9, 0.02, 0.02)
    chance = Comparison("accuracy", "Tree", "Net", Estimate(0.2, -0.1, 0.3), 3, 1, 0.6, 1.0)
    assert [wording.ahead(one) for one in (ahead, behind, chance)] == ["Tree is ahead", "Net is ahead", "open"]
    assert wording.pairs_told([ahead, chance]) == "Of 2 pairs 1 has a reader ahead: Tree is ahead of Net."
    assert wording.pairs_told([behind]) == "Of 1 pair 1 has a reader ahead: Net is ahead of Tree."
    assert wording.difference(ahead) == "+20.0 (+10.0 to +30.0)"
    assert wording.pairs_table([chance, ahead])[1][0][1][1:] == ["9 and 1", "0.020", "0.020", "Tree is ahead"]
    assert wording.probability(0.0001) == "under 0.001"
    told = wording.spread(Spread("Tree", "f1", (0.4, 0.6), 10, 3))
    assert told.startswith("Tree: 40.0 to 60.0 over 2 repeats of 10 questions (standard deviation 14.1); 3 questions")


def test_figures_are_said_in_their_units_with_their_papers_and_of_how_many_readings() -> None:
    walked = [with_figures(Row("Tree", f"t{n}", "0"), {"stray": n % 2, "tokens_processed": 1200.0 + n}) for n in range(6)]
    rows = [*walked, with_figures(Row("Tree", "t6", "0"), {"tokens_processed": 1206.0}), with_figures(Row("Net", "t0", "0"), {})]
    heads, body, sources = wording.figures_table(table(rows))
    assert heads == ["", "Tree", "Net"]
    assert body[0][:1] == ("Strayed (%)",)
    assert body[0][1] == [("50.0", "18.8 to 81.2", "of 6 readings"), ("–", "", "")]
    assert body[1][0] == "Tokens processed"
    assert body[1][1][0] == ("1,203", "1,201 to 1,205", "")
    assert sources == {"Strayed (%)": "Chen et al. 2023, table 4: readings that turned back", "Tokens processed": ""}
    drawn = html.scores(heads, [("Strayed (%)", [])], about="x", sources=sources)
    assert '<th scope="row">Strayed (%)<small>Chen et al. 2023, table 4: readings that turned back</small></th>' in drawn
    assert wording.not_followed(2).startswith("The evidence of 2 readings has not been followed yet")


def test_a_score_that_does_not_apply_to_all_questions_says_to_how_many() -> None:
    rows = [
        Row("Tree", "t", f"q{n}", {"f1": Scored(1.0, 1.0), **({"accuracy": Scored(1.0, 1.0)} if n == 0 else {})})
        for n in range(2)
    ]
    heads = wording.score_heads(table(rows), 2)
    assert heads == ["F1", "Accuracy\n1 of 2 questions"]
    assert '<th scope="col">Accuracy<small>1 of 2 questions</small></th>' in html.scores(["", *heads], [], about="x")


def test_a_mark_says_its_score_in_words_and_opens_its_reading() -> None:
    grid = html.grid(["", "Tree"], [("<b>Who?</b>", [html.Mark("r1", 0.5, "Tree: 50 %")])], about="x")
    assert '<a href="Trace?run=r1" target="_self" title="Tree: 50 %"><i class="partly" aria-hidden="true">◐</i>' in grid
    assert "&lt;b&gt;Who?" in grid
    assert "<a" not in html.grid(["", "Tree"], [("Who?", [html.Mark("", None, "Tree: not read")])], about="x")


def test_figures_have_error_bars_and_differ_in_mark_and_dash() -> None:
    one, other = Estimate(0.5, 0.4, 0.7, 10), Estimate(0.25, None, None, 1)
    drawn = figures.by_length(["up to 1K", "up to 2K"], {"Tree": [one, None], "Net": [one, other]}, "light")
    tree, net = drawn["data"]
    assert tree["x"] == ["up to 1K"]
    assert (net["y"], net["error_y"]["array"], net["error_y"]["arrayminus"]) == (
        [50.0, 25.0], [pytest.approx(20), 0.0], [pytest.approx(10), 0.0],
    )  # fmt: skip
    assert tree["line"]["dash"] != net["line"]["dash"]
    assert tree["marker"]["symbol"] != net["marker"]["symbol"]
    points = figures.by_effort("calls", [figures.Point("Tree", 12.0, one)], "dark")
    assert (points["data"][0]["x"], points["data"][0]["y"]) == ([12.0], [50.0])
    heat, marks = figures.by_depth(["up to 1K"], {(4, "up to 1K"): (0.75, 4)}, "light", keys=selections.depth_key)["data"]
    assert (marks["x"], marks["y"], marks["customdata"]) == (["up to 1K"], ["80 to 100 %"], ["depth:4:up to 1K"])
    assert heat["z"] == [[None]] * 4 + [[75.0]]
    assert heat["text"][4] == ["75<br>n = 4"]
