"""What is killed at random moments and resumed: once here, each thirty times in `make hostile`."""

from __future__ import annotations

import pytest

from tests.hostile.crash import killed
from tests.hostile.kills import EVERY


@pytest.mark.slow
def test_what_is_killed_and_resumed_loses_nothing_and_asks_nothing_again() -> None:
    killed(*EVERY[:-1], kills=1)


@pytest.mark.scale
def test_so_it_is_of_the_server() -> None:
    killed(EVERY[-1], kills=3)
