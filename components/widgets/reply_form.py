"""The form for a reply: fields by the prompt's reply format, or the reply as text, and the problems with it.

It depends only on a prompt, its parts and perhaps a recorded reply, so that replying to a waiting call and changing a recorded
reply use the same form. The values last as long as the session, even while the form is not drawn. The fields, and the reply made
from their values, are those of the prompt's reply form (`readers/engine/prompts/formats/form.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from components.html import markup
from components.html.words import wording
from components.session import state
from readers.engine.forks.describe_edit import PICKED_BY_PERSON
from readers.engine.prompts.formats.form import REASON, Choice, FormField, Unreadable, missing
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.run.bounded_memory import NOTHING_YET
from readers.engine.text import tokens
from readers.engine.text.shorten import shorten

FILL_IN, AS_TEXT = "Fill in", "As text"
MOST_AS_RADIO = 12
LONGEST_CAPTION, LONGEST_LABEL = 180, 80
HEIGHT, SMALL = 300, 110
BETWEEN = " | "  # the values of one item of a list, on its line
_PLAIN_LABELS = {"Action": "What it does next", "Reasoning": "Stated reason"}  # in Simple
# Names that no field of a reply has: the reply as text, the last reply built, the way of writing, how often a field was reset.
_TEXT, _MADE, _HOW, _BEGUN = "-text", "-made", "-how", "-begun"


def draw(
    prompt: Prompt,
    parts: Sequence[Part],
    *,
    key: str,
    recorded: str | None = None,
    names: Mapping[int | str, str] | None = None,
    simple: bool = False,
    tried: bool | None = None,
) -> str | None:
    """Draw the form and return its reply; None while it cannot be read, in which case the form says why.

    A `recorded` reply fills the fields at first, and is returned unchanged while they agree with it; its reason is dropped when
    another option is picked. `key` identifies the form in the session, one per call. `names` are the reader's for the texts
    behind numbers; a `simple` form has plain words and does not show the reply's format. `tried`: whether sending was tried;
    before that, missing fields are not reported. None if nothing is sent from this form.
    """
    kept = _kept(key)
    initial = _begin(prompt, parts, kept, recorded)
    if _how(prompt, parts, key, simple=simple) == AS_TEXT:
        reply, lacking = _as_text(prompt, key), ""
    else:
        asked = _worded(prompt.fields(parts), names or {}, simple=simple)
        values = _fill_in(asked, key, initial)
        lacking = missing(asked, values)
        reply = "" if lacking else prompt.reply.filled(values)
        if recorded is not None and values == initial:
            reply = recorded
        kept[_MADE] = reply
    wrong = lacking or problem(prompt, parts, reply)
    _size(prompt, parts, reply)
    shown = "" if kept[_HOW] == AS_TEXT or simple or prompt.reply.is_text else reply
    said = f"Nothing has been sent yet. {wrong}" if tried and wrong else wrong
    if tried is False and not reply.strip():
        said = ""
    with st.container():  # its own container, so that the fields do not move
        if shown or said:
            st.html(markup.to_send(shown, said))
    return None if wrong else reply


def filled(key: str) -> dict[str, Any] | None:
    """The form's values as JSON data for `begin_with`; None before the form was first drawn."""
    kept: dict[str, Any] | None = state.value(_kept_at(key))
    return None if kept is None else {**kept}


def begin_with(key: str, values: Mapping[str, Any]) -> None:
    """Start a form that was not drawn yet with earlier values."""
    state.set_value(_kept_at(key), {**values})


def forget(key: str) -> None:
    """Drop the form's values after sending."""
    state.set_value(_kept_at(key), None)


def _kept_at(key: str) -> str:
    return state.key("_filled", key)


def _kept(key: str) -> dict[str, Any]:
    """The form's values by field; they outlast the widgets."""
    kept: dict[str, Any] | None = state.value(_kept_at(key))
    if kept is None:
        kept = {}
        state.set_value(_kept_at(key), kept)
    return kept


