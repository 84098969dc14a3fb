"""Stage 2: an annotator groups their own notes, several at once, with the keyboard or the mouse.

The keys act on the current note, or on the selected notes if there are any: a digit puts them into an existing group, a typed
name makes a new one. Every change is saved at once and can be undone. Nobody else's notes are shown, and no codes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from components.annotate import bench, html
from components.annotate.wording import PAGE, option_title
from components.html import markup
from components.html.words import wording
from components.html.words.label_words import label_place
from components.session import access, address, flash, state
from components.widgets import report
from readers.engine.errors import Conflict, ReadingError
from readers.engine.labels.board import BoardGroup, own_group
from readers.engine.labels.label import CODES, GROUPS, NOTES, Label
from readers.engine.labels.project import Annotator, Project, Viewer, refused_stage
from readers.engine.report.values import Cell, Column, Figure, Row, Table
from readers.engine.store import Store
from readers.engine.text.shorten import shorten

A_PAGE, DIGITS = 25, 9
ALL, NONE = "all", "none"


@dataclass(frozen=True)
class Grouping:
    """An annotator's notes as the page shows them: all, those listed, the current one and the selected ones."""

    project: Project
    viewer: Viewer
    notes: Sequence[Label]
    listed: Sequence[Label]
    current: str
    selected: Sequence[str]

    @property
    def may_change(self) -> bool:
        return self.viewer.stage == GROUPS

    @property
    def memory(self) -> dict[str, Any]:
        """What the session remembers of the annotator's work; it may be newer than this drawing."""
        return _remembered(self.project.id, self.viewer.name)

    def targets(self) -> list[tuple[str, int]]:
        """The notes that a group's name applies to, with the revisions on this page: the selected ones, or the current one."""
        ids = set(self.memory["ticked"] or [self.memory["at"]])
        return [(note.id, note.revision) for note in self.notes if note.id in ids]


def _remembered(project_id: str, annotator: str) -> dict[str, Any]:
    """What the session remembers of an annotator's work: the selected notes, the current one, and past changes, for undo."""
    found: dict[str, Any] = state.remembered(state.key("_grouping", project_id, annotator), dict)
    return found


def show(store: Store, project: Project, viewer: Viewer) -> None:
    flash.show()
    if not viewer.stage:
        st.html(markup.empty("Here you group your own notes. Join the project at the bench first."))
        return
    if viewer.stage == NOTES:
        st.html(
            markup.empty(
                "Grouping comes after noting. Note what you see in the readings at the bench, then continue to stage 2 there."
            )
        )
        st.page_link(PAGE, label="To the bench", query_params=address.to_project(project.id))
        return
    notes = notes_of(store.labels.in_project(project.id, viewer, annotator=viewer.name), viewer.name)
    groups = groups_of(notes)
    if not notes:
        words = "You have no notes to group. What you note about the readings at the bench (key n there) will be listed here."
        if viewer.stage == GROUPS:
            st.html(markup.empty(f"{words} Continue to the codebook."))
            _go_on(store, project, viewer, notes)
        else:
            bench.nothing_yet(project, words)
        return
    grouping = _grouping(project, viewer, notes)
    with st.container(key="two-groups"):
        left, right = st.columns([1.22, 0.78], gap="medium")
    with left:
        st.html(markup.section("", "Your notes", hint=wording.count(len(notes), "note")))
        _notes(store, grouping, groups)
    with right:
        if grouping.may_change:
            _acts(grouping, in_stable_order(store.labels.group_names(project.id, viewer.name), groups))
        st.html(markup.section("", "Groups", hint=wording.count(len(groups), "group") if groups else ""))
        report.draw(group_counts(groups, ungrouped(notes)), kind="groups")
        _go_on(store, project, viewer, notes)


