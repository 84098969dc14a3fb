"""The Evaluate page: all batches, the form that begins one, and one of them.

`?batch=ID` opens a batch (`batch.py`), `?set=ID` chooses a question set for a new one (`begin.py`).
"""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from components.evaluate import batch, begin
from components.html import markup
from components.html.words import question_words
from components.session.page import address, flash
from components.session.visitor import access
from components.session.work import start_runs
from components.widgets.readings.label_these import MakeProject
from readers.engine.errors import NotFound
from readers.engine.run import batches

PAGE = "pages/6_Evaluate.py"
LISTED = 40
NONE_YET = "None yet. What readers score on the questions of a batch will be here."


def show_evaluate(make_project: MakeProject | None = None) -> None:
    """Draw the page. `make_project` opens a new labelling project on the readings of a batch; None: not offered."""
    batch_id = address.batch_id()
    st.html(markup.page_title("Evaluate"))
    flash.show()
    if batch_id:
        try:
            batch.show(batch_id, make_project)
        except NotFound as error:
            flash.error(error)
            _choose()
    else:
        _choose()


def _choose() -> None:
    """The batches beside the form that begins one."""
    with st.container(key="eval-two"):
        left, right = st.columns([0.75, 1.25], gap="large")
    with left:
        _batches()
    with right:
        begin.show()


def _batches() -> None:
    """The batches, newest first, each a link."""
    now = datetime.now(UTC)
    with access.opened() as store:
        made = store.batches.listed()
        stands = [(one, batches.progress(store, one.id)) for one in made[:LISTED]]
    st.html(markup.section("", "Evaluated batches", explains=True))
    if not stands:
        st.html(markup.empty(NONE_YET))
    with st.container(key="eval-batches", gap=None):
        for one, progress in stands:
            facts = question_words.batch_facts(one, progress, going=start_runs.is_batch_running(one.id, progress), now=now)
            with st.container(key=f"text-at-{one.id}", gap=None):
                st.page_link(PAGE, label=markup.plain(one.name), query_params=address.to_batch(one.id))
                st.html(markup.facts(facts))
    if len(made) > LISTED:
        st.caption(f"Showing the newest {LISTED} of {len(made):,}.")
