"""Readings of an evaluation that are looked at and labelled together: by right and wrong, by slice, by depth and length; one
selection at a time, which is shown question by question and can become a project.

Not here: following the evidence (`widgets/progress/evidence_fates.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import streamlit as st

from components.html.words import wording
from components.session import access, state
from components.widgets import evidence_fates, reading_links
from components.widgets.reading_links import MakeProject
from readers.engine.analysis.evaluate import report
from readers.engine.analysis.evaluate.evaluated import LENGTH, Evaluated, Evaluation, sliced
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import EvidenceFate, Wanted
from readers.engine.store.batches import Batch

ALL, SPLIT, NONE_RIGHT, WRONG, WRONG_WITH_EVIDENCE = "", "split", "none", "wrong", "wrong with evidence"
NAMES = {
    ALL: "All questions",
    SPLIT: "Questions that split the readers",
    NONE_RIGHT: "Questions no reader got right",
    WRONG: "Wrong answers",
    WRONG_WITH_EVIDENCE: "Wrong, although the model saw the evidence",
}
DEPTH = "depth:"  # how the keys of the heat map's cells begin
DEPTHS = 5
Fates = Mapping[str, EvidenceFate | None]  # by reading


class ReadingSelection(NamedTuple):
    """Some readings: a key, a description, and their ids. Questions without any of them are shown without a choice."""

    key: str
    name: str
    runs: tuple[str, ...]
    questions: frozenset[str]


def selections(found: Evaluation, score: str, fates: Fates) -> list[ReadingSelection]:
    """Every selection that has readings with this score; the first is all of them."""
    scored = [one for one in found.readings if one.value(score) is not None]
    every = [
        _selection(ALL, NAMES[ALL], scored),
        *_by_outcome(scored, score, fates),
        *(one for by in (LENGTH, *found.fields) for one in _by_slice(scored, by)),
        *_by_depth(scored, score),
    ]
    return [one for one in every if one.runs or one.key == ALL]


def of_readers(chosen: ReadingSelection, found: Evaluation, readers: Collection[str]) -> ReadingSelection:
    """The readings of a selection by these readers; by all, where none is named."""
    if not readers:
        return chosen
    runs = {one.run for one in found.readings if one.reader in readers}
    return chosen._replace(name=f"{chosen.name}, by {', '.join(readers)}", runs=tuple(one for one in chosen.runs if one in runs))


def depth_name(fifth: int) -> str:
    """A fifth of a text in percent, from 0."""
    return f"{100 * fifth // DEPTHS} to {100 * (fifth + 1) // DEPTHS} %"


def depth_key(fifth: int, length: str) -> str:
    """The key of the readings whose evidence begins in a fifth of texts of a length."""
    return f"{DEPTH}{fifth}:{length}"


def by_cell(readings: Iterable[Evaluated], score: str) -> dict[tuple[int, str], list[Evaluated]]:
    """The scored readings by the fifth of the text in which the evidence begins and the length of the text, both in order."""
    parts = sliced([one for one in readings if one.depth is not None and one.value(score) is not None], LENGTH)
    found: dict[tuple[int, str], list[Evaluated]] = {}
    for length, some in parts.items():
        for one in sorted(some, key=lambda each: each.depth or 0):
            if one.depth is not None:
                found.setdefault((min(DEPTHS - 1, int(one.depth * DEPTHS)), length), []).append(one)
    return found


def _by_outcome(readings: Sequence[Evaluated], score: str, fates: Fates) -> list[ReadingSelection]:
    by_question: dict[str, list[Evaluated]] = {}
    for one in readings:
        by_question.setdefault(one.question, []).append(one)
    right = {number: [(one.value(score) or 0) >= 1 for one in some] for number, some in by_question.items()}
    split = [one for number, some in by_question.items() if any(right[number]) and not all(right[number]) for one in some]
    none = [one for number, some in by_question.items() if not any(right[number]) for one in some]
    wrong = [one for one in readings if one.value(score) == 0]
    had = [one for one in wrong if (fate := fates.get(one.run)) and "reached" in fate.passed]
    kinds = {SPLIT: split, NONE_RIGHT: none, WRONG: wrong, WRONG_WITH_EVIDENCE: had}
    return [_selection(key, NAMES[key], some) for key, some in kinds.items()]


def _by_slice(readings: Sequence[Evaluated], by: str) -> list[ReadingSelection]:
    parts = sliced(readings, by)
    if len(parts) < 2:
        return []
    name = report.slice_name(by).capitalize()
    return [_selection(f"slice:{by}:{value}", f"{name}: {value}", some) for value, some in parts.items()]


def _by_depth(readings: Sequence[Evaluated], score: str) -> list[ReadingSelection]:
    return [
        _selection(depth_key(fifth, length), f"Evidence at {depth_name(fifth)} of the text, {length}", some)
        for (fifth, length), some in by_cell(readings, score).items()
    ]


def _selection(key: str, name: str, readings: Sequence[Evaluated]) -> ReadingSelection:
    return ReadingSelection(key, name, tuple(one.run for one in readings if one.run), frozenset(one.question for one in readings))


# Choosing one


@dataclass(frozen=True)
class Chooser:
    """What can be chosen in a batch. `every` are the readings whose evidence is known."""

    batch: Batch
    found: Evaluation
    every: Sequence[Wanted]
    make_project: MakeProject | None

    @property
    def key(self) -> str:
        """The key under which the session remembers the choice."""
        return state.key("eval_which", self.batch.id)

    @cached_property
    def fates(self) -> Fates:
        """What became of the evidence, if that is saved."""
        with access.opened() as store:
            return evidence.saved_fates(store, self.every)

    def offered(self, score: str) -> dict[str, ReadingSelection]:
        """Every selection that has readings, by its key."""
        return {one.key: one for one in selections(self.found, score, self.fates)}

    def chosen(self, score: str) -> ReadingSelection:
        """The selection that is chosen; all readings, where it has none with this score."""
        offered = self.offered(score)
        return offered.get(state.value(self.key) or ALL, offered[ALL])

    def ask(self, score: str) -> ReadingSelection:
        """Draw the choice of a selection and of readers."""
        offered = self.offered(score)
        if state.value(self.key) not in offered:
            state.set_value(self.key, ALL)
        named = {key: f"{one.name} ({wording.count(len(one.runs))})" for key, one in offered.items()}
        with st.container(key="eval-choose", horizontal=True, vertical_alignment="bottom"):
            st.selectbox("Show", [*offered], format_func=named.__getitem__, width=460, key=self.key)
            readers = self.found.readers
            some = st.multiselect(
                "Read by", readers, placeholder="all readers", width=340, key=state.key("eval_whose", self.batch.id)
            )
        self._follow()
        return of_readers(offered[state.value(self.key)], self.found, some)

    def label(self, chosen: ReadingSelection, where: str) -> None:
        """Offer a project of the chosen readings; `where` distinguishes two such buttons."""
        if self.make_project:
            key = state.key("eval_project", self.batch.id, where)
            reading_links.label_button(chosen.runs, chosen.name, key=key, make_project=self.make_project)

    def _follow(self) -> None:
        """Offer to follow the evidence where that was not done, and do it."""
        missing = len(self.every) - len(self.fates)
        key = state.key("eval_follow", self.batch.id)
        if not missing:
            return
        if not state.value(key):
            st.button(
                f"Follow the evidence through {wording.count(missing)}", on_click=state.set_value, args=(key, True),
                key=state.key("eval_follow", self.batch.id, "button"),
                help="Where each reading carried, lost or passed over the passages that answer the question. No model is asked. "
                "After that, you can choose wrong answers although the model saw the evidence.",
            )  # fmt: skip
        elif evidence_fates.of(self.batch.id, self.every) is not None:
            state.set_value(key, False)
            st.rerun()
