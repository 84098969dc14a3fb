"""An inquiry: one kind of experiment with a reading, as Trace offers it, follows it and shows its result.

Each kind is a module of this package with an `INQUIRY`; `experiments.py` lists them. Not here: what their runs do
(`readers/engine/forks`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import streamlit as st

from components.html import markup
from components.session import access, database, start_runs, state
from readers.engine.forks import experiments
from readers.engine.forks.experiments import Experiment, Sampling
from readers.engine.models import catalogue
from readers.engine.models.call import ServedModel
from readers.engine.store import Reading, Run, Store, open_reading

NO_CALL = "No model was called at this step: choose another step."
ALL_ALIKE = "The offline model gives the same reply every time, so all samples of a kind will be alike."
AT_ZERO = "At temperature 0 most models repeat themselves, so samples say little there."


@dataclass(frozen=True)
class Inquiry:
    """A kind of experiment: the `reader` that makes its one run (empty: its samples are readings with a change), the words for
    what it is `doing` while it runs, a clause each for what it was and its result, and how its result is drawn. One that is
    offered for a call of a reading has a panel with a `title` and a `key`."""

    reader: str
    doing: str
    describe: Callable[[Reading, Experiment], tuple[str, str]]
    show: Callable[[Reading, Experiment], None]
    panel: Callable[[Reading, int | None], None] | None = None
    title: str = ""
    key: str = ""


def begin(
    reading: Reading,
    models: Sequence[ServedModel],
    make: Callable[[Store], Sequence[Run]],
    *,
    forks: int = 1,
    options: Mapping[str, Any] | None = None,
) -> NoReturn:
    """Start the runs that `make` puts on record, which may call these models, and draw the page again. `options` are theirs, if
    they have their own. Raises like `start_runs.check_fork`."""
    start_runs.check_fork(reading.run, models, forks=forks, options=options)
    with st.spinner("Starting …"):
        with access.opened() as store:
            runs = make(store)
        start_runs.start_samples(runs)
    st.rerun()


def recorded(experiment: Experiment) -> Reading:
    """The only run of an experiment in its present state."""
    (run,) = experiment.runs
    with database.opened() as store:
        return open_reading(store, run.id)


def sampling(reading: Reading, seq: int, label: str, *key: str, usual: int = experiments.DEFAULT_SAMPLES) -> Sampling:
    """Draw the fields for a number of samples from call `seq` on and for their temperature, and return these."""
    least, most, warm = experiments.MIN_SAMPLES, experiments.MAX_SAMPLES, experiments.default_temperature(reading, seq)
    count = st.number_input(label, least, most, usual, 1, width=190, key=state.key("samples", *key))
    temperature = st.number_input("Temperature", 0.0, 2.0, warm, 0.1, width=150, key=state.key("heat", *key))
    return Sampling(int(count), float(temperature))


def caption_alike(reading: Reading, seq: int, temperature: float | None) -> None:
    """Say where samples will be alike."""
    if experiments.settings_at(reading, seq).model == catalogue.OFFLINE:
        st.caption(ALL_ALIKE)
    elif temperature == 0:
        st.html(markup.aside(AT_ZERO))
