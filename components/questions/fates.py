"""What became of the evidence in a batch's readings: four outcomes, the flow as a picture, its counts as tables.

The address says which readings are listed below. Not here: following one reading (`readers/engine/analysis/facts/`).
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.html import evidence_flow as flow
from components.html import markup
from components.html.evidence_flow import FlowChoice, FlowRow
from components.questions.flow import figure as flow_figure
from components.session import address, state
from components.session.drawing import current_theme
from components.widgets import evidence_fates, report
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import evidence_in
from readers.engine.analysis.facts.flow import ways_by_variant
from readers.engine.files.tables import flow_csv
from readers.engine.run.batches import BatchPlan, CellResult
from readers.engine.store.batches import Batch

PICTURE = {"displayModeBar": True, "displaylogo": False, "scrollZoom": False}


def show(batch: Batch, results: Sequence[CellResult], names: Sequence[str]) -> FlowChoice | None:
    """Draw the evidence on request; returns the readings to list, if not all. Nothing where no evidence is known, or all of it is
    hidden."""
    followed = [one for one in results if one.grade and evidence_in(one)]
    if not followed:
        return None
    st.html(markup.section("", "What became of the evidence"))
    if address.evidence() is None:
        st.button(
            "Follow the evidence", key=state.key("batch_follow", batch.id), on_click=address.set_evidence, args=("",),
            help="Where each reading carried, lost or passed over the passages that answer the question. No model is asked.",
        )  # fmt: skip
        return None
    fates = evidence_fates.of(batch.id, evidence.wanted(followed))
    if fates is None:
        return None
    variants = BatchPlan.of(batch.plan).variants
    ways = ways_by_variant(followed, len(names), fates)
    by = _grouping(batch, flow.slices(variants))
    rows = {one: flow.rows(ways, variants, names, one) for one in flow.slices(variants)}
    tellings = flow.tellings([way for own in ways for way in own])
    every = [*tellings, *(one for some in rows.values() for one in flow.choices(some))]
    chosen = next((one for one in every if one.key == address.evidence()), None)
    _told_apart(tellings, sum(map(len, ways)))
    _picture(batch, rows[by], chosen)
    _tables(batch, rows[by])
    return _choose(batch, [*tellings, *flow.choices(rows[by])], chosen)


def _told_apart(tellings: Sequence[FlowChoice], of: int) -> None:
    """The four counts; each lists its readings."""
    with st.container(key="batch-tellings", horizontal=True):
        for number, one in enumerate(tellings):
            with st.container(key=f"telling-{number}", gap=None):
                st.button(
                    f"{one.name}: {len(one.runs):,}", key=state.key("batch_telling", one.key), disabled=not one.runs,
                    on_click=address.set_evidence, args=(one.key,), width="stretch",
                )  # fmt: skip
                st.caption(f"{one.about}  \n{flow.telling_fact(len(one.runs), of)}")


def _grouping(batch: Batch, offered: Sequence[str]) -> str:
    """How the rows are grouped, if there is more than one way."""
    if len(offered) < 2:
        return offered[0]
    chosen: str | None = st.segmented_control(
        "A row for each", offered, format_func=lambda one: flow.SLICES[one].title, default=offered[0],
        key=state.key("batch_grouping", batch.id),
    )  # fmt: skip
    return chosen or offered[0]


def _picture(batch: Batch, rows: Sequence[FlowRow], chosen: FlowChoice | None) -> None:
    figure = flow_figure(rows, chosen=chosen.key if chosen else "", theme=current_theme())
    name = state.key("batch_flow", batch.id, *(row.key for row in rows[:1]))
    image = {"format": "svg", "filename": f"evidence-{batch.id}", "scale": 1}
    config = {**PICTURE, "toImageButtonOptions": image, "modeBarButtonsToRemove": ["zoom", "pan", "select", "lasso", "autoScale"]}
    with st.container(key="batch-flow"):
        st.plotly_chart(
            figure, key=name, theme=None, config=config, on_select=lambda: _clicked(name), selection_mode="points",
            alt="How far the evidence came in the readings, by reader. The table below has the same counts.",
        )  # fmt: skip
    st.caption(flow.MEANINGS)


def _clicked(name: str) -> None:
    """List the readings of the band or place that was clicked; if none was clicked, all."""
    address.set_evidence(state.clicked(name))


def _tables(batch: Batch, rows: Sequence[FlowRow]) -> None:
    with st.expander("The counts as tables, with 95 % intervals"):
        for table in flow.tables(rows):
            report.draw(table)
        st.download_button(
            "Counts (CSV)", lambda: flow_csv([(row.name, row.flow) for row in rows]),
            file_name=f"evidence-{batch.id}.csv", mime="text/csv", key=state.key("batch_counts", batch.id), on_click="ignore",
        )  # fmt: skip
        st.caption(f"{flow.INTERVALS} {flow.BY_WORDS}")


def _choose(batch: Batch, offered: Sequence[FlowChoice], chosen: FlowChoice | None) -> FlowChoice | None:
    """Everything that the picture shows, as a list to choose from."""
    by_key = {one.key: one for one in offered if one.runs} | ({chosen.key: chosen} if chosen else {})
    name = state.key("batch_stage", batch.id)
    state.set_value(name, chosen.key if chosen else "")
    st.selectbox(
        "Readings to list", ["", *by_key], key=name, on_change=lambda: address.set_evidence(state.value(name) or ""), width=460,
        format_func=lambda one: f"{by_key[one].name} ({len(by_key[one].runs):,})" if one else "All readings of the batch",
    )  # fmt: skip
    return chosen
