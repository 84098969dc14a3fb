"""What the bench suggests next to a reading: automatic hints, and the fate of a fact that the rules found. Nothing is filled in.

Suggestions based on the known answer are made only while that answer is shown. Not here: the rules (`readers/engine/analysis`).
"""

from __future__ import annotations

import streamlit as st

from components.annotate.panel_data import WRONG_OUTCOMES, Suggested
from components.session import hidden_answers, process_cache
from components.session.process_cache import RunState
from components.widgets import reading_view
from readers import get
from readers.engine.analysis.facts.fate import of_all
from readers.engine.analysis.facts.follow import evidence_of
from readers.engine.analysis.hints import hints
from readers.engine.canonical import canonical
from readers.engine.labels.label import FATES, Turn
from readers.engine.labels.project import Settings, sees_outcome
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.hint import Hint
from readers.engine.store import Reading, Store
from readers.engine.store.labels.label_session import LabelSession


def shown_known(store: Store, reading: Reading, session: LabelSession) -> KnownAnswer | None:
    """What is known about the answer, while it is shown."""
    run = reading.run
    reveal = sees_outcome(session.viewer) and reading_view.shows_known(run)
    return hidden_answers.known_answer(store, run, hidden_answers.hidden_questions(store)) if reveal else None


def wrong_by_rule(store: Store, session: LabelSession) -> frozenset[str]:
    """The project's readings whose answers are wrong or partly right by rule, as far as the annotator may know it."""
    if not sees_outcome(session.viewer):
        return frozenset()
    hidden = hidden_answers.hidden_questions(store)
    runs = store.run_list.runs(store.projects.readings(session.project.id))
    graded = ((run.id, hidden_answers.grade_by_rule(store, run, hidden)) for run in runs)
    return frozenset(run for run, grade in graded if grade and grade.outcome in WRONG_OUTCOMES)


def suggestion(reading: Reading, session: LabelSession, known: KnownAnswer) -> Suggested | None:
    return suggested_fate(reading, known) if may_suggest(session.project.settings, session.turn) else None


def hints_of(store: Store, reading: Reading, known: KnownAnswer | None, *, suggested: Suggested | None) -> list[Hint]:
    """The automatic hints; those based on the known answer only while it is shown."""
    run = reading.run
    if known is None:
        return _cached_hints(run.id, process_cache.run_state(run), "", reading, None)
    asked = store.question_sets.question_of(run)
    by_rule = run.graded(KnownAnswer.of(asked)) if asked else None
    words = f"A rule suggests: {by_rule.words}. {by_rule.reason}" if by_rule else ""
    found = _cached_hints(run.id, process_cache.run_state(run), canonical([known.answers, known.evidence]), reading, known)
    fate = [_fate_hint(suggested)] if suggested else []
    return [*([Hint("judged", (), words, known=True)] if words else []), *fate, *found]


@st.cache_resource(max_entries=32, show_spinner=False)
def _cached_hints(run_id: str, run_state: RunState, known_key: str, _reading: Reading, _known: KnownAnswer | None) -> list[Hint]:
    return hints(_reading, get(_reading.run.reader), known=_known, reveal=_known is not None)


def may_suggest(settings: Settings, turn: Turn | None) -> bool:
    """Whether the project has suggestions for the field *Fate of the fact*, and this annotator may see them now: a blinded
    annotator only after finishing the reading, so that no suggestion replaces a judgement. Nothing is filled in: an annotator
    accepts it in the panel."""
    committed = turn is not None and turn.standing == "done"
    return settings.suggest_fates and (committed or not settings.blind)


def suggested_fate(reading: Reading, known: KnownAnswer) -> Suggested | None:
    """What the rules suggest for the fact that got least far; None if they cannot decide."""
    followed = process_cache.followed(reading, evidence_of(known, reading.document), known=known)
    least = of_all(one.fate for one in followed if one.fate)
    if least is None or not least.row.code:
        return None
    why = next(one.sentence for one in followed if one.fate is least)
    return Suggested(least.row.code, least.step + 1, least.row.decides, why)


def _fate_hint(one: Suggested) -> Hint:
    """The suggestion as a hint."""
    words = f"Suggested fate of the fact, by matching words: {FATES[one.fate]}. {one.why}"
    return Hint("fate", (one.step,), words, known=True)
