"""Readings of an evaluation that are looked at and labelled together: of a kind (by right and wrong, by what became of the
evidence), among a part of them (a slice, a depth and length), by some readers. They are shown question by question, can become a
project, and the address names them, so that a link shows the same.

Not here: following the evidence (`widgets/progress/evidence_fates.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Literal, NamedTuple

import streamlit as st

from components.html.words import wording
from components.session import access, address, state
from components.widgets import evidence_fates, reading_links
from components.widgets.reading_links import MakeProject
from readers.engine.analysis.evaluate import post_mortem, report
from readers.engine.analysis.evaluate.evaluated import LENGTH, Evaluated, Evaluation, sliced
from readers.engine.analysis.evaluate.post_mortem import Examined
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import EvidenceFate, Wanted
from readers.engine.analysis.facts.fates import OVERWRITTEN, SUMMARISED_AWAY
from readers.engine.store.batches import Batch

ALL, SPLIT, NONE_RIGHT, WRONG = "", "split", "none", "wrong"
SUMMARISED, LOST_AGAIN, DECLINED, DEAREST = "summarised", "overwritten", "declined", "dearest"
NAMES = {
    ALL: "All questions",
    SPLIT: "Questions that split the readers",
    NONE_RIGHT: "Questions no reader got right",
    WRONG: "Wrong answers",
    **{key: name for key, (name, _) in post_mortem.GROUPS.items()},
    SUMMARISED: "Lost in a summary, gist or memory",
    LOST_AGAIN: "In a memory, then overwritten",
    DECLINED: "Declined, although the evidence was in view",
    DEAREST: "Most tokens until all evidence was found: the dearest tenth",
}
ChosenBy = Literal["which", "among", "whose"]
DEPTH = "depth:"  # how the keys of the heat map's cells begin
DEAREST_SHARE = 0.1  # of the readings that found all evidence
DEPTHS = 5
FOLLOWS = "post-mortem"  # where the work is shown that follows the evidence
Fates = Mapping[str, EvidenceFate | None]  # by reading


class ReadingSelection(NamedTuple):
    """Some readings: a key, a description, and their ids. Questions without any of them are shown without a choice."""

    key: str
    name: str
    runs: tuple[str, ...]
    questions: frozenset[str]


def kinds(found: Evaluation, score: str, examined: Sequence[Examined]) -> dict[str, ReadingSelection]:
    """Every kind of readings that there are with this score, by key; the first is all of them. `examined` are those whose
    evidence was followed."""
    scored = _scored(found, score)
    runs = {one.run for one in scored}
    some = {**_by_outcome(scored, score), **_by_evidence([one for one in examined if one.row.run in runs])}
    every = [_selection(ALL, NAMES[ALL], scored), *(_selection(key, NAMES[key], of) for key, of in some.items())]
    return {one.key: one for one in every if one.runs or one.key == ALL}


def parts(found: Evaluation, score: str) -> dict[str, ReadingSelection]:
    """The parts that readings with this score can be among, by key; the first is all of them."""
    scored = _scored(found, score)
    slices = [one for by in (LENGTH, *found.fields) for one in _by_slice(scored, by)]
    every = [_selection(ALL, "All of them", scored), *slices, *_by_depth(scored, score)]
    return {one.key: one for one in every if one.runs or one.key == ALL}


def _scored(found: Evaluation, score: str) -> list[Evaluated]:
    return [one for one in found.readings if one.value(score) is not None]


def both(kind: ReadingSelection, part: ReadingSelection) -> ReadingSelection:
    """The readings of a kind that are among a part."""
    if part.key == ALL:
        return kind
    name = part.name if kind.key == ALL else f"{kind.name}; {part.name}"
    runs, questions = {*part.runs}, kind.questions & part.questions
    return ReadingSelection(f"{kind.key}~{part.key}", name, tuple(one for one in kind.runs if one in runs), questions)


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


def _by_outcome(readings: Sequence[Evaluated], score: str) -> dict[str, list[Evaluated]]:
    by_question: dict[str, list[Evaluated]] = {}
    for one in readings:
        by_question.setdefault(one.question, []).append(one)
    right = {number: [(one.value(score) or 0) >= 1 for one in some] for number, some in by_question.items()}
    return {
        SPLIT: [one for number, some in by_question.items() if any(right[number]) and not all(right[number]) for one in some],
        NONE_RIGHT: [one for number, some in by_question.items() if not any(right[number]) for one in some],
        WRONG: [one for one in readings if one.value(score) == 0],
    }


def _by_evidence(examined: Sequence[Examined]) -> dict[str, list[Evaluated]]:
    """The groups of the post-mortem, and readings whose evidence was lost or came late in some way."""
    paid = sorted(((one.until.tokens, one) for one in examined if one.until and one.until.tokens), key=lambda of: -of[0])
    found = {key: [one for one in examined if one.group == key] for key in post_mortem.GROUPS} | {
        SUMMARISED: [one for one in examined if one.fate.exit is SUMMARISED_AWAY],
        LOST_AGAIN: [one for one in examined if one.fate.exit is OVERWRITTEN],
        DECLINED: [one for one in examined if one.fate.kind == "in view, declined"],
        DEAREST: [one for _, one in paid[: ceil(DEAREST_SHARE * len(paid))]],
    }
    return {key: [one.row for one in some] for key, some in found.items()}


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

    @cached_property
    def fates(self) -> Fates:
        """What became of the evidence, if that is saved."""
        with access.opened() as store:
            return evidence.saved_fates(store, self.every)

    @cached_property
    def examined(self) -> list[Examined]:
        """The readings whose evidence was followed, for the post-mortem."""
        return post_mortem.examine(self.found.readings, self.fates)

    def key(self, by: ChosenBy) -> str:
        """The key under which the session remembers a choice."""
        return state.key("eval", by, self.batch.id)

    def chosen(self, score: str) -> ReadingSelection:
        """The selection that is chosen; all readings, where it has none with this score."""
        kind, part = kinds(self.found, score, self.examined), parts(self.found, score)
        which, among = kind.get(self._value("which"), kind[ALL]), part.get(self._value("among"), part[ALL])
        return of_readers(both(which, among), self.found, state.value(self.key("whose")) or ())

    def ask(self, score: str) -> ReadingSelection:
        """Draw the choice of a kind, of a part and of readers; the address follows it."""
        self._arrive()
        with st.container(key="eval-choose", horizontal=True, vertical_alignment="bottom"):
            self._choose("which", "Show", kinds(self.found, score, self.examined), width=460)
            self._choose("among", "Among", parts(self.found, score), width=300)
            st.multiselect("Read by", self.found.readers, placeholder="all readers", width=300, key=self.key("whose"))
        self.follow()
        address.set_selection(self._value("which"), self._value("among"), state.value(self.key("whose")))
        return self.chosen(score)

    def _arrive(self) -> None:
        """Take the choice from the address that led here, once."""
        if state.value(self.key("whose")) is None:
            which, among, whose = address.selection()
            state.set_value(self.key("which"), which)
            state.set_value(self.key("among"), among)
            state.set_value(self.key("whose"), [one for one in whose if one in self.found.readers])

    def _choose(self, by: ChosenBy, label: str, offered: Mapping[str, ReadingSelection], *, width: int) -> None:
        if self._value(by) not in offered:
            state.set_value(self.key(by), ALL)
        if len(offered) > 1:
            named = {key: f"{one.name} ({wording.count(len(one.runs))})" for key, one in offered.items()}
            st.selectbox(label, [*offered], format_func=named.__getitem__, width=width, key=self.key(by))

    def _value(self, by: ChosenBy) -> str:
        return str(state.value(self.key(by)) or ALL)

    def label(self, chosen: ReadingSelection, where: str) -> None:
        """Offer a project of the chosen readings; `where` distinguishes two such buttons."""
        if self.make_project:
            key = state.key("eval_project", self.batch.id, where)
            reading_links.label_button(chosen.runs, chosen.name, key=key, make_project=self.make_project)

    def follow(self, where: str = "questions") -> None:
        """Offer to follow the evidence where that was not done, and do it; `where` distinguishes two such buttons."""
        missing = len(self.every) - len(self.fates)
        key = state.key("eval_follow", self.batch.id)
        if not missing:
            return
        if not state.value(key):
            st.button(
                f"Follow the evidence through {wording.count(missing)}", on_click=state.set_value, args=(key, True),
                key=state.key("eval_follow", self.batch.id, where),
                help="Where each reading carried, lost or passed over the passages that answer the question. No model is asked. "
                "After that, you can choose readings by whether they found the evidence and were right.",
            )  # fmt: skip
        elif where == FOLLOWS and evidence_fates.of(self.batch.id, self.every) is not None:
            state.set_value(key, False)
            st.rerun()
