"""The codebook as a file: exported by version, and imported into this project. An import adds new codes and changes none.

A file is made when it is requested, and holds what the viewer may see at that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from components.annotate import keys
from components.annotate.codebook import wording as codebook_wording
from components.annotate.wording import option_title
from components.html import markup
from components.html.words import wording
from components.session import access, database, demos, flash, state
from readers.engine.errors import NotFound, ReadingError
from readers.engine.files.labels import codebook_file
from readers.engine.files.labels.codebook_file import CodebookFile
from readers.engine.labels import codebook
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.project import Project, Viewer
from readers.engine.store.labels.codebooks import CodebookVersion
from readers.engine.text.shorten import shorten

ABOUT = (
    "The file says the project, the version, its date and the hash of its codes. A new project can start with it, and its new "
    "codes can be added to this codebook here."
)


def show(project: Project, viewer: Viewer, versions: Sequence[CodebookVersion], book: Codebook) -> None:
    st.html(markup.aside(ABOUT))
    if versions:
        _export(project, viewer, versions)
    if viewer.name:
        _import(project, viewer, book)


def _export(project: Project, viewer: Viewer, versions: Sequence[CodebookVersion]) -> None:
    numbers = [version.version for version in reversed(versions)]
    titles = {str(version.version): f"Version {version.version:,}, {version.at[:10]}" for version in versions}
    with st.container(key="book-export", horizontal=True, vertical_alignment="bottom", gap="small"):
        number = st.selectbox("Version", numbers, format_func=option_title(titles), width=260, key=_key(project, "version"))
        st.download_button(
            "Export as JSON", _maker(project, viewer, number), file_name=f"palimpsest-codebook-{project.id}-{number}.json",
            mime="application/json", icon=":material/download:", on_click="ignore", key=_key(project, "export"),
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


def _key(project: Project, name: object) -> str:
    return state.key(keys.BOOK_FILE, project.id, name)


def uploaded(label: str, key: str) -> CodebookFile | None:
    """A codebook that the visitor uploads; None if there is none yet, or it is invalid, which is then said."""
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
    return f"{wording.count(len(file.codes), 'code')} in use, of {codebook_wording.source_words(file.source)}.{changed}"


def _import(project: Project, viewer: Viewer, book: Codebook) -> None:
    made = int(state.value(_key(project, "made")) or 0)  # counted, so that the field is empty after each import
    file = uploaded("Import a codebook", _key(project, made))
    if file is None:
        return
    found = codebook_wording.compare_codes(book, file.codes)
    st.html(markup.facts([about_file(file)]))
    st.html(markup.facts([f"{len(found.new):,} new here", f"{len(found.same):,} the same", f"{len(found.differ):,} different"]))
    if found.differ:
        names = ", ".join(shorten(code.called, 60) for code in found.differ[:20])
        words = f"These have the id or name of another code here and are not imported: {names}. Change the codes here by hand."
        st.html(markup.notice("warn", [words]))
    if found.new:
        label = f"Import {wording.count(len(found.new), 'code')} as version {book.version + 1}"
        st.button(label, type="primary", key=_key(project, "import"), on_click=_save, args=(project, viewer, book, file))


def _save(project: Project, viewer: Viewer, book: Codebook, file: CodebookFile) -> None:
    try:
        new = book.include(codebook_wording.compare_codes(book, file.codes).new, file.source)
        codes, change = codebook.to_json(new)
        with access.opened() as store:
            store.codebooks.add(project.id, codes, change=change, viewer=viewer, expected=book.version)
    except ReadingError as error:
        flash.leave_error(error)
        return
    state.set_value(_key(project, "made"), int(state.value(_key(project, "made")) or 0) + 1)
    flash.leave("success", f"Version {new.version} is saved.")
