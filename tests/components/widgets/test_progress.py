"""Work that goes on is drawn with Cancel, and the page is drawn again once it is over. A running reading says how long it has
waited for a reply, and whether the server it waits for is there."""

from __future__ import annotations

import socket
from dataclasses import asdict, replace
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from components.session import process_cache
from components.widgets import progress
from readers.engine.record.edits import ModelEdit, to_json
from readers.engine.record.journal import Wait
from readers.engine.store import Run, Store
from readers.engine.text.document import Document
from tests.support.app_pages import html, quick_harness
from tests.support.specs import current_spec


def _page() -> None:
    import streamlit as st

    from components.widgets import progress
    from readers.engine.work import Work

    asked = st.session_state.setdefault("asked", [])
    st.session_state["drawn"] = st.session_state.get("drawn", 0) + 1

    def look() -> Work | None:
        asked.append(1)
        return Work(3, 4, stage="Reading", notes=("3 of 4 read",), stopping=len(asked) > 1) if len(asked) < 3 else None

    if len(asked) < 3:
        progress.watch(look, lambda work: progress.show(work, key="w", cancel=lambda: st.session_state.update(stopped=True)))


def test_the_page_is_drawn_again_once_no_work_is_found() -> None:
    app = AppTest.from_function(_page)
    with quick_harness():
        app.run()
        assert '<p class="facts">3 of 4 read</p>' in html(app)
        assert "--done: 75.0%" in html(app)
        app.button[0].click().run()
        assert app.session_state["stopped"]
        assert app.button[0].disabled  # it is stopping
        app.run()
        assert not app.button
        assert app.session_state["drawn"] == 4  # once more than it was run, for nothing was found


def running(**spec: object) -> Run:
    given = {"model": "openai/x", **spec}
    return Run("r", "d", "memagent", "Who?", asdict(current_spec("memagent", "Who?", **given)), "running")


def test_a_server_of_ones_own_is_slow_or_gone() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        base = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        slow = progress.waited_facts(running(api_base=base), Wait(7, 75.0))
    gone = progress.waited_facts(running(api_base=base), Wait(7, 75.0))
    assert slow == ["call 8 has waited 75 seconds for its reply", "its server accepts connections, so it may only be slow"]
    assert gone == ["call 8 has waited 75 seconds for its reply", "its server accepts no connections: it may have stopped"]


def test_the_server_is_that_of_the_model_that_answers_this_call() -> None:
    switched = to_json(ModelEdit(5, "openai/y", "http://127.0.0.1:9/v1"))
    run = running(edits=(switched,))
    assert len(progress.waited_facts(run, Wait(4, 60.0))) == 1  # a provider's: nothing is asked of it
    assert progress.waited_facts(run, Wait(5, 60.0))[1:] == ["its server accepts no connections: it may have stopped"]


@pytest.mark.parametrize(
    ("ahead", "says"),
    [(None, "About to start"), (0, "Next in turn"), (1, "1 reading ahead of this one"), (3, "3 readings ahead")],
)
def test_a_queued_reading_says_how_many_are_before_it(
    store: Store, monkeypatch: pytest.MonkeyPatch, ahead: int | None, says: str
) -> None:
    queue = SimpleNamespace(queue_position=lambda run_id: ahead)
    monkeypatch.setattr(process_cache, "jobs", lambda: queue)
    document = Document.of("A lamp was lit. Nobody saw it.")
    run = replace(running(), status="queued", document=document.id, id="")
    kept = store.runs.add(run, document=document)
    assert progress.of_reading(store, kept, document, at_once=True).stage.startswith(says)


@pytest.mark.parametrize("status", ["waiting", "queued"])
def test_a_person_or_a_queue_is_not_waited_for_in_this_way(status: str) -> None:
    run = Run("r", "d", "memagent", "Who?", asdict(current_spec("memagent", "Who?")), status)  # type: ignore[arg-type]
    assert progress.waited_facts(run, Wait(0, 60.0)) == []
