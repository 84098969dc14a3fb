"""The life of every sentence of a memory, below the player: one lane per sentence, the steps from left to right.

A fragment redraws the figure when the step has settled. Clicking a sentence at a step goes there in the player and opens the
sentence's history. The figure uses the player's picture (`pictures/memory.py`), so both agree. Shapes and words carry the
meaning; colour only helps. Streamlit loads plotly with the first figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import streamlit as st

from components.html import markup
from components.html.palette import PALETTE
from components.session import state
from readers.engine.store import Run
from readers.engine.text.shorten import shorten_at_word

Theme = Literal["light", "dark"]
Picture = Mapping[str, Any]

MOST_LANES, MOST_STEPS = 22, 60
LABEL = 30  # characters
LABELS = 232  # pixels for them
ROW, FRAME = 27, 92  # pixels: a lane, and the space above and below all lanes
BACK, CAME, CHANGED, UNSURE, LOST = "back again", "added", "reworded, merged or split", "uncertain", "overwritten"
# What is marked on a lane: symbol, colour of the palette.
MARKS = {
    CAME: ("cross-thin-open", "evidence"),
    CHANGED: ("diamond-tall-open", "model"),
    UNSURE: ("triangle-up-open", "warn"),
    BACK: ("circle-open", "evidence"),
    LOST: ("x-thin-open", "lost"),
}
_MARKED = {"new": CAME, "split": CHANGED, "reworded": CHANGED, "merged": CHANGED, "restored": BACK, "uncertain": UNSURE}
NAME = "lanes"
QUIET = {"displayModeBar": False, "scrollZoom": False}


def pointed(run: Run, picture: Mapping[str, Any] | None) -> dict[str, int] | None:
    """The clicked sentence and its step (from 0), for the player. It comes from the browser, so it is checked like any upload."""
    said = state.value(state.key(NAME, run.id))
    points = said.get("selection", {}).get("points") if isinstance(said, Mapping) else None
    data = points[0].get("customdata") if isinstance(points, list) and points and isinstance(points[0], Mapping) else None
    if picture is None or not isinstance(data, list) or len(data) != 2 or not all(type(n) is int for n in data):
        return None
    lane, memory = data
    if not (0 <= lane < len(picture["lanes"]) and 0 <= memory < len(picture["snapshots"])):
        return None
    return {"lane": lane, "at": picture["snapshots"][memory]["step"]}


def show_lanes(run: Run, picture: Mapping[str, Any], at: int, *, later: bool = True) -> None:
    """Draw the figure at step `at` (from 0), and say what it leaves out. Without `later`, it ends at that step."""
    here = picture["here"]
    number = here[min(max(at, 0), len(here) - 1)] if here else 0
    memory = max(0, number)
    picture = picture if later else until(picture, number)
    shown = life(picture, memory) if picture["memories"] else Life((), 0, 0, 0)
    with st.container(key=NAME):
        st.html(markup.section("", "The life of every sentence", hint="click one for its history and its place in the text"))
        if not shown.lanes:
            st.html(markup.empty("The memory is still empty."))
            return
        theme: Theme = "dark" if st.context.theme.type == "dark" else "light"
        key = state.key(NAME, run.id)
        figure = lanes(picture, memory, theme)
        st.plotly_chart(figure, key=key, on_select="rerun", selection_mode="points", theme=None, config=QUIET)
        st.caption(markup.plain(_told(picture, shown)))


def _told(picture: Mapping[str, Any], shown: Life) -> str:
    count = len(shown.lanes)
    told = f"{count:,} sentence{'' if count == 1 else 's'}, those in memory at this step first"
    rest = f"; {shown.left_out:,} more are not shown" if shown.left_out else ""
    steps = len(picture["snapshots"])
    first, last = step(picture, shown.first), step(picture, shown.last)
    part = f" Steps {first:,} to {last:,} are shown." if shown.last - shown.first + 1 < steps else ""
    return f"{told}{rest}.{part} Sentences are matched by their words: the most similar are linked, whatever they mean."


# The figure as plain data for plotly


class Life(NamedTuple):
    """What a figure shows: the lanes by number, in order of appearance, and the memories from `first` to `last`."""

    lanes: tuple[int, ...]
    first: int
    last: int
    left_out: int


def life(picture: Picture, at: int) -> Life:
    """The sentences to show at memory `at` (from 0): those of it and of the steps around it, then those that lived longest."""
    count = len(picture["memories"])
    first = min(max(0, at - MOST_STEPS // 2), max(0, count - MOST_STEPS))
    last = min(count, first + MOST_STEPS) - 1
    now = {row[0] for row in picture["memories"][at]}
    inside = [n for n in range(len(picture["lanes"])) if any(a <= last and b >= first for a, b in stays(picture, n))]
    inside.sort(key=lambda n: (n not in now, -sum(min(b, last) - max(a, first) + 1 for a, b in stays(picture, n)), n))
    lanes = tuple(sorted(inside[:MOST_LANES], key=lambda n: (picture["lanes"][n]["v"][0][0], n)))
    return Life(lanes, first, last, len(picture["lanes"]) - len(lanes))


def until(picture: Picture, memory: int) -> Picture:
    """The picture as it was at a memory (from 0; -1 for none yet): nothing in it is later."""
    lanes = [
        {**lane, "v": [one for one in lane["v"] if one[0] <= memory], "gone": [one for one in lane["gone"] if one[0] <= memory]}
        for lane in picture["lanes"]
        if lane["v"][0][0] <= memory  # lanes are in the order in which they begin
    ]
    return {
        **picture,
        "lanes": lanes,
        "memories": picture["memories"][: memory + 1],
        "snapshots": picture["snapshots"][: memory + 1],
    }


def stays(picture: Picture, lane: int) -> list[tuple[int, int]]:
    """The runs of memories, both ends included, that contain a sentence."""
    about, last = picture["lanes"][lane], len(picture["memories"]) - 1
    ends = [gone[0] for gone in about["gone"]]
    starts = [about["v"][0][0]] + [next((v[0] for v in about["v"] if v[0] > end), last + 1) for end in ends]
    return [(start, end - 1) for start, end in zip(starts, [*ends, last + 1], strict=True) if start <= last]


def lanes(picture: Picture, at: int, theme: Theme) -> dict[str, Any]:
    """The figure for memory `at`: one lane per sentence with marks for its changes, and the current step ringed. Each point has
    its lane and memory as `customdata`."""
    shown = life(picture, at)
    ink = {name: getattr(colour, theme) for name, colour in PALETTE.items()}
    rows = {lane: row for row, lane in enumerate(shown.lanes)}
    return {
        "data": [*_stays(picture, shown, rows, ink), _steps(picture, shown, rows), *_marks(picture, shown, rows, ink)],
        "layout": _layout(picture, shown, ink, at=at),
    }


def step(picture: Picture, memory: int) -> int:
    """The step of the reading a memory was written at, from 1."""
    return int(picture["snapshots"][memory]["step"]) + 1


def _words(picture: Picture, lane: int, at: int) -> str:
    """The words of a sentence in a memory, or last before it."""
    versions = picture["lanes"][lane]["v"]
    return str(picture["texts"][next((v for v in reversed(versions) if v[0] <= at), versions[0])[1]])


def _stays(picture: Picture, shown: Life, rows: Mapping[int, int], ink: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Lines where a sentence was in memory, dotted where it was gone in between."""
    there: tuple[list[float | None], list[int | None]] = ([], [])
    gone: tuple[list[float | None], list[int | None]] = ([], [])
    for lane, row in rows.items():
        found = [
            (max(a, shown.first), min(b, shown.last)) for a, b in stays(picture, lane) if a <= shown.last and b >= shown.first
        ]
        for a, b in found:
            there[0].extend((step(picture, a) - 0.3, step(picture, b) + 0.3, None))
            there[1].extend((row, row, None))
        for (_, a), (b, _) in pairwise(found):
            gone[0].extend((step(picture, a) + 0.3, step(picture, b) - 0.3, None))
            gone[1].extend((row, row, None))
    common = {"type": "scatter", "mode": "lines", "hoverinfo": "skip"}
    yield common | {"x": there[0], "y": there[1], "name": "in memory", "line": {"color": ink["stood-for"], "width": 8}}
    if gone[0]:
        line = {"color": ink["lost"], "width": 1.5, "dash": "dot"}
        yield common | {"x": gone[0], "y": gone[1], "name": "gone in between", "line": line}


