"""The codebook of a project: its codes with examples and near misses, its versions, and the labels to review after a change.

Changing it is in `edit.py`. Before stage 3 none of it is loaded, whatever the address says.
"""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from components.annotate import figures, keys
from components.annotate.codebook import codebook_files, edit, html
from components.annotate.codebook import wording as codebook_wording
from components.annotate.codebook.wording import as_codebook
from components.annotate.projects.html import reading
from components.annotate.projects.projects import NOBODY, PAGE
from components.annotate.wording import label_place, option_title
from components.html import markup
from components.html.figures import plot
from components.html.words import wording
from components.session import address, flash, state
from components.session.drawing import current_theme
from readers import READERS
from readers.engine.labels import codebook
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.codes import Code
from readers.engine.labels.label import Label
from readers.engine.labels.project import Project, Viewer, sees_codes
from readers.engine.labels.saturation import codes_by_reading, curve, saturation
from readers.engine.store import Store
from readers.engine.store.labels.codebooks import CodebookVersion
from readers.engine.text.shorten import shorten

CODES, CHANGE, REVIEW, VERSIONS, FILES = "codes", "change", "review", "versions", "files"
MOST_LISTED = 100


def show(store: Store, project: Project, viewer: Viewer) -> None:
    flash.show()
    if not sees_codes(viewer):
        st.html(markup.section("", "Codebook", explains=True))
        words = "The codes are hidden until stage 3, so that you note what you see, not what a list makes you look for."
        if not viewer.stage:
            words += " Join the project at the bench first. Only the project’s owner sees the codes before."
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
        edit.undo_button(store, project, viewer, [as_codebook(version) for version in versions[-2:]])
    if part == CHANGE:
        edit.show(project, viewer, book)
    elif part == REVIEW:
        _review(store, project, viewer, to_review)
    elif part == VERSIONS:
        _versions(versions)
    elif part == FILES:
        codebook_files.show(project, viewer, versions, book)
    else:
        edit.board_groups(project, viewer, book, store.boards.load(project.id, viewer))
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
    sentence = saturation(readings).sentence
    with st.container(key="book-saturation", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(markup.facts([scope + (sentence[:1].lower() + sentence[1:] if scope else sentence)]), width="content")
        if len(readings) > 1:
            with st.popover("Saturation curve"), st.container(width=520):
                drawn = figures.saturation(curve(readings), "codes", current_theme())
                st.plotly_chart(drawn, key=state.key(keys.BOOK, "curve"), theme=None, config=plot.CONFIG)


def _choose_part(to_review: int, versions: int) -> str:
    """The part of the view that the viewer chose."""
    titles = {
        CODES: "Codes", CHANGE: "Change", REVIEW: f"Review ({to_review:,})" if to_review else "Review",
        VERSIONS: f"Versions ({versions:,})" if versions else "Versions", FILES: "As a file",
    }  # fmt: skip
    key = state.key(keys.BOOK, "shown")
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
    used, titles = codebook_wording.label_counts(labels), {reader.id: reader.title for reader in READERS}

    def as_html(codes: list[Code]) -> list[str]:
        since = codebook_wording.meaning_since
        return [html.code(code, since=since(code), used=used[code.id], reader_titles=titles) for code in codes]

    families = [html.family(name, as_html(codes)) for name, codes in codebook_wording.families(book.in_use)]
    if retired := codebook_wording.retired(book):
        families.append(html.family("Retired", as_html(retired)))
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
    st.caption("None of these was changed. Open each, then keep its code or give it another.")
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
                    st.html(reading(question, []))
                st.html(html.to_review(wording.sentence(why), ["yours" if mine else label.annotator, label_place(label)]))
    if len(flagged) > MOST_LISTED:
        st.caption(f"And {len(flagged) - MOST_LISTED:,} more.")


def _versions(versions: list[CodebookVersion]) -> None:
    """What each version changed, the latest first."""
    now = datetime.now(UTC)
    books = [codebook_wording.EMPTY, *(as_codebook(version) for version in versions)]
    rows = []
    for number in range(len(versions), 0, -1):
        version, before, after = versions[number - 1], books[number - 1], books[number]
        differences = codebook_wording.differences(before, after) if number > 1 else []
        facts = [f"by {version.by}" if version.by else "", wording.ago(version.at, now)]
        change = codebook_wording.change_sentence(after.change, after, before)
        rows.append(html.version(version.version, change, facts, after.change.why, differences))
    st.html("".join(rows) or markup.empty("No version yet."))