def _begin(prompt: Prompt, parts: Sequence[Part], kept: dict[str, Any], recorded: str | None) -> dict[str, Any] | None:
    """The field values of a recorded reply, which the fields hold at first; None without one, or if they cannot express it."""
    found = None if recorded is None else recorded_values(prompt, parts, recorded)
    asked = prompt.fields(parts)
    if _HOW not in kept:
        kept[_HOW] = AS_TEXT if recorded is not None and found is None else FILL_IN
        kept[_TEXT] = recorded or ""
        kept.update(_raw(asked, found or {}))
    if found is None:
        return None
    return {field.name: found.get(field.name, _nothing(field)) for field in asked if field.applies(found)}


def _raw(asked: Sequence[FormField], values: dict[str, Any]) -> dict[str, Any]:
    """Values as the widgets hold them."""
    there = {field.name: values[field.name] for field in asked if field.name in values}
    by_name = {field.name: field for field in asked}
    return {
        name: lines(by_name[name], value) if by_name[name].kind == "list"
        else list(value) if by_name[name].kind == "several" else value
        for name, value in there.items()
    }  # fmt: skip


def _nothing(field: FormField) -> Any:
    return {"one": None, "several": (), "list": ()}.get(field.kind, "")


def _worded(asked: Sequence[FormField], names: Mapping[int | str, str], *, simple: bool) -> tuple[FormField, ...]:
    """The fields with the reader's names for options as their plain names, which only Simple shows of others."""

    def named(choice: Choice) -> Choice:
        return choice._replace(plain=names.get(choice.value) or (choice.plain if simple else ""))

    labels = _PLAIN_LABELS if simple else {}
    return tuple(
        replace(field, label=labels.get(field.label, field.label), choices=tuple(map(named, field.choices))) for field in asked
    )


def _how(prompt: Prompt, parts: Sequence[Part], key: str, *, simple: bool) -> str:
    """Draw the switch between fields and text; switching carries the current reply over."""
    kept = _kept(key)
    if (simple or prompt.reply.is_text) and kept[_HOW] == FILL_IN:
        return FILL_IN
    st.segmented_control(
        "How to write the reply",
        (FILL_IN, AS_TEXT),
        default=kept[_HOW],
        required=True,
        key=state.key(key, _HOW),
        on_change=partial(_switched, prompt, parts, key),
        label_visibility="collapsed",
    )
    return str(kept[_HOW])


def _switched(prompt: Prompt, parts: Sequence[Part], key: str) -> None:
    kept = filled(key) and _kept(key)
    if not kept or _TEXT not in kept:  # the reply was sent in the meantime
        return
    kept[_HOW] = state.value(state.key(key, _HOW)) or kept[_HOW]
    if kept[_HOW] == AS_TEXT:
        kept[_TEXT] = kept.get(_MADE) or kept[_TEXT]
    else:
        found = recorded_values(prompt, parts, kept[_TEXT])
        kept.update(_raw(prompt.fields(parts), found or {}))


def _as_text(prompt: Prompt, key: str) -> str:
    form = prompt.reply.describe()
    if form:
        st.html(markup.reply_form(form))
    with st.container(key=state.key(key, "words")):
        return _words(key, _TEXT, "The reply as text", height=HEIGHT)


def _fill_in(asked: Sequence[FormField], key: str, initial: dict[str, Any] | None) -> dict[str, Any]:
    """Draw the fields and return their values."""
    values: dict[str, Any] = {}
    picked = partial(_picked, asked, key, initial)
    for field in asked:
        if not field.applies(values | _later(asked, key)):
            continue
        label = field.label if field.needed or field.kind in ("several", "list") else f"{field.label} (optional)"
        if field.kind == "one":
            values[field.name] = _one(key, field, partial(picked, field))
        elif field.kind == "several":
            values[field.name] = _several(key, field, partial(picked, field))
        elif field.kind == "line":
            values[field.name] = _words(key, field.name, label, hint=field.help)
        elif field.kind == "list":
            values[field.name] = items(field, _words(key, field.name, _list_label(field), height=HEIGHT))
        else:
            if field.begin not in ("", NOTHING_YET):
                _beginning(key, field)
            values[field.name] = _words(key, field.name, label, hint=field.help, height=HEIGHT if field.long else SMALL)
    return values


