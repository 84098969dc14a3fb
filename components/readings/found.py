"""Readings that hold words anywhere in what was read and said in them, each with its passages.

Searching stops after some seconds, with what was found so far, and goes on where it stopped if asked to. A press on a passage
opens the reading at its step, with the words marked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from time import monotonic

import streamlit as st

from components.html import markup
from components.html.words.wording import count
from components.session import access, address, hidden_answers, process_cache, state
from readers.engine.analysis.passages import PORTION, PROMPT, REPLY, THOUGHTS, FoundPassage, in_readings
from readers.engine.store import Run
from readers.engine.store.run import UNREADABLE_RUN
from readers.engine.store.run_list import RunFilter
from readers.engine.text.phrases import some, times
from readers.engine.text.search import Sought

A_PAGE = 10
PASSAGES = 4  # of a reading
SECONDS = 3.0
LASTS = 60.0  # seconds for which a search is not repeated
ABOUT = (
    "Finds words that stand close together, or a phrase in quotation marks: in what prompts showed of a text and in their own "
    "words, in summaries, gists, memories, replies and answers. Labels and notes are not searched."
)
LABEL = "Words that stand close together, or a phrase in quotation marks"
NONE = "Nothing that was read or said has these words close together. Remove a filter, or search for other words."


_SEARCH, _GO_ON = state.key("readings", "search"), state.key("readings", "search", "on")


@dataclass
class _WordSearch:
    """A search, as far as it is: of the readings `ids`, for `sought`, the first `searched` were searched, and `found` hold it."""

    sought: Sought
    ids: list[str]
    began: float
    searched: int = 0
    found: list[str] = field(default_factory=list)


def wanted(asks: Mapping[str, str]) -> Sought | None:
    """What to look for in all that was read and said; None if that is not asked, or there are no words."""
    sought = Sought.of(asks.get("words", "")) if asks.get("said") else None
    return sought if sought and sought.phrases else None


def readings(sought: Sought, asked: RunFilter) -> list[str]:
    """The ids of the readings that hold what is sought, as far as they were searched; draws how far that is."""
    now = monotonic()
    with access.opened() as store:
        ids = store.run_list.ids(replace(asked, words=""))
    search: _WordSearch | None = state.value(_SEARCH)
    is_old = search and (search.ids != ids or now - search.began > LASTS) and not state.value(_GO_ON)
    if search is None or search.sought != sought or is_old:
        search = _WordSearch(sought, ids, now)
        state.set_value(_SEARCH, search)
    if not search.searched or state.value(_GO_ON):
        _search_on(search)
    if left := len(search.ids) - search.searched:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"Searched {search.searched:,} of {count(len(search.ids))}.", width="content")
            st.button(f"Search {left:,} more", key=_GO_ON)
    return search.found


def _search_on(search: _WordSearch) -> None:
    """Search until it is done or the time is up. What is found is kept portion by portion: another press ends this."""
    until, place = monotonic() + SECONDS, st.empty()
    with access.opened() as store:
        for holding in in_readings(store, search.sought, search.ids[search.searched :]):
            search.found += [run.id for run in store.run_list.runs(holding) if not hidden_answers.is_covered(run)]
            search.searched = min(len(search.ids), search.searched + PORTION)
            if monotonic() > until:
                break
            place.progress(search.searched / len(search.ids), f"Searching: {search.searched:,} of {count(len(search.ids))}")
    place.empty()


def show_passages(run: Run, sought: Sought, words: str) -> None:
    """Draw the first passages of a reading, each a link to its step."""
    if run.status == UNREADABLE_RUN:
        return
    every = process_cache.passages(process_cache.ended_reading(run), words)
    with st.container(key=f"passages-{run.id}", gap=None):
        for one in every[:PASSAGES]:
            _link(run, words, one, label_of(one, sought))
        if (more := len(every) - PASSAGES) > 0:
            _link(run, words, every[PASSAGES], f"and {some(more, 'more passage')}")


def _link(run: Run, words: str, passage: FoundPassage, label: str) -> None:
    to = address.to_found(run.id, words, step=passage.step, full=passage.kind in (PROMPT, REPLY, THOUGHTS))
    st.page_link("pages/3_Trace.py", label=label, query_params=to)


def label_of(passage: FoundPassage, sought: Sought) -> str:
    """A passage as Markdown: whose words they are, at which step, and the words, with those that are sought in bold."""
    often = f", {times(passage.times)}" if passage.times > 1 else ""
    said = "".join(
        f"**{markup.plain(words)}**" if is_sought else markup.padded(words) for words, is_sought in sought.marked(passage.words)
    )
    return f"step {passage.step}, {markup.plain(passage.whose)}{often}: {said}"
