"""Many people at once: a few here, twelve in `make hostile` and with the tests of scale."""

from __future__ import annotations

import pytest

from tests.hostile.crowds import PEOPLE, ROUNDS, crowd


@pytest.mark.slow
def test_people_in_two_servers_read_what_they_would_alone() -> None:
    crowd(2, 3, 1)


@pytest.mark.scale
@pytest.mark.parametrize("servers", [1, 2])
def test_so_do_twelve(servers: int) -> None:
    crowd(servers, PEOPLE // servers, ROUNDS)
