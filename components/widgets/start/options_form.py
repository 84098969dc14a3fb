"""A reader's options as a form, made from its options dataclass: a reader needs no page.

`ask_options` draws the fields, except options that have no effect with the others. The names of options and choices, and which
have no effect, are declared with them (`readers.engine.prompts.options`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import streamlit as st

from components.html import markup, terms
from components.html.words import wording
from components.session import process_cache, state
from components.session.samples import sample_of
from readers.engine.errors import BadOptions
from readers.engine.models.tokenizer_files import wording_note
from readers.engine.prompts.options import Option, help_in_form, options_of, read_options, title_of
from readers.engine.run import part_sizes
from readers.engine.run.part_sizes import TextLength
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document

IN_A_ROW = 2
SUIT_EACH = "Sizes that suit each text"
ABOUT_SUITING = "Each text is read in some 8 to 20 parts, whatever its length. Otherwise all are read in parts of one size."


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
    without: Collection[str] = (),
    note: Callable[[str, Mapping[str, Any]], str] | None = None,
) -> dict[str, Any]:
    """Draw the fields that have an effect with the others, two in a row, so that no choice is cut; return all values by name, of
    all options but those `without`. `note` is what to say below an option, from its name and the values so far; empty for
    nothing."""
    asked = {name: option for name, option in options_of(options).items() if name not in without}
    default = {name: (suggested or {}).get(name, option.default) for name, option in asked.items()}
    keys = {name: key(f"{name}={value}") for name, value in default.items()}
    typed = {name: state.value(keys[name]) for name in keys}
    values = {name: default[name] if typed[name] is None else typed[name] for name in keys}
    drawn = [option for option in asked.values() if not option.is_idle(values)]
    for first in range(0, len(drawn), IN_A_ROW):
        for column, option in zip(st.columns(IN_A_ROW), drawn[first : first + IN_A_ROW], strict=False):
            with column:
                values[option.name] = _ask(option, default[option.name], keys[option.name], words=in_form(options, option.name))
                if note and (said := note(option.name, values)):
                    st.caption(markup.plain(said))
    return values


def ask_sizes(reader: Reader, *, differ: bool, key: str) -> Collection[str]:
    """Draw whether the parts of each text have a size that suits it, where the texts `differ` in length; the names of the options
    that are then not asked for."""
    if not differ or reader.part_size is None or not st.checkbox(SUIT_EACH, value=True, help=ABOUT_SUITING, key=key):
        return ()
    return tuple(part_sizes.suited(reader, TextLength.about(0)).options)


def in_form(options: type, name: str) -> str:
    """The help on an option in the words of the form, with its terms explained."""
    return terms.with_terms(help_in_form(options, name), title_of(options, name))


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


def _ask(option: Option, default: Any, key: str, *, words: str) -> Any:
    match option.kind:
        case "truth":
            return st.checkbox(option.title, value=bool(default), help=words, key=key)
        case "one of":
            at = option.choices.index(default)
            return st.selectbox(option.title, option.choices, index=at, format_func=option.in_words, help=words, key=key)
        case "words":
            return st.text_input(option.title, value=default or "", help=words, key=key)
    number: type[int | float] = int if option.kind == "whole" else float
    bounds: dict[str, Any] = {  # all of one type, as Streamlit wants them
        name: None if value is None else number(value)
        for name, value in (("min_value", option.lowest), ("max_value", option.highest), ("value", default))
    }
    auto = "auto" if option.may_be_auto else None
    return st.number_input(option.title, **bounds, placeholder=auto, help=words, key=key)
