"""Choosing another reply or another text for a step of a reading, for the What if panel and for an annotator's correction.

This module has the box, the forms inside it, and the figures of a fork's estimate. Each `panel` (a unique name in the session)
remembers its values and whether it was open. Choosing runs and stores nothing. Not here: other prompts and models
(`trace/what_if.py`), and what happens with the choice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.html import markup
from components.html.markup import Fact
from components.html.words import wording, work_words
from components.player import cache
from components.session import address, database, state
from components.widgets import reply_form
from readers import get
from readers.engine.forks import describe_edit
from readers.engine.models import catalogue
from readers.engine.prompts.prompt import Prompt
from readers.engine.record import edits
from readers.engine.record.edits import Edit
from readers.engine.record.events import Asked, Wrote
from readers.engine.record.journal import Record, decode_parts
from readers.engine.store import Reading
from readers.engine.text import refs
from readers.engine.text.phrases import call_number
from readers.engine.work import Price

REPLY, WRITTEN = "The reply", "What was written"
LONGEST_STEP = 90
NOTHING_THERE = "No model was called and nothing was written at this step: choose another step."


class Changeable(NamedTuple):
    """What can be changed at a step: the selected call (None if no model was called), and the texts written."""

    seq: int | None
    written: list[Wrote]

    @property
    def offered(self) -> list[str]:
        return [REPLY] * (self.seq is not None) + [WRITTEN] * bool(self.written)


def changeable_at(reading: Reading, at: int, *, seq: int | None = None) -> Changeable:
    """What can be changed at step `at` (from 0). `seq` selects one of its calls; otherwise the last call is selected."""
    trace = reading.trace
    events = trace.of(trace.steps[at]) if trace.steps else ()
    seqs = [event.seq for event in events if isinstance(event, Asked) and event.prompt != "score"]
    written = [event for event in events if isinstance(event, Wrote)]
    return Changeable(seq if seq in seqs else (seqs[-1] if seqs else None), written)


def refused(reading: Reading) -> str:
    """Why this reading cannot be changed; empty if it can."""
    run = reading.run
    reader = get(run.reader)
    if run.is_of_version(reader.version):
        return ""
    return (
        f"This reading was made by {run.version_in_words} of {reader.title}; this is version {reader.version}. It can be "
        "viewed but not forked: ask its question again and fork that reading."
    )


# The box


def box(reading: Reading, at: int, panel: str, *, label: str) -> DeltaGenerator | None:
    """The box for step `at` (from 0), closed at first; None while it is closed, when it computes nothing.

    Its title changes with the step, which makes it a new widget: it starts as open or closed as the last one was left, also after
    leaving the page. `label` says its purpose; the events of the step follow."""
    panel_memory, key = panel_state(panel), state.key("what_if", panel)
    if panel_memory.get("at") != at or state.value(key) is None:
        panel_memory["at"], panel_memory["begun"] = at, panel_memory.get("open", False)
    named = markup.plain(f"{label} {_step_excerpt(reading, at)}")
    made = st.expander(named, expanded=bool(panel_memory["begun"]), key=key, on_change="rerun")
    panel_memory["open"] = made.open
    return made if made.open else None


def panel_state(panel: str) -> dict[str, Any]:
    """The state of a panel that outlasts its widgets: whether it was open, and what was being changed."""
    key = state.key("what_if", panel, "kept")
    panel_memory: dict[str, Any] = state.value(key) or {}
    state.set_value(key, panel_memory)
    return panel_memory


def _step_excerpt(reading: Reading, at: int) -> str:
    """What happened at a step, in a few words."""
    steps = cache.frames(reading)["steps"]
    return describe_edit.excerpt(steps[at]["say"], LONGEST_STEP) if at < len(steps) else ""


def what(offered: list[str], panel: str, *, label: str = "Change") -> str:
    """Draw the choice of what to change, starting from the last choice if offered here; a single option is returned at once."""
    if len(offered) == 1:
        return offered[0]
    panel_memory = panel_state(panel)
    default = panel_memory.get("what") if panel_memory.get("what") in offered else offered[0]
    chosen = str(st.segmented_control(label, offered, default=default, required=True, key=state.key("change", panel)))
    panel_memory["what"] = chosen
    return chosen


# The choice


def reply(reading: Reading, seq: int, panel: str) -> edits.ReplyEdit | None:
    """Another reply to a call as filled in; None while it equals the recorded one or cannot be read."""
    record, prompt = answered(reading, seq)
    parts = decode_parts(record.parts, reading.document, wrote=reading.trace.wrote)
    event = reading.trace.asked.get(seq)
    called = describe_edit.option_names(prompt, dict(event.parts) if event else {}, get(reading.run.reader).names(reading.trace))
    key, simple = state.key("new_reply", panel, seq), not address.is_full()
    words = reply_form.draw(prompt, parts, key=key, recorded=record.reply, names=called, simple=simple)
    return edits.ReplyEdit(seq, record.attempt, words) if words is not None and words != record.reply else None


def answered(reading: Reading, seq: int) -> tuple[Record, Prompt]:
    """The reply of a call that was used, otherwise the last one received, and its prompt."""
    attempt = reading.trace.asked[seq].attempt
    rows = [record for record in reading.records if record.seq == seq]
    record = next((row for row in rows if row.attempt == attempt), rows[-1])
    with database.opened() as store:
        return record, store.runs.tape(reading.run.id).prompts()[record.prompt]


def text(reading: Reading, there: Changeable, panel: str) -> edits.WrittenEdit | None:
    """Another version of a summary, gist, relation or memory written at the step, starting with the version from the selected
    call; None while it is unchanged."""
    names, written = get(reading.run.reader).names(reading.trace), there.written
    of_call = [n for n, event in enumerate(written) if any(refs.replied(piece.origin) == there.seq for piece in event.pieces)]
    index = of_call[-1] if of_call else len(written) - 1
    wrote = written[index]
    if len(written) > 1:
        called = {event.n: f"{event.role.replace('_', ' ')} · {names.get(refs.wrote(event.n), '')}"[:90] for event in written}
        key = state.key("which", panel, written[0].n, there.seq)
        number = st.selectbox("Which one", list(called), index=index, format_func=lambda n: called[n], key=key)
        wrote = next(event for event in written if event.n == number)
    key = state.key("new_text", panel, wrote.n)
    label = f"New text of the {wrote.role.replace('_', ' ')}"
    words = st.text_area(label, wrote.text, height=220, key=key, help="Leave it empty to see the reading without it.")
    return edits.WrittenEdit(wrote.n, wrote.role, wrote.text, words) if words != wrote.text else None


# The estimate


def figures(found: Price, edit: Edit) -> list[Fact]:
    """The estimate of a fork as named figures: calls reused, the call that a person wrote, and new calls."""
    by_you = isinstance(edit, edits.ModelEdit) and edit.model == catalogue.HUMAN
    written = [Fact("Written by you", "1 reply", call_number(edit.seq))] if isinstance(edit, edits.ReplyEdit) else []
    note = "no model is needed" if found.asks_nothing else "" if found.whole else found.note
    return [
        Fact("Reused", wording.count(found.reused, "call"), found.note if found.whole else ""),
        *written,
        *work_words.price_rows(replace(found, note=note, reused=0), calls="For you to reply to" if by_you else "New calls"),
    ]
