"""What is computed from a batch: its scores, and its methods' own figures. Kept by the process until a reading of it changes.

Not here: how it is computed (`readers/engine/analysis/evaluate/`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from components.html.words import reading_words, wording
from components.session import access, hidden_answers
from readers import get
from readers.engine.analysis.evaluate.evaluated import (
    Evaluated,
    Evaluation,
    Ratings,
    applying,
    evaluate,
    figures_table,
    with_ratings,
)
from readers.engine.analysis.evaluate.scores import Scores, scores_of
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import EvidenceFate, Wanted
from readers.engine.forks import rater
from readers.engine.questions.recipes import scores_of_recipe
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan, CellResult
from readers.engine.store import Store
from readers.engine.store.batches import Batch


@st.cache_resource(max_entries=8, show_spinner="Scoring …")
def evaluated(
    key: str, _store: Store, _batch: Batch, _hidden: frozenset[tuple[str, str]], _scores: Sequence[str] | None
) -> tuple[Evaluation, Scores, Ratings, Sequence[CellResult]]:
    """The batch with its scores, their table, what raters said about the answers, and the results in it. `key` represents the
    batch, the states of its readings and ratings, what the viewer may see, and the scores. Scores of None: those that the recipe
    of the batch reports, if it follows one."""
    plan, results = BatchPlan.of(_batch.plan), batches.results(_store, _batch)
    scores = applying(scores_of_recipe(plan.recipe), (one.question for one in results)) if _scores is None else _scores
    found = evaluate(
        _store, results, names=reading_words.names_of(plan), scores=scores,
        hides=lambda asked: hidden_answers.is_hidden(asked, _hidden),
    )  # fmt: skip
    shown = {one.run for one in found.readings}
    ratings = rater.said_of(_store, shown)
    found = with_ratings(found, ratings)
    seen = [one for one in results if one.run and one.run.id in shown]
    return found, scores_of(found.readings), ratings, seen


def own_figures(batch: Batch, found: Evaluation, every: Sequence[Wanted]) -> Scores:
    """The methods' own figures of a batch's readings."""
    with st.spinner(f"Opening {wording.count(len(found.readings))} …"):
        with access.opened() as store:
            fates = evidence.saved_fates(store, every)
        key = (batch.id, *(f"{one.run} {one.seconds}" for one in found.readings), *sorted(fates))
        return _figures(key, found.readings, fates)


@st.cache_resource(max_entries=8, show_spinner=False)
def _figures(key: tuple[str, ...], _readings: Sequence[Evaluated], _fates: Mapping[str, EvidenceFate | None]) -> Scores:
    """`key` represents the readings, their ends and the fates that were saved."""
    with access.opened() as store:
        return figures_table(store, _readings, get, fates=_fates)
