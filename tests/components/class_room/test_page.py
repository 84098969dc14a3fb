"""The page of a class by Streamlit's own harness: the teacher leads it, a learner votes, and neither sees a vote too early."""

from __future__ import annotations

import gc
import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.class_room import lesson_class, room_data, take_home
from components.html import markup
from components.lessons import recorded
from components.session import classes, process_cache, samples
from readers.engine.store import Run, Store, open_reading
from readers.engine.teaching import codes
from readers.engine.teaching.classes import ClassSession
from readers.engine.teaching.stops import Stop
from readers.engine.teaching.tally import Ballot
from tests.components.trace.test_page import SAMPLE, read
from tests.support.app_pages import html, links, opened, press_popover, words

TEACHER, ANN, BEN = (codes.new_token() for _ in range(3))


@pytest.fixture
def run(store: Store) -> Run:
    return read(store, SAMPLE.questions[7].question)


@pytest.fixture
def held(store: Store, run: Run) -> ClassSession:
    steps = len(open_reading(store, run.id).trace.steps)
    return store.classes.begin(run.id, run.question, steps=steps, token=TEACHER, limits=codes.OWN_MACHINE)


@contextmanager
def at(held: ClassSession, token: str) -> Iterator[AppTest]:
    """The page of the class in the browser with this token."""
    with opened("Class", cookies={classes.COOKIE: token}) as app:
        app.query_params["code"] = held.code.lower()
        yield app


def given(app: AppTest, key: str) -> dict[str, Any]:
    """What the browser's part of the page is sent."""
    app.run()
    assert not app.exception
    (found,) = [json.loads(one.proto.json)[0] for one in app.get("bidi_component") if f"{key}" in one.proto.id]
    data: dict[str, Any] = found
    return data


def test_a_learner_gets_the_question_and_the_vote_and_no_way_to_lead(store: Store, held: ClassSession, run: Run) -> None:
    with at(held, TEACHER) as app:
        room = given(app, "class_room")
        assert (room["code"], room["here"], room["phase"]) == (codes.spaced(held.code), 0, "reading")
        first = room["decisions"][0]
        lead(app, held, {"n": 1, "do": "ask", "at": first}, {"n": 2, "do": "open"})
        room = given(app, "class_room")
        assert (room["phase"], room["asked"], room["n"], room["message"]) == ("voting", first, 2, "")
    with at(held, ANN) as app:
        seen = given(app, "class_device")
        assert len(seen["options"]) > 1
        assert not [link for link in links(app) if link[0] != "Palimpsest"]  # nothing leads to other pages
        app.session_state[f"class_device.{held.id}"] = {"vote": {"step": first, "round": 1, "option": 1}}
        seen = given(app, "class_device")
        assert (seen["mine"], seen["counts"], seen["reveal"]) == (1, [], None)
    with at(held, TEACHER) as app:
        app.session_state[f"class_room.{held.id}"] = {}
        room = given(app, "class_room")
        assert (room["here"], room["voted"], room["counts"]) == (1, 1, [])
        lead(app, held, {"n": 1, "do": "close"}, {"n": 2, "do": "talk"}, {"n": 3, "do": "step", "at": 10**6})
        room = given(app, "class_room")
        assert (room["phase"], room["at"]) == ("reading", held.steps - 1)
    (found,) = store.classes.results(store.classes.get(held.code))
    assert found.rounds[0][1] == 1


def test_who_looks_alone_comes_as_far_as_the_class(store: Store, held: ClassSession) -> None:
    with at(held, TEACHER) as app:
        first = given(app, "class_room")["decisions"][0]
        lead(app, held, {"n": 1, "do": "loose", "on": True}, {"n": 2, "do": "ask", "at": first})
        app.run()
    with at(held, ANN) as app:
        app.session_state[f"class_device.{held.id}"] = {"alone": True}
        given(app, "class_device")
        assert given(app, "class_until") == {"run": held.run, "until": first - 1}
        store.classes.reveal(held.code, TEACHER)
        assert given(app, "class_until")["until"] == first


def test_the_rooms_screen_is_the_teachers_alone_and_has_no_note_and_no_warning(
    store: Store, held: ClassSession, run: Run
) -> None:
    store.stops.put(run.id, Stop(0, "Say nothing yet."))
    with at(held, TEACHER) as app:
        assert "Say nothing yet." in str(given(app, "class_room"))
        app.query_params["screen"] = "room"
        seen = given(app, "class_screen")
        assert (seen["joining"], seen["problem"]) == (True, "")
        assert "Say nothing yet." not in str(seen)
    with at(held, ANN) as app:
        app.query_params["screen"] = "room"
        assert given(app, "class_device")["joining"]


