"""Making a project of readings to be labelled, and choosing the readings, for a new project or one there is.

What is chosen is `annotate_projects_told.py`, what a project holds `readers/engine/labels/project.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import streamlit as st

from components.annotate import keys
from components.annotate.projects import html
from components.annotate.projects import wording as told
from components.annotate.projects.wording import Chosen
from components.html import markup, run_list_words, wording
from components.session import access, address, flash, start_runs, state
from components.session import demo_limits as demos
from readers import get
from readers.engine.errors import NotFound, ReadingError
from readers.engine.files.run_file_schema import MAX_FILE_BYTES
from readers.engine.labels import codebook
from readers.engine.labels.label import CODES, LONGEST_NAME, NOTES
from readers.engine.labels.project import MOST_ANNOTATORS, MOST_READINGS, Project, Settings
from readers.engine.models import catalogue
from readers.engine.store import Run, Store
from readers.engine.store.run_list import UNDER_WAY, RunFilter

MOST_FILES, PREVIEWED = 50, 8
OPENED = "people"  # the view of a project that follows on its making
_ENDED = {"": "In any way", **{name: title for name, title in run_list_words.ENDED.items() if name != UNDER_WAY}}


def show(store: Store, lead: str, *, made: int) -> None:
    """The form of a new project; `made` counts those there are, so that the next one begins with empty fields."""
    st.html(markup.section("", "New project"))
    name = st.text_input(
        "Name",
        key=state.key(keys.PROJECT, "name", made),
        max_chars=LONGEST_NAME,
        placeholder="For example: Lamps, first thirty readings",
    )
    found = choose(store, "")
    settings, codes = _settings(lead, made)
    if found.runs:
        _shares(settings, len(found.runs), made)
    label = f"Make a project of {wording.count(len(found.runs))}" if found.runs else "Make the project"
    key = state.key(keys.PROJECT, "make", made)
    help = None if found.runs else "Choose readings first."
    if not st.button(label, type="primary", key=key, disabled=not found.runs, help=help):
        return
    if name.strip():  # asked now: a button that waits for a name would miss the press that ends the typing of it
        _make(name, settings, found, codes)
    else:
        st.error("Give the project a name first, at the top.")


def _make(name: str, settings: Settings, found: Chosen, codes: str) -> None:
    try:
        with access.opened() as store:
            book = codebook.to_json(codebook.preset())[0] if codes == told.TAXONOMY else []
            project = store.projects.create(name, settings, runs=found.ids, codes=book, by=settings.lead)
    except ReadingError as error:
        flash.error(error)
        return
    imported_runs("").clear()
    flash.leave(
        "success",
        f"“{project.name}” is made, of {wording.count(len(found.runs))}. Send people the address of this page: "
        "whoever opens Bench can begin.",
    )
    address.open_project(project.id, OPENED)


def imported_runs(project_id: str) -> dict[str, None]:
    """The readings imported from files for a project that readings are added to, or (empty id) for a new one, in order."""
    found: dict[str, None] = state.remembered(state.key(keys.IMPORTED_RUNS, project_id), dict)
    return found


def _settings(lead: str, made: int) -> tuple[Settings, str]:
    """How it is labelled, and the codes it begins with."""

    def key(name: str) -> str:
        return state.key(keys.PROJECT, name, made)

    start = st.radio(
        "It begins with", list(told.STARTS), format_func=lambda stage: told.STARTS[stage], key=key("start"),
        captions=list(told.STARTS_MEAN.values()),
    )  # fmt: skip
    blind = st.checkbox("Blind: nobody sees others’ labels of a reading before their own are done", value=True, key=key("blind"))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        share = st.slider("Share read by several people", 0, 100, 20, 5, format="%d %%", key=key("share"), width=260)
        people = st.number_input("People for each of these", 2, MOST_ANNOTATORS, 2, 1, key=key("annotators"), width=190)
    with st.expander("Codes, lead and order"):
        codes = st.radio("The codebook begins with", list(told.BEGINS), format_func=told.named(told.BEGINS), key=key("codes"))
        st.text_input(
            "Lead", value=lead, key=key("lead"), max_chars=LONGEST_NAME,
            help="Sees everything as long as they do not label in it, and alone may rename or delete it. Empty: everybody may.",
        )  # fmt: skip
        seed = st.number_input(
            "Seed", 0, 10**9, 0, 1, key=key("seed"), width=190,
            help="Fixes the order in which each annotator gets the readings, and which of them several people read.",
        )  # fmt: skip
    batch = str(state.value(_key("", "batch")) or "") if state.value(_key("", "from")) == told.FROM_BATCH else ""
    led = " ".join(str(state.value(key("lead")) or "").split())
    settings = Settings(led, NOTES if start == NOTES else CODES, bool(blind), int(seed), share / 100, int(people), batch)
    return settings, codes or told.TAXONOMY


def _shares(settings: Settings, readings: int, made: int) -> None:
    """How much each would get, before it is begun."""
    key = state.key(keys.PROJECT, "people", made)
    expected = st.number_input(
        "People you expect", 1, MOST_ANNOTATORS, 2, 1, key=key, width=190,
        help="Only to say what each would get. Anybody may join.",
    )  # fmt: skip
    st.html(markup.takes(told.shares(settings, readings, int(expected))))
    if against := told.warnings(settings, readings, int(expected)):
        st.html(html.notes(against))


# Choosing readings


def choose(store: Store, about: str, *, had: Collection[str] = ()) -> Chosen:
    """The fields that say which readings, and those they are. `about` is the project they are for, empty for a new one, and `had`
    what it has already."""
    batches = {batch.id: told.batch(batch, _reader) for batch in store.batches.listed()}
    offered = [
        source
        for source in told.SOURCES
        if (source != told.FROM_BATCH or batches) and (source != told.FROM_TICKED or state.ticked_runs())
    ]
    asked = address.batch_id() if address.batch_id() in batches and not about else ""
    there = told.FROM_LIST if store.run_list.count(RunFilter()) else told.FROM_FILES
    first = told.FROM_BATCH if asked else told.FROM_TICKED if state.ticked_runs() else there
    source = st.segmented_control(
        "Readings from", offered, default=first, required=True, format_func=told.named(told.SOURCES), key=_key(about, "from"),
        persist_state="page",
    )  # fmt: skip
    if source == told.FROM_BATCH:
        ids = list(batches)
        batch = st.selectbox(
            "Batch", ids, index=ids.index(asked) if asked else 0, format_func=told.named(batches, 120),
            key=_key(about, "batch"), persist_state="page",
        )  # fmt: skip
        runs: Sequence[Run] = store.batches.runs_of(batch) if batch in batches else ()
    elif source == told.FROM_FILES:
        runs = _in_order(store, _files(about))
    elif source == told.FROM_TICKED:
        runs = _in_order(store, list(state.ticked_runs()))
    else:
        runs = _in_order(store, store.run_list.ids(_narrowed(store, about), limit=MOST_READINGS + 1))
    found = told.chosen((run for run in runs if store.may_see(run.id)), start_runs.going, had=had)
    _preview(store, found)
    return found


def _key(about: str, name: str) -> str:
    """Of a field of the choice. A batch that the address names is chosen anew, whatever was chosen before."""
    asked = [address.batch_id()] if name in ("from", "batch") and not about and address.batch_id() else []
    return state.key(keys.PROJECT_FROM, about or "new", name, *asked)


def _in_order(store: Store, ids: Sequence[str]) -> list[Run]:
    there = {run.id: run for run in store.run_list.runs(ids)}
    return [there[id] for id in ids if id in there]


def _narrowed(store: Store, about: str) -> RunFilter:
    """The filter of the Readings page, without its samples."""
    facets = store.run_list.facets()
    asks: dict[str, str] = {}
    asks["words"] = st.text_input(
        "With words in the question, the answer, the text’s title, the name or the note", key=_key(about, "words"), max_chars=500,
        persist_state="page",
    )  # fmt: skip
    fields: dict[str, tuple[str, Mapping[str, str]]] = {
        "reader": ("Reader", {"": "Any reader", **{id: _reader(id) for id in facets.readers}}),
        "model": ("Model", {"": "Any model", **{id: catalogue.title(id) for id in facets.models}}),
        "text": ("Text", {"": "Any text", **facets.documents}),
        "ended": ("How it ended", _ENDED),
        "tag": ("Tag", {"": "Any tag or none", **{tag: tag for tag in facets.tags}}),
        "forks": ("Forks", {"": "With forks", **run_list_words.FORKS}),
    }
    with st.container(key=f"project-filters-{about or 'new'}", horizontal=True, gap="small"):
        for name, (label, titles) in fields.items():
            asks[name] = st.selectbox(
                label, list(titles), format_func=told.named(titles, 60),
                key=_key(about, name), persist_state="page",
            )  # fmt: skip
    return run_list_words.wanted({**asks, "samples": ""})


def _reader(id: str) -> str:
    try:
        return get(id).title
    except NotFound:
        return id


def _preview(store: Store, found: Chosen) -> None:
    """How many they are, what was left out, and the first of them."""
    st.html(markup.facts([f"{wording.count(len(found.runs))} chosen"]) + html.notes(told.left_out(found)))
    if not found.runs:
        return
    titles = {shelved.id: shelved.title for shelved in store.documents()}
    with st.expander("Which these are"):
        shown = found.runs[:PREVIEWED]
        st.html("".join(html.reading(run.question, facts(run, titles)) for run in shown))
        if len(found.runs) > len(shown):
            st.caption(f"And {len(found.runs) - len(shown):,} more.")


def facts(run: Run, titles: Mapping[str, str]) -> list[str]:
    """Who read what: nothing of what came of it."""
    return [_reader(run.reader), catalogue.title(str(run.spec.get("model", ""))), titles.get(run.document, "text deleted")]


def _files(about: str) -> list[str]:
    """Run files taken in here, one after another; those taken in so far stay."""
    most = (demos.MOST_FILE_BYTES if access.demo() else MAX_FILE_BYTES) // 1_000_000
    taken = imported_runs(about)
    with st.form(state.key(keys.PROJECT_FILES, "form", about), clear_on_submit=True, border=False):
        files = st.file_uploader(
            f"Run files (JSON), up to {most} MB each", type="json", accept_multiple_files=True, max_upload_size=most,
            key=state.key(keys.PROJECT_FILES, about),
        )  # fmt: skip
        if st.form_submit_button("Take them in") and files:
            bar = st.progress(0.0, "Reading them again …")
            for number, file in enumerate(files[:MOST_FILES]):
                bar.progress(number / len(files), f"File {number + 1:,} of {len(files):,}")
                try:
                    taken[access.take_in(file.getvalue(), file.name).id] = None
                except ReadingError as error:
                    flash.error(error)
            bar.empty()
            if len(files) > MOST_FILES:
                st.warning(f"{MOST_FILES} files are taken at once; the other {len(files) - MOST_FILES:,} were left.")
    st.caption("Each is done again with the replies in its file, which asks no model, and taken in where it comes out the same.")
    return list(taken)


def opened(project: Project, viewer: str) -> bool:
    """Whether this visitor may change what the project is made of."""
    return told.may_lead(project, viewer) and access.may_change(project.id)
