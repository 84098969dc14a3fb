"""The bench: one reading with its player and the label panel; before it the welcome, after the last reading the summary."""

from __future__ import annotations

import streamlit as st

from components.annotate import bench_player, corrections, label_panel
from components.annotate.bench_player import BenchReading, kept
from components.annotate.panel_data import ABOUT_STAGES, Assignments
from components.annotate.wording import PAGE
from components.html import markup
from components.html.words.wording import Tone
from components.session import access, address, flash, hidden_answers, process_cache, start_runs, state
from components.session.drawing import fragment
from components.widgets import reading_view
from readers.engine.analysis.facts import follow as first_shown
from readers.engine.analysis.facts.follow import evidence_of
from readers.engine.errors import BadOptions
from readers.engine.labels.label import CODES, GROUPS, NOTES
from readers.engine.labels.project import Project, Viewer, protocol, sees_outcome
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Reading, Run, Store


def show(store: Store, project: Project, viewer: Viewer) -> None:
    """The reading that the address names, or the annotator's next one."""
    if viewer.stage:
        _bench(project.id, viewer.name)
    else:
        _join(store, project, viewer)


@fragment()
def _bench(project_id: str, name: str) -> None:
    """An annotator's bench. Moving on to another reading draws only this again, not the page around it; what may have changed
    since then, the project and what the annotator may see of it, is loaded again."""
    with access.opened() as store:
        project, viewer = store.projects.get(project_id), store.projects.viewer(project_id, name)
        if viewer.stage == GROUPS:
            _grouping(store, project, viewer)
        else:
            _turn(store, project, viewer)


def nothing_yet(project: Project, words: str) -> None:
    """What a view of the project says before there is anything in it, and the way to the bench."""
    st.html(markup.empty(words))
    st.page_link(PAGE, label="To the bench", query_params=address.to_bench(project.id))


# Before and after the readings


def _join(store: Store, project: Project, viewer: Viewer) -> None:
    count = len(store.projects.readings(project.id))
    stages = (NOTES, GROUPS, CODES) if project.settings.start_stage == NOTES else (CODES,)
    st.html(markup.page_title(project.name, hint=f"{count:,} reading{'' if count == 1 else 's'}"))
    words = [
        f"You label as {viewer.name}. Each annotator gets the readings in a different order.",
        *(ABOUT_STAGES[stage] for stage in stages),
    ]
    words.append("After finishing a reading, you see others’ labels of it, and can decide where you disagree.")
    if viewer.whole:
        words.append(
            "You own this project and see all of it. Once you label in it yourself, you see what an annotator sees, and readings "
            "that you finish are marked as not done blind."
        )
    st.html(markup.notice("", words))
    st.caption(markup.plain(f"The protocol: {protocol(project.settings, count)}."))
    if st.button("Start labelling", type="primary", key=state.key("join", project.id)):
        hidden_answers.choose_name(store.projects.join(project.id, viewer.name).name)
        address.open_project(project.id)


def _grouping(store: Store, project: Project, viewer: Viewer) -> None:
    st.html(markup.notice("", [ABOUT_STAGES[GROUPS]]))
    st.page_link(PAGE, label="Group your notes", query_params=address.to_project(project.id, "groups"))
    _next_stage(store, project, viewer)


def _all_done(store: Store, project: Project, viewer: Viewer, assignments: Assignments) -> None:
    address.remember_bench_run(project.id, "")
    others = len(store.projects.readings(project.id)) - len(assignments.runs)
    tone, sentence = bench_finished(assignments.done, assignments.skipped, others)
    st.html(markup.notice(tone, [sentence]))
    if viewer.stage >= CODES and assignments.done:
        agreement = address.to_project(project.id, "agreement")
        st.page_link(PAGE, label="See how far you agree with others", query_params=agreement)
    if last := assignments.previous_before(""):
        back = address.to_project(project.id, run=last)
        st.page_link(PAGE, label="Back to the last reading", query_params=back)
    _next_stage(store, project, viewer, ready=True)


def bench_finished(done: int, skipped: int, others: int) -> tuple[Tone, str]:
    """The message for an annotator with no further reading in their stage, and its tone. `others` counts the project's readings
    that other people have."""
    own = f"You have been through all your readings: {done:,} done, {skipped:,} skipped."
    if not others:
        return "good", f"{own} There is no further reading for you in this stage."
    have = "have it: as many as should label it" if others == 1 else "have them: as many as should label each"
    if done or skipped:
        rest = "one more reading" if others == 1 else f"{others:,} more readings"
        return "good", f"{own} The project has {rest}, and others {have}."
    rest = "one reading" if others == 1 else f"{others:,} readings"
    return "", f"There is no reading for you in this stage. The project has {rest}, and others {have}."


