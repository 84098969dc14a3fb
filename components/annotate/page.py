"""The Annotate page: the annotator's name, the project, and one of its views.

If Streamlit's login is configured, it gives the name. Otherwise people choose a name, which is not verified; the session and a
cookie remember it. No address contains it, so a link never signs anyone in. `readers/engine/labels/project.py` decides what a
viewer may see of a project; every view checks that itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from components.annotate import agreement, bench, board, codebook, groups, projects, results
from components.annotate.wording import PAGE
from components.html import markup
from components.html.scripts import script
from components.session import access, address, flash, hidden_answers, state
from components.widgets import reading_links
from readers.engine.errors import BadOptions, NotFound
from readers.engine.labels.label import annotator_name
from readers.engine.labels.project import Project, Viewer, one_person
from readers.engine.store import Store

# The views of a project by their names in the address: the title and the function that draws the view.
VIEWS: Mapping[str, tuple[str, Callable[[Store, Project, Viewer], None]]] = {
    address.BENCH: ("Bench", bench.show),
    "groups": ("Groups", groups.show),
    "board": ("Board", board.show),
    "codebook": ("Codebook", codebook.show),
    "agreement": ("Agreement", agreement.show),
    "results": ("Results", results.show),
    "people": ("People and settings", projects.show),
}

_cookie = st.components.v2.component("palimpsest.annotator", html="<div></div>", js=script("annotate/name_cookie.js"))


def show_annotate() -> None:
    """The view of a project that the address asks for; without a project, the list of projects."""
    name = _annotator()
    if name is None:
        return
    with access.opened() as store:
        if not address.project_id():
            _head(name, None, "")
            projects.show(store, None, Viewer(name))
            return
        try:
            project = store.projects.get(address.project_id())
        except NotFound as error:  # a link to a deleted project: the list is shown below the message
            _head(name, None, "")
            flash.error(error)
            projects.show(store, None, Viewer(name))
            return
        known = _known_name(store, project, name)
        view = address.project_view() if address.project_view() in VIEWS else address.BENCH
        address.set_project(project.id, view, run=address.run_id())
        _head(known, project, view)
        VIEWS[view][1](store, project, store.projects.viewer(project.id, known))


def _known_name(store: Store, project: Project, name: str) -> str:
    """The name as the project has it: names that differ only in capitals belong to one person."""
    known = [project.settings.lead, *(one.name for one in store.projects.annotators(project.id))]
    return next((one for one in reversed(known) if one_person(one, name)), name)


def _annotator() -> str | None:
    """The viewer's name; None while the page asks for it."""
    signed_in = st.user.get("is_logged_in")
    if signed_in is None:
        _remember_name()
        return hidden_answers.chosen_name() or _ask_name()
    if signed_in:
        return annotator_name(hidden_answers.current_name())
    st.html(markup.page_title("Annotate"))
    st.html(markup.empty("Sign in, so that your labels carry your name."))
    if st.button("Sign in", type="primary", key="sign_in"):
        st.login()
    return None


def _remember_name() -> None:
    """Let the browser remember a newly chosen name, or forget the old one."""
    name = hidden_answers.name_for_cookie()
    if name is not None:
        with st.container(key="annotator-kept"):
            _cookie(key="annotator-cookie", data={"name": name})


def _ask_name() -> str | None:
    st.html(markup.page_title("Annotate", hint="where did these readings go wrong?"))
    st.html(
        markup.empty(
            f"{_invitation()}Labels carry the annotator’s name, and each annotator gets the readings in a different order. Use "
            "the same name each time: there is no password, so choose one that nobody else here uses. This browser "
            "remembers it."
        )
    )
    with st.form("annotate-name", border=False):
        typed = st.text_input("Your name", key="annotator", max_chars=80, width=420, autocomplete="name")
        continues = st.form_submit_button("Continue", type="primary")
    if not continues:
        if not access.visible_runs(1):
            reading_links.offer_recorded()
        return None
    try:
        hidden_answers.choose_name(annotator_name(typed))
    except BadOptions as error:
        flash.error(error)
        return None
    st.rerun()


def _invitation() -> str:
    """Which project the link leads to, for a viewer without a name."""
    with access.opened() as store:
        names = {project.id: project.name for project in store.projects.listed()}
    name = names.get(address.project_id())
    return f"This link leads to the project “{name}”. " if name else ""


def _head(name: str, project: Project | None, view: str) -> None:
    """The project, links to its views, and the annotator's name."""
    with st.container(key="annotate-head", horizontal=True, vertical_alignment="center", gap="small"):
        if project is None:
            st.html(markup.page_title("Annotate", hint="where did these readings go wrong?"))
        else:
            with st.container(key="annotate-project", width="content"):
                st.page_link(PAGE, label="All projects", query_params=address.to_project("", ""))
            st.html(markup.project_name(project.name))
            with st.container(key="annotate-views", horizontal=True, gap="xsmall", width="content"):
                for key, (label, _) in VIEWS.items():
                    with st.container(key=f"annotate-{'here' if key == view else 'to'}-{key}", width="content"):
                        asks = address.to_bench(project.id) if key == address.BENCH else address.to_project(project.id, key)
                        st.page_link(PAGE, label=label, query_params=asks)
        with st.container(key="annotate-who", horizontal=True, vertical_alignment="center", gap="xsmall", width="content"):
            st.html(markup.facts([f"You are {name}"]))
            if st.user.get("is_logged_in"):
                if st.button("Sign out", type="tertiary", key=state.key("sign_in", "out")):
                    st.logout()
            elif st.button("Change", type="tertiary", key=state.key("annotator", "change"), help="Label under another name"):
                hidden_answers.choose_name("")
                st.rerun()
