"""What became of the evidence in many readings, counted. Pure.

A reading counts with the fate of its facts together. Whether its answer is right is counted apart: it can be, though the evidence
never stood in the answering call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from readers.engine.analysis.facts.fate import Fate, FateKind, of_all
from readers.engine.analysis.facts.follow import evidence_of, follow
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.batches import CellResult
from readers.engine.run.reader import Reader
from readers.engine.store.reading import Reading

# How far the evidence came, in the order of a reading.
Stage = Literal["never reached", "lost in writing", "passed over", "opened, then left", "cannot be told", "not used", "in view"]
STAGES: tuple[Stage, ...] = get_args(Stage)
STAGE_OF: Mapping[FateKind, Stage] = {
    "cut off": "never reached",
    "never read": "never reached",
    "never offered": "never reached",
    "lost in a text": "lost in writing",
    "not written down": "lost in writing",
    "overwritten": "lost in writing",
    "altered": "lost in writing",
    "passed over": "passed over",
    "left out": "opened, then left",
    "opened, then left": "opened, then left",
    "cannot be told": "cannot be told",
    "in view, not used": "not used",
    "in view": "in view",
    "used": "in view",
}


@dataclass
class Counts:
    """The readings of one kind: those at each stage, and how many of them have a right answer."""

    at: dict[Stage, list[str]] = field(default_factory=lambda: {stage: [] for stage in STAGES})
    right: dict[Stage, int] = field(default_factory=lambda: dict.fromkeys(STAGES, 0))

    @property
    def total(self) -> int:
        return sum(map(len, self.at.values()))

    @property
    def right_without(self) -> int:
        """The right answers that were given though the evidence is known not to have stood in the answering call."""
        return sum(self.right[stage] for stage in STAGES[: STAGES.index("cannot be told")])

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


def fate_of(reading: Reading, reader: Reader, known: KnownAnswer) -> Fate | None:
    """What became of all evidence together; None if there is no evidence, or the reading goes on."""
    facts = evidence_of(known, reading.document)
    return of_all(one.fate for one in follow(reading, reader, facts, known=known) if one.fate)


def counted(fates: Iterable[tuple[str, FateKind, bool]]) -> Counts:
    """Count readings: the id of each, its fate, and whether its answer is right."""
    counts = Counts()
    for run_id, kind, right in fates:
        stage = STAGE_OF[kind]
        counts.at[stage].append(run_id)
        counts.right[stage] += right
    return counts
