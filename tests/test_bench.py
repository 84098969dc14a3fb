"""The benchmark is run by hand, so its rows are only looked at here: that each is there, with every name it imports."""

from __future__ import annotations

from tests.bench.__main__ import ROWS


def test_every_row_is_there_once() -> None:
    assert len(set(ROWS)) == len(ROWS) > 20
