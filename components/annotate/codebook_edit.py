"""Changing the codebook. Each change needs a reason and makes a new version from the one on the page.

If someone else was faster, the page says so, and the typed values stay in their fields. What a change does to the codebook is
in `codebook_changes.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from components.annotate import codebook_changes, html
from components.annotate.wording import option_title
from components.html import markup
from components.html.words import wording
from components.session import access, flash, state
from readers import READERS
from readers.engine.errors import Conflict, ReadingError
from readers.engine.labels.board import Board, BoardGroup
from readers.engine.labels.codebook import LONGEST_REASON, Codebook
from readers.engine.labels.codes import LONGEST_NAME, LONGEST_WORDS, Code
from readers.engine.labels.label import LONGEST_CODE
from readers.engine.labels.project import Project, Viewer
from readers.engine.store import Store
from readers.engine.store.labels.codebooks import CodebookVersion
from readers.engine.text.shorten import shorten

PARTS = 3
NEW = ""
Fields = dict[str, Any]


class FieldKey(NamedTuple):
    """Refers to a field by its key: its value is read when the change is saved, and may have changed since this drawing."""

    key: str


def show(project: Project, viewer: Viewer, book: Codebook) -> None:
    """The kinds of change, and the fields of the chosen one."""
    if not viewer.name:
        st.html(markup.empty("A change carries your name. Choose a name first."))
        return
    offered = [act for act in codebook_changes.ACTS if _can(book, act)]
    act = st.segmented_control(
        "Kind of change", offered, default=offered[0], required=True, format_func=option_title(codebook_changes.ACTS),
        key=_key(project, "act"),
        label_visibility="collapsed", persist_state="page",
    )  # fmt: skip
    act = str(act or offered[0])
    st.html(markup.facts([codebook_changes.ABOUT_ACTS[act]]))
    with st.container(key="book-fields", gap="small"):
        fields = _FIELDS[act](project, book)
        if fields is None:
            return
        why = _key(project, act, "why", _changes_made(project, act))
        st.text_input(
            "Why",
            key=why,
            max_chars=LONGEST_REASON,
            persist_state="page",
            placeholder="For example: two of us understood it differently",
        )
        fields["why"] = FieldKey(why)
        label, key = f"Save as version {book.version + 1}", _key(project, act, "save")
        st.button(label, type="primary", key=key, on_click=_save, args=(project, viewer, book, act, fields))


def _can(book: Codebook, act: str) -> bool:
    if act == "merge":
        return len(book.in_use) > 1
    return act == "add" or bool(codebook_changes.retired(book) if act == "restore" else book.in_use)


def _key(project: Project, *depends: object) -> str:
    return state.key("book", project.id, *depends)


def _changes_made(project: Project, act: str) -> int:
    """How many changes of this kind were saved here. After each, its fields are emptied; those of other kinds stay."""
    return int(state.value(_key(project, act, "made")) or 0)


# The fields of each kind of change


def _choose_code(project: Project, codes: Sequence[Code], act: str) -> str:
    called = {code.id: code.called for code in codes}
    return str(
        st.selectbox(
            "Code", list(called), format_func=option_title(called), key=_key(project, act, "code", _changes_made(project, act)),
            width=420, persist_state="page",
        )
    )  # fmt: skip


def _word_fields(key: Callable[[str], str], code: Mapping[str, str], *, height: int = 80) -> dict[str, FieldKey]:
    """The definition, example and near miss, with their values in `code` to start from."""
    titles = {"definition": "Definition", "example": "Example", "near_miss": "Near miss: what looks like it but is not"}
    for name, title in titles.items():
        st.text_area(title, code.get(name, ""), key=key(name), max_chars=LONGEST_WORDS, height=height, persist_state="page")
    return {name: FieldKey(key(name)) for name in titles}


def _hint_fields(key: Callable[[str], str], hints: Mapping[str, str]) -> dict[str, FieldKey]:
    titles = {reader.id: reader.title for reader in READERS}
    with st.expander("Hints: where to look, reader by reader"):
        for reader, words in hints.items():
            label = markup.plain(titles.get(reader, reader))
            st.text_input(label, words, key=key(f"hint-{reader}"), max_chars=LONGEST_WORDS, persist_state="page")
    return {reader: FieldKey(key(f"hint-{reader}")) for reader in hints}


def _new_code_fields(project: Project, book: Codebook, act: str) -> Fields:
    """The fields of a new code."""

    def key(name: str) -> str:
        return _key(project, act, "new", name, _changes_made(project, act))

    families = [name for name, _ in codebook_changes.families(book.codes) if name != codebook_changes.NO_FAMILY]
    with st.container(horizontal=True, gap="small"):
        st.text_input("Name", key=key("name"), max_chars=LONGEST_NAME, persist_state="page")
        group = st.selectbox(
            "Family", families, index=None, key=key("group"), accept_new_options=True, persist_state="page",
            placeholder="Choose one, or type a new one",
        )  # fmt: skip
        free = codebook_changes.next_id(book, str(group or ""))
        st.text_input("Short id", key=key("id"), max_chars=LONGEST_CODE, placeholder=free, width=140, persist_state="page")
    fields: Fields = {name: FieldKey(key(name)) for name in ("name", "group", "id")} | _word_fields(key, {})
    fields["parent"] = _parent_field(key("parent"), codebook_changes.possible_parents(book), "")
    hints = codebook_changes.hints_by_reader(Code("", ""), [reader.id for reader in READERS])
    return {**fields, "hints": _hint_fields(key, hints)}


def _parent_field(key: str, parents: Mapping[str, str], now: str) -> FieldKey | str:
    """The broader code of a code; nothing to choose if there can be none."""
    if not parents:
        return now
    options = ["", *parents]
    st.selectbox(
        "Belongs to a broader code", options, index=options.index(now) if now in options else 0, width=420, key=key,
        persist_state="page", format_func=option_title({"": "None", **parents}), help="Counts of the broader code include it.",
    )  # fmt: skip
    return FieldKey(key)


def _add(project: Project, book: Codebook) -> Fields | None:
    return _new_code_fields(project, book, "add")


def _rename(project: Project, book: Codebook) -> Fields | None:
    code = book.get(_choose_code(project, book.in_use, "rename"))
    key = _field(project, "rename", code, "name")
    st.text_input("Name", value=code.name, key=key, max_chars=LONGEST_NAME, width=420, persist_state="page")
    return {"code": code.id, "name": FieldKey(key)}


def _redefine(project: Project, book: Codebook) -> Fields | None:
    code = book.get(_choose_code(project, book.in_use, "redefine"))

    def key(name: str) -> str:
        return _field(project, "redefine", code, name)

    words = {name: getattr(code, name) for name in codebook_changes.WORDS}
    fields: Fields = {**_word_fields(key, words, height=100)}
    st.text_input("Family", value=code.group, key=key("group"), max_chars=LONGEST_NAME, width=420, persist_state="page")
    fields["group"] = FieldKey(key("group"))
    fields["parent"] = _parent_field(key("parent"), codebook_changes.possible_parents(book, code), code.parent)
    fields["hints"] = _hint_fields(key, codebook_changes.hints_by_reader(code, [reader.id for reader in READERS]))
    options = {True: "The meaning: existing labels need a review", False: "Only the wording"}
    meaning = _key(project, "redefine", "meaning")
    st.radio("What to change", list(options), format_func=lambda option: options[option], key=meaning)
    return {"code": code.id, **fields, "meaning": FieldKey(meaning)}


def _field(project: Project, act: str, code: Code, name: str) -> str:
    """The key of a field that starts with the code's words. When those change, it is a new field."""
    hint = name.removeprefix("hint-")
    words = code.hints.get(hint, "") if name.startswith("hint-") else str(getattr(code, name))
    return _key(project, act, code.id, name, state.short_hash(words), _changes_made(project, act))


