"""The settings of a reader to start from: those good to watch with a sample, `auto` sizes for any text, the reader's defaults, or
one of its paper's presets. The form below them can change each value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, get_args

import streamlit as st

from components.html import markup
from components.html.words import reading_words, wording
from components.session import process_cache, state
from components.session.model_choice import ModelChoice
from components.widgets import text_cache
from components.widgets.start import options_form
from components.widgets.start.choose_text import Picked
from readers.engine.models import catalogue
from readers.engine.models.call import ReplyForm
from readers.engine.prompts.options import Preset
from readers.engine.run import part_sizes
from readers.engine.run.reader import Reader
from readers.engine.store import Run

EARLIER = "As in the reading before"
WATCHED = "Good to watch with this text"
AUTO = f"Auto: {part_sizes.FEWEST} to {part_sizes.MOST} parts of any text"
DEFAULTS = "The reader’s defaults"
NOTHING = Preset({}, reply_form=None)


def settings_for(reader: Reader, picked: Picked, before: Run | None) -> tuple[Mapping[str, Preset], str]:
    """The values to begin with by the names they are offered under, the first one suggested; after an earlier reading by this
    reader, first of all its own. Then why `auto` gives more parts than it should; empty if it does not."""
    offered: dict[str, Preset] = {}
    limit = ""
    if before and before.reader == reader.id:
        offered[EARLIER] = Preset(before.spec["options"], reply_form=None)
    if picked.sample and (watched := picked.sample.watched.get(reader.id)):
        offered[WATCHED] = Preset(watched, reply_form=None)
    if picked.document and reader.part_size:
        window = process_cache.window_of_choice(state.model_choice())
        chosen = part_sizes.suited(reader, text_cache.length(picked.document.id, picked.document), window=window)
        offered[AUTO] = Preset(chosen.options, reply_form=None)
        limit = part_sizes.why_limited(window) if chosen.limited and window else ""
    return {**offered, DEFAULTS: NOTHING, **reader.presets}, limit


def ask_settings(reader: Reader, picked: Picked, before: Run | None) -> tuple[dict[str, Any], Preset]:
    """Draw the choice and the fields; return the options, and the preset they started from."""
    offered, limit = settings_for(reader, picked, before)
    about = state.short_hash(f"{picked.document.id if picked.document else ''} {before.id if before else ''}")
    key = state.key("preset", reader.id, about)
    name = st.selectbox("Settings to start from", list(offered), key=key)
    preset = offered[name or DEFAULTS]
    if preset.sampling:
        terms = ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in preset.sampling.items())
        st.caption(f"The sampling is also as there: {terms}.")
    if name == AUTO and limit:
        st.caption(markup.plain(wording.sentence(limit)))
    options = options_form.ask_options(
        reader.Options, key=lambda name: state.key(reader.id, name), suggested=preset.options, note=_note(reader, picked)
    )
    wrong = options_form.wrong(reader.Options, options)
    if wrong:
        st.error(markup.plain(wording.sentence(wrong)))
    return options, replace(preset, reply_form=_ask_reply_form(preset, state.model_choice()))


def _ask_reply_form(preset: Preset, choice: ModelChoice) -> str:
    """Draw the choice of how replies in a form are asked for; of the offline model and a person, they are asked for in words."""
    if choice.offline or choice.human:
        return "words"
    offered, usual = get_args(ReplyForm), preset.reply_form or choice.reply_form
    wanted: ReplyForm = st.selectbox(
        "Reply form", offered, offered.index(usual), help=reading_words.ABOUT_REPLY_FORM,
        format_func=reading_words.REPLY_FORMS.__getitem__, key=state.key("reply_form", choice.id, usual),
    )  # fmt: skip
    return catalogue.reply_form_for(wanted, choice.id, choice.api_base)


def _note(reader: Reader, picked: Picked) -> Callable[[str, Mapping[str, Any]], str]:
    """What the size of a part amounts to in this text, next to its option."""

    def note(name: str, values: Mapping[str, Any]) -> str:
        if picked.document is None or reader.part_size is None or name != reader.part_size.option:
            return ""
        return part_sizes.in_words(reader, values, text_cache.length(picked.document.id, picked.document))

    return note
