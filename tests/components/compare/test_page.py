"""The page Compare: readings that have ended, those that go on, and the choice of readings; every state of it draws."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from html import escape
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.session.samples import samples
from readers import get
from readers.engine.errors import ReadingError
from readers.engine.models.call import Call
from readers.engine.models.offline import Offline
from readers.engine.questions.grading import WORDS
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store
from readers.engine.text.document import Document
from tests.support.app_pages import html, links, opened, press_popover, words
from tests.support.models.scripted_models import Scripted

SAMPLE, OTHER = samples()[0], samples()[1]
QUESTION = SAMPLE.questions[7].question


def read(store: Store, reader: str, document: Document = SAMPLE.document, question: str = QUESTION, **how: Any) -> Run:
    found = get(reader)
    options = {"segment_tokens": 400} if reader == "memwalker" else {}
    options |= how.get("options", {})
    spec = RunSpec(reader, found.version, question, options=options)
    made = create_run(store, document, found, spec)
    return execute(store, made.id, found, Execution(Offline(), stopped=lambda: bool(how.get("stopped"))))


def test_three_readers_are_rows_with_measures_and_costs(store: Store) -> None:
    runs = [read(store, reader) for reader in ("memwalker", "readagent", "whole")]
    with opened("4_Compare") as app:
        app.query_params["runs"] = ",".join([*(one.id for one in runs), runs[0].id])  # one that is named twice is there once
        app.run()
        assert not app.exception
        page = html(app)
        assert [number for number in range(1, 9) if f"Reading {number}: " in page] == [1, 2, 3]
        for title in (
            "Where each reading looked",
            "Where they part",
            "Differences in settings",
            "Measures",
            "Cost without reuse",
        ):
            assert f">{title}<" in page
        assert page.count('class="small-map"') == 3
        assert "known place" not in page
        app.toggle[0].set_value(True).run()
        assert not app.exception
        assert html(app).count('<b class="gold"') == 3
        app.selectbox[1].set_value(app.selectbox[1].options[1]).run()
        assert not app.exception
        assert "readings 1 and 3" in html(app)
        press_popover(app, "Save as a replay")
        assert "3 readings\\, every step of each" in " ".join(one.value for one in app.markdown)  # in a replay


def test_readings_of_different_texts_have_no_axis_and_the_page_says_so(store: Store) -> None:
    runs = [read(store, "memwalker", stopped=True), read(store, "whole", OTHER.document, OTHER.questions[0].question)]
    with opened("4_Compare") as app:
        app.query_params["runs"] = ",".join(one.id for one in runs)
        app.run()
        assert not app.exception
        page = html(app)
        assert "share no axis" in page
        assert 'class="small-map"' not in page
        assert "stopped before its end" in page
        assert OTHER.document.title in page
        assert ">Measures<" in page
        assert not app.selectbox


def test_without_readings_there_are_some_to_choose_from(store: Store) -> None:
    with opened("4_Compare") as app:
        app.run()
        assert html(app).count("This page compares two or more") == 1
        runs = [read(store, "whole"), read(store, "memwalker")]
        app.run()
        assert not app.exception
        assert "same question: 2 readings" in html(app)
        assert [button.label for button in app.button] == ["Compare these 2"]
        app.checkbox[0].check().run()
        assert "Tick at least one more" in words(app)
        app.text_input[0].set_value("no such words").run()
        assert "No question or text matches" in html(app)
        app.text_input[0].set_value("").run()
        app.checkbox[1].check().run()  # what was ticked before is ticked still
        app.button[-1].click().run()
        assert not app.exception
        assert ">Where each reading looked<" in html(app)
        assert {one.id for one in runs} == {query.removeprefix("run=") for label, query in links(app) if label == "Open"}


def test_one_reading_can_be_compared_with_the_others_of_its_question(store: Store) -> None:
    runs = [read(store, "whole"), read(store, "memwalker"), read(store, "whole", question="Who kept the low light?")]
    fork = store.runs.add(replace(runs[0], parent=runs[0].id, status="cancelled"))
    with opened("3_Trace") as app:
        app.query_params["run"] = fork.id
        app.run()
        assert not app.exception
        found = dict(links(app))
        assert found["Compare with the reading it was forked from"] == f"runs={runs[0].id}%2C{fork.id}"
        assert found["Compare with the other reading of this question"] == f"runs={fork.id}%2C{runs[1].id}"
        app.query_params["run"] = runs[2].id
        app.run()
        assert dict(links(app))["Compare with another reading"] == f"runs={runs[2].id}"
    with opened("4_Compare") as app:
        app.query_params["runs"] = runs[2].id
        app.run()
        assert not app.exception
        assert app.checkbox[0].value
        assert "Compare with:" in html(app)


@pytest.mark.parametrize("run_id", ["0000000000", "<script>x</script>", "![x](http://example.org/x.png)"])
def test_no_such_reading_is_told_in_a_sentence(run_id: str, store: Store) -> None:
    there = read(store, "whole")
    read(store, "memwalker")
    with opened("4_Compare") as app:
        app.query_params["runs"] = f"{there.id},{run_id}"
        app.run()
        assert not app.exception
        assert "There is no reading" in words(app)
        assert "<script>" not in html(app)
        assert [box.value for box in app.checkbox] == [False, True]  # what is there is ticked already


def test_a_visitor_of_a_demo_does_not_see_what_others_made(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(visitor="somebody else") as theirs:
        runs = [read(theirs, "whole"), read(theirs, "memwalker")]
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    with opened("4_Compare") as app:
        app.query_params["runs"] = ",".join(one.id for one in runs)
        app.run()
        assert not app.exception
        assert words(app).count("There is no reading") == 2
        assert QUESTION not in html(app)


def verdicts(page: str) -> list[str]:
    """The verdicts that stand beside answers."""
    lines = "".join(re.findall('<div class="reading-line">.*?<div class="said">', page))
    return re.findall(f">((?:likely )?(?:{'|'.join(WORDS.values())}))<", lines)


def begun(store: Store, reader: str = "whole") -> Run:
    """On record, and not started yet."""
    return create_run(store, SAMPLE.document, get(reader), RunSpec(reader, get(reader).version, QUESTION))


def compare(*runs: Run) -> AbstractContextManager[AppTest]:
    @contextmanager
    def drawn() -> Iterator[AppTest]:
        with opened("4_Compare") as app:
            app.query_params["runs"] = ",".join(one.id for one in runs)
            app.run()
            assert not app.exception
            yield app

    return drawn()


def test_a_reading_that_goes_on_is_led_to(store: Store) -> None:
    going = begun(store)
    with compare(going) as app:
        assert "is still reading" in html(app)
        assert ("Watch", f"run={going.id}") in links(app)


def test_readings_that_go_on_are_watched_side_by_side_with_answers_verdicts_and_failures_as_they_come(store: Store) -> None:
    def refuses(call: Call) -> str:
        raise ReadingError("the server is on fire")

    ended, broken, going, other = read(store, "whole"), begun(store, "memwalker"), begun(store, "memagent"), begun(store)
    execute(store, broken.id, get("memwalker"), Execution(Scripted(refuses)))
    with compare(ended, broken, going, other) as app:
        page = html(app)
        assert "2 of 4 have ended" in page
        assert escape(str(ended.answer)) in page
        assert 'class="verdict"' not in page  # its reasons tell what is known, and wait for the switch
        assert len(verdicts(page)) == 1
        assert "The reading failed. The server is on fire" in page
        assert page.count("About to start") == 2
        assert ">Side by side<" not in page
        assert ("Compare the 2 that have ended", f"runs={ended.id}%2C{broken.id}") in links(app)
        assert [button.label for button in app.button] == ["Cancel all", "Cancel", "Cancel"]
        app.button[1].click().run()
        assert store.runs.get(going.id).status == "cancelled"
        assert store.runs.get(other.id).status == "queued"
        assert "3 of 4 have ended" in html(app)
        assert [button.label for button in app.button] == ["Cancel"]
        app.button[0].click().run()
        assert not app.exception
        assert ">Side by side<" in html(app)  # all have ended, so they are compared, those without a step too


def test_all_that_go_on_are_cancelled_at_once(store: Store) -> None:
    both = [begun(store), begun(store, "memagent")]
    with compare(*both) as app:
        app.button[0].click().run()
        assert not app.exception
    assert [store.runs.get(one.id).status for one in both] == ["cancelled", "cancelled"]


def test_in_a_demo_nobody_cancels_what_others_started(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    both = [begun(store), begun(store, "memagent")]
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    with compare(*both) as app:
        assert "2 readings have begun" in html(app)
        assert not app.button


def test_the_answers_come_first_then_the_players_then_the_rest(store: Store) -> None:
    with compare(read(store, "memwalker"), read(store, "whole")) as app:
        page = html(app)
        order = ['class="reading-line"', ">Side by side<", ">Where they part<", ">Where each reading looked<", ">Measures<"]
        assert sorted(order, key=page.index) == order


def test_both_players_stand_where_they_part_also_beside_another_reading(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, int | None] = {}
    monkeypatch.setattr("components.player.mount.mount_beside", lambda frames, *, key, at, beside: drawn.update({key: at}))
    runs = [read(store, "memwalker", options=options) for options in ({}, {"max_children": 3}, {"segment_tokens": 200})]
    with compare(*runs) as app:
        first = dict(drawn)
        app.selectbox[1].set_value(app.selectbox[1].options[1]).run()
        assert not app.exception
        second = {key: at for key, at in drawn.items() if key not in first}
    assert len(first) == len(second) == 2  # both begin anew: a player keeps the step that a person went to
    assert len(set(first.values())) == len(set(second.values())) == 1
    assert first.values() != second.values()


def test_where_one_opened_nothing_more_both_go_there_all_the_same(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[list[int | None]] = []
    monkeypatch.setattr("components.player.mount.between", lambda data, *, key: told.append(data["part"]))
    with compare(read(store, "memwalker"), read(store, "readagent", options={"mode": "none", "with_gists": True})) as app:
        assert "It opened nothing more word for word." in html(app)
    assert told
    assert all(None not in part for part in told)


def test_what_is_kept_from_an_annotator_gives_no_verdict(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    both = read(store, "memwalker"), read(store, "whole")
    asked = frozenset({(SAMPLE.document.id, QUESTION)})
    monkeypatch.setattr("components.session.hidden_answers.hidden_questions", lambda store: asked)
    with compare(*both) as app:
        assert not app.toggle
        assert verdicts(html(app)) == []
