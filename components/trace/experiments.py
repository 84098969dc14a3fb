"""Below a call: the inquiries that can be started, and the experiments that were made with the reading.

The cost of each is shown before it starts. Their runs are executed in `Jobs` like any reading, and survive leaving the page. Not
here: what an experiment is (`readers/engine/forks/experiments.py`), and the details of one kind (its own module).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.session import access, address, database, flash, process_cache, start_runs, state
from components.trace import ask_again, judge, leave_out, stands_on
from components.trace.inquiry import Inquiry
from components.widgets import progress
from readers import get
from readers.engine.errors import NotFound, ReadingError
from readers.engine.forks import experiments
from readers.engine.forks.experiments import Experiment
from readers.engine.run.execute import RunSpec
from readers.engine.store import Reading, Run
from readers.engine.work import Work

# In the order in which they are offered.
INQUIRIES: tuple[Inquiry, ...] = (
    leave_out.INQUIRY, ask_again.INQUIRY, stands_on.INQUIRY, stands_on.NEARNESS, judge.INQUIRY, judge.RATING,
)  # fmt: skip
_BY_READER = {inquiry.reader: inquiry for inquiry in INQUIRIES}


def inquiry_of(experiment: Experiment) -> Inquiry:
    return _BY_READER.get(experiment.reader, leave_out.INQUIRY)


def show(reading: Reading, seq: int | None) -> None:
    """Draw the panels for call `seq` and for the answer, closed at first, and the experiments with this reading."""
    made = made_of(reading)
    there = [experiment for experiment in made if going(experiment)]
    for inquiry in INQUIRIES:
        if not inquiry.panel:
            continue
        box = st.expander(inquiry.title, key=state.key(inquiry.key, reading.run.id), on_change="rerun")
        if box.open:
            with box:
                inquiry.panel(reading, seq)
                watch_all(there)
            there = []  # they are shown once
    _show_list(reading, made, there)


def made_of(reading: Reading) -> list[Experiment]:
    """The experiments with a reading, the latest first."""
    with access.opened() as store:
        return experiments.experiments_of(store, reading.run.id)


def _show_list(reading: Reading, made: Sequence[Experiment], there: Iterable[Experiment]) -> None:
    """Draw the experiments with a reading, latest first, after the progress of those that are `there`."""
    if not made:
        return
    with st.container(key="experiments"):
        st.html(markup.section("", "Experiments with this reading", hint=f"{len(made):,}"))
        watch_all(there)
        for number, experiment in enumerate(made):
            if not going(experiment):
                _show(reading, experiment, first=number == 0)


def going(experiment: Experiment) -> list[Run]:
    """The samples of an experiment that are running."""
    return [run for run in experiment.runs if start_runs.is_running(run)]


def watch_all(there: Iterable[Experiment], *, place: str = "") -> None:
    """Draw the progress of running experiments. `place` distinguishes its places on the page, if there are several."""
    for experiment in there:
        progress.watch(partial(_look, experiment.runs[0].parent or "", experiment.id), partial(_draw, experiment, place))


def _look(run_id: str, experiment_id: str) -> Work | None:
    """How far an experiment with a reading is: in samples, or in calls where it is one run."""
    with access.opened() as store:
        experiment = experiments.find_experiment(store, run_id, experiment_id)
        calls = sum(store.runs.tape(run.id).spent().calls for run in experiment.runs) if experiment else 0
    running = going(experiment) if experiment else []
    if not experiment or not running:
        return None
    inquiry, run, size = inquiry_of(experiment), experiment.runs[0], len(experiment.runs)
    stopping = all(one.cancel for one in running)
    if not inquiry.reader:
        done = size - len(running)
        notes = (f"{done} of {size} samples done", f"{calls:,} calls so far")
        return Work(done, size, stage=inquiry.doing, notes=notes, stopping=stopping)
    most = run.spec["caps"].get("max_calls")
    limit = f", at most {most:,}" if most else ""
    return Work(calls, most, stage=inquiry.doing, notes=(f"{calls:,} calls so far{limit}",), stopping=stopping)


def _draw(experiment: Experiment, place: str, work: Work) -> None:
    key = state.key("samples-going", experiment.id, place)
    progress.show(work, key=key, cancel=partial(_cancel, experiment) if access.may_change(experiment.runs[0].id) else None)


def _cancel(experiment: Experiment) -> None:
    for run in experiment.runs:
        if start_runs.is_running(run):
            process_cache.jobs().cancel(run.id)


def _show(reading: Reading, experiment: Experiment, *, first: bool) -> None:
    """Draw one experiment and its result; its rows once it is opened."""
    inquiry = inquiry_of(experiment)
    try:
        title, sentence = inquiry.describe(reading, experiment)
    except ReadingError as error:
        title, sentence = "an experiment", str(error)
    label = f"{markup.plain(wording.sentence(title))} **{markup.plain(wording.sentence(sentence))}**"
    box = st.expander(label, expanded=first, key=state.key("experiment", experiment.id), on_change="rerun")
    if box.open:
        with box:
            inquiry.show(reading, experiment)
            _acts(reading, experiment)


def _acts(reading: Reading, experiment: Experiment) -> None:
    """Draw the actions: open a sample, compare it with the reading, resume unfinished samples, delete the experiment."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=state.key("experiment-acts", experiment.id)):
        if not inquiry_of(experiment).reader:
            _open_one(reading, experiment.runs)
        resume_unfinished(experiment)
        gone = access.may_change(experiment.runs[0].id) and _delete(experiment)
    if not gone:
        return
    try:
        with access.opened() as store:
            experiments.delete_experiment(store, experiment)
    except ReadingError as error:
        flash.error(error)
        return
    st.rerun()


