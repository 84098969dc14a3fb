"""What one score looks like: against length, effort and depth, as plotly's JSON data; by the questions' fields; and question by
question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

import streamlit as st

from components.evaluate import sum_up
from components.evaluate.choose import DEPTH, DEPTHS, Chooser, by_cell, depth_key, depth_name
from components.html import markup, plot
from components.html.words import wording
from components.session import state
from components.session.drawing import current_theme
from components.widgets import report as tables
from readers.engine.analysis.evaluate import report
from readers.engine.analysis.evaluate.evaluated import LENGTH, Evaluated, Evaluation, sliced
from readers.engine.analysis.evaluate.scores import scores_of
from readers.engine.questions.recipes import Recipe, recipes_beside
from readers.engine.run.batches import BatchPlan
from readers.engine.statistics.intervals import MeanEstimate
from readers.engine.store.batches import Batch

A_PAGE = 30  # questions
AGAINST = {
    "length": "Length of the text", "calls": "Calls", "tokens": "Tokens", "cost": "Cost", "seconds": "Time",
    "depth": "Depth by length",
}  # fmt: skip
UNITS = {"calls": "calls a reading", "tokens": "tokens a reading", "cost": "dollars a reading", "seconds": "seconds a reading"}
ABOUT_COSTS = (
    "Means over readings; calls answered from earlier readings cost nothing and are not counted. Tokens are those of prompts and "
    "replies."
)
ABOUT_BARS = "Error bars are 95 % intervals, as in the table; a mean of fewer than five texts has none."
ABOUT_DEPTH = (
    "The mean score of the readings whose evidence begins in that fifth of the text, all readers together; n is their number."
)
_ROW, _FRAME = 34, 130  # px


def pictures(batch: Batch, found: Evaluation, score: str, chooser: Chooser) -> None:
    """Draw the score against the chosen field. A cell of the heat map that is clicked chooses its readings."""
    st.html(markup.section("", "Pictures", hint=report.title(score)))
    offered = [one for one in AGAINST if _drawable(one, found.readings)]
    if not offered:
        st.html(markup.empty("There is nothing to draw: the texts are of one length, and no calls were made."))
        return
    chosen = st.segmented_control(
        "Against", offered, format_func=AGAINST.__getitem__, default=offered[0], required=True,
        key=state.key("eval_against", batch.id),
    )  # fmt: skip
    against = str(chosen or offered[0])
    image = {"format": "svg", "filename": f"{score}-{against}-{batch.id}", "scale": 1}
    config = {**plot.CONFIG, "displayModeBar": True, "displaylogo": False, "toImageButtonOptions": image}
    key = state.key("eval_figure", batch.id, score, against)
    clicks: dict[str, Any] = {}
    if against == "depth":
        clicks = {"on_select": lambda: _clicked(key, chooser.key("among")), "selection_mode": "points"}
    st.plotly_chart(
        _figure(against, found, score), theme=None, config={**config, "modeBarButtons": [["toImage"]]}, key=key, **clicks
    )
    about = {"depth": ABOUT_DEPTH, "length": ABOUT_BARS}.get(against, ABOUT_COSTS)
    st.caption(about)
    if against == "depth" and DEPTH in (cell := chooser.chosen(score)).key:
        chooser.label(cell, "figure")


def _clicked(figure: str, which: str) -> None:
    """Choose the readings of the cell that was clicked; if none was clicked, all."""
    state.set_value(which, state.clicked(figure))


def _drawable(against: str, readings: Sequence[Evaluated]) -> bool:
    if against == "length":
        return len(sliced(readings, LENGTH)) > 1
    if against == "depth":
        return any(one.depth is not None for one in readings)
    return any(_took(one, against) for one in readings)


def _took(one: Evaluated, unit: str) -> float | None:
    """The cost of a reading; None if that is unknown, or there is no reading."""
    if unit == "seconds":
        return one.seconds
    if one.used is None:
        return None
    return {"calls": one.used.calls, "tokens": one.used.tokens, "cost": one.used.cost}[unit]


def _figure(against: str, found: Evaluation, score: str) -> dict[str, Any]:
    theme = current_theme()
    if against == "depth":
        lengths, cells = _depths(found.readings, score)
        return by_depth(lengths, cells, theme, keys=depth_key)
    if against == "length":
        parts = {length: scored for length, some in sliced(found.readings, LENGTH).items() if (scored := _scores(some, score))}
        lines = {one: [part.get(one) for part in parts.values()] for one in found.readers}
        return by_length([*parts], lines, theme)
    took: dict[str, list[float]] = defaultdict(list)
    for one in found.readings:
        if (amount := _took(one, against)) is not None:
            took[one.reader].append(amount)
    scored = _scores(found.readings, score)
    points = {name: (fmean(some), scored[name]) for name, some in took.items() if name in scored}
    return by_effort(against, points, theme)


def _scores(readings: Sequence[Evaluated], score: str) -> dict[str, MeanEstimate]:
    """The score of each reader over these readings."""
    found = scores_of(readings)
    return {reader: cell.asked for reader in found.readers if (cell := found.cell(reader, score))}


def _depths(readings: Sequence[Evaluated], score: str) -> tuple[list[str], dict[tuple[int, str], tuple[float, int]]]:
    """The mean score and the number of readings by the fifth in which the evidence begins, and the length of the text."""
    cells = by_cell(readings, score)
    means = {at: (sum(one.value(score) or 0.0 for one in some) / len(some), len(some)) for at, some in cells.items()}
    return list(dict.fromkeys(length for _, length in cells)), means


def papers_of(batch: Batch, found: Evaluation) -> list[Recipe]:
    """The recipe that the batch follows, then the others for the questions' benchmarks."""
    return recipes_beside(BatchPlan.of(batch.plan).recipe, found.benchmarks)


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
    by = st.selectbox("Sliced by", offered, format_func=report.slice_name, width=340, key=state.key("eval_slice", batch.id))
    every = {value: _scores(some, score) for value, some in sliced(found.readings, by or offered[0]).items()}
    parts = {value: scored for value, scored in every.items() if scored}
    tables.draw(report.slices(parts, found.readers, by=by or offered[0]))


