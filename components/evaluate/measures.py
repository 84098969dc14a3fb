"""The expander with the methods' own figures: computed once it is opened, and kept by the process until a reading changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from components.evaluate import keys, wording
from components.html import markup
from components.html.words import wording as words
from components.session.page import address, state
from components.session.visitor import access
from components.widgets import report as tables
from readers import get
from readers.engine.analysis.evaluate import report
from readers.engine.analysis.evaluate.evaluated import Evaluated, Evaluation
from readers.engine.analysis.evaluate.measured import figures_table
from readers.engine.analysis.evaluate.table import Scores
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import EvidenceFate, Wanted
from readers.engine.store.batches import Batch

QUESTIONS = "pages/5_Questions.py"


def show(batch: Batch, found: Evaluation, every: Sequence[Wanted]) -> None:
    """Draw the expander, closed at first. What became of the evidence (in `every` reading where it is known) is taken from what
    is saved: nothing is followed here."""
    box = st.expander(report.OWN_FIGURES, key=state.key(keys.MEASURES, batch.id), on_change="rerun")
    if not box.open:
        return
    with box:
        with access.opened() as store:
            fates = evidence.saved_fates(store, every)
        tables.draw(report.own_figures(of(batch, found, every)), caption=wording.ABOUT_FIGURES)
        if missing := len(every) - len(fates):
            st.html(markup.aside(wording.not_followed(missing)))
            st.page_link(QUESTIONS, label="Follow the evidence", query_params=address.to_batch(batch.id))


def of(batch: Batch, found: Evaluation, every: Sequence[Wanted]) -> Scores:
    """The figures of a batch's readings."""
    with st.spinner(f"Opening {words.count(len(found.readings))} …"):
        with access.opened() as store:
            fates = evidence.saved_fates(store, every)
        key = (batch.id, *(f"{one.row.run} {one.seconds}" for one in found.readings), *sorted(fates))
        return _measured(key, found.readings, fates)


@st.cache_resource(max_entries=8, show_spinner=False)
def _measured(key: tuple[str, ...], _readings: Sequence[Evaluated], _fates: Mapping[str, EvidenceFate | None]) -> Scores:
    """`key` stands for the readings, their ends and the fates that were saved."""
    with access.opened() as store:
        return figures_table(store, _readings, get, fates=_fates)
