"""What is done with the readings that are ticked in the list: tick all, compare, tag, name, save, delete. And run files taken in.

Whether a visitor may is `access.py`; files are made when they are asked for, never before.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st

from components.html import markup, run_list_words, wording
from components.readings import keys, unzip
from components.readings import wording as readings_told
from components.session import access, address, database, flash, state
from components.session import demo_limits as demos
from readers import get
from readers.engine.errors import NotFound, ReadingError
from readers.engine.files.run_file import run_file
from readers.engine.files.run_file_schema import MAX_FILE_BYTES
from readers.engine.store import Run
from readers.engine.store.run_list import LONGEST_NAME, LONGEST_NOTE, LONGEST_TAG

MOST_FILES = 50
MOST_UNPACKED = 200  # run files out of zips at once
MOST_TOLD = 12


@dataclass(frozen=True)
class Around:
    """The list that is shown: the ids of this page, how many there are in all, and how all of them are ticked."""

    page: list[str]
    total: int
    everything: Callable[[], None]


def show(around: Around) -> None:
    """The bar over the list."""
    ids = _there(list(state.ticked_runs()))
    none = not ids
    with st.container(key="readings-bar", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(markup.aside(f"{len(ids):,} chosen" if ids else "None chosen"), width="content")
        label = f"Choose all {around.total:,}" if around.total > len(around.page) else "Choose all"
        st.button(label, key=state.key(keys.TICK_ALL, "all"), on_click=around.everything, disabled=not around.total)
        st.button("Choose none", key=state.key(keys.TICK_ALL, "none"), on_click=state.ticked_runs().clear, disabled=none)
        with st.container(key="readings-acts", horizontal=True, gap="small", width="content"):
            few = 2 <= len(ids) <= address.MOST_COMPARED
            help = None if few else f"Choose 2 to {address.MOST_COMPARED} readings to compare them."
            if st.button("Compare", key=state.key(keys.LIST, "compare"), disabled=not few, help=help):
                address.go_to_compare(ids)
            with st.popover("Tags", disabled=none):
                _tags(ids)
            with st.popover("Name and note", disabled=len(ids) != 1, key=_box("name"), on_change="rerun"):
                if len(ids) == 1:
                    _name(ids[0])
            with st.popover("Save as files", disabled=none):
                _save(ids)
            with st.popover("Delete …", disabled=none, key=_box("delete"), on_change="rerun"):
                _delete(ids)


def _box(name: str) -> str:
    """The key of a box that opens below its button; it is closed by putting False there."""
    return state.key(keys.LIST, "box", name)


def _there(ids: list[str]) -> list[str]:
    """Those that are there, and may be seen; others are ticked no more."""
    if not ids:
        return []
    with access.opened() as store:
        found = {run.id for run in store.run_list.runs(ids) if store.may_see(run.id)}
    for id in ids:
        if id not in found:
            state.ticked_runs().pop(id, None)
    return [id for id in ids if id in found]


def _tags(ids: list[str]) -> None:
    with access.opened() as store:
        had = sorted({tag for tags in store.run_list.tags(ids).values() for tag in tags}, key=str.casefold)
    to = wording.count(len(ids))
    with st.form(state.key(keys.TAG, "form"), clear_on_submit=True, border=False):
        st.text_input(f"A tag for {to}", max_chars=LONGEST_TAG, key=keys.TAG)
        st.form_submit_button("Add the tag", on_click=_add_tag, args=(ids,))
    if had:
        key = state.key(keys.UNTAG, state.short_hash(" ".join(ids)))
        st.selectbox("A tag to take off", had, key=key)
        st.button("Take the tag off", key=keys.UNTAG, on_click=_take_off, args=(ids, key))


def _add_tag(ids: list[str]) -> None:
    tag = " ".join(str(state.value(keys.TAG) or "").split())
    _told(lambda: access.tag_runs(ids, tag), lambda number: f"“{tag}” was put on {wording.count(number)}.")


def _take_off(ids: list[str], key: str) -> None:
    tag = str(state.value(key) or "")
    _told(lambda: access.untag_runs(ids, tag), lambda number: f"“{tag}” was taken off {wording.count(number)}.")


def _told(act: Callable[[], int], said: Callable[[int], str]) -> None:
    try:
        flash.leave("success", said(act()))
    except ReadingError as error:
        flash.leave_error(error)


def _name(id: str) -> None:
    with access.opened() as store:
        run = store.run(id)
    with st.form(state.key(keys.NAME, "form", id), border=False):
        st.text_input("Name", value=run.name or "", max_chars=LONGEST_NAME, key=state.key(keys.NAME, id))
        st.text_area("Note", value=run.note or "", max_chars=LONGEST_NOTE, key=state.key(keys.NOTE, id))
        st.form_submit_button("Keep", on_click=_keep_name, args=(id,))


def _keep_name(id: str) -> None:
    name, note = (str(state.value(state.key(what, id)) or "") for what in (keys.NAME, keys.NOTE))
    try:
        access.name_run(id, name, note)
        flash.leave("success", "Name and note were kept.")
        state.set_value(_box("name"), False)
    except ReadingError as error:
        flash.leave_error(error)


def _save(ids: list[str]) -> None:
    if len(ids) == 1:
        st.markdown("The whole reading with its text, calls and steps, as one JSON file that can be taken in again.")
        name, kind = f"palimpsest-{ids[0]}.json", "application/json"
    else:
        st.markdown(
            f"A run file for each of the {len(ids):,} readings, in one zip of up to {readings_told.MOST_ZIPPED // 1_000_000} MB."
        )
        name, kind = f"palimpsest-{datetime.now(UTC):%Y-%m-%d}-{len(ids)}-readings.zip", "application/zip"

    def made() -> bytes:
        with database.opened() as store:

            def one(id: str) -> dict[str, object]:
                if not access.may_see(id):
                    raise NotFound(f"there is no reading {id!r}")
                return run_file(store, id, get(store.run(id).reader))

            return json.dumps(one(ids[0]), ensure_ascii=False).encode() if len(ids) == 1 else readings_told.zipped(ids, one)

    label = "Save the run file" if len(ids) == 1 else f"Save {len(ids):,} run files"
    st.download_button(label, made, file_name=name, mime=kind, key=state.key(keys.SAVE, len(ids)), on_click="ignore")


def _delete(ids: list[str]) -> None:
    st.markdown(run_list_words.before_deleting(len(ids), **access.deleting(ids)))
    label = "Delete it for good" if len(ids) == 1 else f"Delete {len(ids):,} for good"
    st.button(label, key=state.key(keys.DELETE, "ticked"), on_click=_delete_now, args=(ids,))


def _delete_now(ids: list[str]) -> None:
    state.set_value(_box("delete"), False)
    try:
        done = access.delete_runs(ids)
    except ReadingError as error:
        flash.leave_error(error)
        return
    for tone, sentence in readings_told.after_deleting(done):
        flash.leave(tone, sentence)


def take_in() -> None:
    """Run files from elsewhere, several at once."""
    most = (demos.MOST_FILE_BYTES if access.demo() else MAX_FILE_BYTES) // 1_000_000
    if state.value(state.key(keys.TAKE_IN, "done")):
        state.set_value(state.key(keys.TAKE_IN, "done"), False)
        state.set_value(_box("take in"), False)
    with st.popover("Take in run files", key=_box("take in"), on_change="rerun"):
        st.markdown(
            "Readings that were saved as files, here or on another machine. Each is done again with the replies in its file, "
            "which asks no model, and is taken in where it comes out the same. Tags, names and notes are not in a file."
        )
        with st.form(state.key(keys.TAKE_IN, "form"), clear_on_submit=True, border=False):
            files = st.file_uploader(
                f"Run files (JSON), or zips of them, up to {most} MB each",
                type=["json", "zip"],
                accept_multiple_files=True,
                max_upload_size=most,
                key=keys.TAKE_IN,
            )
            go = st.form_submit_button("Take them in")
        if go:
            _take_in([(file.name, file.getvalue) for file in files[:MOST_FILES]], len(files))
            state.set_value(state.key(keys.TAKE_IN, "done"), True)
            st.rerun()


def _take_in(given_files: list[unzip.Waiting], given: int) -> None:
    if not given_files:
        flash.leave("warning", "No file was given. Choose one or several run files first.")
    bar = st.progress(0.0, "Reading them again …") if given_files else None
    good: list[Run] = []
    files, wrong = _unzipped(given_files)
    for number, (name, data) in enumerate(files):
        if bar:
            bar.progress(number / len(files), f"File {number + 1:,} of {len(files):,}")
        try:
            good.append(access.take_in(data(), name))
        except ReadingError as error:
            wrong.append(readings_told.refused(str(error)))
    _say_taken(good, wrong)
    left = given - len(given_files)
    if left > 0:
        flash.leave("warning", f"{MOST_FILES} files are taken at once; the other {left:,} were left. Give them again.")


def _unzipped(given: list[unzip.Waiting]) -> tuple[list[unzip.Waiting], list[str]]:
    """The files with zips replaced by what is in them, and why some zips were not opened."""
    each = demos.MOST_FILE_BYTES if access.demo() else MAX_FILE_BYTES
    room = unzip.Room(files=MOST_UNPACKED, each=each, bytes=min(each, readings_told.MOST_ZIPPED))
    found: list[unzip.Waiting] = []
    wrong: list[str] = []
    for name, data in given:
        if not name.lower().endswith(".zip") and not unzip.is_zip(data()[:4]):
            found.append((name, data))
            continue
        try:
            found += unzip.run_files(data(), name, room)
        except ReadingError as error:
            wrong.append(wording.sentence(str(error)))
    return found, wrong


def _say_taken(good: list[Run], wrong: list[str]) -> None:
    marked = "marked in the list as taken in from a file."
    if len(good) == 1:
        flash.leave("success", f"“{good[0].question}” was taken in. It is {marked}")
    elif good:
        flash.leave("success", f"{wording.count(len(good))} were taken in. Each is {marked}")
    for sentence in wrong[:MOST_TOLD]:
        flash.leave("error", sentence)
    if len(wrong) > MOST_TOLD:
        flash.leave("error", f"And {len(wrong) - MOST_TOLD:,} more files were refused.")
