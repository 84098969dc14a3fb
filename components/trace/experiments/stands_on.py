"""Below a call: what the answer stands on, by its words and by trying. The panel, and the results of a search.

*Supports* is said of words alone, and so is *nearest* unless an embedding model is named, whose ranking is then fused with that
of the words; *changed the answer in n of m* is said of replies alone. Not here: the search
(`readers/engine/forks/stands_on.py`), the words of the results (`stands_on_wording.py`), and the list of experiments
(`experiments.py`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from components.html import markup
from components.html.markup import Fact
from components.html.words.estimate_words import cost_words, price_rows
from components.session.demo import demo_limits
from components.session.page import database, flash, state
from components.session.visitor import access
from components.session.work import start_runs
from components.trace import html, keys
from components.trace.experiments import stands_on_wording
from readers import get
from readers.engine.analysis.facts.sentences import called
from readers.engine.analysis.facts.stands_on.attribution import Index, attributions
from readers.engine.analysis.facts.stands_on.fusion import fused
from readers.engine.errors import ReadingError
from readers.engine.forks import experiments, nearness, stands_on
from readers.engine.forks.experiments import Experiment, Sampling
from readers.engine.forks.stands_on import Tried
from readers.engine.models import catalogue
from readers.engine.models.call import ServedModel
from readers.engine.run.execute import RunSpec
from readers.engine.store.reading import Reading, open_reading
from readers.engine.text.phrases import call_number
from readers.engine.work import Price


def show_panel(reading: Reading) -> None:
    """Draw what is nearest to the answer by its words, and the search that can be started."""
    _nearest(reading)
    st.caption(stands_on_wording.WHAT)
    try:
        usual = stands_on.usual_sampling(reading)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            field = partial(state.key, keys.STANDS_ON, reading.run.id)
            repeats = st.number_input(
                "Times unchanged",
                experiments.MIN_SAMPLES,
                experiments.MAX_SAMPLES,
                usual.n,
                1,
                width=170,
                key=field(keys.SAMPLES),
            )
            most = st.number_input(
                "Most calls", 1, stands_on.MAX_BUDGET, usual.max_calls or 1, 10, width=170, key=field(keys.MOST_CALLS)
            )
            heat = st.number_input("Temperature", 0.0, 2.0, usual.temperature or 0.0, 0.1, width=150, key=field(keys.HEAT))
        sampling = Sampling(int(repeats), float(heat), int(most))
        price = stands_on.price_tries(reading, get(reading.run.reader), sampling)
        st.html(markup.fact_list(_figures(price)))
        label = f"Try it: at most {round(price.calls.high):,} calls, {cost_words(price.cost)}"
        if st.button(markup.plain(label), type="primary", key=field(keys.TRY_IT)):
            _start(reading, sampling)
    except ReadingError as error:
        flash.error(error)


def _nearest(reading: Reading) -> None:
    """Draw what each sentence of the answer is nearest to, and the choice of an embedding model, with which it is found too."""
    place = st.container()
    with access.opened() as store:
        made = nearness.comparisons(store, reading.run.id)
    model = nearness.model_of(made[0]) if made else ""
    if not access.demo() and reading.run.answer:
        model = st.text_input(
            "Embedding model",
            model,
            placeholder="none: by the words alone",
            help=stands_on_wording.EMBEDDING_HELP,
            width=350,
            key=state.key(keys.EMBEDDING, reading.run.id),
        ).strip()
    comparison = next((run.id for run in made if nearness.model_of(run) == model), "")
    with place:
        st.html(html.stands_on(_rows(reading.run.id, comparison, _reading=reading)))
    if model and not comparison:
        try:
            _offer(reading, model)
        except ReadingError as error:
            flash.error(error)


def _offer(reading: Reading, model: str) -> None:
    """Draw the button that compares the text with the answer, with what it takes."""
    price = _price(reading.run.id, model, _reading=reading)
    label = f"Compare: send {price.of:,} sentences to {model}, {cost_words(price.cost)}"
    if not st.button(markup.plain(label), key=state.key(keys.EMBEDDING, keys.TRY_IT, reading.run.id)):
        return
    choice = state.model_choice()
    terms = {**choice.terms, "model": catalogue.OFFLINE} if choice.human else choice.terms
    served = ServedModel(terms["model"], choice.api_base)
    start_runs.check_fork(reading.run, [served], options=nearness.options(reading, model))
    with st.spinner("Comparing …"):
        with access.opened() as store:
            run = nearness.compare(store, reading, model, terms)
        start_runs.start_samples([run])
    st.rerun()


@st.cache_data(max_entries=64, show_spinner=False)
def _price(run_id: str, model: str, *, _reading: Reading) -> Price:
    return nearness.price(_reading, model)


@st.cache_data(max_entries=64, show_spinner=False)
def _rows(run_id: str, comparison: str, *, _reading: Reading) -> list[html.ByWords]:
    """Each sentence of the answer, whether the nearest sentence of the text supports it, and that sentence."""
    run, text = _reading.run, _reading.document.text
    answer, index = run.answer or "", Index(_reading.document)
    if not comparison:
        found, model = attributions(index, run.question, answer), ""
    else:
        with database.opened() as store:
            done = open_reading(store, comparison)
        found, model = fused(index, run.question, answer, nearness.compared(done)), nearness.model_of(done.run)
    return [
        html.ByWords(answer[slice(*one.sentence)].strip(), one.supports, text[slice(*one.place)].strip(), model) for one in found
    ]


def compared(reading: Reading, experiment: Experiment) -> tuple[str, str]:
    """What a comparison by embeddings was, and its result, in a clause each."""
    (run,) = experiment.runs
    model = nearness.model_of(run)
    title = f"the text compared with the answer by {model}"
    if run.status != "finished":
        return title, run.error or "it has not finished"
    by_words = {row.answer: row.nearest for row in _rows(reading.run.id, "", _reading=reading)}
    rows = _rows(reading.run.id, run.id, _reading=reading)
    return title, stands_on_wording.compared(model, sum(by_words.get(row.answer) != row.nearest for row in rows), len(rows))


def show_compared(reading: Reading, experiment: Experiment) -> None:
    """Draw what is nearest by a comparison; why it failed, if it did."""
    (run,) = experiment.runs
    if run.status == "finished":
        st.html(html.stands_on(_rows(reading.run.id, run.id, _reading=reading)))
    elif run.error:
        st.html(markup.notice("warn", [run.error]))


def _figures(price: Price) -> list[Fact]:
    about = "of the text, or written from it, in the prompt of the answer"
    return [Fact("Sentences", f"{price.of:,}", about), *price_rows(price)]


def _start(reading: Reading, sampling: Sampling) -> None:
    run = reading.run
    start_runs.check_fork(run, RunSpec.from_json(run.spec).models)
    if access.demo():
        sampling = replace(sampling, max_calls=min(sampling.max_calls or 1, demo_limits.MOST_CALLS))
    with st.spinner("Starting …"):
        with access.opened() as store:
            made = stands_on.try_answer(store, reading, get(run.reader), sampling)
        start_runs.start_samples([made])
    st.rerun()


def result(experiment: Experiment) -> Tried:
    """What a search has come to so far."""
    (run,) = experiment.runs
    with database.opened() as store:
        return stands_on.tried(run, open_reading(store, run.id).trace)


def described(experiment: Experiment) -> tuple[str, str]:
    """What the experiment was, and its result, in a clause each."""
    return "without some of its sentences", stands_on.sentence(result(experiment).search)


def show_result(reading: Reading, experiment: Experiment) -> None:
    """Draw the noise floor, each group of sentences with its count, and how the search ended."""
    found, names = result(experiment), get(reading.run.reader).names(reading.trace)
    st.html(markup.aside(stands_on_wording.noise(found.search)))
    for group in found.groups:
        where = [
            stands_on_wording.where(one, "" if one.place else called(one.origin, reading.trace, names)) for one in group.sentences
        ]
        st.html(html.left_out_group(stands_on_wording.of_group(group), list(zip(where, group.words, strict=True))))
        if group.came.changed:
            st.caption(markup.plain(stands_on_wording.instead(group)))
    error = experiment.runs[0].error if experiment.runs[0].status == "failed" else None
    st.html(markup.aside(stands_on_wording.ending(found)))
    if error:
        st.html(markup.notice("warn", [error]))
    rule = stands_on_wording.rule(reading.run)
    st.caption(f"{call_number(experiment.at).capitalize()}, asked at temperature {experiment.temperature:g}. {rule}")
