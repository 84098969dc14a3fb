"""What the teacher sees: the reading on Stage, over it the code, the question, the vote and the result.

The browser draws it (`assets/js/class_room/room.js`) and sends the teacher's actions; this module performs them, if the store
allows it, and sends the state back each second. Votes of an open round are not sent to the teacher either.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from components.class_room import room_data, wording
from components.class_room.contract import RoomData, TeacherAct
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
    reading, known = watched.reading, watched.known
    _lead(session.code)
    with database.opened() as store:
        marked = store.stops.of(session.run)
    pauses = [{"at": stop.at, "note": "", "pauses": True} for stop in marked if stop.pauses]  # what a note says is not on Stage
    frames = {**watched.frames, "stops": pauses}
    mount.mount(
        frames, key=state.key("class_stage", session.id), at=session.state.at, hides_end=True, question=reading.run.question,
        ending=ending.of(reading, known),
    )  # fmt: skip
    answer_player(session.code)


def watched_reading(session: ClassSession) -> Watched:
    """The reading of a class, with what may be shown of it."""
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


def _data(store: Store, session: ClassSession, watched: Watched, *, done: tuple[int, str]) -> RoomData:
    held = store.classes
    stops = store.stops.of(session.run)
    every, first = asked_steps(watched), halts(watched, stops)
    progress = RoomProgress(
        held.learners.here(session), held.voted(session), every, first, held.revealed(session), stops,
        held.learners.late(session), wording.fits(*classes.places()),
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


def _do(store: Store, code: str, watched: Watched, act: TeacherAct) -> None:
    held, token = store.classes, classes.token()
    steps = watched.frames["steps"]
    if act.do == "step":
        at = min(act.at, len(steps) - 1)
        held.step(code, token, at, steps[at]["say"])
    elif act.do == "ask":
        found = question(watched, act.at)
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
