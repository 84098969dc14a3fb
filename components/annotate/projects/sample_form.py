"""Which of the chosen readings become the project: all of them, or a seeded sample. What it means is in `labels/sampling.py`."""

from __future__ import annotations

import streamlit as st

from components.annotate import keys
from components.annotate.projects.wording import ChosenReadings
from components.html.words import wording
from components.session import hidden_answers, process_cache, state
from readers import get
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import Wanted
from readers.engine.analysis.hints import hints
from readers.engine.labels.sampling import ONLY, STRATA, Candidate, Sample, choose
from readers.engine.questions.grading import Grade
from readers.engine.store import Run, Store

FOLLOWED = (
    "Readings whose evidence was not followed yet, or is not known, count as one fate of their own. *Follow the evidence* on the "
    "page of a batch follows it."
)
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
    if sample.by == "fate":
        st.caption(FOLLOWED)
    taken = set(choose(candidates(store, chosen.runs, sample), sample))
    runs = tuple(run for run in chosen.runs if run.id in taken)
    return chosen._replace(runs=runs, sample=sample.sentence(len(runs), len(chosen.runs)))


def candidates(store: Store, runs: tuple[Run, ...], sample: Sample) -> list[Candidate]:
    """The readings with what the sample needs to know of them, and the viewer may."""
    hidden = hidden_answers.hidden_questions(store)
    found = {run.id: hidden_answers.grade_by_rule(store, run, hidden) for run in runs} if sample.only else {}
    fates = _fates(store, runs, hidden) if sample.by == "fate" else {}
    first = _first_hints(runs) if sample.by == "hint" else {}
    made = [_candidate(run, found.get(run.id)) for run in runs]
    return [one._replace(fate=fates.get(one.run, ""), hint=first.get(one.run, "")) for one in made]


def _first_hints(runs: tuple[Run, ...]) -> dict[str, str]:
    """The kind of the first hint of each reading that has ended and has one. What is known of the answer has no effect."""
    kinds = {}
    with st.spinner(f"Looking for hints in {wording.count(len(runs))} …"):
        for run in runs:
            if run.ended and (kind := _first_hint(run.id, run.ended, run)):
                kinds[run.id] = kind
    return kinds


@st.cache_resource(max_entries=20_000, show_spinner=False)
def _first_hint(run_id: str, ended: str, _run: Run) -> str:
    """Its kind, empty for none; of a reading that has ended, so that it is looked for once."""
    return next((one.kind for one in hints(process_cache.ended_reading(_run), get(_run.reader))), "")


def _fates(store: Store, runs: tuple[Run, ...], hidden: frozenset[tuple[str, str]]) -> dict[str, str]:
    """The fates that were followed and saved."""
    known = ((run, hidden_answers.known_answer(store, run, hidden)) for run in runs)
    followed = evidence.saved_fates(store, [Wanted(run, one) for run, one in known if one and one.evidence])
    return {run: fate.kind for run, fate in followed.items() if fate}


def _candidate(run: Run, graded: Grade | None) -> Candidate:
    by_rule, unsure = (graded.suggested, graded.sure != "certain") if graded else (None, False)
    return Candidate(run.id, run.document, run.question, run.reader, str(run.spec.get("model", "")), by_rule, unsure)
