"""Which right answers this visitor may see, and which readings stay covered.

Annotators who still note the readings of a project, before its codes are open to them, must not see the right answers on any
page. This holds for visitors who are signed in or have chosen a name; from all others nothing is hidden.
"""

from __future__ import annotations

from components.session.page import state
from components.session.samples import sample_of
from components.session.visitor import annotator
from readers.engine.questions.grading import Grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run import human_model
from readers.engine.store import Run, Store


def hidden_questions(store: Store) -> frozenset[tuple[str, str]]:
    """The questions (document, question) that this visitor must not see the right answers to yet."""
    name = annotator.current_name()
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
