"""A reading on the bench, to be labelled or decided: its head, the player with the known places, and the record of a step."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components.annotate.bench import bench_head
from components.html import markup
from components.html.words import wording
from components.player import cache
from components.player import mount as stage
from components.session.page import state
from components.widgets.readings import calls
from readers import get
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Wrote
from readers.engine.store.reading import Reading
from readers.engine.text import refs


def show_player(reading: Reading, known: KnownAnswer | None, stays: dict[str, Any], *, at: int) -> None:
    """Draw the head and the player at a step (from 0). `known` is None where the viewer may not see it; whether it is shown
    `stays` from reading to reading (`bench_reading.kept`)."""
    gold = bench_head.show_head(reading, known, stays)
    shown = cache.known_evidence(reading, known) if known and (known.evidence or known.distractors) and gold else None
    stage.link({"run": reading.run.id, "known": shown}, key=state.key("gold", reading.run.id))
    stage.mount(cache.frames(reading), key=state.key("stage", reading.run.id), at=at)


def show_record(reading: Reading, at: int) -> int | None:
    """Draw the calls and written texts of a step. Returns the number of the call that is shown."""
    seq = calls.show_calls(reading, at)
    step = reading.trace.steps[at]
    written = [event for event in reading.trace.events[step.start : step.end] if isinstance(event, Wrote)]
    names = get(reading.run.reader).names(reading.trace)
    if written:
        st.html(markup.section("", "Written at this step", hint=f"step {at + 1}"))
    for event in written:
        role, name = event.role.replace("_", " "), names.get(refs.wrote(event.n), "")
        called = name if name.startswith(role) else f"{role} {name}".strip()
        with st.container(key=f"wrote-at-{event.n}"):
            st.html(markup.reply(event.text, f"{wording.author(reading.run.spec['model'])} · {called}"))
    return seq
