"""The codebook of a project: its codes with examples and near misses, its versions, the labels to review after a change; and as a
file, exported by version and imported into this project, which adds new codes and changes none.

Changing it is in `codebook_edit.py`. Before stage 3 none of it is loaded, regardless of the address. A file is made when it is
requested, and holds what the viewer may see at that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st
from markupsafe import Markup

from components.annotate import codebook_changes, codebook_edit, figures, html
from components.annotate.codebook_changes import as_codebook
from components.annotate.wording import PAGE, option_title
from components.html import markup, plot
from components.html.words import wording
from components.html.words.label_words import label_place
from components.session import access, address, database, demos, flash, state
from components.session.drawing import current_theme
from readers import READERS
from readers.engine.errors import NotFound, ReadingError
from readers.engine.files.labels import codebook_file
from readers.engine.files.labels.codebook_file import CodebookFile
from readers.engine.labels import codebook
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.codes import Code
from readers.engine.labels.label import Label
from readers.engine.labels.project import NOBODY, Project, Viewer, sees_codes
from readers.engine.labels.saturation import codes_by_reading, curve, saturation
from readers.engine.store import Store
from readers.engine.store.labels.codebooks import CodebookVersion
from readers.engine.text.shorten import shorten

CODES, CHANGE, REVIEW, VERSIONS, FILES = "codes", "change", "review", "versions", "files"
MOST_LISTED = 100
ABOUT_FILE = (
    "The file names the project, the version, its date and the hash of its codes. A new project can start with it, and its new "
    "codes can be added to this codebook here."
)


def show(store: Store, project: Project, viewer: Viewer) -> None:
    flash.show()
    if not sees_codes(viewer):
        st.html(markup.section("", "Codebook", explains=True))
        words = "The codes are hidden until stage 3, so that you note what you see, not what a list makes you look for."
        if not viewer.stage:
            words += " Join the project at the bench first. Only the project’s owner sees the codes earlier."
        st.html(markup.empty(words))
        st.page_link(PAGE, label="To the bench", query_params=address.to_project(project.id))
        return
    versions = store.codebooks.versions(project.id, viewer)
    book = as_codebook(versions[-1] if versions else None)
    labels = store.labels.in_project(project.id, viewer)
    to_review = codebook.to_review(book, labels)
    _head(store, project, viewer, book=book, labels=labels)
    with st.container(key="book-parts", horizontal=True, vertical_alignment="center", gap="small"):
        part = _choose_part(len(to_review), len(versions))
        codebook_edit.undo_button(store, project, viewer, [as_codebook(version) for version in versions[-2:]])
    if part == CHANGE:
        codebook_edit.show(project, viewer, book)
    elif part == REVIEW:
        _review(store, project, viewer, to_review)
    elif part == VERSIONS:
        _versions(versions)
    elif part == FILES:
        _files(project, viewer, versions, book)
    else:
        codebook_edit.board_groups(project, viewer, book, store.boards.load(project.id, viewer))
        _codes(book, labels)


def _head(store: Store, project: Project, viewer: Viewer, *, book: Codebook, labels: list[Label]) -> None:
    """The version, and whether readings still bring new codes."""
    st.html(
        markup.section(
            "", "Codebook", explains=True, hint=f"version {book.version} · {wording.count(len(book.in_use), 'code')} in use"
        )
    )
    visible = [label for label in labels if viewer.whole or label.annotator == viewer.name]
    turns = store.turns.in_project(project.id, NOBODY, annotator=None if viewer.whole else viewer.name)
    scope = "" if viewer.whole or not viewer.stage else "In your own readings: "
    readings = codes_by_reading(visible, turns)
    sentence = saturation(readings).sentence()
    with st.container(key="book-saturation", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(markup.facts([scope + (sentence[:1].lower() + sentence[1:] if scope else sentence)]), width="content")
        if len(readings) > 1:
            with st.popover("Saturation curve"), st.container(width=520):
                drawn = figures.saturation(curve(readings), "codes", current_theme())
                st.plotly_chart(drawn, key=state.key("book", "curve"), theme=None, config=plot.CONFIG)


def _choose_part(to_review: int, versions: int) -> str:
    """The part of the view that the viewer chose."""
    titles = {
        CODES: "Codes", CHANGE: "Change", REVIEW: f"Review ({to_review:,})" if to_review else "Review",
        VERSIONS: f"Versions ({versions:,})" if versions else "Versions", FILES: "As a file",
    }  # fmt: skip
    key = state.key("book", "shown")
    chosen = st.segmented_control(
        "Part",
        list(titles),
        default=CODES,
        required=True,
        format_func=option_title(titles),
        key=key,
        label_visibility="collapsed",
    )
    return str(chosen or CODES)


def _codes(book: Codebook, labels: list[Label]) -> None:
    if not book.codes:
        st.html(markup.empty("No codes yet. Add the first one under “Change”, or make a group of your notes a code."))
        return
    used, titles = codebook_changes.label_counts(labels), {reader.id: reader.title for reader in READERS}

    def as_html(codes: list[Code]) -> list[Markup]:
        since = codebook_changes.meaning_since
        return [html.code(code, since=since(code), used=used[code.id], reader_titles=titles) for code in codes]

    families = [(name, as_html(codes)) for name, codes in codebook_changes.families(book.in_use)]
    if retired := codebook_changes.retired(book):
        families.append(("Retired", as_html(retired)))
    st.caption("Open a code for an example, a near miss, and where to look.")
    st.html(html.codebook(families))


def _review(store: Store, project: Project, viewer: Viewer, flagged: list[tuple[Label, str]]) -> None:
    """The labels made under an older definition, the viewer's own first, each with a link to its place."""
    if not flagged:
        st.html(
            markup.empty(
                "No label was made under an older definition. When the meaning of a code changes, its labels are listed here."
            )
        )
        return
    st.caption("None of these was changed. Open each one, then keep its code or choose another.")
    flagged = sorted(flagged, key=lambda one: one[0].annotator != viewer.name)
    runs = {run.id: run.question for run in store.run_list.runs({label.run for label, _ in flagged})}
    with st.container(key="look-again", gap=None):
        for label, why in flagged[:MOST_LISTED]:
            mine = label.annotator == viewer.name
            question = shorten(runs.get(label.run, "a reading that was deleted"), 160)
            with st.container(key=f"text-again-{label.id}", gap=None):
                if mine:
                    link = address.to_project(project.id, run=label.run) | address.at_step(label.step)
                    st.page_link(PAGE, label=markup.plain(question), query_params=link)
                elif viewer.whole:
                    st.page_link("pages/3_Trace.py", label=markup.plain(question), query_params=address.to_trace(label.run))
                else:
                    st.html(html.reading(question, []))
                st.html(html.to_review(wording.sentence(why), ["yours" if mine else label.annotator, label_place(label)]))
    if len(flagged) > MOST_LISTED:
        st.caption(f"And {len(flagged) - MOST_LISTED:,} more.")


