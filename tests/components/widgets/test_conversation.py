"""The conversation about a text on Trace and in the Library: asking in the box, what stands there in every state, and where
nothing can be asked."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.session import classes, hidden_answers
from components.widgets import conversation
from readers import get
from readers.engine.labels.project import Settings
from readers.engine.models import catalogue
from readers.engine.models.offline import Offline
from readers.engine.run.estimate import Estimate
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store, open_reading
from readers.engine.teaching import codes
from readers.engine.text.document import Document
from tests.support.app_pages import html, links, opened
from tests.support.app_pages import run as at
from tests.support.models.scripted_models import Scripted, parts_of

TEXT, TITLE = parts_of(4), "Questions about this text"
TOKEN = "a" * 32


FIRST = "What begins with word3x3 here?"
OFFLINE = Execution(Offline())


def read(store: Store, question: str = FIRST, *, reader: str = "memwalker", how: Execution = OFFLINE, **spec: Any) -> Run:
    return execute(store, queued(store, question, reader=reader, **spec).id, get(reader), how)


def queued(store: Store, question: str, *, reader: str = "memwalker", **spec: Any) -> Run:
    options = {"segment_tokens": 64} if reader == "memwalker" else {}
    made = RunSpec(reader, get(reader).version, question, **{"options": options, **spec})
    return create_run(store, TEXT, get(reader), made)


def ask(app: AppTest, question: str) -> None:
    app.chat_input[0].set_value(question).run()
    assert not app.exception


def test_the_next_question_is_asked_and_answered_where_the_reading_is_shown(store: Store) -> None:
    first = read(store, choices=("word3x3", "word9x9"))
    with opened("3_Trace") as app:
        at(app, run=first.id)
        assert (TITLE in html(app), "this reading" in html(app)) == (True, False)  # its answer is at the top
        assert re.search("about [0-9]+ calls, free · about a second · 4 more reused from earlier readings</p>", html(app))
        ask(app, "  What begins with word2x3 here? ")
        at(app)
        (second, _) = store.runs.listed()
        assert (second.question, second.status, second.spec["choices"]) == ("What begins with word2x3 here?", "finished", [])
        assert '<p class="aside">this reading</p>' in html(app)
        assert f"“What begins with word2x3 here?” {second.answer}</p>" in html(app)  # said by a screen reader
        steps = len(open_reading(store, second.id).trace.steps)
        assert (f"Open at step {steps}", f"run={second.id}&at={steps}") in links(app)


def test_the_library_leads_to_a_first_question_and_continues_a_conversation(store: Store) -> None:
    store.documents.add(TEXT)
    with opened("1_Library") as app:
        at(app, document=TEXT.id)
        assert ("Choose a reader and ask", f"document={TEXT.id}") in links(app)
        assert not app.chat_input
        runs = [read(store, f"Where is word{n}x3?") for n in range(3)]
        read(store, reader="whole")
        at(app)
        box = next(one for one in app.selectbox if one.label == "Who answers")
        assert [name.rpartition(" · ")[0].partition(" · ")[0] for name in box.options] == ["Whole text", "MemWalker"]
        box.set_value(runs[0].id).run()
        assert [one.label for one in app.button if "earlier" in one.label] == ["Show 1 earlier of 3"]
        ask(app, "Where is word3x3?")
        assert store.runs.listed()[0].reader == "memwalker"


@pytest.mark.parametrize(
    ("how", "shown"),
    [
        ({"how": Execution(Offline(), stopped=lambda: True)}, "The reading was stopped before its end."),
        ({"how": Execution(Scripted([]))}, "The reading failed. The script has only 0 replies"),
        ({"question": "How do neutrinos oscillate between flavours?"}, "That is a result, not an error"),
    ],
)
def test_a_question_without_an_answer_says_why(how: dict[str, Any], shown: str, store: Store) -> None:
    last = read(store, **how)
    with opened("1_Library") as app:
        at(app, document=TEXT.id)
        assert shown in html(app)
        assert ("Open", f"run={last.id}") in links(app)
        assert app.chat_input


def test_a_reading_under_way_has_its_progress_and_cancel_beside_those_that_have_ended(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = read(store), queued(store, "And?")
    rehearsed = list[str]()
    estimated = conversation.text_cache.estimated

    def noted(document: Document, spec: RunSpec, *, width: int) -> Estimate:
        rehearsed.append(spec.question)
        return estimated(document, spec, width=width)

    monkeypatch.setattr(conversation.text_cache, "estimated", noted)
    with opened("3_Trace") as app:
        at(app, run=first.id)
        assert 'class="working"' in html(app)
        assert ("Watch", f"run={second.id}") in links(app)
        assert set(rehearsed) == {FIRST}  # the next price takes no time from the reading under way
        next(button for button in app.button if button.label == "Cancel").click().run()
        assert store.runs.get(second.id).status == "cancelled"
        assert "The reading was stopped before its end." in html(at(app))


def imported(store: Store, **spec: Any) -> Run:
    run = read(store, **spec)
    with sqlite3.connect(store.path) as other:
        other.execute("UPDATE runs SET taken_in = 1 WHERE id = ?", (run.id,))
    return run


@pytest.mark.parametrize(
    ("spec", "why", "ways"),
    [
        (
            {"model": "anthropic/some-model"},
            "there is no API key for 'anthropic/some-model'. Set ANTHROPIC_API_KEY",
            ["Give a key"],
        ),
        ({"model": "openai/there", "api_base": "http://127.0.0.1:9/v1"}, "its calls would go to the server", []),
        ({"model": "local/not-here"}, "the model 'local/not-here' is not on this machine", []),
        ({"model": catalogue.HUMAN, "reuse": False}, "with you as the model, each reading is started on the page Read", []),
    ],
    ids=["no key", "server of a run file", "no weights", "a person"],
)
def test_where_no_question_can_be_asked_the_reason_stands_in_the_place_of_the_box(
    spec: dict[str, Any], why: str, ways: list[str], store: Store
) -> None:
    run = imported(store, **spec)
    with opened("3_Trace") as app:
        at(app, run=run.id)
        assert not app.chat_input
        assert all(words in unescape(html(app)) for words in ("No question can be asked here: ", why))
        found = dict(links(app))
        assert all(way in found for way in ways)
        assert found["Ask with another reader or model"] == f"document={TEXT.id}&after={run.id}"


def test_a_visitor_of_a_demo_who_may_begin_no_more_readings_has_no_box(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    monkeypatch.setenv("PALIMPSEST_DEMO_READINGS", "1")
    run = read(store)
    with opened("3_Trace") as app:
        at(app, run=run.id)
        ask(app, "What begins with word2x3 here?")
        assert not at(app).chat_input
        assert "a visit may begin 1 readings" in html(app)


def a_class(store: Store, run: Run) -> dict[str, str]:
    store.classes.begin(run.id, run.question, steps=3, token=TOKEN, limits=codes.OWN_MACHINE)
    return {classes.COOKIE: TOKEN}


def a_blind_project(store: Store, run: Run) -> dict[str, str]:
    project = store.projects.create("Ann", Settings(start_stage=1), runs=[run.id])
    store.projects.join(project.id, "Ann")
    return {hidden_answers.COOKIE: "Ann"}


@pytest.mark.parametrize("lock", [a_class, a_blind_project])
def test_a_reading_that_a_class_votes_on_or_that_is_labelled_blind_has_no_conversation(
    lock: Callable[[Store, Run], dict[str, str]], store: Store
) -> None:
    run = read(store)
    with opened("3_Trace", cookies=lock(store, run)) as app:
        at(app, run=run.id)
        assert TITLE not in html(app)
        assert not app.chat_input
    with opened("3_Trace") as app:
        assert TITLE in html(at(app, run=run.id))
