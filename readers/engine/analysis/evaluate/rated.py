"""Ratings by models as columns of a table: the mean over raters of each answer, and how far the raters agree. Pure.

A rating stands in the table as a share of its highest value. An empty answer is not rated, and counts 0; an answer that no model
has rated yet is left out. Not here: asking models (`forks/rater.py`), and the scores (`questions/scores/rated.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from readers.engine.analysis.evaluate.evaluated import Evaluated, Evaluation
from readers.engine.analysis.evaluate.rows import ScoredReading
from readers.engine.forks.rater import Rated, RatingKind, agreement
from readers.engine.questions.scores import RATED, Scored
from readers.engine.questions.scores.rated import helmet_score, lr_scores, mean_of_raters
from readers.engine.statistics.agreement import Coefficient

Ratings = Mapping[str, Sequence[Rated]]  # by reading
KINDS: tuple[RatingKind, ...] = ("lr", "helmet")


class Raters(NamedTuple):
    """The models that gave one kind of rating, to how many answers at least one did, and how far they agree."""

    kind: RatingKind
    models: tuple[str, ...]
    answers: int
    agreement: tuple[Coefficient, ...]


def with_ratings(found: Evaluation, ratings: Ratings) -> Evaluation:
    """The readings with the ratings of their answers beside their scores."""
    kinds = [kind for kind in KINDS if any(one.kind == kind for some in ratings.values() for one in some)]
    return replace(found, readings=tuple(_rated(one, kinds, ratings.get(one.row.run, ())) for one in found.readings))


def raters(ratings: Ratings) -> list[Raters]:
    """The raters of each kind."""
    found = []
    for kind in KINDS:
        by_reading = {run: [one for one in some if one.kind == kind] for run, some in ratings.items()}
        models = dict.fromkeys(one.model for some in by_reading.values() for one in some)
        if models:
            agreed = agreement(by_reading.items(), kind) if len(models) > 1 else []
            found.append(Raters(kind, tuple(models), sum(bool(some) for some in by_reading.values()), tuple(agreed)))
    return found


def _rated(one: Evaluated, kinds: Sequence[RatingKind], given: Sequence[Rated]) -> Evaluated:
    scores: dict[str, Scored] = {}
    for kind in kinds:
        by_rater = [rating.scores for rating in given if rating.kind == kind]
        if by_rater:
            scores |= mean_of_raters(by_rater)
        elif not one.answered:
            scores |= lr_scores([]) if kind == "lr" else helmet_score(None)
    row = one.row
    shares = {name: _share(name, score) for name, score in scores.items()}
    return replace(one, row=ScoredReading(row.reader, row.text, row.question, {**row.scores, **shares}, row.sample, row.run))


def _share(name: str, score: Scored) -> Scored:
    """The score as a share of its highest value."""
    most = RATED[name].range[1]
    value, published = (None if number is None else number / most for number in (score.value, score.published))
    return Scored(value, published, score.traps)
