"""Home: it says what this is, shows a real reading, reads a sample at once, and lists the last readings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from components.home import page
from components.session import process_cache
from components.session.recordings import recordings
from components.session.samples import samples
from readers import get
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import found_by
from readers.engine.record.events import Answered
from readers.engine.run.execute import rehearse
from readers.engine.store import Store
from tests.support.app_pages import html, links, opened


@pytest.fixture
def app() -> Iterator[AppTest]:
    with opened() as app:
        yield app


def press(app: AppTest, label: str, number: int = 0) -> None:
    [button for button in app.button if button.label == label][number].click().run()


def test_home_says_what_this_is_and_shows_a_reading(app: AppTest) -> None:
    app.run()
    assert not app.exception
    assert "Watch a language model read a long text" in html(app)
    assert 'class="glance"' in html(app)
    assert "No readings yet" in html(app)
    assert "offline model (no neural network)" in html(app) + str(links(app))


@pytest.mark.parametrize("number", range(3))
def test_a_sample_is_read_with_one_click(app: AppTest, number: int) -> None:
    app.run()
    press(app, "Read this sample now", number)
    assert not app.exception
    assert process_cache.jobs().wait(20)
    sample = samples()[number]
    with Store() as store:
        (run,) = store.runs()
    assert (run.document, run.question) == (sample.document.id, sample.questions[page.QUESTIONS[number]].question)
    assert run.spec["options"]["segment_tokens"] == 400
    assert run.outcome == "answered"
    assert app.query_params["run"] == run.id


@pytest.mark.parametrize("number", range(3))
def test_the_offline_model_finds_the_place_for_the_questions_of_home(number: int) -> None:
    sample = samples()[number]
    known = sample.questions[page.QUESTIONS[number]]
    spec = page._offline_spec(sample, known.question)
    end = rehearse(sample.document, get("memwalker"), spec, Offline()).end
    assert isinstance(end, Answered)
    assert found_by(end.evidence, known.evidence) == len(known.evidence)


def test_readings_are_listed_and_lead_to_their_page(app: AppTest) -> None:
    app.run()
    press(app, "Read this sample now")
    with Store() as store:
        (run,) = store.runs()
    with opened() as again:
        again.run()
        assert not again.exception
        assert (run.question, f"run={run.id}") in links(again)
        assert "answered" in html(again)


def test_a_reading_by_a_real_model_opens_at_its_first_step(app: AppTest) -> None:
    app.run()
    assert "Readings by a real model" in html(app)
    assert "Qwen2.5-Coder-1.5B-Instruct" in html(app)
    press(app, "Watch")
    assert not app.exception
    recording = recordings()[0]
    assert (app.query_params["run"], app.query_params["at"]) == (recording.id, "1")
    with Store() as store:
        assert [run.id for run in store.runs()] == [recording.id]


@pytest.mark.slow  # loads litellm
def test_a_model_that_cannot_be_is_told_in_a_sentence(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_MODEL", "offline/none-such")
    app.run()
    press(app, "Read this sample now")
    assert not app.exception
    assert "there is no model" in app.error[0].value.replace("\\", "").lower()


def test_the_bar_leads_to_every_page_there_is(app: AppTest) -> None:
    app.run()
    labels = [label for label, _ in links(app)]
    assert labels[0] == "Palimpsest"
    assert {"Read", "Library"} <= set(labels)
