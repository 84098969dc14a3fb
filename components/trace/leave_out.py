"""Leave one out: the reading continued without one thing, or with any other change, several times, and equally often unchanged.

A change that leaves something out is described as *without it*, any other as *with it*. Not here: the samples
(`readers/engine/forks/experiments.py`), their counts (`experiment_results.py`), and what would mend a lost fact (`mend.py`).
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import NoReturn

import streamlit as st

from components.html import markup, pictures
from components.html.markup import Fact
from components.html.pictures import TallyRow
from components.html.words.work_words import calls_words, price_rows, price_words
from components.session import access, database, demos, flash, hidden_answers, state
from components.trace import inquiry
from components.trace.ask_again import LONGEST, SAME
from components.trace.inquiry import Inquiry
from readers import get
from readers.engine.analysis.facts import mending
from readers.engine.canonical import canonical
from readers.engine.errors import ReadingError
from readers.engine.forks import experiments, fork
from readers.engine.forks.describe_edit import describe
from readers.engine.forks.experiment_results import Arm, ExperimentOutcome, compare_arms, rule_of
from readers.engine.forks.experiments import ArmPrices, Experiment, Sampling
from readers.engine.forks.removable import Removable, describe_removed, leaves_out, removable_at
from readers.engine.record import edits
from readers.engine.record.edits import LEFT_OUT, Edit
from readers.engine.run.execute import RunSpec
from readers.engine.store import Reading
from readers.engine.text.phrases import call_number, capitalised
from readers.engine.text.shorten import truncate
from readers.engine.work import Price

SHOWN_WHOLE = 1_200  # characters of the omitted text
OTHER, ALIKE = "≠ counted as changed", "≈ worded differently, counted as the same"
MANY = 20  # above this number of things to leave out, a search field appears
WHAT = (
    "Continues the reading several times without it, and as often with nothing changed. Differences among the unchanged "
    "readings are due to chance; a change is compared with them."
)


# Offering it


def _panel(reading: Reading, seq: int | None) -> None:
    if seq is None:
        st.html(markup.empty(inquiry.NO_CALL))
        return
    st.caption(WHAT)
    item = _thing(reading, seq)
    if item is None:
        return
    key = (reading.run.id, seq, state.short_hash(canonical(edits.to_json(item.edit))))
    try:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            trials = inquiry.sampling(reading, seq, "Samples of each kind", "leave_out", reading.run.id)
            plan, own = plan_of(reading, item.edit, trials.temperature), state.key("most_calls", *key)
            most = int(st.number_input("Most calls per sample", 1, 100_000, plan.most_calls, 1, width=210, key=own))
        at, price = fork.first_call(reading, item.edit), plan.samples(trials.n)
        st.caption(_where(at, item))
        st.html(markup.fact_list(_figures(price, at, most)))
        inquiry.caption_alike(reading, seq, trials.temperature)
        label = f"Start {price.of} readings: {price_words(price)}"
        if st.button(markup.plain(label), type="primary", key=state.key("try_it", *key)):
            start(reading, item.edit, replace(trials, max_calls=most))
    except ReadingError as error:
        flash.error(error)


def _thing(reading: Reading, seq: int) -> Removable | None:
    """Draw the choice of what to leave out of a call's prompt, and return it."""
    names = get(reading.run.reader).names(reading.trace)
    items, more = removable_at(reading.trace, seq, names)
    find = ""
    if len(items) + more > MANY:
        find = st.text_input(
            "Find what to leave out", placeholder="words it contains", key=state.key("find", "dropped", reading.run.id, seq)
        )
        if find.strip():
            items, more = removable_at(reading.trace, seq, names, find=find)
    if not items:
        none = (
            "Nothing in this prompt contains these words."
            if find.strip()
            else "This prompt contains nothing that can be left out."
        )
        st.html(markup.empty(none))
        return None
    chosen = st.selectbox(
        f"What to leave out at {call_number(seq)}",
        range(len(items)),
        format_func=lambda n: f"{items[n].label}: {items[n].excerpt}",
        key=state.key("dropped", reading.run.id, seq, state.short_hash(find)),
    )
    if more:
        st.caption(f"{more:,} more are not listed; search for them by their words.")
    item = items[chosen]
    st.html(_left_out(item.words))
    return item


@st.cache_resource(max_entries=64, show_spinner=False)
def _planned(key: tuple[str, str | None, str], temperature: float | None, *, _reading: Reading, _edit: Edit) -> ArmPrices:
    """`key` represents the end of the reading and the edit."""
    with database.opened() as store:
        return experiments.price(store, _reading, get(_reading.run.reader), _edit, Sampling(1, temperature))


