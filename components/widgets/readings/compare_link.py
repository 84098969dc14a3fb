"""Links to the Compare page, from a reading that has ended."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from components.session import access, address
from readers.engine.analysis.same_question import of_same_question
from readers.engine.store import Run


def query(run: Run) -> str:
    """The address that compares a reading with the others of its question, without a place to follow; empty if there are none."""
    others = _others(run)
    return f"Compare?{urlencode(address.to_compare([run.id, *others]))}" if others else ""


def _others(run: Run) -> list[str]:
    return [other.id for other in of_same_question(run, access.visible_runs(document=run.document))]


def show(run: Run) -> None:
    """Draw links that compare a finished reading with its parent and with other readings of the same question."""
    others = _others(run)
    if run.parent and run.parent in others:
        label = "Compare with the reading it was forked from"
        st.page_link("pages/4_Compare.py", label=label, query_params=address.to_compare([run.parent, run.id]))
        others.remove(run.parent)
    count = min(len(others), address.MOST_COMPARED - 1)
    if count:
        label = f"Compare with {'the other reading' if count == 1 else f'{count} other readings'} of this question"
    else:
        label = "Compare with another reading"
    st.page_link("pages/4_Compare.py", label=label, query_params=address.to_compare([run.id, *others]))
