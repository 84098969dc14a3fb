"""Read with all readers: one estimate for all, started together or not at all, within a demo's limits, and on to Compare."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from components.read import all_readers
from components.session import process_cache, start_runs, state
from components.session.model_choice import ModelChoice
from components.session.samples import samples
from readers import READERS, get
from readers.engine.errors import BadOptions, LimitReached
from readers.engine.models import catalogue
from readers.engine.run.execute import RunSpec
from readers.engine.store import Store
from tests.support.app_pages import html, opened, words
from tests.support.readings.every_reading import PAPERS


@pytest.fixture
def read() -> Iterator[AppTest]:
    with opened("2_Read") as app:
        app.run()
        yield app


def press(app: AppTest, *more: str) -> AppTest:
    """The dialog, with buttons in it pressed too: the harness draws no dialog a second time without its own button."""
    app.button(key="all").click()
    for key in more:
        app.button(key=key).click()
    app.run()
    assert not app.exception
    return app


def test_the_methods_are_suggested_and_the_baselines_offered() -> None:
    assert list(all_readers.METHODS) == PAPERS
    assert list(all_readers.BASELINES) == [reader.id for reader in READERS if reader.baseline]
    assert len(PAPERS) <= all_readers.MOST  # Compare shows them all


@pytest.mark.slow  # five readings of a sample, and their estimates twice
def test_all_readers_take_what_each_takes_and_are_compared_at_the_end(read: AppTest) -> None:
    question = next(field.value for field in read.text_input if field.label == "Your question, in any words")
    press(read)
    with Store() as store:
        assert store.runs.listed() == []
    said = (
        html(read)
        .partition(f"<dt>Readings</dt><dd>{len(PAPERS)}<")[2]
        .partition("<dt>Calls to the model</dt><dd>")[2]
        .partition("<")[0]
    )
    assert "By the number of questions on this text: Counted in tokens" in words(read)
    press(read, "start_all")
    assert process_cache.jobs().wait(30)
    with Store() as store:
        runs = store.runs.listed()
        made = [record for run in runs for record in store.runs.tape(run.id).records() if record.task != "score"]
    assert f"{len(made):,}" == said
    assert sorted(run.reader for run in runs) == sorted(PAPERS)
    assert {run.question for run in runs} == {question}
    (named,) = [read.query_params["runs"]] if isinstance(read.query_params["runs"], str) else read.query_params["runs"]
    assert [next(run.reader for run in runs if run.id == run_id) for run_id in named.split(",")] == PAPERS


@pytest.mark.slow
def test_too_few_readers_are_not_started(read: AppTest) -> None:
    press(read)
    pills = {group.label: group for group in read.button_group}
    pills["Methods"].set_value(["memagent"])
    press(read)
    assert f"Choose 2 to {all_readers.MOST} readers." in words(read)
    assert not [button for button in read.button if button.key == "start_all"]
    {group.label: group for group in read.button_group}["Baselines, to compare them with"].set_value(["whole"])
    press(read)
    assert [button.label for button in read.button if button.key == "start_all"] == ["Start 2 readings"]


def test_no_question_is_said_before_the_dialog(read: AppTest) -> None:
    field = next(field for field in read.text_input if field.label == "Your question, in any words")
    field.set_value(" ").run()
    press(read)
    assert "There is no question yet" in words(read)
    assert "Baselines" not in str([group.label for group in read.button_group])


def test_one_that_cannot_be_started_keeps_the_others_from_starting(store: Store) -> None:
    document, known = samples()[0].document, samples()[0].questions[0]
    good = RunSpec("whole", get("whole").version, known.question)
    bad = RunSpec("memagent", get("memagent").version, known.question, options={"chunk_tokens": -1})
    with pytest.raises(BadOptions, match="chunk_tokens"):
        start_runs.start(document, good, bad)
    assert store.runs.listed() == []


@pytest.mark.slow
def test_in_a_demo_they_count_as_so_many_readings_and_that_is_said_before(read: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    monkeypatch.setenv("PALIMPSEST_DEMO_READINGS", "4")
    press(read)
    assert "a visit may begin 4 readings, including deleted ones, and with these it would have begun 7" in words(read)
    assert not [button for button in read.button if button.key == "start_all"]
    document, known = samples()[0].document, samples()[0].questions[0]
    specs = [RunSpec("whole", get("whole").version, known.question)] * 5
    monkeypatch.setattr("components.session.access.visitor", lambda: "ann")
    with pytest.raises(LimitReached, match="with these it would have begun 5"):
        start_runs.start(document, *specs)
    with Store() as store:
        assert store.runs.listed() == []


def test_a_person_cannot_be_the_model_of_several_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "model_choice", lambda: ModelChoice(catalogue.HUMAN))
    with opened("2_Read") as app:
        app.run()
        assert app.button(key="all").disabled