def _later(asked: Sequence[FormField], key: str) -> dict[str, Any]:
    """The values of decisions, which may be drawn below the fields that depend on them."""
    return {field.name: _kept(key).get(field.name) for field in asked if field.kind == "one"}


def _list_label(field: FormField) -> str:
    return f"{field.label}, one per line" + (f": {BETWEEN.join(field.keys)}" if field.keys else "")


def _picked(asked: Sequence[FormField], key: str, initial: dict[str, Any] | None, field: FormField) -> None:
    """Another option was picked: the recorded reason, which is about the recorded option, is replaced."""
    kept = _kept(key)
    typed = state.value(_place(key, field.name))
    kept[field.name] = tuple(typed or ()) if field.kind == "several" else typed
    if initial is None or REASON not in initial:
        return
    words = state.value(_place(key, REASON))
    now = {**kept, REASON: kept.get(REASON) if words is None else words}
    reason = reason_for(asked, initial, now)
    if reason != now[REASON]:
        _anew(kept, REASON, reason)


def _anew(kept: dict[str, Any], name: str, value: Any) -> None:
    """Reset a field to another value, as a new widget with that default."""
    kept[name] = value
    kept[_BEGUN + name] = kept.get(_BEGUN + name, 0) + 1


def _label(choice: Choice) -> str:
    """An option in Markdown: its name, with what the prompt calls it in small print; in Simple also the meaning of a symbol."""
    shown = markup.plain(choice.plain or choice.label)
    if choice.sent:
        return f"{shown} :small[· {markup.plain(_in_the_prompt(choice))}]"
    return f"{shown} :small[· {markup.plain(choice.label)}]" if choice.plain else shown


def _one(key: str, field: FormField, picked: Callable[[], None]) -> Any:
    values, by_value = [choice.value for choice in field.choices], {choice.value: choice for choice in field.choices}
    name, at = _place(key, field.name), _kept(key).get(field.name)
    index = values.index(at) if at in values else None
    if len(values) > MOST_AS_RADIO:
        label = partial(_in_a_row, by_value)
        found = st.selectbox(
            field.label, values, index=index, format_func=label, placeholder="Choose one", key=name, on_change=picked
        )
    else:
        captions = [
            markup.plain(shorten(choice.words, LONGEST_CAPTION)) if choice.words != choice.label else ""
            for choice in field.choices
        ]
        found = st.radio(
            field.label,
            values,
            index=index,
            format_func=lambda value: _label(by_value[value]),
            captions=captions if any(captions) else None,
            key=name,
            on_change=picked,
        )
    _kept(key)[field.name] = found
    return found


def _several(key: str, field: FormField, picked: Callable[[], None]) -> tuple[Any, ...]:
    by_value = {choice.value: choice for choice in field.choices}
    at = [value for value in _kept(key).get(field.name) or () if value in by_value]
    label = partial(_in_a_row, by_value)
    place = _place(key, field.name)
    found = st.multiselect(field.label, list(by_value), at, format_func=label, placeholder="None", key=place, on_change=picked)
    if field.help:
        st.caption(field.help)
    _kept(key)[field.name] = found
    return tuple(found)


def _words(key: str, name: str, label: str, *, hint: str = "", height: int = 0) -> str:
    """Draw a text field; without a height it has one line."""
    place, at = _place(key, name), str(_kept(key).get(name) or "")
    if height:
        found = st.text_area(label, at, height=height, placeholder=hint, key=place)
    else:
        found = st.text_input(label, at, placeholder=hint, key=place)
    _kept(key)[name] = found or ""
    return found or ""


