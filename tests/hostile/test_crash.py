"""What is killed at random moments and resumed: once in `make test`, ten times as a test of scale, thirty in `make hostile`."""

from __future__ import annotations

import pytest

from tests.hostile.crash import killed
from tests.hostile.kills import EVERY


@pytest.mark.slow
def test_what_is_killed_and_resumed_loses_nothing_and_asks_nothing_again() -> None:
    killed(*EVERY[:-1], kills=1)


@pytest.mark.scale
@pytest.mark.parametrize("what", EVERY)
def test_so_it_is_after_many_kills(what: str) -> None:
    killed(what, kills=10)
