"""The Annotate page: who is labelling, which project, and what of it is shown.

Who signs in with Streamlit's own login, where it is configured, is known by it; else people choose a name, and it is theirs by
their word alone. It is kept in the session and in a cookie of their browser, and stands in no address: a link makes nobody of
whoever opens it. What somebody may see of a project is `readers/engine/labels/project.py`; every view asks it for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from components.annotate import keys, note_groups
from components.annotate.agreement import agreement
from components.annotate.bench import bench
from components.annotate.codebook import codebook
from components.annotate.projects import project as annotate_setup
from components.annotate.results import results
from components.html import markup
from components.html.scripts import script
from components.session import access, address, annotator, flash, state
from readers.engine.errors import BadOptions, NotFound
from readers.engine.labels.label import annotator_name
from readers.engine.labels.project import Project, Viewer, one_person
from readers.engine.store import Store

# What the address calls a view, its name, and what draws it.
VIEWS: Mapping[str, tuple[str, Callable[[Store, Project, Viewer], None]]] = {
    address.BENCH: ("Bench", bench.show),
    "groups": ("Groups", note_groups.show),
    "codebook": ("Codebook", codebook.show),
    "agreement": ("Agreement", agreement.show),
    "results": ("Results", results.show),
    "people": ("People and settings", annotate_setup.show),
}

_cookie = st.components.v2.component("palimpsest.annotator", html="<div></div>", js=script("annotate/name_cookie.js"))


def show_annotate() -> None:
    """The view of a project that the address asks for; the list of projects where it names none."""
    name = _who()
    if name is None:
        return
    with access.opened() as store:
        if not address.project_id():
            _head(name, None, "")
            annotate_setup.show(store, None, Viewer(name))
            return
        try:
            project = store.projects.get(address.project_id())
        except NotFound as error:  # a link to what was deleted: what there is stands below
            _head(name, None, "")
            flash.error(error)
            annotate_setup.show(store, None, Viewer(name))
            return
        known = _as_known(store, project, name)
        view = address.project_view() if address.project_view() in VIEWS else address.BENCH
        address.set_project(project.id, view, run=address.run_id())
        address.restore()
        _head(known, project, view)
        VIEWS[view][1](store, project, store.projects.viewer(project.id, known))


def _as_known(store: Store, project: Project, name: str) -> str:
    """The name as the project has it: names that differ in capital letters alone are one person's."""
    there = [project.settings.lead, *(one.name for one in store.projects.annotators(project.id))]
    return next((one for one in reversed(there) if one_person(one, name)), name)


def _who() -> str | None:
    """The name of who looks; None while it is being asked for."""
    signed_in = st.user.get("is_logged_in")
    if signed_in is None:
        _keep_name()
        return annotator.chosen_name() or _ask_name()
    if signed_in:
        return annotator_name(annotator.current_name())
    st.html(markup.page_title("Annotate"))
    st.html(markup.empty("Sign in, so that your labels carry your name."))
    if st.button("Sign in", type="primary", key=keys.SIGN_IN):
        st.login()
    return None


def _keep_name() -> None:
    """Let this browser remember the name that was chosen, or that it was given up."""
    name = annotator.name_for_cookie()
    if name is not None:
        with st.container(key="annotator-kept"):
            _cookie(key="annotator-cookie", data={"name": name})


def _ask_name() -> str | None:
    st.html(markup.page_title("Annotate", hint="where did these readings go wrong?"))
    st.html(
        markup.empty(
            f"{_invited()}Labels carry the name of whoever made them, and each person gets the readings in an order of their "
            "own. Use the same name each time: there is no password, so choose one that nobody else here uses. This browser "
            "remembers it."
        )
    )
    with st.form("annotate-name", border=False):
        typed = st.text_input("Your name", key=keys.ANNOTATOR, max_chars=80, width=420, autocomplete="name")
        if not st.form_submit_button("Go on", type="primary"):
            return None
    try:
        annotator.choose_name(annotator_name(typed))
    except BadOptions as error:
        flash.error(error)
        return None
    st.rerun()


def _invited() -> str:
    """To which project a link leads, for who opens it and has no name yet."""
    with access.opened() as store:
        named = {project.id: project.name for project in store.projects.listed()}.get(address.project_id())
    return f"This link leads to the project “{named}”. " if named else ""


def _head(name: str, project: Project | None, view: str) -> None:
    """Which project, what of it can be looked at, and as whom."""
    with st.container(key="annotate-head", horizontal=True, vertical_alignment="center", gap="small"):
        if project is None:
            st.html(markup.page_title("Annotate", hint="where did these readings go wrong?"))
        else:
            with st.container(key="annotate-project", width="content"):
                st.page_link("pages/5_Annotate.py", label="All projects", query_params=address.to_project("", ""))
            st.html(markup.project_name(project.name))
            with st.container(key="annotate-views", horizontal=True, gap="xsmall", width="content"):
                for at, (label, _) in VIEWS.items():
                    with st.container(key=f"annotate-{'here' if at == view else 'to'}-{at}", width="content"):
                        asks = address.to_bench(project.id) if at == address.BENCH else address.to_project(project.id, at)
                        st.page_link("pages/5_Annotate.py", label=label, query_params=asks)
        with st.container(key="annotate-who", horizontal=True, vertical_alignment="center", gap="xsmall", width="content"):
            st.html(markup.facts([f"You are {name}"]))
            if st.user.get("is_logged_in"):
                if st.button("Sign out", type="tertiary", key=state.key(keys.SIGN_IN, "out")):
                    st.logout()
            elif st.button("Change", type="tertiary", key=state.key(keys.ANNOTATOR, "change"), help="Label under another name"):
                annotator.choose_name("")
                st.rerun()
