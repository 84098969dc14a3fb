"""A reading of somebody else's program draws on the pages of readings like any other, in every state."""

from __future__ import annotations

import pytest

from components.html.words.reading_words import settings, title_in_list
from components.replay.file import replay_file
from components.replay.reading import replayed
from components.session import state
from components.trace.page import ELSEWHERE
from components.trace.what_if import ENDS_THERE
from readers import get
from readers.cli.watch.recording import WatchedReading, spec_for
from readers.engine.analysis import differences
from readers.engine.store import Run, Store, open_reading
from tests.readers.observed.test_recording import CALLS, DOCUMENT, QUESTION, recorded
from tests.support.app_pages import html, opened
from tests.support.app_pages import run as run_page


@pytest.fixture
def read(store: Store) -> Run:
    return recorded(store)


@pytest.mark.parametrize("depth", ["simple", "full"])
def test_it_draws_on_trace(read: Run, depth: str) -> None:
    with opened("3_Trace") as app:
        run_page(app, run=read.id, depth=depth, at="4")
        assert read.question in html(app)


def test_it_is_called_by_its_program_where_that_is_known(store: Store, read: Run) -> None:
    assert title_in_list(read) == "Observed program"
    watched = WatchedReading(store, DOCUMENT, spec_for(QUESTION, program="agent.py"))
    watched.add(CALLS[:1])
    ended = watched.finish("Doris.")
    assert title_in_list(ended) == "agent.py · recorded"
    with opened("3_Trace") as app:
        run_page(app, run=ended.id)
        assert "agent.py · recorded · " in html(app)


def test_a_name_from_a_file_breaks_no_page(store: Store) -> None:
    watched = WatchedReading(store, DOCUMENT, spec_for(QUESTION, program="\x1b[31m<b>**[a](b)\n" * 20))
    watched.add(CALLS[:1])
    ended = watched.finish("Doris.")
    assert len(title_in_list(ended)) < 60
    assert title_in_list(ended).isprintable()
    with opened("3_Trace") as app:
        run_page(app, run=ended.id)
        assert "[31m&lt;b&gt;**[a](b)" in html(app)
        assert "<b>**" not in html(app)


def test_nobody_resumes_it_and_only_the_program_is_asked_another_question(store: Store) -> None:
    stopped = WatchedReading(store, DOCUMENT, spec_for(QUESTION))
    stopped.add(CALLS[:3])
    with opened("3_Trace") as app:
        run_page(app, run=stopped.run.id)
        assert "End this reading" in [one.label for one in app.button]
        ended = stopped.finish(cancelled=True)
        run_page(app, run=ended.id, at="1")
        assert "Resume" not in [one.label for one in app.button]
        assert ELSEWHERE in [one.value for one in app.caption]
        assert "watch it again with another question" in html(app)


def test_a_change_of_a_call_says_where_its_fork_ends(read: Run) -> None:
    with opened("3_Trace") as app:
        app.session_state[state.key("what_if", read.id)] = True
        run_page(app, run=read.id, at="1")
        assert [one.value for one in app.caption if one.value.endswith(ENDS_THERE)]


def test_it_draws_on_compare(store: Store, read: Run) -> None:
    other = recorded(store, CALLS[:1])
    with opened("4_Compare") as app:
        run_page(app, runs=f"{read.id},{other.id}")


def test_a_replay_of_it_is_made(store: Store, read: Run) -> None:
    assert read.question in replay_file([replayed(store, read.id, known=None)])


def test_its_script_is_no_setting(store: Store, read: Run) -> None:
    other = recorded(store, CALLS[:1])
    assert "templates" not in str(settings(open_reading(store, read.id)))
    assert "templates" not in str(differences.settings([read, other], {read.reader: get(read.reader)}))