def questions(batch: Batch, found: Evaluation, score: str, chooser: Chooser) -> None:
    """Draw questions by readers, each a mark that opens its reading: those of the chosen selection."""
    st.html(markup.section("", "Question by question", hint=report.title(score)))
    chosen = chooser.ask(score)
    chooser.label(chosen, "questions")
    sum_up.show(chooser, chosen)
    shown = [one for one in found.readings if one.question in chosen.questions]
    numbers = list(dict.fromkeys(one.question for one in shown))
    box = st.container()
    here = {*tables.part(numbers, A_PAGE, "eval_page", batch.id, chosen.key)}
    with box:
        tables.draw(report.marks((one for one in shown if one.question in here), score, found.readers), kind="marks")
    st.caption(f"{wording.count(len(numbers), 'question')}. ✓ the whole score, ◐ a part of it, ✗ none. A mark opens its reading.")


# Drawing


def by_length(lengths: Sequence[str], lines: Mapping[str, Sequence[MeanEstimate | None]], theme: plot.Theme) -> dict[str, Any]:
    """A line for each reader over the lengths of texts, with error bars; None where a reader has no text of a length."""
    ink = plot.inks(theme)
    data = []
    for (name, found), (colour, dash, symbol) in zip(lines.items(), plot.lines(len(lines)), strict=True):
        there = [(length, one) for length, one in zip(lengths, found, strict=True) if one and one.value is not None]
        data.append(
            {
                "type": "scatter", "mode": "lines+markers", "name": name, "x": [length for length, _ in there],
                "y": [_percent(one.value) for _, one in there], "error_y": _bars([one for _, one in there], ink[colour]),
                "line": {"color": ink[colour], "width": 2.5, "dash": dash},
                "marker": {"symbol": symbol, "size": 9, "color": ink[colour]},
                "customdata": [f"{one.of:,} readings" for _, one in there],
                "hovertemplate": "%{fullData.name}, %{x}: %{y:.1f} (%{customdata})<extra></extra>",
            }
        )  # fmt: skip
    axis = plot.axis(ink, "tokens of the text", type="category", categoryorder="array", categoryarray=list(lengths))
    beside = {"scattermode": "group", "scattergap": 0.8}  # the error bars of readers are next to each other
    return {"data": data, "layout": _layout(ink, len(lines), xaxis=axis, **beside)}


