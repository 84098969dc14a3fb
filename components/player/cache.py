"""The player's data of finished readings, cached for all visitors of a process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from components.player import data, ending, lifeline, stops
from components.player.pictures import kind
from components.session.process_cache import by_reading, followed
from readers.engine.analysis import coverage
from readers.engine.analysis.facts.follow import Followed, evidence_of
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Reading
from readers.engine.text.document import Span


@by_reading(8)
def frames(reading: Reading) -> dict[str, Any]:
    """The frames of a reading."""
    return data.of(reading)


@by_reading(8)
def predictions(reading: Reading) -> stops.Predictions:
    """What can be predicted at each step of a reading."""
    return stops.predictions(reading)


@by_reading(32)
def source(reading: Reading) -> ending.SourceInWords:
    """Where the answer of a reading comes from."""
    picture = frames(reading) if kind(reading.run.reader) == "memory" else {}
    return ending.source_of(reading, picture)


@by_reading(32)
def covered(reading: Reading) -> list[coverage.CoverageCell]:
    """How much of each part of the text a reading covered."""
    return coverage.cells(reading.trace)


Lines = list[dict[str, Any]]


def lifelines(reading: Reading, places: Sequence[Span]) -> Lines:
    """The lifelines of places that a visitor marked, in their order."""
    return lifeline.lines(reading, followed_places(reading, places))


def followed_places(reading: Reading, places: Sequence[Span]) -> list[Followed]:
    """What became of places that a visitor marked, in their order."""
    return followed(reading, lifeline.allowed(reading.document, places))


def known_evidence(reading: Reading, known: KnownAnswer) -> dict[str, Any]:
    """What the player shows of a known answer: its places, and what became of the evidence in the reading."""
    return {**lifeline.known_places(reading.document.text, known), "lives": evidence_lifelines(reading, known)}


def evidence_lifelines(reading: Reading, known: KnownAnswer) -> Lines:
    """The lifelines of a known answer's evidence: of the first places, if there are many."""
    return lifeline.lines(reading, followed_evidence(reading, known))


def followed_evidence(reading: Reading, known: KnownAnswer) -> list[Followed]:
    """What became of a known answer's evidence: of the first places, if there are many."""
    return followed(reading, evidence_of(known, reading.document)[: lifeline.MOST_FACTS], known=known)
