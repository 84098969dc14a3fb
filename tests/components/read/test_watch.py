"""The part of Read about programs of one's own: the line to copy, and what is being watched now."""

from __future__ import annotations

import shlex

import pytest

from components.read.watch import KEY, TITLE, command_line
from components.session import address, state
from readers.cli.watch.recording import WatchedReading, spec_for
from readers.engine.store import Store
from tests.readers.observed.test_recording import CALLS, DOCUMENT, QUESTION
from tests.support.app_pages import links, opened
from tests.support.app_pages import run as run_page


@pytest.mark.parametrize(("question", "asked"), [("Who's lit it; rm -rf?", "Who's lit it; rm -rf?"), (" ", "Your question?")])
def test_the_line_is_one_command_whatever_is_asked(question: str, asked: str) -> None:
    line = shlex.split(command_line(question))
    assert line[:7] == ["python", "-m", "readers", "watch", "story.txt", "--question", asked]
    assert line[9:] == ["--", "python", "your_program.py", "story.txt"]


def test_a_program_that_is_being_watched_is_a_link(store: Store) -> None:
    reading = WatchedReading(store, DOCUMENT, spec_for(QUESTION))
    reading.add(CALLS[:1])
    with opened("2_Read") as app:
        app.session_state[state.key(KEY)] = True  # it is opened
        run_page(app)
        assert (f"Watched now: {QUESTION}", f"run={reading.run.id}") in links(app)
        reading.finish("Amos Garbutt")
        run_page(app, **address.to_next_question(reading.run.id))  # it gives no reader
        assert not [words for words, _ in links(app) if words.startswith("Watched now")]


def test_a_page_on_which_it_is_closed_holds_no_code_that_the_browser_would_colour() -> None:
    with opened("2_Read") as app:
        run_page(app)
        assert TITLE in [box.label for box in app.expander]
        assert not app.code
        app.session_state[state.key(KEY)] = True
        run_page(app)
        (line,) = app.code
        assert line.value.startswith("python -m readers watch")
