"""The bench: one reading under its player, with the label panel always in sight.

The panel is a component of its own (`assets/js/annotate/`): it knows the step from the player, keeps what is typed in the
browser until the store has it, and sends each change at once. Python saves it, answers, and says what there is now. What the
stage hides is not sent at all (`annotate_data.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from components.annotate import keys
from components.annotate.bench import corrections, panel_data, save_labels
from components.annotate.bench.corrections import Seat
from components.annotate.bench.panel_data import ABOUT_STAGES, Bench, Work
from components.annotate.projects.wording import bench_finished
from components.html import markup, prompt_stretches, wording
from components.html.scripts import script
from components.html.styles import sheet
from components.player import cache, utf16
from components.player import mount as stage
from components.session import access, address, annotator, flash, hidden_answers, process_cache, start_runs, state
from components.widgets import calls, reading_view
from readers import get
from readers.engine.analysis.hint import Signal
from readers.engine.analysis.hints import signals
from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions, NotFound, ReadingError
from readers.engine.labels.codebook import Codebook, from_json
from readers.engine.labels.label import CODES, GROUPS, NOTES, Label
from readers.engine.labels.project import Project, Viewer, protocol, sees_codes, sees_outcome
from readers.engine.questions import grading
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Wrote
from readers.engine.store import Run, Store
from readers.engine.store.reading import Reading
from readers.engine.text import refs

_panel = st.components.v2.component(
    "palimpsest.annotate",
    html='<div class="bench"></div>',
    css=sheet("label_panel"),
    js=script("annotate/mount.js"),
)


def show(store: Store, project: Project, viewer: Viewer) -> None:
    """The reading that the address names, or the annotator's next one."""
    if not viewer.stage:
        _join(store, project, viewer)
    elif viewer.stage == GROUPS:
        _grouping(store, project, viewer)
    else:
        work = _work(store, project, viewer)
        run = _begun(store, project, viewer, work)
        if run is None:
            _all_done(store, project, viewer, work)
        else:
            address.set_project(project.id, address.BENCH, run=run)
            address.remember_bench_run(project.id, run)
            _show_reading(store, project, viewer, store.run(run))


# Before and after the readings


def _join(store: Store, project: Project, viewer: Viewer) -> None:
    count = len(store.projects.readings(project.id))
    stages = (NOTES, GROUPS, CODES) if project.settings.start_stage == NOTES else (CODES,)
    st.html(markup.page_title(project.name, hint=f"{count:,} reading{'' if count == 1 else 's'}"))
    words = [
        f"You label as {viewer.name}, in an order of readings that is yours alone.",
        *(ABOUT_STAGES[stage] for stage in stages),
    ]
    words.append("Then, reading by reading, you see what others said, and settle where you differ.")
    if viewer.whole:
        words.append(
            "You set this project up and see all of it. Once you label in it yourself, you see what an annotator sees, and what "
            "you finish is marked as not done blind."
        )
    st.html(markup.notice("", words))
    st.caption(markup.plain(f"The protocol: {protocol(project.settings, count)}."))
    if st.button("Start labelling", type="primary", key=state.key(keys.JOIN, project.id)):
        annotator.choose_name(store.projects.join(project.id, viewer.name).name)
        address.open_project(project.id)


def _grouping(store: Store, project: Project, viewer: Viewer) -> None:
    st.html(markup.notice("", [ABOUT_STAGES[GROUPS]]))
    st.page_link("pages/5_Annotate.py", label="Group your notes", query_params=address.to_project(project.id, "groups"))
    _go_on(store, project, viewer)


