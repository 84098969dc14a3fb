"""What became of the evidence in many readings. Pure.

A reading counts with the fate of the fact that came least far. Whether its answer is right is counted apart: it can be, though
the evidence never stood in the answering call. Not here: the counts (`flow.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from readers.engine.analysis.facts.fate import of_all
from readers.engine.analysis.facts.fates import FATES, Exit
from readers.engine.analysis.facts.follow import Followed
from readers.engine.analysis.facts.stages import course, possible_stations
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.trace import Trace
from readers.engine.run.batches import CellResult


def evidence_in(result: CellResult) -> KnownAnswer | None:
    """What is known of the answer, if this is a reading that ended and whose evidence is known."""
    known = KnownAnswer.of(result.question)
    ended = result.run is not None and result.run.status == "finished"
    return known if ended and known and known.evidence else None


class EvidenceFate(NamedTuple):
    """What became of all evidence together: the fate of the fact that came least far, the step (from 0) that decided it, and the
    stations it passed, of those there were; and whether any of the evidence stood in the answering call, or may have."""

    kind: str
    step: int
    in_view: bool
    passed: tuple[str, ...]
    possible: frozenset[str]

    @property
    def exit(self) -> Exit:
        return FATES[self.kind].exit


def together(evidence: Sequence[Followed], trace: Trace) -> EvidenceFate | None:
    """What became of all evidence of a reading; None if there is none, or the reading goes on."""
    fates = [one.fate for one in evidence if one.fate]
    least = of_all(fates)
    if least is None:
        return None
    life = next(one.life for one in evidence if one.fate is least)
    in_view = any(one.row.end != "dead" for one in fates)
    return EvidenceFate(least.kind, least.step, in_view, course(trace, life, least).passed, possible_stations(trace))
