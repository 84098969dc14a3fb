"""A running reading: polls the database, extends the player, and redraws the whole page when the reading has ended.

The reading itself runs in `Jobs`, independent of this page: closing or reloading the page changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from components.html import markup, wording
from components.player import data, mount
from components.session import access, address, database, flash, process_cache, start_runs, state
from components.trace import keys
from components.widgets import text_cache
from readers import get
from readers.engine.errors import ReadingError
from readers.engine.models import catalogue, timeouts
from readers.engine.record.edits import Edits
from readers.engine.record.events import Event, from_json
from readers.engine.record.journal import Spending, Wait
from readers.engine.record.provisional import first_unreported
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec
from readers.engine.store import Run, Store
from readers.engine.text.document import Document
from readers.engine.text.phrases import call_number

POLL = 1.0
BUSY = 0.25  # the share of the time that making the player's data may take
SURE_AFTER = 3.0  # seconds before a rate is meaningful


@dataclass
class Paced:
    """What the player was last sent. It is made anew when there is more, but not so often that it takes more than `BUSY` of the
    time: a novel's tree takes 15 ms, a net of a thousand segments two seconds."""

    clock: Callable[[], float] = time.monotonic
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
            self.due = ended + (ended - began) * (1 / BUSY - 1)
        return self.made


def show_going(run: Run) -> None:
    """Draw question, progress and Cancel above the player, which grows with the reading."""
    document = access.document(run.document)
    with st.container(key="trace-head"):
        st.html(markup.heading(run.question, [get(run.reader).title, wording.models(run.spec), document.title], []))
        _watch(run.id, document)
    alone = mount.Alone(run.question, address.hides_end())
    mount.mount(data.begun(run, document, ()), key=state.key("stage", run.id), alone=alone)


@st.fragment(run_every=POLL)
@flash.errors_shown
def _watch(run_id: str, document: Document) -> None:
    """Draw stage, count, rate, time left and cost so far, and send new data to the player."""
    with database.opened() as store:
        run = store.run(run_id)
        if not start_runs.is_running(run):
            st.rerun()
        events = _events(store, run_id)
        tape = store.tape(run_id)
        replies, spent, waited = tape.answered(), tape.spent(), tape.wait()
        answered = tape.answers_from(first_unreported(events))
    with st.container(horizontal=True, vertical_alignment="center", key="progress"):
        expected = _expected(run, document)
        done = wording.share_done(replies, expected)
        facts = [*_facts(run, replies, spent, expected=expected), *(waited_facts(run, waited) if waited else [])]
        st.html(markup.working(_stage(run, document, events), facts, done=done))
        if access.may_change(run_id) and st.button("Cancel", key=state.key(keys.CANCEL, run_id), disabled=run.cancel):
            process_cache.jobs().cancel(run_id)
            st.rerun(scope="fragment")
    key = state.key("feed", run_id)
    wanted = mount.wanted(state.value(key))
    pace: Paced = state.value(keys.PACE) or Paced()
    state.set_value(keys.PACE, pace)
    moving = pace.get(
        (run_id, wanted.opened),
        (len(events), len(answered)),
        lambda: data.so_far(run, document, events, answered=answered, opened=wanted.opened),
    )
    sent = data.stretches(document, wanted.stretches)
    mount.link({"run": run_id, "hears": True, "number": wanted.number, "moving": moving, "stretches": sent}, key=key)


def _events(store: Store, run_id: str) -> list[Event]:
    """All events so far. The session remembers those of the reading it watches, so that only new ones are fetched."""
    seen: tuple[str, list[Event]] = state.value(keys.EVENTS) or ("", [])
    events = seen[1] if seen[0] == run_id else []
    events = [*events, *map(from_json, store.tape(run_id).events_after(len(events) - 1))]
    state.set_value(keys.EVENTS, (run_id, events))
    return events


def _stage(run: Run, document: Document, events: Sequence[Event]) -> str:
    if run.cancel:
        return "Stopping before the next call"
    ahead = process_cache.jobs().queue_position(run.id)
    if ahead is None:
        if run.status == "queued":
            return "About to start"
        trace = Trace(document, tuple(events))
        reader = get(run.reader)
        return wording.stage(trace, wording.lines_so_far(trace, reader), reader.narrative)
    return "Next in turn" if not ahead else f"{ahead} reading{'' if ahead == 1 else 's'} ahead of this one"


def _facts(run: Run, replies: int, spent: Spending, *, expected: float | None) -> list[str]:
    """Count, rate, time left and cost, if known."""
    facts = [f"{replies:,} repl{'y' if replies == 1 else 'ies'} so far"]
    seconds = start_runs.seconds_so_far(run)
    if seconds is not None and run.status == "running":
        facts.append(f"{wording.duration(seconds)} elapsed")
        since = spent.calls - process_cache.last_started().get(run.id, (None, 0))[1]
        if seconds >= SURE_AFTER and since > 0:
            rate = since / seconds
            facts.append(f"{rate:.1f} calls a second" if rate >= 1 else f"a call every {1 / rate:.1f} seconds")
            if expected and expected > replies:
                facts.append(f"about {wording.duration((expected - replies) / rate)} left")
    if spent.usd:
        facts.append(f"${spent.usd:.2f} so far" if spent.usd >= 0.01 else "under 1 cent so far")
    return facts


def waited_facts(run: Run, waited: Wait) -> list[str]:
    """How long the oldest call has waited, and whether its server, if it is the user's own, still accepts connections."""
    if run.status != "running":
        return []
    spec = RunSpec.from_json(run.spec)
    settings = Edits.of(spec.edits).settings(waited.seq, spec.settings)
    server = catalogue.server_of(settings.model, settings.api_base)
    facts = [f"{call_number(waited.seq)} has waited {wording.duration(waited.seconds)} for its reply"]
    if server:
        alive = timeouts.accepts_connections(server)
        facts.append(
            "its server accepts connections, so it may only be slow"
            if alive
            else "its server accepts no connections: it may have stopped"
        )
    return facts


def _expected(run: Run, document: Document) -> float | None:
    """How many replies such a reading usually takes; None if that is unknown."""
    try:
        found = text_cache.estimated_before(run, document)
    except ReadingError:
        return None
    return None if found.open_end else found.calls.high + found.reused
