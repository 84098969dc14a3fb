"""Very many readings, and a reading of very many steps: memory and the file grow with what is kept."""

from __future__ import annotations

import pytest

from tests.hostile.growth import in_a_row, long_trace
from tests.support.readings.long_readings import SHORT


@pytest.mark.scale
def test_readings_in_a_row_leave_nothing_in_memory_and_are_listed_as_quickly() -> None:
    in_a_row()


@pytest.mark.scale
@pytest.mark.parametrize("reader_id", SHORT)
def test_thrice_the_steps_take_thrice_the_room(reader_id: str) -> None:
    long_trace(reader_id)