def _merge(project: Project, book: Codebook) -> Fields | None:
    called = {code.id: code.called for code in book.in_use}
    codes = st.multiselect(
        "Codes to merge",
        list(called),
        format_func=option_title(called),
        key=_key(project, "merge", "codes", _changes_made(project, "merge")),
        persist_state="page",
    )
    if len(codes) < 2:
        st.caption("Choose two codes or more.")
        return None
    into = st.radio(
        "They become", [*codes, NEW], format_func=option_title({**called, NEW: "A new code"}), horizontal=True,
        key=_key(project, "merge", "into", _changes_made(project, "merge"), state.short_hash(" ".join(codes))),
    )  # fmt: skip
    fields = _new_code_fields(project, book, "merge") if into == NEW else {}
    return {"codes": tuple(codes), "into": into, **fields}


def _split(project: Project, book: Codebook) -> Fields | None:
    code_id = _choose_code(project, book.in_use, "split")
    parts = []
    for number in range(1, PARTS + 1):
        st.html(markup.aside(f"Part {number}" + (", optional" if number == PARTS else "")))

        def key(name: str, number: int = number) -> str:
            return _key(project, "split", number, name, _changes_made(project, "split"))

        with st.container(horizontal=True, gap="small"):
            st.text_input("Name", key=key("name"), max_chars=LONGEST_NAME, persist_state="page")
            st.text_input(
                "Short id", key=key("id"), max_chars=LONGEST_CODE, placeholder="automatic", width=160, persist_state="page"
            )
        with st.expander("Definition, example and near miss", expanded=number < PARTS):
            parts.append({"name": FieldKey(key("name")), "id": FieldKey(key("id")), **_word_fields(key, {}, height=68)})
    return {"code": code_id, "parts": parts}