def _next_stage(store: Store, project: Project, viewer: Viewer, *, ready: bool = False) -> None:
    """The button to the next stage, prominent if this stage is `ready`. There is no way back."""
    if viewer.stage >= CODES:
        return
    after = {NOTES: "group your notes", GROUPS: "see the codes"}[viewer.stage]
    words = "You cannot return to this stage" + (
        ": once you have seen the codes, you cannot note without them." if viewer.stage == GROUPS else "."
    )
    with st.popover(f"Continue to stage {viewer.stage + 1}: {after}", type="primary" if ready else "secondary"):
        st.write(words)
        if st.button("Continue", type="primary", key=state.key("stage_on", project.id, viewer.stage)):
            try:
                store.turns.release(project.id, viewer.name, viewer)  # readings that were opened but not labelled
                store.projects.advance(project.id, viewer.name, viewer.stage + 1)
            except BadOptions as error:
                flash.error(error)
                return
            address.open_project(project.id, "groups" if viewer.stage == NOTES else address.BENCH)


# Which reading


def _turn(store: Store, project: Project, viewer: Viewer) -> None:
    before = address.run_id()
    left = before if label_panel.leave(store, project, viewer.name, before) else ""
    assignments = label_panel.assignments(store, project, viewer)
    run = _open_turn(store, project, viewer, assignments, after=left)
    if run is None:
        _all_done(store, project, viewer, assignments)
    else:
        address.set_project(project.id, address.BENCH, run=run)
        address.remember_bench_run(project.id, run)
        _show_reading(store, project, viewer, store.runs.get(run))


def _open_turn(store: Store, project: Project, viewer: Viewer, assignments: Assignments, *, after: str) -> str | None:
    """The reading that the address names, or else the next one `after` the one that was left, with its turn opened; None if
    nothing is left."""
    named = address.run_id()
    if named and named not in assignments.runs:
        st.info(
            "That reading is not yours to label in this stage: others have it, you skipped it, or it is not in this project. "
            "Here is your next one."
        )
    for run in [named] * (named in assignments.runs) + [assignments.next_after(after)]:
        try:
            if run:
                store.turns.open(project.id, run, viewer.name)
                return run
        except BadOptions as error:
            flash.error(error)
    return None


# The reading


def _show_reading(store: Store, project: Project, viewer: Viewer, run: Run) -> None:
    known = hidden_answers.known_answer(store, run, hidden_answers.hidden_questions(store)) if sees_outcome(viewer) else None
    if start_runs.is_running(run):
        st.html(markup.notice("warn", ["This reading is still under way. Skip it for now and come back when it has ended."]))
    reading = process_cache.ended_reading(run)
    at_bench = BenchReading(project, viewer.name, reading, bench_player.panel_key(project, viewer.name, run.id))
    with st.container(key="bench"):
        with st.container(key="bench-reading"):
            at = opening(project, reading, known)
            bench_player.show_player(reading, known, kept(project.id, viewer.name), panel=at_bench.panel, at=at)
            _below(at_bench, at)
            with st.container(key="bench-foot", horizontal=True):
                _next_stage(store, project, viewer)
        with st.container(key="bench-panel"):
            label_panel.show(at_bench)


def opening(project: Project, reading: Reading, known: KnownAnswer | None) -> int:
    """The step (from 0) to open at: the step in the address, else the one at which the project's readings open. `known` is None
    while the annotator may not see it: then nothing here depends on it."""
    at = address.step()
    if at is not None:
        return at
    opens_at = project.settings.opens_at
    rests = known is not None and opens_at in ("known place", "first loss")
    facts = process_cache.followed(reading, evidence_of(known, reading.document), known=known) if known and rests else []
    return first_shown.opening(reading.trace, opens_at, followed=facts)


@fragment()
def _below(at_bench: BenchReading, opened_at: int) -> None:
    """What Python draws for the step: in Full, its calls and written texts, so that they can be marked; and the form for
    corrections."""
    at = reading_view.follow(at_bench.reading, opened_at=opened_at)
    seq = bench_player.show_record(at_bench.reading, at) if address.is_full() and at_bench.reading.trace.steps else None
    corrections.show(at_bench, at, seq=seq)
