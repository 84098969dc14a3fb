"""Work that goes on while its page is open: how far it is, asked every second, with Cancel.

The work itself runs in `Jobs` or on a thread of its own, so closing or reloading the page changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components.html import markup
from components.session.page import state
from components.session.page.drawing import fragment
from components.widgets import keys
from readers.engine.work import Work

POLL = 1.0


@fragment(run_every=POLL)
def watch(look: Callable[[], Work | None], draw: Callable[[Work], None]) -> None:
    """Draw how far work is, as `look` finds it each second. Once it finds none, the page is drawn again."""
    work = look()
    if work is None:
        st.rerun()
    draw(work)


def show(work: Work, *, key: str, cancel: Callable[[], None] | None) -> None:
    """Draw the stage, the figures and the share that is done, with Cancel for whoever may press it."""
    with st.container(horizontal=True, vertical_alignment="center", key=key):
        st.html(markup.working(work.stage, work.notes, done=work.share))
        if cancel:  # a callback is heard even when the page is about to be drawn again
            st.button("Cancel", key=state.key(keys.CANCEL, key), disabled=work.stopping, on_click=cancel)
