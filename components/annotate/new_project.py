"""The form for a new project, and the choice of readings for a new or an existing project.

The words and figures are in `wording.py`; what a project consists of is in `readers/engine/labels/project.py`.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from components.annotate import codebook as codebook_page
from components.annotate import html
from components.annotate.choose_readings import ChosenReadings, choose_readings, chosen_batch, imported_runs, narrow
from components.annotate.codebook_changes import source_words
from components.annotate.project_words import OPENS_AT, START_STAGES, warnings, workload
from components.annotate.wording import option_title
from components.html import markup
from components.html.words import wording
from components.session import access, address, demos, flash, state
from components.widgets import reading_links
from readers import offered
from readers.engine.errors import ReadingError
from readers.engine.files.labels.codebook_file import source_of
from readers.engine.files.labels.import_project import import_project
from readers.engine.files.labels.project_file import MAX_FILE, read_project_file
from readers.engine.labels import codebook
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.label import CODES, LONGEST_NAME, NOTES
from readers.engine.labels.project import MOST_ANNOTATORS, MOST_READINGS, NOTED_FIRST, OPENINGS, Settings
from readers.engine.store import Store

PEOPLE_VIEW = "people"  # the view that opens after a project was created
TAXONOMY, NO_CODES, OF_PROJECT, OF_FILE = "taxonomy", "none", "project", "file"
FIRST_CODES = {
    TAXONOMY: "The codes that come with Palimpsest", NO_CODES: "No codes: they will come from notes",
    OF_PROJECT: "The codebook of another project", OF_FILE: "A codebook from a file",
}  # fmt: skip
ABOUT_START_STAGES = {
    NOTES: (
        f"Each annotator first notes in their own words what went wrong in about {NOTED_FIRST} readings, then groups the notes, "
        "then sees the codes and uses them for all readings, these included."
    ),
    CODES: "For people who know the codes, or after a first project has developed them.",
}


def show(store: Store, lead: str, *, made: int) -> None:
    """The form for a new project; `made` counts the existing ones, so that the next form starts with empty fields."""
    st.html(markup.section("", "New project"))
    _import(lead, made)
    name = st.text_input(
        "Name",
        value="" if address.batch_id() else reading_links.name_of_selection()[:LONGEST_NAME],
        key=state.key("project", "name", made),
        max_chars=LONGEST_NAME,
        placeholder="For example: Lamps, first thirty readings",
    )
    chosen = narrow(store, choose_readings(store, ""), made=made)
    if chosen.sample:
        st.html(markup.aside(f"{chosen.sample[0].upper()}{chosen.sample[1:]}."))
    settings, first = _settings(store, lead, made)
    settings = replace(settings, sample=chosen.sample)
    if chosen.runs:
        _workload(settings, len(chosen.runs), made)
    label = f"Create project with {wording.count(len(chosen.runs))}" if chosen.runs else "Create project"
    key = state.key("project", "make", made)
    why_not = None if chosen.runs else "Choose readings first."
    if not st.button(label, type="primary", key=key, disabled=not chosen.runs, help=why_not):
        return
    if not name.strip():  # checked now: a button disabled until there is a name would miss the press that ends typing it
        st.error("Name the project first, at the top.")
    elif first is None:
        st.error("Choose the codebook first, under “Codes, owner and order”.")
    else:
        _create(name, settings, chosen, first)


def _import(name: str, made: int) -> None:
    """The field for a project that was exported elsewhere."""
    with st.expander("Import a project from a file"):
        most = (demos.MOST_BYTES if access.demo() else MAX_FILE) // 1_000_000
        label = f"A whole project, as exported under Labels as files (up to {most} MB)"
        file = st.file_uploader(label, type=["zip"], max_upload_size=most, key=state.key("project", "import", made))
        if file is None or not st.button("Import project", type="primary", key=state.key("project", "import", made, "go")):
            return
        bar = st.progress(0.0, "Checking the readings …")
        try:
            if access.demo():
                demos.check_upload(file.size)
            given = read_project_file(file.name, file.getvalue())
            with access.opened() as store:
                done = import_project(
                    store, given, offered=offered, by=name,
                    progress=lambda at, of: bar.progress(at / of, f"Checking reading {min(at + 1, of):,} of {of:,} …"),
                )  # fmt: skip
        except ReadingError as error:
            bar.empty()
            st.error(markup.plain(f"{wording.sentence(str(error))} The project was not imported."))
            return
    flash.leave("warning" if done.refused or done.differs or done.labels.clashes else "success", " ".join(done.sentences))
    address.open_project(done.project.id, PEOPLE_VIEW)


def _create(name: str, settings: Settings, chosen: ChosenReadings, first: Codebook) -> None:
    try:
        with access.opened() as store:
            project = store.projects.create(name, settings, runs=chosen.ids, book=first, by=settings.lead)
    except ReadingError as error:
        flash.error(error)
        return
    imported_runs("").clear()
    flash.leave(
        "success",
        f"“{project.name}” was created with {wording.count(len(chosen.runs))}. "
        + (
            "In this public demo only you see the project; it is deleted with its labels when you leave, so export them first."
            if access.demo()
            else "Send people the address of this page: they start labelling at Bench."
        ),
    )
    address.open_project(project.id, PEOPLE_VIEW)


def _settings(store: Store, lead: str, made: int) -> tuple[Settings, Codebook | None]:
    """How the project is labelled, and the codes it starts with."""

    def key(name: str) -> str:
        return state.key("project", name, made)

    start = st.radio(
        "Start with", list(START_STAGES), format_func=lambda stage: START_STAGES[stage], key=key("start"),
        captions=list(ABOUT_START_STAGES.values()),
    )  # fmt: skip
    blind = st.checkbox("Blind: nobody sees others’ labels of a reading before finishing their own", value=True, key=key("blind"))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        share = st.slider("Share labelled by several people", 0, 100, 20, 5, format="%d %%", key=key("share"), width=260)
        people = st.number_input("People for each of these", 2, MOST_ANNOTATORS, 2, 1, key=key("annotators"), width=190)
    with st.expander("Codes, owner and order"):
        first = _first_codes(store, lead, key("first"))
        st.text_input(
            "Owner", value=lead, key=key("lead"), max_chars=LONGEST_NAME,
            help="The owner sees everything until they label in the project, and only they may rename or delete it. Without an "
            "owner, everyone may.",
        )  # fmt: skip
        seed = st.number_input(
            "Seed", 0, 10**9, 0, 1, key=key("seed"), width=190,
            help="Fixes the order in which each annotator gets the readings, and which readings several people label.",
        )  # fmt: skip
        training = st.number_input(
            "Readings of a training round", 0, MOST_READINGS, 0, 1, key=key("training"), width=190,
            help="The first readings of the project. Everybody labels them first, whoever else has; after each, an annotator "
            "sees what others gave. They are in no figure of agreement; Calibration shows how far each annotator agrees there.",
        )  # fmt: skip
        suggest = st.checkbox(
            "Hints may suggest the fate of the fact", key=key("fates"),
            help="Where a question's evidence is known. In a blind project only after an annotator has finished a reading.",
        )  # fmt: skip
        proposals = st.checkbox(
            "A model may propose codes", key=key("proposals"),
            help="You start it under “People and settings”. In a blind project annotators see its proposals only after they have "
            "finished a reading, in others among the hints. How far it agrees with people is shown under Agreement.",
        )  # fmt: skip
        opens_at = st.selectbox(
            "A reading opens at", OPENINGS, index=OPENINGS.index(Settings().opens_at), format_func=lambda one: OPENS_AT[one],
            key=key("opens"), width=420,
            help="Known places and losses need a question’s evidence. A reading opens at its first decision if nothing is "
            "known, or while the known answer is hidden from the annotator.",
        )  # fmt: skip
    owner = " ".join(str(state.value(key("lead")) or "").split())
    settings = Settings(
        owner, NOTES if start == NOTES else CODES, bool(blind), int(seed), share / 100, int(people), chosen_batch()
    )
    settings = replace(
        settings, suggest_fates=bool(suggest), opens_at=opens_at, training=int(training), proposals=bool(proposals)
    )
    return settings, first


def _workload(settings: Settings, readings: int, made: int) -> None:
    """How much each person would label."""
    key = state.key("project", "people", made)
    expected = st.number_input(
        "People you expect", 1, MOST_ANNOTATORS, 2, 1, key=key, width=190,
        help="Only for the figures below. Anyone may join.",
    )  # fmt: skip
    st.html(markup.fact_list(workload(settings, readings, int(expected))))
    if against := warnings(settings, readings, int(expected)):
        st.html(html.warnings(against))


# The first codebook


def _first_codes(store: Store, viewer: str, key: str) -> Codebook | None:
    """Draw the fields, and return the chosen codebook; None if there is none yet."""
    first = st.radio("The codebook starts with", list(FIRST_CODES), format_func=option_title(FIRST_CODES), key=f"{key}.codes")
    if first == NO_CODES:
        return codebook.begun(())
    if first == OF_FILE:
        file = codebook_page.uploaded("Codebook", f"{key}.codes_file")
        if file is not None:
            st.html(markup.facts([codebook_page.about_file(file)]))
        return codebook.begun(file.codes, file.source) if file else None
    return _of_project(store, viewer, key) if first == OF_PROJECT else codebook.preset()


def _of_project(store: Store, viewer: str, key: str) -> Codebook | None:
    """The latest codebook of a project whose codes the visitor may see."""
    found = {}
    for project in store.projects.listed():
        latest = store.codebooks.latest(project.id, store.projects.viewer(project.id, viewer))
        if latest is not None and latest.codes:
            found[project.id] = (project, latest)
    if not found:
        st.html(markup.aside("There is no project whose codes you may see: one that you own, or where you are in stage 3."))
        return None
    titles = {project_id: f"{project.name}, version {latest.version:,}" for project_id, (project, latest) in found.items()}
    chosen = st.selectbox("Project", list(found), format_func=option_title(titles, 120), key=f"{key}.codes_of", width=420)
    project, latest = found[chosen]
    source, book = source_of(project, latest), latest.book
    st.html(markup.facts([f"{wording.count(len(book.in_use), 'code')} in use, of {source_words(source)}."]))
    return codebook.begun(book.codes, source)
