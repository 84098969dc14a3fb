"""Follow words of a text through its readings: mark them, and see what became of them in each reading.

The page draws the text; a button beside marked words reports them here (`assets/js/library/mark_words.js`). The sentence around a
place that was found is followed with a button of its own, so that no mouse is needed. Each row opens Trace,
which follows the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

import streamlit as st

from components.html import markup
from components.html.scripts import script
from components.html.styles import sheet
from components.html.words.reading_words import title_in_list
from components.session import access, address, process_cache, state
from components.widgets import text_cache
from readers.engine.store import Run
from readers.engine.text.document import Document, Span
from readers.engine.text.phrases import capitalised
from readers.engine.text.shorten import shorten_at_word

AT_ONCE = 10  # readings; more on request
EXCERPT = 200  # characters
LONGEST = 400  # characters of marked words

_marker = st.components.v2.component(
    "palimpsest.mark_words",
    html='<button type="button" class="tool mark-words" hidden>Follow this</button>',
    css=sheet("mark_words"),
    js=script("library/mark_words.js"),
)


def offer(document: Document, shown: Span) -> None:
    """Hear which words are marked in the part of the text that is `shown`."""
    said = _marker(key=state.key("mark", document.id), on_marked_change=_nothing).marked
    place = place_of(document, shown, said)
    if place:
        follow(document, place)
        st.rerun()


def _nothing() -> None:
    """Streamlit reports a component's changes only if there is a callback."""


def place_of(document: Document, shown: Span, said: object) -> Span | None:
    """Where the words stand that the browser reported; None if it reported none that are there."""
    words, nth = (said.get("words"), said.get("nth")) if isinstance(said, Mapping) else ("", 0)
    if not isinstance(words, str) or not isinstance(nth, int) or not 0 < len(words) <= LONGEST:
        return None
    hits = (hit for hit in text_cache.found(document.id, words, document).hits if shown.start <= hit.start < shown.end)
    return next(islice(hits, max(0, nth), None), None)


def follow(document: Document, place: Span) -> None:
    """Follow a place from now on."""
    state.set_value(state.key("_followed", document.id), place)
    state.set_value(state.key("_more", document.id), AT_ONCE)


def show(document: Document) -> None:
    """Draw the readings of the text with the fate of the followed words in each; nothing if none are followed."""
    fact: Span | None = state.value(state.key("_followed", document.id))
    if fact is None:
        return
    words = shorten_at_word(" ".join(document.text[fact.start : fact.end].split()), EXCERPT)
    runs = [run for run in access.visible_runs(document=document.id) if run.status == "finished"]
    most = int(state.value(state.key("_more", document.id)) or AT_ONCE)
    with st.container(key="followed-sentence", border=True, gap="small"):
        st.html(markup.section("", "What became of these words", hint=f"“{words}”"))
        if not runs:
            st.html(markup.empty("No reading of this text has ended yet. Ask a question of it, and follow the words then."))
        for run in runs[:most]:
            _row(run, fact)
        with st.container(horizontal=True, gap="small"):
            if len(runs) > most:
                st.button(
                    f"Show more of {len(runs):,} readings", key=state.key("more_fates", document.id), on_click=state.set_value,
                    args=(state.key("_more", document.id), most + AT_ONCE),
                )  # fmt: skip
            st.button(
                "Follow no more", key=state.key("follow_no_more", document.id), on_click=state.set_value,
                args=(state.key("_followed", document.id), None),
            )  # fmt: skip


def _row(run: Run, fact: Span) -> None:
    """One reading, and what became of the words in it."""
    [one] = process_cache.followed(process_cache.ended_reading(run), [fact])
    label = markup.plain(f"{run.name or run.question} · {title_in_list(run)}")
    with st.container(key=f"fate-{run.id}", gap=None):
        st.page_link("pages/3_Trace.py", label=label, query_params=address.to_fact(run.id, fact))
        if one.fate:
            st.caption(f"**{capitalised(one.fate.kind)}.** {markup.plain(one.sentence)}")
