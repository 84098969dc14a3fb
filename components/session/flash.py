"""Messages for the visitor: an error shown at once, and what a click leaves for the next drawing of a page, shown once.

A message waits at the top of the page, where messages add up, or at a named place, where a new one replaces the old one.
Where the page redraws by itself, a message stays for some seconds (`staying`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.html.words.wording import MessageTone
from readers.engine.errors import ReadingError

_WAITING, _STAYING = "_flash", "_flash_staying"
STAYS_SECONDS = 10.0


class Message(NamedTuple):
    tone: MessageTone
    text: str

    def show(self) -> None:
        draw = {"success": st.success, "info": st.info, "warning": st.warning, "error": st.error}[self.tone]
        draw(markup.plain(self.text))


def error(error: ReadingError) -> None:
    """Show an error now."""
    _of(error).show()


def leave(tone: MessageTone, text: str, *, at: str = "") -> None:
    """Leave a message for the next drawing, at the top of the page or at a named place."""
    waiting: dict[str, list[Message]] = st.session_state.setdefault(_WAITING, {})
    waiting[at] = [*([] if at else waiting.get(at, [])), Message(tone, text)]


def leave_error(error: ReadingError, *, at: str = "") -> None:
    """Leave an error for the next drawing."""
    leave(*_of(error), at=at)


def act(do: Callable[[], str | None], done: str = "") -> bool:
    """Do it, and leave a message: `done` or what it returns, if there is a message, or what went wrong. Whether it succeeded."""
    try:
        said = do() or done
    except ReadingError as error:
        leave_error(error)
        return False
    if said:
        leave("success", said)
    return True


def take(at: str = "") -> list[Message]:
    """The messages left at a place, oldest first. They are gone then."""
    waiting: dict[str, list[Message]] = st.session_state.get(_WAITING, {})
    return waiting.pop(at, [])


def staying(at: str) -> list[Message]:
    """The messages left at a place, for some seconds from the first drawing that asks for them.

    For a place that a redraw can follow at once without a click: it would wipe a message shown only once."""
    until: dict[str, tuple[float, list[Message]]] = st.session_state.setdefault(_STAYING, {})
    if left := take(at):
        until[at] = (time.monotonic() + STAYS_SECONDS, left)
    end, messages = until.get(at, (0.0, []))
    return messages if time.monotonic() < end else []


def show(at: str = "") -> None:
    """Show the messages left at a place, each once."""
    for message in take(at):
        message.show()


def _of(error: ReadingError) -> Message:
    return Message("error", wording.sentence(str(error)))
