"""Bringing into view what has changed in a lesson."""

from __future__ import annotations

import streamlit as st

from components.html.scripts import script

_into_view = st.components.v2.component("palimpsest.into_view", html="<div></div>", js=script("learn/into_view.js"))


def into_view(place: str, *, shows: str, key: str) -> None:
    """Scroll to what a CSS selector names, if it is out of view when `shows` is another than before."""
    _into_view(key=key, data={"name": key, "place": place, "shows": shows})
