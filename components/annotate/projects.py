"""The list of projects; and the view "People and settings" of one project: its protocol, people and readings, and how to change
them.

Without a project, `show` draws the list and the form for a new one (`new_project.py`). No label is shown here, so the view is the
same in every stage. A reading links to its trace, which has the known answer, only for viewers who may see that.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import streamlit as st

from components.annotate import choose_readings, html, new_project, proposing
from components.annotate.project_words import deletion_warning, own_work, people, project_facts, protocol
from components.annotate.wording import PAGE
from components.html import markup
from components.html.words import wording
from components.session import access, address, flash, state
from components.widgets import reading_links, report
from readers.engine.labels.label import LONGEST_NAME, is_model
from readers.engine.labels.project import NOBODY, Annotator, Project, Viewer, leads, one_person, progress, quotas, sees_outcome
from readers.engine.store import Store
from readers.engine.store.run_list import RunFilter
from readers.engine.text.shorten import shorten

LISTED, A_PAGE = 40, 20


def show(store: Store, project: Project | None, viewer: Viewer) -> None:
    """A project's people and settings; the list of projects where there is none."""
    flash.show()
    if project is None:
        show_projects(store, viewer.name)
        return
    runs = store.projects.readings(project.id)
    with st.container(key="two-project"):
        left, right = st.columns([1.22, 0.78], gap="medium")
    with left:
        _people(store, project, viewer)
        _readings(store, project, viewer)
    with right:
        st.html(markup.section("", "Protocol", hint="fixed when the project was created"))
        st.html(html.protocol(protocol(project, len(runs), datetime.now(UTC))))
        with st.container(key="project-acts", horizontal=True, vertical_alignment="center", gap="small"):
            _acts(store, project, viewer)
        if project.settings.proposals and may_change(project, viewer.name):
            proposing.show(store, project)


# The list


def show_projects(store: Store, name: str = "") -> None:
    """All projects, and the form for a new one; `name` is the viewer, its owner."""
    projects = store.projects.listed()
    there = store.run_list.count(RunFilter())
    with st.container(key="two-projects"):
        left, right = st.columns([0.8, 1.2], gap="large")
    with left:
        st.html(markup.section("", "Projects", hint=f"{len(projects):,}" if projects else ""))
        if not projects:
            st.html(
                markup.empty(
                    "Nothing here yet. A project is a set of readings that a few people label: where did each go wrong, and how "
                    "far do they agree? Choose readings, name the project, and create it."
                )
            )
        _list(store, projects[:LISTED], name)
        if len(projects) > LISTED:
            st.caption(f"The newest {LISTED} of {len(projects):,} are shown.")
    with right:
        if there:
            new_project.show(store, name, made=len(projects))
            return
        st.html(markup.empty("There are no readings yet. Read a text or a batch of questions first, then come back."))
        reading_links.offer_to_read()
        st.page_link("pages/5_Questions.py", label="Read a batch of questions", icon=":material/arrow_forward:")
        st.html(markup.facts(["Or import readings from run files and create a project with them:"]))
        new_project.show(store, name, made=len(projects))


def _list(store: Store, projects: list[Project], name: str) -> None:
    now = datetime.now(UTC)
    with st.container(key="projects", gap=None):
        for project in projects:
            people = _annotators(store, project)
            readings, turns = store.projects.readings(project.id), store.turns.in_project(project.id, NOBODY)
            facts = project_facts(len(readings), people, turns, project.settings)
            if own := next((one for one in people if one_person(one.name, name)), None):
                facts.insert(0, own_work(progress(project, readings, own, turns), own.stage))
            with st.container(key=f"text-at-{project.id}", gap=None):
                view = address.BENCH if people else new_project.PEOPLE_VIEW
                st.page_link(PAGE, label=markup.plain(project.name), query_params=address.to_project(project.id, view))
                st.html(markup.facts([*facts, wording.ago(project.created, now)]))


# One project


def _people(store: Store, project: Project, viewer: Viewer) -> None:
    annotators = _annotators(store, project)
    st.html(markup.section("", "People", hint=wording.count(len(annotators), "annotator") if annotators else ""))
    if not annotators:
        st.html(
            markup.empty(
                "Nobody has joined yet. Annotators are listed here, with their progress, once they start labelling at the bench."
            )
        )
        with st.container(key="offer-bench"):
            st.page_link(PAGE, label="Label the first yourself", query_params=address.to_project(project.id))
        return
    report.draw(people(annotators, store.turns.progress(project.id), datetime.now(UTC)), kind="people")
    if may_change(project, viewer.name):
        _offer_release(store.turns.unused(project.id), project, viewer)


def _annotators(store: Store, project: Project) -> list[Annotator]:
    """The people who label in a project."""
    return [one for one in store.projects.annotators(project.id) if not is_model(one.name)]


def _offer_release(unused: Mapping[str, int], project: Project, viewer: Viewer) -> None:
    """A button for each annotator with open readings and no labels on them: it releases these for others."""
    if not unused:
        return
    st.html(markup.facts(["Open, but without a label. Nobody else can get these until they are released:"]))
    with st.container(key="project-unused", horizontal=True, gap="small"):
        for number, (name, count) in enumerate(unused.items()):
            st.button(
                f"Release {wording.count(count)} of {markup.plain(shorten(name, 40))}", on_click=_release,
                args=(project, viewer, name), key=state.key("project_act", "give", project.id, number, state.short_hash(name)),
            )  # fmt: skip


