"""What became of the evidence in many readings: the way of each, by variant. Pure.

A reading counts with the fate of the fact that came least far. Whether its answer is right is counted apart: it can be, though
the evidence never stood in the answering call. Not here: the counts (`flow.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from readers.engine.analysis.facts.fate import FateKind, of_all
from readers.engine.analysis.facts.follow import Followed
from readers.engine.analysis.facts.many.flow import Station, Way, possible_stations, stations
from readers.engine.analysis.facts.stages import course
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.trace import Trace
from readers.engine.run.batches import CellResult

MAYBE_IN_VIEW: frozenset[FateKind] = frozenset({"cannot be told", "in view, declined", "in view, not used", "in view", "used"})


def evidence_in(result: CellResult) -> KnownAnswer | None:
    """What is known of the answer, if this is a reading that ended and whose evidence is known."""
    known = KnownAnswer.of(result.question)
    ended = result.run is not None and result.run.status == "finished"
    return known if ended and known and known.evidence else None


class EvidenceFate(NamedTuple):
    """What became of all evidence together: the fate of the fact that came least far, the step (from 0) that decided it, and the
    stations it passed, of those there were; and whether any of the evidence stood in the answering call, or may have."""

    kind: FateKind
    step: int
    in_view: bool
    passed: tuple[Station, ...]
    possible: frozenset[Station]


def together(evidence: Sequence[Followed], trace: Trace) -> EvidenceFate | None:
    """What became of all evidence of a reading; None if there is none, or the reading goes on."""
    fates = [one.fate for one in evidence if one.fate]
    least = of_all(fates)
    if least is None:
        return None
    life = next(one.life for one in evidence if one.fate is least)
    passed = stations(course(trace, life, least))
    in_view = any(one.kind in MAYBE_IN_VIEW for one in fates)
    return EvidenceFate(least.kind, least.step, in_view, passed, possible_stations(trace))


def ways_by_variant(results: Iterable[CellResult], variants: int, fates: Mapping[str, EvidenceFate | None]) -> list[list[Way]]:
    """The way of the evidence in each reading of a batch, by variant; `fates` are by run. Readings without a fate have no way."""
    found: list[list[Way]] = [[] for _ in range(variants)]
    for one in results:
        if one.run and (came := fates.get(one.run.id)):
            grade = one.grade.outcome if one.grade else None
            found[one.cell.variant].append(Way(one.run.id, came.passed, came.kind, grade, came.in_view, came.possible))
    return found
