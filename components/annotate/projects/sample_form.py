"""Which of the chosen readings become the project: all of them, or a seeded sample. What it means is in `labels/sampling.py`."""

from __future__ import annotations

import streamlit as st

from components.annotate import keys
from components.annotate.projects.wording import ChosenReadings
from components.session import hidden_answers, state
from readers.engine.labels.sampling import ONLY, STRATA, Candidate, Sample, choose
from readers.engine.questions.grading import Grade
from readers.engine.store import Run, Store

ALL, SOME = "all", "some"


def narrow(store: Store, chosen: ChosenReadings, *, made: int) -> ChosenReadings:
    """Draw the form, and return the readings that the sample holds, with the sample in words."""
    if len(chosen.runs) < 2:
        return chosen

    def key(name: str) -> str:
        return state.key(keys.PROJECT, "sample", name, made)

    with st.expander("Take only some of them"):
        only = st.selectbox("Which", list(ONLY), format_func=lambda one: ONLY[one], key=key("only"), width=520)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            size = st.number_input("How many (empty: all)", 1, len(chosen.runs), None, 1, key=key("size"), width=190)
            by = st.selectbox("Drawn", list(STRATA), format_func=lambda one: STRATA[one], key=key("by"), width=260)
            seed = st.number_input("Seed of the draw", 0, 10**9, 0, 1, key=key("seed"), width=190)
    sample = Sample(only or "", size, by or "", int(seed))
    if not sample.sentence(0, 0):
        return chosen
    taken = set(choose(_candidates(store, chosen.runs, graded=bool(sample.only)), sample))
    runs = tuple(run for run in chosen.runs if run.id in taken)
    return chosen._replace(runs=runs, sample=sample.sentence(len(runs), len(chosen.runs)))


def _candidates(store: Store, runs: tuple[Run, ...], *, graded: bool) -> list[Candidate]:
    hidden = hidden_answers.hidden_questions(store) if graded else frozenset()
    found = {run.id: hidden_answers.grade_by_rule(store, run, hidden) for run in runs} if graded else {}
    return [_candidate(run, found.get(run.id)) for run in runs]


def _candidate(run: Run, graded: Grade | None) -> Candidate:
    by_rule, unsure = (graded.suggested, graded.sure != "certain") if graded else (None, False)
    return Candidate(run.id, run.document, run.question, run.reader, str(run.spec.get("model", "")), by_rule, unsure)
