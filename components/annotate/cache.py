"""What is computed from a project's labels, cached by the process until any of them changes (`VisibleLabels.cache_key`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from components.html.words.reading_words import title_of
from readers import READERS
from readers.engine.analysis import label_report, label_results, visible_labels
from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.analysis.label_results import LabelResults, QuestionFacts, Results, Rule
from readers.engine.analysis.visible_labels import VisibleLabels, find_disagreements
from readers.engine.labels import adjudication, agreement_tables
from readers.engine.labels.adjudication import Compared
from readers.engine.labels.counts import LabelledRun
from readers.engine.labels.label import Decision
from readers.engine.labels.project import MOST_READINGS
from readers.engine.labels.settled import BesideRule
from readers.engine.report.values import Table
from readers.engine.store import Run, Store


@st.cache_resource(max_entries=2 * MOST_READINGS, show_spinner=False)
def _step_kinds(run_id: str, status: str, ended: str | None, _store: Store) -> tuple[str, ...]:
    """`ended` is part of the key because a resumed reading ends later."""
    return visible_labels.step_kinds(_store.runs.tape(run_id).events())


@st.cache_resource(max_entries=8, show_spinner="Reading the steps …")
def _about_readings(key: str, _store: Store, _visible: VisibleLabels) -> list[LabelledRun]:
    def kinds(run: Run) -> tuple[str, ...]:
        return _step_kinds(run.id, run.status, run.ended, _store)

    return visible_labels.about_readings(_store, _visible, kinds_of=kinds)


def about_readings(store: Store, visible: VisibleLabels) -> list[LabelledRun]:
    """What counting needs to know about the readings."""
    return _about_readings(runs_key(visible), store, visible)


def runs_key(visible: VisibleLabels) -> str:
    """Represents the readings and their ends, regardless of their labels."""
    return " ".join(f"{run.id}{run.status}{run.ended}" for run in visible.runs.values())


@st.cache_resource(max_entries=8, show_spinner="Comparing the labels …")
def _compared(key: str, _visible: VisibleLabels) -> list[Compared]:
    return adjudication.compared(_visible.labels, done=_visible.done)


def disagreements(visible: VisibleLabels, history: Sequence[Decision]) -> list[Compared]:
    """All disagreements, with all decisions on them. The labels are compared again only when they change."""
    compared = _compared(replace(visible, decisions=()).cache_key(), visible)
    return find_disagreements(visible, history, compared=compared)


@st.cache_resource(max_entries=8, show_spinner="Computing the agreement …")
def agreement_table(key: str, _store: Store, _visible: VisibleLabels) -> Table:
    """All figures of agreement."""
    return agreement_tables.table(label_report.figures(_visible, about_readings(_store, _visible)))


@st.cache_resource(max_entries=8, show_spinner="Computing the agreement on each code …")
def agreement_by_code(key: str, _visible: VisibleLabels) -> Table:
    """The agreement on each code."""
    return label_report.codes_table(_visible)


@st.cache_resource(max_entries=8, show_spinner="Comparing the rounds …")
def calibration_tables(key: str, _visible: VisibleLabels) -> list[Table]:
    """Each annotator beside what is known, and the agreement of each round."""
    return label_report.calibration_tables(_visible)


def kind_title(kind: str) -> str:
    """A kind of step in words."""
    return label_results.kind_title(kind, (reader.narrative for reader in READERS))


@st.cache_resource(max_entries=16, show_spinner="Counting …")
def results(key: str, rule: Rule, _store: Store, _visible: VisibleLabels) -> Results:
    """All results under a rule."""
    about = about_readings(_store, _visible)
    return label_results.results(_visible, about, rule, reader_title=title_of, kind_title=kind_title)


@st.cache_resource(max_entries=8, show_spinner="Counting …")
def question_facts(key: str, _facts: Callable[[], Mapping[str, QuestionFacts]]) -> Mapping[str, QuestionFacts]:
    """What is known about the readings' questions. `key` represents the readings and what the viewer may know about them."""
    return _facts()


@st.cache_resource(max_entries=8, show_spinner="Counting …")
def found(key: str, _store: Store, _visible: VisibleLabels, _facts: Callable[[], Mapping[str, QuestionFacts]]) -> LabelResults:
    """Findings on whole readings. `key` names the labels, and what the viewer may know about questions and answers."""
    return label_results.found(_visible, about_readings(_store, _visible), _facts(), reader_title=title_of)


@st.cache_resource(max_entries=8, show_spinner="Counting …")
def beside_fates(key: str, _found: LabelResults, _followed: Mapping[str, EvidenceFate | None]) -> BesideRule:
    """The fates that people found compared with those of the rules; `key` represents both."""
    return label_results.beside_fates(_found, _followed)
