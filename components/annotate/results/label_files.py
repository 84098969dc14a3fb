"""The labels of a project as files, and labels taken in from files: what is new is added, and nothing is written over.

A file holds what its maker may see at the moment it is made, and no more. Made when it is asked for, never before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st

from components.annotate import agreement_html, keys
from components.annotate.results.import_wording import MOST_SHOWN, clash_rows, left_out, told
from components.html import markup, wording
from components.session import access, database, flash, state
from components.session import demo_limits as demos
from readers.engine.errors import ReadingError
from readers.engine.files import read_labels
from readers.engine.files.export_labels import ENDINGS, Export, as_csv, as_jsonl, gathered
from readers.engine.files.import_labels import LabelImport, import_labels
from readers.engine.files.label_studio import as_label_studio, setup
from readers.engine.labels.project import Project, Viewer, sees_codes
from readers.engine.store import Store

OUT = (
    "With the protocol, every version of the codebook, and the readings they are about. JSON lines and CSV can be taken in "
    "again, CSV without the time it took and without readings that have no label; Label Studio’s is for its own import, with the "
    "labelling setup beside it."
)
MINE = "They hold what you may see now: your own labels, and others’ of readings that you have finished."


def show(store: Store, project: Project, viewer: Viewer) -> None:
    st.html(markup.section("", "Labels as files"))
    if not (viewer.whole or viewer.stage):
        st.html(markup.empty("You do not label in this project, so there is nothing of it that you may save."))
        return
    st.html(markup.aside(OUT if viewer.whole else f"{OUT} {MINE}"))
    _save(store, project, viewer)
    if project.id and (viewer.whole or sees_codes(viewer) or viewer.stage):
        _take(store, project, viewer)


# Out


def _save(store: Store, project: Project, viewer: Viewer) -> None:
    visitor = access.visitor()

    def made(form: Callable[[Export, Store], str]) -> Callable[[], bytes]:
        def make() -> bytes:
            with database.opened(visitor) as opened:
                return form(gathered(opened, project.id, _now(opened, project, viewer)), opened).encode()

        return make

    name = f"palimpsest-labels-{project.id}-{datetime.now(UTC):%Y-%m-%d}"
    files = (
        ("JSON lines", "jsonl", "application/x-ndjson", lambda export, _: as_jsonl(export)),
        ("CSV", "csv", "text/csv", lambda export, _: as_csv(export)),
        ("Label Studio JSON", "label-studio.json", "application/json", as_label_studio),
        ("Label Studio setup", "label-studio.xml", "application/xml", lambda export, _: setup(export)),
    )
    with st.container(key="labels-out", horizontal=True, gap="small"):
        for label, ending, kind, form in files:
            st.download_button(
                label, made(form), file_name=f"{name}.{ending}", mime=kind, icon=":material/download:", on_click="ignore",
                key=state.key(keys.LABELS_OUT, project.id, ending),
            )  # fmt: skip


def _now(store: Store, project: Project, viewer: Viewer) -> Viewer:
    """What the viewer may see when the file is made: not a reading that they have opened again since the page was drawn."""
    if not viewer.name:
        return viewer
    fresh = store.projects.viewer(project.id, viewer.name)
    return replace(viewer, done=viewer.done & fresh.done, whole=viewer.whole and fresh.whole)


# Back


def _take(store: Store, project: Project, viewer: Viewer) -> None:
    most = (demos.MOST_BYTES if access.demo() else read_labels.MAX_BYTES) // 1_000_000
    imports = state.key(keys.LABELS_IN, project.id)  # counted, so that the field for files is empty after each import
    made = state.value(imports) or 0
    file = st.file_uploader(
        f"Take labels in (JSON lines or CSV as saved here, up to {most} MB)", type=list(ENDINGS),
        max_upload_size=most,
        key=state.key(keys.LABELS_IN, project.id, made),
    )  # fmt: skip
    if file is None:
        return
    try:
        if access.demo():
            demos.check_upload(file.size)
        labels = read_labels.read_label_file(file.name, file.getvalue())
        taken = import_labels(store, project.id, labels, viewer=viewer, dry=True)
    except ReadingError as error:
        st.error(markup.plain(f"{wording.sentence(str(error))} Nothing was taken in."))
        return
    _preview(taken)
    if not (taken.added or taken.turns):
        return

    def keep() -> None:
        try:
            with access.opened() as opened:
                done = import_labels(opened, project.id, labels, viewer=_now(opened, project, viewer))
        except ReadingError as error:
            flash.leave("error", f"{wording.sentence(str(error))} Nothing was taken in.")
            return
        flash.leave("success", told(done, dry=False))
        state.set_value(imports, made + 1)

    label = f"Take in {wording.count(taken.added, 'label')}" if taken.added else f"Take in {wording.count(taken.turns, 'turn')}"
    st.button(label, type="primary", key=state.key(keys.LABELS_IN, project.id, "go"), on_click=keep)


def _preview(taken: LabelImport) -> None:
    st.html(markup.facts([told(taken, dry=True)]))
    if not_taken := left_out(taken):
        st.html(markup.notice("", not_taken))
    if taken.clashes:
        say = "says" if len(taken.clashes) == 1 else "say"
        lead = f"{wording.count(len(taken.clashes), 'label')} of the file {say} something else than what is here."
        st.html(markup.notice("warn", [f"{lead} What is here stays as it is; to change it, label it anew on the bench."]))
        with access.opened() as opened:
            runs = {run.id: run for run in opened.run_list.runs({clash.imported.run for clash in taken.clashes[:MOST_SHOWN]})}
        st.html(agreement_html.clashes(clash_rows(taken.clashes, runs), len(taken.clashes) - MOST_SHOWN))