def _all_done(store: Store, project: Project, viewer: Viewer, work: Work) -> None:
    address.remember_bench_run(project.id, "")
    others = len(store.projects.readings(project.id)) - len(work.runs)
    tone, said = bench_finished(work.done, work.skipped, others)
    st.html(markup.notice(tone, [said]))
    if viewer.stage >= CODES and work.done:
        agreed = address.to_project(project.id, "agreement")
        st.page_link("pages/5_Annotate.py", label="See how far you agree with others", query_params=agreed)
    if work.before(""):
        back = address.to_project(project.id, run=work.before("") or "")
        st.page_link("pages/5_Annotate.py", label="Back to the last one", query_params=back)
    _go_on(store, project, viewer, ready=True)


def _go_on(store: Store, project: Project, viewer: Viewer, *, ready: bool = False) -> None:
    """To the next stage, the one thing to do where the work of this one is `ready`; there is no way back."""
    if viewer.stage >= CODES:
        return
    after = {NOTES: "group your notes", GROUPS: "see the codes"}[viewer.stage]
    words = "You cannot come back to this stage" + (
        ": who has seen the codes cannot note without them." if viewer.stage == GROUPS else "."
    )
    with st.popover(f"Continue to stage {viewer.stage + 1}: {after}", type="primary" if ready else "secondary"):
        st.write(words)
        if st.button("Continue", type="primary", key=state.key(keys.STAGE_ON, project.id, viewer.stage)):
            try:
                store.turns.release(project.id, viewer.name, viewer)  # what was only opened is not in the way
                store.projects.advance(project.id, viewer.name, viewer.stage + 1)
            except BadOptions as error:
                flash.error(error)
                return
            address.open_project(project.id, "groups" if viewer.stage == NOTES else address.BENCH)


# Which reading


def _work(store: Store, project: Project, viewer: Viewer) -> Work:
    who = store.projects.annotator(project.id, viewer.name)
    return panel_data.work(project, store.projects.readings(project.id), who, store.turns.in_project(project.id, viewer))


def _begun(store: Store, project: Project, viewer: Viewer, work: Work) -> str | None:
    """The reading to show, its turn begun; None where nothing is left."""
    named = address.run_id()
    if named and named not in work.runs:
        st.info(
            "That reading is not yours to label in this stage: others have it, you passed it over, or it is not in this project. "
            "Here is your next."
        )
    for run in [named] * (named in work.runs) + [work.following("")]:
        try:
            if run:
                store.turns.open(project.id, run, viewer.name)
                return run
        except BadOptions as error:
            flash.error(error)
    return None


# The reading


def _show_reading(store: Store, project: Project, viewer: Viewer, run: Run) -> None:
    known = hidden_answers.shown(store, run, hidden_answers.hidden(store)) if sees_outcome(viewer) else None
    if start_runs.going(run):
        st.html(
            markup.notice("warn", ["This reading is still under way; skip it for now, and come back to it when it has ended."])
        )
    reading = process_cache.ended(run)
    seat = Seat(project, viewer.name, reading, state.key("bench-panel", project.id, run.id, state.short_hash(viewer.name)))
    with st.container(key="bench"):
        with st.container(key="bench-reading"):
            gold = reading_view.show_head(reading, known, unanswered=_unanswered)
            evidence = utf16.spans(reading.document.text, known.evidence) if known and gold else None
            stage.link({"run": run.id, "known": {"evidence": evidence} if evidence else None}, key=state.key("gold", run.id))
            stage.mount(cache.frames(reading), key=state.key("stage", run.id), at=address.step() or 0)
            _below(seat)
            with st.container(key="bench-foot", horizontal=True):
                _go_on(store, project, viewer)
        with st.container(key="bench-panel"):
            _labels(seat)


def _unanswered(run: Run) -> None:
    st.html(markup.notice(wording.state(run).tone, wording.ending(run)))


@st.fragment
def _below(seat: Seat) -> None:
    """What Python draws for the step: in Full, its calls and what was written, so that they can be marked; and the place to say
    what would have been right."""
    at = reading_view.follow(seat.reading)
    seq = _record(seat.reading, at) if address.is_full() and seat.reading.trace.steps else None
    corrections.show(seat, at, seq=seq)


