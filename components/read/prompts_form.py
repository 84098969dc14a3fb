"""The prompts of a reader on the Read page: edit them for one reading, or save them as a set.

Typed text and uploaded sets are kept for the session, even when their field is no longer drawn. The first half is pure. Not here:
whether a template is valid (`Prompt.edited`), the form of a set's file (`engine/prompts.py`), and where sets are stored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.read import html
from components.session import access, flash, state
from readers.engine.errors import BadFile, BadOptions, ReadingError
from readers.engine.prompts.prompt import Prompt, name_of
from readers.engine.prompts.prompt_sets import LARGEST_SET, prompt_set
from readers.engine.run.execute import changed_templates
from readers.engine.run.reader import Reader
from readers.engine.store import Run
from readers.engine.store.prompt_sets import LONGEST_NAME

OWN, BEFORE, SAVED, FILE = "own", "before", "saved.", "file."
HEIGHT = 320


class Worded(NamedTuple):
    """The edited templates by prompt id, or a sentence about why they cannot be used."""

    templates: Mapping[str, str]
    wrong: str = ""


def readable(prompt: Prompt) -> str:
    """A prompt's name at the beginning of a line."""
    name = name_of(prompt.id)
    return name[0].upper() + name[1:]


def fitting(reader: Reader, templates: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """The templates for prompts of this reader, and the ids of the other prompts in the set."""
    own = {prompt.id for prompt in reader.prompts}
    return {prompt_id: words for prompt_id, words in templates.items() if prompt_id in own}, sorted(set(templates) - own)


def faults(reader: Reader, templates: Mapping[str, str]) -> dict[str, str]:
    """A sentence by prompt id for each template that cannot be used."""
    found = {}
    for prompt in reader.prompts:
        try:
            prompt.edited(templates.get(prompt.id, prompt.template))
        except BadOptions as error:
            found[prompt.id] = wording.sentence(str(error))
    return found


def worded(reader: Reader, templates: Mapping[str, str]) -> Worded:
    """The templates that go into a reading's spec: those that differ from the reader's, if all can be used."""
    other, wrong = changed_templates(reader, templates), list(faults(reader, templates).values())
    if sum(len(words.encode("utf-8", "replace")) for words in other.values()) > LARGEST_SET:
        wrong.append(f"The prompts are over {LARGEST_SET // 1_000_000} MB together; shorten them.")
    return Worded({}, " ".join(wrong)) if wrong else Worded(other)


def as_file(reader: Reader, templates: Mapping[str, str]) -> bytes:
    """A prompt set file with every prompt of the reader, in the given wording where there is one."""
    words = {prompt.id: templates.get(prompt.id, prompt.template) for prompt in reader.prompts}
    return (json.dumps(words, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def from_file(reader: Reader, data: bytes, name: str) -> dict[str, str]:
    """The templates in a file. Raises BadFile if it is not a prompt set, or has no prompt of this reader."""
    templates = prompt_set(data, name)
    if not fitting(reader, templates)[0]:
        has = ", ".join(prompt.id for prompt in reader.prompts)
        raise BadFile(f"the prompt set {name!r} has no prompt of {reader.title}, which has {has}")
    return templates


@dataclass(frozen=True)
class Shelf:
    """The prompt sets of one reader in this session: `chosen` is the set shown, `choosing` the key of its select box."""

    reader: Reader
    sets: Mapping[str, Mapping[str, str]]
    chosen: str
    choosing: str

    @property
    def drafts(self) -> dict[str, str]:
        """The unsaved edits of the chosen set."""
        return state.drafts(self.reader.id, self.chosen)

    @property
    def words(self) -> dict[str, str]:
        """The chosen set's templates with the unsaved edits applied."""
        return fitting(self.reader, {**self.sets[self.chosen], **self.drafts})[0]

    def label(self, chosen: str) -> str:
        kind, _, name = chosen.partition(".")
        kinds = {"saved": f"“{name}”", "file": f"the file {name}", BEFORE: "from the previous reading"}
        return kinds.get(kind, "in this reader’s own wording")

    def choose(self, chosen: str) -> None:
        state.set_value(self.choosing, chosen)


def ask_prompts(reader: Reader, before: Run | None) -> Worded:
    """Draw the prompts, and return the set for the reading. An earlier reading by this reader suggests its prompts."""
    with st.expander("Prompts"):
        try:
            shelf = _shelf(reader, before)
        except ReadingError as error:
            flash.error(error)
            return Worded({})
        left, right = st.columns(2)
        with left:
            shelf = _choose_set(shelf)
        with right:
            prompt = _choose_prompt(reader)
        wrong = faults(reader, shelf.words)
        # Messages have a container of their own, so that the fields below keep their place and their unsaved text.
        with st.container():
            _about_set(shelf, wrong)
        _field(shelf, prompt)
        with st.container():
            if prompt.id in wrong:
                st.error(markup.plain(wrong[prompt.id]))
        st.html(html.prompt_parts(prompt.names, prompt.reply.describe()))
        if state.model_choice().offline:
            st.caption(
                "The offline model (no neural network) uses only the parts of a prompt: its replies do not depend on the wording."
            )
        _keeping(shelf, prompt)
        return worded(reader, shelf.words)


def _shelf(reader: Reader, before: Run | None) -> Shelf:
    """Every available set, and the last chosen one."""
    sets: dict[str, Mapping[str, str]] = {OWN: {}}
    after = before if before and before.reader == reader.id else None
    earlier = (after.spec.get("prompts") or {}) if after else {}
    if after and earlier:
        sets[f"{BEFORE}.{after.id}"] = earlier
    sets |= {SAVED + kept.name: kept.templates for kept in access.prompt_sets(reader.id)}
    sets |= {FILE + name: templates for name, templates in uploaded(reader.id).items()}
    choosing = state.key("prompt_set", reader.id, after.id if after else "")
    last = state.value(choosing) or state.value(_remembered(choosing))
    suggested = f"{BEFORE}.{after.id}" if after and earlier else OWN
    return Shelf(reader, sets, last if last in sets else suggested, choosing)


def _remembered(field: str) -> str:
    """The key that remembers a field's choice while it is not drawn: on other pages, and under other readers."""
    return state.key(field, "kept")


def _choose_set(shelf: Shelf) -> Shelf:
    if state.value(shelf.choosing) != shelf.chosen:
        state.set_value(shelf.choosing, shelf.chosen)
    chosen = st.selectbox("Prompt set", list(shelf.sets), format_func=shelf.label, key=shelf.choosing) or OWN
    state.set_value(_remembered(shelf.choosing), chosen)
    return Shelf(shelf.reader, shelf.sets, chosen, shelf.choosing)


def _choose_prompt(reader: Reader) -> Prompt:
    """Stable labels: the browser identifies a choice by its label."""
    by_id = {prompt.id: prompt for prompt in reader.prompts}
    field = state.key("prompt", reader.id)
    if state.value(field) is None:
        state.set_value(field, state.value(_remembered(field)) or next(iter(by_id)))
    prompt_id = st.selectbox("Prompt", list(by_id), format_func=lambda prompt_id: readable(by_id[prompt_id]), key=field)
    state.set_value(_remembered(field), prompt_id)
    return by_id[prompt_id or next(iter(by_id))]


def _about_set(shelf: Shelf, wrong: Mapping[str, str]) -> None:
    """Which prompts are edited, which cannot be used, and which of the set belong to another reader."""
    other = changed_templates(shelf.reader, shelf.words)
    marks = [(readable(prompt), prompt.id in wrong) for prompt in shelf.reader.prompts if prompt.id in other]
    if marks:
        st.html(html.prompt_marks(marks))
    unknown = fitting(shelf.reader, shelf.sets[shelf.chosen])[1]
    if unknown:
        left_out = f"This set also contains {', '.join(unknown)}, which {shelf.reader.title} does not have. They are ignored."
        st.warning(markup.plain(left_out[:600]))


def _field(shelf: Shelf, prompt: Prompt) -> None:
    field = state.key("prompt_words", shelf.reader.id, state.short_hash(shelf.chosen), prompt.id)
    words = shelf.words.get(prompt.id, prompt.template)
    if state.value(field) != words:
        state.set_value(field, words)
    drafts = shelf.drafts

    def take() -> None:  # also when another prompt was chosen at the same moment and this field is no longer drawn
        drafts[prompt.id] = state.value(field) or ""

    with st.container(key="prompt-words"):
        st.text_area(f"Wording of {readable(prompt)} ({prompt.id})", height=HEIGHT, key=field, on_change=take)


def _keeping(shelf: Shelf, prompt: Prompt) -> None:
    """The buttons that reset a prompt, and save, delete, load and download sets."""
    same = shelf.words.get(prompt.id, prompt.template) == prompt.template
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Reset to the reader’s wording",
            key=state.key("prompt_back", shelf.reader.id),
            disabled=same,
            help="For this prompt only.",
            on_click=partial(shelf.drafts.__setitem__, prompt.id, prompt.template),
        )
        # Two short menus: a long one does not fit into a low window.
        if not access.demo():
            with st.popover("Save or delete", key=state.key("prompt_keep", shelf.reader.id)):
                _save_and_delete(shelf)
        with st.popover("Download or load", key=state.key("prompt_files", shelf.reader.id)):
            _files(shelf)


def _save_and_delete(shelf: Shelf) -> None:
    _show_messages(shelf, "prompt_save")
    field = state.key("prompt_name", shelf.reader.id)
    st.text_input("Save these prompts as", max_chars=LONGEST_NAME, key=field, placeholder="A name for the set")
    st.button("Save the set", key=state.key("prompt_save", shelf.reader.id), on_click=partial(_save, shelf, field))
    if shelf.chosen.startswith(SAVED):
        key = state.key("prompt_delete", shelf.reader.id)
        st.button(f"Delete {markup.plain(shelf.label(shelf.chosen))}", key=key, on_click=partial(_delete, shelf))


def _files(shelf: Shelf) -> None:
    _show_messages(shelf, "prompt_file")
    if access.demo():
        st.caption("This is a public demo: sets are not saved here. Download yours, and load it next time.")
    reader_id, data = shelf.reader.id, as_file(shelf.reader, shelf.words)
    key, field = state.key("prompt_download", reader_id), state.key("prompt_file", reader_id)
    st.download_button("Download as JSON", data, file_name=f"{reader_id}-prompts.json", mime="application/json", key=key)
    load, most = partial(_load, shelf, field), LARGEST_SET // 1_000_000
    st.file_uploader("Load a prompt set (JSON)", type="json", key=field, max_upload_size=most, on_change=load)


def _save(shelf: Shelf, field: str) -> None:
    """Save under the name typed; without a name, replace the saved set shown."""
    templates, wrong = worded(shelf.reader, shelf.words)
    name = state.value(field) or (shelf.chosen.removeprefix(SAVED) if shelf.chosen.startswith(SAVED) else "")
    if not wrong and not templates:
        wrong = f"The wording is {shelf.reader.title}’s own, so there is nothing to save."
    try:
        if wrong:
            raise BadOptions(wrong)
        kept = access.save_prompts(shelf.reader.id, name, templates)
    except ReadingError as error:
        flash.leave_error(error, at=_messages(shelf, "prompt_save"))
        return
    shelf.drafts.clear()
    state.drafts(shelf.reader.id, SAVED + kept.name).clear()
    shelf.choose(SAVED + kept.name)
    state.set_value(field, "")
    flash.leave("success", f"Saved as “{kept.name}”.", at=_messages(shelf, "prompt_save"))


def _delete(shelf: Shelf) -> None:
    name = shelf.chosen.removeprefix(SAVED)
    try:
        access.delete_prompts(shelf.reader.id, name)
    except ReadingError as error:
        flash.leave_error(error, at=_messages(shelf, "prompt_save"))
        return
    shelf.drafts.clear()
    shelf.choose(OWN)
    flash.leave("success", f"Deleted “{name}”.", at=_messages(shelf, "prompt_save"))


def _load(shelf: Shelf, field: str) -> None:
    """Add an uploaded set for this session, and choose it."""
    upload = state.value(field)
    if upload is None:
        return
    name = " ".join(upload.name.split())[:LONGEST_NAME]
    try:
        templates = from_file(shelf.reader, upload.getvalue(), name)
    except BadFile as error:
        flash.leave_error(error, at=_messages(shelf, "prompt_file"))
        return
    add_uploaded(shelf.reader.id, name, templates)
    state.drafts(shelf.reader.id, FILE + name).clear()
    shelf.choose(FILE + name)
    flash.leave("success", f"Loaded “{name}”.", at=_messages(shelf, "prompt_file"))


def _messages(shelf: Shelf, about: str) -> str:
    """The place of messages about a button, by reader."""
    return state.key("prompt_said", shelf.reader.id, about)


def _show_messages(shelf: Shelf, about: str) -> None:
    with st.container():
        flash.show(_messages(shelf, about))


MOST_FILES = 8


def uploaded(reader_id: str) -> dict[str, Mapping[str, str]]:
    """The uploaded prompt sets of a reader, by file name."""
    every: dict[str, dict[str, Mapping[str, str]]] = state.remembered("_prompt_files", dict)
    return every.setdefault(reader_id, {})


def add_uploaded(reader_id: str, name: str, templates: Mapping[str, str]) -> None:
    """Add one. Above `MOST_FILES`, the oldest upload is dropped."""
    kept = uploaded(reader_id)
    kept.pop(name, None)
    kept[name] = templates
    while len(kept) > MOST_FILES:
        kept.pop(next(iter(kept)))
