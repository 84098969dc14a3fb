"""A group of readings summed up by a model: the price, Start, and the paragraph, in which every sentence links the readings that
it cites.

It is a reading of a text about the group, so it is on record like any other. Not here: that text, and which paragraphs are
refused (`analysis/evaluate/sum_up.py`).
"""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from components.evaluate.choose import Chooser, ReadingSelection
from components.html import markup
from components.html.words import wording
from components.html.words.work_words import price_words
from components.session import access, address, flash, start_runs, state
from components.session.drawing import fragment
from components.widgets import text_cache
from readers import get
from readers.engine.analysis.evaluate.sum_up import MOST, QUESTION, cited, group_text, some_of
from readers.engine.errors import BadInput, ReadingError
from readers.engine.models import catalogue
from readers.engine.store import Run
from readers.engine.text.document import Document
from readers.engine.text.phrases import capitalised

READER = "whole"
LOOK = 2.0  # seconds between two looks at a reading that is running


def show(chooser: Chooser, chosen: ReadingSelection) -> None:
    """Draw the expander with the price, and the paragraph once there is one; nothing is computed while it is closed."""
    runs = some_of(chosen.runs)
    if len(runs) < 2:
        return
    label = markup.plain(f"Let a model sum up these {len(chosen.runs):,}: {chosen.name}")
    box = st.expander(label, key=state.key("eval_sum_up", chooser.batch.id), on_change="rerun")
    if not box.open:
        return
    with box:
        document = _text(chooser, chosen.name, runs)
        _ask(chooser, document, fewer=f", of {MOST} of them" if len(chosen.runs) > MOST else "")
        last = next((run for run in access.visible_runs(document=document.id) if run.question == QUESTION), None)
        if last:
            _paragraph(last.id, runs)


def _ask(chooser: Chooser, document: Document, *, fewer: str) -> None:
    """What the model is shown, the price, and Start."""
    spec = start_runs.new_spec(get(READER), QUESTION, options={})
    price = price_words(text_cache.estimated(document, spec, width=1))
    st.caption(
        f"{capitalised(catalogue.title(spec.model))} is shown what was asked, answered and known{fewer}, and what became of the "
        f"evidence, and writes a paragraph in which every sentence cites readings. It takes {price}."
    )
    if st.button("Write it", key=state.key("eval_sum_up_start", chooser.batch.id)):
        _start(document)


def _text(chooser: Chooser, name: str, runs: list[str]) -> Document:
    rows = {one.run: one for one in chooser.found.readings}
    with access.opened() as store:
        answers = {run.id: run.answer for run in store.run_list.runs(runs)}
    return group_text(name, [(rows[run], answers.get(run), chooser.fates.get(run)) for run in runs])


def _start(document: Document) -> None:
    try:
        start_runs.start(document, start_runs.new_spec(get(READER), QUESTION, options={}))
    except ReadingError as error:
        flash.error(error)
        return
    st.rerun()


@fragment(run_every=LOOK)
def _going(run_id: str) -> None:
    with access.opened() as store:
        run = store.runs.get(run_id)
    if not start_runs.is_running(run):
        st.rerun()
    st.caption("The model is writing …")


def _paragraph(run_id: str, runs: list[str]) -> None:
    """The paragraph of a reading that has ended, or why it is not shown."""
    with access.opened() as store:
        run = store.runs.get(run_id)
    if start_runs.is_running(run):
        _going(run_id)
        return
    try:
        sentences = cited(run.answer or "", len(runs)) if run.status == "finished" else []
    except BadInput as error:
        st.warning(markup.plain(str(error)))
        sentences = []
    if sentences:
        said = (f"{markup.plain(words)} {' '.join(map(_link, numbers, [runs] * len(numbers)))}" for words, numbers in sentences)
        st.markdown(" ".join(said))
    st.caption(_whose(run))
    st.page_link("pages/3_Trace.py", label="The reading that wrote it", query_params=address.to_trace(run.id))


def _link(number: int, runs: list[str]) -> str:
    return f"[\\[{number}\\]](Trace?{urlencode(address.to_trace(runs[number - 1]))})"


def _whose(run: Run) -> str:
    by = f"Written by a model ({wording.models(run.spec)}) from what is on record"
    ended = "Its sentences were not checked: open the readings" if run.status == "finished" else f"It is {run.status}"
    return markup.plain(f"{by}. {ended}.")
