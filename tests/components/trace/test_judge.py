"""A model as judge, on Trace: offered while a fact is followed, priced, and told beside what the words say."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from components.session import process_cache
from components.session.samples import samples as texts
from components.trace import judge as panel
from readers import get
from readers.engine.analysis.facts.follow import follow as follow_fact
from readers.engine.forks.experiments import experiments_of
from readers.engine.forks.judge import all_judged, ask_judge, figures_of, pairs_of, store_figures
from readers.engine.forks.rater import ToRate, ask_rater
from readers.engine.models import catalogue
from readers.engine.models.call import Call
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store, open_reading
from tests.support.app_pages import html, links, opened, words
from tests.support.models.scripted_models import Scripted

SAMPLE = texts()[0]
KNOWN = SAMPLE.questions[13]
LOST_AT = 5  # a step, from 1, that wrote a memory without the evidence, after it was lost


@pytest.fixture
def run_id(store: Store) -> str:
    reader = get("memagent")
    spec = RunSpec(reader.id, reader.version, KNOWN.question, options={"chunk_tokens": 1000})
    return execute(store, create_run(store, SAMPLE.document, reader, spec).id, reader, Execution(Offline())).id


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """The calls to a scripted judge, which is the model in use."""
    calls: list[Call] = []

    def reply(call: Call) -> str:
        calls.append(call)
        return "SAID"

    monkeypatch.setenv("PALIMPSEST_MODEL", "local/judge")
    monkeypatch.setattr(catalogue, "open_model", lambda model, **_: Scripted(reply))
    monkeypatch.setattr(catalogue, "installed_local", lambda: ["local/judge"])
    monkeypatch.setattr(process_cache, "window_of_choice", lambda choice: 8_192)
    return calls


def follow(app: AppTest, run_id: str, **more: str) -> None:
    """The page at the step, with the known answer shown and the panel open."""
    app.query_params.update(run=run_id, at=str(LOST_AT), **more)
    app.session_state[f"judge.{run_id}"] = True
    app.run()
    assert not [box for box in app.expander if box.label == panel.TITLE]  # no fact is followed yet
    app.toggle[0].set_value(True).run()
    assert not app.exception


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label.replace("\\", "").startswith(label)).click().run()
    assert process_cache.jobs().wait(30)
    app.run()
    assert not app.exception


def test_a_step_and_a_whole_life_are_judged_beside_what_the_words_say(run_id: str, store: Store, asked: list[Call]) -> None:
    with opened("3_Trace") as app:
        follow(app, run_id)
        assert "no longer said, by its words." in html(app)
        assert "has not been measured on this machine" in html(app)
        press(app, "Ask about this step: 1 call, free")
        assert "no longer said, by its words; the judge judge (local) says: still said." in html(app)
        press(app, "Ask about every text: 6 calls, free")
    assert len(asked) == 7
    first, second = experiments_of(store, run_id)[::-1]
    assert (first.reader, second.reader) == ("judge", "judge")
    assert {one.verdict for said in all_judged(store, run_id).values() for one in said} == {"says it"}
    store_figures(figures_of("local/judge", [("lost", "does not say it")] * 4))
    with opened("3_Trace") as app:
        follow(app, run_id, depth="full")
        assert "agreed with the labels of 4 of 4 pairs here" in html(app)
        assert "At other steps" in html(app)
        titles = [box.label.replace("\\", "") for box in app.expander if "judged whether texts still say it" in box.label]
        assert titles[-1] == "A model judged whether texts still say it. **Still said: 1.**"


def test_a_verdict_on_a_text_that_does_not_rest_on_the_fact_is_shown(run_id: str, store: Store) -> None:
    reading = open_reading(store, run_id)
    fact = KNOWN.evidence[0]
    assert 0 not in follow_fact(reading, get(reading.run.reader), [fact])[0].life.texts
    terms = {"model": "local/judge", "api_base": None, "temperature": 0.0}
    run = ask_judge(store, reading, pairs_of(reading.trace, fact, [0]), terms)
    execute(store, run.id, get(run.reader), Execution(Scripted(lambda _: "SAID"), concurrency=1))
    with opened("3_Trace") as app:
        app.query_params.update(run=run_id, depth="full")
        app.run()
        assert not app.exception
        assert "not derived from it, as far as was found; the judge judge (local) says: still said." in html(app)


def test_the_offline_model_is_no_judge(run_id: str) -> None:
    with opened("3_Trace") as app:
        follow(app, run_id)
        assert panel.NO_JUDGE in html(app)
        assert not [button for button in app.button if button.label.startswith("Ask about")]
        assert any(label == "Choose a model" for label, _ in links(app))
        assert panel.ABOUT in words(app)


def test_a_rating_of_the_answer_is_told_among_the_experiments(run_id: str, store: Store) -> None:
    asked = ToRate("lr", KNOWN.question, ("the answer",), "an answer")
    run = ask_rater(store, store.runs.get(run_id), asked, {"model": "local/judge", "api_base": None, "temperature": 0.0})
    replies = ["DIFFERENT", "PARTLY"]
    execute(store, run.id, get(run.reader), Execution(Scripted(lambda _: replies.pop(0)), concurrency=1))
    with opened("3_Trace") as app:
        app.query_params.update(run=run_id, depth="full")
        app.run()
        assert not app.exception
        labels = [box.label.replace("\\", "") for box in app.expander if "rated the answer" in box.label]
        assert labels[0].endswith("rated the answer. **LR-1: 0, LR-2: 1.**")
        assert "Its replies: Different, Partly." in html(app)
