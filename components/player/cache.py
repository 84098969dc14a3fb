"""The player's data of finished readings, cached for all visitors of a process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from components.player import data, lifeline
from components.session.process_cache import by_reading, kept_or_made
from readers.engine.analysis import coverage
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store.reading import Reading
from readers.engine.text.document import Span


@by_reading(8)
def frames(reading: Reading) -> dict[str, Any]:
    """The frames of a reading."""
    return data.of(reading)


@by_reading(32)
def covered(reading: Reading) -> list[coverage.CoverageCell]:
    """How much of each part of the text a reading covered."""
    return coverage.cells(reading.trace)


Lines = list[dict[str, Any]]


@by_reading(32)
def _lifelines(_: Reading) -> dict[object, Lines]:
    """The lifelines computed of a reading so far."""
    return {}


def lifelines(reading: Reading, places: Sequence[Span]) -> Lines:
    """The lifelines of places that a visitor marked."""
    return kept_or_made(_lifelines(reading), tuple(places), lambda: lifeline.of_places(reading, places))


def evidence_lifelines(reading: Reading, known: KnownAnswer) -> Lines:
    """The lifelines of a known answer's evidence."""
    return kept_or_made(_lifelines(reading), known, lambda: lifeline.of_evidence(reading, known))
