"""A planted fact in the readings of a batch: for each depth, size and setting whether it was found, and else where it was lost.
Pure.

A cell is *found* where the answer is right by rule with the fact in view, *lucky* where it is right without. Not here: planting
(`questions/made/planted.py`), and following the fact through a reading (`evidence.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from readers.engine.analysis.facts.fates import USED, Verdict, verdict
from readers.engine.analysis.facts.many.evidence import EvidenceFate
from readers.engine.run.batches import CellResult


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
