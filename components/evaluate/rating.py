"""Models rate the answers of a batch: the kind and the model, the price, progress, and how far several raters agree.

Each rating is an experiment with its reading, in `Jobs`; this polls the database. Not here: the questions to raters
(`readers/engine/forks/rater.py`), and the columns (`readers/engine/analysis/evaluate/evaluated.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.html.words.work_words import price_words
from components.session import access, flash, process_cache, start_runs, state
from components.widgets import progress
from components.widgets import report as tables
from readers.engine.analysis.evaluate import report
from readers.engine.analysis.evaluate.evaluated import RATING_KINDS, Ratings
from readers.engine.errors import ReadingError
from readers.engine.forks import rater
from readers.engine.forks.rater import AnswerToRate, RatingKind, RatingPlan, check_rater
from readers.engine.models import catalogue
from readers.engine.run.batches import CellResult
from readers.engine.store.batches import Batch
from readers.engine.text.phrases import capitalised
from readers.engine.work import Price, Work

TITLE = "Let a model rate the answers"
ABOUT = (
    "A language model rates how far each answer agrees with the known one. Every rating is recorded as an experiment with its "
    "reading. Models differ as raters: let two of them rate, and check how far they agree."
)


def show(batch: Batch, results: Sequence[CellResult], ratings: Ratings) -> None:
    """Draw who rated so far and how far they agree, and the expander; `results` are the readings that the viewer sees."""
    for sentence, agreement in report.raters(ratings):
        st.html(markup.aside(sentence))
        if agreement:
            tables.draw(agreement)
    with st.expander(TITLE, key=state.key("eval_rating", batch.id), on_change="rerun") as box:
        if box.open:
            _ask(batch, results)


def _ask(batch: Batch, results: Sequence[CellResult]) -> None:
    """Which rating by which model, with its price, or its progress."""
    st.caption(ABOUT)
    kind: RatingKind = st.segmented_control(
        "Rating",
        RATING_KINDS,
        format_func=report.RATINGS.__getitem__,
        default=RATING_KINDS[0],
        required=True,
        key=state.key("eval_kind", batch.id),
    )
    choice = state.model_choice()
    try:
        check_rater(choice.id)
    except ReadingError as error:
        st.html(markup.aside(wording.sentence(str(error))))
        st.page_link("pages/8_Models.py", label="Choose a model")
        return
    answers = rater.answers_to_rate(results, kind)
    planned = _plan(answers, kind)
    if planned.going:
        progress.watch(partial(_look, answers, kind), partial(_draw, answers, kind))
        return
    of = wording.count(round(planned.work.of or 0), "answer")
    st.html(markup.facts([f"{catalogue.title(choice.id)} has rated {planned.done:,} of {of}"]))
    if not planned.work.resumable:
        return
    price = _price((batch.id, kind, planned.model, *(f"{run.id} {run.ended}" for run, _ in planned.new)), planned)
    label = markup.plain(_label(planned, price_words(price)))
    st.button(label, type="primary", key=state.key("eval_rate", batch.id, kind), on_click=_rate, args=(answers, kind))


def _label(planned: RatingPlan, price: str) -> str:
    """The button's words: what is left to rate, with its price."""
    resumed = f"resume {wording.count(len(planned.stopped), 'rating')}" if planned.stopped else ""
    rated = ""
    if planned.new:
        rated = f"rate {wording.count(len(planned.new), 'answer')}: {price}"
    told = ", ".join(filter(None, (resumed, rated)))
    return capitalised(told)


@st.cache_resource(max_entries=16, show_spinner="Counting what it takes …")
def _price(key: tuple[str, ...], _planned: RatingPlan) -> Price:
    """`key` represents the answers that are left."""
    return _planned.price


def _plan(answers: Sequence[AnswerToRate], kind: RatingKind) -> RatingPlan:
    """How far the chosen model is in rating these answers."""
    with access.opened() as store:
        return rater.plan_ratings(store, answers, kind, state.model_choice().id)


def _rate(answers: Sequence[AnswerToRate], kind: RatingKind) -> None:
    flash.act(lambda: _start(answers, kind))


def _start(answers: Sequence[AnswerToRate], kind: RatingKind) -> None:
    choice = state.model_choice()
    room = {"window": process_cache.window_of_choice(choice), "room_factor": process_cache.room_factor_of(choice.id)}
    planned = _plan(answers, kind)
    access.check_readings(len(planned.new))
    with access.opened() as store:
        asked = rater.ask_all(store, planned, {**choice.terms, **room})
    start_runs.start_samples(asked)


def _look(answers: Sequence[AnswerToRate], kind: RatingKind) -> Work | None:
    """How many answers are rated; None when no rating is under way."""
    planned = _plan(answers, kind)
    work = planned.work
    return replace(work, stage="Rating", notes=tuple(work.counts("answers rated"))) if planned.going else None


def _draw(answers: Sequence[AnswerToRate], kind: RatingKind, work: Work) -> None:
    progress.show(work, key="rating-progress", cancel=partial(_cancel, answers, kind))


def _cancel(answers: Sequence[AnswerToRate], kind: RatingKind) -> None:
    for run in _plan(answers, kind).going:
        process_cache.jobs().cancel(run.id)
