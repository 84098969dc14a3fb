"""What became of the evidence in a batch's readings, counted by reader and model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import streamlit as st

from components.html import markup
from components.questions import html, keys
from components.questions import wording as words
from components.session import process_cache, state
from readers.engine.analysis.facts.many import Stage, counted_by_variant, evidence_in
from readers.engine.run.batches import CellResult
from readers.engine.store.batches import Batch


def show(batch: Batch, results: Sequence[CellResult], names: Sequence[str]) -> Mapping[str, Stage]:
    """Draw the table once somebody asks for it; how far the evidence came in each reading, by id. Nothing where no evidence is
    known, or all of it is hidden."""
    followed = [one for one in results if one.grade and evidence_in(one)]
    if not followed:
        return {}
    st.html(markup.section("", "What became of the evidence"))
    asked = state.key(keys.BATCH_FATES, batch.id)
    if not state.value(asked):
        st.button(
            "Follow the evidence", key=state.key(keys.BATCH_FOLLOW, batch.id), on_click=state.set_value, args=(asked, True),
            help="Where each reading carried, lost or passed over the passages that answer the question. No model is asked.",
        )  # fmt: skip
        return {}
    found = counted_by_variant(_with_progress(followed), len(names), process_cache.fate)
    tables = [(name, counts) for name, counts in zip(names, found, strict=True) if counts.total]
    st.html(html.outcomes(*words.fate_table(tables), about="What became of the evidence"))
    st.caption(words.BY_WORDS)
    return {run_id: stage for _, counts in tables for stage, runs in counts.at.items() for run_id in runs}


def _with_progress(followed: Sequence[CellResult]) -> Iterator[CellResult]:
    """The readings one after the other, with progress while they are followed."""
    progress = st.progress(0.0, f"Following the evidence through {len(followed):,} readings")
    for number, one in enumerate(followed, 1):
        yield one
        progress.progress(number / len(followed))
    progress.empty()
