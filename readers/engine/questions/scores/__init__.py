"""Scores as published and over everything asked: `SCORES["f1"].of(answer, known)`.

A score says how far one answer agrees with what is known, by the rule of one benchmark or paper. Pure. Not here: grading, which
suggests right or wrong to a person (`grading/`); ratings by a model (`rated.py` has what they amount to); tables and intervals
(`analysis/evaluate/`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readers.engine.questions.scores.babilong import BABILONG
from readers.engine.questions.scores.benchmarks import BENCHMARKS
from readers.engine.questions.scores.choices import CHOICES
from readers.engine.questions.scores.rated import RATED, RatedScore
from readers.engine.questions.scores.rouge import ROUGE
from readers.engine.questions.scores.score import NOT_APPLICABLE, Score, Scored
from readers.engine.questions.scores.short_answers import SHORT_ANSWERS

SCORES: Mapping[str, Score] = {one.name: one for one in (*CHOICES, *SHORT_ANSWERS, *ROUGE, *BABILONG, *BENCHMARKS)}
GROUPS: Mapping[str, tuple[str, ...]] = {"rouge": ("rouge_1", "rouge_2", "rouge_l"), "lr": ("lr_1", "lr_2")}

__all__ = ["GROUPS", "NOT_APPLICABLE", "RATED", "SCORES", "RatedScore", "Score", "Scored", "scores_named"]


def scores_named(names: Sequence[str]) -> tuple[Score, ...]:
    """The scores of these names, groups spelled out, each once. Names of no score are left out, and those that a model rates:
    they are in `RATED`."""
    spelled = [one for name in names for one in GROUPS.get(name, (name,))]
    return tuple(SCORES[name] for name in dict.fromkeys(spelled) if name in SCORES)
