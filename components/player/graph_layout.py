"""Pictures as graphs: takes a networkx graph, lays it out, and returns what the player draws, by way of pyvis. Pure.

Positions are computed here and fixed: physics is off, so a picture does not move while one steps through it. A node or edge has
`changes`, pairs of a step and the state from then on; before the first it is not drawn. Labels are data, never markup.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import ceil, cos, floor, sin
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from readers.engine import on_first_use

if TYPE_CHECKING:
    import networkx as nx
    from pyvis import network
else:
    nx, network = on_first_use.module("networkx"), on_first_use.module("pyvis.network")

MOST_SPRUNG = 499  # nodes that networkx lays out by springs without scipy
APART = 110  # between two neighbours in a net, in pixels
FLAT = 0.62  # a picture is wider than it is high
GOLDEN_ANGLE = 2.39996  # repeated turns by it never line up
CHARACTER = 7.4  # how wide a letter of a label is, in pixels, at the size the player writes it
PADDING = 14
GAP, THIN_GAP = 6, 2
BELOW = 84  # the rest of a net, in pixels
LOW_ROW = 52  # of what no edge leads to
HIGH, LOW = 40, 28  # of a box, and of an entity's
HOMELY = 9.0  # how much more a node is drawn to the first fixed node that it is joined to
CELL = 60.0  # of the grid in which overlaps are looked for, in pixels
ROOMY = 2.6  # times as much room as the boxes of a net take
NUMBER = 18  # the height of a number of the walk
MOST_NUMBERS, FEW_NUMBERS = 4, 2  # that stand over one another, and where there are more than three rows

Place = tuple[float, float]
Refusal = dict[str, str]  # the "id" of a node, the choice there that was refused in "words", and "why"
_Box = tuple[float, float, float, float]  # its centre and half its size, in pixels, with the gap around it


def label_width(label: str) -> float:
    """Room for a label in its box, in pixels."""
    return max((sum(map(_wide, line)) for line in label.split("\n")), default=0) * CHARACTER + PADDING


def _wide(letter: str) -> int:
    """The width of a letter in letters: Chinese and Japanese ones are twice as wide."""
    return 2 if east_asian_width(letter) in "WF" else 1


def letters(width: float) -> int:
    """How many letters fit into a label of this width."""
    return max(0, int((width - PADDING) / CHARACTER))


def lay_out_tree(tree: nx.DiGraph[str], root: str) -> None:
    """Set the centre of every node, `x` and `y` in pixels: by its `row` downwards, left to right in the order of the children, a
    parent over the middle of its children, and its `width` kept clear on its row. All children of a node are on one row. Above
    each row there is room for the numbers of a walk, however many there will be: for as many as `stacked` says."""
    free: dict[int, float] = {}
    height = HIGH + NUMBER * (1 + stacked(tree))
    for node_id in nx.dfs_postorder_nodes(tree, root):
        node, children = tree.nodes[node_id], list(tree.successors(node_id))
        leftmost = free.get(node["row"], 0.0) + node["width"] / 2
        x = (tree.nodes[children[0]]["x"] + tree.nodes[children[-1]]["x"]) / 2 if children else leftmost
        if x < leftmost:
            _shift(tree, node_id, leftmost - x, free)
            x = leftmost
        node["x"], node["y"] = x, node["row"] * height
        free[node["row"]] = x + node["width"] / 2 + gap(node["width"])


def first_words(tree: nx.DiGraph[str]) -> list[int]:
    """The step from which on a label has words under its number, if one ever has."""
    return sorted(step for _, node in tree.nodes(data=True) for step, label in node.get("labels", ()) if "\n" in label)[:1]


def stacked(tree: nx.Graph[str]) -> int:
    """How many numbers of a walk stand over one another above a node."""
    return MOST_NUMBERS if max(tree.nodes[node_id]["row"] for node_id in tree) < 3 else FEW_NUMBERS


def gap(width: float) -> float:
    """What is kept free beside a box on its row: less beside a thin one."""
    return min(GAP, max(THIN_GAP, 0.6 * width))


def _shift(tree: nx.DiGraph[str], node_id: str, by: float, free: dict[int, float]) -> None:
    """Move everything below a node to the right."""
    for below in nx.descendants(tree, node_id):
        node = tree.nodes[below]
        node["x"] += by
        free[node["row"]] = max(free[node["row"]], node["x"] + node["width"] / 2 + gap(node["width"]))


def in_rows(fixed: Sequence[str], widths: Sequence[float]) -> dict[str, Place]:
    """Places for nodes that stay where they are, row by row, so far apart that boxes of these widths have room among them."""
    if not fixed:
        return {}
    room = ROOMY * sum((width + 2 * GAP) * (LOW + 2 * GAP) for width in widths) / len(fixed)
    wide = max(2.0 * APART, (room / FLAT) ** 0.5)
    across = ceil((len(fixed) * FLAT) ** 0.5)
    return {node_id: (number % across * wide, number // across * wide * FLAT) for number, node_id in enumerate(fixed)}


def lay_out_net(graph: nx.MultiDiGraph[str], fixed: Mapping[str, Place]) -> None:
    """Set the centre of every node, `x` and `y` in pixels: the `fixed` ones at their places, the others by springs among them.
    Boxes do not overlap. The same graph gets the same positions in every process."""
    for node_id, (x, y) in _by_springs(graph, fixed).items():
        graph.nodes[node_id].update(x=x, y=y)
    _spread(graph, fixed)


def _by_springs(graph: nx.MultiDiGraph[str], fixed: Mapping[str, Place]) -> dict[str, Place]:
    """A node lies near the first fixed one that it is joined to above all; what no edge leads to lies in rows below the rest.
    For the springs, the sheet is as high as it is wide."""
    order = [node_id for node_id in graph if node_id in fixed or graph.degree(node_id)]
    if len(order) > MOST_SPRUNG:  # of a very long text; the fixed ones with the fewest edges keep their places without springs
        by_edges = sorted(order, key=lambda node_id: (node_id in fixed, -graph.degree(node_id)))
        last = set(by_edges[MOST_SPRUNG:])
        order = [node_id for node_id in order if node_id not in last]
    springs: nx.Graph[str] = nx.Graph()  # not a view: that goes over its nodes in the order of a set
    springs.add_nodes_from(order)
    home: dict[str, Place] = {}
    for start, end in graph.edges():
        at_home = end in fixed and home.setdefault(start, fixed[end]) == fixed[end]
        if start in springs and end in springs:
            springs.add_edge(start, end, weight=HOMELY if at_home else 1.0)
    begun: dict[str, Place] = {}
    for n, node_id in enumerate(order):
        x, y = fixed.get(node_id) or home.get(node_id) or next(iter(fixed.values()), (0.0, 0.0))
        turned = 0 if node_id in fixed else APART / 2
        begun[node_id] = (x + turned * cos(n * GOLDEN_ANGLE), y / FLAT + turned * sin(n * GOLDEN_ANGLE))
    stay = [node_id for node_id in fixed if node_id in springs]
    if len(begun) > len(stay):
        laid = nx.spring_layout(springs, pos=begun, fixed=stay or None, k=APART, iterations=50, seed=1)
        begun = {node_id: (float(laid[node_id][0]), float(laid[node_id][1])) for node_id in order}
    places = {node_id: (x, y * FLAT) for node_id, (x, y) in begun.items()} | dict(fixed)
    lowest = max((y for _, y in places.values()), default=0.0) + BELOW
    across = max(4, int(max((x for x, _ in places.values()), default=0.0) / APART))
    for number, node_id in enumerate(node_id for node_id in graph if node_id not in places):
        places[node_id] = (number % across * APART, lowest + number // across * LOW_ROW)
    return places


def _spread(graph: nx.MultiDiGraph[str], fixed: Mapping[str, Place]) -> None:
    """Move each box that overlaps another to the nearest free position; the fixed ones first, which have their places."""
    placed = _Placed()
    for node_id in sorted(graph, key=lambda node_id: node_id not in fixed):
        node = graph.nodes[node_id]
        wide, high = node["width"] / 2 + GAP, (HIGH if node_id in fixed else LOW) / 2 + GAP
        x, y = node["x"], node["y"]
        turn, hit = 0, placed.hit_by((x, y, wide, high))
        while hit:
            turn += 1
            reach, angle = 5 * turn**0.75, turn * GOLDEN_ANGLE
            node["x"], node["y"] = x + reach * cos(angle), y + reach * sin(angle) * FLAT
            box = (node["x"], node["y"], wide, high)
            hit = hit if _overlap(box, hit) else placed.hit_by(box)  # mostly the same one
        placed.add((node["x"], node["y"], wide, high))


class _Placed:
    """Boxes by the cells of a grid that they reach into, so that one is compared with those about it alone."""

    def __init__(self) -> None:
        self._in: dict[tuple[int, int], list[_Box]] = defaultdict(list)

    def add(self, box: _Box) -> None:
        for cell in _cells(box):
            self._in[cell].append(box)

    def hit_by(self, box: _Box) -> _Box | None:
        """One of them that a box overlaps."""
        return next((other for cell in _cells(box) for other in self._in.get(cell, ()) if _overlap(box, other)), None)


def _overlap(one: _Box, other: _Box) -> bool:
    return abs(one[0] - other[0]) < one[2] + other[2] and abs(one[1] - other[1]) < one[3] + other[3]


def _cells(box: _Box) -> list[tuple[int, int]]:
    x, y, wide, high = box
    across = range(floor((x - wide) / CELL), floor((x + wide) / CELL) + 1)
    return [(column, row) for column in across for row in range(floor((y - high) / CELL), floor((y + high) / CELL) + 1)]


def picture(graph: nx.MultiDiGraph[str], **about: Any) -> dict[str, Any]:
    """The graph as the player draws it, together with what is said `about` it.

    A node has "name", "label", "width", "span", "changes", "visits" (the steps at it), "leaf" and "refs", and its place "x", "y".
    `about` are "caption", "hint", "here" (for each step the id of its node, or None), "meanings" (of a state, in words),
    "names" and "texts" by node, and "parents" of those that are folded. Of a tree also how many "numbers" of a walk stand over
    one another; by step the choices "refused", and as "aims" what the step brought for a later call, "spans" with "words".
    Steps count from 0.
    """
    net = network.Network(directed=True)
    net.toggle_physics(False)
    for node_id, node in graph.nodes(data=True):
        net.add_node(node_id, **_plain(node))
    for start, end, edge in graph.edges(data=True):
        net.add_edge(start, end, **edge)
    nodes = [_node(node) for node in net.nodes]
    return {"kind": "graph", "nodes": nodes, "edges": net.edges, "since": since(node["changes"] for node in nodes), **about}


def since(changes: Iterable[Sequence[tuple[int, str]]]) -> dict[str, int]:
    """The step at which each state first comes up: before it, a legend does not explain it."""
    found: dict[str, int] = {}
    for step, state in (change for several in changes for change in several):
        found[state] = min(step, found.get(state, step))
    return found


def _plain(node: Mapping[str, Any]) -> dict[str, Any]:
    return {**node, "label": str(node["label"]) or " ", "shape": "box"}


def _node(node: Mapping[str, Any]) -> dict[str, Any]:
    """A node without what pyvis adds for its own page."""
    return {name: value for name, value in node.items() if name not in ("color", "font", "shape", "size")}
