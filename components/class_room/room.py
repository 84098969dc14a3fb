"""What the teacher sees: the reading on Stage, over it the code, the question, the vote and the result.

The browser draws it (`assets/js/class_room/room.js`) and sends the teacher's actions; this module performs them, if the store
allows it, and sends the state back each second. Votes of an open round are not sent to the teacher either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components.class_room import lesson_class, room_data, wording
from components.class_room.contract import LessonPanel, RoomData, TeacherAct
from components.class_room.questions import Watched, asked_steps, halts, question
from components.class_room.room_data import RoomProgress
from components.html.words.wording import sentence
from components.player import cache, ending, mount
from components.session import classes, database, hidden_answers, process_cache, state
from components.session.drawing import fragment
from components.session.islands import Island, sent
from components.widgets import reading_view
from readers.engine.analysis.facts.follow import right_by_rule
from readers.engine.errors import BadOptions, ReadingError
from readers.engine.store import Store
from readers.engine.store.database import now
from readers.engine.teaching.classes import ClassSession
from readers.engine.teaching.tally import shown

_room = Island[RoomData]("class_room", "class-room", "class_room/room.js", "class_vote", "class_room", says=("acts",))


def show(session: ClassSession) -> None:
    """Draw the reading of a class for whoever leads it."""
    watched = watched_reading(session)
    state.set_value(state.key("_class_shown", session.id), watched.reading.run.id)
    _lead(session.code)
    with database.opened() as store:
        marked = [] if session.state.lesson else store.stops.of(session.run)
    pauses = [{"at": stop.at, "note": "", "pauses": True} for stop in marked if stop.pauses]  # what a note says is not on Stage
    mount_player(session, watched, stops=pauses)


def mount_player(session: ClassSession, watched: Watched, *, stops: Sequence[Mapping[str, Any]] = ()) -> None:
    """Draw the player of a class, and answer what it asks for."""
    reading = watched.reading
    said = panel(session)
    mount.mount(
        {**watched.frames, "stops": stops}, key=state.key("class_stage", session.id), hides_end=True,
        at=said["at"] if said else session.state.reached, question=reading.run.question, ending=ending.of(reading, watched.known),
    )  # fmt: skip
    answer_player(session.code)


def panel(session: ClassSession) -> LessonPanel | None:
    """What a lesson says beside its picture where its class is; None for a class on a reading."""
    lesson, at = session.state.lesson, session.state.at
    if not lesson:
        return None
    with database.opened() as store:
        revealed = at in store.classes.revealed(session)
    asked = lesson_class.asked_steps(lesson) if session.state.every else lesson_class.usual(lesson)
    return lesson_class.panel(lesson, at, is_open=at in asked and not revealed)


def mark_known(session: ClassSession, said: LessonPanel | None) -> bool:
    """In a class on a lesson, mark the known place if the lesson does; whether another recording is shown than the page was drawn
    with."""
    if said is None:
        return False
    known = lesson_class.known(session.state.lesson, session.state.at)
    mount.link({"run": said["run"], "known": known}, key=state.key("class_known", said["run"]))
    return bool(state.value(state.key("_class_shown", session.id)) != said["run"])


def watched_reading(session: ClassSession) -> Watched:
    """The reading of a class, with what may be shown of it."""
    if session.state.lesson:
        return lesson_class.watched(session.state.lesson, session.state.at)
    with database.opened() as store:
        run = classes.class_run(store, session)
        known = hidden_answers.known_answer(store, run, hidden_answers.hidden_questions(store))
    reading = process_cache.ended_reading(run)
    return Watched(reading, cache.frames(reading), cache.predictions(reading), known, right_by_rule(reading, known))


@fragment()
def answer_player(code: str) -> None:
    """Send the player what it asks for: folded parts of its picture, stretches of a long text."""
    with database.opened() as store:
        session = store.classes.get(code)
    reading_view.follow(watched_reading(session).reading, opened_at=session.state.at)


@fragment(run_every=room_data.ASKS_EVERY)
def _lead(code: str) -> None:
    """Do what the browser has sent, and send it the state of the class."""
    with database.opened() as store:
        session = store.classes.get(code)
        watched = watched_reading(session)
        key = state.key("class_room", session.id)
        memory: dict[str, Any] = state.remembered(state.key("_class_done", session.id), dict)
        acts = room_data.acts(sent(key).get("acts"), memory.get("n", 0))
        if acts:
            memory["message"] = do_acts(store, code, watched, acts)
            memory["n"] = acts[-1].n
            session = store.classes.get(code)
        if session.is_over(now()):
            st.rerun()
        data = _data(store, session, watched, done=(memory.get("n", 0), memory.get("message", "")))
    _room.draw(data, key=key)
    if mark_known(session, data["lesson"]):
        st.rerun()


def _data(store: Store, session: ClassSession, watched: Watched, *, done: tuple[int, str]) -> RoomData:
    held, lesson = store.classes, session.state.lesson
    stops = lesson_class.notes(lesson) if lesson else store.stops.of(session.run)
    every = lesson_class.asked_steps(lesson) if lesson else asked_steps(watched)
    first = lesson_class.usual(lesson) if lesson else halts(watched, stops)
    progress = RoomProgress(
        held.learners.here(session), held.voted(session), every, first, held.revealed(session), stops,
        held.learners.late(session), wording.fits(*classes.places()), panel(session),
    )  # fmt: skip
    seen = shown(session, held.result(session), None)
    return room_data.room(session, seen, progress, now=now(), where=address_for(session.code), done=done, token=classes.token())


def address_for(code: str) -> tuple[str, str]:
    """The address of a class for its devices, and what to do if they cannot reach it."""
    listens = str(st.get_option("server.address") or "")
    return room_data.room_address(st.context.url or "", code, listens=listens, own=room_data.own_addresses())


def do_acts(store: Store, code: str, watched: Watched, acts: list[TeacherAct]) -> str:
    """Do the acts in order. One that is refused does not stop the others. Returns a message about them, if any."""
    message = ""
    for act in acts:
        try:
            _do(store, code, watched, act)
        except ReadingError as error:
            message = sentence(str(error))
    return message


def _says(lesson: str, watched: Watched, at: int) -> str:
    found: str = lesson_class.name(lesson, at) if lesson else watched.frames["steps"][at]["say"]
    return found


def _do(store: Store, code: str, watched: Watched, act: TeacherAct) -> None:
    held, token = store.classes, classes.token()
    session = held.get(code)
    lesson = session.state.lesson
    if act.do == "step":
        at = min(act.at, session.steps - 1)
        held.step(code, token, at, _says(lesson, watched, at))
    elif act.do == "turn":
        held.turn(code, token, act.at)
    elif act.do == "ask":
        found = lesson_class.question(lesson, min(act.at, session.steps - 1)) if lesson else question(watched, act.at)
        if found is None:
            raise BadOptions("nothing is decided at this step")
        held.ask(code, token, found)
    elif act.do in ("loose", "joining", "every", "closed"):
        held.switch(code, token, act.do, on=act.on)
    elif act.do == "word":
        held.ask_word(code, token, on=act.on)
    elif act.do == "remove":
        held.remove(code, token, minutes=act.at)
    else:
        {"open": held.open_vote, "close": held.close_vote, "talk": held.talk, "reveal": held.reveal, "end": held.end}[act.do](
            code, token
        )
