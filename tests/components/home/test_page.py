"""Home: it says what this is, shows a real reading, reads a sample at once, and lists the last readings."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.home import page
from components.html.styles import sheet
from components.html.words import reading_words
from components.player import data, mount
from components.session import process_cache
from components.session.samples import Recording, recordings, samples
from components.widgets import method_drawings
from readers import READERS
from readers.engine.files.runs.run_file import read_run_file
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
        (run,) = store.runs.listed()
    assert (run.document, run.question) == (sample.document.id, sample.offered[0].question)
    assert sample.watched[run.reader].items() <= run.spec["options"].items()
    assert run.outcome == "answered"
    asked = [app.query_params[name] for name in ("run", "at", "end", "play")]
    assert asked == [run.id, "1", "hidden", "1"]


def test_readings_are_listed_and_lead_to_their_page(app: AppTest) -> None:
    app.run()
    press(app, "Read this sample now")
    with Store() as store:
        (run,) = store.runs.listed()
    with opened() as again:
        again.run()
        assert not again.exception
        assert (run.question, f"run={run.id}") in links(again)
        assert "answered" in html(again)


def test_home_plays_the_first_recording_by_its_own_picture_and_sentences(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[dict[str, Any]] = []
    monkeypatch.setattr(mount, "showing", lambda frames, *, key: bool(played.append(frames)))
    app.run()
    assert not app.exception
    (frames,) = played
    reading = read_run_file(recordings()[0].path)
    whole = data.of(reading)
    assert (frames["run"], frames["kind"], frames["picture"]) == (whole["run"], whole["kind"], whole["picture"])
    assert len(frames["steps"]) == len(whole["steps"]) == len(reading.trace.steps)
    assert all(step["say"].count(". ") == 0 and step["say"].endswith(".") for step in frames["steps"])
    assert (frames["question"], frames["answer"]["words"]) == (reading.run.question, reading.run.answer)
    assert frames["building"] == whole["building"] > 0
    assert len(json.dumps(frames)) < 60_000
    press(app, "Step through this reading")
    assert app.query_params["run"] == reading.run.id


def test_a_press_on_what_plays_opens_it(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mount, "showing", lambda frames, *, key: True)
    app.run()
    assert not app.exception
    with Store() as store:
        assert [run.id for run in store.runs.listed()] == [recordings()[0].id]


def test_home_parses_no_recording_but_the_one_it_plays(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    opened_files: list[str] = []
    read_bytes, read_text = Path.read_bytes, Path.read_text
    monkeypatch.setattr(Path, "read_bytes", lambda path: opened_files.append(path.name) or read_bytes(path))
    monkeypatch.setattr(Path, "read_text", lambda path, **how: opened_files.append(path.name) or read_text(path, **how))
    monkeypatch.setattr(page, "_frames", inspect.unwrap(page._frames))
    app.run()
    assert not app.exception
    assert {recording.path.name for recording in recordings()} & set(opened_files) == {recordings()[0].path.name}


def test_every_drawing_is_a_methods_has_words_and_leads_to_a_reading(app: AppTest) -> None:
    app.run()
    methods = [reader for reader in READERS if method_drawings.has(reader.id)]
    files = list(method_drawings.FOLDER.iterdir())
    assert {path.name for path in files} == {f"{reader.id}.svg" for reader in methods}
    assert not any(reader.baseline for reader in methods)
    for path in files:
        svg = path.read_text(encoding="utf-8")
        assert svg.startswith('<svg viewBox="0 0 240 112" role="img" aria-label="')
        assert set(re.findall(r'class="([\w-]+)"', svg)) <= set(re.findall(r"\.([\w-]+)", sheet("drawing")))
    for reader in methods:
        assert reading_words.summary(reader) in html(app)
        assert (f"Read with {reader.title}", f"reader={reader.id}") in links(app)


def first_decision(recording: Recording) -> int:
    """The first step of the walk, from 1: there the model first chooses a part."""
    trace = read_run_file(recording.path).trace
    return next(step.number + 1 for step in trace.steps if step.phase == "walk")


def test_a_reading_by_a_real_model_opens_at_its_first_decision(app: AppTest) -> None:
    app.run()
    assert "Readings by a real model" in html(app)
    assert "Qwen2.5-Coder-1.5B-Instruct" in html(app)
    press(app, "Watch")
    assert not app.exception
    recording = recordings()[0]
    assert (app.query_params["run"], app.query_params["at"]) == (recording.id, str(first_decision(recording)))
    with Store() as store:
        assert [run.id for run in store.runs.listed()] == [recording.id]
    app.switch_page("pages/3_Trace.py").run()
    assert f"recorded {recording.recorded} by Qwen2.5-Coder-1.5B-Instruct" in html(app)
    app.switch_page("pages/3_Readings.py").run()
    assert f"recorded {recording.recorded} by Qwen2.5-Coder-1.5B-Instruct" in html(app)
    assert "just now" not in html(app)


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
