"""A script without cookies is a new device each time it comes: it must not fill a class, nor vote in it as often as it likes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from streamlit.testing.v1 import AppTest

from components.session import classes
from components.session.classes import Rate
from readers.engine.store import Store
from readers.engine.teaching import codes
from readers.engine.teaching.classes import ClassQuestion, ClassSession, VoteOption
from readers.engine.teaching.tally import Ballot
from tests.components.trace.test_page import SAMPLE, read
from tests.support.app_pages import html, opened, words

TEACHER, ANN = codes.new_token(), codes.new_token()
ASKED = ClassQuestion(1, "Which?", (VoteOption("1", "part 1"), VoteOption("2", "part 2")), (0,))
FEW = codes.OWN_MACHINE._replace(learners=5)


@pytest.fixture
def held(store: Store, monkeypatch: pytest.MonkeyPatch) -> ClassSession:
    """A class of few places, with one device of its own, and a vote that is open."""
    monkeypatch.setattr(codes, "OWN_MACHINE", FEW)
    run = read(store, SAMPLE.questions[7].question)
    held = store.classes.begin(run.id, run.question, steps=9, token=TEACHER, limits=FEW)
    store.classes.join(held.code, ANN, FEW)
    store.connection.execute("UPDATE class_learners SET joined = '2020'")  # long before the script came
    store.classes.ask(held.code, TEACHER, ASKED)
    store.classes.open_vote(held.code, TEACHER)
    store.classes.hear(store.classes.get(held.code), ANN, FEW)
    store.classes.vote(held.code, ANN, Ballot(1, 1, 0))
    return held


@contextmanager
def stranger(held: ClassSession) -> Iterator[AppTest]:
    """The page of the class in a browser that has no cookie, and votes as soon as it may."""
    with opened("Class") as app:
        app.query_params["code"] = held.code
        app.session_state[f"class_device.{held.id}"] = {"vote": {"step": 1, "round": 1, "option": 1}}
        app.run()
        assert not app.exception
        yield app


def attack(held: ClassSession, times: int = 6) -> str:
    """What the page said last to a script that came so often."""
    for _ in range(times):
        with stranger(held) as app:
            said = html(app) + words(app)
    return said


def counted(store: Store, held: ClassSession) -> tuple[int, int]:
    """How many devices and how many votes the class has."""
    found = store.classes.get(held.code)
    return store.classes.learners.here(found), store.classes.voted(found)


def test_a_script_that_has_filled_a_class_is_removed_with_its_votes_and_stays_out(store: Store, held: ClassSession) -> None:
    assert "full" in attack(held)
    assert counted(store, held) == (5, 5)
    with opened("Class", cookies={classes.COOKIE: TEACHER}) as app:
        app.query_params["code"] = held.code
        app.session_state[f"class_room.{held.id}"] = {"acts": [{"n": 1, "do": "remove", "at": 10}]}
        app.run()
        assert not app.exception
    assert counted(store, held) == (1, 1)
    assert "closed the door" in attack(held)
    assert counted(store, held) == (1, 1)


def test_a_page_that_was_removed_does_not_join_again_by_itself(store: Store, held: ClassSession) -> None:
    with stranger(held) as app:
        store.classes.remove(held.code, TEACHER, minutes=1)
        store.classes.switch(held.code, TEACHER, "closed", on=False)
        app.run()
        assert "removed this device" in html(app)
        assert counted(store, held) == (1, 1)
        app.button[0].click().run()  # somebody is there
        assert counted(store, held)[0] == 2


def test_a_script_does_not_enter_where_a_word_is_asked_and_cannot_try_many(
    store: Store, held: ClassSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    word = store.classes.ask_word(held.code, TEACHER, on=True).state.word
    attack(held)
    assert counted(store, held) == (1, 1)
    joined, tried = Rate(9, 60), Rate(3, 60)
    monkeypatch.setattr(classes, "_rate_of_joining", lambda: joined)
    monkeypatch.setattr(classes, "_rate_of_words", lambda: tried)
    with stranger(held) as app:
        said = []
        for guess in ("anchor 1000", "anchor 1001", "anchor 1002", word):
            app.text_input[0].input(guess)
            app.button[0].click().run()
            said.append(words(app))
            assert word not in html(app) + said[-1]
    assert ["not the word" in one for one in said] == [True, True, True, False]
    assert "Too many wrong words" in said[-1]
    assert counted(store, held) == (1, 1)


def test_many_devices_from_one_address_are_let_in_one_after_the_other(
    store: Store, held: ClassSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    joined, tried = Rate(2, 60), Rate(1, 60)
    monkeypatch.setattr(classes, "_rate_of_joining", lambda: joined)
    monkeypatch.setattr(classes, "_rate_of_words", lambda: tried)
    word = store.classes.ask_word(held.code, TEACHER, on=True).state.word
    for _ in range(2):  # a right word does not count as tried
        with stranger(held) as app:
            app.text_input[0].input(word)
            app.button[0].click().run()
    assert counted(store, held) == (3, 3)
    store.classes.ask_word(held.code, TEACHER, on=False)
    assert "within a minute" in attack(held, 1)
    assert counted(store, held) == (3, 3)
