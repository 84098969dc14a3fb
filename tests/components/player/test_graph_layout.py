"""A net's places: no box over another."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import pytest

from components.player import graph_layout


def net(size: int, *, named: int = 10_000) -> nx.MultiDiGraph[str]:
    """A ring of entities, each tied to one far away, too; beyond the first `named` they are dots."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for n in range(size):
        label = f"Entity number {n}" if n < named else ""
        graph.add_node(f"a{n}", label=label, width=graph_layout.label_width(label) if label else graph_layout.DOT)
    for n in range(size):
        graph.add_edge(f"a{n}", f"a{(n + 1) % size}")
        graph.add_edge(f"a{n}", f"a{n * 7 % size}")
    graph_layout.lay_out_net(graph)
    return graph


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    high = [(graph_layout.HIGH if node["label"] else graph_layout.DOT) / 2 for node in (one, other)]
    return abs(one["x"] - other["x"]) < (one["width"] + other["width"]) / 2 and abs(one["y"] - other["y"]) < sum(high)


@pytest.mark.parametrize(("size", "named"), [(1, 1), (14, 14), (60, 60), (190, 30)])
def test_no_box_lies_over_another(size: int, named: int) -> None:
    nodes = [node for _, node in net(size, named=named).nodes(data=True)]
    assert not any(overlap(a, b) for a, b in combinations(nodes, 2))
