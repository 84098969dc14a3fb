"""Choosing readings to compare: grouped by text and question, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape

import streamlit as st

from components.compare import report
from components.html import markup
from components.html.words import wording
from components.html.words.reading_words import title_in_list
from components.session import access, address, state
from components.session.samples import recorded_on
from components.widgets import reading_links
from readers.engine.analysis.same_question import groups
from readers.engine.forks.describe_edit import describe
from readers.engine.store import Run

AT_FIRST, MORE = 8, 12  # questions listed at first, and how many more at a time
MOST_LISTED = 24  # of one question
MOST = address.MOST_COMPARED


def show_choice(chosen: Sequence[Run]) -> None:
    """Draw the choice; with one reading chosen already, those that can be compared with it."""
    near = chosen[0] if chosen else None
    runs = access.visible_runs()
    offered = groups(runs, near=near)
    if len(runs) < 2:
        st.html(
            markup.empty(
                "This page compares two or more readings: where each looked, where they differ, and what they cost. There are "
                "not two readings yet: ask a question with two readers."
            )
        )
        reading_links.offer_to_read(compared=True)
        return
    words = st.text_input("Find a question or a text", key=state.key("compare", "find")).strip().lower()
    titles = {shelved.id: shelved.title for shelved in access.visible_documents()}
    found = [g for g in offered if words in g[0].question.lower() or words in titles.get(g[0].document, "").lower()]
    shown = int(state.value("compare-listed") or AT_FIRST)
    # Some ticked readings may not be listed at the moment.
    ticked = dict.fromkeys([*(run.id for run in chosen), *(state.value("compare-ticked") or ())])
    for group in found[:shown]:
        _group(group, titles.get(group[0].document, ""), ticked)
    if not found:
        st.html(markup.empty("No question or text matches. Try other words."))
    if len(found) > shown and st.button(f"Show more questions ({len(found) - shown:,} left)", key=state.key("compare", "more")):
        state.set_value("compare-listed", shown + MORE)
        st.rerun()
    there = {run.id for run in runs}
    _begin([run_id for run_id in ticked if run_id in there])


def _group(group: Sequence[Run], title: str, ticked: dict[str, None]) -> None:
    """The readings of one question, each with a checkbox; updates `ticked`."""
    count = len(group)
    key = state.short_hash(f"{group[0].document} {group[0].question} {group[-1].id}")
    with st.container(key=f"compare-group-{key}", gap=None):
        with st.container(key=f"compare-of-{key}", horizontal=True, vertical_alignment="center"):
            hint = f"same question: {count:,} readings" if count > 1 else "one reading"
            st.html(_group_head(group[0].question, [title, hint]))
            if count > 1:
                label = f"Compare these {count:,}" if count <= MOST else f"Compare the newest {MOST}"
                if st.button(label, key=state.key("compare", key)):
                    state.set_value("compare-ticked", ())
                    st.switch_page("pages/4_Compare.py", query_params=address.to_compare([run.id for run in group[:MOST]]))
        given = report.choices_told(group)
        for run in group[:MOST_LISTED]:
            _line(run, ticked, given.get(run.id, ""))


def _line(run: Run, ticked: dict[str, None], choices: str) -> None:
    recorded = recorded_on(run.id)
    when = wording.made(run, datetime.now(UTC), recorded=recorded)
    name = (run.name or title_in_list(run)) if recorded else report.called(run)  # when says the model
    about = [name, choices, wording.state(run).word, when]
    fork = f"fork: {describe(run.edit)}" if run.edit else "a fork" if run.parent else ""
    label = markup.plain(" · ".join(fact for fact in (*about, fork) if fact))
    if st.checkbox(label, value=run.id in ticked, key=state.key("compared", run.id)):
        ticked[run.id] = None
    else:
        ticked.pop(run.id, None)


def _begin(marked: Sequence[str]) -> None:
    state.set_value("compare-ticked", tuple(marked))
    with st.container(key="compare-begin", horizontal=True, vertical_alignment="center"):
        count = len(marked)
        if 2 <= count <= MOST and st.button(f"Compare the {count} chosen", type="primary"):
            state.set_value("compare-ticked", ())
            st.switch_page("pages/4_Compare.py", query_params=address.to_compare(marked))
        if count < 2:
            st.caption("Tick two readings or more." if not count else "Tick at least one more reading.")
        elif count > MOST:
            st.caption(f"Up to {MOST} readings are compared at once; {count} are ticked.")


def _group_head(question: str, facts: Sequence[str]) -> str:
    """A question with readings to choose from."""
    told = " · ".join(fact for fact in facts if fact)
    return f'<div class="to-compare"><h2>{escape(question)}</h2><p class="facts-line">{escape(told)}</p></div>'
