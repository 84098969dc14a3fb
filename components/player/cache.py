"""The player's data of finished readings, cached for all visitors of a process."""

from __future__ import annotations

from typing import Any

from components.player import data
from components.session.process_cache import by_reading
from readers.engine.analysis import coverage
from readers.engine.store.reading import Reading


@by_reading(8)
def frames(reading: Reading) -> dict[str, Any]:
    """The frames of a reading."""
    return data.of(reading)


@by_reading(32)
def covered(reading: Reading) -> list[coverage.CoverageCell]:
    """How much of each part of the text a reading covered."""
    return coverage.cells(reading.trace)