def _place(key: str, name: str) -> str:
    """The key of a field's widget. Its first value is passed as the default and never written to the session state, where it can
    be lost on the way to the browser when two runs follow closely."""
    return state.key(key, name, _kept(key).get(_BEGUN + name, 0))


def _beginning(key: str, field: FormField) -> None:
    begin = partial(_anew, _kept(key), field.name, field.begin)
    st.button("Start from the current memory", key=state.key(key, field.name, "begin"), on_click=begin)


def _size(prompt: Prompt, parts: Sequence[Part], reply: str) -> None:
    """Draw how much of a limited text is used."""
    limited = next((field for field in prompt.reply.fields() if field.limit), None)
    if limited and reply:
        found = recorded_values(prompt, parts, reply)
        words = str(found[limited.name]) if found else reply
        st.caption(f"{tokens.count(words):,} of {limited.limit:,} tokens")


def _in_a_row(by_value: dict[Any, Choice], value: Any) -> str:
    choice = by_value[value]
    name = choice.plain or choice.label
    sent = f" ({_in_the_prompt(choice)})" if choice.sent else ""
    words = f" · {shorten(choice.words, LONGEST_LABEL)}" if choice.words and choice.words != choice.label else ""
    return f"{name}{sent}{words}"


def _in_the_prompt(choice: Choice) -> str:
    """What the prompt calls an option, where people call it otherwise."""
    return f"“{choice.sent}” in the prompt"


# Replies and their values


def problem(prompt: Prompt, parts: Sequence[Part], reply: str) -> str:
    """Why a reply cannot be read, in a sentence; empty if it can."""
    parsed = prompt.reply.parse(reply, prompt.shown(parts).sizes)
    return wording.sentence(f"This cannot be read as a reply: {parsed.problem}") if isinstance(parsed, Unreadable) else ""


def recorded_values(prompt: Prompt, parts: Sequence[Part], reply: str) -> dict[str, Any] | None:
    """The values that make this reply; None if the fields, as they are typed, cannot express it."""
    values = prompt.reply.values(reply, prompt.shown(parts))
    listed = [field for field in prompt.fields(parts) if field.kind == "list" and field.name in (values or {})]
    typed = all(values and items(field, lines(field, values[field.name])) == values[field.name] for field in listed)
    return values if typed else None


def reason_for(asked: Sequence[FormField], recorded: Mapping[str, Any], values: Mapping[str, Any]) -> str:
    """The reason for these values, if a recorded reply gave one: its own for the recorded decision; for another decision, that a
    person picked it. A reason that a person wrote stays."""
    own, at = recorded.get(REASON), values.get(REASON)
    if not own or at not in (own, PICKED_BY_PERSON):
        return str(at or "")
    decided = [field.name for field in asked if field.kind in ("one", "several") and field.name in recorded]
    return own if all(values.get(name) == recorded[name] for name in decided) else PICKED_BY_PERSON


def lines(field: FormField, listed: Sequence[Any]) -> str:
    """A list as typed: one item per line, with a bar between the values of an item."""
    return "\n".join(BETWEEN.join(item[key] for key in field.keys) if isinstance(item, Mapping) else str(item) for item in listed)


def items(field: FormField, typed: str) -> tuple[Any, ...]:
    """A typed list, parsed. Missing values at the end of a line are empty; surplus ones stay in the last value."""
    found = [line.strip() for line in typed.split("\n") if line.strip()]
    if not field.keys:
        return tuple(found)
    split = [[piece.strip() for piece in line.split(BETWEEN.strip(), len(field.keys) - 1)] for line in found]
    return tuple({key: (row[n] if n < len(row) else "") for n, key in enumerate(field.keys)} for row in split)