def _record(reading: Reading, at: int) -> int | None:
    """The calls of a step and what was written there; the number of the call that is shown."""
    seq = calls.show_calls(reading, at)
    step = reading.trace.steps[at]
    written = [event for event in reading.trace.events[step.start : step.end] if isinstance(event, Wrote)]
    names = get(reading.run.reader).names(reading.trace)
    if written:
        st.html(markup.section("", "What was written here", hint=f"step {at + 1}"))
    for event in written:
        called = f"{event.role.replace('_', ' ')} {names.get(refs.wrote(event.n), '')}".strip()
        with st.container(key=f"wrote-at-{event.n}"):
            st.html(markup.reply(event.text, f"{wording.author(reading.run.spec['model'])} · {called}"))
    return seq


# The panel


@st.fragment
def _labels(seat: Seat) -> None:
    """Save what the panel has sent, and tell it how things are now."""
    project, name, reading, key = seat
    said = state.value(key)
    message = said.get("said") if isinstance(said, Mapping) else None
    kept = corrections.remembered(key)
    with access.opened() as store:
        if not _still_had(store, project, name, reading.run.id):
            return
        if save_labels.number(message) not in (0, kept.get("n")):
            _take(store, project, name, (reading, message, kept))
        viewer = store.projects.viewer(project.id, name)
        bench = _bench(store, project, viewer, (reading, bool(kept.get("hints"))))
    if corrections.redraw(key, [label for label in bench.labels if label.annotator == name]):
        st.rerun()
    data = panel_data.panel(bench)
    answered = {"n": kept.get("n", 0), "answers": kept.get("answers", []), "note": kept.get("note", ""), "made": kept.get("made")}
    _panel(key=key, data={**data, **answered}, on_said_change=_nothing)
    if message:
        _make_ready(bench.work.following(reading.run.id))


def _make_ready(id: str | None) -> None:
    """The next reading as the player takes it, worked out while this one is looked at. Only where this part of the page is drawn
    by itself: as long as the whole page is at work, what was on it before stays on it."""
    with access.opened() as store:
        run = store.run(id) if id else None
    if run and run.ended:
        cache.frames(process_cache.ended(run))


def _still_had(store: Store, project: Project, name: str, run: str) -> bool:
    """Another tab of theirs, or who leads the project, may have given the reading back: whoever sits here takes it again, as long
    as nobody else has it."""
    viewer = store.projects.viewer(project.id, name)
    if any(turn.stage == viewer.stage for turn in store.turns.in_project(project.id, viewer, run=run, annotator=name)):
        return True
    try:
        store.turns.open(project.id, run, name)
    except ReadingError as error:
        flash.error(error)
        return False
    return True


def _nothing() -> None:
    """Streamlit reports what a component says only where somebody listens."""


def _take(store: Store, project: Project, name: str, what: tuple[Reading, Any, dict[str, Any]]) -> None:
    """Save a message and do what it asks for. Moving on draws the whole page anew."""
    reading, message, kept = what
    run = reading.run.id
    book = store.codebooks.latest_number(project.id)
    desk = save_labels.Desk(project.id, run, name, reading.document.text, book)
    kept["answers"] = save_labels.save(store, desk, message)
    kept["n"], kept["note"] = save_labels.number(message), ""
    do, words = save_labels.act(message)
    try:
        there = _act(store, project, name, (do, words, run))
        if do == "go" and not any("refused" in answer for answer in kept["answers"]):
            store.turns.release(project.id, name, store.projects.viewer(project.id, name), run=run)
    except ReadingError as error:
        kept["note"] = wording.sentence(str(error))
        return
    if do == "hints":
        kept["hints"] = not kept.get("hints")
    elif do:
        address.open_project(project.id, run=there)


