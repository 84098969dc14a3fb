"""Notices about a text, small: a button that says the gravest, and opens all of them with their places; until it is dismissed."""

from __future__ import annotations

import streamlit as st

from components.html import markup
from components.session import address, state
from components.widgets import text_cache
from readers.engine.record.events import Asked
from readers.engine.record.trace import Trace, holds
from readers.engine.store import Reading
from readers.engine.text.document import Document, Span
from readers.engine.text.notices import Notice
from readers.engine.text.phrases import percent, some
from readers.engine.text.shorten import shorten_at_word

PLACES, WORDS, MARKED = 5, 90, 8  # of a notice; characters shown of a place, and its words that are marked in a reading


def show(document: Document, *, reading: Reading | None = None) -> None:
    """Draw them, if there are any; with a reading, each place leads to the first step whose prompts showed it."""
    dismissed = state.key("notices", "dismissed", document.id)
    found = text_cache.notices(document.id, document)
    if not found or state.value(dismissed):
        return
    more = f" · {some(len(found) - 1, 'more notice')}" if len(found) > 1 else ""
    with st.container(key="text-notices", horizontal=True, gap="small"):
        box = state.key("notices", "box", document.id, address.words_to_find())  # another one, closed, where a place was gone to
        with st.popover(f"{found[0].title}{more}", icon=":material/info:", key=box):
            for notice in found:
                _show(notice, document, reading)
        st.button(
            "Dismiss", type="tertiary", key=state.key("notices", document.id), on_click=state.set_value, args=(dismissed, True)
        )


def _show(notice: Notice, document: Document, reading: Reading | None) -> None:
    st.markdown(f"**{notice.title}.** {markup.plain(notice.what)} {notice.why} {notice.todo}")
    with st.container(key=f"notice-places-{notice.kind}-{notice.places[0].start}", gap=None):
        _show_places(notice, document, reading)


def _show_places(notice: Notice, document: Document, reading: Reading | None) -> None:
    for place in notice.places[:PLACES]:
        words = document.text[place.start : place.end]
        label = f"at {percent(place.start / len(document.text))}: “{markup.plain(shorten_at_word(words, WORDS))}”"
        step = _first_shown(reading.trace, place) if reading else None
        if reading and step:
            to = address.to_found(reading.run.id, f'"{" ".join(words.split()[:MARKED])}"', step=step)
            st.page_link("pages/3_Trace.py", label=f"step {step:,}, {label}", query_params=to)
        else:
            st.caption(label)
    if (more := notice.count - PLACES) > 0:
        st.caption(f"and {some(more, 'more place')}")


def _first_shown(trace: Trace, place: Span) -> int | None:
    """The first step (from 1) at which a prompt showed the beginning of a place raw; None if none did."""
    begins = Span(place.start, place.start + 1)
    asked = ((step.number + 1, event) for step, event in trace.by_step() if isinstance(event, Asked))
    return next((step for step, event in asked if holds(trace.spans_shown(event.seq), begins)), None)
