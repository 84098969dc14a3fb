"""One batch on the Evaluate page: its table, downloads, own figures, pairs, pictures, slices, and questions by readers.

The methods' own figures are computed once their expander is opened, and kept by the process until a reading changes. Not here:
the computation (`readers/engine/analysis/evaluate/`), and the pictures (`views.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from components.evaluate import computed, post_mortem, rating, views
from components.evaluate.choose import Chooser
from components.html import markup
from components.html.words import reading_words, wording
from components.session import access, address, hidden_answers, start_runs, state
from components.widgets import reading_links
from components.widgets import report as tables
from components.widgets.progress import show_batch
from components.widgets.reading_links import MakeProject
from readers.engine.analysis.evaluate import report
from readers.engine.analysis.evaluate.evaluated import Evaluation
from readers.engine.analysis.evaluate.scores import Scores, compare_all
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import Wanted
from readers.engine.canonical import canonical, digest
from readers.engine.forks import rater
from readers.engine.models import catalogue
from readers.engine.questions.scores import SCORES
from readers.engine.report.values import Report
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.statistics.intervals import ABOUT
from readers.engine.store.batches import Batch

PAGE, QUESTIONS = "pages/6_Evaluate.py", "pages/5_Questions.py"
ABOUT_TABLE = (
    f"Means in percent over everything asked: a question without an answer counts 0. The small figures are intervals. {ABOUT}"
)
ABOUT_FIGURES = (
    "Means over the readings that have the figure, including failed ones; the small figures are 95 % intervals, as in the table "
    "of scores. A dash: no reading has it."
)
NOTHING = "No reading of this batch has come to an end on a question whose answer is known."
NO_COLUMN = "None of the chosen columns applies to these questions."


def show(batch_id: str, make_project: MakeProject | None) -> None:
    """Draw the batch. Raises NotFound."""
    with access.opened() as store:
        batch = store.batches.get(batch_id)
        progress = batches.progress(store, batch.id)
        hidden = hidden_answers.hidden_questions(store)
        cells = store.batches.cells(batch.id)
        stands = [f"{one.run} {one.status} {one.error}" for one in cells]
        stands += rater.stands(store, [one.run for one in cells if one.run])
        chosen = state.value(state.key("eval_scores", batch.id))
        key = digest(canonical([batch.id, sorted(hidden), stands, chosen]))
        found, scored, ratings, results = computed.evaluated(key, store, batch, hidden, chosen)
    every = evidence.wanted(results)  # readings whose evidence is known
    with st.container(key="eval-head", horizontal=True, vertical_alignment="center"):
        st.html(markup.section("", batch.name))
        st.page_link(PAGE, label="All batches")
        st.page_link(QUESTIONS, label="Its readings", query_params=address.to_batch(batch.id))
    if start_runs.is_batch_running(batch.id, progress) or progress.resumable:
        show_batch(batch, progress)
    plan = BatchPlan.of(batch.plan)
    models = dict.fromkeys(catalogue.title(one.model) for one in plan.variants)
    facts = [*report.facts(found, plan), f"read by {', '.join(models)}"]
    st.html(markup.facts(facts))
    if not found.readings:
        st.html(markup.empty(NOTHING))
        return
    _table(batch, found, scored)
    if not scored.scores:
        return
    _acts(batch, facts, found, scored=scored, every=every, make_project=make_project)
    _own_figures(batch, found, every)
    rating.show(batch, results, ratings)
    score = _score(batch, scored)
    if len(scored.readers) > 1:
        _pairs(found, score)
    _repeats(found, score)
    chooser = Chooser(batch, found, every, make_project)
    post_mortem.show(chooser, score)
    views.pictures(batch, found, score, chooser)
    views.slices(batch, found, score)
    views.questions(batch, found, score, chooser)
    views.papers(batch, found)


def _choose_scores(batch: Batch, found: Evaluation) -> None:
    key = state.key("eval_scores", batch.id)
    if state.value(key) is None:
        state.set_value(key, [one.name for one in found.scores])
    with st.popover("Choose scores"):
        st.multiselect(
            "Scores", [*SCORES], format_func=report.title, width=460, key=key,
            help="Empty: the benchmark’s published scores.",
        )  # fmt: skip


def _table(batch: Batch, found: Evaluation, scored: Scores) -> None:
    with st.container(key="eval-scores", horizontal=True, vertical_alignment="center"):
        st.html(markup.section("", "Scores"))
        _choose_scores(batch, found)
    if not scored.scores:
        st.html(markup.empty(NO_COLUMN))
        return
    said = report.scores(scored, name=batch.name, questions=len({one.question for one in found.readings}))
    tables.draw(said, caption=ABOUT_TABLE)


def _acts(
    batch: Batch,
    facts: Sequence[str],
    found: Evaluation,
    *,
    scored: Scores,
    every: Sequence[Wanted],
    make_project: MakeProject | None,
) -> None:
    """The downloads of the table, with what papers print, and a labelling project on the readings."""
    with st.container(key="eval-acts", horizontal=True, gap="small", vertical_alignment="center"):
        papers, measured = views.papers_of(batch, found), None
        box = st.container(horizontal=True, gap="small", width="content")
        if st.checkbox("with the methods’ own figures", key=state.key("eval_save", batch.id, "figures"), width="content"):
            measured = computed.own_figures(batch, found, every)
        plan = BatchPlan.of(batch.plan)
        make = partial(
            _file, batch.name, facts, found, scored=scored, papers=papers, measured=measured, plan=plan,
            names=reading_words.names_of(plan),
        )  # fmt: skip
        with box:
            tables.downloads(make, f"scores-{batch.id}", "eval_save", batch.id)
        reading_links.offer_site(batch.id, batch=batch.id)
        if make_project and st.button("Label these readings", key=state.key("eval_project", batch.id)):
            make_project(batch.id)


def _file(name: str, facts: Sequence[str], found: Evaluation, *, scored: Scores, **more: Any) -> Report:
    compared = {score: compare_all(found.readings, score) for score in scored.scores}
    return report.file_of(name, facts, scored, more=report.all_pairs(compared), **more)


def _score(batch: Batch, scored: Scores) -> str:
    """The score that everything below is about: at first one that is not 0 for every reader, where there is one."""
    telling = (score for score in scored.scores if any(_mean(scored, reader, score) for reader in scored.readers))
    first = next(telling, scored.scores[0])
    if len(scored.scores) == 1:
        return first
    chosen = st.segmented_control(
        "Score", scored.scores, format_func=report.title, default=first, key=state.key("eval_score", batch.id, first),
        required=True,
    )  # fmt: skip
    return str(chosen or first)


def _mean(scored: Scores, reader: str, score: str) -> float | None:
    cell = scored.cell(reader, score)
    return cell.asked.value if cell else None


def _pairs(found: Evaluation, score: str) -> None:
    st.html(markup.section("", "Readers in pairs", hint=report.title(score)))
    compared = compare_all(found.readings, score)
    st.html(markup.aside(report.pairs_sentence(compared)))
    with st.expander(f"All {wording.count(len(compared), 'pair')}" if len(compared) > 1 else "The pair"):
        tables.draw(report.pairs(compared))


def _repeats(found: Evaluation, score: str) -> None:
    """How far each reader moves between repeats, if there are any."""
    if told := report.spread(found.readings, found.readers, score):
        st.html(markup.section("", "Repeats", hint="only the noise of sampling"))
        for sentence in told:
            st.html(markup.aside(sentence))


def _own_figures(batch: Batch, found: Evaluation, every: Sequence[Wanted]) -> None:
    """Draw the expander of the methods' own figures, closed at first. What became of the evidence (in `every` reading where it is
    known) is taken from saved fates: nothing is followed here."""
    box = st.expander(report.OWN_FIGURES, key=state.key("eval_measures", batch.id), on_change="rerun")
    if not box.open:
        return
    with box:
        with access.opened() as store:
            fates = evidence.saved_fates(store, every)
        tables.draw(report.own_figures(computed.own_figures(batch, found, every)), caption=ABOUT_FIGURES)
        if missing := len(every) - len(fates):
            left_out = wording.count(missing)
            st.html(
                markup.aside(f"The evidence of {left_out} has not been followed yet; the figures of evidence are without them.")
            )
            st.page_link(QUESTIONS, label="Follow the evidence", query_params=address.to_batch(batch.id))
