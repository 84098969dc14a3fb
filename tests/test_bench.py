"""The benchmark is run by hand, so its rows are only looked at here: that each is there, with every name it imports, and that the
phones of its class are answered."""

from __future__ import annotations

import pytest

from tests.bench import load
from tests.bench.__main__ import ROWS


def test_every_row_is_there_once() -> None:
    assert len(set(ROWS)) == len(ROWS) > 20


@pytest.mark.slow
def test_phones_that_poll_a_class_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "PHONES", 2)
    monkeypatch.setattr(load, "LONGEST_WAIT", 20.0)
    assert len(load._class(6.0).took) >= 2
