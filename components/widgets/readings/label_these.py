"""The button that makes a labelling project of chosen readings, by way of the selection on the page Readings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from components.html import markup
from components.session import state
from components.widgets import keys

MakeProject = Callable[[str], None]  # by the id of a batch; empty: of the selection
HELP = "Create a project in which people label these readings. They become the selection on the page Readings."


def button(runs: Sequence[str], name: str, *, key: str, make_project: MakeProject) -> None:
    """Offer a project of these readings, which `name` describes."""
    if st.button(markup.plain(f"Label these {len(runs):,}: {name}"), key=key, disabled=not runs, help=HELP):
        ticked = state.ticked_runs()
        ticked.clear()
        ticked.update(dict.fromkeys(runs))
        state.set_value(keys.LABELLED_AS, (name, tuple(ticked)))
        make_project("")


def name_of_selection() -> str:
    """What the readings were called from which the button made the selection; empty once another is selected."""
    name, runs = state.value(keys.LABELLED_AS) or ("", ())
    return name if runs == tuple(state.ticked_runs()) else ""