def _grouping(project: Project, viewer: Viewer, notes: Sequence[Label]) -> Grouping:
    memory = _remembered(project.id, viewer.name)
    key = state.key("group", "show", project.id)
    shows = str(state.value(key) or ALL)
    listed = [note for note in notes if shows == ALL or own_group(note) == shows.removeprefix("=" if shows != NONE else NONE)]
    ids = [note.id for note in listed]
    if memory.get("at") not in ids:
        memory["at"] = next_ungrouped(listed, "", ())
    own = {note.id for note in notes}
    memory["ticked"] = {note_id: None for note_id in memory.get("ticked", {}) if note_id in own}
    return Grouping(project, viewer, notes, listed, memory["at"], list(memory["ticked"]))


# The notes


def _notes(store: Store, grouping: Grouping, groups: Sequence[BoardGroup]) -> None:
    options = [ALL, NONE, *(f"={one.name}" for one in groups)]
    key = state.key("group", "show", grouping.project.id)
    if state.value(key) not in (None, *options):
        state.set_value(key, ALL)
    names = {ALL: f"All ({len(grouping.notes):,})", NONE: f"Without a group ({ungrouped(grouping.notes):,})"}
    names |= {f"={one.name}": f"{one.name} ({len(one.notes):,})" for one in groups}
    with st.container(key="group-bar", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox("Show", options, format_func=option_title(names, 60), key=key, width=280)
        ids = [note.id for note in grouping.listed]
        st.button(
            "Select all listed",
            on_click=_select_all,
            args=(grouping, ids),
            key=state.key("note_tick", "all"),
            disabled=not grouping.may_change,
        )
        st.button(
            "Clear selection",
            on_click=_select_all,
            args=(grouping, []),
            key=state.key("note_tick", "none"),
            disabled=not grouping.selected,
        )
    if not grouping.listed:
        st.html(markup.empty("None of your notes matches. Show all of them."))
        return
    runs = {run.id: run.question for run in store.run_list.runs({note.run for note in grouping.listed})}
    start = A_PAGE * (next((n for n, note in enumerate(grouping.listed) if note.id == grouping.current), 0) // A_PAGE)
    with st.container(key="own-notes", gap=None):
        for note in grouping.listed[start : start + A_PAGE]:
            _row(grouping, note, runs)
    if len(grouping.listed) > A_PAGE:
        last, total = min(start + A_PAGE, len(grouping.listed)), len(grouping.listed)
        st.caption(f"Notes {start + 1:,} to {last:,} of {total:,}; the keys move through all of them.")


def _row(grouping: Grouping, note: Label, runs: Mapping[str, str]) -> None:
    words = str(note.value.get("words", ""))
    current = grouping.may_change and note.id == grouping.current
    places = [label_place(note), shorten(runs.get(note.run, "a reading that was deleted"), 120)]
    row = html.note(words, places, own_group(note), current=current)
    if not grouping.may_change:
        st.html(row)
        return
    with st.container(key=f"note-{note.id}", horizontal=True, gap="small"):
        key = state.key("note_tick", grouping.project.id, note.id)
        state.set_value(key, note.id in grouping.selected)
        st.checkbox(
            f"Select: {shorten(markup.plain(words), 120)}", key=key, label_visibility="collapsed", on_change=_select,
            args=(grouping, note.id, key),
        )  # fmt: skip
        st.html(row)


def _select(grouping: Grouping, note_id: str, key: str) -> None:
    selected = grouping.memory["ticked"]
    if state.value(key):
        selected[note_id] = None
    else:
        selected.pop(note_id, None)


def _select_all(grouping: Grouping, ids: Sequence[str]) -> None:
    grouping.memory["ticked"] = dict.fromkeys(ids)


# Assigning groups


def _acts(grouping: Grouping, groups: Sequence[BoardGroup]) -> None:
    """A field for a group's name, a button for each group in use, and the keys."""
    memory = grouping.memory
    many = len(grouping.selected)
    which = f"the {many:,} selected notes" if many > 1 else "the selected note" if many else "the outlined note"
    st.html(markup.section("", f"Put {which} into"))
    current = next((note for note in grouping.notes if note.id == grouping.current and not many), None)
    if current is not None:
        st.html(html.current_note(shorten(str(current.value.get("words", "")), 200)))
    key = state.key("group", "name", grouping.project.id, memory.get("named", 0))
    st.selectbox(
        "Group name: choose one, or type a new one and press Enter", [group.name for group in groups], index=None, key=key,
        accept_new_options=True, placeholder="What do these have in common?", on_change=_name_typed, args=(grouping, key, groups),
    )  # fmt: skip
    with st.container(key="group-keys", gap="xsmall"):
        for number, group in enumerate(groups[:DIGITS], 1):
            st.button(
                f"{markup.plain(shorten(group.name, 60))}", key=state.key("group", "into", grouping.project.id, number),
                shortcut=str(number), width="stretch", on_click=_assign, args=(grouping, group.name),
            )  # fmt: skip
    with st.container(key="group-moves", horizontal=True, gap="xsmall"):
        moves: tuple[tuple[str, str, Any, tuple[Any, ...], bool], ...] = (
            ("Next", "N", _move, (grouping, 1), False), ("Previous", "P", _move, (grouping, -1), False),
            ("Select", "X", _toggle, (grouping,), False), ("No group", "0", _assign, (grouping, ""), False),
            ("Undo", "U", _undo, (grouping,), not memory.get("log")),
        )  # fmt: skip
        for label, shortcut, act, args, off in moves:
            st.button(label, key=state.key("group", "key", label), shortcut=shortcut, on_click=act, args=args, disabled=off)
    st.caption("The keys work whenever you are not typing.")


def _move(grouping: Grouping, by: int) -> None:
    ids = [note.id for note in grouping.listed]
    if ids:
        current = grouping.memory["at"]
        here = ids.index(current) if current in ids else 0
        grouping.memory["at"] = ids[(here + by) % len(ids)]


def _toggle(grouping: Grouping) -> None:
    selected, current = grouping.memory["ticked"], grouping.memory["at"]
    if selected.pop(current, ...) is ...:
        selected[current] = None


def _name_typed(grouping: Grouping, key: str, groups: Sequence[BoardGroup]) -> None:
    name = tidy_group(str(state.value(key) or ""), [group.name for group in groups])
    if name:
        grouping.memory["named"] = grouping.memory.get("named", 0) + 1  # a new, empty field
        _assign(grouping, name)


def _assign(grouping: Grouping, name: str) -> None:
    """Put the notes into a group, provided that they are as this page shows them; then move to the next ungrouped note."""
    memory = grouping.memory
    done: list[tuple[str, int]] = []

    def assign(store: Store, note_id: str, revision: int) -> None:
        label = store.labels.get(note_id, grouping.viewer)
        now = store.labels.put(replace(label, value={**label.value, "group": name}), revision)
        if now.revision != revision:
            done.append((note_id, now.revision))

    targets = grouping.targets()
    if not _each(targets, assign):
        return
    if done:
        memory["log"] = [*memory.get("log", ()), done][-50:]
    memory["ticked"] = {}
    memory["at"] = next_ungrouped(grouping.listed, memory["at"], [note_id for note_id, _ in targets])


def _undo(grouping: Grouping) -> None:
    """Undo the last change and return to the note it was made on."""
    memory = grouping.memory
    if not memory.get("log"):
        return
    *memory["log"], last = memory["log"]
    _each(last, lambda store, note_id, revision: store.labels.undo(note_id, grouping.viewer.name, expected=revision))
    memory["at"] = last[0][0]


def _each(targets: Sequence[tuple[str, int]], act: Any) -> bool:
    """Do something to each note; whether it worked for any. A note that was changed elsewhere is left unchanged and reported."""
    late, done = 0, 0
    with access.opened() as store:
        for note_id, revision in targets:
            try:
                act(store, note_id, revision)
                done += 1
            except Conflict:
                late += 1
            except ReadingError as error:
                flash.leave_error(error)
    if late:
        were = "was" if late == 1 else "were"
        changed = f"{wording.count(late, 'note')} {were} changed in another window"
        flash.leave("warning", f"{changed}. The page now shows the current state.")
    return bool(done)


# On to the codebook


def _go_on(store: Store, project: Project, viewer: Viewer, notes: Sequence[Label]) -> None:
    """What is missing before stage 3, and the way there. There is no way back."""
    if viewer.stage >= CODES:
        st.html(markup.facts(["Your groups stay unchanged. In the codebook you can turn a group into a code."]))
        st.page_link(PAGE, label="To the codebook", query_params=address.to_project(project.id, "codebook"))
        return
    who = Annotator(viewer.name, "", viewer.stage)
    why = refused_stage(who, CODES, turns=(), ungrouped=ungrouped(notes))
    st.html(markup.section("", "Next: the codebook"))
    st.html(html.warnings([wording.sentence(why)]) if why else markup.facts(["Every note has a group."]))
    with st.popover("Continue to stage 3: see the codes", disabled=bool(why)):
        st.markdown("You cannot return to this stage: once you have seen the codes, you cannot group without them.")
        if st.button("Continue", type="primary", key=state.key("stage_on", project.id, "from-groups")):
            try:
                store.projects.advance(project.id, viewer.name, CODES)
            except ReadingError as error:
                flash.error(error)
                return
            address.open_project(project.id, "codebook")


# Notes and their groups


def notes_of(labels: Iterable[Label], annotator: str) -> list[Label]:
    """The annotator's notes in reading order: reading by reading, notes on the whole reading before notes on its steps."""
    own = [label for label in labels if label.kind == "note" and label.annotator == annotator and not label.removed]
    return sorted(own, key=lambda note: (note.run, note.step or 0, note.id))


def groups_of(notes: Iterable[Label]) -> list[BoardGroup]:
    """The groups in use, the largest first, without the ungrouped notes."""
    by_name: dict[str, list[Label]] = {}
    for note in notes:
        if name := own_group(note):
            by_name.setdefault(name, []).append(note)
    found = (BoardGroup(name, tuple(members)) for name, members in by_name.items())
    return sorted(found, key=lambda group: (-len(group.notes), group.name))


def in_stable_order(before: Iterable[str], found: Sequence[BoardGroup]) -> list[BoardGroup]:
    """The groups in the order in which their names were first used (`before`), so that a digit key keeps its group, also when the
    page was left or loaded again."""
    by_name = {group.name: group for group in found}
    return [by_name[name] for name in dict.fromkeys([*before, *by_name]) if name in by_name]


def ungrouped(notes: Iterable[Label]) -> int:
    """How many notes have no group."""
    return sum(not own_group(note) for note in notes)


def tidy_group(name: str, used: Sequence[str]) -> str:
    """The name as stored. A name that differs from a used one only in capitals becomes the used one."""
    tidy = " ".join(name.split())
    return next((known for known in used if known.casefold() == tidy.casefold()), tidy)


def next_ungrouped(notes: Sequence[Label], current: str, just_grouped: Collection[str]) -> str:
    """The id of the next ungrouped note, searched from `current` and round; `just_grouped` do not count."""
    ids = [note.id for note in notes]
    start = ids.index(current) if current in ids else 0
    for note in [*notes[start:], *notes[:start]]:
        if not own_group(note) and note.id not in just_grouped:
            return note.id
    return current if current in ids else (ids[0] if ids else "")


def group_counts(groups: Sequence[BoardGroup], ungrouped: int) -> Table:
    """The groups with their notes and readings, and the notes without one."""
    rows = [
        Row(group.name, [Cell(Figure(len(group.notes), unit="count")), Cell(Figure(group.readings, unit="count"))])
        for group in groups
    ]
    rows += [Row("No group yet", [Cell(f"{ungrouped:,}"), Cell("")])] * bool(ungrouped)
    most = max([1, *(len(group.notes) for group in groups)])
    return Table("Groups", [Column("Notes", axis=(0.0, float(most))), Column("Readings")], rows, head="Group")
