"""Below a call: what the answer stands on, by its words and by trying. The panel, and the results of a search.

*Changed the answer in n of m* is said of replies alone. Not here: the search (`readers/engine/forks/stands_on.py`), what is
nearest to the answer (`nearness.py`), and the words of the results (`stands_on_wording.py`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NoReturn

import streamlit as st

from components.html import markup
from components.html.markup import Fact
from components.html.words.estimate_words import cost_words, price_rows
from components.session.demo import demo_limits
from components.session.page import flash, state
from components.session.visitor import access
from components.trace import html, keys
from components.trace.experiments import inquiry, stands_on_wording
from components.trace.experiments.inquiry import Inquiry, Panel
from components.trace.experiments.nearness import show_nearest
from readers import get
from readers.engine.analysis.facts.fates import called
from readers.engine.errors import ReadingError
from readers.engine.forks import experiments, stands_on
from readers.engine.forks.experiments import Experiment, Sampling
from readers.engine.forks.stands_on import Tried
from readers.engine.run.execute import RunSpec
from readers.engine.store import Reading
from readers.engine.text.phrases import call_number
from readers.engine.work import Price


def _panel(reading: Reading, seq: int | None) -> None:
    """Draw what is nearest to the answer by its words, and the search that can be started."""
    show_nearest(reading)
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


def _figures(price: Price) -> list[Fact]:
    about = "of the text, or written from it, in the prompt of the answer"
    return [Fact("Sentences", f"{price.of:,}", about), *price_rows(price)]


def _start(reading: Reading, sampling: Sampling) -> NoReturn:
    run = reading.run
    if access.demo():
        sampling = replace(sampling, max_calls=min(sampling.max_calls or 1, demo_limits.MOST_CALLS))
    models = RunSpec.from_json(run.spec).models
    inquiry.begin(reading, models, lambda store: [stands_on.try_answer(store, reading, get(run.reader), sampling)])


def _result(experiment: Experiment) -> Tried:
    """What a search has come to so far."""
    search = inquiry.recorded(experiment)
    return stands_on.tried(search.run, search.trace)


def _described(reading: Reading, experiment: Experiment) -> tuple[str, str]:
    return "without some of its sentences", stands_on.sentence(_result(experiment).search)


def _show(reading: Reading, experiment: Experiment) -> None:
    """Draw the noise floor, each group of sentences with its count, and how the search ended."""
    found, names = _result(experiment), get(reading.run.reader).names(reading.trace)
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
    rule = stands_on_wording.rule(experiment.runs[0])
    st.caption(f"{call_number(experiment.at).capitalize()}, asked at temperature {experiment.temperature:g}. {rule}")


INQUIRY = Inquiry(
    stands_on.ID, "Leaving sentences out", _described, _show, Panel(stands_on_wording.TITLE, keys.STANDS_ON, _panel)
)
