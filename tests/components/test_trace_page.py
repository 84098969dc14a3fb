"""The Trace page by Streamlit's own harness: every state of a reading draws, in Simple and in Full."""

from __future__ import annotations

from dataclasses import replace

import pytest

from components.call_view import settings, stretches
from components.samples import samples
from readers import get
from readers.engine.export import Reading, open_reading
from readers.engine.offline import Offline
from readers.engine.runs import Execution, RunSpec, begin, execute
from readers.engine.store import Run, Store
from tests.components.pages import html, links, opened, words

READER = get("memwalker")
SAMPLE = samples()[0]


def read(store: Store, question: str, *, stopped: bool = False) -> Run:
    spec = RunSpec("memwalker", READER.version, question, options={"segment_tokens": 400})
    run = begin(store, SAMPLE.document, READER, spec)
    return execute(store, run.id, READER, Execution(Offline(), stopped=lambda: stopped))


@pytest.fixture
def reading(store: Store) -> Reading:
    return open_reading(store, read(store, SAMPLE.questions[7].question).id)


@pytest.mark.parametrize("depth", ["simple", "full"])
def test_a_reading_that_ended_is_drawn(reading: Reading, depth: str) -> None:
    with opened("3_Trace") as app:
        app.query_params.update(run=reading.run.id, depth=depth, at="3")
        app.run()
        assert not app.exception
        page = html(app)
        assert reading.run.question in page
        assert "answer, written by the offline model (no neural network)" in page
        assert ("What the model was asked" in page) == (depth == "full")
        assert ("Ask another question of this text", f"document={reading.document.id}&after={reading.run.id}") in links(app)


def test_the_known_answer_is_shown_when_it_is_asked_for(reading: Reading) -> None:
    with opened("3_Trace") as app:
        app.query_params["run"] = reading.run.id
        app.run()
        assert "known answer, by the author" not in html(app)
        app.toggle[0].set_value(True).run()
        assert not app.exception
        assert "known answer, by the author" in html(app)


def test_a_reading_that_was_stopped_says_so_and_offers_to_go_on(store: Store) -> None:
    run = read(store, "Who kept the low light?", stopped=True)
    with opened("3_Trace") as app:
        app.query_params["run"] = run.id
        app.run()
        assert not app.exception
        assert "stopped before its end" in html(app)
        app.button[0].click().run()
        assert not app.exception
    assert store.run(run.id).outcome == "answered"


def test_a_reading_without_an_answer_is_a_result(store: Store) -> None:
    run = read(store, "What was the name of the dog of the lifeboat coxswain?")
    with opened("3_Trace") as app:
        app.query_params["run"] = run.id
        app.run()
        assert not app.exception
        assert "That is a result, not an error" in html(app)


@pytest.mark.parametrize("id", ["", "0000000000", "![x](http://example.org/x.png)", "<script>x</script>"])
def test_no_such_reading_is_told_in_a_sentence(id: str) -> None:
    with opened("3_Trace") as app:
        app.query_params["run"] = id
        app.run()
        assert not app.exception
        assert "There is no reading" in words(app) if id else "No reading chosen" in html(app)
        assert "<script>" not in html(app)


def test_the_prompt_of_a_call_is_coloured_by_where_its_words_come_from(reading: Reading, store: Store) -> None:
    prompts = store.tape(reading.run.id).prompts()
    leaf = next(record for record in reading.records if record.task == "answer_or_decline")
    sources = {source for _, source, _ in stretches(leaf, prompts[leaf.prompt], reading)}
    assert {"template", "document", "model", "question"} <= sources
    message = "".join(words for words, _, _ in stretches(leaf, prompts[leaf.prompt], reading))
    document = "".join(words for words, source, _ in stretches(leaf, prompts[leaf.prompt], reading) if source == "document")
    assert document in message
    assert document[:200] in reading.document.text


def test_settings_are_told_in_words_and_never_a_key(reading: Reading) -> None:
    told = dict(settings(reading))
    assert told["Segment tokens"] == "400"
    assert told["Temperature"] == "0.0"
    spec = {**reading.run.spec, "caps": {"max_calls": 9}, "reuse": False}
    told = dict(settings(reading._replace(run=replace(reading.run, spec=spec))))
    assert (told["Max calls"], told["Replies of earlier readings"]) == ("9", "not used")
