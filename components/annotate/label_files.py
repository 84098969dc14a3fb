"""Export and import of a project's labels. An import adds new labels and overwrites nothing.

An exported file holds only what the viewer may see at that moment; it is made when it is requested, never before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.html.words.label_words import label_place
from components.session import access, database, demos, flash, state
from components.widgets import reading_links, report
from readers import get
from readers.engine.canonical import canonical
from readers.engine.errors import ReadingError
from readers.engine.files.labels import read_labels
from readers.engine.files.labels.export_labels import ENDINGS, Export, as_csv, as_jsonl, gathered
from readers.engine.files.labels.import_labels import Clash, LabelImport, import_labels
from readers.engine.files.labels.label_studio import as_label_studio, setup
from readers.engine.files.labels.project_file import export_project
from readers.engine.labels.label import TITLES, Label
from readers.engine.labels.project import Project, Viewer, sees_codes
from readers.engine.report.values import Cell, Row, Table, columns
from readers.engine.store import Run, Store
from readers.engine.text.shorten import shorten_at_word

MOST_SHOWN, LONGEST = 50, 70
HIDDEN = "another label, which you may not see yet"
REMOVED = "removed here"
_WORDS = ("note", "words")  # shown last
ABOUT_EXPORT = (
    "With the protocol, all versions of the codebook, and the readings with their choices, known answers, the rule’s verdict and "
    "measures. JSON lines and CSV can be imported again; CSV lacks "
    "times and readings without a label. Import the Label Studio file into Label Studio, together with the setup file."
)
ABOUT_WHOLE = (
    "One file with the readings, labels, decisions, every version of the codebook and the settings. Import it under New "
    "project on any machine; if the project is already there, both copies are merged."
)
ABOUT_OWN_EXPORT = "The files hold what you may see now: your own labels, and others’ labels of readings that you have finished."


def show(store: Store, project: Project, viewer: Viewer) -> None:
    st.html(markup.section("", "Labels as files"))
    if not (viewer.whole or viewer.stage):
        st.html(markup.empty("You do not label in this project, so you have nothing to export."))
        return
    st.html(markup.aside(ABOUT_EXPORT if viewer.whole else f"{ABOUT_EXPORT} {ABOUT_OWN_EXPORT}"))
    _export(store, project, viewer)
    if viewer.whole:
        with st.container(key="project-out", horizontal=True, gap="small"):
            _export_whole(project)
            reading_links.offer_site(project.id, project=project.id)
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
                key=state.key("labels_out", project.id, ending),
            )  # fmt: skip


def _export_whole(project: Project) -> None:
    """The project as one file, for people who may see everything in it."""
    visitor = access.visitor()

    def make() -> bytes:
        with database.opened(visitor) as opened:
            return export_project(opened, project.id, readers=get)

    st.download_button(
        "Whole project", make, file_name=f"palimpsest-project-{project.id}.zip", mime="application/zip", on_click="ignore",
        icon=":material/download:", key=state.key("labels_out", project.id, "whole"), help=ABOUT_WHOLE,
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
    imports = state.key("labels_in", project.id)  # counted, so that the field for files is empty after each import
    made = state.value(imports) or 0
    file = st.file_uploader(
        f"Import labels (JSON lines or CSV as exported here, up to {most} MB)", type=list(ENDINGS),
        max_upload_size=most,
        key=state.key("labels_in", project.id, made),
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
    st.button(label, type="primary", key=state.key("labels_in", project.id, "go"), on_click=save)


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
        report.draw(conflicts(result.clashes, runs), kind="conflicts")


# What an import does, in words


def summary(result: LabelImport, *, dry: bool) -> str:
    """What an import did, or with `dry` would do. Each label of the file is counted once."""
    added = f"{wording.count(result.added, 'label')} {'would be' if dry else 'were'} added"
    differ = "differs" if len(result.clashes) == 1 else "differ"
    parts = [added, f"{result.same:,} already here", f"{len(result.clashes):,} {differ}"]
    if result.turns:
        parts.insert(1, f"{wording.count(result.turns, 'assignment')} too")
    return "; ".join(parts)


def left_out(result: LabelImport) -> list[str]:
    """What is not imported, and codes that are imported but unknown here, each with the reason."""
    skipped, sentences = result.skipped, []
    if skipped.lead:
        sentences.append(
            f"{wording.count(skipped.lead, 'label')} by the project’s owner {_not_imported(skipped.lead)}: they "
            "would make the owner an annotator, who no longer sees the whole project. To import them, the owner joins at the "
            "bench first."
        )
    if skipped.elsewhere:
        sentences.append(
            f"{wording.count(skipped.elsewhere, 'label')} {_not_imported(skipped.elsewhere)}: the readings are "
            "not yours to label, because others have them or you skipped them."
        )
    if skipped.standing:
        has = "has" if skipped.standing == 1 else "have"
        sentences.append(
            f"{wording.count(skipped.standing, 'assignment')} {has} another status here (open instead of done, for example) and "
            f"{'is' if skipped.standing == 1 else 'are'} not changed: the annotator finishes them at the bench."
        )
    if skipped.turns:
        sentences.append("Your file does not change which readings are finished: finish them at the bench.")
    rest = [f"{wording.count(skipped.codebooks, 'version')} of a codebook"] * bool(skipped.codebooks)
    rest += [wording.count(skipped.decisions, "decision")] * bool(skipped.decisions)
    if rest:
        sentences.append(
            f"{' and '.join(rest)} of the file {_not_imported(skipped.codebooks + skipped.decisions)}: "
            "this project keeps its own."
        )
    if result.unknown:
        named = ", ".join(shorten_at_word(code, LONGEST) for code in result.unknown[:MOST_SHOWN])
        more = f" and {len(result.unknown) - MOST_SHOWN:,} more" if len(result.unknown) > MOST_SHOWN else ""
        sentences.append(f"The codebook of this project does not have these codes; they are imported unchanged: {named}{more}.")
    return sentences


def _not_imported(number: int) -> str:
    return "is not imported" if number == 1 else "are not imported"


def conflicts(clashes: Sequence[Clash], runs: Mapping[str, Run]) -> Table:
    """The first labels of a file that differ from those here, and how many more do."""
    rows = []
    for imported, stored in clashes[:MOST_SHOWN]:
        run = runs.get(imported.run)
        here = HIDDEN if stored is None else REMOVED if stored.removed else value_text(stored)
        question = shorten_at_word(run.question, LONGEST) if run else imported.run
        cells = (imported.annotator, subject(imported), value_text(imported), here)
        rows.append(Row(question, [Cell(words) for words in cells]))
    more = [f"And {len(clashes) - MOST_SHOWN:,} more."] if len(clashes) > MOST_SHOWN else []
    heads = columns("Annotator", "About", "In the file", "Here (unchanged)")
    return Table("Labels that differ", heads, rows, more, head="Reading")


def subject(label: Label) -> str:
    """What a label is about, in words."""
    if label.kind == "reading":
        return TITLES.get(label.target["field"], "Note")
    place = label_place(label)
    if label.kind == "span":
        return place
    return {"step": "Code", "note": "Note", "correction": "Correction"}[label.kind] + (f", {place}" if label.step else "")


def value_text(label: Label) -> str:
    """The value of a label, shortened, as stored."""
    value = label.value.get("value", label.value)
    if isinstance(value, str):
        return shorten_at_word(value, LONGEST)
    there = sorted((name for name, one in value.items() if one != ""), key=lambda name: (name in _WORDS, name))
    parts = (f"{name} {one if isinstance(one := value[name], str) else canonical(one)}" for name in there)
    return shorten_at_word(", ".join(parts), LONGEST)
