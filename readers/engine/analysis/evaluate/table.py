"""A table of readers by scores: each score as published and over everything asked, with intervals and the traps between the two.

Pure. As published, what the published scorer leaves out is not in the denominator; over everything asked, a question without an
answer counts 0. Not here: which of two readers is ahead (`compare.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from readers.engine.analysis.evaluate.figures import FIGURES
from readers.engine.analysis.evaluate.rows import ScoredReading
from readers.engine.statistics.intervals import SHARE, MeanEstimate, QuestionValue, estimate


@dataclass(frozen=True)
class ScoreCell:
    """A score of a reader. `dropped` readings are not in the published denominator; `traps` says how many readings each trap
    changed; `unscored` are readings that the score does not apply to."""

    reader: str
    score: str
    asked: MeanEstimate
    published: MeanEstimate
    dropped: int = 0
    unscored: int = 0
    traps: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Scores:
    """Readers and scores in the order in which they came, and the cells of those that have values."""

    readers: tuple[str, ...]
    scores: tuple[str, ...]
    cells: Mapping[tuple[str, str], ScoreCell]

    def cell(self, reader: str, score: str) -> ScoreCell | None:
        return self.cells.get((reader, score))

    @property
    def notes(self) -> list[str]:
        """Why intervals are missing, each reason once."""
        return list(dict.fromkeys(f"{cell.asked.note.capitalize()}." for cell in self.cells.values() if cell.asked.note))


def scores_of(rows: Iterable[ScoredReading]) -> Scores:
    """The table of these rows. Rows of one reader and question with different samples all count."""
    by_reader: dict[str, list[ScoredReading]] = {}
    for row in rows:
        by_reader.setdefault(row.reader, []).append(row)
    scores = tuple(dict.fromkeys(score for of in by_reader.values() for row in of for score in row.scores))
    cells: dict[tuple[str, str], ScoreCell] = {}
    for reader, of in by_reader.items():
        cells |= _cells(reader, of, scores)
    return Scores(tuple(by_reader), tuple(name for name in scores if any(name == of for _, of in cells)), cells)


def _cells(reader: str, rows: Sequence[ScoredReading], scores: Sequence[str]) -> dict[tuple[str, str], ScoreCell]:
    cells = {}
    for name in scores:
        bounds = FIGURES[name].bounds if name in FIGURES else SHARE
        asked, published = (estimate(values_of(rows, name, published=of), bounds) for of in (False, True))
        if not asked.of:
            continue
        traps = Counter(trap for row in rows if name in row.scores for trap in row.scores[name].traps)
        cells[reader, name] = ScoreCell(
            reader, name, asked, published, dropped=asked.of - published.of, unscored=len(rows) - asked.of,
            traps=dict(traps.most_common()),
        )  # fmt: skip
    return cells


def values_of(rows: Iterable[ScoredReading], score: str, *, published: bool = False) -> list[QuestionValue]:
    """The values of a score over everything asked, or as published, without the rows that it does not apply to or leaves out."""
    numbers = ((row, row.scores.get(score)) for row in rows)
    picked = ((row, of.published if published else of.value) for row, of in numbers if of is not None)
    return [QuestionValue(row.text, row.question, number) for row, number in picked if number is not None]
