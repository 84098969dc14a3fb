"""The Readings page: the list, its filters and its pages. What can be done with selected readings is `actions.py`.

The list is drawn a page at a time from one query, so a thousand readings cost what twenty do. The filters are in the address.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import streamlit as st

from components.html import markup, terms
from components.html.words import reading_words, wording
from components.html.words.reading_words import title_in_list, title_of
from components.readings import actions, found
from components.readings import wording as words
from components.session import access, address, flash, state
from components.session.samples import recorded_on
from components.widgets import reading_links, report
from readers.engine.errors import ReadingError
from readers.engine.models import catalogue
from readers.engine.store.run_list import Facets, ListedRun, RunFilter
from readers.engine.text.search import Sought
from readers.engine.text.shorten import shorten

A_PAGE = 20
MOST_TICKED = 1_000


def show_readings() -> None:
    """Draw the page."""
    asks = _asks()
    wanted = reading_words.wanted(asks)
    search = found.wanted(asks)
    with access.opened() as store:
        facets = store.run_list.facets()
    any_there = bool(facets.readers)
    with st.container(key="readings-head", horizontal=True, vertical_alignment="center"):
        title = st.empty()
        actions.show_import()
    flash.show()
    if not any_there:
        title.html(markup.page_title("Readings"))
        until = "until you leave" if access.demo() else "until it is deleted"
        st.html(markup.empty(f"No readings yet. Every reading appears here when it starts, and stays {until}."))
        reading_links.offer_to_read()
        return
    _filters(facets, asks)
    ids = found.readings(search, wanted) if search else None
    with access.opened() as store:
        total = store.run_list.count(wanted) if ids is None else len(ids)
        a_page = A_PAGE if ids is None else found.A_PAGE
        pages = max(1, -(-total // a_page))
        page = words.page_number(asks, pages)
        first = a_page * (page - 1)
        here = store.run_list.ids(wanted, limit=a_page, offset=first) if ids is None else ids[first : first + a_page]
        listed = store.run_list.listed(here)
    title.html(markup.page_title("Readings", hint=wording.count(total)))
    actions.show(_tick_all(wanted, listed, total, ids))
    if not listed:
        st.html(markup.empty(found.NONE if search else "No reading matches. Remove a filter, or search for other words."))
        st.button("Show all readings", key=state.key("readings", "all"), on_click=_clear_filters)
    _rows(listed, search, asks.get("words", ""))
    if pages > 1:
        _pages(pages, page, asks)


def _key(name: str) -> str:
    return state.key("readings", name)


def _asks() -> dict[str, str]:
    """The filters: from the fields, or from the address when the page is opened."""
    asked = address.list_filters()
    if state.value(_key("sort")) is None:
        for name in address.LIST_FILTERS:
            state.set_value(_key(name), _as_field(name, asked.get(name, "")))
    asks = {name: _as_words(state.value(_key(name))) for name in address.LIST_FILTERS}
    return {name: value for name, value in asks.items() if value}


def _as_field(name: str, word: str) -> str | bool | int:
    if name in ("samples", "said"):
        return word == "yes"
    if name == address.PAGE_OF_LIST:
        return int(word) if word.isascii() and word.isdecimal() and 0 < len(word) < 8 else 1
    known = {"sort": reading_words.SORTED, "ended": reading_words.ENDED, "forks": reading_words.FORKS}.get(name)
    if known is not None and word not in known:
        return "newest" if name == "sort" else ""
    return word


def _as_words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value in (None, 1, "newest") else str(value).strip()


def _changed() -> None:
    """A filter changed: go to the first page of the list, and put the filters into the address."""
    state.set_value(_key(address.PAGE_OF_LIST), 1)
    address.set_list_filters(_asks())


def _clear_filters() -> None:
    for name in address.LIST_FILTERS:
        state.set_value(_key(name), _as_field(name, ""))
    address.set_list_filters({})


def _filters(facets: Facets, asks: Mapping[str, str]) -> None:
    """The fields that search, sort and filter the list."""
    with st.container(key="readings-find", horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            found.LABEL if asks.get("said") else "Search in question, answer, text title, name and note",
            key=_key("words"),
            on_change=_changed,
            max_chars=500,
        )
        st.checkbox("In all that was read and said", key=_key("said"), on_change=_changed, help=found.ABOUT)
        st.selectbox(
            "Sort by",
            list(reading_words.SORTED),
            format_func=_named(reading_words.SORTED),
            key=_key("sort"),
            on_change=_changed,
        )
    with st.container(key="readings-filters", horizontal=True, vertical_alignment="bottom"):
        _filter("Reader", "reader", {reader: title_of(reader) for reader in facets.readers}, "Any reader")
        _filter("Model", "model", {model: catalogue.title(model) for model in facets.models}, "Any model")
        _filter("Text", "text", facets.documents, "Any text")
        _filter("Outcome", "ended", reading_words.ENDED, "Any outcome")
        _filter("Tag", "tag", dict(zip(facets.tags, facets.tags, strict=True)), "Any tag")
        _filter("Forks", "forks", reading_words.FORKS, "With forks", help_words=terms.BY_ID["fork"].meaning)
        if facets.samples or asks.get("samples"):
            st.checkbox("Include samples of experiments", key=_key("samples"), on_change=_changed, help=SAMPLES)


SAMPLES = "Repeated readings, which show how often a change or a choice makes a difference."


def _named(titles: Mapping[str, str]) -> Callable[[str], str]:
    return lambda option: titles.get(option, option)


def _filter(label: str, name: str, titles: Mapping[str, str], any_label: str, *, help_words: str | None = None) -> None:
    """One filter. The value in the address is offered even where no reading has it."""
    here = str(state.value(_key(name)) or "")
    options = list(dict.fromkeys(["", *titles, *([here] if here else [])]))
    shown = {"": any_label, **{option: shorten(title, 60) for option, title in titles.items()}}
    st.selectbox(
        label,
        options,
        format_func=lambda option: shown.get(option, shorten(option, 60)),
        key=_key(name),
        on_change=_changed,
        help=help_words,
    )


def _tick_all(wanted: RunFilter, listed: list[ListedRun], total: int, found_ids: Sequence[str] | None) -> actions.ShownList:
    def tick_all() -> None:
        try:
            with access.opened() as store:
                ids = store.run_list.ids(wanted, limit=MOST_TICKED) if found_ids is None else found_ids[:MOST_TICKED]
                state.ticked_runs().update(dict.fromkeys(ids))
        except ReadingError as error:
            flash.leave_error(error)

    return actions.ShownList([row.run.id for row in listed], min(total, MOST_TICKED), tick_all)


def _rows(listed: list[ListedRun], search: Sought | None, sought_words: str) -> None:
    now = datetime.now(UTC)
    ticked = state.ticked_runs()
    with st.container(key="readings", gap=None):
        for row in listed:
            run = row.run
            key = state.key("tick", run.id)
            state.set_value(key, run.id in ticked)
            title = run.name or run.question
            with st.container(key=f"reading-{run.id}", horizontal=True, gap="small"):
                st.checkbox(
                    f"Select: {words.spoken_title(title)}",
                    key=key,
                    on_change=_tick,
                    args=(run.id,),
                    label_visibility="collapsed",
                )
                with st.container(key=f"listed-{run.id}", gap=None):
                    st.page_link("pages/3_Trace.py", label=markup.plain(title), query_params=address.to_trace(run.id))
                    facts = words.facts(row, title_in_list(run), now, recorded=recorded_on(run.id))
                    st.html(markup.listed_reading(run.question if run.name else "", words.answer(row), facts, row.tags))
                    if search:
                        found.show_passages(run, search, sought_words)
                st.html(markup.standing(wording.state(run)), width="content")


def _tick(run_id: str) -> None:
    if state.value(state.key("tick", run_id)):
        state.ticked_runs()[run_id] = None
    else:
        state.ticked_runs().pop(run_id, None)


def _pages(pages: int, page: int, asks: Mapping[str, str]) -> None:
    """The page numbers. A list with other filters has its own widget, so that it starts at its own page."""
    filters = sorted((name, value) for name, value in asks.items() if name != address.PAGE_OF_LIST)
    key = state.key("readings", "pages", state.short_hash(str(filters)), pages)
    with st.container(horizontal=True, horizontal_alignment="center", key="readings-pages"):
        st.pagination(pages, default=page, key=key, width=report.WIDTH, on_change=_turned, args=(key,))


def _turned(key: str) -> None:
    state.set_value(_key(address.PAGE_OF_LIST), state.value(key))
    address.set_list_filters(_asks())
