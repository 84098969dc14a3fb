"""Below a call: leave one thing out and see whether the answer changes, or ask the call again and see how stable the choice is.

The cost of either is estimated before it starts. Samples run in `Jobs` like any reading, and survive leaving the page. Not here:
what an experiment is (`readers/engine/forks/experiments.py`), its results (`experiment_results.py`), and their wording
(`experiments_wording.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from components.html import markup
from components.html.figures import pictures
from components.html.markup import Fact
from components.html.words import wording
from components.html.words.estimate_words import calls_words, price_rows, price_words
from components.session import process_cache
from components.session.demo import demo_limits
from components.session.page import address, database, flash, state
from components.session.page.drawing import fragment
from components.session.visitor import access
from components.session.work import start_runs
from components.trace import html, keys
from components.trace.experiments import arms, experiments_wording, judge, rated, stands_on, stands_on_wording
from readers import get
from readers.engine.canonical import canonical
from readers.engine.errors import NotFound, ReadingError
from readers.engine.forks import experiments, fork, resample
from readers.engine.forks.experiment_results import RULE, RULE_OF_CHOICES, Firmness, compare_arms, firmness
from readers.engine.forks.experiments import ArmPrices, Experiment, Sampling
from readers.engine.forks.removable import Removable, describe_removed, removable_at
from readers.engine.models import catalogue
from readers.engine.record import edits
from readers.engine.record.edits import LEFT_OUT, Edit
from readers.engine.record.journal import decode_parts
from readers.engine.run.execute import RunSpec
from readers.engine.store import Run
from readers.engine.store.reading import Reading
from readers.engine.text.phrases import call_number, capitalised
from readers.engine.work import Price

POLL = 1.0
MANY = 20  # above this number of things to leave out, a search field appears
NO_CALL = "No model was called at this step: choose another step."
WHAT = (
    "Continues the reading without it several times, and as often with nothing changed. Differences among the unchanged "
    "readings are due to chance; a change is compared with them."
)
ALL_ALIKE = "The offline model gives the same reply every time, so all samples of a kind will be alike."
AT_ZERO = "At temperature 0 most models repeat themselves, so samples say little there."


def show(reading: Reading, seq: int | None) -> None:
    """Draw the panels for call `seq` and for the answer, closed at first, and the experiments with this reading."""
    run = reading.run
    made = made_of(reading)
    there = tuple(experiment.id for experiment in made if going(experiment))
    box = st.expander(
        "Leave one out: does the answer change without it?", key=state.key(keys.LEAVE_OUT, run.id), on_change="rerun"
    )
    below = box.open
    if box.open:
        with box:
            _leave_one_out(reading, seq)
            if there:
                watch(run.id, there)
    box = st.expander("How stable is this choice? Ask again", key=state.key(keys.FIRM, run.id), on_change="rerun")
    if box.open:
        with box:
            _stability(reading, seq)
            if there and not below:
                watch(run.id, there)
    below = below or box.open
    box = st.expander(stands_on_wording.TITLE, key=state.key(keys.STANDS_ON, run.id), on_change="rerun")
    if box.open:
        with box:
            stands_on.show_panel(reading)
            if there and not below:
                watch(run.id, there)
    show_list(reading, made, there if not below and not box.open else ())


# Leave one out


def _leave_one_out(reading: Reading, seq: int | None) -> None:
    if seq is None:
        st.html(markup.empty(NO_CALL))
        return
    st.caption(WHAT)
    item = _thing(reading, seq)
    if item is None:
        return
    key = (reading.run.id, seq, state.short_hash(canonical(edits.to_json(item.edit))))
    try:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            count = number("Samples of each kind", state.key(keys.SAMPLES, keys.LEAVE_OUT, reading.run.id))
            temperature = temperature_field(reading, seq, state.key(keys.HEAT, keys.LEAVE_OUT, reading.run.id))
            plan = plan_of(reading, item.edit, temperature)
            most = int(
                st.number_input(
                    "Most calls per sample", 1, 100_000, plan.most_calls, 1, width=210, key=state.key(keys.MOST_CALLS, *key)
                )
            )
        at, price = fork.first_call(reading, item.edit), plan.samples(count)
        st.caption(_where(at, item))
        st.html(markup.fact_list(_figures(price, at, most)))
        caption_alike(reading, seq, temperature)
        label = f"Start {price.of} readings: {price_words(price)}"
        if st.button(markup.plain(label), type="primary", key=state.key(keys.TRY_IT, *key)):
            start(reading, item.edit, Sampling(count, temperature, most))
    except ReadingError as error:
        flash.error(error)


def _thing(reading: Reading, seq: int) -> Removable | None:
    """Draw the choice of what to leave out of a call's prompt, and return it."""
    names = get(reading.run.reader).names(reading.trace)
    offer = removable_at(reading.trace, seq, names)
    find = ""
    if len(offer.items) + offer.more > MANY:
        find = st.text_input(
            "Find what to leave out", placeholder="words it contains", key=state.key(keys.FIND, keys.DROPPED, reading.run.id, seq)
        )
        offer = removable_at(reading.trace, seq, names, find=find) if find.strip() else offer
    if not offer.items:
        none = (
            "Nothing in this prompt contains these words."
            if find.strip()
            else "This prompt contains nothing that can be left out."
        )
        st.html(markup.empty(none))
        return None
    items = offer.items
    chosen = st.selectbox(
        f"What to leave out at {call_number(seq)}",
        range(len(items)),
        format_func=lambda n: f"{items[n].label}: {items[n].excerpt}",
        key=state.key(keys.DROPPED, reading.run.id, seq, state.short_hash(find)),
    )
    if offer.more:
        st.caption(f"{offer.more:,} more are not listed; search for them by their words.")
    item = items[chosen]
    st.html(html.left_out(item.words))
    return item


