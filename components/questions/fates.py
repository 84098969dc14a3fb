"""What became of the evidence in a batch's readings: four ways told apart, the flow as a picture, its counts as tables.

The address says which of the readings are listed below. Not here: following one reading (`readers/engine/analysis/facts/`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.html import markup
from components.questions import flow_figure, flow_rows, html, keys
from components.questions import flow_words as words
from components.questions import wording as page_words
from components.questions.flow_rows import FlowRow, Grouping
from components.questions.flow_words import Choice
from components.session.page import address, state
from components.session.page.drawing import current_theme
from components.widgets.progress import evidence_fates
from readers.engine.analysis.facts.many import saved
from readers.engine.analysis.facts.many.evidence import evidence_in, ways_by_variant
from readers.engine.analysis.facts.many.flow import TELLINGS, Way, told_apart
from readers.engine.files.tables.export_flow import NamedFlow, flow_csv
from readers.engine.run.batches import BatchPlan, CellResult
from readers.engine.store.batches import Batch

PICTURE = {"displayModeBar": True, "displaylogo": False, "scrollZoom": False}


def show(batch: Batch, results: Sequence[CellResult], names: Sequence[str]) -> Choice | None:
    """Draw the evidence once somebody asks for it; which readings are to be listed, if not all of them. Nothing where no evidence
    is known, or all of it is hidden."""
    followed = [one for one in results if one.grade and evidence_in(one)]
    if not followed:
        return None
    st.html(markup.section("", "What became of the evidence"))
    if address.evidence() is None:
        st.button(
            "Follow the evidence", key=state.key(keys.BATCH_FOLLOW, batch.id), on_click=address.set_evidence, args=("",),
            help="Where each reading carried, lost or passed over the passages that answer the question. No model is asked.",
        )  # fmt: skip
        return None
    fates = evidence_fates.of(batch.id, saved.wanted(followed))
    if fates is None:
        return None
    variants = BatchPlan.of(batch.plan).variants
    ways = ways_by_variant(followed, len(names), fates)
    by = _grouping(batch, flow_rows.groupings(variants))
    rows = {one: flow_rows.rows(ways, variants, names, one) for one in flow_rows.groupings(variants)}
    every = [*_tellings([way for own in ways for way in own]), *(one for some in rows.values() for one in words.choices(some))]
    chosen = next((one for one in every if one.key == address.evidence()), None)
    _told_apart(every[: len(TELLINGS)], sum(map(len, ways)))
    _picture(batch, rows[by], chosen)
    _tables(batch, rows[by])
    return _choose(batch, [*every[: len(TELLINGS)], *words.choices(rows[by])], chosen)


def _tellings(ways: Sequence[Way]) -> list[Choice]:
    return [Choice(telling, words.TELLINGS[telling][0], runs) for telling, runs in told_apart(ways).items()]


def _told_apart(tellings: Sequence[Choice], of: int) -> None:
    """The four counts; each lists its readings."""
    with st.container(key="batch-tellings", horizontal=True):
        for one, telling in zip(tellings, TELLINGS, strict=True):
            with st.container(key=f"telling-{TELLINGS.index(telling)}", gap=None):
                st.button(
                    f"{one.name}: {len(one.runs):,}", key=state.key(keys.BATCH_TELLING, telling), disabled=not one.runs,
                    on_click=address.set_evidence, args=(one.key,), width="stretch",
                )  # fmt: skip
                st.caption(f"{words.TELLINGS[telling][1]}  \n{words.telling_fact(len(one.runs), of)}")


def _grouping(batch: Batch, offered: Sequence[Grouping]) -> Grouping:
    """How the rows are grouped, if there is more than one way."""
    if len(offered) < 2:
        return offered[0]
    chosen: Grouping | None = st.segmented_control(
        "A row for each", offered, format_func=lambda one: flow_rows.GROUPINGS[one], default=offered[0],
        key=state.key(keys.BATCH_GROUPING, batch.id),
    )  # fmt: skip
    return chosen or offered[0]


def _picture(batch: Batch, rows: Sequence[FlowRow], chosen: Choice | None) -> None:
    figure = flow_figure.figure(rows, words.PLACES, chosen=chosen.key if chosen else "", theme=current_theme())
    name = state.key(keys.BATCH_FLOW, batch.id, *(row.key for row in rows[:1]))
    image = {"format": "svg", "filename": f"evidence-{batch.id}", "scale": 1}
    config = {**PICTURE, "toImageButtonOptions": image, "modeBarButtonsToRemove": ["zoom", "pan", "select", "lasso", "autoScale"]}
    with st.container(key="batch-flow"):
        st.plotly_chart(
            figure, key=name, theme=None, config=config, on_select=lambda: _clicked(name), selection_mode="points",
            alt="How far the evidence came in the readings, by reader. The table below has the same counts.",
        )  # fmt: skip
    st.caption(words.MEANINGS)


def _clicked(name: str) -> None:
    """List the readings of the band or place that was clicked; of none, all."""
    event: Any = state.value(name)
    points = event["selection"]["points"] if event else []
    found = points[0].get("customdata") if points else ""
    address.set_evidence(str(found[0] if isinstance(found, list) else found or ""))


def _tables(batch: Batch, rows: Sequence[FlowRow]) -> None:
    with st.expander("The counts as tables, with 95 % intervals"):
        st.html(html.outcomes(*words.came_table(rows), about="How far the evidence came"))
        st.html(html.outcomes(*words.left_table(rows), about="Where the evidence was lost"))
        st.download_button(
            "Counts (CSV)", lambda: flow_csv([NamedFlow(row.name, row.flow) for row in rows]),
            file_name=f"evidence-{batch.id}.csv", mime="text/csv", key=state.key(keys.BATCH_COUNTS, batch.id), on_click="ignore",
        )  # fmt: skip
        st.caption(f"{words.INTERVALS} {page_words.BY_WORDS}")


def _choose(batch: Batch, offered: Sequence[Choice], chosen: Choice | None) -> Choice | None:
    """Everything that the picture shows, as a list to choose from."""
    by_key = {one.key: one for one in offered if one.runs} | ({chosen.key: chosen} if chosen else {})
    name = state.key(keys.BATCH_STAGE, batch.id)
    state.set_value(name, chosen.key if chosen else "")
    st.selectbox(
        "Readings to list", ["", *by_key], key=name, on_change=lambda: address.set_evidence(state.value(name) or ""), width=460,
        format_func=lambda one: f"{by_key[one].name} ({len(by_key[one].runs):,})" if one else "All readings of the batch",
    )  # fmt: skip
    return chosen
