"""What became of the evidence in many readings, counted. Pure.

A reading counts with the fate of its facts together. Whether its answer is right is counted apart: it can be, though the evidence
never stood in the answering call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

from readers.engine.analysis.facts.fate import Fate, FateKind, of_all
from readers.engine.analysis.facts.follow import Followed
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.batches import CellResult
from readers.engine.store import Run

# How far the evidence came, in the order of a reading.
Stage = Literal["never reached", "lost in writing", "passed over", "opened, then left", "cannot be told", "not used", "in view"]
STAGES: tuple[Stage, ...] = get_args(Stage)
MAYBE_IN_VIEW: frozenset[Stage] = frozenset({"cannot be told", "not used", "in view"})
STAGE_OF: Mapping[FateKind, Stage] = {
    "cut off": "never reached",
    "never read": "never reached",
    "never offered": "never reached",
    "left out": "never reached",
    "lost in a text": "lost in writing",
    "not written down": "lost in writing",
    "overwritten": "lost in writing",
    "altered": "lost in writing",
    "passed over": "passed over",
    "opened, then left": "opened, then left",
    "taken out of view": "opened, then left",
    "cannot be told": "cannot be told",
    "in view, not used": "not used",
    "in view": "in view",
    "used": "in view",
}


@dataclass
class Counts:
    """The readings of one kind: those at each stage, how many of them are right, and how many are right though none of the
    evidence stood in the answering call."""

    at: dict[Stage, list[str]] = field(default_factory=lambda: {stage: [] for stage in STAGES})
    right: dict[Stage, int] = field(default_factory=lambda: dict.fromkeys(STAGES, 0))
    right_without: int = 0

    @property
    def total(self) -> int:
        return sum(map(len, self.at.values()))

    @property
    def right_in_all(self) -> int:
        return sum(self.right.values())


def evidence_in(result: CellResult) -> KnownAnswer | None:
    """What is known of the answer, if this is a reading that ended and whose evidence is known."""
    known = KnownAnswer.of(result.question)
    ended = result.run is not None and result.run.status == "finished"
    return known if ended and known and known.evidence else None


def is_right(result: CellResult) -> bool:
    """Whether the answer of a reading is right by rule."""
    return bool(result.grade and result.grade.outcome == "correct")


class ReadingFate(NamedTuple):
    """What became of all evidence of a reading together, whether its answer is right, and whether any of the evidence stood in
    the answering call, or may have."""

    run: str
    kind: FateKind
    right: bool
    in_view: bool


class EvidenceFate(NamedTuple):
    """What became of all evidence together, and whether any of it stood in the answering call, or may have."""

    fate: Fate
    in_view: bool


def together(evidence: Iterable[Followed]) -> EvidenceFate | None:
    """What became of all evidence of a reading; None if there is none, or the reading goes on."""
    fates = [one.fate for one in evidence if one.fate]
    least = of_all(fates)
    return EvidenceFate(least, any(STAGE_OF[one.kind] in MAYBE_IN_VIEW for one in fates)) if least else None


def counted_by_variant(
    results: Iterable[CellResult], variants: int, fate: Callable[[Run, KnownAnswer], EvidenceFate | None]
) -> list[Counts]:
    """What became of the evidence in a batch, for each of its variants; `fate` finds it for one reading. Readings without an end
    or without known evidence are not counted."""
    found: list[list[ReadingFate]] = [[] for _ in range(variants)]
    for one in results:
        known = evidence_in(one)
        if one.run and known and (came := fate(one.run, known)):
            found[one.cell.variant].append(ReadingFate(one.run.id, came.fate.kind, is_right(one), came.in_view))
    return [counted(own) for own in found]


def counted(fates: Iterable[ReadingFate]) -> Counts:
    """Count readings by how far their evidence came."""
    counts = Counts()
    for one in fates:
        stage = STAGE_OF[one.kind]
        counts.at[stage].append(one.run)
        counts.right[stage] += one.right
        counts.right_without += one.right and not one.in_view
    return counts
