"""The form for a new project, and the choice of readings for a new or an existing project.

The words and figures are in `wording.py`; what a project consists of is in `readers/engine/labels/project.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from components.annotate import keys
from components.annotate.projects import first_codes, html, sample_form
from components.annotate.projects.wording import (
    ABOUT_START_STAGES,
    FROM_BATCH,
    FROM_FILES,
    FROM_LIST,
    FROM_SELECTION,
    OPENS_AT,
    SOURCES,
    START_STAGES,
    ChosenReadings,
    batch_title,
    choose_finished,
    left_out,
    may_manage,
    warnings,
    workload,
)
from components.annotate.wording import option_title
from components.html import markup
from components.html.words import run_list_words, wording
from components.html.words.reader_words import title_in_list, title_of
from components.session import access, address, demos, flash, start_runs, state
from components.widgets.readings import label_these
from readers.engine.errors import ReadingError
from readers.engine.files.runs.run_file_schema import MAX_FILE_BYTES
from readers.engine.labels import codebook
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.label import CODES, LONGEST_NAME, NOTES
from readers.engine.labels.project import MOST_ANNOTATORS, MOST_READINGS, OPENINGS, Project, Settings
from readers.engine.models import catalogue
from readers.engine.store import Run, Store
from readers.engine.store.labels.codebooks import FirstCodebook
from readers.engine.store.run_list import UNDER_WAY, RunFilter

MOST_FILES, PREVIEWED = 50, 8
PEOPLE_VIEW = "people"  # the view that opens after a project was created
_ENDED = {"": "In any way", **{name: title for name, title in run_list_words.ENDED.items() if name != UNDER_WAY}}


def show(store: Store, lead: str, *, made: int) -> None:
    """The form for a new project; `made` counts the existing ones, so that the next form starts with empty fields."""
    st.html(markup.section("", "New project"))
    name = st.text_input(
        "Name",
        value="" if address.batch_id() else label_these.name_of_selection()[:LONGEST_NAME],
        key=state.key(keys.PROJECT, "name", made),
        max_chars=LONGEST_NAME,
        placeholder="For example: Lamps, first thirty readings",
    )
    chosen = sample_form.narrow(store, choose_readings(store, ""), made=made)
    if chosen.sample:
        st.html(markup.aside(f"{chosen.sample[0].upper()}{chosen.sample[1:]}."))
    settings, first = _settings(store, lead, made)
    settings = replace(settings, sample=chosen.sample)
    if chosen.runs:
        _workload(settings, len(chosen.runs), made)
    label = f"Create project with {wording.count(len(chosen.runs))}" if chosen.runs else "Create project"
    key = state.key(keys.PROJECT, "make", made)
    why_not = None if chosen.runs else "Choose readings first."
    if not st.button(label, type="primary", key=key, disabled=not chosen.runs, help=why_not):
        return
    if not name.strip():  # checked now: a button disabled until there is a name would miss the press that ends typing it
        st.error("Name the project first, at the top.")
    elif first is None:
        st.error("Choose the codebook first, under “Codes, owner and order”.")
    else:
        _create(name, settings, chosen, first)


def _create(name: str, settings: Settings, chosen: ChosenReadings, first: Codebook) -> None:
    try:
        with access.opened() as store:
            book = FirstCodebook(*codebook.to_json(first))
            project = store.projects.create(name, settings, runs=chosen.ids, codes=book, by=settings.lead)
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


def imported_runs(project_id: str) -> dict[str, None]:
    """The readings imported from files for a project, or for a new one (empty id), in order."""
    found: dict[str, None] = state.remembered(state.key(keys.IMPORTED_RUNS, project_id), dict)
    return found


def _settings(store: Store, lead: str, made: int) -> tuple[Settings, Codebook | None]:
    """How the project is labelled, and the codes it starts with."""

    def key(name: str) -> str:
        return state.key(keys.PROJECT, name, made)

    start = st.radio(
        "Start with", list(START_STAGES), format_func=lambda stage: START_STAGES[stage], key=key("start"),
        captions=list(ABOUT_START_STAGES.values()),
    )  # fmt: skip
    blind = st.checkbox("Blind: nobody sees others’ labels of a reading before finishing their own", value=True, key=key("blind"))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        share = st.slider("Share labelled by several people", 0, 100, 20, 5, format="%d %%", key=key("share"), width=260)
        people = st.number_input("People for each of these", 2, MOST_ANNOTATORS, 2, 1, key=key("annotators"), width=190)
    with st.expander("Codes, owner and order"):
        first = first_codes.choose(store, lead, key("first"))
        st.text_input(
            "Owner", value=lead, key=key("lead"), max_chars=LONGEST_NAME,
            help="The owner sees everything until they label in the project, and only they may rename or delete it. Without an "
            "owner, everyone may.",
        )  # fmt: skip
        seed = st.number_input(
            "Seed", 0, 10**9, 0, 1, key=key("seed"), width=190,
            help="Fixes the order in which each annotator gets the readings, and which readings several people label.",
        )  # fmt: skip
        suggest = st.checkbox(
            "Hints may suggest the fate of the fact", key=key("fates"),
            help="Where a question's evidence is known. In a blind project only after an annotator has finished a reading.",
        )  # fmt: skip
        opens_at = st.selectbox(
            "A reading opens at", OPENINGS, index=OPENINGS.index(Settings().opens_at), format_func=lambda one: OPENS_AT[one],
            key=key("opens"), width=420,
            help="Known places and losses need a question’s evidence. While the known answer is hidden from an annotator, and "
            "where nothing is known, a reading opens at its first decision.",
        )  # fmt: skip
    batch = str(state.value(_key("", "batch")) or "") if state.value(_key("", "from")) == FROM_BATCH else ""
    owner = " ".join(str(state.value(key("lead")) or "").split())
    settings = Settings(owner, NOTES if start == NOTES else CODES, bool(blind), int(seed), share / 100, int(people), batch)
    settings = replace(settings, suggest_fates=bool(suggest), opens_at=opens_at)
    return settings, first


def _workload(settings: Settings, readings: int, made: int) -> None:
    """How much each person would label."""
    key = state.key(keys.PROJECT, "people", made)
    expected = st.number_input(
        "People you expect", 1, MOST_ANNOTATORS, 2, 1, key=key, width=190,
        help="Only for the figures below. Anyone may join.",
    )  # fmt: skip
    st.html(markup.fact_list(workload(settings, readings, int(expected))))
    if against := warnings(settings, readings, int(expected)):
        st.html(html.warnings(against))


# Choosing readings


def choose_readings(store: Store, project: str, *, in_project: Collection[str] = ()) -> ChosenReadings:
    """Draw the fields that choose readings, and return the chosen ones. `project` is the id of the project, empty for a new one;
    `in_project` are the readings it has already."""
    batches = {batch.id: batch_title(batch, title_of) for batch in store.batches.listed()}
    offered = [
        source for source in SOURCES if (source != FROM_BATCH or batches) and (source != FROM_SELECTION or state.ticked_runs())
    ]
    asked = address.batch_id() if address.batch_id() in batches and not project else ""
    otherwise = FROM_LIST if store.run_list.count(RunFilter()) else FROM_FILES
    first = FROM_BATCH if asked else FROM_SELECTION if state.ticked_runs() else otherwise
    source = st.segmented_control(
        "Readings from", offered, default=first, required=True, format_func=option_title(SOURCES), key=_key(project, "from"),
        persist_state="page",
    )  # fmt: skip
    if source == FROM_BATCH:
        ids = list(batches)
        batch = st.selectbox(
            "Batch", ids, index=ids.index(asked) if asked else 0, format_func=option_title(batches, 120),
            key=_key(project, "batch"), persist_state="page",
        )  # fmt: skip
        runs: Sequence[Run] = store.batches.runs_of(batch) if batch in batches else ()
    elif source == FROM_FILES:
        runs = _in_order(store, _import_files(project))
    elif source == FROM_SELECTION:
        runs = _in_order(store, list(state.ticked_runs()))
    else:
        runs = _in_order(store, store.run_list.ids(_filter(store, project), limit=MOST_READINGS + 1))
    visible = (run for run in runs if store.visits.may_see(run.id))
    chosen = choose_finished(visible, start_runs.is_running, in_project=in_project)
    _preview(store, chosen)
    return chosen


def _key(project: str, name: str) -> str:
    """The key of a field of the choice. A batch that the address names gets fields of its own, so that it is preselected."""
    asked = [address.batch_id()] if name in ("from", "batch") and not project and address.batch_id() else []
    return state.key(keys.PROJECT_FROM, project or "new", name, *asked)


def _in_order(store: Store, ids: Sequence[str]) -> list[Run]:
    found = {run.id: run for run in store.run_list.runs(ids)}
    return [found[run_id] for run_id in ids if run_id in found]


def _filter(store: Store, project: str) -> RunFilter:
    """The filter of the Readings page, without samples of experiments."""
    facets = store.run_list.facets()
    asks: dict[str, str] = {}
    asks["words"] = st.text_input(
        "Words in the question, the answer, the text’s title, the name or the note", key=_key(project, "words"), max_chars=500,
        persist_state="page",
    )  # fmt: skip
    fields: dict[str, tuple[str, Mapping[str, str]]] = {
        "reader": ("Reader", {"": "Any reader", **{reader: title_of(reader) for reader in facets.readers}}),
        "model": ("Model", {"": "Any model", **{model: catalogue.title(model) for model in facets.models}}),
        "text": ("Text", {"": "Any text", **facets.documents}),
        "ended": ("How it ended", _ENDED),
        "tag": ("Tag", {"": "Any tag or none", **{tag: tag for tag in facets.tags}}),
        "forks": ("Forks", {"": "With forks", **run_list_words.FORKS}),
    }
    with st.container(key=f"project-filters-{project or 'new'}", horizontal=True, gap="small"):
        for name, (label, titles) in fields.items():
            asks[name] = st.selectbox(
                label, list(titles), format_func=option_title(titles, 60),
                key=_key(project, name), persist_state="page",
            )  # fmt: skip
    return run_list_words.wanted({**asks, "samples": ""})


def _preview(store: Store, chosen: ChosenReadings) -> None:
    """How many readings are chosen, what was left out, and the first few."""
    st.html(markup.facts([f"{wording.count(len(chosen.runs))} chosen"]) + html.warnings(left_out(chosen)))
    if not chosen.runs:
        return
    titles = {shelved.id: shelved.title for shelved in store.documents.listed()}
    with st.expander("Which readings"):
        previewed = chosen.runs[:PREVIEWED]
        st.html("".join(html.reading(run.question, reading_facts(run, titles)) for run in previewed))
        if len(chosen.runs) > len(previewed):
            st.caption(f"And {len(chosen.runs) - len(previewed):,} more.")


def reading_facts(run: Run, titles: Mapping[str, str]) -> list[str]:
    """Whether a reading is a fork, its reader, model and text, without its outcome."""
    fork = ["fork"] if run.parent or run.edit else []
    return [*fork, title_in_list(run), catalogue.title(str(run.spec.get("model", ""))), titles.get(run.document, "text deleted")]


def _import_files(project: str) -> list[str]:
    """Import run files. Returns the ids of all readings imported here so far."""
    most = (demos.MOST_FILE_BYTES if access.demo() else MAX_FILE_BYTES) // 1_000_000
    imported = imported_runs(project)
    with st.form(state.key(keys.PROJECT_FILES, "form", project), clear_on_submit=True, border=False):
        files = st.file_uploader(
            f"Run files (JSON), up to {most} MB each", type="json", accept_multiple_files=True, max_upload_size=most,
            key=state.key(keys.PROJECT_FILES, project),
        )  # fmt: skip
        if st.form_submit_button("Import") and files:
            bar = st.progress(0.0, "Replaying …")
            for number, file in enumerate(files[:MOST_FILES]):
                bar.progress(number / len(files), f"File {number + 1:,} of {len(files):,}")
                try:
                    imported[access.import_run(file.getvalue(), file.name).id] = None
                except ReadingError as error:
                    flash.error(error)
            bar.empty()
            if len(files) > MOST_FILES:
                st.warning(
                    f"Only {MOST_FILES} files can be imported at once; the other {len(files) - MOST_FILES:,} were skipped."
                )
    st.caption(
        "Each reading is replayed with the replies in its file, which calls no model, and imported if the result is the same."
    )
    return list(imported)


def may_change(project: Project, viewer: str) -> bool:
    """Whether this visitor may change the project."""
    return may_manage(project, viewer) and access.may_change(project.id)
