"""What an experiment with an offer brought, in one line: how often it was answered rightly with it, and how often without. Pure.

Where a rule can tell of every answer whether it is right, the line counts that; otherwise it counts changed answers, as every
experiment does (`forks/experiment_results.py`). Counts are reported as counts. Not here: what is offered (`mend.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from readers.engine.forks.experiment_results import compare_arms, has_finished
from readers.engine.questions.grading import grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Run


def result(parent: Run, changed: Sequence[Run], unchanged: Sequence[Run], *, known: KnownAnswer | None) -> str:
    """`answered rightly in 5 of 6; unchanged 0 of 6`, or `the answer changed in 5 of 6; unchanged 1 of 6`; of the samples that
    finished."""
    with_it, without = ([run for run in runs if has_finished(parent, run)] for runs in (changed, unchanged))
    if not with_it:
        return "no sample with it has finished"
    counted = [_right(with_it, known), _right(without, known)]
    said = "answered rightly"
    if None in counted:
        found = compare_arms(parent, with_it, without)
        counted = [found.without.changed, found.unchanged.changed]
        said = "the answer changed" if found.answered else "the outcome changed"
    other = f"unchanged {counted[1]} of {len(without)}" if without else "no unchanged sample has finished"
    return f"{said} in {counted[0]} of {len(with_it)}; {other}"


def _right(runs: Sequence[Run], known: KnownAnswer | None) -> int | None:
    """How many of these answers are right; None if a rule cannot tell of each."""
    grades = [grade(run.outcome, run.answer, run.spec.get("choices") or (), known) for run in runs]
    outcomes = [one.outcome if one else "not_judgeable" for one in grades]
    if known is None or "not_judgeable" in outcomes:
        return None
    return sum(outcome in ("correct", "abstained_right") for outcome in outcomes)
