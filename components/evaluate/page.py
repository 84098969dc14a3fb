"""The Evaluate page: the batches that can be evaluated, and one of them: scores, pairs, pictures, slices, questions by readers.

`?batch=ID` opens a batch. Not here: what is computed (`readers/engine/analysis/evaluate/`), and the pictures (`views.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from components.evaluate import html, keys, measures, views, wording
from components.html import markup
from components.html import wording as words
from components.html.reader_words import title_of
from components.session import access, address, flash, hidden_answers, state
from readers.engine.analysis.evaluate import Cell, Table, compare_all, spread, table
from readers.engine.analysis.evaluate.evaluated import Evaluation, evaluate
from readers.engine.canonical import canonical, digest
from readers.engine.errors import NotFound
from readers.engine.files import export_table
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.store import Store
from readers.engine.store.batches import Batch

PAGE, QUESTIONS = "pages/6_Evaluate.py", "pages/5_Questions.py"
LISTED = 40
NONE_YET = (
    "No batch yet. Import a benchmark’s own file on the page Questions and let readers read its questions as a batch: its scores "
    "will be here."
)


def show_evaluate(make_project: Callable[[str], None] | None = None) -> None:
    """Draw the page. `make_project` opens a new labelling project on the readings of a batch; None: not offered."""
    address.restore()
    batch_id = address.batch_id()
    st.html(markup.page_title("Evaluate"))
    flash.show()
    if batch_id:
        try:
            _show(batch_id, make_project)
        except NotFound as error:
            flash.error(error)
            _choose()
    else:
        _choose()


def _choose() -> None:
    """The batches, newest first, each a link."""
    now = datetime.now(UTC)
    with access.opened() as store:
        made = store.batches.listed()
        stands = [(one, batches.progress(store, one.id)) for one in made[:LISTED]]
    if not stands:
        st.html(markup.empty(NONE_YET))
        st.page_link(QUESTIONS, label="Import questions", icon=":material/add:")
        return
    st.html(markup.section("", "Choose a batch", explains=True))
    with st.container(key="eval-batches", gap=None):
        for one, progress in stands:
            with st.container(key=f"text-at-{one.id}", gap=None):
                st.page_link(PAGE, label=markup.plain(one.name), query_params=address.to_batch(one.id))
                st.html(markup.facts([f"{progress.done:,} of {progress.total:,} readings finished", words.ago(one.created, now)]))
    if len(made) > LISTED:
        st.caption(f"Showing the newest {LISTED} of {len(made):,}.")
    st.page_link(QUESTIONS, label="Import questions, or start a batch", icon=":material/add:")


def _show(batch_id: str, make_project: Callable[[str], None] | None) -> None:
    with access.opened() as store:
        batch = store.batches.get(batch_id)
        hidden = hidden_answers.hidden_questions(store)
        stands = [f"{one.run} {one.status} {one.error}" for one in store.batches.cells(batch.id)]
        found, scored = _evaluated(digest(canonical([batch.id, sorted(hidden), stands])), store, batch, hidden)
    with st.container(key="eval-head", horizontal=True, vertical_alignment="center"):
        st.html(markup.section("", batch.name))
        st.page_link(PAGE, label="Another batch")
        st.page_link(QUESTIONS, label="The batch and its readings", query_params=address.to_batch(batch.id))
    facts = [*wording.facts(found), f"read by {wording.models(BatchPlan.of(batch.plan))}"]
    st.html(markup.facts(facts))
    if not found.readings:
        st.html(markup.empty(wording.NOTHING))
        return
    _table(batch, found, scored)
    _acts(batch, facts, scored, make_project)
    measures.show(batch, found)
    score = _score(batch, scored)
    if len(scored.readers) > 1:
        _pairs(found, score)
    _repeats(found, score)
    views.pictures(batch, found, score)
    views.slices(batch, found, score)
    views.questions(batch, found, score)
    views.papers(found)


@st.cache_resource(max_entries=8, show_spinner="Scoring …")
def _evaluated(key: str, _store: Store, _batch: Batch, _hidden: frozenset[tuple[str, str]]) -> tuple[Evaluation, Table]:
    """`key` stands for the batch, where its readings stand, and what the viewer may see."""
    names = wording.short_names(BatchPlan.of(_batch.plan), title_of)
    found = evaluate(
        _store, _batch, batches.results(_store, _batch), names=names,
        hides=lambda asked: hidden_answers.is_hidden(asked, _hidden),
    )  # fmt: skip
    return found, table(found.rows)


def _table(batch: Batch, found: Evaluation, scored: Table) -> None:
    st.html(markup.section("", "Scores"))
    rows = []
    for reader in scored.readers:
        cells = [scored.cell(reader, score) for score in scored.scores]
        rows.append((reader, [_cell(one) for one in cells]))
    heads = ["", *wording.score_heads(scored, len({one.number for one in found.readings}))]
    st.html(html.scores(heads, rows, about=f"Scores of {batch.name}"))
    st.caption(wording.ABOUT_TABLE)
    for note in [*wording.notes(scored), *wording.traps(scored)]:
        st.html(markup.aside(note))


def _cell(cell: Cell | None) -> html.ScoreCell:
    if cell is None:
        return html.ScoreCell("–")
    return html.ScoreCell(export_table.percent(cell.asked), export_table.interval(cell.asked), wording.published(cell))


def _acts(batch: Batch, facts: Sequence[str], scored: Table, make_project: Callable[[str], None] | None) -> None:
    """The downloads of the table, and a labelling project on the readings."""
    with st.container(key="eval-acts", horizontal=True, gap="small"):
        for form, (label, mime) in export_table.FORMS.items():
            st.download_button(
                label, partial(export_table.written, scored, form, name=batch.name, facts=facts),
                file_name=f"scores-{batch.id}.{form}", mime=mime, on_click="ignore", key=state.key(keys.SAVE, batch.id, form),
            )  # fmt: skip
        if make_project and st.button("Label these readings", key=state.key(keys.PROJECT, batch.id)):
            make_project(batch.id)


def _score(batch: Batch, scored: Table) -> str:
    """The score that everything below is about."""
    first = scored.scores[0]
    if len(scored.scores) == 1:
        return first
    chosen = st.segmented_control(
        "Score", scored.scores, format_func=views.title, default=first, key=state.key(keys.SCORE, batch.id), required=True
    )
    return str(chosen or first)


def _pairs(found: Evaluation, score: str) -> None:
    st.html(markup.section("", "Readers in pairs", hint=views.title(score)))
    compared = compare_all(found.rows, score)
    st.html(markup.aside(wording.pairs_told(compared)))
    with st.expander(f"All {words.count(len(compared), 'pair')}" if len(compared) > 1 else "The pair"):
        heads, rows = wording.pairs_table(compared)
        cells = [(name, [html.ScoreCell(value) for value in values]) for name, values in rows]
        st.html(html.scores(heads, cells, about="Readers in pairs"))
        st.caption(wording.ABOUT_PAIRS)


def _repeats(found: Evaluation, score: str) -> None:
    """How far each reader moves between repeats, if there are any."""
    readers = dict.fromkeys(row.reader for row in found.rows)
    told = [wording.spread(one) for reader in readers if (one := spread(found.rows, reader, score))]
    if told:
        st.html(markup.section("", "Repeats", hint="the noise of sampling alone"))
        for sentence in told:
            st.html(markup.aside(sentence))