def test_one_class_goes_through_all_recordings_of_a_lesson(store: Store) -> None:
    first, other = (recorded.recording_of(name) for name in ("readagent-bridge-boiler", "rememr1-bridge-boiler"))
    run = samples.open_recording(first)
    steps = len(lesson_class.steps("boiler"))
    held = store.classes.begin(run, "The boiler", steps=steps, token=TEACHER, limits=codes.OWN_MACHINE, lesson="boiler")
    assert not store.classes.of_reading(run, TEACHER)
    with at(held, TEACHER) as app:
        room = given(app, "class_room")
        assert (room["unit"], room["lesson"]["alone"], room["run"]) == ("part", True, run)
        gist, memory = room["decisions"][0], room["decisions"][2]
        lead(app, held, {"n": 1, "do": "step", "at": gist})
        room = given(app, "class_room")
        assert (room["lesson"]["held"], room["lesson"]["words"]) == (True, [])
        lead(app, held, {"n": 2, "do": "ask", "at": gist}, {"n": 3, "do": "open"}, {"n": 4, "do": "turn", "at": 1})
        room = given(app, "class_room")
        assert (room["phase"], room["page"], len(room["options"]), room["verb"]) == ("voting", 1, 3, "did")
    store.classes.join(held.code, ANN, codes.OWN_MACHINE)
    store.classes.vote(held.code, ANN, Ballot(gist, 1, 1))
    with at(held, TEACHER) as app:
        acts = ("close", 0), ("reveal", 0), ("step", gist), ("ask", memory)
        lead(app, held, *({"n": n, "do": do, "at": step} for n, (do, step) in enumerate(acts, 1)))
        room = given(app, "class_room")
        assert (room["page"], room["run"], room["done"]) == (0, other.id, [gist])
        app.query_params["screen"] = "room"
        screen = given(app, "class_screen")
        assert (screen["lesson"]["run"], screen["words"][:11]) == (other.id, "Chunk 2 tel")
        store.classes.end(held.code, TEACHER)
        del app.query_params["screen"]
        app.run()
        assert "Part 5. Page 3 is a list of dates." in html(app)
        assert ("Back to the lesson", "lesson=boiler") in links(app)


def test_a_device_that_was_gone_waits_for_a_place_and_takes_it_by_itself(
    store: Store, held: ClassSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = codes.OWN_MACHINE._replace(learners=1)
    monkeypatch.setattr(codes, "OWN_MACHINE", one)
    with at(held, ANN) as app:
        given(app, "class_device")
        store.connection.execute("UPDATE class_learners SET joined = '2020', heard = NULL")
        store.classes.join(held.code, BEN, one)
        app.run()
        assert not app.exception
        assert "This class is full" in words(app)
        store.classes.remove(held.code, TEACHER, minutes=1)
        assert given(app, "class_device")["joining"]


def test_the_word_of_a_class_is_given_to_its_teacher_alone(store: Store, held: ClassSession) -> None:
    store.classes.join(held.code, ANN, codes.OWN_MACHINE)
    with at(held, TEACHER) as app:
        lead(app, held, {"n": 1, "do": "word", "on": True})
        room = given(app, "class_room")
        word = store.classes.get(held.code).state.word
        assert room.pop("word") == word
        assert word not in str(room)
        app.query_params["screen"] = "room"
        seen = given(app, "class_screen")
        assert seen["asksWord"]
        assert word not in str(seen)
    with at(held, ANN) as app:
        assert word not in str(given(app, "class_device"))


def lead(app: AppTest, held: ClassSession, *acts: dict[str, Any]) -> None:
    app.session_state[f"class_room.{held.id}"] = {"acts": list(acts)}


def test_after_the_end_the_teacher_has_a_table_and_a_file_and_the_learner_a_word_of_thanks(
    store: Store, held: ClassSession, run: Run
) -> None:
    with at(held, TEACHER) as app:
        first = given(app, "class_room")["decisions"][0]
        lead(app, held, {"n": 1, "do": "ask", "at": first}, {"n": 2, "do": "open"})
        app.run()
        store.classes.join(held.code, ANN, codes.OWN_MACHINE)
        store.classes.vote(held.code, ANN, Ballot(first, 1, 0))
        lead(app, held, {"n": 3, "do": "close"}, {"n": 4, "do": "end"})
        app.run()
        app.run()
        assert not app.exception
        page = html(app)
        assert "This class has ended" in page
        assert "<td>" in page
        assert "This class" in page
        assert [one.label for one in app.get("download_button")] == ["Download as CSV"]
    with at(held, ANN) as app:
        app.run()
        assert not app.exception
        assert "To take home" in html(app)
        assert str(markup.question(held.title)) in html(app)
        question = store.classes.results(held)[0].question
        assert f"<td>{question.options[0].name}</td>" in html(app)
        assert len(take_home._replay(held)) > 100_000
    with at(held, BEN) as app:
        app.run()
        assert "has ended" in html(app) + words(app)
        assert "To take home" not in html(app)
        assert str(markup.question(held.title)) not in html(app)  # it was in no class
    with opened("3_Trace", cookies={classes.COOKIE: TEACHER}) as app:
        app.query_params["run"] = run.id
        app.run()
        press_popover(app, "Teach this reading")
        assert any("what was voted" in label for label, _ in links(app))


def test_devices_that_poll_do_not_have_everything_collected_again(store: Store, held: ClassSession) -> None:
    """After each poll Streamlit collects garbage, which took 0.1 s of the processor while nothing was frozen."""
    process_cache.freeze_once.clear()
    gc.unfreeze()
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):  # of what was alive when another test froze it
        gc.collect()
    with at(held, ANN) as app:
        given(app, "class_device")
        assert gc.get_freeze_count() > 10_000


def test_a_wrong_code_is_asked_for_again(store: Store) -> None:
    with opened("Class") as app:
        app.query_params["code"] = "BCDFGH"
        app.run()
        assert not app.exception
        assert "no class with this code" in words(app)


def test_what_browsers_send_is_read_like_an_upload() -> None:
    wrong: list[Any] = [
        None,
        7,
        [None, {"n": True, "do": "end"}, {"n": 2, "do": "drop"}, {"n": 3, "do": "step", "at": -1}],
    ]
    assert [room_data.acts(one, 0) for one in wrong] == [[]] * len(wrong)
    assert [act.n for act in room_data.acts([{"n": 2, "do": "open"}, {"n": 1, "do": "talk"}], 1)] == [2]
    assert [
        room_data.ballot(one)
        for one in (None, {}, {"step": 1, "round": "1", "option": 0}, {"step": 1, "round": 1, "option": True})
    ] == [None] * 4
    assert room_data.ballot({"step": 4, "round": 1, "option": 2, "at": 9}) == Ballot(4, 1, 2)