def _act(store: Store, project: Project, name: str, what: tuple[str, str, str]) -> str:
    """Finish, skip, open again or leave a reading; where to go then, empty for the next one."""
    do, words, run = what
    if do == "reopen":
        store.turns.reopen(project.id, run, name)
        return run
    if do == "finish":
        store.turns.finish(project.id, run, name)
    elif do == "skip":
        store.turns.skip(project.id, run, name, reason=words)
    return words if do == "go" else (_work(store, project, store.projects.viewer(project.id, name)).following(run) or "")


def _bench(store: Store, project: Project, viewer: Viewer, what: tuple[Reading, bool]) -> Bench:
    reading, hinted = what
    run = reading.run
    turns = [
        turn
        for turn in store.turns.in_project(project.id, viewer, run=run.id, annotator=viewer.name)
        if turn.stage == viewer.stage
    ]
    if not turns:
        raise NotFound("this reading is not open to you any more; load the page again")
    labels = store.labels.in_project(project.id, viewer, run=run.id, removed=True)
    return Bench(
        project,
        viewer,
        run.id,
        run.reader,
        text=reading.document.text,
        steps=len(reading.trace.steps),
        turn=turns[0],
        work=_work(store, project, viewer),
        labels=labels,
        quotes=_quotes(store, reading, labels),
        book=_book(store, project, viewer),
        hints=_hints(store, reading, viewer) if hinted and sees_codes(viewer) else None,
        full=address.is_full(),
        edited={label.id: corrections.in_words(reading, label) for label in labels},
        corrects=corrections.offered(viewer, reading),
    )


def _book(store: Store, project: Project, viewer: Viewer) -> Codebook | None:
    version = store.codebooks.latest(project.id, viewer)
    return from_json(version.version, version.codes, change=version.change) if version else None


def _hints(store: Store, reading: Reading, viewer: Viewer) -> list[Signal]:
    """The automatic hints; those that rest on what is known only while the known answer is shown."""
    run = reading.run
    asked_for = sees_outcome(viewer) and reading_view.shows_known(run)
    known = hidden_answers.shown(store, run, hidden_answers.hidden(store)) if asked_for else None
    if known is None:
        return _signals(run.id, process_cache.stamp(run), "", (reading, None))
    asked = store.question_sets.question_of(run)
    by_rule = grading.grade(run.outcome, run.answer, run.spec.get("choices") or (), KnownAnswer.of(asked)) if asked else None
    words = f"By rule, the answer is {by_rule.outcome.replace('_', ' ')}: {by_rule.reason}" if by_rule else ""
    found = _signals(run.id, process_cache.stamp(run), canonical([known.answers, known.evidence]), (reading, known))
    return [*([Signal("judged", (), words, known=True)] if words else []), *found]


@st.cache_resource(max_entries=32, show_spinner=False)
def _signals(id: str, stamp: tuple[str, str | None], known: str, _given: tuple[Reading, KnownAnswer | None]) -> list[Signal]:
    reading, evidence = _given
    return signals(reading, evidence, reveal=evidence is not None, names=get(reading.run.reader).names(reading.trace))


def _quotes(store: Store, reading: Reading, labels: list[Label]) -> dict[str, str]:
    """The words of places that were marked elsewhere than on the source text."""
    found = {}
    for label in labels:
        on = label.target.get("on") if label.kind == "span" else None
        if on in ("prompt", "reply", "wrote"):
            words = _words(store, reading, on, label.target["number"])
            found[label.id] = panel_data.quote(words, label.target["start"], label.target["end"])
    return found


def _words(store: Store, reading: Reading, on: str, number: int) -> str:
    if on == "wrote":
        return reading.trace.wrote[number].text if number in reading.trace.wrote else ""
    record = next((record for record in reversed(reading.records) if record.seq == number), None)
    if record is None or on == "reply":
        return (record.reply or "") if record else ""
    prompt = store.tape(reading.run.id).prompts().get(record.prompt)
    return "".join(words for words, _, _ in prompt_stretches.of_record(record, prompt, reading)) if prompt else ""
