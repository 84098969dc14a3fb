"""Stage 2: an annotator puts their own notes into groups of their own, several at once, by keyboard if they like.

One note is where the keys act, until others are ticked: a digit puts it into a group that is there, a name that is typed makes a
new one. What is changed is saved at once and can be taken back. Nobody else's notes are here, and no code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from components.annotate import keys
from components.annotate.projects import html as annotate_words
from components.annotate.projects import wording as told
from components.annotate.projects.project import PAGE
from components.annotate.projects.wording import Group
from components.html import markup, wording
from components.session import access, address, flash, state
from readers.engine.errors import Conflict, ReadingError
from readers.engine.labels.label import CODES, GROUPS, NOTES, Label
from readers.engine.labels.project import Annotator, Project, Viewer, refused_stage
from readers.engine.store import Store

A_PAGE, DIGITS = 25, 9
ALL, NONE = "all", "none"


@dataclass(frozen=True)
class Desk:
    """All of one annotator's notes with what is on the page of them: those listed, the one the keys act on, those chosen."""

    project: Project
    viewer: Viewer
    notes: Sequence[Label]
    listed: Sequence[Label]
    at: str
    ticked: Sequence[str]

    @property
    def may(self) -> bool:
        return self.viewer.stage == GROUPS

    @property
    def kept(self) -> dict[str, Any]:
        """Where the annotator is by now, which may be further on than this drawing."""
        return _remembered(self.project.id, self.viewer.name)

    def targets(self) -> list[tuple[str, int]]:
        """What a group's name is given to: the notes chosen, or the one that the keys act on; each as it stands on this page."""
        ids = set(self.kept["ticked"] or [self.kept["at"]])
        return [(note.id, note.revision) for note in self.notes if note.id in ids]


def _remembered(project_id: str, annotator: str) -> dict[str, Any]:
    """Where an annotator is in grouping their notes: those chosen, the one they are at, and what was done last, for undo."""
    found: dict[str, Any] = state.remembered(state.key(keys.GROUPING, project_id, annotator), dict)
    return found


def show(store: Store, project: Project, viewer: Viewer) -> None:
    flash.show()
    if not viewer.stage:
        st.html(markup.empty("Groups are made of one’s own notes. Join the project at the bench first."))
        return
    if viewer.stage == NOTES:
        st.html(
            markup.empty("Grouping comes after noting: read at the bench and note what you see, then go on to stage 2 there.")
        )
        st.page_link(PAGE, label="To the bench", query_params=address.to_project(project.id))
        return
    notes = told.notes_of(store.labels.in_project(project.id, viewer, annotator=viewer.name), viewer.name)
    groups = told.groups(notes)
    if not notes:
        words = "There are no notes of yours to group."
        st.html(markup.empty(f"{words} Go on to the codebook." if viewer.stage == GROUPS else words))
        _go_on(store, project, viewer, notes)
        return
    desk = _desk(project, viewer, notes)
    with st.container(key="two-groups"):
        left, right = st.columns([1.22, 0.78], gap="medium")
    with left:
        st.html(markup.section("", "Your notes", hint=wording.count(len(notes), "note")))
        _notes(store, desk, groups)
    with right:
        if desk.may:
            _acts(desk, groups)
        st.html(markup.section("", "Groups", hint=wording.count(len(groups), "group") if groups else ""))
        st.html(annotate_words.group_counts([(one.name, len(one.notes), one.readings) for one in groups], told.ungrouped(notes)))
        _go_on(store, project, viewer, notes)


def _desk(project: Project, viewer: Viewer, notes: Sequence[Label]) -> Desk:
    kept = _remembered(project.id, viewer.name)
    key = state.key(keys.GROUP, "show", project.id)
    shows = str(state.value(key) or ALL)
    listed = [note for note in notes if shows == ALL or told.group_of(note) == shows.removeprefix("=" if shows != NONE else NONE)]
    ids = [note.id for note in listed]
    if kept.get("at") not in ids:
        kept["at"] = told.next_ungrouped(listed, "", ())
    kept["ticked"] = {id: None for id in kept.get("ticked", {}) if id in {note.id for note in notes}}
    return Desk(project, viewer, notes, listed, kept["at"], list(kept["ticked"]))


# The notes


