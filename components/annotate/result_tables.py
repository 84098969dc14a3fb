"""A table of results on the page. Each cell opens the readings behind it, in a list below the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from components.annotate.wording import PAGE
from components.html import markup
from components.html.scripts import script
from components.html.words.reading_words import title_in_list
from components.session import address, state
from components.widgets import report
from readers.engine.analysis import label_results
from readers.engine.analysis.label_results import model_title
from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.report.values import Cell, Column, Figure, Row, Table
from readers.engine.text.shorten import shorten_at_word

TRACE = "pages/3_Trace.py"
A_PAGE = 10

_cells = st.components.v2.component(
    "palimpsest.cells", html='<div class="cells"></div>', js=script("annotate/counts_table.js"), isolate_styles=False
)


def draw(
    visible: VisibleLabels, table: Table, *, steps: Mapping[str, int] | None = None, notes: Mapping[str, str] | None = None
) -> None:
    """Draw a table and, below it, the readings behind the cell that the address asks for: each opens at its step (from 1), and
    has its own note. Pressing a cell opens it, pressing it again closes it."""
    asked, key = address.open_cell(), state.key("cells", visible.project.id, table.key)
    _cells(key=key, data=table_data(table, asked), on_open_change=_on_press(table, key))
    if found := opened(table, asked):
        name, cell = found
        _behind(visible, name, cell, steps or label_results.first_steps(visible, asked), notes or {})


def table_data(table: Table, asked: Sequence[str] = ()) -> dict[str, Any]:
    """The table as data for the browser: strings and numbers, no markup."""
    return {
        "about": table.title,
        "corner": table.head,
        "columns": [{"key": column.key, "name": column.name, "note": column.note} for column in table.columns],
        "rows": [{"key": row.key, "name": row.name, "cells": list(map(_cell_data, row.cells))} for row in table.rows],
        "opened": list(asked[1:]) if opened(table, asked) else None,
    }


def _cell_data(cell: Cell) -> dict[str, Any] | None:
    """A cell; a share has a bar with its interval, from 0 to 1."""
    if cell == Cell():
        return None
    figure = cell.content
    bar = (figure.value, figure.low, figure.high) if isinstance(figure, Figure) and figure.unit == "part" else None
    return {"text": str(figure), "small": " · ".join(cell.small), "bar": bar, "opens": len(cell.runs)}


def opened(table: Table, asked: Sequence[str]) -> tuple[str, Cell] | None:
    """The cell at [table, row, column] with its name in words; None if it has no readings to open."""
    if len(asked) != 3 or asked[0] != table.key:
        return None
    cell = table.at(asked[1], asked[2])
    return (f"{_name(table.rows, asked[1])} · {_name(table.columns, asked[2])}", cell) if cell.runs else None


def _name(heads: Sequence[Row] | Sequence[Column], key: str) -> str:
    return next(one.name for one in heads if one.key == key)


def pressed(table: Table, message: object) -> tuple[str, ...]:
    """The cell that the browser reports as pressed, as [table, row, column]; empty if this table has no such cell."""
    found = message.get("open") if isinstance(message, Mapping) else None
    if not isinstance(found, list) or len(found) != 2 or not all(isinstance(one, str) for one in found):
        return ()
    asked = (table.key, *found)
    return asked if opened(table, asked) else ()


def _on_press(table: Table, key: str) -> Callable[[], None]:
    def on_press() -> None:
        if asked := pressed(table, state.value(key)):
            address.set_open_cell(() if asked == address.open_cell() else asked)

    return on_press


def _behind(visible: VisibleLabels, name: str, cell: Cell, steps: Mapping[str, int], notes: Mapping[str, str]) -> None:
    runs = [run for run in cell.runs if run in visible.runs]
    with st.container(key="behind", border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(markup.section("", name, hint=", ".join([str(cell.content), *cell.small])))
            st.button("Close", key=state.key("cells", "close"), on_click=address.set_open_cell, args=((),))
        box = st.container(gap=None, key="behind-readings")
        here = report.part(runs, A_PAGE, "cell_page", state.short_hash(name))
        with box:
            for run_id in here:
                _reading(visible, run_id, steps.get(run_id), notes.get(run_id, ""))


def _reading(visible: VisibleLabels, run_id: str, step: int | None, note: str) -> None:
    run = visible.runs[run_id]
    label = markup.plain(shorten_at_word(run.question, 160)) or "A reading"
    with st.container(key=f"behind-{run_id}", horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link(TRACE, label=label, query_params=address.to_step(run_id, step) if step else address.to_trace(run_id))
        facts = [
            note,
            f"step {step:,}" if step else "",
            title_in_list(run),
            model_title(str(run.spec.get("model", ""))),
            visible.titles.get(run.document, ""),
        ]
        st.html(markup.facts([fact for fact in facts if fact]), width="content")
        if visible.viewer.stage:
            st.page_link(PAGE, label="At the bench", query_params=address.to_project(visible.project.id, run=run_id))
