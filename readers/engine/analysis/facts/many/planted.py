"""A planted fact in the readings of a batch: for each depth, size and setting whether it was found, and else where it was lost.
Pure.

A cell is *found* where the answer is right by rule with the fact in view, *lucky* where it is right without. Not here: planting
(`questions/made/planted.py`), and following the fact through a reading (`evidence.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, get_args

from readers.engine.analysis.facts.many.evidence import EvidenceFate
from readers.engine.analysis.facts.many.flow import EXIT_OF, Exit, Way
from readers.engine.run.batches import CellResult

Found = Literal["found", "lucky", "partly", "lost", "unfinished"]
FOUND: tuple[Found, ...] = get_args(Found)
_OF_VERDICT: Mapping[str, Found] = {"right": "found", "lucky": "lucky", "partly right": "partly"}


class PlantedCell(NamedTuple):
    """A reading of a text with a planted fact: its variant (from 0), the text's tokens, the depth in percent, and what became of
    the fact: where it left the reading (None where it did not, or that is not known), and the step (from 0) that decided it."""

    variant: int
    tokens: int
    depth: float
    run: str | None
    found: Found
    lost_at: Exit | None
    step: int | None
    result: CellResult


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
    run = result.run
    fate = fates.get(run.id) if run else None
    return PlantedCell(
        result.cell.variant,
        *place,
        run.id if run else None,
        _found(result, fate),
        EXIT_OF[fate.kind] if fate else None,
        fate.step if fate else None,
        result,
    )


def _found(result: CellResult, fate: EvidenceFate | None) -> Found:
    if result.grade is None or result.run is None:
        return "unfinished"
    if fate is None:
        return "found" if result.grade.outcome == "correct" else "lost"
    way = Way(result.run.id, fate.passed, fate.kind, result.grade.outcome, fate.in_view, fate.possible)
    return _OF_VERDICT.get(way.verdict, "lost")
