"""What one score looks like: against length, effort and depth; by the questions' fields; and question by question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from components.evaluate import figures, keys, selections, wording
from components.evaluate.choose import Chooser
from components.html import markup
from components.html.figures import plot
from components.html.words import wording as words
from components.session.page import state
from components.session.page.drawing import current_theme
from components.widgets import pager
from components.widgets import report as tables
from readers.engine.analysis.evaluate import report
from readers.engine.analysis.evaluate.evaluated import LENGTH, Evaluated, Evaluation, sliced
from readers.engine.analysis.evaluate.table import scores_of
from readers.engine.questions.recipes import Recipe, recipes, recipes_for
from readers.engine.run.batches import BatchPlan
from readers.engine.statistics.intervals import MeanEstimate
from readers.engine.store.batches import Batch

A_PAGE = 30  # questions


def pictures(batch: Batch, found: Evaluation, score: str, chooser: Chooser) -> None:
    """Draw the score against what is chosen. A cell of the heat map that is clicked chooses its readings."""
    st.html(markup.section("", "Pictures", hint=report.title(score)))
    offered = [one for one in wording.AGAINST if _drawable(one, found.readings)]
    if not offered:
        st.html(markup.empty("There is nothing to draw: the texts are of one length, and no calls were made."))
        return
    chosen = st.segmented_control(
        "Against", offered, format_func=wording.AGAINST.__getitem__, default=offered[0], required=True,
        key=state.key(keys.AGAINST, batch.id),
    )  # fmt: skip
    against = str(chosen or offered[0])
    image = {"format": "svg", "filename": f"{score}-{against}-{batch.id}", "scale": 1}
    config = {**plot.CONFIG, "displayModeBar": True, "displaylogo": False, "toImageButtonOptions": image}
    key = state.key(keys.FIGURE, batch.id, score, against)
    clicks: dict[str, Any] = {}
    if against == "depth":
        clicks = {"on_select": lambda: _clicked(key, chooser.key), "selection_mode": "points"}
    st.plotly_chart(
        _figure(against, found, score), theme=None, config={**config, "modeBarButtons": [["toImage"]]}, key=key, **clicks
    )
    about = {"depth": wording.ABOUT_DEPTH, "length": wording.ABOUT_BARS}.get(against, wording.ABOUT_COSTS)
    st.caption(about)
    if against == "depth" and (cell := chooser.chosen(score)).key.startswith(selections.DEPTH):
        chooser.label(cell, "figure")


def _clicked(figure: str, which: str) -> None:
    """Choose the readings of the cell that was clicked; of none, all."""
    event: Any = state.value(figure)
    points = event["selection"]["points"] if event else []
    found = points[0].get("customdata") if points else ""
    state.set_value(which, str(found[0] if isinstance(found, list) else found or ""))


def _drawable(against: str, readings: Sequence[Evaluated]) -> bool:
    if against == "length":
        return len(sliced(readings, LENGTH)) > 1
    if against == "depth":
        return any(one.depth is not None for one in readings)
    return any(_took(one, against) for one in readings)


def _took(one: Evaluated, unit: str) -> float | None:
    """What a reading took; None if that is unknown, or there is no reading."""
    if unit == "seconds":
        return one.seconds
    if one.used is None:
        return None
    return {"calls": one.used.calls, "tokens": one.used.tokens, "cost": one.used.cost}[unit]


def _figure(against: str, found: Evaluation, score: str) -> dict[str, Any]:
    theme = current_theme()
    if against == "depth":
        lengths, cells = _depths(found.readings, score)
        return figures.by_depth(lengths, cells, theme, keys=selections.depth_key)
    if against == "length":
        parts = {length: scored for length, some in sliced(found.readings, LENGTH).items() if (scored := _scores(some, score))}
        lines = {one: [part.get(one) for part in parts.values()] for one in _readers(found)}
        return figures.by_length([*parts], lines, theme)
    took: dict[str, list[float]] = defaultdict(list)
    for one in found.readings:
        if (amount := _took(one, against)) is not None:
            took[one.row.reader].append(amount)
    scored = _scores(found.readings, score)
    points = [figures.Point(name, sum(some) / len(some), scored[name]) for name, some in took.items() if name in scored]
    return figures.by_effort(against, points, theme)


def _scores(readings: Sequence[Evaluated], score: str) -> dict[str, MeanEstimate]:
    """The score of each reader over these readings."""
    found = scores_of([one.row for one in readings])
    return {reader: cell.asked for reader in found.readers if (cell := found.cell(reader, score))}


def _depths(readings: Sequence[Evaluated], score: str) -> tuple[list[str], dict[tuple[int, str], tuple[float, int]]]:
    """The mean score and the number of readings by the fifth in which the evidence begins, and the length of the text."""
    cells = selections.by_cell(readings, score)
    means = {at: (sum(one.row.scores[score].value or 0.0 for one in some) / len(some), len(some)) for at, some in cells.items()}
    return list(dict.fromkeys(length for _, length in cells)), means


def papers_of(batch: Batch, found: Evaluation) -> list[Recipe]:
    """The recipe that the batch follows, then the others for the questions' benchmarks."""
    followed = BatchPlan.of(batch.plan).recipe
    mine = [one for one in recipes() if one.name == followed]
    return mine + [one for one in recipes_for(found.benchmarks) if one not in mine]


def papers(batch: Batch, found: Evaluation) -> None:
    """Draw what papers print, in grey, each with what differs."""
    for one in papers_of(batch, found):
        st.html(markup.section("", f"In the paper: {one.title}", hint=one.paper))
        tables.draw(replace(said := report.printed(one), notes=()))
        for note in said.notes:
            st.caption(markup.plain(note))


def slices(batch: Batch, found: Evaluation, score: str) -> None:
    """Draw the score by a field of the questions, or by length."""
    offered = [*([LENGTH] if len(sliced(found.readings, LENGTH)) > 1 else []), *found.fields]
    if not offered:
        return
    st.html(markup.section("", "By kind of question", hint=report.title(score)))
    by = st.selectbox("Sliced by", offered, format_func=report.slice_name, width=340, key=state.key(keys.SLICE, batch.id))
    every = {value: _scores(some, score) for value, some in sliced(found.readings, by or offered[0]).items()}
    parts = {value: scored for value, scored in every.items() if scored}
    tables.draw(report.slices(parts, _readers(found), by=by or offered[0]))


def _readers(found: Evaluation) -> list[str]:
    return list(dict.fromkeys(row.reader for row in found.rows))


def questions(batch: Batch, found: Evaluation, score: str, chooser: Chooser) -> None:
    """Draw questions by readers, each a mark that opens its reading: those of the chosen selection."""
    st.html(markup.section("", "Question by question", hint=report.title(score)))
    chosen = chooser.ask(score)
    chooser.label(chosen, "questions")
    shown = [one for one in found.readings if one.number in chosen.questions]
    numbers = list(dict.fromkeys(one.number for one in shown))
    pages = max(1, -(-len(numbers) // A_PAGE))
    box = st.container()
    page = pager.ask(pages, key=state.key(keys.PAGE, batch.id, chosen.key, pages))
    here = {*numbers[A_PAGE * (page - 1) : A_PAGE * page]}
    with box:
        tables.draw(report.marks((one for one in shown if one.number in here), score, _readers(found)), kind="marks")
    st.caption(f"{words.count(len(numbers), 'question')}. ✓ the whole score, ◐ a part of it, ✗ none. A mark opens its reading.")
