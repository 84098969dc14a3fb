"""Actions on the readings selected in the list: compare, tag, rename, export, delete. And the import of run files.

`session/access.py` decides what a visitor may do. Files are made when they are requested, never before.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st

from components.html import markup
from components.html.words import reading_words, wording
from components.readings import wording as words
from components.session import access, address, demos, flash, hidden_answers, state
from components.widgets import reading_links
from readers.cli.watch.import_traces import check_traces
from readers.engine.errors import ReadingError
from readers.engine.files.runs import unzip
from readers.engine.files.runs.run_file_schema import MAX_FILE_BYTES
from readers.engine.store import Run
from readers.engine.store.run_list import LONGEST_NAME, LONGEST_NOTE, LONGEST_TAG

MOST_FILES = 50
MOST_UNPACKED = 200  # run files from zips at once
MOST_MESSAGES = 12


@dataclass(frozen=True)
class ShownList:
    """The list as shown: the ids on this page, the number of readings in all, and a function that selects them all."""

    page: list[str]
    total: int
    tick_all: Callable[[], None]


def show(shown: ShownList) -> None:
    """The bar above the list."""
    ids = _existing(list(state.ticked_runs()))
    none = not ids
    with st.container(key="readings-bar", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(markup.aside(f"{len(ids):,} selected" if ids else "None selected"), width="content")
        label = f"Select all {shown.total:,}" if shown.total > len(shown.page) else "Select all"
        st.button(label, key=state.key("tick_all", "all"), on_click=shown.tick_all, disabled=not shown.total)
        st.button("Clear selection", key=state.key("tick_all", "none"), on_click=state.ticked_runs().clear, disabled=none)
        with st.container(key="readings-acts", horizontal=True, gap="small", width="content"):
            few = 2 <= len(ids) <= address.MOST_COMPARED
            hint = None if few else f"Select 2 to {address.MOST_COMPARED} readings to compare them."
            if st.button("Compare", key=state.key("readings", "compare"), disabled=not few, help=hint):
                st.switch_page("pages/4_Compare.py", query_params=address.to_compare(ids))
            with st.popover("Tags", disabled=none):
                _tags(ids)
            with st.popover("Name and note", disabled=len(ids) != 1, key=_box("name"), on_change="rerun"):
                if len(ids) == 1:
                    _name(ids[0])
            with st.popover("Export", disabled=none):
                _export(ids)
            reading_links.offer_site("readings", runs=ids)
            with st.popover("Delete …", disabled=none, key=_box("delete"), on_change="rerun"):
                _delete(ids)


def _box(name: str) -> str:
    """The key of a popover; setting it to False closes the popover."""
    return state.key("readings", "box", name)


def _existing(ids: list[str]) -> list[str]:
    """Those that exist and that the visitor may see; the others are deselected."""
    if not ids:
        return []
    with access.opened() as store:
        found = {run.id for run in store.run_list.runs(ids) if store.visits.may_see(run.id)}
    for run_id in ids:
        if run_id not in found:
            state.ticked_runs().pop(run_id, None)
    return [run_id for run_id in ids if run_id in found]


def _tags(ids: list[str]) -> None:
    with access.opened() as store:
        had = sorted({tag for tags in store.run_list.tags(ids).values() for tag in tags}, key=str.casefold)
    to = wording.count(len(ids))
    with st.form(state.key("tag", "form"), clear_on_submit=True, border=False):
        st.text_input(f"Tag for {to}", max_chars=LONGEST_TAG, key="tag")
        st.form_submit_button("Add tag", on_click=_add_tag, args=(ids,))
    if had:
        key = state.key("untag", state.short_hash(" ".join(ids)))
        st.selectbox("Tag to remove", had, key=key)
        st.button("Remove tag", key="untag", on_click=_remove_tag, args=(ids, key))


def _add_tag(ids: list[str]) -> None:
    tag = " ".join(str(state.value("tag") or "").split())
    _act(lambda: access.tag_runs(ids, tag), lambda number: f"Tagged {wording.count(number)} “{tag}”.")


def _remove_tag(ids: list[str], key: str) -> None:
    tag = str(state.value(key) or "")
    _act(lambda: access.untag_runs(ids, tag), lambda number: f"Removed “{tag}” from {wording.count(number)}.")


def _act(act: Callable[[], int], message: Callable[[int], str]) -> None:
    """Do it, and leave a message: `message` of the number of readings, or what went wrong."""
    try:
        flash.leave("success", message(act()))
    except ReadingError as error:
        flash.leave_error(error)


def _name(run_id: str) -> None:
    with access.opened() as store:
        run = store.runs.get(run_id)
    with st.form(state.key("name", "form", run_id), border=False):
        st.text_input("Name", value=run.name or "", max_chars=LONGEST_NAME, key=state.key("name", run_id))
        st.text_area("Note", value=run.note or "", max_chars=LONGEST_NOTE, key=state.key("note", run_id))
        st.form_submit_button("Save", on_click=_save_name, args=(run_id,))


def _save_name(run_id: str) -> None:
    name, note = (str(state.value(state.key(what, run_id)) or "") for what in ("name", "note"))
    try:
        access.set_name_and_note(run_id, name, note)
        flash.leave("success", "Saved name and note.")
        state.set_value(_box("name"), False)
    except ReadingError as error:
        flash.leave_error(error)


def _export(ids: list[str]) -> None:
    if len(ids) == 1:
        st.markdown("The whole reading with its text, calls and steps, as one JSON file that can be imported again.")
        name, kind = f"palimpsest-{ids[0]}.json", "application/json"
    else:
        st.markdown(f"A run file for each of the {len(ids):,} readings, in one zip of up to {words.MOST_ZIPPED // 1_000_000} MB.")
        name, kind = f"palimpsest-{datetime.now(UTC):%Y-%m-%d}-{len(ids)}-readings.zip", "application/zip"

    one = hidden_answers.exporter()

    def made() -> bytes:
        return json.dumps(one(ids[0]), ensure_ascii=False).encode() if len(ids) == 1 else words.zipped(ids, one)

    label = "Download the run file" if len(ids) == 1 else f"Download {len(ids):,} run files"
    st.download_button(label, made, file_name=name, mime=kind, key=state.key("save", len(ids)), on_click="ignore")


def _delete(ids: list[str]) -> None:
    st.markdown(reading_words.before_deleting(len(ids), **access.deletion_counts(ids)))
    label = "Delete" if len(ids) == 1 else f"Delete {len(ids):,}"
    st.button(label, key=state.key("delete", "ticked"), on_click=_delete_now, args=(ids,))


def _delete_now(ids: list[str]) -> None:
    state.set_value(_box("delete"), False)
    try:
        done = access.delete_runs(ids)
    except ReadingError as error:
        flash.leave_error(error)
        return
    for tone, sentence in words.deletion_messages(done):
        flash.leave(tone, sentence)


def show_import() -> None:
    """Run files from elsewhere, several at once."""
    most = (demos.MOST_FILE_BYTES if access.demo() else MAX_FILE_BYTES) // 1_000_000
    if state.value(state.key("take_in", "done")):
        state.set_value(state.key("take_in", "done"), False)
        state.set_value(_box("take in"), False)
    with st.popover("Import run files", key=_box("take in"), on_change="rerun"):
        st.markdown(
            "Readings exported as files, here or on another machine. Each is replayed with the replies in its file, which asks "
            "no model, and imported if the result is the same. Run files contain no tags, names or notes. What other tools "
            "recorded of a program is imported, too: OTLP JSON, Inspect’s logs, JSON lines, execution graphs."
        )
        with st.form(state.key("take_in", "form"), clear_on_submit=True, border=False):
            files = st.file_uploader(
                f"Run files (JSON), zips of them, or records of other tools, up to {most} MB each",
                type=["json", "jsonl", "eval", "zip"],
                accept_multiple_files=True,
                max_upload_size=most,
                key="take_in",
            )
            submitted = st.form_submit_button("Import")
        if submitted:
            _import([(file.name, file.getvalue) for file in files[:MOST_FILES]], len(files))
            state.set_value(state.key("take_in", "done"), True)
            st.rerun()


def _import(uploaded: list[unzip.Waiting], given: int) -> None:
    """Import the uploaded files, of which `given` were chosen, and leave messages about the result."""
    if not uploaded:
        flash.leave("warning", "No file chosen. Choose one or more run files first.")
    bar = st.progress(0.0, "Replaying …") if uploaded else None
    imported: list[Run] = []
    files, wrong = _unzipped(uploaded)
    for number, (name, data) in enumerate(files):
        if bar:
            bar.progress(number / len(files), f"File {number + 1:,} of {len(files):,}")
        try:
            imported += _imported(data(), name)
        except ReadingError as error:
            wrong.append(words.refusal(str(error)))
    _report(imported, wrong)
    left = given - len(uploaded)
    if left > 0:
        flash.leave("warning", f"At most {MOST_FILES} files are imported at once; the other {left:,} were not. Import them next.")


def _imported(data: bytes, name: str) -> list[Run]:
    """The readings of a run file, or of what another tool recorded; a public demo takes run files alone. Raises BadRunFile."""
    found = None if access.demo() else check_traces(data, name)
    if found is None:
        return [access.import_run(data, name)]
    readings, notes = found
    for note in notes:
        flash.leave("warning", wording.sentence(note))
    return access.import_traced(readings)


def _unzipped(given: list[unzip.Waiting]) -> tuple[list[unzip.Waiting], list[str]]:
    """The files, with each zip replaced by its contents, and why some zips were refused."""
    each = demos.MOST_FILE_BYTES if access.demo() else MAX_FILE_BYTES
    room = unzip.Room(files=MOST_UNPACKED, each=each, bytes=min(each, words.MOST_ZIPPED))
    found: list[unzip.Waiting] = []
    wrong: list[str] = []
    for name, data in given:
        if name.lower().endswith(".eval") or (not name.lower().endswith(".zip") and not unzip.is_zip(data()[:4])):
            found.append((name, data))
            continue
        try:
            found += unzip.run_files(data(), name, room)
        except ReadingError as error:
            wrong.append(wording.sentence(str(error)))
    return found, wrong


def _report(imported: list[Run], wrong: list[str]) -> None:
    """Leave messages about what was imported and what was refused."""
    marked = "marked in the list as imported from a file."
    if len(imported) == 1:
        flash.leave("success", f"Imported “{imported[0].question}”. It is {marked}")
    elif imported:
        flash.leave("success", f"Imported {wording.count(len(imported))}. Each is {marked}")
    for sentence in wrong[:MOST_MESSAGES]:
        flash.leave("error", sentence)
    if len(wrong) > MOST_MESSAGES:
        flash.leave("error", f"And {len(wrong) - MOST_MESSAGES:,} more files were refused.")
