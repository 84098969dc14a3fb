"""Full, below the player: the calls of a step, what can be changed there, the measures and the settings.

Nothing runs here: everything shown was recorded.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from components.html import markup, measures, option_names, rewards, wording
from components.session import process_cache
from components.trace import experiments, html
from components.trace.what_if import show_what_if
from components.widgets import calls
from readers import get
from readers.engine.analysis.measures import recovered
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store.reading import Reading

MODEL_SETTINGS = {
    "api_base": "Base URL", "temperature": "Temperature", "top_p": "Top p", "window": "Context window, in tokens",
    "reply_tokens": "Room for a reply, in tokens", "sample_base": "Number of its first sample",
}  # fmt: skip
LIMITS = {
    "max_calls": "Limit: calls", "max_tokens": "Limit: tokens", "max_cost": "Limit: dollars",
    "calls_per_minute": "Limit: calls a minute",
}  # fmt: skip
LATER = "The measures are of the whole reading. They appear at its last step, or with “Show the end”."


def show_full(reading: Reading, at: int, known: KnownAnswer | None, *, later: bool = True) -> None:
    """Below the player: the calls of step `at` (from 0) and what can be changed there, then measures and settings side by side;
    above them the rewards, if there is a `known` answer that is shown. Without `later`, nothing is shown that comes after the
    step."""
    if reading.trace.steps:
        seq = calls.show_calls(reading, at)
        show_what_if(reading, at, seq=seq)
        experiments.show(reading, seq)
    if known and later:
        st.html(rewards.figure(process_cache.rewards_of(reading, known)))
    left, right = st.columns(2, gap="large")
    with left:
        st.html(markup.section("", "Measures"))
        st.html(html.figures(_measures(reading, known)) if later else markup.empty(LATER))
    with right:
        st.html(markup.section("", "Settings"))
        st.html(html.figures(settings(reading)))


def _measures(reading: Reading, known: KnownAnswer | None) -> list[tuple[str, str]]:
    found = dict(process_cache.measures_of(reading))
    if found["stray"]:
        found["recovered"] = recovered(reading.trace, known)
    return [
        (measures.TITLES.get(name, name.replace("_", " ")), measures.in_words(name, value))
        for name, value in found.items()
        if value is not None
    ]


def settings(reading: Reading) -> list[tuple[str, str]]:
    """All settings of a reading, in words."""
    spec = reading.run.spec
    rows: list[tuple[str, Any]] = [
        ("Reader", f"{get(spec['reader']).title}, {reading.run.version_in_words}"),
        ("Model", wording.models(spec)),
    ]
    rows += [(option_names.label(name), option_names.value(name, value)) for name, value in spec["options"].items()]
    rows += [(title, spec.get(name)) for name, title in MODEL_SETTINGS.items()]
    factor = spec.get("room_factor") or 1
    rows.append(("Room for a reply", f"{factor} times each prompt's own" if factor > 1 else None))
    rows += [(LIMITS.get(name, name.replace("_", " ").capitalize()), value) for name, value in spec.get("caps", {}).items()]
    rows += [(f"Prompt {prompt_id}", "reworded") for prompt_id in spec.get("prompts", {})]
    rows.append(("Replies of earlier readings", "used again" if spec.get("reuse", True) else "not used"))
    return [(name, _said(value)) for name, value in rows if value not in (None, "")]


def _said(value: Any) -> str:
    return "yes" if value is True else "no" if value is False else str(value)