def resume_unfinished(experiment: Experiment, *, place: str = "") -> None:
    """Draw the button that resumes an experiment's unfinished samples, if there are any. `place`: as in `watch`."""
    broken = [run for run in experiment.resumable if run.is_of_version(get(run.reader).version)]
    key = state.key("resume", experiment.id, place)
    if not broken or not access.may_change(experiment.runs[0].id) or not st.button(f"Resume {len(broken)} unfinished", key=key):
        return
    try:
        start_runs.check_fork(broken[0], RunSpec.from_json(broken[0].spec).models, forks=0)
        start_runs.start_samples(broken)
    except ReadingError as error:
        flash.error(error)
        return
    st.rerun()


def _delete(experiment: Experiment) -> bool:
    """Whether the person confirmed deleting the experiment."""
    with st.popover("Delete this experiment"):
        count = len(experiment.runs)
        st.write(
            "This deletes the experiment with its sample."
            if count == 1
            else f"This deletes the experiment with its {count} samples."
        )
        return st.button("Delete", type="primary", key=state.key("delete", experiment.id))


def _open_one(reading: Reading, runs: Sequence[Run]) -> None:
    called = {run.id: f"{run.name or run.id}: {wording.state(run).word}" for run in runs}
    key = state.key("one_sample", runs[0].experiment)
    run_id = st.selectbox("A sample", list(called), format_func=lambda run_id: called[run_id], width=340, key=key)
    if run_id:
        st.page_link("pages/3_Trace.py", label="Open", query_params=address.to_trace(run_id))
        st.page_link(
            "pages/4_Compare.py", label="Compare with the reading", query_params=address.to_compare([reading.run.id, run_id])
        )


def show_alone(run: Run) -> None:
    """Draw the page of a reading that holds the calls of an experiment with another reading: it has no steps itself."""
    st.html(markup.page_title(get(run.reader).title))
    name = run.name or ""
    told = f"An experiment with a reading: {name}. The results are shown with that reading."
    st.html(markup.aside(told, protected=[name]))
    if run.parent:
        try:
            with database.opened() as store:
                store.runs.get(run.parent)
        except NotFound:
            st.html(markup.empty("The reading it belongs to was deleted."))
            return
        st.page_link("pages/3_Trace.py", label="Open the reading it belongs to", query_params=address.to_full(run.parent))
