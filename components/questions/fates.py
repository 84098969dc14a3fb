"""What became of the evidence in a batch's readings, counted by reader and model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from components.html import markup
from components.questions import html, keys
from components.questions import wording as words
from components.session import process_cache, state
from readers.engine.analysis.facts.many import ReadingFate, Stage, counted, evidence_in, is_right
from readers.engine.run.batches import CellResult
from readers.engine.store.batches import Batch


def show(batch: Batch, found: Sequence[CellResult], names: Sequence[str]) -> Mapping[str, Stage]:
    """Draw the table once somebody asks for it; how far the evidence came in each reading, by id. Nothing where no evidence is
    known, or all of it is hidden."""
    followed = [one for one in found if one.grade and evidence_in(one)]
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
    fates = _fates(followed, names)
    tables = [(name, counted(own)) for name, own in zip(names, fates, strict=True) if own]
    st.html(html.outcomes(*words.fate_table(tables), about="What became of the evidence"))
    st.caption(words.BY_WORDS)
    return {run_id: stage for _, counts in tables for stage, runs in counts.at.items() for run_id in runs}


def _fates(followed: Sequence[CellResult], names: Sequence[str]) -> list[list[ReadingFate]]:
    """The fate of each reading, by variant, with progress while they are made."""
    fates: list[list[ReadingFate]] = [[] for _ in names]
    progress = st.progress(0.0, f"Following the evidence through {len(followed):,} readings")
    for number, one in enumerate(followed, 1):
        known = evidence_in(one)
        if one.run and known and (came := process_cache.fate(one.run, known)):
            fates[one.cell.variant].append(ReadingFate(one.run.id, came.fate.kind, is_right(one), came.in_view))
        progress.progress(number / len(followed))
    progress.empty()
    return fates
