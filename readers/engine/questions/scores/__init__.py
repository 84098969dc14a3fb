"""Scores as published and over everything asked: `SCORES["f1"].of(answer, known)`.

A score says how far one answer agrees with what is known, by the rule of one benchmark or paper. Pure. Not here: grading, which
suggests right or wrong to a person (`grading/`); ratings by a model (`rated.py` has what they amount to); tables and intervals
(`analysis/evaluate/`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores.babilong import BABILONG
from readers.engine.questions.scores.benchmarks import BENCHMARKS
from readers.engine.questions.scores.choices import CHOICES
from readers.engine.questions.scores.names import GROUPS, NOT_HERE, names_of, spelled
from readers.engine.questions.scores.rated import RATED, RatedScore
from readers.engine.questions.scores.rouge import ROUGE
from readers.engine.questions.scores.score import NOT_APPLICABLE, Score, Scored
from readers.engine.questions.scores.short_answers import SHORT_ANSWERS

SCORES: Mapping[str, Score] = {one.name: one for one in (*CHOICES, *SHORT_ANSWERS, *ROUGE, *BABILONG, *BENCHMARKS)}

__all__ = [
    "GROUPS", "NOT_APPLICABLE", "NOT_HERE", "RATED", "SCORES", "RatedScore", "Score", "Scored", "names_of", "scores_named",
    "scores_of",
]  # fmt: skip


def scores_named(names: Iterable[str]) -> tuple[Score, ...]:
    """The scores of these names, groups spelled out, each once. Names of no score are left out, and those that a model rates:
    they are in `RATED`."""
    return tuple(SCORES[name] for name in spelled(names) if name in SCORES)


def scores_of(known: KnownAnswer) -> tuple[Score, ...]:
    """The scores that a question is published with, or that suit it."""
    return scores_named(names_of(known))
