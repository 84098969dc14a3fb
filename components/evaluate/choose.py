"""Choosing readings of an evaluation: one selection at a time, which is shown question by question and can become a project.

Not here: the selections there are (`selections.py`), and following the evidence (`widgets/progress/evidence_fates.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from components.evaluate import keys, selections
from components.evaluate.selections import Fates, ReadingSelection
from components.html.words import wording as words
from components.session.page import state
from components.session.visitor import access
from components.widgets.progress import evidence_fates
from components.widgets.readings import label_these
from components.widgets.readings.label_these import MakeProject
from readers.engine.analysis.evaluate.evaluated import Evaluation
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import Wanted
from readers.engine.store.batches import Batch


@dataclass(frozen=True)
class Chooser:
    """What can be chosen in a batch. `every` are the readings whose evidence is known."""

    batch: Batch
    found: Evaluation
    every: Sequence[Wanted]
    make_project: MakeProject | None

    @property
    def key(self) -> str:
        """Under which the session remembers what is chosen."""
        return state.key(keys.WHICH, self.batch.id)

    @cached_property
    def fates(self) -> Fates:
        """What became of the evidence, as far as that is saved."""
        with access.opened() as store:
            return evidence.saved_fates(store, self.every)

    def offered(self, score: str) -> dict[str, ReadingSelection]:
        """Every selection that has readings, by its key."""
        return {one.key: one for one in selections.offered(self.found, score, self.fates)}

    def chosen(self, score: str) -> ReadingSelection:
        """The selection that is chosen; all readings, where it has none with this score."""
        offered = self.offered(score)
        return offered.get(state.value(self.key) or selections.ALL, offered[selections.ALL])

    def ask(self, score: str) -> ReadingSelection:
        """Draw the choice of a selection and of readers."""
        offered = self.offered(score)
        if state.value(self.key) not in offered:
            state.set_value(self.key, selections.ALL)
        named = {key: f"{one.name} ({words.count(len(one.runs))})" for key, one in offered.items()}
        with st.container(key="eval-choose", horizontal=True, vertical_alignment="bottom"):
            st.selectbox("Show", [*offered], format_func=named.__getitem__, width=460, key=self.key)
            readers = list(dict.fromkeys(row.reader for row in self.found.rows))
            some = st.multiselect(
                "Read by", readers, placeholder="all readers", width=340, key=state.key(keys.WHOSE, self.batch.id)
            )
        self._follow()
        return selections.of_readers(offered[state.value(self.key)], self.found, some)

    def label(self, chosen: ReadingSelection, where: str) -> None:
        """Offer a project of the chosen readings; `where` tells two such buttons apart."""
        if self.make_project:
            key = state.key(keys.PROJECT, self.batch.id, where)
            label_these.button(chosen.runs, chosen.name, key=key, make_project=self.make_project)

    def _follow(self) -> None:
        """Offer to follow the evidence where that was not done, and do it."""
        missing = len(self.every) - len(self.fates)
        key = state.key(keys.FOLLOW, self.batch.id)
        if not missing:
            return
        if not state.value(key):
            st.button(
                f"Follow the evidence through {words.count(missing)}", on_click=state.set_value, args=(key, True),
                key=state.key(keys.FOLLOW, self.batch.id, "button"),
                help="Where each reading carried, lost or passed over the passages that answer the question. No model is asked. "
                "Then wrong answers with the evidence before the model can be chosen.",
            )  # fmt: skip
        elif evidence_fates.of(self.batch.id, self.every) is not None:
            state.set_value(key, False)
            st.rerun()
