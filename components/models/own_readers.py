"""Readers of one's own, where there are any: each with where it is from, why it is refused, or what the
offline model cannot do of it."""

from __future__ import annotations

import streamlit as st

import readers
from components.html import markup
from components.html.words import wording
from components.html.words.wording import Chip
from components.models import html
from components.session import access


def show_own_readers() -> None:
    """Draw the section. Not in a demo: where they are from is nobody else's business."""
    if access.demo() or not readers.PLUGINS:
        return
    st.html(markup.section("", "Readers of your own"))
    for plugin in readers.PLUGINS:
        chip = Chip("!", "refused", "warn") if plugin.problem else Chip("◆", "ready", "good")
        title = plugin.reader.title if plugin.reader else plugin.name
        said = [wording.sentence(words) for words in (plugin.problem, *plugin.remarks) if words]
        st.html(html.local_model(title, chip, [*said, plugin.origin]))