def _notes(store: Store, desk: Desk, groups: Sequence[Group]) -> None:
    options = [ALL, NONE, *(f"={one.name}" for one in groups)]
    key = state.key(keys.GROUP, "show", desk.project.id)
    if state.value(key) not in (None, *options):
        state.set_value(key, ALL)
    names = {ALL: f"All ({len(desk.notes):,})", NONE: f"Without a group ({told.ungrouped(desk.notes):,})"}
    names |= {f"={one.name}": f"{one.name} ({len(one.notes):,})" for one in groups}
    with st.container(key="group-bar", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox("Show", options, format_func=told.named(names, 60), key=key, width=280)
        ids = [note.id for note in desk.listed]
        st.button(
            "Choose these", on_click=_tick_all, args=(desk, ids), key=state.key(keys.NOTE_TICK, "all"), disabled=not desk.may
        )
        st.button(
            "Choose none", on_click=_tick_all, args=(desk, []), key=state.key(keys.NOTE_TICK, "none"), disabled=not desk.ticked
        )
    if not desk.listed:
        st.html(markup.empty("No note of yours is like this. Show all of them."))
        return
    runs = {run.id: run.question for run in store.run_list.runs({note.run for note in desk.listed})}
    start = A_PAGE * (next((n for n, note in enumerate(desk.listed) if note.id == desk.at), 0) // A_PAGE)
    with st.container(key="own-notes", gap=None):
        for note in desk.listed[start : start + A_PAGE]:
            _row(desk, note, runs)
    if len(desk.listed) > A_PAGE:
        st.caption(f"Notes {start + 1:,} to {min(start + A_PAGE, len(desk.listed)):,} of {len(desk.listed):,}; the keys lead on.")


def _row(desk: Desk, note: Label, runs: Mapping[str, str]) -> None:
    words = str(note.value.get("words", ""))
    here = desk.may and note.id == desk.at
    html = annotate_words.note(
        words,
        [told.where(note), told.line(runs.get(note.run, "a reading that was deleted"), 120)],
        told.group_of(note),
        here=here,
    )
    if not desk.may:
        st.html(html)
        return
    with st.container(key=f"note-{note.id}", horizontal=True, gap="small"):
        key = state.key(keys.NOTE_TICK, desk.project.id, note.id)
        state.set_value(key, note.id in desk.ticked)
        st.checkbox(
            f"Choose: {told.line(markup.plain(words), 120)}", key=key, label_visibility="collapsed", on_change=_tick,
            args=(desk, note.id, key),
        )  # fmt: skip
        st.html(html)


def _tick(desk: Desk, id: str, key: str) -> None:
    kept = desk.kept
    if state.value(key):
        kept["ticked"][id] = None
    else:
        kept["ticked"].pop(id, None)


def _tick_all(desk: Desk, ids: Sequence[str]) -> None:
    desk.kept["ticked"] = dict.fromkeys(ids)


# Putting them into groups


def _acts(desk: Desk, groups: Sequence[Group]) -> None:
    """The keys, a field for a name, and the groups used so far."""
    kept = desk.kept
    groups = told.steady(kept.get("order", ()), groups)
    kept["order"] = [one.name for one in groups]
    many = len(desk.ticked)
    to = f"the {wording.count(many, 'note')} chosen" if many > 1 else "the note chosen" if many else "the note that is ringed"
    st.html(markup.section("", f"Put {to} into"))
    ringed = next((note for note in desk.notes if note.id == desk.at and not many), None)
    if ringed is not None:
        st.html(annotate_words.ringed(told.line(str(ringed.value.get("words", "")), 200)))
    key = state.key(keys.GROUP, "name", desk.project.id, kept.get("named", 0))
    st.selectbox(
        "A group’s name: choose one, or type a new one and press Enter", [one.name for one in groups], index=None, key=key,
        accept_new_options=True, placeholder="What do these have in common?", on_change=_named, args=(desk, key, groups),
    )  # fmt: skip
    with st.container(key="group-keys", gap="xsmall"):
        for number, one in enumerate(groups[:DIGITS], 1):
            st.button(
                f"{markup.plain(told.line(one.name, 60))}", key=state.key(keys.GROUP, "into", desk.project.id, number),
                shortcut=str(number), width="stretch", on_click=_put, args=(desk, one.name),
            )  # fmt: skip
    with st.container(key="group-moves", horizontal=True, gap="xsmall"):
        moves: tuple[tuple[str, str, Any, tuple[Any, ...], bool], ...] = (
            ("Next", "N", _move, (desk, 1), False), ("Before", "P", _move, (desk, -1), False),
            ("Choose", "X", _toggle, (desk,), False), ("No group", "0", _put, (desk, ""), False),
            ("Undo", "U", _undo, (desk,), not kept.get("log")),
        )  # fmt: skip
        for label, shortcut, act, args, off in moves:
            st.button(label, key=state.key(keys.GROUP, "key", label), shortcut=shortcut, on_click=act, args=args, disabled=off)
    st.caption("The keys work wherever you are not typing.")


def _move(desk: Desk, by: int) -> None:
    ids = [note.id for note in desk.listed]
    if ids:
        at = desk.kept["at"]
        here = ids.index(at) if at in ids else 0
        desk.kept["at"] = ids[(here + by) % len(ids)]


def _toggle(desk: Desk) -> None:
    ticked, at = desk.kept["ticked"], desk.kept["at"]
    if ticked.pop(at, ...) is ...:
        ticked[at] = None


def _named(desk: Desk, key: str, groups: Sequence[Group]) -> None:
    name = told.tidy_group(str(state.value(key) or ""), [one.name for one in groups])
    if name:
        desk.kept["named"] = desk.kept.get("named", 0) + 1  # the field begins anew
        _put(desk, name)


def _put(desk: Desk, name: str) -> None:
    """Give the notes a group, each over the state it has on the page; go on to the next one without."""
    kept = desk.kept
    done: list[tuple[str, int]] = []

    def one(store: Store, id: str, revision: int) -> None:
        label = store.labels.get(id, desk.viewer)
        now = store.labels.put(replace(label, value={**label.value, "group": name}), revision)
        if now.revision != revision:
            done.append((id, now.revision))

    targets = desk.targets()
    if not _each(targets, one):
        return
    if done:
        kept["log"] = [*kept.get("log", ()), done][-50:]
    kept["ticked"] = {}
    kept["at"] = told.next_ungrouped(desk.listed, kept["at"], [id for id, _ in targets])


def _undo(desk: Desk) -> None:
    """Take back what was done last, and be where it was done."""
    kept = desk.kept
    if not kept.get("log"):
        return
    *kept["log"], last = kept["log"]
    _each(last, lambda store, id, revision: store.labels.undo(id, desk.viewer.name, expected=revision))
    kept["at"] = last[0][0]


def _each(targets: Sequence[tuple[str, int]], act: Any) -> bool:
    """Do it to each note; whether any went through. What was changed elsewhere meanwhile is told, and left as it is there."""
    late, done = 0, 0
    with access.opened() as store:
        for id, revision in targets:
            try:
                act(store, id, revision)
                done += 1
            except Conflict:
                late += 1
            except ReadingError as error:
                flash.leave_error(error)
    if late:
        were = "was" if late == 1 else "were"
        changed = f"{wording.count(late, 'note')} {were} changed in another window meanwhile"
        flash.leave("warning", f"{changed}. Look at what stands now.")
    return bool(done)


# On to the codes


def _go_on(store: Store, project: Project, viewer: Viewer, notes: Sequence[Label]) -> None:
    """What is missing, and the step that cannot be taken back."""
    if viewer.stage >= CODES:
        st.html(markup.facts(["Your groups stay as they are. In the codebook, a code can be made of one."]))
        st.page_link(PAGE, label="To the codebook", query_params=address.to_project(project.id, "codebook"))
        return
    who = Annotator(viewer.name, "", viewer.stage)
    why = refused_stage(who, CODES, turns=(), ungrouped=told.ungrouped(notes))
    st.html(markup.section("", "Then: the codebook"))
    st.html(annotate_words.notes([told.go_on_told(why)]) if why else markup.facts([told.go_on_told(None)]))
    with st.popover("Go on to stage 3: see the codes", disabled=bool(why)):
        st.markdown("You cannot come back to this stage: who has seen the codes cannot group without them.")
        if st.button("Go on", type="primary", key=state.key(keys.STAGE_ON, project.id, "from-groups")):
            try:
                store.projects.advance(project.id, viewer.name, CODES)
            except ReadingError as error:
                flash.error(error)
                return
            address.open_project(project.id, "codebook")
