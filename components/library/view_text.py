"""One text: viewed page by page, by headings, or by search; and words of it followed through its readings. Only the part shown is
sent to the browser.

A button next to marked words reports them here (`assets/js/library/mark_words.js`). The sentence around a search result has its
own button for following it, so that no mouse is needed. Each row opens Trace, which follows the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import islice

import streamlit as st

from components.html import document as prose
from components.html import markup
from components.html.scripts import script
from components.html.styles import sheet
from components.html.words.reading_words import title_in_list
from components.session import access, address, process_cache, state
from components.session.drawing import nothing
from components.widgets import text_cache, text_notices
from readers.engine.analysis.facts.follow import sentence_around
from readers.engine.store import Run
from readers.engine.text import search
from readers.engine.text.document import Document, Span
from readers.engine.text.phrases import capitalised, percent
from readers.engine.text.shorten import shorten_at_word

HITS = 8
LEAD = 300  # characters shown before the place that one jumps to


def show_text(document: Document) -> None:
    """Draw the text with its search, headings and pages, under the notices about it."""
    document_id = document.id
    text_notices.show(document)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        words = st.text_input("Find in this text", max_chars=200, key=state.key("find", document_id), width=320)
        _headings(document)
    found = text_cache.found(document_id, " ".join(words.split()), document) if words.strip() else None
    if found is not None:
        _hits(document, words, found)
    span = _shown(document)
    _pager(document, span)
    at = _place(document_id)
    hits = found.hits if found else ()
    marks = [
        prose.Mark(*hit, "there" if hit.start == at else "hit") for hit in hits if hit.start < span.end and hit.end > span.start
    ]
    there = next((hit for hit in hits if hit.start == at), None)
    if there and st.button("Follow this sentence", key=state.key("mark", document_id, there.start)):
        follow(document, sentence_around(document, there))
        st.rerun()
    st.html(prose.passages(document.text, [span], marks, pages=document.pages))
    offer(document, span)


def _shown(document: Document) -> Span:
    """The span shown: a page, or a few screens of text from the place that one jumped to."""
    at = min(_place(document.id), max(0, len(document.text) - 1))
    pages = text_cache.pages(document.id, document)
    starts = [page.start for page in pages]
    if at in starts:
        return pages[starts.index(at)]
    return prose.windows(document.text, [Span(at, at)], around=LEAD)[0]._replace(
        end=min(len(document.text), prose.opening(document.text[at : at + 2 * text_cache.PAGE], text_cache.PAGE - LEAD).end + at)
    )


def _number(document: Document) -> int:
    """The current page, from 1."""
    at = _place(document.id)
    return next((n for n, page in enumerate(text_cache.pages(document.id, document), 1) if at < page.end), 1)


def _pager(document: Document, span: Span) -> None:
    pages = text_cache.pages(document.id, document)
    if len(pages) == 1:
        return
    document_id, number = document.id, _number(document)
    turn = state.key("turn", document_id)
    state.set_value(turn, number)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="pager"):
        before, after = (pages[min(len(pages), max(1, n)) - 1].start for n in (number - 1, number + 1))
        st.button(
            "Previous",
            on_click=_move_to,
            args=(document_id, before),
            disabled=span.start == 0,
            key=state.key("previous", document_id),
        )
        st.button(
            "Next",
            on_click=_move_to,
            args=(document_id, after),
            disabled=number == len(pages),
            key=state.key("next", document_id),
        )
        go = partial(_turn_to, document)
        stretch = "Screen" if document.pages else "Page"  # the pages of a file have numbers of their own, which stand in the text
        st.number_input(f"{stretch}, of {len(pages):,}", 1, len(pages), key=turn, on_change=go, width=150)
        through = f"{percent(span.start / len(document.text))} of the way through"
        st.html(markup.facts(list(filter(None, (document.pages_of(span), through)))), width="content")


def _turn_to(document: Document) -> None:
    number = int(state.value(state.key("turn", document.id)) or 1)
    _move_to(document.id, text_cache.pages(document.id, document)[number - 1].start)


def _headings(document: Document) -> None:
    marks = text_cache.landmarks(document.id, document)
    if not marks:
        return
    key = state.key("heading", document.id)

    def go() -> None:
        picked = state.value(key)
        if picked is not None:
            _move_to(document.id, marks[picked][1])
            state.set_value(key, None)

    st.selectbox(
        f"Go to a heading ({len(marks)})",
        range(len(marks)),
        index=None,
        format_func=lambda n: marks[n][0],
        placeholder="Choose one",
        key=key,
        on_change=go,
        width=360,
    )


def _hits(document: Document, words: str, found: search.Hits) -> None:
    """The places where the words occur, some at a time; each is a link."""
    if not found.count:
        st.caption(markup.plain(f"“{words.strip()}” does not occur in this text."))
        return
    key = state.key("hits", document.id, state.short_hash(words))
    first = int(state.value(key) or 0)
    shown = found.hits[first : first + HITS]
    with st.container(key=f"hits-{document.id}", gap=None):
        places = "1 place" if found.count == 1 else f"{found.count:,} places"
        limit = f"; the first {search.MOST_HITS:,} are linked" if found.count > search.MOST_HITS else ""
        st.caption(f"{places}{limit}" + (f", {first + 1} to {first + len(shown)} listed" if found.count > HITS else ""))
        for hit in shown:
            before, said, after = search.around(document.text, hit)
            label = f"{markup.padded(before)}**{markup.plain(said)}**{markup.padded(after)}"
            st.button(
                label,
                type="tertiary",
                on_click=_move_to,
                args=(document.id, hit.start),
                key=state.key("hit", document.id, hit.start),
            )
        if found.count > HITS:
            with st.container(horizontal=True, gap="small"):
                last = len(found.hits) - 1
                back, on = max(0, first - HITS), min(first + HITS, last - last % HITS)
                st.button("Previous places", on_click=state.set_value, args=(key, back), disabled=first == 0, key=f"{key}.back")
                st.button("More places", on_click=state.set_value, args=(key, on), disabled=first + HITS > last, key=f"{key}.on")


def _place(document_id: str) -> int:
    """The visitor's position in a text, in characters."""
    return int(state.value(state.key("_at", document_id)) or 0)


def _move_to(document_id: str, at: int) -> None:
    state.set_value(state.key("_at", document_id), at)


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
    said = _marker(key=state.key("mark", document.id), on_marked_change=nothing).marked
    place = place_of(document, shown, said)
    if place:
        follow(document, place)
        st.rerun()


def place_of(document: Document, shown: Span, said: object) -> Span | None:
    """The place of the words that the browser reported; None if it reported none, or none that exist."""
    words, nth = (said.get("words"), said.get("nth")) if isinstance(said, Mapping) else ("", 0)
    if not isinstance(words, str) or not isinstance(nth, int) or not 0 < len(words) <= LONGEST:
        return None
    hits = (hit for hit in text_cache.found(document.id, words, document).hits if shown.start <= hit.start < shown.end)
    return next(islice(hits, max(0, nth), None), None)


def follow(document: Document, place: Span) -> None:
    """Follow a place from now on."""
    state.set_value(state.key("_followed", document.id), place)
    state.set_value(state.key("_more", document.id), AT_ONCE)


def show_followed(document: Document) -> None:
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
