"""The way of the evidence through many readings: from the text, stage by stage, to right and wrong answers; and of a planted
fact, for each depth, size and setting, whether it was found and, if not, where it was lost. Pure.

The evidence of a reading passes *stations*, at each of which it certainly was. It *leaves* where its fate was decided, or reaches
the answer, and the reading ends at a verdict on its answer. A band holds the readings that go from one place to the next, so as
many readings leave a place as enter it. A station that the rules cannot decide is skipped. A planted fact is *found* where the
answer is right by rule with the fact in view, *lucky* where it is right without. Not here: what became of the evidence in one
reading (`evidence.py`), planting (`questions/made/planted.py`), and the picture (`components/html/evidence_flow.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.analysis.facts.fates import (
    EXITS,
    LUCKY,
    NOT_GRADED,
    RIGHT,
    STATIONS,
    TELLINGS,
    USED,
    VERDICTS,
    Verdict,
    verdict,
)
from readers.engine.questions.grading import Outcome
from readers.engine.run.batches import CellResult

LEFT_AT = {name: one for name, one in EXITS.items() if one is not USED}
# Stations, exits and verdicts, by id: the column of each.
COLUMNS: Mapping[str, int] = {
    **{station: number for number, station in enumerate(STATIONS)},
    **{name: one.column for name, one in LEFT_AT.items()},
    **dict.fromkeys(VERDICTS, len(STATIONS)),
}
PLACES = tuple(COLUMNS)


class Way(NamedTuple):
    """The way of the evidence in one reading: what became of it, and the grade of the answer, if it has one."""

    run: str
    evidence: EvidenceFate
    grade: Outcome | None

    @property
    def verdict(self) -> Verdict:
        return verdict(self.grade, in_view=self.evidence.in_view)

    @property
    def is_right(self) -> bool:
        """Whether the answer is right by rule, with the evidence in view or without it."""
        return self.verdict in (RIGHT, LUCKY)

    @property
    def places(self) -> tuple[str, ...]:
        """The places from the text to the verdict, in the order of their columns."""
        left = self.evidence.exit
        if left is USED:
            return (*self.evidence.passed, self.verdict.id)
        return (*(one for one in self.evidence.passed if COLUMNS[one] < left.column), left.id, self.verdict.id)

    @property
    def perhaps_lucky(self) -> bool:
        """Whether the answer is right, and the words do not settle whether any of the evidence was in view."""
        return self.verdict is RIGHT and not self.evidence.certain

    @property
    def telling(self) -> str:
        """What an accuracy table would hide of this reading; empty for nothing."""
        if self.is_right or self.verdict is NOT_GRADED:
            return LUCKY.id if self.verdict is LUCKY else ""
        return self.evidence.exit.telling


class Band(NamedTuple):
    """From one place to the next."""

    source: str
    target: str


@dataclass(frozen=True)
class Flow:
    """Readings by band and by place, in the order of the columns; the stations that these readings have."""

    bands: Mapping[Band, tuple[str, ...]]
    places: Mapping[str, tuple[str, ...]]
    possible: frozenset[str]
    total: int


def flow(ways: Iterable[Way]) -> Flow:
    """The bands and places of many readings."""
    every = list(ways)
    bands: dict[Band, list[str]] = {}
    places: dict[str, list[str]] = {}
    for way in every:
        for place in way.places:
            places.setdefault(place, []).append(way.run)
        for source, target in pairwise(way.places):
            bands.setdefault(Band(source, target), []).append(way.run)
    order = PLACES.index
    return Flow(
        {band: tuple(bands[band]) for band in sorted(bands, key=lambda one: (order(one.source), order(one.target)))},
        {place: tuple(places[place]) for place in sorted(places, key=order)},
        frozenset().union(*(way.evidence.possible for way in every)),
        len(every),
    )


def told_apart(ways: Iterable[Way]) -> dict[str, tuple[str, ...]]:
    """The readings of each kind that an accuracy table hides."""
    every = list(ways)
    return {telling: tuple(way.run for way in every if way.telling == telling) for telling in TELLINGS}


def ways_by_variant(results: Iterable[CellResult], variants: int, fates: Mapping[str, EvidenceFate | None]) -> list[list[Way]]:
    """The way of the evidence in each reading of a batch, by variant; `fates` are by run. Readings without a fate have no way."""
    found: list[list[Way]] = [[] for _ in range(variants)]
    for one in results:
        if one.run and (came := fates.get(one.run.id)):
            found[one.cell.variant].append(Way(one.run.id, came, one.grade.outcome if one.grade else None))
    return found


class PlantedCell(NamedTuple):
    """A reading of a text with a planted fact: its variant (from 0), the text's tokens, the depth in percent, the verdict on the
    answer (None before there is one), and what became of the fact, once that is known."""

    variant: int
    tokens: int
    depth: float
    verdict: Verdict | None
    fate: EvidenceFate | None
    result: CellResult

    @property
    def run(self) -> str | None:
        return self.result.run.id if self.result.run else None

    @property
    def found(self) -> str:
        return self.verdict.found if self.verdict else "unfinished"

    @property
    def lost_at(self) -> str:
        """Where the fact left the reading; empty where it did not, or that is not known."""
        return self.fate.exit.id if self.fate and self.fate.exit is not USED else ""


def is_planted(results: Iterable[CellResult]) -> bool:
    """Whether these readings are of texts with planted facts."""
    return any(_place(one) for one in results)


def planted_cells(results: Iterable[CellResult], fates: Mapping[str, EvidenceFate | None]) -> list[PlantedCell]:
    """The readings of planted facts, by variant, size and depth; `fates` are by run."""
    cells = [_cell(one, place, fates) for one in results if (place := _place(one))]
    return sorted(cells, key=lambda cell: (cell.variant, cell.tokens, cell.depth, cell.result.cell.sample))


def _place(result: CellResult) -> tuple[int, float] | None:
    """The tokens of the text, and the depth of the fact in it; None where none was planted at one depth."""
    told = {one.name: one.value for one in result.question.fields}
    try:
        return int(told["text_tokens"]), float(told["depth"])
    except (KeyError, ValueError):
        return None


def _cell(result: CellResult, place: tuple[int, float], fates: Mapping[str, EvidenceFate | None]) -> PlantedCell:
    fate = fates.get(result.run.id) if result.run else None
    came_out = None
    if result.run and result.grade:
        came_out = verdict(result.grade.outcome, in_view=fate is None or fate.in_view)
    return PlantedCell(result.cell.variant, *place, came_out, fate, result)
