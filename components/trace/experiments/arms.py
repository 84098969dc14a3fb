"""The two arms of an experiment with a change: what was changed, what came of it in a line, and every answer with its counts.

A change that leaves something out is told as *without it*, any other as *with it*. Not here: starting experiments, and their list
(`experiments.py`).
"""

from __future__ import annotations

import streamlit as st

from components.html import markup
from components.html.figures import pictures
from components.session.visitor import access, hidden_answers
from components.trace.experiments import experiments_wording
from readers.engine.analysis.facts.mending import results
from readers.engine.forks.describe_edit import describe
from readers.engine.forks.experiment_results import ExperimentOutcome
from readers.engine.forks.experiments import Experiment
from readers.engine.forks.removable import leaves_out
from readers.engine.store.reading import Reading


def adds(experiment: Experiment) -> bool:
    """Whether an experiment changed something otherwise than by leaving it out."""
    return experiment.edit is not None and not leaves_out(experiment.edit)


def called(experiment: Experiment) -> str:
    """What the samples with the change are called."""
    return "with it" if adds(experiment) else "without it"


def described(experiment: Experiment) -> str:
    """What an experiment changed, in a clause."""
    return describe(experiment.changed[0].edit or {})


def result(reading: Reading, experiment: Experiment) -> str:
    """`answered rightly in 5 of 6; unchanged 0 of 6`; counted in changed answers where the right one is not known here."""
    with access.opened() as store:
        known = hidden_answers.known_answer(store, reading.run, hidden_answers.hidden_questions(store))
    return results.result(reading.run, experiment.changed, experiment.unchanged, known=known)


def draw(found: ExperimentOutcome, changed: str) -> None:
    """Draw every answer with its counts in both arms; `changed` is what the first arm is called."""
    if missing := experiments_wording.left_over(found, changed):
        st.html(markup.aside(missing))
    counts = (found.without.finished, found.unchanged.finished)
    st.html(pictures.tally(("Answer", changed, "unchanged"), experiments_wording.answers(found), counts))
