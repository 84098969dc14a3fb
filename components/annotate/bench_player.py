"""A reading on the bench, to be labelled or decided: its head, the player with the known places, the record of a step; and what
the session remembers of the bench.

The choices are in the head in every stage: without them nobody can say what was wrong with a choice. The right choice is marked
only with the known answer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import streamlit as st

from components.annotate import html
from components.annotate.contract import DeskMessage
from components.html import markup
from components.html.words import wording
from components.player import cache
from components.player import mount as stage
from components.session import state
from components.session.islands import said
from components.widgets import reading_view
from readers import get
from readers.engine.labels.project import Project
from readers.engine.questions.answers import chosen, letter, right_choices
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Wrote
from readers.engine.store import Reading, Run
from readers.engine.text import refs


class BenchReading(NamedTuple):
    """A reading that an annotator labels; `panel` is the key of their label panel."""

    project: Project
    annotator: str
    reading: Reading
    panel: str


def kept(project: str, annotator: str) -> dict[str, Any]:
    """What stays from reading to reading at an annotator's bench: whether the hints and the known answer are shown."""
    found: dict[str, Any] = state.remembered(state.key("_kept", project, state.short_hash(annotator)), dict)
    return found


def remembered(panel: str) -> dict[str, Any]:
    """What the session remembers of a label panel: its last message, the answers to it, and the corrections last drawn."""
    found: dict[str, Any] = state.remembered(state.key("_panel", panel), dict)
    return found


def panel_key(project: Project, annotator: str, run_id: str) -> str:
    """The key of an annotator's label panel of a reading."""
    return state.key("bench-panel", project.id, run_id, state.short_hash(annotator))


def left(panel: str) -> DeskMessage | None:
    """What the panel with this key said last in leaving its reading, over the link beside the player; None if nothing."""
    return said(_link_key(panel), "leaves", DeskMessage)


def _link_key(panel: str) -> str:
    return state.key("bench-link", panel)


def show_player(reading: Reading, known: KnownAnswer | None, stays: dict[str, Any], *, panel: str, at: int) -> None:
    """Draw the head and the player at a step (from 0), beside the panel with this key. `known` is None where the viewer may not
    see it; whether it is shown `stays` from reading to reading (`kept`)."""
    gold = _show_head(reading, known, stays)
    shown = cache.known_evidence(reading, known) if known and (known.evidence or known.distractors) and gold else None
    stage.link({"run": reading.run.id, "known": shown, "leaves": True}, key=_link_key(panel))
    stage.mount_beside(cache.frames(reading), key=state.key("stage", reading.run.id), at=at)


def show_record(reading: Reading, at: int) -> int | None:
    """Draw the calls and written texts of a step. Returns the number of the call that is shown."""
    seq = reading_view.show_calls(reading, at)
    step = reading.trace.steps[at]
    written = [event for event in reading.trace.of(step) if isinstance(event, Wrote)]
    names = get(reading.run.reader).names(reading.trace)
    if written:
        st.html(markup.section("", "Written at this step", hint=f"step {at + 1}"))
    for event in written:
        role, name = event.role.replace("_", " "), names.get(refs.wrote(event.n), "")
        called = name if name.startswith(role) else f"{role} {name}".strip()
        with st.container(key=f"wrote-at-{event.n}"):
            st.html(markup.reply(event.text, f"reply, written by {wording.author(reading.run.spec['model'])} · {called}"))
    return seq


def _show_head(reading: Reading, known: KnownAnswer | None, stays: dict[str, Any]) -> bool:
    """Draw the head. `known` is None where the annotator may not see it; whether it is shown `stays` from reading to reading
    (`kept`). Returns whether it is shown."""
    run = reading.run
    reading_view.show_known_at_first(run, bool(stays.get("known")))
    with st.container(key="trace-head"):
        gold = reading_view.show_title(reading, known)
        if known:
            stays["known"] = gold
        reading_view.show_outcome(reading)
        choices = choices_offered(run, known if gold else None)
        if choices:
            st.html(html.choices(choices))
        if known and gold:
            named = any(right for *_, right in choices)  # then the right choice is marked
            st.html(html.known_answer("" if named else known.answer or wording.NOT_IN_TEXT, wording.compared(run, known)))
    return gold


def choices_offered(run: Run, known: KnownAnswer | None) -> list[tuple[str, str, bool, bool]]:
    """The choices that the reading had: the letter and words of each, whether the reading chose it, and whether it is known to be
    right; `known` is None while the known answer is not shown."""
    offered: list[str] = run.spec.get("choices") or []
    picked = chosen(run.answer, offered) if run.gives_answer and run.answer else None
    right = right_choices(offered, known.answers) if known and known.answerable else []
    return [(letter(n), words, n == picked, n in right) for n, words in enumerate(offered)]
