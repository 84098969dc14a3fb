"""The life of every sentence of a memory, below the player: a figure, drawn anew where the step has settled.

Clicking a sentence at a step goes there in the player, and opens the sentence's history. Drawn by a fragment, which hears of the
step. Plotly is loaded by Streamlit when the first figure is drawn, and not before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from components.html import markup
from components.player import memory_lanes_figure
from components.session import state
from readers.engine.store import Run

NAME = "lanes"
QUIET = {"displayModeBar": False, "scrollZoom": False}


def pointed(run: Run, picture: Mapping[str, Any] | None) -> dict[str, int] | None:
    """The sentence that was clicked, and its step (from 0), as the player takes it. It comes from the browser, and is looked at
    like any upload."""
    said = state.value(state.key(NAME, run.id))
    points = said.get("selection", {}).get("points") if isinstance(said, Mapping) else None
    data = points[0].get("customdata") if isinstance(points, list) and points and isinstance(points[0], Mapping) else None
    if picture is None or not isinstance(data, list) or len(data) != 2 or not all(type(n) is int for n in data):
        return None
    lane, memory = data
    if not (0 <= lane < len(picture["lanes"]) and 0 <= memory < len(picture["snapshots"])):
        return None
    return {"lane": lane, "at": picture["snapshots"][memory]["step"]}


def show_lanes(run: Run, picture: Mapping[str, Any], at: int) -> None:
    """The figure at step `at` (from 0), and in words what it leaves out."""
    here = picture["here"]
    memory = max(0, here[min(max(at, 0), len(here) - 1)]) if here else 0
    shown = memory_lanes_figure.life(picture, memory)
    with st.container(key=NAME):
        st.html(markup.section("", "The life of every sentence", hint="click one for its history and its place in the text"))
        if not shown.lanes:
            st.html(markup.empty("The memory has held nothing yet."))
            return
        theme: memory_lanes_figure.Theme = "dark" if st.context.theme.type == "dark" else "light"
        key = state.key(NAME, run.id)
        figure = memory_lanes_figure.lanes(picture, memory, theme)
        st.plotly_chart(figure, key=key, on_select="rerun", selection_mode="points", theme=None, config=QUIET)
        st.caption(markup.plain(_told(picture, shown)))


def _told(picture: Mapping[str, Any], shown: memory_lanes_figure.Life) -> str:
    count = len(shown.lanes)
    told = f"{count:,} sentence{'' if count == 1 else 's'}, those in memory at this step first"
    rest = f"; {shown.left_out:,} more are not shown" if shown.left_out else ""
    steps = len(picture["snapshots"])
    first, last = memory_lanes_figure.step(picture, shown.first), memory_lanes_figure.step(picture, shown.last)
    part = f" Steps {first:,} to {last:,} are shown." if shown.last - shown.first + 1 < steps else ""
    return f"{told}{rest}.{part} Sentences are followed by their words: what is told is what is most like, not what is meant."
