"""Below a call: what the answer depends on, by its words, by an embedding model, and by trying. The panel, and the results.

*Changed the answer in n of m* is only said of replies. *Supports* is decided only by words, and so is *nearest* unless an
embedding model is named; its ranking is then fused with that of the words. Not here: the search
(`readers/engine/forks/stands_on.py`), and the comparison (`nearness.py` there).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from html import escape
from typing import NoReturn

import streamlit as st

from components.html import markup
from components.html.markup import Fact
from components.html.words.work_words import cost_words, price_rows
from components.session import access, database, demos, flash, state
from components.trace import inquiry
from components.trace.inquiry import Inquiry
from readers import get
from readers.engine.analysis.facts.attribution import attributions, fused, index_of
from readers.engine.analysis.facts.fates import called
from readers.engine.errors import ReadingError
from readers.engine.forks import experiments, nearness, stands_on
from readers.engine.forks.experiments import Experiment, Sampling
from readers.engine.forks.stands_on import Tried
from readers.engine.models import catalogue
from readers.engine.models.call import ServedModel
from readers.engine.run.execute import RunSpec
from readers.engine.store import Reading, open_reading
from readers.engine.text.phrases import call_number, capitalised
from readers.engine.text.shorten import truncate
from readers.engine.work import Price

LONGEST = 300
WHAT = (
    "Repeats the call that answered: unchanged, then without all the text it was shown, then without one half or the other, "
    "and so on down to single sentences. If neither half changes the answer, sentences of both are left out together. It stops "
    "when leaving out the rest changes nothing."
)
EMBEDDING_HELP = (
    "The id of an embedding model, such as text-embedding-3-small or ollama/nomic-embed-text. Every sentence of the text is "
    "sent to it once; then words and embeddings together decide what is nearest (reciprocal rank fusion). Only the words "
    "decide whether a sentence supports the answer. Leave it empty to use only the words."
)


def _panel(reading: Reading, seq: int | None) -> None:
    """Draw the sentences nearest to the answer by words, and the search that can be started."""
    show_nearest(reading)
    st.caption(WHAT)
    try:
        usual = stands_on.usual_sampling(reading)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            field = partial(state.key, "stands_on", reading.run.id)
            repeats = st.number_input(
                "Times unchanged",
                experiments.MIN_SAMPLES,
                experiments.MAX_SAMPLES,
                usual.n,
                1,
                width=170,
                key=field("samples"),
            )
            most = st.number_input(
                "Most calls", 1, stands_on.MAX_BUDGET, usual.max_calls or 1, 10, width=170, key=field("most_calls")
            )
            heat = st.number_input("Temperature", 0.0, 2.0, usual.temperature or 0.0, 0.1, width=150, key=field("heat"))
        sampling = Sampling(int(repeats), float(heat), int(most))
        price = stands_on.price_tries(reading, get(reading.run.reader), sampling)
        about = "of the text, or written from it, in the prompt of the answer"
        st.html(markup.fact_list([Fact("Sentences", f"{price.of:,}", about), *price_rows(price)]))
        label = f"Try it: at most {round(price.calls.high):,} calls, {cost_words(price.cost)}"
        if st.button(markup.plain(label), type="primary", key=field("try_it")):
            _start(reading, sampling)
    except ReadingError as error:
        flash.error(error)


def _start(reading: Reading, sampling: Sampling) -> NoReturn:
    run = reading.run
    if access.demo():
        sampling = replace(sampling, max_calls=min(sampling.max_calls or 1, demos.MOST_CALLS))
    models = RunSpec.from_json(run.spec).models
    inquiry.begin(reading, models, lambda store: [stands_on.try_answer(store, reading, get(run.reader), sampling)])


def _result(experiment: Experiment) -> Tried:
    """The progress of a search."""
    search = inquiry.recorded(experiment)
    return stands_on.tried(search.run, search.trace)


def _described(reading: Reading, experiment: Experiment) -> tuple[str, str]:
    return "without some of its sentences", stands_on.sentence(_result(experiment).search)


def _show(reading: Reading, experiment: Experiment) -> None:
    """Draw the noise floor, each group of sentences with its count, and how the search ended."""
    found, names = _result(experiment), get(reading.run.reader).names(reading.trace)
    st.html(markup.aside(stands_on.noise(found.search)))
    for group in found.groups:
        where = [stands_on.where(one, "" if one.place else called(one.origin, reading.trace, names)) for one in group.sentences]
        st.html(_left_out_group(capitalised(stands_on.group_sentence(group)), list(zip(where, group.words, strict=True))))
        if group.came.changed:
            st.caption(markup.plain(stands_on.instead(group, most=LONGEST)))
    error = experiment.runs[0].error if experiment.runs[0].status == "failed" else None
    st.html(markup.aside(stands_on.ending(found)))
    if error:
        st.html(markup.notice("warn", [error]))
    rule = stands_on.rule(experiment.runs[0])
    st.caption(f"{call_number(experiment.at).capitalize()}, asked at temperature {experiment.temperature:g}. {rule}")


INQUIRY = Inquiry(
    stands_on.ID, "Leaving sentences out", _described, _show,
    panel=_panel, title="What does the answer stand on? Leave sentences out", key="stands_on",
)  # fmt: skip


def show_nearest(reading: Reading) -> None:
    """Draw what each sentence of the answer is nearest to, and the choice of an embedding model, which can also find it."""
    place = st.container()
    with access.opened() as store:
        made = nearness.comparisons(store, reading.run.id)
    model = nearness.model_of(made[0]) if made else ""
    if not access.demo() and reading.run.answer:
        model = st.text_input(
            "Embedding model",
            model,
            placeholder="none: only the words",
            help=EMBEDDING_HELP,
            width=350,
            key=state.key("embedding", reading.run.id),
        ).strip()
    comparison = next((run.id for run in made if nearness.model_of(run) == model), "")
    with place:
        st.html(_nearest_html(_nearest_rows(reading.run.id, comparison, _reading=reading)))
    if model and not comparison:
        try:
            _offer_comparison(reading, model)
        except ReadingError as error:
            flash.error(error)


def _offer_comparison(reading: Reading, model: str) -> None:
    """Draw the button that compares the text with the answer, with its cost."""
    price = _price_of_comparison(reading.run.id, model, _reading=reading)
    label = f"Compare: send {price.of:,} sentences to {model}, {cost_words(price.cost)}"
    if not st.button(markup.plain(label), key=state.key("embedding", "try_it", reading.run.id)):
        return
    choice = state.model_choice()
    terms = {**choice.terms, "model": catalogue.OFFLINE} if choice.human else choice.terms
    served = [ServedModel(terms["model"], choice.api_base)]
    options = nearness.options(reading, model)
    inquiry.begin(reading, served, lambda store: [nearness.compare(store, reading, model, terms)], options=options)


@st.cache_data(max_entries=64, show_spinner=False)
def _price_of_comparison(run_id: str, model: str, *, _reading: Reading) -> Price:
    return nearness.price(_reading, model)


@st.cache_data(max_entries=64, show_spinner=False)
def _nearest_rows(run_id: str, comparison: str, *, _reading: Reading) -> list[tuple[str, str, str]]:
    """Each sentence of the answer, what the sentence of the text nearest to it is to it, and that sentence."""
    run, text = _reading.run, _reading.document.text
    answer, index, model = run.answer or "", index_of(_reading.document), ""
    if not comparison:
        found = attributions(index, run.question, answer)
    else:
        with database.opened() as store:
            done = open_reading(store, comparison)
        found, model = fused(index, run.question, answer, nearness.compared(done)), nearness.model_of(done.run)
    rows = []
    for one in found:
        sentence = answer[slice(*one.sentence)].strip()
        what = f"“{truncate(sentence, LONGEST)}”" if len(found) > 1 else "the answer"
        rows.append((sentence, one.said_of(what, model=model), text[slice(*one.place)].strip()))
    return rows


def _nearest_html(rows: Sequence[tuple[str, str, str]]) -> str:
    """Each sentence of the answer with the nearest sentence of the text, and whether that supports it."""
    if not rows:
        return markup.empty("No sentence of the answer shares a word with the text.")
    body = "".join(
        f'<div class="left-out"><p class="facts-line">{escape(said)}</p><p>{escape(nearest)}</p></div>'
        for _, said, nearest in rows
    )
    return f'<div class="stands-on">{body}</div>'


def _comparison_described(reading: Reading, experiment: Experiment) -> tuple[str, str]:
    """What a comparison by embeddings was, and its result, in a clause each."""
    (run,) = experiment.runs
    model = nearness.model_of(run)
    title = f"the text compared with the answer by {model}"
    if run.status != "finished":
        return title, run.error or "it has not finished"
    by_words = {sentence: nearest for sentence, _, nearest in _nearest_rows(reading.run.id, "", _reading=reading)}
    rows = _nearest_rows(reading.run.id, run.id, _reading=reading)
    return title, compared(model, sum(by_words.get(sentence) != nearest for sentence, _, nearest in rows), len(rows))


def _show_comparison(reading: Reading, experiment: Experiment) -> None:
    """Draw the nearest sentences by a comparison; or why it failed."""
    (run,) = experiment.runs
    if run.status == "finished":
        st.html(_nearest_html(_nearest_rows(reading.run.id, run.id, _reading=reading)))
    elif run.error:
        st.html(markup.notice("warn", [run.error]))


def compared(model: str, changed: int, of: int) -> str:
    """The effect of an embedding model on the nearest sentences, in a clause."""
    return f"{model} changed what is nearest to {changed} of {of} {'sentence' if of == 1 else 'sentences'} of the answer"


def _left_out_group(what: str, sentences: Sequence[tuple[str, str]]) -> str:
    """Sentences that were left out together: the result, and each with its place."""
    body = "".join(f'<p class="facts-line">{escape(where)}</p><p>{escape(words)}</p>' for where, words in sentences)
    return f'<div class="left-out group"><p><b>{escape(what)}</b></p>{body}</div>'


NEARNESS = Inquiry(nearness.ID, "Comparing the text with the answer", _comparison_described, _show_comparison)
