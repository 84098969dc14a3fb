"""Grading by rule: every labelled answer of `tests/grading`, against comparing the words of the same answers with ROUGE-L."""

from __future__ import annotations

from rouge_score.rouge_scorer import RougeScorer

from readers.engine.questions.grading import grade
from tests.bench.cutting import ROUNDS, best_of
from tests.grading.measure import asked


def graded() -> tuple[str, str, float, float]:
    every = asked()

    def work() -> None:
        for answer, known in every:
            assert grade("answered", answer, (), known)

    def bare() -> None:
        scorer = RougeScorer(["rougeL"])
        for answer, known in every:
            for one in known.answers:
                scorer.score(one, answer)

    what = f"{len(every):,} answers graded by rule"
    return what, "ROUGE-L of the same answers", best_of(ROUNDS, work) / best_of(ROUNDS, bare), 45.0
