"""The places and sizes of boxes: none lies over another in a net, and none of a tree tells where a reading will go."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import pytest

from components.player import graph_layout
from components.player.pictures import picture
from tests.support.readings.shipped_readings import SHIPPED, shipped_reading


def net(size: int, fixed: int) -> nx.MultiDiGraph[str]:
    """A ring of entities, each tied to one far away, too, and to one of some nodes that keep their places."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    widths = [graph_layout.label_width(f"Entity number {n}") for n in range(size)]
    for n, width in enumerate(widths):
        graph.add_node(f"a{n}", high=graph_layout.LOW, width=width)
    for n in range(fixed):
        graph.add_node(f"f{n}", high=graph_layout.HIGH, width=graph_layout.HIGH)
    for n in range(size):
        graph.add_edge(f"a{n}", f"a{(n + 1) % size}")
        graph.add_edge(f"a{n}", f"a{n * 7 % size}")
        if fixed:
            graph.add_edge(f"a{n}", f"f{n * fixed // size}")
    places = graph_layout.in_rows([f"f{n}" for n in range(fixed)], widths)
    graph_layout.lay_out_net(graph, places)
    assert all((graph.nodes[node_id]["x"], graph.nodes[node_id]["y"]) == place for node_id, place in places.items())
    return graph


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    high = (one["high"] + other["high"]) / 2
    return abs(one["x"] - other["x"]) < (one["width"] + other["width"]) / 2 and abs(one["y"] - other["y"]) < high


@pytest.mark.parametrize(("size", "fixed"), [(1, 0), (14, 1), (60, 4), (190, 12), (150, 400)])
def test_no_box_lies_over_another_and_some_keep_their_places(size: int, fixed: int) -> None:
    nodes = [node for _, node in net(size, fixed).nodes(data=True)]
    assert not any(overlap(a, b) for a, b in combinations(nodes, 2))


@pytest.mark.parametrize("name", [name for name in SHIPPED if name.startswith(("memwalker", "recursive"))])
def test_no_box_of_a_row_shows_by_its_size_where_the_reading_will_go(name: str) -> None:
    shipped = shipped_reading(name)
    drawn = picture(shipped.run.reader, shipped.trace, question=shipped.run.question)
    assert drawn is not None
    rows: dict[float, set[float]] = {}
    for node in drawn["nodes"]:
        rows.setdefault(node["y"], set()).add(node["width"])
    assert all(len(widths) == 1 for widths in rows.values()), rows