def _retire(project: Project, book: Codebook) -> Fields | None:
    return {"code": _choose_code(project, book.in_use, "retire")}


def _restore(project: Project, book: Codebook) -> Fields | None:
    return {"code": _choose_code(project, codebook_changes.retired(book), "restore")}


_FIELDS: Mapping[str, Callable[[Project, Codebook], Fields | None]] = {
    "redefine": _redefine, "rename": _rename, "add": _add, "merge": _merge, "split": _split, "retire": _retire,
    "restore": _restore,
}  # fmt: skip


# Saving


def _values(fields: Any) -> Any:
    """The current values of the fields."""
    if isinstance(fields, FieldKey):
        value = state.value(fields.key)
        return "" if value is None else value
    if isinstance(fields, dict):
        return {name: _values(one) for name, one in fields.items()}
    return [_values(one) for one in fields] if isinstance(fields, list) else fields


def _save(project: Project, viewer: Viewer, book: Codebook, act: str, fields: Fields) -> None:
    """Apply the change to the version that was on the page, with the current values of the fields."""
    typed = _values(fields)
    try:
        flash.leave("success", save_version(project, viewer, codebook_changes.apply_change(book, act, typed)))
    except Conflict as late:
        _carry_over(project, act, typed, book, late)
        flash.leave("warning", f"{wording.sentence(str(late))} What you typed is still in the fields.")
    except ReadingError as error:
        flash.leave_error(error)
    else:
        state.set_value(_key(project, act, "made"), _changes_made(project, act) + 1)


def save_version(project: Project, viewer: Viewer, new: Codebook) -> str:
    """Save a version; returns that it was saved."""
    with access.opened() as store:
        store.codebooks.add(project.id, new, viewer)
    return f"Version {new.version} is saved."


def _carry_over(project: Project, act: str, typed: Mapping[str, Any], book: Codebook, late: Conflict) -> None:
    """Copy the typed values into the new fields, which start with the other person's words."""
    was = book.find(str(typed.get("code", "")))
    now = late.current.book.find(was.id) if was and isinstance(late.current, CodebookVersion) else None
    if was is None or now is None:
        return
    for name in ("name", "group", "parent", *codebook_changes.WORDS):
        if name in typed and typed[name] != getattr(was, name):
            state.set_value(_field(project, act, now, name), typed[name])
    for reader, words in dict(typed.get("hints", {})).items():
        if words != was.hints.get(reader, ""):
            state.set_value(_field(project, act, now, f"hint-{reader}"), words)


# From the groups of notes


def board_groups(project: Project, viewer: Viewer, book: Codebook, board: Board) -> None:
    """The groups of the board that are not codes yet, each with a button that makes it one."""
    groups = codebook_changes.groups_without_code(book, board)
    if not groups or not viewer.name:
        return
    with st.expander(f"Groups of notes without a code of the same name ({len(groups):,})", expanded=True):
        st.caption(
            "If a code already covers the group, use that code. Otherwise make the group a code, with its notes as examples."
        )
        with st.container(key="own-groups", gap=None):
            for number, group in enumerate(groups):
                code_id = codebook_changes.next_id(book, codebook_changes.FROM_NOTES)
                about = f"As {code_id}; the first of its examples: {shorten(str(group.notes[0].value.get('words', '')), 120)}"
                with st.container(key=f"own-group-{number}", horizontal=True, vertical_alignment="center", gap="small"):
                    facts = f"{wording.count(len(group.notes), 'note')} in {wording.count(group.readings)}"
                    st.html(html.own_group(group.name, facts))
                    st.button(
                        "Make it a code", key=_key(project, "group", number), on_click=_make_code,
                        args=(project, viewer, book, group), help=markup.plain(about),
                    )  # fmt: skip


def _make_code(project: Project, viewer: Viewer, book: Codebook, group: BoardGroup) -> None:
    flash.act(lambda: save_version(project, viewer, codebook_changes.add_group(book, group)))


# Undoing


def undo_button(store: Store, project: Project, viewer: Viewer, books: Sequence[Codebook]) -> None:
    """A button that undoes the viewer's own last change, as long as no label depends on it."""
    if not store.codebooks.may_undo(project.id, viewer):
        return
    done = codebook_changes.change_sentence(books[-1].change, books[-1], books[-2])
    st.button(
        f"Undo: {markup.plain(shorten(done, 80))}", key=_key(project, "undo"), on_click=_undo,
        args=(project, viewer, books[-1].version), help="The previous version is restored, as a new version.",
    )  # fmt: skip


def _undo(project: Project, viewer: Viewer, version: int) -> None:
    def act() -> str:
        with access.opened() as store:
            undone = store.codebooks.undo(project.id, viewer=viewer, expected=version)
        return f"Version {undone.version} is as the codebook was before version {version}."

    flash.act(act)
