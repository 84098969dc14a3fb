"""What would mend it: at the step where a fact of the evidence was lost, the changes with their price, and what came of them."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from components.session import process_cache
from components.session.samples import samples as texts
from readers import get
from readers.engine.forks.experiments import experiments_of
from readers.engine.models.offline import Offline
from readers.engine.record.edits import WrittenEdit
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from tests.support.app_pages import html, opened, words

SAMPLE = texts()[0]
KNOWN = SAMPLE.questions[13]
LOST_AT = 15  # the step, from 1, that wrote a gist without the evidence


@pytest.fixture
def run_id(store: Store) -> str:
    spec = RunSpec("readagent", get("readagent").version, KNOWN.question)
    return execute(
        store, create_run(store, SAMPLE.document, get("readagent"), spec).id, get("readagent"), Execution(Offline())
    ).id


def panels(app: AppTest) -> list[str]:
    told = [box.label.replace("\\", "") for box in app.expander]
    return [label for label in told if label.startswith("What would mend it?")]


def labels(app: AppTest) -> list[str]:
    return [button.label.replace("\\", "") for button in app.button if re.match("Try it|Continue from it", button.label)]


def test_offers_stand_where_the_fact_was_lost_and_their_result_below_them(run_id: str, store: Store) -> None:
    with opened("3_Trace") as app:
        app.query_params.update(run=run_id, at=str(LOST_AT))
        app.run()
        assert panels(app) == []  # the evidence gives the known answer away
        app.toggle[0].set_value(True).run()
        assert len(panels(app)) == 1
        said = words(app)
        assert re.search(r"Put the sentence into the gist of page \d+", said)
        assert re.search(r"Choose page \d+ at step \d+", said)
        assert [re.sub(r"\d+ calls?", "n calls", label) for label in labels(app)] == [
            "Try it: 12 readings, n calls, free", "Continue from it once: n calls, free",
            "Try it: 12 readings, n calls, free", "Continue from it once: n calls, free",
        ]  # fmt: skip
        next(field for field in app.number_input if field.label == "Samples of each kind").set_value(1).run()
        next(button for button in app.button if "2 readings" in button.label).click().run()
        assert process_cache.jobs().wait(30)
        app.run()
        assert not app.exception
        assert re.search(r"→ \*\*(The answer changed|Answered rightly) in \d of 1; unchanged 0 of 1\.\*\*", words(app))
    (made,) = experiments_of(store, run_id)
    assert isinstance(made.edit, WrittenEdit)
    assert [run.name for run in made.runs] == ["with it, 1 of 1", "unchanged, 1 of 1"]


def test_a_reading_without_an_end_says_why_nothing_is_offered(store: Store) -> None:
    reader = get("readagent")
    run = create_run(store, SAMPLE.document, reader, RunSpec("readagent", reader.version, KNOWN.question))
    execute(store, run.id, reader, Execution(Offline(), stopped=lambda: len(store.runs.tape(run.id).keys()) > 20))
    with opened("3_Trace") as app:
        app.query_params.update(run=run.id)
        app.run()
        app.toggle[0].set_value(True).run()
        assert not app.exception
        assert "before its end: resume it first." in html(app)


def test_at_other_steps_and_while_the_end_is_hidden_nothing_is_offered(run_id: str) -> None:
    for more in ({"at": str(LOST_AT - 1)}, {"at": str(LOST_AT), "end": "hidden"}):
        with opened("3_Trace") as app:
            app.query_params.update(run=run_id, **more)
            app.run()
            app.toggle[0].set_value(True).run()
            assert not app.exception
            assert panels(app) == []
