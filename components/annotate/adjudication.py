"""Adjudication: one reading on which annotators differ, on the bench, with the decision panel next to its player.

The panel is a browser component (`assets/js/annotate/table/table.js`). Like the label panel it keeps every change in the
browser until the store has it, and follows the player's step; its messages are those of the label panel (`save_labels.py`), and
each change in them is checked like any upload. What a key decides is computed in `readers/engine/labels/adjudication.py`, and
what the panel gets in `adjudication_data.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from components.annotate import bench_player, save_labels
from components.annotate.adjudication_data import REASON_NAME, AdjudicatedReading, table_data
from components.annotate.bench_player import kept, remembered
from components.annotate.contract import DeskMessage, LabelChange, TableData
from components.player import cache
from components.session import access, address, hidden_answers, process_cache, start_runs, state
from components.session.drawing import fragment
from components.session.islands import Island, said
from components.widgets import reading_view
from readers.engine.analysis import visible_labels
from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.errors import BadOptions
from readers.engine.labels import adjudication
from readers.engine.labels.adjudication import REASON, WITHDRAWN, Compared, steps_in_dispute, undecided
from readers.engine.labels.label import Decision
from readers.engine.labels.project import sees_outcome
from readers.engine.store import Reading, Store

_panel = Island[TableData]("table", "bench table", "annotate/table/mount.js", "label_panel", "table", says=("said",))


def show(store: Store, visible: VisibleLabels, run_id: str, *, found: Sequence[Compared]) -> None:
    """Draw a reading on the bench. `found` are the project's disagreements."""
    run, project, viewer = visible.runs[run_id], visible.project, visible.viewer
    known = hidden_answers.known_answer(store, run, hidden_answers.hidden_questions(store)) if sees_outcome(viewer) else None
    reading = process_cache.ended_reading(run)
    queue = tuple(dict.fromkeys(one.run for one in found))
    open_runs = tuple(dict.fromkeys(one.run for one in undecided(found)))

    def load(opened: Store) -> AdjudicatedReading:
        """The reading with its labels and decisions as they are now."""
        now = visible_labels.load(opened, project, viewer, run=run_id)
        decisions = opened.decisions.in_project(project.id, viewer, run=run_id, history=True)
        return AdjudicatedReading(
            now, run_id, reading.document.text, len(reading.trace.steps), tuple(decisions), queue, open_runs
        )

    panel = state.key("table-panel", project.id, run.id, state.short_hash(viewer.name))
    with st.container(key="bench"):
        with st.container(key="bench-reading"):
            at = _first_step(reading, found)
            bench_player.show_player(reading, known, kept(project.id, viewer.name), panel=panel, at=at)
            _below(reading, at)
        with st.container(key="bench-panel"):
            _decide(panel, load)


def _first_step(reading: Reading, found: Sequence[Compared]) -> int:
    """The step to show first (from 0): the step in the address, else the first on which annotators differ."""
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
def _decide(panel: str, load: Callable[[Store], AdjudicatedReading]) -> None:
    """Save what the panel has sent, and send it the current state."""
    message = said(panel, "said", DeskMessage)
    with access.opened() as store:
        data = answered(store, message, panel, load)
    _panel.draw(data, key=panel)
    following = data["progress"]["next"]
    if message and following:
        with access.opened() as store:
            upcoming = store.runs.get(following)
        if not start_runs.is_running(upcoming):
            cache.frames(process_cache.ended_reading(upcoming))  # in advance, so that the next reading comes at once


def answered(store: Store, message: DeskMessage | None, panel: str, load: Callable[[Store], AdjudicatedReading]) -> TableData:
    """Save a new message, do what it asks for, and return the data for the panel with the answers."""
    memory, table = remembered(panel), load(store)
    if message and message.n not in (0, memory.get("n")):
        memory["answers"], memory["n"] = save(store, table, message), message.n
        table = load(store)
        do, run = save_labels.action(message)
        if do == "go" and not any("revision" not in answer for answer in memory["answers"]):
            address.open_project(table.visible.project.id, "agreement", run=run)
    return table_data(table, n=memory.get("n", 0), answers=memory.get("answers", []))


# Saving decisions


def save(store: Store, table: AdjudicatedReading, message: DeskMessage) -> list[dict[str, Any]]:
    """Save the changes of a message: decisions on the reading, and its reason. One answer per change, with its number, in order.
    A change that arrives twice is saved once."""
    questions = {one.name: one for one in adjudication.disputed(table.questions)}

    def decide(change: LabelChange) -> Decision:
        return store.decisions.decide(_decision(table, questions, change), change.expected)

    return [save_labels.answer(number, change, decide) for number, change in save_labels.changes(message)]


def _decision(table: AdjudicatedReading, questions: Mapping[str, Compared], change: LabelChange) -> Decision:
    name, value = change.label.get("id"), change.label.get("value")
    if name == REASON_NAME:
        return _reason(table, change, value)
    asked = questions.get(str(name))
    if asked is None:
        raise BadOptions("the annotators no longer differ on this; reload the page")
    stored = _former(asked.decisions, change).value if change.do == "restore" else value if change.do == "put" else WITHDRAWN
    steps, codes = table.steps, table.known_codes()
    if not isinstance(stored, Mapping) or not adjudication.is_value(asked.about, stored, steps=steps, codes=codes):
        raise BadOptions("a decision is one of the values offered; reload the page")
    return _made(table, asked.target, dict(stored))


def _reason(table: AdjudicatedReading, change: LabelChange, value: object) -> Decision:
    words = value.get("words") if isinstance(value, Mapping) else None
    if change.do == "restore":
        words = _former([one for one in table.decisions if one.target == REASON], change).reason
    elif change.do == "remove":
        words = ""
    if not isinstance(words, str):
        raise BadOptions("a reason is text; reload the page")
    return _made(table, dict(REASON), {})._replace(reason=words)


def _made(table: AdjudicatedReading, target: dict[str, Any], value: dict[str, Any]) -> Decision:
    return Decision(table.visible.project.id, table.run, target, value, "", table.visible.viewer.name)


def _former(decisions: Sequence[Decision], change: LabelChange) -> Decision:
    """The revision that a change restores; before the first one nothing was decided."""
    found = next((one for one in decisions if one.revision == change.revision), None)
    if change.revision and found is None:
        raise BadOptions("there is no such earlier decision; reload the page")
    return found or Decision("", "", {}, dict(WITHDRAWN), "", "")
