"""The planted-fact lab: the form for a new one, or the map of the batch in the address."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from itertools import groupby

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.html.words.reading_words import title_of
from components.learn import lab_form, lab_html
from components.learn import lab_wording as words
from components.lessons import html
from components.session import access, address, flash, hidden_answers, process_cache, start_runs, state
from components.widgets import evidence_fates, reading_links
from components.widgets.progress import show_batch
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.flow import PlantedCell, is_planted, planted_cells
from readers.engine.errors import NotFound
from readers.engine.files.tables import planted_csv, planted_json
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.store.batches import Batch


def show_lab() -> None:
    """Draw the lab."""
    st.page_link("pages/7_Learn.py", label="All lessons", icon=":material/arrow_back:")
    st.html(markup.page_title("The planted-fact lab"))
    flash.show()
    if address.batch_id():
        try:
            _show_map(address.batch_id())
        except NotFound as error:
            st.error(markup.plain(wording.sentence(str(error))))
        return
    st.html(html.prose([words.LEAD]))
    lab_form.show()
    _earlier()


def _earlier() -> None:
    """The maps that were made before, newest first."""
    with access.opened() as store:
        made = [batch for batch in store.batches.listed() if batch.name.startswith(words.NAME)]
    if not made:
        return
    st.html(markup.section("", "Earlier maps"))
    for batch in made[:10]:
        label = f"{batch.name} · {wording.ago(batch.created, datetime.now(UTC))}"
        st.page_link("pages/7_Learn.py", label=markup.plain(label), query_params=address.to_lab(batch.id))


POLL = 1.0


def _show_map(batch_id: str) -> None:
    """Draw a batch of the lab. Raises NotFound."""
    with access.opened() as store:
        batch = store.batches.get(batch_id)
        progress = batches.progress(store, batch.id)
        results = batches.results(store, batch)
        hidden = hidden_answers.hidden_questions(store)
    st.html(markup.section("", batch.name))
    show_batch(batch, progress)
    seen = [one for one in results if not hidden_answers.is_hidden(one.question, hidden)]
    if not is_planted(seen):
        st.html(markup.empty("This batch has no texts with a planted fact. Its readings are on the page Questions."))
        return
    running = start_runs.is_batch_running(batch.id, progress)
    fates = {} if running else evidence_fates.of(batch.id, evidence.wanted(seen)) or {}
    cells = planted_cells(seen, fates)
    names = batches.variant_names(BatchPlan.of(batch.plan), title_of)
    _fact(cells[0].result.question)
    kind = _kind(batch) if fates else "answer"
    marked: frozenset[words.ExpectedCell] = state.value(state.key(words.EXPECTED, batch.id)) or frozenset()
    _map(cells, names, kind, marked)
    if kind == "answer" and (compared := words.expected(cells, marked)):
        st.html(html.result([compared]))
    st.caption(words.MEANINGS if kind == "answer" else words.STOOD_MEANINGS)
    _ways(batch, cells, names)
    if not running:
        _share(batch, cells, names)


def _fact(asked: SetQuestion) -> None:
    """What was planted, by the first of the texts, if it is still there."""
    facts = [markup.Fact("Question", asked.question), markup.Fact("Right answer", " or ".join(asked.answers))]
    try:
        text = access.document(asked.document).text
        facts.insert(0, markup.Fact("Planted", " … ".join(text[start:end] for start, end in asked.evidence)))
    except NotFound:
        pass
    st.html(markup.fact_list(facts))


def _kind(batch: Batch) -> words.MapKind:
    """Which map is shown, once the evidence was followed."""
    key = state.key("lab_map", batch.id)
    chosen: words.MapKind | None = st.segmented_control(
        "Map", [*words.MAPS], format_func=words.MAPS.__getitem__, default="answer", required=True, key=key
    )
    return chosen or "answer"


def _map(cells: Sequence[PlantedCell], names: Sequence[str], kind: words.MapKind, marked: Collection[words.ExpectedCell]) -> None:
    depths = sorted({cell.depth for cell in cells})
    sizes = len({cell.tokens for cell in cells})
    with st.container(key="lab-map", gap=None):
        with st.container(horizontal=True, key="lab-row-head", gap=None):
            st.html(lab_html.head("Depth"))
            for depth in depths:
                st.html(lab_html.depth(depth))
        for number, ((variant, tokens), row) in enumerate(groupby(cells, key=lambda cell: (cell.variant, cell.tokens))):
            with st.container(horizontal=True, key=f"lab-row-{number}", gap=None):
                st.html(lab_html.head(words.row(names[variant], tokens, sizes=sizes)))
                for at, cell in enumerate(row):
                    _cell(cell, f"{number}-{at}", kind, expected=(cell.variant, cell.depth) in marked)


def _cell(cell: PlantedCell, place: str, kind: words.MapKind, *, expected: bool) -> None:
    label, tone = words.cell(cell) if kind == "answer" else words.stood(cell)
    found = cell.fate.sufficiency.step if cell.fate and cell.fate.sufficiency and kind == "evidence" else None
    with st.container(key=f"lab-cell-{tone}-{place}{'-expected' if expected else ''}", width=96):
        if cell.run:
            step = None if cell.fate is None else (cell.fate.step if found is None else found) + 1
            fact = cell.result.question.evidence[0]  # a planted text has its place
            there = {**address.to_fact(cell.run, fact), **address.at_step(step)}
            st.page_link(
                "pages/3_Trace.py",
                label=label,
                query_params=there,
                width="stretch",
                help=markup.plain(f"{words.told(cell)}{f' {words.MARKED}' if expected else ''}"),
            )
        else:
            st.html(lab_html.waiting(label))


def _share(batch: Batch, cells: Sequence[PlantedCell], names: Sequence[str]) -> None:
    """A row of the map as a replay: its readings in one file, once a row is chosen, because they are all opened."""
    sizes = len({cell.tokens for cell in cells})
    rows = {
        words.row(names[variant], tokens, sizes=sizes): [cell.result.run for cell in row if cell.result.run]
        for (variant, tokens), row in groupby(cells, key=lambda cell: (cell.variant, cell.tokens))
    }
    with st.container(horizontal=True, vertical_alignment="bottom", key="lab-share"):
        chosen = st.selectbox("Share a row as a replay", list(rows), index=None, key=state.key("lab_share", batch.id), width=460)
        ended = [run for run in rows.get(chosen or "", []) if run.status == "finished"]
        if ended:
            reading_links.offer_replay([process_cache.ended_reading(run) for run in ended])


def _ways(batch: Batch, cells: Sequence[PlantedCell], names: Sequence[str]) -> None:
    """The table as a file, and the same readings on other pages."""
    with st.container(horizontal=True, vertical_alignment="center", key="trace-next"):
        for key, ending, mime, made in (
            ("lab_csv", "csv", "text/csv", planted_csv), ("lab_json", "json", "application/json", planted_json),
        ):  # fmt: skip
            st.download_button(
                f"Table ({ending.upper()})", made(cells, names), file_name=f"planted-{batch.id}.{ending}", mime=mime,
                key=state.key(key, batch.id), on_click="ignore",
            )  # fmt: skip
        st.page_link("pages/5_Questions.py", label="The readings and their texts", query_params=address.to_batch(batch.id))
        st.page_link("pages/6_Evaluate.py", label="Scores with intervals", query_params=address.to_batch(batch.id))
        st.page_link("pages/7_Learn.py", label="Plant another fact", query_params=address.to_lab())
