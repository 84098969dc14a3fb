"""What one visitor's session remembers: the values of widgets, drafts, the chosen model, ticked readings.

Nothing of a reading is remembered here: that is in the database. `session/process_cache.py` caches what all visitors share,
`address.py` holds what the address names. The key of a widget is written where the widget is drawn.
"""

from __future__ import annotations

import hashlib
import secrets
import string
import time
from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from components.session.model_choice import ModelChoice

T = TypeVar("T")

VISIT_COOKIE, _NAME_BYTES = "palimpsest_visit", 16
_CHOICE, _CHOICES_MADE, _MODEL_BEFORE = "_model_choice", "_models_chosen", "_model_before"
_DRAFTS, _TICKED, _VISITOR, _DELETION = "_drafts", "_ticked", "_visitor", "_deletion"


def key(name: str, *depends: object) -> str:
    """The key of a widget. What it depends on is part of it, so that another text or question begins with its own default."""
    return ".".join([name, *map(str, depends)])


def short_hash(words: str) -> str:
    """A few characters that replace a longer string in a key."""
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:8]


def value(key: str) -> Any:
    """The current value of a widget or a browser component, or of the value set under a key; None if there is none."""
    return st.session_state.get(key)


def clicked(figure: str) -> str:
    """What the clicked point of a plotly figure represents (its `customdata`); empty if none was clicked."""
    event = value(figure)
    points = event["selection"]["points"] if event else []
    found = points[0].get("customdata") if points else ""
    return str(found[0] if isinstance(found, list) else found or "")


def set_value(key: str, value: Any) -> None:
    """Set the value of a widget, before it is drawn, or of anything else the session remembers."""
    st.session_state[key] = value


def remembered(key: str, make: Callable[[], T]) -> T:
    """What the session remembers under a key; made at first, and the same object ever after."""
    if key not in st.session_state:
        st.session_state[key] = make()
    found: T = st.session_state[key]
    return found


def drafts(*about: str) -> dict[str, str]:
    """What was typed, by the name of its field. Drafts outlast the fields they were typed into."""
    every: dict[tuple[str, ...], dict[str, str]] = remembered(_DRAFTS, dict)
    return every.setdefault(about, {})


def ticked_runs() -> dict[str, None]:
    """The readings ticked in the list, in the order they were ticked. The list may not show them at the moment."""
    found: dict[str, None] = remembered(_TICKED, dict)
    return found


def model_choice() -> ModelChoice:
    """The model this visitor has chosen, with the session's key; at first the program's default."""
    chosen: ModelChoice | None = st.session_state.get(_CHOICE)
    return chosen or ModelChoice.default()


def has_model_choice() -> bool:
    """Whether this session has a model of its own."""
    return _CHOICE in st.session_state


def begin_with(choice: ModelChoice) -> None:
    """The model of a session that has chosen none."""
    st.session_state[_CHOICE] = choice


def set_model_choice(choice: ModelChoice) -> None:
    """For this session only. `access.py` checks whether the visitor may choose it."""
    st.session_state[_CHOICE] = choice
    st.session_state[_CHOICES_MADE] = model_choices_made() + 1


def model_choices_made() -> int:
    """How many models this visitor has chosen. It is part of a form's key, so that its fields, the API key's among them, begin
    empty after each choice."""
    made: int = st.session_state.get(_CHOICES_MADE, 0)
    return made


def previous_model_choice() -> ModelChoice | None:
    """The model that was chosen before the visitor became the model; None for none."""
    found: ModelChoice | None = st.session_state.get(_MODEL_BEFORE)
    return found


def remember_previous_model_choice(choice: ModelChoice) -> None:
    st.session_state[_MODEL_BEFORE] = choice


def remember_deletion(deletion: str, name: str, *, seconds: float) -> None:
    """What this session deleted last, under its name for people. It can be undone for so many seconds."""
    st.session_state[_DELETION] = deletion, name, time.monotonic() + seconds


def last_deletion() -> tuple[str, str] | None:
    """The id and name of what this session deleted last, as long as it can be undone."""
    deletion, name, until = st.session_state.get(_DELETION, ("", "", 0.0))
    return (deletion, name) if time.monotonic() < until else None


def forget_deletion() -> None:
    st.session_state.pop(_DELETION, None)


def visitor() -> str:
    """A random name for this browser: that in its cookie, else a new one that the page stores there. Anybody can write a cookie:
    one that holds no such name counts as none."""
    found = st.context.cookies.get(VISIT_COOKIE, "")
    kept = found if len(found) == 2 * _NAME_BYTES and set(found) <= set(string.hexdigits.lower()) else ""
    return remembered(_VISITOR, lambda: kept or secrets.token_hex(_NAME_BYTES))
