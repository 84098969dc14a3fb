"""Messages left for the next drawing of a page: shown once, or for some seconds where the page redraws by itself."""

from __future__ import annotations

import pytest
import streamlit as st

from components.session import flash


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
