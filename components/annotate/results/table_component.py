"""Mounts a table of counts in the browser; its cells open the readings behind them. The table itself is `tables.Grid`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from components.annotate.results.tables import Grid
from components.html.scripts import script
from components.session.page import address, state

_cells = st.components.v2.component(
    "palimpsest.cells", html='<div class="cells"></div>', js=script("annotate/counts_table.js"), isolate_styles=False
)


def mount(grid: Grid, *, key: str) -> None:
    """Draw a table. Pressing a cell opens it and sets it in the address; pressing it again closes it."""
    _cells(key=key, data=grid.data(address.open_cell()), on_open_change=_on_press(grid, key))


def pressed(grid: Grid, message: object) -> tuple[str, ...]:
    """The cell that the browser reports as pressed, as [table, row, column]; empty if this table has no such cell."""
    found = message.get("open") if isinstance(message, Mapping) else None
    if not isinstance(found, list) or len(found) != 2 or not all(isinstance(one, str) for one in found):
        return ()
    asked = (grid.id, *found)
    return asked if grid.opened(asked) else ()


def _on_press(grid: Grid, key: str) -> Callable[[], None]:
    def on_press() -> None:
        asked = pressed(grid, state.value(key))
        if asked:
            address.set_open_cell(() if asked == address.open_cell() else asked)

    return on_press