def by_effort(unit: str, points: Mapping[str, tuple[float, MeanEstimate]], theme: plot.Theme) -> dict[str, Any]:
    """A point for each reader: the mean cost of a reading, and the score with its error bar."""
    ink = plot.inks(theme)
    data = [
        {
            "type": "scatter", "mode": "markers", "name": name, "x": [at], "y": [_percent(score.value)],
            "error_y": _bars([score], ink[colour]), "marker": {"symbol": symbol, "size": 13, "color": ink[colour]},
            "hovertemplate": "%{fullData.name}: %{y:.1f} at %{x:,.4~g}<extra></extra>",
        }
        for (name, (at, score)), (colour, _, symbol) in zip(points.items(), plot.lines(len(points)), strict=True)
    ]  # fmt: skip
    return {"data": data, "layout": _layout(ink, len(points), xaxis=plot.axis(ink, UNITS[unit], rangemode="tozero"))}


def by_depth(
    lengths: Sequence[str],
    cells: Mapping[tuple[int, str], tuple[float, int]],
    theme: plot.Theme,
    *,
    keys: Callable[[int, str], str],
) -> dict[str, Any]:
    """How well is answered by how deep in the text the evidence begins, and by length: (score, readings) by (fifth, length). A
    cell that is clicked says its key."""
    ink = plot.inks(theme)
    depths = [depth_name(n) for n in range(DEPTHS)]
    found = [[cells.get((n, length)) for length in lengths] for n in range(DEPTHS)]
    heat = {
        "type": "heatmap", "x": list(lengths), "y": depths,
        "z": [[_percent(cell[0]) if cell else None for cell in row] for row in found],
        "text": [[f"{_percent(cell[0]):.0f}<br>n = {cell[1]:,}" if cell else "" for cell in row] for row in found],
        "texttemplate": "%{text}", "textfont": {"size": plot.SMALLEST, "color": ink["ink"]},
        "zmin": 0, "zmax": 100, "xgap": 2, "ygap": 2,
        "colorscale": [[0, ink["raw-tint"]], [1, ink["stood-for"]]], "showscale": False, "hoverongaps": False,
        "hoverinfo": "skip",
    }  # fmt: skip
    return {
        "data": [heat, _clickable(cells, keys)],
        "layout": plot.layout(
            ink, height=_FRAME + 2 * _ROW * DEPTHS, showlegend=False,
            xaxis=plot.axis(ink, "tokens of the text", type="category"),
            yaxis=plot.axis(ink, "where the evidence begins", autorange="reversed", automargin=True),
            hovermode="closest", hoverdistance=-1,
        ),
    }  # fmt: skip


def _clickable(cells: Mapping[tuple[int, str], tuple[float, int]], keys: Callable[[int, str], str]) -> dict[str, Any]:
    """Invisible marks on the cells of the heat map, which cannot be clicked itself: a click selects the nearest mark."""
    return {
        "type": "scatter", "mode": "markers", "showlegend": False,
        "text": [f"{_percent(score):.1f}" for score, _ in cells.values()],
        "hovertemplate": "evidence at %{y} of the text, %{x}: %{text}<extra></extra>",
        "x": [length for _, length in cells], "y": [depth_name(fifth) for fifth, _ in cells],
        "customdata": [keys(fifth, length) for fifth, length in cells],
        "marker": {"symbol": "square", "size": 1.6 * _ROW, "opacity": 0}, "selected": {"marker": {"opacity": 0}},
        "unselected": {"marker": {"opacity": 0}},
    }  # fmt: skip


def _percent(value: float | None) -> float:
    return 100 * (value or 0.0)


def _bars(found: Sequence[MeanEstimate], colour: str) -> dict[str, Any]:
    """Error bars of these means; none where there is no interval."""
    up = [0.0 if one.high is None or one.value is None else 100 * (one.high - one.value) for one in found]
    down = [0.0 if one.low is None or one.value is None else 100 * (one.value - one.low) for one in found]
    return {"type": "data", "symmetric": False, "array": up, "arrayminus": down, "color": colour, "thickness": 1.5, "width": 5}


def _layout(ink: dict[str, str], readers: int, **more: Any) -> dict[str, Any]:
    return plot.layout(
        ink, height=380 + 12 * readers,
        yaxis=plot.axis(ink, "score in percent", rangemode="tozero", automargin=True), **more,
    )  # fmt: skip
