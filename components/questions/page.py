"""The Questions page: the lists of question sets and batches, the import of a set, and one set with its questions, from which a
batch is started with `widgets/start/batch_form.py`. One batch is `batch.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st

from components.html import markup
from components.html.words import wording, work_words
from components.questions import batch as questions_batch
from components.questions import make
from components.questions.batch import A_PAGE, PAGE, without_answer
from components.session import access, address, flash, hidden_answers, start_runs, state
from components.widgets import report
from components.widgets.start import batch_form, import_questions
from readers.engine.errors import NotFound
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run import batches
from readers.engine.store.batches import Batch
from readers.engine.store.question_sets import ListedSet

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
                _show_set(set_id, [one for one in made if one.question_set == set_id])
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
            facts = work_words.set_facts(listed, now)
            _row(listed.name, facts, address.to_question_set(listed.id), here=listed.id == set_id)
    if len(sets) > LISTED:
        st.caption(f"Showing the newest {LISTED} of {len(sets):,}.")
    import_questions.offer_samples(sets, _saved)
    if not stands:
        return
    st.html(markup.section("", "Batches", explains=True))
    with st.container(key="batches", gap=None):
        for one, progress in stands:
            facts = work_words.batch_facts(one, progress, going=start_runs.is_batch_running(one.id, progress), now=now)
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


# One set


def _show_set(set_id: str, made: Sequence[Batch]) -> None:
    """Draw the set; `made` are its batches. Raises NotFound."""
    with access.opened() as store:
        kept = next((one for one in store.question_sets.listed() if one.id == set_id), None)
        if kept is None:
            raise NotFound(f"there is no question set {set_id[:40]!r} here; it may have been deleted, or the link was cut short")
        asked, titles = store.question_sets.questions(set_id), store.question_sets.documents(set_id)
        hidden = hidden_answers.hidden_questions(store)
    with st.container(key="set-head", horizontal=True, vertical_alignment="center"):
        st.html(markup.section("", kept.name, hint=" · ".join(work_words.set_facts(kept, datetime.now(UTC)))))
        _delete(kept, len(made))
    batch_form.ask(kept, asked, page="pages/5_Questions.py")
    st.html(markup.section("", "The questions"))
    _questions(kept, [without_answer(one) if hidden_answers.is_hidden(one, hidden) else one for one in asked], titles)


def _delete(kept: ListedSet, made: int) -> None:
    if not access.may_change(kept.id):
        return
    with st.popover("Delete …"):
        if made:
            batches_made = "A batch was" if made == 1 else f"{made:,} batches were"
            st.markdown(f"{batches_made} made from this set and graded by it. Delete that first; the readings stay.")
        else:
            st.markdown("Delete this question set? Its texts and their readings stay.")
        st.button(
            "Delete",
            disabled=bool(made),
            key=state.key("set_delete", kept.id),
            on_click=_delete_now,
            args=(kept,),
        )


def _delete_now(kept: ListedSet) -> None:
    flash.act(lambda: access.delete_questions(kept.id), f"Deleted “{kept.name}”.")


def _questions(kept: ListedSet, asked: Sequence[SetQuestion], titles: dict[str, str]) -> None:
    box = st.container(key="asked", gap=None)
    here = report.part(asked, A_PAGE, "set_page", kept.id)
    with box:
        for one in here:
            text = titles.get(one.document, "its text is no longer in the library")
            st.html(
                markup.asked(
                    one.question,
                    " · ".join(filter(None, (text, one.key, one.note))),
                    work_words.known_answer(one),
                    work_words.marked_choices(one),
                )
            )