def _steps(picture: Picture, shown: Life, rows: Mapping[int, int]) -> dict[str, Any]:
    """An invisible point wherever a sentence was in memory, for hovering."""
    found = [
        (lane, row, at)
        for lane, row in rows.items()
        for a, b in stays(picture, lane)
        for at in range(max(a, shown.first), min(b, shown.last) + 1)
    ]
    return _points("in memory", [_Point(lane, row, at, _words(picture, lane, at)) for lane, row, at in found], picture) | {
        "marker": {"size": 12, "opacity": 0},
        "showlegend": False,
    }


def _marks(picture: Picture, shown: Life, rows: Mapping[int, int], ink: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    found: dict[str, list[_Point]] = {name: [] for name in MARKS}
    for lane, row in rows.items():
        about = picture["lanes"][lane]
        happened = [(version[0], _MARKED.get(picture["hows"][version[2]])) for version in about["v"]]
        happened += [(gone[0], LOST) for gone in about["gone"]]
        for at, name in happened:
            if name and shown.first <= at <= shown.last:
                found[name].append(_Point(lane, row, at, _words(picture, lane, at)))
    for name, points in found.items():
        symbol, colour = MARKS[name]
        marker = {"symbol": symbol, "size": 11, "color": ink[colour], "line": {"color": ink[colour], "width": 2.5}}
        if points:
            yield _points(name, points, picture) | {"marker": marker}


class _Point(NamedTuple):
    """A point of the figure: a lane, its row, a step, and the words of the lane at that step."""

    lane: int
    row: int
    at: int
    words: str


def _points(name: str, points: Sequence[_Point], picture: Picture) -> dict[str, Any]:
    """Points with their hover text; the words are data, not markup."""
    kept = {"opacity": 1}
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [step(picture, one.at) for one in points],
        "y": [one.row for one in points],
        "customdata": [[one.lane, one.at] for one in points],
        "text": [f"{_escaped(shorten_at_word(one.words, 90))}<br>{name}, step {step(picture, one.at)}" for one in points],
        "hovertemplate": "%{text}<extra></extra>",
        "selected": {"marker": kept},
        "unselected": {"marker": kept} if name != "in memory" else {"marker": {"opacity": 0}},
    }


