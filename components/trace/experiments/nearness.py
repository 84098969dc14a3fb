"""What is nearest to the answer: each of its sentences with the nearest sentence of the text, by words or by an embedding model.

*Supports* is said of words alone, and so is *nearest* unless an embedding model is named, whose ranking is then fused with that
of the words. Not here: the comparison (`readers/engine/forks/nearness.py`).
"""

from __future__ import annotations

import streamlit as st

from components.html import markup
from components.html.words.estimate_words import cost_words
from components.session.page import database, flash, state
from components.session.visitor import access
from components.trace import html, keys
from components.trace.experiments import inquiry, stands_on_wording
from components.trace.experiments.inquiry import Inquiry
from readers.engine.analysis.facts.attribution import Index, attributions, fused
from readers.engine.errors import ReadingError
from readers.engine.forks import nearness
from readers.engine.forks.experiments import Experiment
from readers.engine.models import catalogue
from readers.engine.models.call import ServedModel
from readers.engine.store import Reading, open_reading
from readers.engine.work import Price


def show_nearest(reading: Reading) -> None:
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
    served = [ServedModel(terms["model"], choice.api_base)]
    options = nearness.options(reading, model)
    inquiry.begin(reading, served, lambda store: [nearness.compare(store, reading, model, terms)], options=options)


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


def _described(reading: Reading, experiment: Experiment) -> tuple[str, str]:
    """What a comparison by embeddings was, and its result, in a clause each."""
    (run,) = experiment.runs
    model = nearness.model_of(run)
    title = f"the text compared with the answer by {model}"
    if run.status != "finished":
        return title, run.error or "it has not finished"
    by_words = {row.answer: row.nearest for row in _rows(reading.run.id, "", _reading=reading)}
    rows = _rows(reading.run.id, run.id, _reading=reading)
    return title, stands_on_wording.compared(model, sum(by_words.get(row.answer) != row.nearest for row in rows), len(rows))


def _show(reading: Reading, experiment: Experiment) -> None:
    """Draw what is nearest by a comparison; why it failed, if it did."""
    (run,) = experiment.runs
    if run.status == "finished":
        st.html(html.stands_on(_rows(reading.run.id, run.id, _reading=reading)))
    elif run.error:
        st.html(markup.notice("warn", [run.error]))


INQUIRY = Inquiry(nearness.ID, "Comparing the text with the answer", _described, _show)
