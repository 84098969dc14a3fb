"""The name this visitor labels under, which right answers they may see, and which readings stay covered.

The name is that of their login if there is one, else the name they chose, which their browser remembers. Annotators who still
note the readings of a project, before its codes are open to them, must not see the right answers on any page or in an exported
file. This holds for visitors who are signed in or have chosen a name; from all others nothing is hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import unquote

import streamlit as st

from components.session import access, database, state
from components.session.samples import sample_of
from readers import get
from readers.engine.errors import BadOptions
from readers.engine.files.runs.run_file import run_file
from readers.engine.labels.label import annotator_name
from readers.engine.questions.grading import Grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run import human_model
from readers.engine.store import Run, Store

T = TypeVar("T")
CHOSEN, COOKIE = "_annotator", "palimpsest_annotator"


def current_name() -> str:
    """The name by which this visitor labels; empty if it is not known."""
    if st.user.get("is_logged_in"):
        return next((str(st.user[one])[:80] for one in ("email", "name", "sub") if st.user.get(one)), "")
    return chosen_name()


def chosen_name() -> str:
    """The name chosen in this session, else the name in this browser's cookie; empty if there is neither.

    Anybody can write a cookie: one that holds no valid name counts as none.
    """
    name = name_for_cookie()
    if name is not None:
        return name
    try:
        return annotator_name(unquote(st.context.cookies.get(COOKIE, "")))
    except BadOptions:
        return ""


def name_for_cookie() -> str | None:
    """What the browser should remember: the name chosen in this session, empty if it was dropped, None if neither happened."""
    name: str | None = st.session_state.get(CHOSEN)
    return name


def choose_name(name: str) -> None:
    """Set the name for this session; empty to be asked again."""
    st.session_state[CHOSEN] = name


def hidden_questions(store: Store) -> frozenset[tuple[str, str]]:
    """The questions (document, question) that this visitor must not see the right answers to yet."""
    name = current_name()
    return store.projects.hidden_questions(name) if name else frozenset()


def is_hidden(asked: Run | SetQuestion, hidden: frozenset[tuple[str, str]]) -> bool:
    """Whether the question of a reading, or of a question set, is among these."""
    return (asked.document, asked.question.strip()) in hidden


def known_answer(store: Store, run: Run, hidden: frozenset[tuple[str, str]]) -> KnownAnswer | None:
    """What its question set or its sample text knows about a reading's question; None if it is `hidden` or nothing is known."""
    if is_hidden(run, hidden):
        return None
    asked = store.question_sets.question_of(run)
    if asked is not None and (known := KnownAnswer.of(asked)):
        return known
    sample = sample_of(run.document)
    return sample.known(run.question) if sample else None


def grade_by_rule(store: Store, run: Run, hidden: frozenset[tuple[str, str]]) -> Grade | None:
    """The rule's grade of a reading; None if its question is `hidden`, nothing is known, or it has no outcome."""
    known = known_answer(store, run, hidden)
    return run.graded(known) if known else None


def is_covered(run: Run) -> bool:
    """Whether a stopped reading keeps its text covered, so that the person who resumes it sees no more than a model would."""
    uncovered = state.value(_uncovered(run))
    return human_model.may_ask_person(run.spec, first=run.fork_at or 0) and run.status != "finished" and not uncovered


def uncover(run: Run) -> None:
    """Show a covered reading for the rest of this session."""
    state.set_value(_uncovered(run), True)


def _uncovered(run: Run) -> str:
    return state.key("uncover", run.id, "yes")


# Readings as files


def exporter() -> Callable[[str], dict[str, Any]]:
    """A function from the id of a reading to its run file, with the known answer where there is one. Raises NotFound."""
    made = making(lambda store, run, known: run_file(store, run.id, get(run.reader), known=known))
    return lambda run_id: made([run_id])[0]


def making(make: Callable[[Store, Run, KnownAnswer | None], T]) -> Callable[[Sequence[str]], list[T]]:
    """A function from ids of readings to what `make` makes of each, with what this visitor may know of the answer. It raises
    NotFound.

    The viewer is determined now, so the result may be called later and on another thread.
    """
    visitor = access.visitor()
    with access.opened() as store:
        hidden = hidden_questions(store)

    def made(ids: Sequence[str]) -> list[T]:
        with database.opened(visitor) as store:
            runs = [store.runs.get(run_id) for run_id in ids]
            return [make(store, run, known_answer(store, run, hidden)) for run in runs]

    return made
