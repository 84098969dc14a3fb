"""How often something may happen: so often within the time, for each key, and again afterwards."""

from __future__ import annotations

import pytest

from components.session import classes
from components.session.classes import Rate


def test_each_key_has_so_many_within_the_time_and_again_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    at = 0.0
    found = Rate(2, 60, clock=lambda: at)
    assert [found.take("one") for _ in range(3)] == [True, True, False]
    assert found.take("other")
    found.give_back("one")
    assert [found.take("one") for _ in range(2)] == [True, False]
    at = 59.9
    assert not found.take("one")
    at = 60.0
    assert found.take("one")
    monkeypatch.setattr(classes, "MOST_KEYS", 1)
    at = 119.0
    assert found.take("third")
    assert set(found._taken) == {"one", "third"}  # the time of the other one is over