def _escaped(words: str) -> str:
    """Escape a model's words, because plotly accepts some tags in texts."""
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _layout(picture: Picture, shown: Life, ink: Mapping[str, str], *, at: int) -> dict[str, Any]:
    now = step(picture, at)
    axis = {"showgrid": True, "gridcolor": ink["line"], "zeroline": False, "tickfont": {"color": ink["ink"], "size": 13}}
    present = {
        "type": "rect",
        "x0": now - 0.42,
        "x1": now + 0.42,
        "y0": -0.6,
        "y1": len(shown.lanes) - 0.4,
        "line": {"color": ink["ink"], "width": 2},
        "layer": "above",
    }
    first, last = step(picture, shown.first), step(picture, shown.last)
    return {
        "height": FRAME + ROW * len(shown.lanes),
        "margin": {"l": LABELS, "r": 12, "t": 34, "b": 44},
        "paper_bgcolor": ink["paper"],
        "plot_bgcolor": ink["paper"],
        "font": {"family": '"Source Sans", "Source Sans 3", sans-serif', "color": ink["ink"], "size": 14},
        "hoverlabel": {"bgcolor": ink["paper"], "bordercolor": ink["line"], "font": {"color": ink["ink"], "size": 14}},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"color": ink["soft"], "size": 13}},
        "xaxis": {
            **axis,
            "title": {"text": "step", "font": {"color": ink["soft"], "size": 13}},
            "range": [first - 0.7, last + 0.7],
        }
        | ({"dtick": 1} if last - first <= 30 else {}),
        "yaxis": {
            **axis,
            "showgrid": False,
            "range": [len(shown.lanes) - 0.4, -0.6],
            "tickvals": list(range(len(shown.lanes))),
            "ticktext": [_escaped(shorten_at_word(_words(picture, lane, at), LABEL)) for lane in shown.lanes],
        },
        "shapes": [present],
        "dragmode": False,
        "clickmode": "event+select",
    }
