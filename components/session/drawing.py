"""The frame in which a page and each of its fragments are drawn: one connection to the database, and errors shown where they
occur.

A fragment is redrawn by itself, so the page around it cannot do either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Literal, ParamSpec

import streamlit as st

from components.session import database, flash
from readers.engine.errors import ReadingError
from readers.engine.faults import of_file

P = ParamSpec("P")
_UNSEEN = "_changes_not_shown"


@contextmanager
def drawing() -> Iterator[None]:
    """Within this, the database is opened once at most, and an error is shown instead of the rest of the page."""
    with database.shared():
        try:
            yield
        except ReadingError as error:
            flash.error(error)
        except OSError as error:  # of the home directory, or of files next to the program
            flash.error(of_file(error))


def current_theme() -> Literal["light", "dark"]:
    """How the viewer's page looks; light where Streamlit does not know."""
    return "dark" if st.context.theme.type == "dark" else "light"


def nothing() -> None:
    """Streamlit reports a component's changes only if there is a callback."""


def must_show_changes() -> None:
    """In a callback: what it changed must be shown, by the fragment that calls `has_shown_changes` or else by the whole page.

    Of what a browser says within a moment, a person's press and the report of a player for instance, Streamlit draws the fragment
    of the first alone; the press of the other is gone then, but its callback was called."""
    st.session_state[_UNSEEN] = True


def has_shown_changes() -> None:
    """In the fragment that shows what its callback changed."""
    st.session_state.pop(_UNSEEN, None)


def fragment(*, run_every: float | None = None) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """A part of a page that is redrawn by itself: after a click in it, and at intervals in seconds."""

    def of(draw: Callable[P, None]) -> Callable[P, None]:
        @wraps(draw)
        def drawn(*args: P.args, **kwargs: P.kwargs) -> None:
            with drawing():
                draw(*args, **kwargs)
            if st.session_state.pop(_UNSEEN, False):
                st.rerun()

        return st.fragment(drawn, run_every=run_every)

    return of