class _PlanKey(NamedTuple):
    """What an estimate depends on: a reading that has ended, the edit, and the temperature."""

    run_id: str
    ended: str | None
    edit: str
    temperature: float


@st.cache_resource(max_entries=64, show_spinner=False)
def _planned(key: _PlanKey, _reading: Reading, _edit: Edit) -> ArmPrices:
    with database.opened() as store:
        return experiments.price(store, _reading, get(_reading.run.reader), _edit, Sampling(1, key.temperature))


def plan_of(reading: Reading, edit: Edit, temperature: float) -> ArmPrices:
    """The estimate for one sample of each kind, computed once. Raises ReadingError for a change that cannot be tried."""
    run = reading.run
    return _planned(_PlanKey(run.id, run.ended, canonical(edits.to_json(edit)), temperature), reading, edit)


def _where(at: int, item: Removable) -> str:
    """From which call on something is left out, and what replaces it."""
    if isinstance(item.edit, edits.LeaveOutEdit):
        return f"From {call_number(at)} on, no prompt contains these words: {LEFT_OUT} replaces them."
    rest = "lacks this sentence" if item.edit.text else f"contains only {LEFT_OUT}"
    role = item.edit.role.replace("_", " ")
    return f"As if it had never been written: in every prompt from {call_number(at)} on, this {role} {rest}."


def _figures(price: Price, at: int, most: int) -> list[Fact]:
    n = price.of // 2
    each = f"{calls_words(price.calls.times(1 / price.of))} a reading; at most {price.of * most:,} in all"
    readings = Fact("Readings", f"{price.of}", f"{n} without it, {n} unchanged, from {call_number(at)} on")
    return [readings, *price_rows(replace(price, note=each))]


