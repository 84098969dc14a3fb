"""Changing the codebook: one act at a time, each with its reason, each a new version made from the one that is on the page.

Where somebody else was faster, that is told, and what was typed stays in the fields. What an act makes of a codebook is
`annotate_codebook_told.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from components.annotate import keys
from components.annotate.codebook import wording as told
from components.annotate.projects import html
from components.annotate.projects.wording import line, named
from components.html import markup, wording
from components.session import access, flash, state
from readers import READERS
from readers.engine.errors import Conflict, ReadingError
from readers.engine.labels import codebook
from readers.engine.labels.code import LONGEST_NAME, LONGEST_WORDS, Code
from readers.engine.labels.codebook import LONGEST_REASON, Codebook
from readers.engine.labels.label import LONGEST_CODE, Label
from readers.engine.labels.project import Project, Viewer
from readers.engine.store.codebooks import CodebookVersion

PARTS = 3
NEW = ""
Typed = dict[str, Any]


class At(NamedTuple):
    """What stands in a field when a change is kept: by then it may be other than at this drawing."""

    key: str


def show(project: Project, viewer: Viewer, book: Codebook) -> None:
    """The acts, and the fields of the one that is chosen."""
    if not viewer.name:
        st.html(markup.empty("A change carries the name of who made it. Choose your name first."))
        return
    offered = [act for act in told.ACTS if _can(book, act)]
    act = st.segmented_control(
        "What is to be done", offered, default=offered[0], required=True, format_func=named(told.ACTS), key=_key(project, "act"),
        label_visibility="collapsed", persist_state="page",
    )  # fmt: skip
    act = str(act or offered[0])
    st.html(markup.facts([told.ACTS_MEAN[act]]))
    with st.container(key="book-fields", gap="small"):
        typed = _FIELDS[act](project, book)
        if typed is None:
            return
        why = _key(project, act, "why", _made(project, act))
        st.text_input(
            "Why",
            key=why,
            max_chars=LONGEST_REASON,
            persist_state="page",
            placeholder="For example: two of us read it differently",
        )
        typed["why"] = At(why)
        label = f"Keep as version {book.version + 1}"
        st.button(label, type="primary", key=_key(project, act, "keep"), on_click=_keep, args=(project, viewer, book, act, typed))


def _can(book: Codebook, act: str) -> bool:
    if act == "merge":
        return len(book.in_use) > 1
    return act == "add" or bool(told.retired(book) if act == "restore" else book.in_use)


def _key(project: Project, *depends: object) -> str:
    return state.key(keys.BOOK, project.id, *depends)


def _made(project: Project, act: str) -> int:
    """How many changes of a kind were made here: its fields begin anew after each, and those of the others stay as they are."""
    return int(state.value(_key(project, act, "made")) or 0)


# The fields of each act


def _one(project: Project, codes: Sequence[Code], act: str) -> str:
    called = {code.id: code.called for code in codes}
    return str(
        st.selectbox(
            "Code", list(called), format_func=named(called), key=_key(project, act, "code", _made(project, act)), width=420,
            persist_state="page",
        )
    )  # fmt: skip


def _words(key: Callable[[str], str], code: Mapping[str, str], *, tall: int = 80) -> dict[str, At]:
    """The definition, example and near miss; `code` is what they begin as."""
    titles = {"definition": "Definition", "example": "Example", "near_miss": "Near miss: what looks like it, and is not"}
    for name, title in titles.items():
        st.text_area(title, code.get(name, ""), key=key(name), max_chars=LONGEST_WORDS, height=tall, persist_state="page")
    return {name: At(key(name)) for name in titles}


def _hints(key: Callable[[str], str], hints: Mapping[str, str]) -> dict[str, At]:
    titles = {reader.id: reader.title for reader in READERS}
    with st.expander("Hints: where to look, reader by reader"):
        for reader, words in hints.items():
            label = markup.plain(titles.get(reader, reader))
            st.text_input(label, words, key=key(f"hint-{reader}"), max_chars=LONGEST_WORDS, persist_state="page")
    return {reader: At(key(f"hint-{reader}")) for reader in hints}


def _fresh(project: Project, book: Codebook, act: str) -> Typed:
    """The fields of a new code."""

    def key(name: str) -> str:
        return _key(project, act, "new", name, _made(project, act))

    families = [name for name, _ in told.families(book.codes) if name != told.NO_FAMILY]
    with st.container(horizontal=True, gap="small"):
        st.text_input("Name", key=key("name"), max_chars=LONGEST_NAME, persist_state="page")
        group = st.selectbox(
            "Family", families, index=None, key=key("group"), accept_new_options=True, persist_state="page",
            placeholder="Choose one, or type a new one",
        )  # fmt: skip
        free = told.next_id(book, str(group or ""))
        st.text_input("Short id", key=key("id"), max_chars=LONGEST_CODE, placeholder=free, width=140, persist_state="page")
    fields: Typed = {name: At(key(name)) for name in ("name", "group", "id")} | _words(key, {})
    return {**fields, "hints": _hints(key, told.hints_of(Code("", ""), [reader.id for reader in READERS]))}


def _add(project: Project, book: Codebook) -> Typed | None:
    return _fresh(project, book, "add")


def _rename(project: Project, book: Codebook) -> Typed | None:
    code = book.get(_one(project, book.in_use, "rename"))
    key = _field(project, "rename", code, "name")
    st.text_input("Name", value=code.name, key=key, max_chars=LONGEST_NAME, width=420, persist_state="page")
    return {"code": code.id, "name": At(key)}


def _redefine(project: Project, book: Codebook) -> Typed | None:
    code = book.get(_one(project, book.in_use, "redefine"))

    def key(name: str) -> str:
        return _field(project, "redefine", code, name)

    begins = {name: getattr(code, name) for name in told.WORDS}
    typed: Typed = {**_words(key, begins, tall=100)}
    st.text_input("Family", value=code.group, key=key("group"), max_chars=LONGEST_NAME, width=420, persist_state="page")
    typed["group"] = At(key("group"))
    typed["hints"] = _hints(key, told.hints_of(code, [reader.id for reader in READERS]))
    means = {True: "It means something else now: labels made before want another look", False: "Only the words are better"}
    meaning = _key(project, "redefine", "meaning")
    st.radio("What is other", list(means), format_func=lambda one: means[one], key=meaning)
    return {"code": code.id, **typed, "meaning": At(meaning)}


def _field(project: Project, act: str, code: Code, name: str) -> str:
    """The key of a field that begins with what a code says: another field where the code says something else by now."""
    hint = name.removeprefix("hint-")
    begins = code.hints.get(hint, "") if name.startswith("hint-") else str(getattr(code, name))
    return _key(project, act, code.id, name, state.short_hash(begins), _made(project, act))


def _merge(project: Project, book: Codebook) -> Typed | None:
    called = {code.id: code.called for code in book.in_use}
    codes = st.multiselect(
        "Codes to merge",
        list(called),
        format_func=named(called),
        key=_key(project, "merge", "codes", _made(project, "merge")),
        persist_state="page",
    )
    if len(codes) < 2:
        st.caption("Choose two codes or more.")
        return None
    into = st.radio(
        "They become", [*codes, NEW], format_func=named({**called, NEW: "A new code"}), horizontal=True,
        key=_key(project, "merge", "into", _made(project, "merge"), state.short_hash(" ".join(codes))),
    )  # fmt: skip
    fresh = _fresh(project, book, "merge") if into == NEW else {}
    return {"codes": tuple(codes), "into": into, **fresh}


def _split(project: Project, book: Codebook) -> Typed | None:
    id = _one(project, book.in_use, "split")
    parts = []
    for number in range(1, PARTS + 1):
        st.html(markup.aside(f"Part {number}" + (", if there is a third" if number == PARTS else "")))

        def key(name: str, number: int = number) -> str:
            return _key(project, "split", number, name, _made(project, "split"))

        with st.container(horizontal=True, gap="small"):
            st.text_input("Name", key=key("name"), max_chars=LONGEST_NAME, persist_state="page")
            st.text_input(
                "Short id", key=key("id"), max_chars=LONGEST_CODE, placeholder="given if empty", width=160, persist_state="page"
            )
        with st.expander("Definition, example and near miss", expanded=number < PARTS):
            parts.append({"name": At(key("name")), "id": At(key("id")), **_words(key, {}, tall=68)})
    return {"code": id, "parts": parts}


def _retire(project: Project, book: Codebook) -> Typed | None:
    return {"code": _one(project, book.in_use, "retire")}


def _restore(project: Project, book: Codebook) -> Typed | None:
    return {"code": _one(project, told.retired(book), "restore")}


_FIELDS: Mapping[str, Callable[[Project, Codebook], Typed | None]] = {
    "redefine": _redefine, "rename": _rename, "add": _add, "merge": _merge, "split": _split, "retire": _retire,
    "restore": _restore,
}  # fmt: skip


# Keeping


def _typed(given: Any) -> Any:
    """What stands in the fields now."""
    if isinstance(given, At):
        value = state.value(given.key)
        return "" if value is None else value
    if isinstance(given, dict):
        return {name: _typed(one) for name, one in given.items()}
    return [_typed(one) for one in given] if isinstance(given, list) else given


def _keep(project: Project, viewer: Viewer, book: Codebook, act: str, fields: Typed) -> None:
    """Make the change on the version that was on the page, of what stands in the fields."""
    typed = _typed(fields)
    try:
        _put(project, viewer, told.changed(book, act, typed), book.version)
    except Conflict as late:
        _carry(project, book, late, (act, typed))
        flash.leave("warning", f"{wording.sentence(str(late))} What you typed is still in its fields.")
    except ReadingError as error:
        flash.leave_error(error)
    else:
        state.set_value(_key(project, act, "made"), _made(project, act) + 1)


def _put(project: Project, viewer: Viewer, new: Codebook, expected: int) -> None:
    codes, change = codebook.to_json(new)
    with access.opened() as store:
        store.codebooks.add(project.id, codes, change=change, viewer=viewer, expected=expected)
    flash.leave("success", f"Version {new.version} is kept.")


def _carry(project: Project, book: Codebook, late: Conflict, done: tuple[str, Typed]) -> None:
    """What was typed over a code's words goes along to the fields that now begin with others' words."""
    act, typed = done
    was = book.find(str(typed.get("code", "")))
    now = told.read(late.current).find(was.id) if was and isinstance(late.current, CodebookVersion) else None
    if was is None or now is None:
        return
    for name in ("name", "group", *told.WORDS):
        if name in typed and typed[name] != getattr(was, name):
            state.set_value(_field(project, act, now, name), typed[name])
    for reader, words in dict(typed.get("hints", {})).items():
        if words != was.hints.get(reader, ""):
            state.set_value(_field(project, act, now, f"hint-{reader}"), words)


# From one's own groups


def own_groups(project: Project, viewer: Viewer, book: Codebook, notes: Sequence[Label]) -> None:
    """The groups of one's own notes that are no codes yet: a code of each, at a click."""
    found = told.without_code(book, notes)
    if not found or not viewer.name:
        return
    with st.expander(f"Your groups without a code of their name ({len(found):,})", expanded=True):
        st.caption("Is there a code that says it? Then use that one. If not, a code can be made of the group.")
        with st.container(key="own-groups", gap=None):
            for number, group in enumerate(found):
                help = f"As {told.next_id(book, told.FROM_NOTES)}; its example is the first note: {line(group.example, 120)}"
                with st.container(key=f"own-group-{number}", horizontal=True, vertical_alignment="center", gap="small"):
                    facts = f"{wording.count(group.notes, 'note')} in {wording.count(group.readings)}"
                    st.html(html.own_group(group.name, facts))
                    st.button(
                        "Make a code of it", key=_key(project, "group", number), on_click=_keep_group,
                        args=(project, viewer, book, group), help=markup.plain(help),
                    )  # fmt: skip


def _keep_group(project: Project, viewer: Viewer, book: Codebook, group: told.OwnGroup) -> None:
    try:
        _put(project, viewer, told.with_group(book, group), book.version)
    except ReadingError as error:
        flash.leave("warning" if isinstance(error, Conflict) else "error", wording.sentence(str(error)))
