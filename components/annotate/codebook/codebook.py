"""The codebook of a project: its codes, what stands between a code and its neighbours, its versions, and the labels that a change
left behind. Changing it is `annotate_codebook_act.py`.

Before stage 3 nothing of it is fetched, whatever the address says.
"""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from components.annotate import keys
from components.annotate.codebook import edit
from components.annotate.codebook import wording as told
from components.annotate.projects import html
from components.annotate.projects.project import NOBODY, PAGE
from components.annotate.projects.wording import line, named, notes_of
from components.html import markup, wording
from components.session import address, flash, state
from readers import READERS
from readers.engine.labels import codebook
from readers.engine.labels.code import Code
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.label import Label
from readers.engine.labels.project import Project, Viewer, sees_codes
from readers.engine.store import Store
from readers.engine.store.codebooks import CodebookVersion

CODES, CHANGE, AGAIN, VERSIONS = "codes", "change", "again", "versions"
MOST_LISTED = 100


def show(store: Store, project: Project, viewer: Viewer) -> None:
    flash.show()
    if not sees_codes(viewer):
        st.html(markup.section("", "Codebook"))
        words = "The codes are hidden until stage 3, so that what you note is what you see and not what a list has you look for."
        if not viewer.stage:
            words += " Join the project at the bench; its lead sees them before."
        st.html(markup.empty(words))
        st.page_link(PAGE, label="To the bench", query_params=address.to_project(project.id))
        return
    kept = store.codebooks.versions(project.id, viewer)
    book = told.read(kept[-1] if kept else None)
    labels = store.labels.in_project(project.id, viewer)
    again = codebook.flagged(book, labels)
    _head(store, project, viewer, (book, labels))
    shown = _shown(len(again), len(kept))
    if shown == CHANGE:
        edit.show(project, viewer, book)
    elif shown == AGAIN:
        _again(store, project, viewer, again)
    elif shown == VERSIONS:
        _versions(kept)
    else:
        edit.own_groups(project, viewer, book, notes_of(labels, viewer.name))
        _codes(book, labels)


def _head(store: Store, project: Project, viewer: Viewer, said_of: tuple[Codebook, list[Label]]) -> None:
    """Which version it is, and whether readings still bring new codes."""
    book, labels = said_of
    st.html(markup.section("", "Codebook", hint=f"version {book.version} · {wording.count(len(book.in_use), 'code')} in use"))
    seen = [label for label in labels if viewer.whole or label.annotator == viewer.name]
    turns = store.turns.in_project(project.id, NOBODY, annotator=None if viewer.whole else viewer.name)
    whose = "" if viewer.whole or not viewer.stage else "In your own readings: "
    counted = codebook.saturation(codebook.coded(seen, turns)).told
    st.html(markup.facts([whose + (counted[:1].lower() + counted[1:] if whose else counted)]))


def _shown(again: int, versions: int) -> str:
    """Which part is looked at."""
    titles = {
        CODES: "Codes", CHANGE: "Change it", AGAIN: f"Look again ({again:,})" if again else "Look again",
        VERSIONS: f"Versions ({versions:,})" if versions else "Versions",
    }  # fmt: skip
    key = state.key(keys.BOOK, "shown")
    chosen = st.segmented_control(
        "What of it", list(titles), default=CODES, required=True, format_func=named(titles), key=key, label_visibility="collapsed"
    )
    return str(chosen or CODES)


def _codes(book: Codebook, labels: list[Label]) -> None:
    if not book.codes:
        st.html(markup.empty("No code yet. Add the first one under “Change it”, or make one of a group of your notes."))
        return
    used, titles = told.uses(labels), {reader.id: reader.title for reader in READERS}

    def drawn(codes: list[Code]) -> list[str]:
        return [html.code(code, since=told.meant_since(code), used=used[code.id], titles=titles) for code in codes]

    families = [html.family(name, drawn(codes)) for name, codes in told.families(book.in_use)]
    if gone := told.retired(book):
        families.append(html.family("Retired", drawn(gone)))
    st.caption("Open a code for an example, what it is not, and where to look.")
    st.html(html.codebook(families))


def _again(store: Store, project: Project, viewer: Viewer, found: list[tuple[Label, str]]) -> None:
    """The labels made under an older definition, one's own first, each a link to where it was made."""
    if not found:
        st.html(
            markup.empty(
                "No label was made under an older definition. Where the meaning of a code changes, they are listed here."
            )
        )
        return
    st.caption("None of these was changed. Open each, and keep its code, or give it another one.")
    found = sorted(found, key=lambda one: one[0].annotator != viewer.name)
    runs = {run.id: run.question for run in store.run_list.runs({label.run for label, _ in found})}
    with st.container(key="look-again", gap=None):
        for label, why in found[:MOST_LISTED]:
            mine = label.annotator == viewer.name
            question = line(runs.get(label.run, "a reading that was deleted"), 160)
            with st.container(key=f"text-again-{label.id}", gap=None):
                if mine:
                    link = address.to_project(project.id, run=label.run) | address.at_step(label.step)
                    st.page_link(PAGE, label=markup.plain(question), query_params=link)
                elif viewer.whole:
                    st.page_link("pages/3_Trace.py", label=markup.plain(question), query_params=address.to_trace(label.run))
                else:
                    st.html(html.reading(question, []))
                st.html(html.again(wording.sentence(why), ["yours" if mine else label.annotator, told.about(label)]))
    if len(found) > MOST_LISTED:
        st.caption(f"And {len(found) - MOST_LISTED:,} more.")


def _versions(kept: list[CodebookVersion]) -> None:
    """What each version changed, the last one first."""
    now = datetime.now(UTC)
    books = [told.EMPTY, *(told.read(one) for one in kept)]
    rows = []
    for number in range(len(kept), 0, -1):
        one, before, after = kept[number - 1], books[number - 1], books[number]
        differences = told.differences(before, after) if number > 1 else []
        facts = [f"by {one.by}" if one.by else "", wording.ago(one.at, now)]
        rows.append(html.version(one.version, told.told(after.change, after, before), facts, after.change.why, differences))
    st.html("".join(rows) or markup.empty("There is no version yet."))
