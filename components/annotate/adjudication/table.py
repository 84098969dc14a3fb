"""The table: one reading on which annotators differ, on the bench, with the panel that decides beside its player.

The panel is a browser component (`assets/js/annotate/table/table.js`). Like the label panel it keeps every change in the browser
until the store has it, and follows the player's step. What a key decides is computed in `readers/engine/labels/adjudication.py`,
and what the panel gets in `table_data.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from components.annotate import keys
from components.annotate.adjudication import save_decisions
from components.annotate.adjudication.table_data import Table, table_data
from components.annotate.bench import bench_player, save_labels
from components.annotate.bench.bench_reading import kept
from components.html.scripts import script
from components.html.styles import sheet
from components.player import cache
from components.session import process_cache
from components.session.page import address, state
from components.session.page.drawing import fragment
from components.session.visitor import access, hidden_answers
from components.session.work import start_runs
from components.widgets.readings import reading_view
from readers.engine.analysis import visible_labels
from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.labels.adjudication import Compared, steps_in_dispute, undecided
from readers.engine.labels.project import Project, Viewer, sees_outcome
from readers.engine.store import Reading, Store

_panel = st.components.v2.component(
    "palimpsest.table",
    html='<div class="bench table"></div>',
    css=sheet("label_panel", "table"),
    js=script("annotate/table/mount.js"),
)


class AtTable(NamedTuple):
    """A reading that is decided, and who decides. `queue` are the project's readings with a disagreement, `open_runs` those of
    them with something undecided when the page was drawn. `panel` is the key of the panel."""

    project: Project
    viewer: Viewer
    reading: Reading
    queue: tuple[str, ...]
    open_runs: tuple[str, ...]
    panel: str


def show(store: Store, visible: VisibleLabels, run_id: str, *, found: Sequence[Compared]) -> None:
    """Draw a reading on the bench. `found` are the project's disagreements."""
    run, project, viewer = visible.runs[run_id], visible.project, visible.viewer
    known = hidden_answers.known_answer(store, run, hidden_answers.hidden_questions(store)) if sees_outcome(viewer) else None
    reading = process_cache.ended_reading(run)
    queue = tuple(dict.fromkeys(one.run for one in found))
    open_runs = tuple(dict.fromkeys(one.run for one in undecided(found)))
    key = state.key("table-panel", project.id, run.id, state.short_hash(viewer.name))
    at_table = AtTable(project, viewer, reading, queue, open_runs, key)
    with st.container(key="bench"):
        with st.container(key="bench-reading"):
            at = _first_step(reading, found)
            bench_player.show_player(reading, known, kept(project.id, viewer.name), at=at)
            _below(reading, at)
        with st.container(key="bench-panel"):
            _decide(at_table)


def _first_step(reading: Reading, found: Sequence[Compared]) -> int:
    """The step to show first (from 0): the one that the address names, else the first on which annotators differ."""
    if (asked := address.step()) is not None:
        return asked
    steps = steps_in_dispute(one for one in found if one.run == reading.run.id)
    return min(min(steps, default=1), max(1, len(reading.trace.steps))) - 1


@fragment()
def _below(reading: Reading, opened_at: int) -> None:
    """What Python draws for the step: in Full, its calls and written texts."""
    at = reading_view.follow(reading, opened_at=opened_at)
    if address.is_full() and reading.trace.steps:
        bench_player.show_record(reading, at)


@fragment()
def _decide(at_table: AtTable) -> None:
    """Save what the panel has sent, and send it the current state."""
    sent = state.value(at_table.panel)
    message = sent.get("said") if isinstance(sent, Mapping) else None
    with access.opened() as store:
        data = answered(store, at_table, message)
    _panel(key=at_table.panel, data=data, on_said_change=_ignore)
    following = data["progress"]["next"]
    if message and following:
        with access.opened() as store:
            upcoming = store.runs.get(following)
        if not start_runs.is_running(upcoming):
            cache.frames(process_cache.ended_reading(upcoming))  # in advance, so that the next reading comes at once


def answered(store: Store, at_table: AtTable, message: object) -> dict[str, Any]:
    """Save a new message, do what it asks for, and give the data for the panel with the answers."""
    memory: dict[str, Any] = state.remembered(state.key(keys.PANEL, at_table.panel), dict)
    table = _table(store, at_table)
    if save_labels.number(message) not in (0, memory.get("n")):
        memory["answers"], memory["n"] = save_decisions.save(store, table, message), save_labels.number(message)
        table = _table(store, at_table)
        run = save_decisions.go_to(message)
        if run is not None and not any("revision" not in answer for answer in memory["answers"]):
            address.open_project(at_table.project.id, "agreement", run=run)
    return {**table_data(table), "n": memory.get("n", 0), "answers": memory.get("answers", []), "note": "", "made": None}


def _table(store: Store, at_table: AtTable) -> Table:
    run, reading = at_table.reading.run.id, at_table.reading
    visible = visible_labels.load(store, at_table.project, at_table.viewer, run=run)
    decisions = store.decisions.in_project(at_table.project.id, at_table.viewer, run=run, history=True)
    return Table(
        visible, run, reading.document.text, len(reading.trace.steps), tuple(decisions), at_table.queue, at_table.open_runs
    )


def _ignore() -> None:
    """Streamlit reports a component's messages only if there is a callback."""
