"""Forks set going from the page: by two people at once, in a public demo, and of a reading that an older reader made."""

from __future__ import annotations

import re
import threading

import pytest
from streamlit.testing.v1 import AppTest

from components.session import demos, start_runs, state
from readers import get
from readers.engine.errors import BadOptions
from readers.engine.forks.fork import ForkTerms
from readers.engine.models import catalogue
from readers.engine.models.offline import Offline
from readers.engine.record.edits import ReplyEdit
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Store, open_reading
from tests.support.app_pages import html, opened
from tests.support.models.scripted_models import parts_of

READER = get("memagent")


@pytest.fixture
def parent(store: Store) -> Reading:
    spec = RunSpec(READER.id, READER.version, "Which word?", options={"chunk_tokens": 64, "memory_tokens": 128})
    run = execute(store, create_run(store, parts_of(6), READER, spec).id, READER, Execution(Offline()))
    return open_reading(store, run.id)


def test_two_people_fork_from_the_page_at_once_and_both_get_theirs(store: Store, parent: Reading) -> None:
    start, made = threading.Barrier(2), {}

    def one(name: str) -> None:
        start.wait()
        made[name] = start_runs.start_fork(parent, ReplyEdit(2, 0, f"A memory of {name}."), ForkTerms(name=name))

    threads = [threading.Thread(target=one, args=(name,)) for name in ("Anna", "Ben")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, run_id in made.items():
        start_runs._wait_while(lambda run_id=run_id: start_runs.is_running(store.runs.get(run_id)), 20)
        done = open_reading(store, run_id)
        assert (done.run.status, done.run.name, done.run.parent) == ("finished", name, parent.run.id)
        assert done.records[2].reply == f"A memory of {name}."
    assert open_reading(store, parent.run.id).records == parent.records


def forks_in_a_demo() -> None:
    import streamlit as st

    from components.session import start_runs
    from readers.engine.errors import ReadingError
    from readers.engine.forks.fork import ForkTerms
    from readers.engine.record.edits import ModelEdit, ReplyEdit
    from readers.engine.store import Store, open_reading

    with Store() as store:
        reading = open_reading(store, store.runs.listed()[-1].id)
    edits = (ModelEdit(1, "gpt-4o"), ModelEdit(1, "openai/x", "http://127.0.0.1:9/v1"), ReplyEdit(2, 0, "Mine."))
    for edit in edits:
        try:
            st.text(start_runs.start_fork(reading, edit, ForkTerms()))
        except ReadingError as error:
            st.text(f"refused: {error}")


def test_in_a_demo_a_fork_is_its_makers_capped_and_asks_no_other_model(
    store: Store, parent: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    app = AppTest.from_function(forks_in_a_demo, default_timeout=60).run()
    assert not app.exception
    *refused, run_id = [text.value for text in app.text]
    assert all(words.startswith("refused: this is a public demo") for words in refused)
    assert len(store.runs.listed()) == 2
    assert store.runs.get(run_id).spec["caps"]["max_calls"] == demos.MOST_CALLS
    with Store(visitor=str(app.session_state["_visitor"])) as anna, Store(visitor="ben") as ben:
        assert anna.visits.may_see(run_id)
        assert not ben.visits.may_see(run_id)


ABSENT = "local/qwen2.5-coder-1.5b-instruct-q4_k_m"


@pytest.fixture
def by_absent(store: Store, parent: Reading) -> Reading:
    """The same reading, as if by a model that is not on this machine."""
    store.connection.execute("UPDATE runs SET spec = json_set(spec, '$.model', ?)", (ABSENT,))
    return open_reading(store, parent.run.id)


def test_a_continuation_that_asks_nothing_needs_no_model(store: Store, by_absent: Reading) -> None:
    last = by_absent.records[-1]
    run_id = start_runs.start_fork(by_absent, ReplyEdit(last.seq, 0, "\\boxed{At five.}"), ForkTerms())
    start_runs._wait_while(lambda: start_runs.is_running(store.runs.get(run_id)), 20)
    done = store.runs.get(run_id)
    assert (done.status, done.answer, store.runs.tape(run_id).spent().calls) == ("finished", "At five.", 0)
    with pytest.raises(BadOptions, match=r"make local-model MODEL=qwen2\.5-coder-1\.5b'"):
        start_runs.start_fork(by_absent, ReplyEdit(2, 0, "A memory of Anna."), ForkTerms())


@pytest.mark.slow  # loads litellm
def test_where_calls_are_needed_a_model_that_is_here_can_take_them_over(store: Store, by_absent: Reading) -> None:
    with opened("3_Trace") as app:
        app.session_state[state.key("what_if", by_absent.run.id)] = True
        app.query_params.update(run=by_absent.run.id, at="3")
        app.run()
        app.text_area[0].set_value("A memory of Anna.").run()
        who = next(one for one in app.selectbox if one.label.startswith("Who answers"))
        absent = "Qwen2.5-Coder-1.5B-Instruct (local): not on this machine"
        assert who.options == ["offline model (no neural network)", "you", absent]
        next(one for one in app.button if one.label == "Continue from this change").click().run()
        assert not app.exception
    (made,) = (run for run in store.runs.listed() if run.parent)
    assert made.status == "finished"
    assert {record.model for record in store.runs.tape(made.id).records() if record.origin == "live"} == {catalogue.OFFLINE}


def page(run_id: str) -> None:
    import streamlit as st

    from components.session import state
    from components.trace import what_if
    from readers.engine.store import Store, open_reading

    with Store() as store:
        reading = open_reading(store, run_id)
    st.session_state[state.key("what_if", run_id)] = True
    what_if.show_what_if(reading, 2)


def test_a_reading_of_an_older_reader_is_viewed_and_not_changed(
    store: Store, parent: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = AppTest.from_function(page, args=(parent.run.id,), default_timeout=60).run()
    assert not app.exception
    assert app.button
    monkeypatch.setattr(type(READER), "version", READER.version + 1)
    app = AppTest.from_function(page, args=(parent.run.id,), default_timeout=60).run()
    assert not app.exception
    assert "can be viewed but not forked" in re.sub("<[^>]*>", "", html(app))
    assert not app.button
