"""The frame of every page: its settings, the style sheets, the bar with links to all pages, and one connection to the database.

The bar is at the top and not at the side, because a reading needs the full width. Its links are Streamlit's own: they keep
the visitor's session, and with it the chosen model and its key.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import streamlit as st

from components.html import markup, styles
from components.html.scripts import script
from components.session import access, address, database, flash, state
from components.session.drawing import current_theme, drawing, fragment
from readers.engine import APP_VERSION
from readers.engine.errors import ReadingError
from readers.engine.models import catalogue

ROOT = Path(__file__).parents[1]
ABOUT = f"Palimpsest {APP_VERSION}: watch a language model read a long text."

HOME, MODELS = "home.py", "pages/8_Models.py"
# Related pages are next to each other; a page that does not exist yet has no link.
GROUPS = (
    (("pages/2_Read.py", "Read"), ("pages/1_Library.py", "Library"), ("pages/3_Readings.py", "Readings")),
    (
        ("pages/4_Compare.py", "Compare"), ("pages/5_Questions.py", "Questions"), ("pages/5_Annotate.py", "Annotate"),
        ("pages/6_Evaluate.py", "Evaluate"),
    ),
    (("pages/7_Learn.py", "Learn"), (MODELS, "Models")),
)  # fmt: skip
OF_READINGS = ("Trace", "Annotate")  # pages on which no model is chosen
_LINKS = tuple(found for group in GROUPS if (found := tuple(link for link in group if (ROOT / link[0]).exists())))
_history = st.components.v2.component("palimpsest.history", js=script("player/history_entries.js"))


def prepare() -> None:
    """Do what the first page of all would wait for."""
    inspect.stack()  # Streamlit asks for it before its first element: it finds the file of every module, and keeps that
    with suppress(ReadingError), database.opened():
        pass  # it is made, or brought up to this version


@contextmanager
def page(title: str, *, bar: bool = True) -> Iterator[None]:
    """Draw the bar, then the page inside: it shares one connection to the database, and its errors are shown.

    `title` is the page's name in the bar, empty for Home. Without the `bar` nothing leads to other pages: a class's learners have
    no business there.
    """
    with database.shared():
        _begin(title)
        if bar:
            _bar(title)
        st.html(markup.content_begins())
        flash.show("undone")
        if state.last_deletion():
            _undo()
        with drawing():
            yield


@fragment(run_every=1.0)
def _undo() -> None:
    """What was deleted last, with the button that brings it back, for some seconds."""
    if not (last := state.last_deletion()):
        return
    with st.container(key="undo", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(markup.aside(f"Deleted: {last[1]}."), width="content")
        if not st.button("Undo", type="primary", key=state.key("undo", last[0])):
            return
    try:
        access.undo_deletion()
    except ReadingError as error:
        flash.error(error)
        return
    flash.leave("success", f"Brought back: {last[1]}.", at="undone")
    st.rerun()


def _begin(title: str) -> None:
    st.set_page_config(page_title=f"{title} · Palimpsest" if title else "Palimpsest", layout="wide", menu_items={"About": ABOUT})
    # Dialogs and popovers are outside the app's element, in the body, and do not know its theme.
    st.html(f"<style>body {{ {styles.variables()} color-scheme: {current_theme()}; }}</style>")
    st.html(styles.page_style())
    st.html(markup.skip_link())
    _history(key="history", data={"visit": access.visitor() or "", "cookie": state.VISIT_COOKIE})
    access.begin_with_profile()
    address.arrive(title)


def _bar(title: str) -> None:
    with st.container(key="topbar", horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(key="topbar-name", width="content"):
            st.page_link(HOME, label="Palimpsest")
        st.html(markup.pages_fold(title))
        for number, group in enumerate(_LINKS):
            with st.container(key=f"topbar-group-{number}", horizontal=True, gap="xsmall", width="content"):
                for path, label in group:
                    with st.container(key=f"topbar-{'here' if label == title else 'to'}-{label.lower()}", width="content"):
                        st.page_link(path, label=label)
        if title not in OF_READINGS:
            _badge()


def _badge() -> None:
    """The model that will read, which leads to the page where it is chosen."""
    choice = state.model_choice()
    name = choice.name or catalogue.title(choice.id)
    with st.container(key="topbar-model", width="content"):
        if any(path == MODELS for group in _LINKS for path, _ in group):
            st.page_link(MODELS, label=f"Model: {markup.plain(name)}", help="The model that reads. Choose another one here.")
        else:
            st.html(markup.badge(name))