def _release(project: Project, viewer: Viewer, name: str) -> None:
    def act() -> str:
        with access.opened() as store:
            number = store.turns.release(project.id, name, viewer)
        return f"{wording.count(number)} of {name} {'is' if number == 1 else 'are'} available again."

    flash.act(act)


def _readings(store: Store, project: Project, viewer: Viewer) -> None:
    """The readings and how many annotators have finished each, without their outcomes."""
    ids = store.projects.readings(project.id)
    st.html(markup.section("", "Readings", hint=wording.count(len(ids))))
    if may_change(project, viewer.name):
        _add(store, project, viewer)
    box = st.container(key="project-readings", gap=None)
    here = report.part(ids, A_PAGE, "project_page", project.id)
    quota = quotas(project.settings, ids)
    done = [
        turn.run
        for turn in store.turns.in_project(project.id, NOBODY)
        if turn.standing == "done" and turn.stage == 3 and not is_model(turn.annotator)
    ]
    titles = {shelved.id: shelved.title for shelved in store.documents.listed()}
    runs = {run.id: run for run in store.run_list.runs(here)}
    with box:
        for run_id in here:
            run = runs.get(run_id)
            if run is None:
                st.html(html.reading("This reading was deleted.", [run_id]))
                continue
            facts = [*choose_readings.reading_facts(run, titles), f"{done.count(run_id):,} of {quota[run_id]:,} labelled"]
            with st.container(key=f"text-reading-{run_id}", gap=None):
                if sees_outcome(viewer):
                    st.page_link("pages/3_Trace.py", label=markup.plain(run.question), query_params=address.to_trace(run_id))
                    st.html(markup.facts(facts))
                else:
                    st.html(html.reading(run.question, facts))


def _add(store: Store, project: Project, viewer: Viewer) -> None:
    with st.expander("Add readings"):
        chosen = choose_readings.choose_readings(store, project.id, in_project=set(store.projects.readings(project.id)))
        st.caption("The share labelled by several people applies to all readings together. Existing labels stay unchanged.")
        label = f"Add {wording.count(len(chosen.runs))}" if chosen.runs else "Add readings"
        st.button(
            label, key=state.key("project_act", "add", project.id), disabled=not chosen.runs, on_click=_add_now,
            args=(project, viewer, chosen.ids),
        )  # fmt: skip


def _add_now(project: Project, viewer: Viewer, ids: tuple[str, ...]) -> None:
    def act() -> str:
        with access.opened() as store:
            number = store.projects.add_readings(project.id, ids, viewer)
        choose_readings.imported_runs(project.id).clear()
        return f"{wording.count(number)} {'was' if number == 1 else 'were'} added."

    flash.act(act)


def _acts(store: Store, project: Project, viewer: Viewer) -> None:
    """Renaming and deleting the project."""
    if not may_change(project, viewer.name):
        return
    former = str(state.value(state.key("project_act", "former", project.id)) or "")
    if former and former != project.name:
        st.button(
            f"Change back to “{markup.plain(shorten(former, 40))}”", type="tertiary", on_click=_rename_to,
            args=(project, viewer, former), key=state.key("project_act", "back", project.id),
        )  # fmt: skip
    with st.popover("Rename"), st.form(state.key("project_act", "rename", project.id), border=False):
        key = state.key("project_act", "name", project.id, state.short_hash(project.name))
        st.text_input("Name", value=project.name, max_chars=LONGEST_NAME, key=key)
        st.form_submit_button("Rename", on_click=_rename, args=(project, viewer, key))
    with st.popover("Delete …"):
        turns = store.turns.in_project(project.id, NOBODY)
        versions = store.codebooks.latest_number(project.id)
        st.markdown(deletion_warning(len(store.projects.readings(project.id)), turns, versions))
        sure = not turns or st.checkbox("Delete these labels", key=state.key("project_act", "sure", project.id))
        key = state.key("delete", "project", project.id)
        if st.button("Delete", key=key, disabled=not sure) and _delete(project, viewer):
            address.open_project("")


def _rename(project: Project, viewer: Viewer, key: str) -> None:
    _rename_to(project, viewer, str(state.value(key) or ""))


def _rename_to(project: Project, viewer: Viewer, name: str) -> None:
    def act() -> str:
        with access.opened() as store:
            store.projects.rename(project.id, name, viewer)
            new = store.projects.get(project.id).name
        state.set_value(state.key("project_act", "former", project.id), project.name)
        return f"“{project.name}” was renamed to “{new}”."

    flash.act(act)


def _delete(project: Project, viewer: Viewer) -> bool:
    def act() -> str:
        access.delete(f"the project “{project.name}”", lambda store: store.projects.delete(project.id, viewer))
        return f"“{project.name}” was deleted. Its readings stay."

    return flash.act(act)


def may_change(project: Project, viewer: str) -> bool:
    """Whether this visitor may rename, extend or delete the project: its owner may, or everyone if it has none."""
    return leads(project, Viewer(viewer)) and access.may_change(project.id)
