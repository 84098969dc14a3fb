"""A reading on the bench, to be labelled or decided: its head, the player with the known places, and the record of a step.

The choices stand in the head in every stage: without them nobody can say what was wrong with a choice. Which of them is right is
shown only with the known answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from components.annotate.bench.wording import Choice, choices_offered
from components.html import markup
from components.html.markup import verdict_line
from components.html.words import wording
from components.html.words.wording import AnswerVerdict
from components.player import cache
from components.player import mount as stage
from components.session import state
from components.widgets.readings import calls, reading_view
from readers import get
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Wrote
from readers.engine.store import Reading
from readers.engine.text import refs


def show_player(reading: Reading, known: KnownAnswer | None, stays: dict[str, Any], *, at: int) -> None:
    """Draw the head and the player at a step (from 0). `known` is None where the viewer may not see it; whether it is shown
    `stays` from reading to reading (`bench_reading.kept`)."""
    gold = _show_head(reading, known, stays)
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


def _show_head(reading: Reading, known: KnownAnswer | None, stays: dict[str, Any]) -> bool:
    """Draw the head. `known` is None where the annotator may not see it; whether it is shown `stays` from reading to reading
    (`bench_reading.kept`). Returns whether it is shown."""
    run = reading.run
    reading_view.show_known_at_first(run, bool(stays.get("known")))
    with st.container(key="trace-head"):
        gold = reading_view.show_title(reading, known)
        if known:
            stays["known"] = gold
        reading_view.show_outcome(reading)
        choices = choices_offered(run, known if gold else None)
        if choices:
            st.html(choice_list(choices))
        if known and gold:
            named = any(choice.right for choice in choices)  # then the choices show which one is right
            st.html(known_line("" if named else known.answer or wording.NOT_IN_TEXT, wording.compared(run, known)))
    return gold


def choice_list(choices: Sequence[Choice]) -> str:
    """The choices, with the one that was chosen and the right ones marked in words."""
    return f'<ul class="bench-choices" aria-label="Choices">{"".join(map(_line, choices))}</ul>'


def _line(choice: Choice) -> str:
    marks = [name for name, on in (("chosen", choice.chosen), ("right", choice.right)) if on]
    told = "".join(f'<em class="mark-{name}">{"✓ right" if name == "right" else "chosen"}</em> ' for name in marks)
    words = escape(choice.words)
    return f'<li class="{" ".join(f"is-{mark}" for mark in marks)}" title="{words}"><b>({choice.letter})</b> {told}{words}</li>'


def known_line(answer: str, verdict: AnswerVerdict) -> str:
    """The known answer, unless it is marked among the choices, and how the reading compares with it."""
    said = f'<p class="said"><span class="by">known answer</span> {escape(answer)}</p>' if answer else ""
    return f'<div class="bench-known">{said}{verdict_line(verdict)}</div>'
