"""A net's places: the walk from left to right, no box over another."""

from __future__ import annotations

from itertools import combinations, pairwise

import networkx as nx
import pytest

from components.player import graph_layout

SPINE = [["a0", "a1"], ["a7"], ["a12"]]


def net(size: int, *, named: int = 10_000) -> nx.MultiDiGraph[str]:
    """A ring of entities, each tied to one far away, too; beyond the first `named` they are dots."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for n in range(size):
        label = f"Entity number {n}" if n < named else ""
        graph.add_node(f"a{n}", label=label, width=graph_layout.label_width(label) if label else graph_layout.DOT)
    for n in range(size):
        graph.add_edge(f"a{n}", f"a{(n + 1) % size}")
        graph.add_edge(f"a{n}", f"a{n * 7 % size}")
    graph_layout.lay_out_net(graph, [[node_id for node_id in column if node_id in graph] for column in SPINE])
    return graph


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    high = [(graph_layout.HIGH if node["label"] else graph_layout.DOT) / 2 for node in (one, other)]
    return abs(one["x"] - other["x"]) < (one["width"] + other["width"]) / 2 and abs(one["y"] - other["y"]) < sum(high)


@pytest.mark.parametrize(("size", "named"), [(1, 1), (14, 14), (60, 60), (190, 30)])
def test_no_box_lies_over_another(size: int, named: int) -> None:
    nodes = [node for _, node in net(size, named=named).nodes(data=True)]
    assert not any(overlap(a, b) for a, b in combinations(nodes, 2))


def test_the_walk_goes_from_left_to_right_and_its_beginnings_stand_below_each_other() -> None:
    places = net(60).nodes(data=True)
    columns = [[places[node_id] for node_id in column] for column in SPINE]
    assert all(a[0]["x"] < b[0]["x"] for a, b in pairwise(columns))
    assert columns[0][0]["x"] == columns[0][1]["x"]
    assert columns[0][0]["y"] < columns[0][1]["y"]
