"""Export and import of a project's labels. An import adds new labels and overwrites nothing.

An exported file holds only what the viewer may see at that moment; it is made when it is requested, never before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st

from components.annotate import keys
from components.annotate.results import html
from components.annotate.results.import_wording import MOST_SHOWN, conflict_rows, left_out, summary
from components.html import markup
from components.html.words import wording
from components.session.demo import demo_limits as demos
from components.session.page import database, flash, state
from components.session.visitor import access
from readers import get
from readers.engine.errors import ReadingError
from readers.engine.files.labels import read_labels
from readers.engine.files.labels.export_labels import ENDINGS, Export, as_csv, as_jsonl, gathered
from readers.engine.files.labels.import_labels import LabelImport, import_labels
from readers.engine.files.labels.label_studio import as_label_studio, setup
from readers.engine.labels.project import Project, Viewer, sees_codes
from readers.engine.store import Store

ABOUT_EXPORT = (
    "With the protocol, all versions of the codebook, and the readings with their choices, known answers, the rule’s verdict and "
    "measures. JSON lines and CSV can be imported again; CSV lacks "
    "times and readings without a label. The Label Studio file is for import into Label Studio, with the setup file beside it."
)
ABOUT_OWN_EXPORT = "The files hold what you may see now: your own labels, and others’ labels of readings that you have finished."


def show(store: Store, project: Project, viewer: Viewer) -> None:
    st.html(markup.section("", "Labels as files"))
    if not (viewer.whole or viewer.stage):
        st.html(markup.empty("You do not label in this project, so there is nothing you may export."))
        return
    st.html(markup.aside(ABOUT_EXPORT if viewer.whole else f"{ABOUT_EXPORT} {ABOUT_OWN_EXPORT}"))
    _export(store, project, viewer)
    if project.id and (viewer.whole or sees_codes(viewer) or viewer.stage):
        _import(store, project, viewer)


# Export


def _export(store: Store, project: Project, viewer: Viewer) -> None:
    visitor = access.visitor()

    def maker(to_text: Callable[[Export, Store], str]) -> Callable[[], bytes]:
        def make() -> bytes:
            with database.opened(visitor) as opened:
                return to_text(gathered(opened, project.id, _now(opened, project, viewer), readers=get), opened).encode()

        return make

    name = f"palimpsest-labels-{project.id}-{datetime.now(UTC):%Y-%m-%d}"
    files = (
        ("JSON lines", "jsonl", "application/x-ndjson", lambda export, _: as_jsonl(export)),
        ("CSV", "csv", "text/csv", lambda export, _: as_csv(export)),
        ("Label Studio JSON", "label-studio.json", "application/json", as_label_studio),
        ("Label Studio setup", "label-studio.xml", "application/xml", lambda export, _: setup(export)),
    )
    with st.container(key="labels-out", horizontal=True, gap="small"):
        for label, ending, mime, to_text in files:
            st.download_button(
                label, maker(to_text), file_name=f"{name}.{ending}", mime=mime, icon=":material/download:", on_click="ignore",
                key=state.key(keys.LABELS_OUT, project.id, ending),
            )  # fmt: skip


def _now(store: Store, project: Project, viewer: Viewer) -> Viewer:
    """What the viewer may see when the file is made: not a reading that they have reopened since the page was drawn."""
    if not viewer.name:
        return viewer
    fresh = store.projects.viewer(project.id, viewer.name)
    return replace(viewer, done=viewer.done & fresh.done, whole=viewer.whole and fresh.whole)


# Import


def _import(store: Store, project: Project, viewer: Viewer) -> None:
    most = (demos.MOST_BYTES if access.demo() else read_labels.MAX_BYTES) // 1_000_000
    imports = state.key(keys.LABELS_IN, project.id)  # counted, so that the field for files is empty after each import
    made = state.value(imports) or 0
    file = st.file_uploader(
        f"Import labels (JSON lines or CSV as exported here, up to {most} MB)", type=list(ENDINGS),
        max_upload_size=most,
        key=state.key(keys.LABELS_IN, project.id, made),
    )  # fmt: skip
    if file is None:
        return
    try:
        if access.demo():
            demos.check_upload(file.size)
        labels = read_labels.read_label_file(file.name, file.getvalue())
        preview = import_labels(store, project.id, labels, viewer=viewer, dry=True)
    except ReadingError as error:
        st.error(markup.plain(f"{wording.sentence(str(error))} Nothing was imported."))
        return
    _preview(preview)
    if not (preview.added or preview.turns):
        return

    def save() -> None:
        try:
            with access.opened() as opened:
                done = import_labels(opened, project.id, labels, viewer=_now(opened, project, viewer))
        except ReadingError as error:
            flash.leave("error", f"{wording.sentence(str(error))} Nothing was imported.")
            return
        flash.leave("success", summary(done, dry=False))
        state.set_value(imports, made + 1)

    label = (
        f"Import {wording.count(preview.added, 'label')}"
        if preview.added
        else f"Import {wording.count(preview.turns, 'assignment')}"
    )
    st.button(label, type="primary", key=state.key(keys.LABELS_IN, project.id, "go"), on_click=save)


def _preview(result: LabelImport) -> None:
    st.html(markup.facts([summary(result, dry=True)]))
    if not_imported := left_out(result):
        st.html(markup.notice("", not_imported))
    if result.clashes:
        differ = "differs" if len(result.clashes) == 1 else "differ"
        words = f"{wording.count(len(result.clashes), 'label')} of the file {differ} from the labels here."
        st.html(markup.notice("warn", [f"{words} The labels here stay unchanged; to change them, label again at the bench."]))
        with access.opened() as opened:
            runs = {run.id: run for run in opened.run_list.runs({clash.imported.run for clash in result.clashes[:MOST_SHOWN]})}
        st.html(html.conflicts(conflict_rows(result.clashes, runs), len(result.clashes) - MOST_SHOWN))
