"""One batch on the Evaluate page: its table, downloads, pairs, pictures, slices, and questions by readers.

Not here: what is computed (`readers/engine/analysis/evaluate/`), and the pictures (`views.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from components.evaluate import keys, measures, rating, views, wording
from components.evaluate.choose import Chooser
from components.html import markup
from components.html.words import wording as words
from components.html.words.reader_words import title_of
from components.session.page import address, state
from components.session.visitor import access, hidden_answers
from components.session.work import start_runs
from components.widgets import report as tables
from components.widgets.progress import batch_progress
from components.widgets.readings.label_these import MakeProject
from readers.engine.analysis.evaluate import report
from readers.engine.analysis.evaluate.compare import compare_all
from readers.engine.analysis.evaluate.evaluated import Evaluation, applying, evaluate
from readers.engine.analysis.evaluate.rated import Ratings, raters, with_ratings
from readers.engine.analysis.evaluate.repeats import spread
from readers.engine.analysis.evaluate.table import Scores, scores_of
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import Wanted
from readers.engine.canonical import canonical, digest
from readers.engine.forks import rater
from readers.engine.questions.recipes import scores_of_recipe
from readers.engine.questions.scores import SCORES
from readers.engine.report import files
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan, CellResult
from readers.engine.store import Store
from readers.engine.store.batches import Batch

PAGE, QUESTIONS = "pages/6_Evaluate.py", "pages/5_Questions.py"


class _ScoredBatch(NamedTuple):
    """A batch with its scores and their table; the readings whose evidence is known, what raters said of the answers, and the
    results that are in it."""

    found: Evaluation
    table: Scores
    every: Sequence[Wanted]
    ratings: Ratings
    results: Sequence[CellResult]


def show(batch_id: str, make_project: MakeProject | None) -> None:
    """Draw the batch. Raises NotFound."""
    with access.opened() as store:
        batch = store.batches.get(batch_id)
        progress = batches.progress(store, batch.id)
        hidden = hidden_answers.hidden_questions(store)
        cells = store.batches.cells(batch.id)
        stands = [f"{one.run} {one.status} {one.error}" for one in cells]
        stands += rater.stands(store, [one.run for one in cells if one.run])
        chosen = state.value(state.key(keys.SCORES, batch.id))
        key = digest(canonical([batch.id, sorted(hidden), stands, chosen]))
        whole = _evaluated(key, store, batch, hidden, chosen)
    found, scored = whole.found, whole.table
    with st.container(key="eval-head", horizontal=True, vertical_alignment="center"):
        st.html(markup.section("", batch.name))
        st.page_link(PAGE, label="All batches")
        st.page_link(QUESTIONS, label="Its readings", query_params=address.to_batch(batch.id))
    if start_runs.is_batch_running(batch.id, progress) or progress.resumable:
        batch_progress.show(batch, progress)
    facts = [*report.facts(found), f"read by {wording.models(BatchPlan.of(batch.plan))}"]
    st.html(markup.facts(facts))
    if not found.readings:
        st.html(markup.empty(wording.NOTHING))
        return
    _table(batch, found, scored)
    if not scored.scores:
        return
    _acts(batch, facts, whole, make_project)
    measures.show(batch, found, whole.every)
    rating.show(batch, whole.results, raters(whole.ratings))
    score = _score(batch, scored)
    if len(scored.readers) > 1:
        _pairs(found, score)
    _repeats(found, score)
    chooser = Chooser(batch, found, whole.every, make_project)
    views.pictures(batch, found, score, chooser)
    views.slices(batch, found, score)
    views.questions(batch, found, score, chooser)
    views.papers(batch, found)


@st.cache_resource(max_entries=8, show_spinner="Scoring …")
def _evaluated(
    key: str, _store: Store, _batch: Batch, _hidden: frozenset[tuple[str, str]], _scores: Sequence[str] | None
) -> _ScoredBatch:
    """`key` stands for the batch, where its readings and their ratings stand, what the viewer may see, and the scores. Scores of
    None: those that the recipe of the batch reports, if it follows one."""
    plan, results = BatchPlan.of(_batch.plan), batches.results(_store, _batch)
    scores = applying(scores_of_recipe(plan.recipe), (one.question for one in results)) if _scores is None else _scores
    found = evaluate(
        _store, results, names=wording.short_names(plan, title_of), scores=scores,
        hides=lambda asked: hidden_answers.is_hidden(asked, _hidden),
    )  # fmt: skip
    shown = {one.row.run for one in found.readings}
    ratings = rater.said_of(_store, shown)
    found = with_ratings(found, ratings)
    seen = [one for one in results if one.run and one.run.id in shown]
    return _ScoredBatch(found, scores_of(found.rows), evidence.wanted(seen), ratings, seen)


def _choose_scores(batch: Batch, found: Evaluation) -> None:
    key = state.key(keys.SCORES, batch.id)
    if state.value(key) is None:
        state.set_value(key, [one.name for one in found.scores])
    with st.popover("Choose scores"):
        st.multiselect(
            "Scores", [*SCORES], format_func=report.title, width=460, key=key,
            help="Empty: those that the benchmark is published with.",
        )  # fmt: skip


def _table(batch: Batch, found: Evaluation, scored: Scores) -> None:
    with st.container(key="eval-scores", horizontal=True, vertical_alignment="center"):
        st.html(markup.section("", "Scores"))
        _choose_scores(batch, found)
    if not scored.scores:
        st.html(markup.empty(wording.NO_COLUMN))
        return
    said = report.scores(scored, name=batch.name, questions=len({one.number for one in found.readings}))
    tables.draw(said, caption=wording.ABOUT_TABLE)


def _acts(batch: Batch, facts: Sequence[str], scored: _ScoredBatch, make_project: MakeProject | None) -> None:
    """The downloads of the table, with what papers print, and a labelling project on the readings."""
    with st.container(key="eval-acts", horizontal=True, gap="small", vertical_alignment="center"):
        papers, measured = views.papers_of(batch, scored.found), None
        box = st.container(horizontal=True, gap="small", width="content")
        if st.checkbox("with the methods’ own figures", key=state.key(keys.SAVE, batch.id, "figures"), width="content"):
            measured = measures.of(batch, scored.found, scored.every)
        said = report.file_of(batch.name, facts, scored.table, papers=papers, measured=measured)
        with box:
            for form, kind in files.FORMS.items():
                st.download_button(
                    kind.label, partial(files.written, said, form), file_name=f"scores-{batch.id}.{form}", mime=kind.mime,
                    on_click="ignore", key=state.key(keys.SAVE, batch.id, form),
                )  # fmt: skip
        if make_project and st.button("Label these readings", key=state.key(keys.PROJECT, batch.id)):
            make_project(batch.id)


def _score(batch: Batch, scored: Scores) -> str:
    """The score that everything below is about: at first one that is not 0 for every reader, where there is one."""
    telling = (score for score in scored.scores if any(_mean(scored, reader, score) for reader in scored.readers))
    first = next(telling, scored.scores[0])
    if len(scored.scores) == 1:
        return first
    chosen = st.segmented_control(
        "Score", scored.scores, format_func=report.title, default=first, key=state.key(keys.SCORE, batch.id, first),
        required=True,
    )  # fmt: skip
    return str(chosen or first)


def _mean(scored: Scores, reader: str, score: str) -> float | None:
    cell = scored.cell(reader, score)
    return cell.asked.value if cell else None


def _pairs(found: Evaluation, score: str) -> None:
    st.html(markup.section("", "Readers in pairs", hint=report.title(score)))
    compared = compare_all(found.rows, score)
    st.html(markup.aside(report.pairs_sentence(compared)))
    with st.expander(f"All {words.count(len(compared), 'pair')}" if len(compared) > 1 else "The pair"):
        tables.draw(report.pairs(compared), caption=wording.ABOUT_PAIRS)


def _repeats(found: Evaluation, score: str) -> None:
    """How far each reader moves between repeats, if there are any."""
    readers = dict.fromkeys(row.reader for row in found.rows)
    told = [report.spread(one) for reader in readers if (one := spread(found.rows, reader, score))]
    if told:
        st.html(markup.section("", "Repeats", hint="the noise of sampling alone"))
        for sentence in told:
            st.html(markup.aside(sentence))
