"""The home page, run by Streamlit's own test harness: it draws, reads, and shows what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from components import state
from readers.engine.store import Store

APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture
def app() -> Iterator[AppTest]:
    PagesManager.uses_pages_directory = None
    yield AppTest.from_file(str(APP), default_timeout=20)
    assert state.jobs().wait(20)
    PagesManager.uses_pages_directory = None


def html(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def test_a_sample_question_is_read_and_shown_at_its_address(app: AppTest) -> None:
    app.run()
    assert not app.exception
    assert "No readings yet" in html(app)
    app.button[0].click().run()
    assert state.jobs().wait(20)
    app.run()
    assert not app.exception
    with Store() as store:
        (run,) = store.runs()
    assert app.query_params["run"] == run.id
    assert run.spec["options"]["segment_tokens"] == 400
    assert 'class="steps"' in html(app)
    assert run.question in html(app)


def test_an_empty_question_is_refused_in_a_sentence(app: AppTest) -> None:
    app.run()
    app.text_input[0].set_value("  ")
    app.button[0].click().run()
    assert not app.exception
    assert "There is no question" in app.error[0].value.replace("\\", "")


def test_an_unknown_reading_is_told_in_a_sentence(app: AppTest) -> None:
    app.query_params["run"] = "![x](http://example.org/x.png)"
    app.run()
    assert not app.exception
    assert "There is no reading" in app.error[0].value
    assert "![" not in app.error[0].value


def test_the_model_set_for_the_program_is_named_on_the_page(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    app.run()
    assert "offline model (no neural network)" in html(app)
    monkeypatch.setenv("PALIMPSEST_MODEL", "offline/none-such")
    app.run()
    app.button[0].click().run()
    assert not app.exception
    assert "there is no model" in app.error[0].value.replace("\\", "").lower()
