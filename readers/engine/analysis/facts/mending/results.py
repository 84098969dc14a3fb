"""Which experiments tried an offer, and in one line what each brought: how often it was answered rightly with it and without.

Where the right answer is known, right answers are counted by rule, and it is said of how many a rule cannot tell. If it can tell
of none, or nothing is known, changed answers are counted, as every experiment does (`forks/experiment_results.py`). Counts are
reported as counts. Not here: what is offered (`offers.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from readers.engine.analysis.facts.mending.offers import Offer
from readers.engine.forks import resample
from readers.engine.forks.experiment_results import compare_arms, has_finished
from readers.engine.forks.experiments import Experiment
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.edits import PromptEdit
from readers.engine.store import Run


def tries(experiment: Experiment, offer: Offer) -> bool:
    """Whether an experiment tried an offer: the call asked again, or the same change."""
    if offer.edit is None:
        return experiment.reader == resample.ID and experiment.at == offer.seq
    edit = experiment.edit
    return (replace(edit, asked="") if isinstance(edit, PromptEdit) else edit) == offer.edit


def result(parent: Run, changed: Sequence[Run], unchanged: Sequence[Run], *, known: KnownAnswer | None) -> str:
    """`answered rightly in 5 of 6; unchanged 0 of 6`, or `the answer changed in 5 of 6; unchanged 1 of 6`; of the samples that
    finished."""
    with_it, without = ([run for run in runs if has_finished(parent, run)] for runs in (changed, unchanged))
    if not with_it:
        return "no sample with it has finished"
    graded = [[_outcome(run, known) for run in runs] for runs in (with_it, without)]
    untold = sum(outcomes.count("not_judgeable") for outcomes in graded)
    if untold < len(with_it) + len(without):
        said, counted = "answered rightly", [sum(outcome in _RIGHT for outcome in outcomes) for outcomes in graded]
    else:
        found = compare_arms(parent, with_it, without)
        said = "the answer changed" if found.answered else "the outcome changed"
        counted = [found.without.changed, found.unchanged.changed]
        untold = 0
    other = f"unchanged {counted[1]} of {len(without)}" if without else "no unchanged sample has finished"
    note = f"; of {untold} answer{'s' * (untold > 1)} a rule cannot tell" if untold else ""
    return f"{said} in {counted[0]} of {len(with_it)}; {other}{note}"


_RIGHT = ("correct", "abstained_right")


def _outcome(run: Run, known: KnownAnswer | None) -> str:
    found = run.graded(known) if known else None
    return found.outcome if found else "not_judgeable"
