"""The codebook that a new project starts with: Palimpsest's own codes, none, another project's, or a file's.

Of another project, only what the visitor may see there can be taken. What is taken carries where it came from.
"""

from __future__ import annotations

import streamlit as st

from components.annotate.codebook import codebook_files
from components.annotate.codebook.wording import as_codebook, source_words
from components.annotate.projects.wording import FIRST_CODES, NO_CODES, OF_FILE, OF_PROJECT
from components.annotate.wording import option_title
from components.html import markup
from components.html.words import wording
from readers.engine.files.labels.codebook_file import source_of
from readers.engine.labels import codebook
from readers.engine.labels.codebook import Codebook
from readers.engine.store import Store


def choose(store: Store, viewer: str, key: str) -> Codebook | None:
    """Draw the fields, and return the chosen codebook; None if there is none yet."""
    first = st.radio("The codebook starts with", list(FIRST_CODES), format_func=option_title(FIRST_CODES), key=f"{key}.codes")
    if first == NO_CODES:
        return codebook.begun(())
    if first == OF_FILE:
        file = codebook_files.uploaded("Codebook", f"{key}.codes_file")
        if file is not None:
            st.html(markup.facts([codebook_files.about_file(file)]))
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
    source, book = source_of(project, latest), as_codebook(latest)
    st.html(markup.facts([f"{wording.count(len(book.in_use), 'code')} in use, of {source_words(source)}."]))
    return codebook.begun(book.codes, source)
