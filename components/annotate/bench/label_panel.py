"""The label panel beside the player: saves what it sends, answers, and tells it how things are now.

The panel is a component of its own (`assets/js/annotate/`). It knows the step from the player, keeps what is typed in the browser
until the store has it, and sends each change at once. What the stage hides is not sent at all (`panel_data.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components.annotate.bench import corrections, panel_data, save_labels
from components.annotate.bench.corrections import Seat
from components.annotate.bench.panel_data import Bench, Work
from components.html import prompt_stretches, wording
from components.html.scripts import script
from components.html.styles import sheet
from components.player import cache
from components.session import access, address, flash, hidden_answers, process_cache, state
from components.widgets import reading_view
from readers import get
from readers.engine.analysis.hints import hints
from readers.engine.canonical import canonical
from readers.engine.errors import NotFound, ReadingError
from readers.engine.labels.codebook import Codebook, from_json
from readers.engine.labels.label import Label
from readers.engine.labels.project import Project, Viewer, sees_codes, sees_outcome
from readers.engine.questions import grading
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.hint import Hint
from readers.engine.store import Store
from readers.engine.store.label_session import LabelSession
from readers.engine.store.reading import Reading

_panel = st.components.v2.component(
    "palimpsest.annotate",
    html='<div class="bench"></div>',
    css=sheet("label_panel"),
    js=script("annotate/mount.js"),
)


@st.fragment
def show(seat: Seat) -> None:
    """Save what the panel has sent, and tell it how things are now."""
    reading, key = seat.reading, seat.panel
    sent = state.value(key)
    message = sent.get("said") if isinstance(sent, Mapping) else None
    kept = corrections.remembered(key)
    with access.opened() as store:
        session = saved(store, seat, message)
        if session is None:
            return
        bench = bench_of(store, session, reading, hinted=bool(kept.get("hints")))
        following = bench.work.following(reading.run.id) if message else None
        upcoming = store.run(following) if following else None
    if corrections.redraw(key, session.own):
        st.rerun()
    data = panel_data.panel(bench)
    answered = {"n": kept.get("n", 0), "answers": kept.get("answers", []), "note": kept.get("note", ""), "made": kept.get("made")}
    _panel(key=key, data={**data, **answered}, on_said_change=_nothing)
    if upcoming and upcoming.ended:
        # The next reading's frames are made while this one is looked at; only here, where the fragment is drawn by itself: while
        # the whole page is drawn, its old content stays.
        cache.frames(process_cache.ended(upcoming))


def _nothing() -> None:
    """Streamlit reports what a component says only to a callback."""


# Saving


def saved(store: Store, seat: Seat, message: object) -> LabelSession | None:
    """The annotator's work on the run, with the changes of a new message saved and its action done; None if somebody else has the
    run. The turn may have been released in another tab or by the project lead; it is begun again."""
    kept, where = corrections.remembered(seat.panel), (seat.project.id, seat.reading.run.id, seat.annotator)
    new = save_labels.number(message) not in (0, kept.get("n"))
    if not new:
        session = store.labels.load(*where)
        if session.turn is not None:
            return session
    try:
        with store.labels.session(*where, ids=save_labels.label_ids(message)) as session:
            session.ensure_turn()
            answers = save_labels.save(session, seat.reading.document.text, message) if new else []
    except ReadingError as error:
        flash.error(error)
        return None
    if new:
        kept["answers"], kept["n"], kept["note"] = answers, save_labels.number(message), ""
        _act(store, seat, session, message)
    return session


def _act(store: Store, seat: Seat, session: LabelSession, message: object) -> None:
    """Do what a message asks for besides saving. Moving on redraws the whole page."""
    kept = corrections.remembered(seat.panel)
    do, words = save_labels.act(message)
    if do == "hints":
        kept["hints"] = not kept.get("hints")
    if do in ("", "hints"):
        return
    try:
        there = _close(store, session, do, words=words)
        if do == "go" and not any("refused" in answer for answer in kept["answers"]):
            store.turns.release(seat.project.id, seat.annotator, session.viewer, run=session.run)
    except ReadingError as error:
        kept["note"] = wording.sentence(str(error))
        return
    address.open_project(seat.project.id, run=there)


def _close(store: Store, session: LabelSession, do: str, *, words: str) -> str:
    """Finish, skip, reopen or leave the run; the run to go to then, empty for the next one."""
    where = (session.project.id, session.run, session.annotator.name)
    if do == "go":
        return words
    if do == "reopen":
        store.turns.reopen(*where)
        return session.run
    if do == "finish":
        store.turns.finish(*where)
    else:
        store.turns.skip(*where, reason=words)
    return work(store, session.project, session.viewer).following(session.run) or ""


# What the panel gets


def work(store: Store, project: Project, viewer: Viewer) -> Work:
    """What an annotator has done and has still to do in their stage."""
    annotator = store.projects.annotator(project.id, viewer.name)
    turns = store.turns.in_project(project.id, viewer)
    return panel_data.work(project, store.projects.readings(project.id), annotator, turns)


def bench_of(store: Store, session: LabelSession, reading: Reading, *, hinted: bool) -> Bench:
    """What there is to tell the panel. It reads only what the session does not know."""
    if session.turn is None:
        raise NotFound("this reading is not open to you any more; load the page again")
    run, project, viewer, labels = reading.run, session.project, session.viewer, session.labels
    return Bench(
        project,
        viewer,
        run.id,
        run.reader,
        text=reading.document.text,
        steps=len(reading.trace.steps),
        turn=session.turn,
        work=panel_data.work(project, store.projects.readings(project.id), session.annotator, session.turns),
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


def _hints(store: Store, reading: Reading, viewer: Viewer) -> list[Hint]:
    """The automatic hints; those that rest on what is known only while the known answer is shown."""
    run = reading.run
    asked_for = sees_outcome(viewer) and reading_view.shows_known(run)
    known = hidden_answers.shown(store, run, hidden_answers.hidden(store)) if asked_for else None
    if known is None:
        return _cached_hints(run.id, process_cache.stamp(run), "", (reading, None))
    asked = store.question_sets.question_of(run)
    by_rule = grading.grade(run.outcome, run.answer, run.spec.get("choices") or (), KnownAnswer.of(asked)) if asked else None
    words = f"By rule, the answer is {by_rule.outcome.replace('_', ' ')}: {by_rule.reason}" if by_rule else ""
    found = _cached_hints(run.id, process_cache.stamp(run), canonical([known.answers, known.evidence]), (reading, known))
    return [*([Hint("judged", (), words, known=True)] if words else []), *found]


@st.cache_resource(max_entries=32, show_spinner=False)
def _cached_hints(
    run_id: str, stamp: tuple[str, str | None], known: str, _given: tuple[Reading, KnownAnswer | None]
) -> list[Hint]:
    reading, evidence = _given
    return hints(reading, get(reading.run.reader), known=evidence, reveal=evidence is not None)


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
