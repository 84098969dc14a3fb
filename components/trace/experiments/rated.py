"""What a model that rated the answer of a reading said, among the experiments of the reading.

Not here: asking it (`readers/engine/forks/rater.py`), and ratings of many readings.
"""

from __future__ import annotations

import streamlit as st

from components.html import markup
from components.trace.experiments import inquiry
from components.trace.experiments.inquiry import Inquiry
from readers.engine.forks import rater
from readers.engine.forks.experiments import Experiment
from readers.engine.forks.rater import Rated
from readers.engine.models import catalogue
from readers.engine.questions.scores import RATED
from readers.engine.store import Reading


def _described(reading: Reading, experiment: Experiment) -> tuple[str, str]:
    found = _found(experiment)
    model = catalogue.title(str(experiment.runs[0].spec["model"]))
    return f"{model} rated the answer", scores_said(found) if found else "no rating has come"


def scores_said(found: Rated) -> str:
    """The scores of a rating in a clause: `LR-1: 0, LR-2: 1`."""
    return ", ".join(f"{RATED[name].title}: {one.value or 0:g}" for name, one in found.scores.items())


def _show(reading: Reading, experiment: Experiment) -> None:
    """Draw every reply of a rating in its own words."""
    found = _found(experiment)
    words = [one.capitalize() if one else "could not be read" for one in found.words] if found else []
    st.html(markup.aside(f"Its replies: {', '.join(words)}." if words else "No rating has come."))


def _found(experiment: Experiment) -> Rated | None:
    made = inquiry.recorded(experiment)
    return rater.rated(made.run, made.trace)


INQUIRY = Inquiry(rater.ID, "A model is rating the answer", _described, _show)
