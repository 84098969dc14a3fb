"""A reader's options as a form, made from its options dataclass: a reader needs no page of its own.

`fields_of` is pure and describes each field; `ask_options` draws the fields, except options that have no effect beside the
others. What options and choices are called, and which do nothing, is declared with them (`readers.engine.prompts.options`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import streamlit as st

from components.html import markup, terms
from components.html.words import wording
from components.session import process_cache, state
from components.session.samples import sample_of
from readers.engine.errors import BadOptions
from readers.engine.models.tokenizer_files import wording_note
from readers.engine.prompts.options import help_in_form, is_idle, read_options, title_of, value_of
from readers.engine.run import part_sizes
from readers.engine.run.part_sizes import TextLength
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document

IN_A_ROW = 2
Kind = Literal["whole", "number", "truth", "one of", "words"]


@dataclass(frozen=True)
class OptionField:
    """One option: the kind of its value, its meaning and its range. `may_be_auto`: the reader may choose the value."""

    name: str
    label: str
    kind: Kind
    default: Any
    help: str = ""
    lowest: float | None = None
    highest: float | None = None
    choices: tuple[str, ...] = ()
    may_be_auto: bool = False


def fields_of(options: type, suggested: Mapping[str, Any] | None = None) -> tuple[OptionField, ...]:
    """The fields of an options class, in order; `suggested` values replace its defaults."""
    types = get_type_hints(options)
    found = []
    for field in fields(options):
        choices = get_args(types[field.name])
        found.append(
            OptionField(
                name=field.name,
                label=title_of(options, field.name),
                kind=_kind(types[field.name]),
                default=(suggested or {}).get(field.name, field.default),
                help=terms.with_terms(help_in_form(options, field.name), title_of(options, field.name)),
                lowest=field.metadata.get("lowest"),
                highest=field.metadata.get("highest"),
                choices=choices if get_origin(types[field.name]) is Literal else (),
                may_be_auto=NoneType in choices,
            )
        )
    return tuple(found)


def _kind(hint: Any) -> Kind:
    if get_origin(hint) is Literal:
        return "one of"
    base = next((choice for choice in get_args(hint) if choice is not NoneType), hint)
    kinds: dict[Any, Kind] = {bool: "truth", int: "whole", float: "number"}
    return kinds.get(base, "words")


def suggested(reader: Reader, document: Document) -> Mapping[str, Any]:
    """The options with which a reading of this text is best watched: a sample's own, else those of `auto`."""
    sample = sample_of(document.id)
    if sample and reader.id in sample.watched:
        return sample.watched[reader.id]
    window = process_cache.window_of_choice(state.model_choice())
    return part_sizes.suited(reader, TextLength.of(document), window=window).options


def ask_options(
    options: type,
    *,
    key: Callable[[str], str],
    suggested: Mapping[str, Any] | None = None,
    note: Callable[[str, Mapping[str, Any]], str] | None = None,
) -> dict[str, Any]:
    """Draw the fields that have an effect beside the others, two in a row, so that no choice is cut; return all values by name.
    `note` is what to say below an option, from its name and the values so far; empty for nothing."""
    found = fields_of(options, suggested)
    keys = {field.name: key(f"{field.name}={field.default}") for field in found}
    values = {field.name: _before(field, keys[field.name]) for field in found}
    drawn = [field for field in found if not is_idle(options, field.name, values)]
    for first in range(0, len(drawn), IN_A_ROW):
        for column, field in zip(st.columns(IN_A_ROW), drawn[first : first + IN_A_ROW], strict=False):
            with column:
                values[field.name] = _ask(options, field, keys[field.name])
                if note and (words := note(field.name, values)):
                    st.caption(markup.plain(words))
    return values


def _before(field: OptionField, key: str) -> Any:
    """The value of a field when it was last drawn; at first its default."""
    typed = state.value(key)
    return field.default if typed is None else typed


def wrong(options: type, values: Mapping[str, Any]) -> str:
    """What is wrong with the values; empty if nothing is."""
    try:
        read_options(options, values)
    except BadOptions as error:
        return str(error)
    return ""


def show_wording_note(reader: Reader, options: Mapping[str, Any], templates: Mapping[str, str]) -> None:
    """Say if a published checkpoint would get prompts in another wording than its own."""
    if note := wording_note(options, reader.prompts, templates):
        st.info(markup.plain(wording.sentence(note)))


def _ask(options: type, field: OptionField, key: str) -> Any:
    match field.kind:
        case "truth":
            return st.checkbox(field.label, value=bool(field.default), help=field.help, key=key)
        case "one of":
            at = field.choices.index(field.default)
            words = partial(value_of, options, field.name)
            return st.selectbox(field.label, field.choices, index=at, format_func=words, help=field.help, key=key)
        case "words":
            return st.text_input(field.label, value=field.default or "", help=field.help, key=key)
    number: type[int | float] = int if field.kind == "whole" else float
    bounds: dict[str, Any] = {  # all of one type, as Streamlit wants them
        name: None if value is None else number(value)
        for name, value in (("min_value", field.lowest), ("max_value", field.highest), ("value", field.default))
    }
    auto = "auto" if field.may_be_auto else None
    return st.number_input(field.label, **bounds, placeholder=auto, help=field.help, key=key)
