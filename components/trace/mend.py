"""What would mend it: below the step at which a followed fact was lost, the changes that would have kept it.

Each is estimated before it is tried, and tried as an experiment: a number of readings with it, and as many unchanged. The result
is shown below it. Not here: the offers (`analysis/facts/mending.py`), and experiments (`experiments.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.html.words.work_words import price_words
from components.session import address, database, flash, start_runs, state
from components.trace import ask_again, experiments, inquiry, leave_out
from components.trace.what_if import BY_PARTS
from readers import get
from readers.engine.analysis.facts.follow import Followed
from readers.engine.analysis.facts.mending import Mending, Offer, mend, tries
from readers.engine.errors import ReadingError
from readers.engine.forks.experiment_results import rule_of
from readers.engine.forks.experiments import Experiment, Sampling, price_sampling, settings_at
from readers.engine.forks.fork import ForkTerms, first_call
from readers.engine.models import catalogue
from readers.engine.prompts.options import title_of
from readers.engine.record.edits import Edit, PromptEdit
from readers.engine.store import Reading
from readers.engine.text.phrases import capitalised
from readers.engine.text.shorten import shorten_at_word

TITLE = "What would mend it?"
SAMPLES = 6  # of each kind, at first
MOST_CALLS_AT_ONCE = 300  # a reading with more is estimated once its panel is opened
_EXCERPT = 90
WHAT = (
    "Each change is tried in several readings that continue from it, and compared with as many unchanged readings that continue "
    "from the same call."
)


def show_mends(reading: Reading, at: int, followed: Sequence[Followed]) -> None:
    """Draw a panel for each followed fact whose fate was decided at step `at` (from 0), unless it was used.

    For a reading without an end, say why there is none."""
    if reading.run.outcome is None:
        st.html(markup.aside(f"{TITLE} {_found(reading, followed[0]).reason}"))
        return
    for one in followed:
        if one.fate is None or one.fate.step != at or not one.fate.row.mends:
            continue
        with st.container(key=f"mend-{one.fact.start}-{one.fact.end}"):  # by which the player finds it
            _panel(reading, one)


def _panel(reading: Reading, followed: Followed) -> None:
    run, text = reading.run, reading.document.text
    words = shorten_at_word(text[slice(*followed.fact)], _EXCERPT)
    label = markup.plain(f"{TITLE} “{words}”")
    at_once = len(reading.records) <= MOST_CALLS_AT_ONCE
    box = st.expander(label, expanded=at_once, key=state.key("mend", run.id, *followed.fact), on_change="rerun")
    if not box.open:
        return
    with box, st.spinner("Estimating …"):
        st.html(markup.aside(followed.sentence))
        found = _found(reading, followed)
        if why := found.why(lambda option: f"“{title_of(get(run.reader).Options, option)}”"):
            st.html(markup.notice("quiet", why) if not found.offers else markup.aside(" ".join(why)))
        if found.offers:
            _offers(reading, found.offers, state.key(*map(str, followed.fact)))


def _found(reading: Reading, followed: Followed) -> Mending:
    with database.opened() as store:
        prompts = store.runs.tape(reading.run.id).prompts()
    return mend(reading, get(reading.run.reader), followed, prompts=prompts)


def _offers(reading: Reading, offers: Sequence[Offer], fact: str) -> None:
    made = experiments.made_of(reading)
    if any(offer.edit for offer in offers):
        st.caption(WHAT)
    try:
        first = offers[0].seq or 0 if offers[0].edit is None else first_call(reading, offers[0].edit)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            key = state.key("mend", reading.run.id, fact)
            sampling = inquiry.sampling(reading, first, "Samples of each kind", key, usual=SAMPLES)
        inquiry.caption_alike(reading, first, sampling.temperature)
    except ReadingError as error:
        flash.error(error)
        return
    for number, offer in enumerate(offers):
        with st.container(key=state.key("mend", "offer", fact, number), gap="small"):
            _offer(reading, offer, sampling, key=state.key(key, number))
            _results(reading, offer, made, key=state.key(key, number))
    if any(offer.edit for offer in offers):
        st.html(markup.aside(rule_of(reading.run)))


def _offer(reading: Reading, offer: Offer, sampling: Sampling, *, key: str) -> None:
    """Draw one offer with its price, and what starts it."""
    notes = [f"{capitalised(offer.note)}."] if offer.note else []
    if isinstance(offer.edit, PromptEdit) and settings_at(reading, offer.edit.seq).model == catalogue.OFFLINE:
        notes.append(BY_PARTS)
    st.markdown(f"**{markup.plain(offer.words)}.**" + "".join(f" {markup.plain(note)}" for note in notes))
    try:
        with st.container(horizontal=True, gap="small"):
            if offer.edit is None:
                _ask_again(reading, offer.seq or 0, sampling, key=key)
            else:
                _try(reading, offer.edit, sampling, key=key)
    except ReadingError as error:
        flash.error(error)


def _ask_again(reading: Reading, seq: int, sampling: Sampling, *, key: str) -> None:
    price = price_sampling(reading, seq, sampling)
    label = f"Ask again: {price_words(price)}"
    if st.button(markup.plain(label), type="primary", key=state.key("try_it", key)):
        ask_again.start(reading, seq, sampling)


def _try(reading: Reading, edit: Edit, sampling: Sampling, *, key: str) -> None:
    plan = leave_out.plan_of(reading, edit, sampling.temperature)
    price = plan.samples(sampling.n)
    label = f"Try it: {price.of} readings, {price_words(price)}"
    begin = st.button(markup.plain(label), type="primary", key=state.key("try_it", key))
    label = f"Continue from it once: {price_words(plan.changed)}"
    once = st.button(markup.plain(label), key=state.key("continue", key))
    if begin:
        leave_out.start(reading, edit, replace(sampling, max_calls=plan.most_calls))
    if once:
        with st.spinner("Starting the fork …"):
            fork_id = start_runs.start_fork(reading, edit, ForkTerms())
        st.switch_page("pages/3_Trace.py", query_params=address.to_trace(fork_id))


# What came of it


def _results(reading: Reading, offer: Offer, made: Sequence[Experiment], *, key: str) -> None:
    """Draw the experiments with an offer, latest first: their progress or their results."""
    own = [one for one in made if tries(one, offer)]
    experiments.watch_all(filter(experiments.going, own), place=key)
    for one in own:
        if not experiments.going(one):
            _result(reading, one, key=key)


def _result(reading: Reading, experiment: Experiment, *, key: str) -> None:
    st.markdown(f"→ **{markup.plain(wording.sentence(experiments.inquiry_of(experiment).describe(reading, experiment)[1]))}**")
    if experiment.changed:
        leave_out.draw_arms(reading, experiment)
    experiments.resume_unfinished(experiment, place=key)