def _versions(versions: list[CodebookVersion]) -> None:
    """What each version changed, the latest first."""
    now = datetime.now(UTC)
    books = [codebook_changes.EMPTY, *(as_codebook(version) for version in versions)]
    rows = []
    for number in range(len(versions), 0, -1):
        version, before, after = versions[number - 1], books[number - 1], books[number]
        differences = codebook_changes.differences(before if number > 1 else after, after)
        facts = [f"by {version.by}" if version.by else "", wording.ago(version.at, now)]
        change = codebook_changes.change_sentence(after.change, after, before)
        rows.append(html.version(version.version, change, facts, why=after.change.why, differences=differences))
    st.html("".join(rows) or markup.empty("No version yet."))


# As a file


def _files(project: Project, viewer: Viewer, versions: Sequence[CodebookVersion], book: Codebook) -> None:
    st.html(markup.aside(ABOUT_FILE))
    if versions:
        _export(project, viewer, versions)
    if viewer.name:
        _import(project, viewer, book)


def _export(project: Project, viewer: Viewer, versions: Sequence[CodebookVersion]) -> None:
    numbers = [version.version for version in reversed(versions)]
    titles = {str(version.version): f"Version {version.version:,}, {version.at[:10]}" for version in versions}
    with st.container(key="book-export", horizontal=True, vertical_alignment="bottom", gap="small"):
        number = st.selectbox("Version", numbers, format_func=option_title(titles), width=260, key=_file_key(project, "version"))
        st.download_button(
            "Export as JSON", _maker(project, viewer, number), file_name=f"palimpsest-codebook-{project.id}-{number}.json",
            mime="application/json", icon=":material/download:", on_click="ignore", key=_file_key(project, "export"),
        )  # fmt: skip


