"""A running reading: polls the database, extends the player, and redraws the whole page when the reading has ended.

The reading itself runs in `Jobs`, independent of this page: closing or reloading the page changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.player import data, lifeline, mount
from components.player.contract import PlayerReport
from components.session import access, address, database, process_cache, start_runs, state
from components.trace import failing
from components.widgets import progress
from readers import get
from readers.engine.record.events import Event
from readers.engine.record.provisional import first_unreported
from readers.engine.store import Run
from readers.engine.text.document import Document, Span
from readers.engine.work import Work

BUSY = 0.25  # the share of the time that making the player's data may take
LIVES = 2.0  # seconds between two times that the lives of followed facts are computed, at least


@dataclass
class PacedPlayer:
    """What the player was last sent. It is made anew when there is more, but not so often that it takes more than `BUSY` of the
    time: a novel's tree takes 15 ms, a net of a thousand segments two seconds."""

    clock: Callable[[], float] = time.monotonic
    least: float = 0.0  # seconds from one time to the next
    about: object = None
    size: object = None
    made: dict[str, Any] = field(default_factory=dict)
    due: float = 0.0

    def get(self, about: object, size: object, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The data `about` something, of this `size`; about something else it is made at once."""
        began = self.clock()
        if about != self.about or (size != self.size and began >= self.due):
            self.made, self.about, self.size = make(), about, size
            ended = self.clock()
            self.due = max(began + self.least, ended + (ended - began) * (1 / BUSY - 1))
        return self.made


def show_going(run: Run) -> None:
    """Draw question, progress and Cancel above the player, which grows with the reading."""
    document = access.document(run.document)
    about = [get(run.reader).called(run.spec.get("options", {})), wording.models(run.spec), document.title]
    with st.container(key="trace-head"):
        st.html(markup.heading(run.question, about, []))
        progress.watch(partial(_look, run.id, document), partial(_draw, run.id, document))
    mount.mount(
        data.begun(run, document, ()), key=state.key("stage", run.id), hides_end=address.hides_end(), question=run.question,
        algorithm=address.is_full(), tour=True,
    )  # fmt: skip


def _look(run_id: str, document: Document) -> Work | None:
    """Stage, count, rate, time left and cost so far; None when the reading has ended."""
    with database.opened() as store:
        run = store.runs.get(run_id)
        return progress.of_reading(store, run, document) if start_runs.is_running(run) else None


def _draw(run_id: str, document: Document, work: Work) -> None:
    """Draw how far the reading is, and send new data to the player."""
    cancel = partial(process_cache.jobs().cancel, run_id) if access.may_change(run_id) else None
    with database.opened() as store:
        run, events = store.runs.get(run_id), progress.events(store, run_id)
        answered = store.runs.tape(run_id).answers_from(first_unreported(events))
    progress.show(work, key="progress", cancel=cancel, ends="Cancel" if get(run.reader).starts else "End this reading")
    key = state.key("feed", run_id)
    wanted = mount.reported(key)
    pace: PacedPlayer = state.value("_pace") or PacedPlayer()
    state.set_value("_pace", pace)
    moving = pace.get(
        (run_id, wanted.opened),
        (len(events), len(answered)),
        lambda: data.so_far(run, document, events, answered=answered, opened=wanted.opened),
    )
    sent = {"stretches": data.stretches(document, wanted.stretches), **_lives(run, document, events, wanted)}
    mount.link({"run": run_id, "hears": True, "number": wanted.number, "moving": moving, **sent}, key=key)
    failing.show(run.spec, events)


def _lives(run: Run, document: Document, events: Sequence[Event], wanted: PlayerReport) -> dict[str, Any]:
    """The lifelines of the followed places as far as the reading has come; nothing if none is followed."""
    if not wanted.facts:
        return {}
    pace: PacedPlayer = state.value("_lives") or PacedPlayer(least=LIVES)
    state.set_value("_lives", pace)
    places = [Span(*place) for place in wanted.facts]
    return pace.get((run.id, wanted.facts), len(events), lambda: {"lives": lifeline.so_far(run, document, events, places)})
