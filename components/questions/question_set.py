"""One question set on the Questions page: its list of questions, and starting a batch with `widgets/start/batch_form.py`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from components.html import markup, question_html
from components.html.words import question_words as words
from components.questions import keys
from components.questions.wording import without_answer
from components.session import access, address, flash, hidden_answers, state
from components.widgets import pager
from components.widgets.start import batch_form
from readers.engine.errors import NotFound, ReadingError
from readers.engine.questions.question_set import SetQuestion
from readers.engine.store.batches import Batch
from readers.engine.store.question_sets import ListedSet

A_PAGE = 20


def show(set_id: str, made: Sequence[Batch]) -> None:
    """Draw the set; `made` are its batches. Raises NotFound."""
    with access.opened() as store:
        kept = next((one for one in store.question_sets.listed() if one.id == set_id), None)
        if kept is None:
            raise NotFound(f"there is no question set {set_id[:40]!r} here; it may have been deleted, or the link was cut short")
        asked, titles = store.question_sets.questions(set_id), store.question_sets.documents(set_id)
        hidden = hidden_answers.hidden_questions(store)
    with st.container(key="set-head", horizontal=True, vertical_alignment="center"):
        st.html(markup.section("", kept.name, hint=" · ".join(words.set_facts(kept, datetime.now(UTC)))))
        _delete(kept, len(made))
    batch_form.ask(kept, asked, started=lambda batch: address.go_to_questions(address.to_batch(batch)))
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
            "Delete permanently",
            disabled=bool(made),
            key=state.key(keys.SET_DELETE, kept.id),
            on_click=_delete_now,
            args=(kept,),
        )


def _delete_now(kept: ListedSet) -> None:
    try:
        access.delete_questions(kept.id)
        flash.leave("success", f"Deleted “{kept.name}”.")
    except ReadingError as error:
        flash.leave_error(error)


# The questions


def _questions(kept: ListedSet, asked: Sequence[SetQuestion], titles: dict[str, str]) -> None:
    pages = max(1, -(-len(asked) // A_PAGE))
    box = st.container(key="asked", gap=None)
    page = pager.ask(pages, key=state.key(keys.SET_PAGE, kept.id))
    with box:
        for one in asked[A_PAGE * (page - 1) : A_PAGE * page]:
            text = titles.get(one.document, "its text is no longer in the library")
            st.html(
                question_html.asked(
                    one.question,
                    " · ".join(filter(None, (text, one.key, one.note))),
                    words.known_answer(one),
                    words.marked_choices(one),
                )
            )
