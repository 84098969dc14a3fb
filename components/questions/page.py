"""The Questions page: the lists of question sets and batches, and the import of a set.

One set is `question_set.py`, one batch `batch.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st

from components.html import markup
from components.html.words import question_words as words
from components.html.words import wording
from components.questions import batch as questions_batch
from components.questions import make, question_set
from components.session import access, address, flash, start_runs
from components.widgets.start import import_questions
from readers.engine.errors import NotFound
from readers.engine.run import batches
from readers.engine.store.question_sets import ListedSet

PAGE = "pages/5_Questions.py"
LISTED = 40


def show_questions(make_project: Callable[[str], None] | None = None) -> None:
    """Draw the page. `make_project` opens a new labelling project on the readings of a batch, by its id; None: not offered."""
    set_id, batch_id = address.question_set_id(), address.batch_id()
    with access.opened() as store:
        sets, made = store.question_sets.listed(), store.batches.listed()
    st.html(markup.page_title("Questions", hint=wording.count(len(sets), "question set") if sets else ""))
    flash.show()
    with st.container(key="two-questions-open" if set_id or batch_id else "two-questions"):
        left, right = st.columns([0.75, 1.25], gap="large")
    with left:
        _lists(set_id, batch_id)
    with right:
        try:
            if batch_id:
                questions_batch.show(batch_id, make_project)
            elif set_id:
                question_set.show(set_id, [one for one in made if one.question_set == set_id])
            else:
                _import()
        except NotFound as error:
            flash.error(error)
            _import()


def _lists(set_id: str, batch_id: str) -> None:
    """The question sets and batches, each a link."""
    now = datetime.now(UTC)
    with access.opened() as store:
        sets, made = store.question_sets.listed(), store.batches.listed()
        stands = [(one, batches.progress(store, one.id)) for one in made[:LISTED]]
    if set_id or batch_id:
        st.page_link(PAGE, label="Import questions", icon=":material/add:")
    st.html(markup.section("", "Question sets"))
    if not sets:
        st.html(markup.empty("No question sets yet. Import questions with known answers, about one or many texts."))
    with st.container(key="sets", gap=None):
        for listed in sets[:LISTED]:
            facts = words.set_facts(listed, now)
            _row(listed.name, facts, address.to_question_set(listed.id), here=listed.id == set_id)
    if len(sets) > LISTED:
        st.caption(f"Showing the newest {LISTED} of {len(sets):,}.")
    import_questions.offer_samples(sets, _saved)
    if not stands:
        return
    st.html(markup.section("", "Batches", explains=True))
    with st.container(key="batches", gap=None):
        for one, progress in stands:
            facts = words.batch_facts(one, progress, going=start_runs.is_batch_running(one.id, progress), now=now)
            _row(one.name, facts, address.to_batch(one.id), here=one.id == batch_id)
    if len(made) > LISTED:
        st.caption(f"Showing the newest {LISTED} of {len(made):,}.")


def _row(title: str, facts: Sequence[str], asks: dict[str, str], *, here: bool) -> None:
    (shown_id,) = asks.values()
    with st.container(key=f"text-{'here' if here else 'at'}-{shown_id}", gap=None):
        st.page_link(PAGE, label=markup.plain(title), query_params=asks)
        st.html(markup.facts(facts))


# Importing


def _import() -> None:
    st.html(markup.section("", "Import questions"))
    import_questions.ask(_saved)
    make.show(_saved)


def _saved(saved: ListedSet) -> None:
    flash.leave(
        "success", f"Saved “{saved.name}” with {wording.count(saved.questions, 'question')}. Open it to have readers answer them."
    )