def _maker(project: Project, viewer: Viewer, number: int) -> Callable[[], bytes]:
    visitor = access.visitor()

    def make() -> bytes:
        with database.opened(visitor) as store:
            now = store.projects.viewer(project.id, viewer.name)
            found = [version for version in store.codebooks.versions(project.id, now) if version.version == number]
            if not found:
                raise NotFound("you may not see this codebook now; reload the page")
            return codebook_file.as_json(store.projects.get(project.id), found[0])

    return make


def _file_key(project: Project, name: object) -> str:
    return state.key("book_file", project.id, name)


def uploaded(label: str, key: str) -> CodebookFile | None:
    """A codebook that the visitor uploads; None if there is none yet, or it is invalid, which is then reported."""
    most = (demos.MOST_FILE_BYTES if access.demo() else codebook_file.MAX_BYTES) // 1_000_000
    file = st.file_uploader(f"{label} (JSON as exported here, up to {most} MB)", type="json", max_upload_size=most, key=key)
    if file is None:
        return None
    try:
        if access.demo():
            demos.check_upload(file.size)
        return codebook_file.read_codebook_file(file.name, file.getvalue())
    except ReadingError as error:
        st.error(markup.plain(f"{wording.sentence(str(error))} Nothing was imported."))
        return None


def about_file(file: CodebookFile) -> str:
    """What a file holds, and where it comes from."""
    changed = " It was changed after it was exported." if file.edited else ""
    return f"{wording.count(len(file.codes), 'code')} in use, of {codebook_changes.source_words(file.source)}.{changed}"


def _import(project: Project, viewer: Viewer, book: Codebook) -> None:
    made = int(state.value(_file_key(project, "made")) or 0)  # counted, so that the field is empty after each import
    file = uploaded("Import a codebook", _file_key(project, made))
    if file is None:
        return
    new, same, differ = codebook_changes.compare_codes(book, file.codes)
    st.html(markup.facts([about_file(file)]))
    st.html(markup.facts([f"{len(new):,} new here", f"{len(same):,} the same", f"{len(differ):,} different"]))
    if differ:
        names = ", ".join(shorten(code.called, 60) for code in differ[:20])
        words = f"These have the id or name of another code here and are not imported: {names}. Change the codes here by hand."
        st.html(markup.notice("warn", [words]))
    if new:
        label = f"Import {wording.count(len(new), 'code')} as version {book.version + 1}"
        st.button(label, type="primary", key=_file_key(project, "import"), on_click=_save, args=(project, viewer, book, file))


def _save(project: Project, viewer: Viewer, book: Codebook, file: CodebookFile) -> None:
    def act() -> str:
        new, _, _ = codebook_changes.compare_codes(book, file.codes)
        return codebook_edit.save_version(project, viewer, book.include(new, file.source))

    if flash.act(act):
        state.set_value(_file_key(project, "made"), int(state.value(_file_key(project, "made")) or 0) + 1)
