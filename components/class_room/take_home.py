"""What a learner takes home from a class that is over: their own votes beside what the model did, and its readings as one file.

It stays at the address of the class as long as its teacher keeps the class. Only a browser that was in the class gets it.
"""

from __future__ import annotations

import streamlit as st

from components.class_room import wording
from components.html import markup
from components.lessons import recorded
from components.lessons.lesson_file import lesson_of
from components.replay.file import replay_file
from components.replay.reading import replayed
from components.session import classes, database, state
from components.session.samples import open_recording
from components.widgets import report
from readers.engine.teaching.classes import ClassSession


def show(session: ClassSession) -> None:
    """Draw what this browser takes home; nothing if it was not in the class."""
    with database.opened() as store:
        if not classes.is_in(store, session):
            return
        own = store.classes.own_votes(session, classes.token())
        results = store.classes.results(session)
    st.html(markup.question(session.title))
    st.html(markup.section("", wording.OWN))
    if own:
        report.draw(wording.own_votes(results, own, session.unit), kind="own-votes")
    st.caption(wording.STAYS)
    st.download_button(
        "Save what you saw as one file", lambda: _replay(session), file_name=f"palimpsest-class-{session.code}.html",
        mime="text/html", key=state.key("class_replay", session.id), on_click="ignore", help=wording.REPLAY,
    )  # fmt: skip


def _replay(session: ClassSession) -> bytes:
    with database.opened() as store:
        everybodys = store.seen_by(None)
        return replay_file([replayed(everybodys, run) for run in _runs(session)]).encode()


def _runs(session: ClassSession) -> list[str]:
    """The readings of a class, in the order in which it saw them."""
    if not session.state.lesson:
        return [session.run]
    names = dict.fromkeys(part.recording for part in lesson_of(session.state.lesson).parts())
    return [open_recording(recorded.recording_of(name)) for name in names]
