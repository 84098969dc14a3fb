"""Readings in a few lines, each a link: the most recent ones, or those of one text."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.html.words.reading_words import title_in_list
from components.session import access, address
from components.session.samples import recorded_on
from readers.engine.store import Run

RECENT = 8


def show_recent() -> None:
    """Draw the latest readings, each a link."""
    runs = access.visible_runs(RECENT)
    st.html(markup.section("", "Recent readings"))
    if not runs:
        until = "until you leave" if access.demo() else "at any time"
        st.html(markup.empty(f"No readings yet. The first one will be listed here, and can be opened again {until}."))
        offer_to_read()
        return
    titles = {shelved.id: shelved.title for shelved in access.visible_documents()}
    show(runs, titles)
    st.page_link("pages/3_Readings.py", label="All readings", icon=":material/list:")


def offer_to_read() -> None:
    """Draw the button that leads to a first reading, where a place is empty for want of one."""
    with st.container(key="offer-to-read"):
        st.page_link("pages/2_Read.py", label="Read a text")


def show(runs: list[Run], titles: dict[str, str]) -> None:
    """Draw readings, one per line."""
    now = datetime.now(UTC)
    with st.container(key="runs", gap=None):
        for run in runs:
            with st.container(key=f"run-{run.id}", horizontal=True, vertical_alignment="center", gap="small"):
                label = markup.plain(run.name or run.question)
                st.page_link("pages/3_Trace.py", label=label, query_params=address.to_trace(run.id))
                about = ["fork" if run.parent or run.edit else "", title_in_list(run), titles.get(run.document, "")]
                about.append(wording.made(run, now, recorded=recorded_on(run.id)))
                st.html(markup.run_facts([fact for fact in about if fact], wording.state(run)), width="content")
