"""Messages left for the next drawing of a page: shown once, or for some seconds where the page redraws by itself."""

from __future__ import annotations

import re

import pytest
import streamlit as st

from components.session import flash
from readers.engine.errors import StoreError
from tests.support.paths import ROOT


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})


def test_a_message_is_taken_once_and_a_new_one_replaces_the_old_one_of_its_place() -> None:
    flash.leave("success", "Saved.", at="here")
    flash.leave("success", "Saved again.", at="here")
    assert [message.text for message in flash.take("here")] == ["Saved again."]
    assert flash.take("here") == []


def test_a_staying_message_survives_redraws_for_some_seconds_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(flash.time, "monotonic", lambda: now)
    flash.leave("success", "Saved.", at="here")
    now += 1000  # nobody has seen it yet
    for _ in range(3):
        assert [message.text for message in flash.staying("here")] == ["Saved."]
        now += flash.STAYS_SECONDS / 4
    assert flash.staying("there") == []
    now += flash.STAYS_SECONDS / 4
    assert flash.staying("here") == []


def test_a_fragment_shows_its_error_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(st, "error", shown.append)

    @flash.errors_shown
    def draw(what: str) -> None:
        raise StoreError(f"the disk is full: {what}")

    draw("no room")
    assert [words.replace("\\", "") for words in shown] == ["The disk is full: no room."]


def test_every_fragment_does() -> None:
    """It is drawn again alone, outside what shows the errors of its page."""
    drawn = [
        (path.name, after)
        for path in (ROOT / "components").rglob("*.py")
        for after in re.findall(r"@st\.fragment[^\n]*\n([^\n]*)", path.read_text(encoding="utf-8"))
    ]
    assert len(drawn) > 5
    assert [one for one in drawn if one[1] != "@flash.errors_shown"] == []
