"""Mounts a table of counts whose cells open the readings behind them. The table itself is `annotate_counts.Grid`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from components.annotate.results.tables import Grid
from components.html.scripts import script
from components.session import address, state

_cells = st.components.v2.component(
    "palimpsest.cells", html='<div class="cells"></div>', js=script("annotate/counts_table.js"), isolate_styles=False
)


def mount(grid: Grid, *, key: str) -> None:
    """Draw a table. A cell that is pressed stands in the address then; the same pressed again is closed."""
    _cells(key=key, data=grid.data(address.open_cell()), on_open_change=_heard(grid, key))


def pressed(grid: Grid, said: object) -> tuple[str, ...]:
    """The cell that the browser says was pressed, as [table, row, column]; empty for what is none of this table."""
    found = said.get("open") if isinstance(said, Mapping) else None
    if not isinstance(found, list) or len(found) != 2 or not all(isinstance(one, str) for one in found):
        return ()
    asked = (grid.id, *found)
    return asked if grid.opened(asked) else ()


def _heard(grid: Grid, key: str) -> Callable[[], None]:
    def heard() -> None:
        asked = pressed(grid, state.value(key))
        if asked:
            address.set_open_cell(() if asked == address.open_cell() else asked)

    return heard