def start(reading: Reading, edit: Edit, trials: Sampling) -> None:
    """Start an experiment with a change, and draw the page again."""
    run = reading.run
    start_runs.check_fork(run, RunSpec.from_json(run.spec).models, forks=2 * trials.n)
    if access.demo():
        trials = Sampling(
            trials.n,
            trials.temperature,
            min(trials.max_calls or demo_limits.MOST_CALLS, demo_limits.MOST_CALLS // (2 * trials.n)),
        )
    with st.spinner(f"Starting {2 * trials.n} readings …"):
        with access.opened() as store:
            experiment_id = experiments.leave_one_out(store, reading, get(run.reader), edit, trials)
            made = next(one for one in experiments.experiments_of(store, run.id) if one.id == experiment_id)
        start_runs.start_samples(made.runs)
    st.rerun()


# How stable


def _stability(reading: Reading, seq: int | None) -> None:
    if seq is None:
        st.html(markup.empty(NO_CALL))
        return
    st.caption(
        f"Repeats {call_number(seq)} exactly and counts how often each option comes. "
        "The reading does not continue from these replies."
    )
    try:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            count = number("Times to ask", state.key(keys.SAMPLES, keys.FIRM, reading.run.id))
            temperature = temperature_field(reading, seq, state.key(keys.HEAT, keys.FIRM, reading.run.id))
            trials = Sampling(count, temperature)
            found = experiments.price_sampling(reading, seq, trials)
            label = f"Ask again: {price_words(found)}"
            begin = st.button(markup.plain(label), type="primary", key=state.key(keys.TRY_IT, keys.FIRM, reading.run.id, seq))
        caption_alike(reading, seq, temperature)
        if begin:
            start_asking(reading, seq, trials)
    except ReadingError as error:
        flash.error(error)


def start_asking(reading: Reading, seq: int, trials: Sampling) -> None:
    """Start asking one call again, and draw the page again."""
    start_runs.check_fork(reading.run, RunSpec.from_json(reading.run.spec).models_from(seq))
    with st.spinner("Asking …"):
        with access.opened() as store:
            run = resample.sample_call(store, reading, get(reading.run.reader), seq, trials)
        start_runs.start_samples([run])
    st.rerun()


def number(label: str, key: str, *, usual: int = experiments.DEFAULT_SAMPLES) -> int:
    """Draw the field for a number of samples, and return it."""
    return int(st.number_input(label, experiments.MIN_SAMPLES, experiments.MAX_SAMPLES, usual, 1, width=190, key=key))


def temperature_field(reading: Reading, seq: int, key: str) -> float:
    """Draw the field for the temperature of samples from call `seq` on, and return it."""
    usual = experiments.default_temperature(reading, seq)
    return float(st.number_input("Temperature", 0.0, 2.0, usual, 0.1, width=150, key=key))


def caption_alike(reading: Reading, seq: int, temperature: float) -> None:
    """Say where samples will be alike."""
    if experiments.settings_at(reading, seq).model == catalogue.OFFLINE:
        st.caption(ALL_ALIKE)
    elif temperature == 0:
        st.html(markup.aside(AT_ZERO))


# Results


def made_of(reading: Reading) -> list[Experiment]:
    """The experiments with a reading, the latest first."""
    with access.opened() as store:
        return experiments.experiments_of(store, reading.run.id)


def show_list(reading: Reading, made: Sequence[Experiment], there: tuple[str, ...]) -> None:
    """Draw the experiments with a reading, the latest first, with the progress of those still running."""
    if not made:
        return
    with st.container(key="experiments"):
        st.html(markup.section("", "Experiments with this reading", hint=f"{len(made):,}"))
        if there:
            watch(reading.run.id, there)
        for number, experiment in enumerate(made):
            if not going(experiment):
                _show(reading, experiment, first=number == 0)


def going(experiment: Experiment) -> list[Run]:
    """The samples of an experiment that are running."""
    return [run for run in experiment.runs if start_runs.is_running(run)]


@fragment(run_every=POLL)
def watch(run_id: str, begun: tuple[str, ...], *, place: str = "") -> None:
    """Draw the progress of running experiments. When one ends, the page is redrawn with its result. `place` tells apart where on
    the page it stands, if it stands there more than once."""
    with access.opened() as store:
        there = [one for one in experiments.experiments_of(store, run_id) if one.id in begun and going(one)]
        calls = {one.id: sum(store.tape(run.id).spent().calls for run in one.runs) for one in there}
    if len(there) < len(begun):
        st.rerun()
    for one in there:
        running = going(one)
        done = len(one.runs) - len(running)
        part = done / len(one.runs)
        many = f"{done} of {len(one.runs)} samples done" if len(one.runs) > 1 else "one call asked again"
        if one.kind == "stands_on":
            most = int(one.runs[0].spec["options"]["budget"])
            many, part = f"leaving sentences out, at most {most:,} calls", calls[one.id] / most
        elif one.kind == "judged":
            many = "a model is judging what is still said"
        elif one.kind == "rated":
            many = "a model is rating the answer"
        elif one.kind == "nearness":
            many = "the text is compared with the answer"
        with st.container(horizontal=True, vertical_alignment="center", key=state.key("samples-going", one.id, place)):
            facts = [many, f"{calls[one.id]:,} calls so far"]
            st.html(markup.working("Samples are running", facts, done=min(0.99, part) if part else None))
            if access.may_change(one.runs[0].id) and st.button("Cancel", key=state.key(keys.CANCEL, one.id, place)):
                for run in running:
                    process_cache.jobs().cancel(run.id)


def _show(reading: Reading, experiment: Experiment, *, first: bool) -> None:
    """Draw one experiment and its result; its rows once it is opened."""
    try:
        title, sentence = _described(reading, experiment)
    except ReadingError as error:
        title, sentence = "an experiment", str(error)
    label = f"{markup.plain(wording.sentence(title))} **{markup.plain(wording.sentence(sentence))}**"
    key = state.key(keys.EXPERIMENT, experiment.id)
    box = st.expander(label, expanded=first, key=key, on_change="rerun")
    if not box.open:
        return
    with box:
        if experiment.kind == "leave_out":
            _arms(reading, experiment)
        elif experiment.kind == "stands_on":
            stands_on.show_result(reading, experiment)
        elif experiment.kind == "judged":
            judge.show_result(reading, experiment)
        elif experiment.kind == "rated":
            rated.show_result(experiment)
        elif experiment.kind == "nearness":
            stands_on.show_compared(reading, experiment)
        else:
            _options(reading, experiment)
        _acts(reading, experiment)


def _described(reading: Reading, experiment: Experiment) -> tuple[str, str]:
    """What an experiment was, and its result, in a clause each."""
    if experiment.kind == "firm":
        call, found = _counted(reading, experiment)
        return f"{call_number(experiment.at)} asked again {found.asked} times", experiments_wording.stability(found, call)
    if experiment.kind == "stands_on":
        return stands_on.described(experiment)
    if experiment.kind == "judged":
        return judge.described(experiment)
    if experiment.kind == "rated":
        return rated.described(experiment)
    if experiment.kind == "nearness":
        return stands_on.compared(reading, experiment)
    edit = experiment.edit
    if arms.adds(experiment):
        return arms.described(experiment), arms.result(reading, experiment)
    names = get(reading.run.reader).names(reading.trace)
    what = describe_removed(reading.trace, names, edit)[0] if edit else "nothing"
    return f"without {what}", compare_arms(reading.run, experiment.changed, experiment.unchanged).sentence


def outcome(reading: Reading, experiment: Experiment) -> str:
    """What came of an experiment, in a clause."""
    return _described(reading, experiment)[1]


def _arms(reading: Reading, experiment: Experiment) -> None:
    found = compare_arms(reading.run, experiment.changed, experiment.unchanged)
    edit = experiment.edit
    if edit and not arms.adds(experiment):
        _, words = describe_removed(reading.trace, get(reading.run.reader).names(reading.trace), edit)
        st.html(html.left_out(words))
    arms.draw(found, arms.called(experiment))
    rule = RULE_OF_CHOICES if reading.run.spec.get("choices") else RULE
    st.caption(f"From {call_number(experiment.at)} on, at temperature {experiment.temperature:g}. {rule}")


def _options(reading: Reading, experiment: Experiment) -> None:
    call, found = _counted(reading, experiment)
    run, missing = experiment.runs[0], found.asked - found.came
    if missing:
        why = [wording.sentence(run.error)] if run.error else []
        st.html(markup.notice("warn", [f"{missing} of {found.asked} got no reply.", *why]))
    st.html(pictures.tally(("Option", "came"), experiments_wording.options(found, call), (found.came,)))
    st.html(markup.aside(f"{capitalised(call_number(experiment.at))}, asked at temperature {experiment.temperature:g}."))
    if st.toggle("Show the replies", key=state.key(keys.REPLIES, experiment.id)):
        with database.opened() as store:
            records = store.tape(run.id).records()
        for record in records:
            if record.reply is not None:
                st.html(markup.reply(record.reply, wording.author(record.model)))


def _counted(reading: Reading, experiment: Experiment) -> tuple[experiments_wording.AskedCall, Firmness]:
    """The call that was asked again, and the counted replies."""
    record = experiments.answered_record(reading, experiment.at)
    run = experiment.runs[0]
    with database.opened() as store:
        prompt = store.tape(reading.run.id).prompts()[record.prompt]
        rows = store.tape(run.id).records()
    parts = decode_parts(record.parts, reading.document, wrote=reading.trace.wrote)
    names = get(reading.run.reader).names(reading.trace)
    call = experiments_wording.AskedCall(prompt, parts, reading.trace.asked.get(experiment.at), names)
    sizes = {part.name: len(part.texts) for part in parts}
    return call, firmness(prompt, sizes, record.reply or "", rows, asked=int(run.spec["options"]["count"]))


def _acts(reading: Reading, experiment: Experiment) -> None:
    """Draw the actions: open a sample, compare it with the reading, resume unfinished samples, delete the experiment."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=state.key("experiment-acts", experiment.id)):
        if experiment.kind == "leave_out":
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
    broken = experiment.resumable
    key = state.key(keys.RESUME, experiment.id, place)
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
            "This deletes the experiment permanently, with its sample."
            if count == 1
            else f"This deletes the experiment permanently, with its {count} samples."
        )
        return st.button("Delete permanently", type="primary", key=state.key(keys.DELETE, experiment.id))


def _open_one(reading: Reading, runs: Sequence[Run]) -> None:
    called = {run.id: f"{run.name or run.id}: {wording.state(run).word}" for run in runs}
    key = state.key(keys.ONE_SAMPLE, runs[0].experiment)
    run_id = st.selectbox("A sample", list(called), format_func=lambda run_id: called[run_id], width=340, key=key)
    if run_id:
        st.page_link("pages/3_Trace.py", label="Open", query_params=address.to_trace(run_id))
        st.page_link(
            "pages/4_Compare.py", label="Compare with the reading", query_params=address.to_compare([reading.run.id, run_id])
        )


def show_alone(run: Run) -> None:
    """Draw the page of a reading that holds the calls of an experiment with another reading: it has no steps of its own."""
    st.html(markup.page_title(get(run.reader).title))
    name = run.name or ""
    told = f"An experiment with a reading: {name}. The results are shown with that reading."
    st.html(markup.aside(told, protected=[name]))
    if run.parent:
        try:
            with database.opened() as store:
                store.run(run.parent)
        except NotFound:
            st.html(markup.empty("The reading it belongs to was deleted."))
            return
        st.page_link("pages/3_Trace.py", label="Open the reading it belongs to", query_params=address.to_full(run.parent))
