"""The label panel next to the player: saves what the panel sends, answers, and sends it the current state.

The panel is a browser component (`assets/js/annotate/`). It follows the player's step, keeps typed text in the browser until the
store has it, and sends each change at once. What the stage hides is never sent (`panel_data.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from components.annotate import bench_hints, bench_player, corrections, panel_data, save_labels
from components.annotate.bench_player import BenchReading, kept, remembered
from components.annotate.contract import DeskMessage, PanelData
from components.annotate.panel_data import Assignments, PanelState
from components.html.words import label_words, wording
from components.player import cache
from components.session import access, address, flash, process_cache
from components.session.drawing import fragment
from components.session.islands import Island, said
from readers.engine.errors import NotFound, ReadingError
from readers.engine.labels.label import Label
from readers.engine.labels.project import Project, Viewer, sees_codes
from readers.engine.store import Reading, Store
from readers.engine.store.labels.label_session import LabelSession

_panel = Island[PanelData]("annotate", "bench", "annotate/mount.js", "label_panel", says=("said",))


@fragment()
def show(at_bench: BenchReading) -> None:
    """Save what the panel has sent, and send it the current state."""
    reading, key = at_bench.reading, at_bench.panel
    message = said(key, "said", DeskMessage)
    memory = remembered(key)
    with access.opened() as store:
        session = save_message(store, at_bench, message)
        if session is None:
            return
        stays = kept(at_bench.project.id, at_bench.annotator)
        if stays.get("known") and "wrong" not in stays:  # once in a session: it grades all readings of the project
            stays["wrong"] = bench_hints.wrong_by_rule(store, session)
        panel = panel_state(store, session, reading, stays=stays)
        following = panel.assignments.next_after(reading.run.id) if message else None
        upcoming = store.runs.get(following) if following else None
    if corrections.must_redraw(key, session.own):
        st.rerun()
    answers = {name: memory[name] for name in ("n", "answers", "note", "made") if name in memory}
    _panel.draw(panel_data.panel_data(panel, **answers), key=key)
    if upcoming and upcoming.ended:
        # Make the next reading's frames and measures in advance. Only in this fragment: while the whole page is drawn, it would
        # show its old content for longer.
        ahead = process_cache.ended_reading(upcoming)
        cache.frames(ahead)
        process_cache.measures_of(ahead)


def leave(store: Store, project: Project, annotator: str, run_id: str) -> bool:
    """Save and do what the panel of this reading said when it was left; whether there was such a message. The address then names
    the reading to show, which may be the same one, or none: the next one to do."""
    panel = bench_player.panel_key(project, annotator, run_id)
    message = bench_player.left(panel)
    if not message or not _is_new(message, panel):
        return False
    reading = process_cache.ended_reading(store.runs.get(run_id))
    save_message(store, BenchReading(project, annotator, reading, panel), message)
    return True


# Saving


def _is_new(message: DeskMessage, panel: str) -> bool:
    return message.n not in remembered(panel).get("done", {0})


def save_message(store: Store, at_bench: BenchReading, message: DeskMessage | None) -> LabelSession | None:
    """Save the changes of a new message and do its action. Returns the annotator's session; None if someone else has the reading.

    The turn may have been released in another tab or by the project's owner; it is reclaimed."""
    memory, where = remembered(at_bench.panel), (at_bench.project.id, at_bench.reading.run.id, at_bench.annotator)
    new = message if message and _is_new(message, at_bench.panel) else None
    if new is None:
        session = store.labels.load(*where)
        if session.turn is not None:
            return session
    try:
        with store.labels.session(*where, ids=save_labels.label_ids(new) if new else set()) as session:
            session.ensure_turn()
            answers = save_labels.save(session, at_bench.reading.document.text, new) if new else []
    except ReadingError as error:
        flash.error(error)
        return None
    if new:
        memory["answers"], memory["n"], memory["note"] = answers, new.n, ""
        memory.setdefault("done", {0}).add(new.n)
        _act(store, at_bench, session, new)
    return session


def _act(store: Store, at_bench: BenchReading, session: LabelSession, message: DeskMessage) -> None:
    """Do what a message asks for in addition to saving. Moving on names another reading in the address."""
    memory = remembered(at_bench.panel)
    action, detail = save_labels.action(message)
    if action == "hints":
        stays = kept(at_bench.project.id, at_bench.annotator)
        stays["hints"] = detail == "on"
    if action in ("", "hints"):
        return
    try:
        next_run = _close(store, session, action, detail=detail)
        if action == "go" and not any("refused" in answer for answer in memory["answers"]):
            store.turns.release(at_bench.project.id, at_bench.annotator, session.viewer, run=session.run)
    except ReadingError as error:
        memory["note"] = wording.sentence(str(error))
        return
    address.name_project(at_bench.project.id, run=next_run)


def _close(store: Store, session: LabelSession, action: str, *, detail: str) -> str:
    """Finish, skip, reopen or leave the run. Returns the run to open next; empty for the next one to do."""
    where = (session.project.id, session.run, session.annotator.name)
    if action == "go":
        return detail
    if action == "reopen":
        store.turns.reopen(*where)
        return session.run
    if action == "finish":
        store.turns.finish(*where)
    else:
        store.turns.skip(*where, reason=detail)
    return ""


# The panel's state


def assignments(store: Store, project: Project, viewer: Viewer) -> Assignments:
    """The annotator's readings in their stage, done and to do."""
    annotator = store.projects.annotator(project.id, viewer.name)
    turns = store.turns.in_project(project.id, viewer)
    return panel_data.assignments(project, store.projects.readings(project.id), annotator, turns)


def panel_state(store: Store, session: LabelSession, reading: Reading, *, stays: Mapping[str, Any]) -> PanelState:
    """The state to send. It loads only what the session does not have. `stays`: whether hints are shown, and which readings are
    known to be wrong (`kept`)."""
    if session.turn is None:
        raise NotFound("this reading is no longer open to you; reload the page")
    run, project, viewer, labels = reading.run, session.project, session.viewer, session.labels
    asked = bool(stays.get("hints")) and sees_codes(viewer)
    known = bench_hints.shown_known(store, reading, session) if asked else None
    suggested = bench_hints.suggestion(reading, session, known) if known else None
    return PanelState(
        project,
        viewer,
        run.id,
        run.reader,
        text=reading.document.text,
        steps=len(reading.trace.steps),
        turn=session.turn,
        assignments=panel_data.assignments(project, store.projects.readings(project.id), session.annotator, session.turns),
        labels=labels,
        quotes=_quotes(store, reading, labels),
        book=latest.book if (latest := store.codebooks.latest(project.id, viewer)) else None,
        hints=bench_hints.hints_of(store, reading, known, suggested=suggested) if asked else None,
        full=address.is_full(),
        edited={label.id: corrections.in_words(reading, label) for label in labels},
        corrects=corrections.offered(viewer, reading),
        suggested=suggested,
        wrong=stays.get("wrong", ()) if stays.get("known") else (),
    )


def _quotes(store: Store, reading: Reading, labels: list[Label]) -> dict[str, str]:
    """The words of spans that were marked outside the source text."""
    prompts = store.runs.tape(reading.run.id).prompts
    marked = [label for label in labels if label.kind == "span" and label.target["on"] != "text"]
    return {label.id: label_words.marked_words(label, reading, prompts) for label in marked}
