"""Pictures as graphs: a networkx graph goes in, laid out; what the player draws comes out, by way of pyvis. Pure, no Streamlit.

Positions are computed here and stay: physics is off, so a picture does not move while one steps through it. A node or edge holds
its `changes`, pairs of a step and the state from then on; before the first it is not there. Labels are data, never markup.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import networkx as nx
from pyvis.network import Network

CHARACTER = 7.4  # how wide a letter of a label is, in pixels, at the size the player writes it
PADDING = 14
GAP = 6
ROW = 104
LOW_ROW = 84  # where there are more than three rows


def label_width(label: str) -> float:
    """Room for a label in its box, in pixels."""
    return max((len(line) for line in label.split("\n")), default=0) * CHARACTER + PADDING


def lay_out_tree(tree: nx.DiGraph[str], root: str) -> None:
    """Give every node its middle, `x` and `y` in pixels: by its `row` downwards, left to right in the order of the children, a
    parent over the middle of what is under it, and its `width` kept clear on its row. All children of a node are on one row."""
    free: dict[int, float] = {}
    height = ROW if max(tree.nodes[id]["row"] for id in tree) < 3 else LOW_ROW
    for id in nx.dfs_postorder_nodes(tree, root):
        node, children = tree.nodes[id], list(tree.successors(id))
        leftmost = free.get(node["row"], 0.0) + node["width"] / 2
        x = (tree.nodes[children[0]]["x"] + tree.nodes[children[-1]]["x"]) / 2 if children else leftmost
        if x < leftmost:
            _shift(tree, id, leftmost - x, free)
            x = leftmost
        node["x"], node["y"] = x, node["row"] * height
        free[node["row"]] = x + node["width"] / 2 + GAP


def _shift(tree: nx.DiGraph[str], id: str, by: float, free: dict[int, float]) -> None:
    """Move everything below a node to the right."""
    for below in nx.descendants(tree, id):
        node = tree.nodes[below]
        node["x"] += by
        free[node["row"]] = max(free[node["row"]], node["x"] + node["width"] / 2 + GAP)


def picture(graph: nx.MultiDiGraph[str], **about: Any) -> dict[str, Any]:
    """The graph as the player draws it, with what else it is told `about` it (caption, hint, meanings of the marks)."""
    net = Network(directed=True)
    net.toggle_physics(False)
    for id, node in graph.nodes(data=True):
        net.add_node(id, **_plain(node))
    for start, end, edge in graph.edges(data=True):
        net.add_edge(start, end, **edge)
    return {"kind": "graph", "nodes": [_node(node) for node in net.nodes], "edges": net.edges, **about}


def _plain(node: Mapping[str, Any]) -> dict[str, Any]:
    return {**node, "label": str(node["label"]) or " ", "shape": "box"}


def _node(node: Mapping[str, Any]) -> dict[str, Any]:
    """Without what pyvis adds for its own page."""
    return {name: value for name, value in node.items() if name not in ("color", "font", "shape", "size")}
