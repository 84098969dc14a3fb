"""QRMeM's walk where the question names no entity: the segments that came into view at each step, and those put back. Pure.

No relation leads to them, so there is no net to show: a column for each step, under its name and what brought its segments. A
segment that comes a second time stands in a second column. Not here: walks over the net (`qrmem_walk.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import networkx as nx

from components.player import graph_layout
from readers.engine.text import refs

CAPTION = "The segments it looked at, trial by trial"
MEANINGS = {
    "shown": "in view",
    "added": "came into view here",
    "left": "put back for lack of room",
    "named": "named in this segment",
    "found": "found in the text",
}
COLUMNS = 6  # in a row
# Pixels from column to column, from segment to segment, for the heads, and between rows.
PITCH, STACK, HEADS, ROW_GAP = 74, 56, 62, 62
LEAST = 44  # the width of a segment in pixels
LINE = 20  # from a head to the one below it
STEPS = {"start": "start", "retrieve": "at last"}


class SegmentChange(NamedTuple):
    """A segment came into view at a step (`added`), or was put back (`left`). `by` says what brought it."""

    step: int
    at: str
    ref: str
    state: str
    by: str = ""


def add_to(
    graph: nx.MultiDiGraph[str],
    changes: Sequence[SegmentChange],
    names: Mapping[str, str],
    aims: Sequence[Mapping[str, Any] | None],
) -> tuple[list[dict[str, Any]], list[str | None]]:
    """Add a node for each time that a segment came, at its place. `aims` has the span that the text goes to, by step. Returns the
    heads over the columns, and by step the node of the segment that the text goes to."""
    heads: list[dict[str, Any]] = []
    latest: dict[str, str] = {}  # the node of each segment
    stood: dict[int, dict[str, str]] = {}
    top, highest = 0.0, 0
    for column, (step, happened) in enumerate(groupby(changes, key=lambda change: change.step)):
        if column and column % COLUMNS == 0:
            top, highest = top + HEADS + highest * STACK + ROW_GAP - STACK, 0
        x, count = column % COLUMNS * PITCH, 0
        for change in sorted(happened, key=lambda change: (change.state != "added", refs.span(change.ref))):
            if change.state == "added":
                latest[change.ref] = _add(graph, change, names, (x, top + HEADS + count * STACK))
                heads += _heads(change, x, top) if not count else []
                count += 1
            elif change.ref in latest:
                _put_back(graph.nodes[latest[change.ref]], step)
        highest = max(highest, count)
        stood[step] = dict(latest)
    return heads, [_here(aim, step, stood) for step, aim in enumerate(aims)]


def _heads(change: SegmentChange, x: float, top: float) -> list[dict[str, Any]]:
    words = (STEPS.get(change.at, change.at), change.by)
    return [{"text": text, "x": x, "y": top + line * LINE, "from": change.step} for line, text in enumerate(words)]


def _add(graph: nx.MultiDiGraph[str], change: SegmentChange, names: Mapping[str, str], place: tuple[float, float]) -> str:
    """It came into view at this step; the model is shown it at the next."""
    name, node_id = names.get(change.ref, "a segment"), f"{change.ref} {change.step}"
    label = name.removeprefix("segment ")
    graph.add_node(
        node_id,
        kind="node",
        name=f"{name}, {change.by}",
        label=label,
        width=max(LEAST, graph_layout.label_width(label)),
        row=0,
        span=refs.span(change.ref),
        refs=[change.ref],
        changes=[(change.step, "added"), (change.step + 1, "shown")],
        visits=[change.step],
        x=place[0],
        y=place[1],
        walk=list(place),
        opened=False,
    )
    return node_id


def _put_back(node: dict[str, Any], step: int) -> None:
    """From this step on it is out of view, which for some is the step at which they came."""
    node["changes"] = [*(change for change in node["changes"] if change[0] < step), (step, "left")]


def _here(aim: Mapping[str, Any] | None, step: int, stood: Mapping[int, Mapping[str, str]]) -> str | None:
    """The node of the segment that the text goes to at a step."""
    last = max((at for at in stood if at <= step), default=None)
    return stood[last].get(refs.place(*aim["span"])) if aim and last is not None else None
