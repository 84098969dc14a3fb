"""Links to stored readings, and actions on them: rows that are links, the latest ones, comparing, a replay of some, a project to
label some."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from urllib.parse import urlencode

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.html.words.reading_words import title_in_list
from components.player import cache
from components.session import access, address, database, flash, state
from components.session.samples import Recording, open_recording, recorded_on, recordings
from readers.engine.analysis.same_question import of_same_question
from readers.engine.errors import ReadingError
from readers.engine.store import Reading, Run, open_reading

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
    show_runs(runs, titles)
    st.page_link("pages/3_Readings.py", label="All readings", icon=":material/list:")


def offer_to_read(*, compared: bool = False) -> None:
    """Draw the ways to a first reading, in a place that is empty without one: a text, or what was recorded (`offer_recorded`)."""
    with st.container(key="offer-to-read", horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link("pages/2_Read.py", label="Read a text", width="content")
        offer_recorded(compared=compared)


def offer_recorded(*, compared: bool = False) -> None:
    """Draw the button that opens a recorded reading or, `compared`, the recorded readings of one question side by side."""
    offered = recordings()
    if not compared:
        if offered and st.button("Watch a recorded reading", key=state.key("recorded", "one")):
            open_recorded(offered[0])
        return
    of_question = [one for one in offered if not one.parent]
    together = max((_asked_alike(one, of_question) for one in of_question), key=len, default=[])
    if len(together) > 1 and st.button("Compare recorded readings", key=state.key("recorded", "several")):
        try:
            with st.spinner("Opening the readings …"):
                ids = [open_recording(one) for one in together]
        except ReadingError as error:
            flash.error(error)
            return
        st.switch_page("pages/4_Compare.py", query_params=address.to_compare(ids))


def _asked_alike(recording: Recording, others: Sequence[Recording]) -> list[Recording]:
    return [one for one in others if (one.title, one.question) == (recording.title, recording.question)]


def open_recorded(recording: Recording) -> None:
    """Open a recorded reading at its first decision; the preparation of the text comes before it."""
    try:
        with st.spinner("Opening the reading …"), database.opened() as store:
            run_id = open_recording(recording)
            at = cache.frames(open_reading(store, run_id))["opens_at"]
    except ReadingError as error:
        flash.error(error)
        return
    st.switch_page("pages/3_Trace.py", query_params=address.to_watch(run_id, at + 1))


def show_runs(runs: list[Run], titles: dict[str, str]) -> None:
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


def address_of_comparing(run: Run) -> str:
    """The address that compares a reading with the others of its question, without a place to follow; empty if there are none."""
    others = _others(run)
    return f"Compare?{urlencode(address.to_compare([run.id, *others]))}" if others else ""


def _others(run: Run) -> list[str]:
    return [other.id for other in of_same_question(run, access.visible_runs(document=run.document))]


def offer_comparing(run: Run) -> None:
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


def offer_replay(readings: Sequence[Reading]) -> None:
    """Draw the popover that saves these readings, which must have ended, as a replay; the first is shown first."""
    box = st.popover("Save as a replay", key=state.key("save_replay", *(one.run.id for one in readings)), on_change="rerun")
    if box.open:
        from components.widgets import save_replay  # all that a replay holds is loaded once somebody wants one

        with box:
            save_replay.show(readings)


def offer_site(name: str, *, batch: str = "", project: str = "", runs: Sequence[str] = ()) -> None:
    """Draw the popover that publishes a batch, a project, or these readings, as a site; `name` is a part of the file's name."""
    box = st.popover("Publish", key=state.key("publish", name), on_change="rerun", disabled=not (batch or project or runs))
    if box.open:
        from components.widgets import save_site  # all that a site holds is loaded once somebody wants one

        with box:
            save_site.show(name, batch=batch, project=project, runs=runs)


MakeProject = Callable[[str], None]  # by the id of a batch; empty: of the selection
HELP = "Create a project in which people label these readings. They become the selection on the page Readings."


def label_button(runs: Sequence[str], name: str, *, key: str, make_project: MakeProject) -> None:
    """Offer a project of these readings, which `name` describes."""
    if st.button(markup.plain(f"Label these {len(runs):,}: {name}"), key=key, disabled=not runs, help=HELP):
        ticked = state.ticked_runs()
        ticked.clear()
        ticked.update(dict.fromkeys(runs))
        state.set_value("labelled_as", (name, tuple(ticked)))
        make_project("")


def name_of_selection() -> str:
    """The names of the readings that the button selected; empty once another selection is made."""
    name, runs = state.value("labelled_as") or ("", ())
    return name if runs == tuple(state.ticked_runs()) else ""