def plan_of(reading: Reading, edit: Edit, temperature: float | None) -> ArmPrices:
    """The estimate for one sample of each kind, computed once. Raises ReadingError for a change that cannot be tried."""
    run = reading.run
    return _planned((run.id, run.ended, canonical(edits.to_json(edit))), temperature, _reading=reading, _edit=edit)


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


def start(reading: Reading, edit: Edit, trials: Sampling) -> NoReturn:
    """Start an experiment with a change, and draw the page again."""
    run, forks = reading.run, 2 * trials.n
    if access.demo():
        trials = Sampling(
            trials.n,
            trials.temperature,
            min(trials.max_calls or demos.MOST_CALLS, demos.MOST_CALLS // forks),
        )

    models = RunSpec.from_json(run.spec).models
    reader = get(run.reader)
    inquiry.begin(
        reading, models, lambda store: experiments.leave_one_out(store, reading, reader, edit, trials).runs, forks=forks
    )


# What came of it


def adds(experiment: Experiment) -> bool:
    """Whether an experiment changed something otherwise than by leaving it out."""
    return experiment.edit is not None and not leaves_out(experiment.edit)


def result(reading: Reading, experiment: Experiment) -> str:
    """`answered rightly in 5 of 6; unchanged 0 of 6`; counted in changed answers if the right one is not known here."""
    with access.opened() as store:
        known = hidden_answers.known_answer(store, reading.run, hidden_answers.hidden_questions(store))
    return mending.result(reading.run, experiment.changed, experiment.unchanged, known=known)


def _described(reading: Reading, experiment: Experiment) -> tuple[str, str]:
    if adds(experiment):
        return describe(experiment.changed[0].edit or {}), result(reading, experiment)
    names, edit = get(reading.run.reader).names(reading.trace), experiment.edit
    what = describe_removed(reading.trace, names, edit)[0] if edit else "nothing"
    return f"without {what}", compare_arms(reading.run, experiment.changed, experiment.unchanged).sentence


def _show(reading: Reading, experiment: Experiment) -> None:
    edit = experiment.edit
    if edit and not adds(experiment):
        _, words = describe_removed(reading.trace, get(reading.run.reader).names(reading.trace), edit)
        st.html(_left_out(words))
    draw_arms(reading, experiment)
    said = f"From {call_number(experiment.at)} on, at temperature {experiment.temperature:g}."
    st.caption(f"{said} {rule_of(reading.run)}")


def draw_arms(reading: Reading, experiment: Experiment) -> None:
    """Draw every answer with its counts in both arms."""
    found = compare_arms(reading.run, experiment.changed, experiment.unchanged)
    changed = "with it" if adds(experiment) else "without it"
    if missing := left_over(found, changed):
        st.html(markup.aside(missing))
    counts = (found.without.finished, found.unchanged.finished)
    st.html(pictures.tally(("Answer", changed, "unchanged"), answers(found), counts))


def answers(found: ExperimentOutcome) -> list[TallyRow]:
    """Every answer given, with its counts in both arms."""
    return [
        (
            truncate(answer.words, LONGEST),
            SAME if answer.recorded else OTHER if answer.changed else ALIKE,
            (answer.without, answer.unchanged),
        )
        for answer in found.answers
    ]


def left_over(found: ExperimentOutcome, changed: str = "without it") -> str:
    """The samples of both arms that are not counted or ended without an answer; empty if there are none. `changed` is what the
    first arm is called."""
    sentences = [_of_arm(name, arm) for name, arm in ((capitalised(changed), found.without), ("Unchanged", found.unchanged))]
    return " ".join(sentence for sentence in sentences if sentence)


def _of_arm(name: str, arm: Arm) -> str:
    said = []
    if arm.ended:
        said.append(f"{arm.ended} of {arm.finished} ended without an answer")
    if arm.failed:
        said.append(f"{arm.failed} failed and {'is' if arm.failed == 1 else 'are'} not counted")
    if arm.stopped:
        said.append(f"{arm.stopped} {'was' if arm.stopped == 1 else 'were'} stopped before the end and not counted")
    return f"{name}, {'; '.join(said)}." if said else ""


def _left_out(words: str) -> str:
    """What was left out, as it read; of much the beginning, and the rest behind a click."""
    if len(words) <= SHOWN_WHOLE:
        return f'<div class="left-out">{escape(words)}</div>'
    first = words[:SHOWN_WHOLE].rpartition(" ")[0] or words[:SHOWN_WHOLE]
    rest = words[len(first) :]
    more = f"<details><summary>… Show the other {len(rest):,} characters</summary>{escape(rest)}</details>"
    return f'<div class="left-out">{escape(first)}{more}</div>'


INQUIRY = Inquiry(
    "", "Samples are running", _described, _show,
    panel=_panel, title="Leave one out: does the answer change without it?", key="leave_out",
)  # fmt: skip
