"""Read with all readers: which of them, their total cost, and Start, in a dialog over the page Read.

The readings are started together and run in `Jobs`; the page Compare shows them while they run, and compares them at the end. Its
address names them, so a reload finds them again.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.html import markup
from components.html.cost_lines import cheapest_told
from components.html.words import wording, work_words
from components.read import html
from components.session import access, address, flash, start_runs, state
from components.widgets import text_cache
from components.widgets.start import options_form
from readers import READERS, get
from readers.engine.errors import ReadingError
from readers.engine.record.costs import cheapest
from readers.engine.run.estimate import Estimate, price_together
from readers.engine.run.execute import RunSpec
from readers.engine.text.document import Document

METHODS = tuple(reader.id for reader in READERS if not reader.baseline)
BASELINES = tuple(reader.id for reader in READERS if reader.baseline)
MOST = address.MOST_COMPARED
AS_HUMAN = "While you are the model, start each reading by itself."
CONTINUE = "They continue when you leave this page, and each can be cancelled."
OWN_SETTINGS = "Each reads with the settings suggested for this text; {} uses the settings of the page."


@st.dialog("Read with all readers", width="medium")
def show(document: Document, own: RunSpec) -> None:
    """Draw the choice of readers of a text, the estimate, and Start. `own` is the reading that the page has chosen: its question
    and its model hold for all."""
    st.html(html.asked_of(own.question, document.title))
    chosen = [*_choose("Methods", METHODS, METHODS), *_choose("Baselines, to compare them with", BASELINES, ())]
    if not 2 <= len(chosen) <= MOST:
        st.caption(f"Choose 2 to {MOST} readers.")
        return
    try:
        specs = [_spec(document, own, reader_id) for reader_id in chosen]
        _show_estimate(document, own, specs)
        access.check_readings(len(specs))
    except ReadingError as error:
        flash.error(error)
        return
    _start(document, specs)


def _choose(label: str, ids: Sequence[str], default: Sequence[str]) -> list[str]:
    key = state.key("all_readers", state.short_hash(label))
    picked = st.pills(
        label, ids, selection_mode="multi", default=list(default), format_func=lambda reader: get(reader).title, key=key
    )
    return [reader_id for reader_id in ids if reader_id in picked]


def _spec(document: Document, own: RunSpec, reader_id: str) -> RunSpec:
    """The reading of one reader: the page's own if it is chosen there, else with the settings suggested for the text."""
    if reader_id == own.reader:
        return own
    reader = get(reader_id)
    options = options_form.suggested(reader, document)
    return start_runs.new_spec(reader, own.question, choices=own.choices, options=options)


def _show_estimate(document: Document, own: RunSpec, specs: Sequence[RunSpec]) -> None:
    """The total cost of the readings, and reasons why one of them will fail."""
    found = [_estimated(document, spec) for spec in specs]
    price = price_together(found)
    st.html(markup.fact_list(work_words.price_rows(price, of="Readings", time_note="one reading at a time")))
    named = get(own.reader).title
    st.caption(OWN_SETTINGS.format(named) if any(spec is own for spec in specs) else OWN_SETTINGS.partition(";")[0] + ".")
    costs = [one.tried for one in found if one.tried]
    names = [get(spec.reader).title for spec in specs]
    st.caption(markup.plain(f"By the number of questions on this text: {cheapest_told(cheapest(costs), costs, names)}"))
    for spec, one in zip(specs, found, strict=True):
        for problem in one.problems:
            st.warning(markup.plain(f"{get(spec.reader).title}: {wording.sentence(problem)}"))


def _estimated(document: Document, spec: RunSpec) -> Estimate:
    return text_cache.estimated(document, spec, width=state.model_choice().at_once)


def _start(document: Document, specs: Sequence[RunSpec]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        sent = st.button(f"Start {len(specs)} readings", type="primary", key="start_all")
        st.html(markup.aside(CONTINUE), width="content")
    if not sent:
        return
    try:
        with st.spinner("Getting ready …"):
            ids = start_runs.start(document, *specs)
    except ReadingError as error:
        flash.error(error)
        return
    st.switch_page("pages/4_Compare.py", query_params=address.to_compare(ids))
