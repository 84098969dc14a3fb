"""MemWalker's picture: the tree by levels, left to right in the order of the text, and the walk through it. Pure.

Each node has states by step: `unseen`, `offered` (its summary was compared), `visited`, `back` (the walk went back from it),
`answer`. The moves of the walk are numbered, down along the tree and back up. In a tree of more than `MOST` nodes, what is off
the path is folded into stubs with counts; opening a stub shows the next level below it. Built on the reader's `view`, so it shows
what the run file has.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

import networkx as nx

from components.player import graph_layout
from readers.engine.questions.no_answer_given import none_given
from readers.engine.record.events import Answered, Asked, Wrote
from readers.engine.record.trace import Trace
from readers.engine.text import refs
from readers.engine.text.words import term, words
from readers.memwalker import view

MOST = 150
FEW = 12
NARROW = 10
WIDE = 132
LONGEST_NAME = 14
TEXTS_AT_MOST = 3_000_000
MEANINGS = {
    "visited": "on its way",
    "back": "turned back",
    "offered": "compared, not opened",
    "unseen": "never opened",
}

# A capital in the middle of a sentence.
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{3,}")

Node = Mapping[str, Any]
Change = tuple[int, str]


@dataclass
class _Walk:
    """What happened on the walk, by node and step."""

    changes: dict[str, list[Change]] = field(default_factory=lambda: defaultdict(list))
    moves: list[dict[str, Any]] = field(default_factory=list)
    visits: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    here: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Drawing:
    """What determines how a node is drawn."""

    nodes: Mapping[str, Node]
    called: Mapping[str, str]
    walk: _Walk
    key_words: Mapping[str, str]
    opened: Set[str]


def draw(trace: Trace, opened: Set[str]) -> dict[str, Any] | None:
    """The tree and the walk so far; None before there is a node."""
    seen = view.view(trace)
    nodes: dict[str, Node] = {node["id"]: node for node in seen["nodes"]}
    if not nodes:
        return None
    walk = _walk(trace, nodes, seen["walk"])
    called = {refs.node_id(ref): name for ref, name in view.names(trace).items() if refs.written(ref) is not None}
    roots = _roots(nodes)
    path = {*walk.visits, *(move["end"] for move in walk.moves)}  # the last node entered may have no step yet
    shown = _folded(nodes, roots, path, opened)
    key_words = _key_words(nodes, set(walk.visits))
    tree = _tree(shown, _Drawing(nodes, called, walk, key_words, opened))
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(tree)
    for move in walk.moves:
        graph.add_edge(move.pop("start"), move.pop("end"), **move)
    return graph_layout.picture(
        graph,
        caption="The tree it walked" if walk.visits else "The tree it builds",
        hint="in circles: the order of the walk" if walk.moves else "",
        here=[walk.here.get(step.number) for step in trace.steps],
        meanings=MEANINGS,
        note="Under a number: a name from that part's summary." if key_words else "",
        names=called,
        texts=_texts(nodes),
        parents={child: node_id for node_id, node in nodes.items() for child in node["children"]},
        carried=_carried(trace, called),
    )


def _roots(nodes: Mapping[str, Node]) -> list[str]:
    """The nodes with no parent yet; while the tree is built there are many."""
    below = {child for node in nodes.values() for child in node["children"]}
    return [node_id for node_id in nodes if node_id not in below]


def _walk(trace: Trace, nodes: Mapping[str, Node], told: Iterable[Mapping[str, Any]]) -> _Walk:
    walk = _Walk()
    for step in trace.steps:
        for event in trace.events[step.start : step.end]:
            if isinstance(event, Wrote) and str(event.n) in nodes:
                walk.changes[str(event.n)].append((step.number, "unseen"))
    stack = [list(nodes)[-1]]
    steps = [step for step in trace.steps if step.phase == "walk"]
    by_step: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    none = isinstance(trace.end, Answered) and none_given("answered", trace.end.text)
    for row in told:
        if none and row["action"] == "commit":
            continue  # what says that there is no answer marks no place as the answer's
        by_step[row["step"]].append(row)
    for step in steps:
        _visit(walk, nodes, stack[-1], step.number)
        for row in by_step[step.number]:
            _follow(walk, stack, row)
    return walk


def _visit(walk: _Walk, nodes: Mapping[str, Node], here: str, step: int) -> None:
    walk.here[step] = here
    walk.visits[here].append(step)
    walk.changes[here].append((step, "visited"))
    for child in nodes[here]["children"]:
        if child not in walk.visits:
            walk.changes[child].append((step, "offered"))


def _follow(walk: _Walk, stack: list[str], row: Mapping[str, Any]) -> None:
    """Add one decision: a numbered move down or up, or the end."""
    here, step = stack[-1], row["step"]
    if row["action"] == "enter":
        stack.append(row["to"])
        walk.changes[row["to"]].append((step, "visited"))
    elif row["action"] == "revert":
        stack.pop()
        walk.changes[here].append((step, "back"))
    elif row["action"] == "commit":
        walk.changes[here].append((step, "answer"))
        return
    else:
        return
    kind = "down" if row["action"] == "enter" else "back"
    walk.moves.append(
        {"start": here, "end": stack[-1], "kind": kind, "label": str(len(walk.moves) + 1), "changes": [(step, kind)]}
    )


def _folded(nodes: Mapping[str, Node], roots: list[str], visited: Set[str], opened: Set[str]) -> dict[str, list[str]]:
    """The children that are drawn, by node: all in a small tree; otherwise a stub replaces what is below a node that the walk
    never opened, and a row of neighbours that it passed by."""
    if len(nodes) <= MOST:
        return {"": roots, **{node_id: list(node["children"]) for node_id, node in nodes.items()}}
    shown: dict[str, list[str]] = {"": list(_runs(roots, visited | opened, opened, "top")) if len(roots) > MOST else roots}
    todo = [node_id for node_id in shown[""] if node_id in nodes]
    while todo:
        node_id = todo.pop()
        children = nodes[node_id]["children"]
        if node_id in visited or node_id in opened:
            shown[node_id] = list(children)
            todo.extend(children)
        elif children:
            shown[node_id] = [f"{node_id}+"]
    if sum(map(len, shown.values())) > MOST:
        shown = {node_id: list(_runs(below, visited, opened, node_id or "top")) for node_id, below in shown.items()}
        kept = {child for below in shown.values() for child in below}
        shown = {node_id: below for node_id, below in shown.items() if node_id == "" or node_id in kept}
    return shown


def _runs(children: Iterable[str], kept: Set[str], opened: Set[str], parent: str) -> Iterator[str]:
    """The children, with each run of two or more neighbours that are not kept replaced by a stub, named for its first and
    last."""
    run: list[str] = []
    for child in [*children, ""]:
        if child and child not in kept and child not in opened and parent not in opened and not child.endswith("+"):
            run.append(child)
            continue
        stub = f"{run[0]}-{run[-1]}+" if len(run) > 1 else ""
        yield from [stub] if stub and stub not in opened else run
        run = []
        if child:
            yield child


def _tree(shown: Mapping[str, list[str]], drawing: _Drawing) -> nx.DiGraph[str]:
    """The nodes that are drawn, with their positions."""
    tree: nx.DiGraph[str] = nx.DiGraph()
    nodes = drawing.nodes
    top = max(node["level"] for node in nodes.values())
    todo = [("", child) for child in reversed(shown[""])]
    tree.add_node("", row=-1, width=0.0)
    while todo:
        parent, node_id = todo.pop()
        row = tree.nodes[parent]["row"] + 1 if parent else top - nodes[node_id]["level"] if node_id in nodes else top
        tree.add_node(node_id, row=row, **(_stub(node_id, drawing) if node_id.endswith("+") else _look(node_id, parent, drawing)))
        tree.add_edge(parent, node_id)
        todo.extend((node_id, child) for child in reversed(shown.get(node_id, [])))
    graph_layout.lay_out_tree(tree, "")
    tree.remove_node("")
    for start, end in tree.edges:
        born = tree.nodes[start]["changes"][0][0]
        tree.edges[start, end].update(kind="tree", changes=[(born, "tree")])
    return tree


def _look(node_id: str, parent: str, drawing: _Drawing) -> dict[str, Any]:
    """How a node is drawn. One that the walk never came near has no label and is narrow, unless a person opened the path to
    it."""
    node, changes = drawing.nodes[node_id], drawing.walk.changes[node_id]
    labelled = len(drawing.nodes) <= FEW or parent in drawing.opened or any(state != "unseen" for _, state in changes)
    name = drawing.called.get(node_id, "a part of the text")  # numbers are assigned with the root
    short = name.removeprefix("part ") if node_id in drawing.called else ""
    label = f"{short}\n{drawing.key_words[node_id]}" if node_id in drawing.key_words else short
    return {
        "kind": "node",
        "name": name,
        "label": label if labelled else "",
        "width": min(graph_layout.label_width(label), WIDE) if labelled else NARROW,
        "span": (node["start"], node["end"]),
        "changes": changes,
        "visits": drawing.walk.visits.get(node_id, []),
        "leaf": not node["children"],
    }


def _stub(node_id: str, drawing: _Drawing) -> dict[str, Any]:
    """A stub is drawn with the number of nodes it replaces, and named for where it is."""
    count, start, end = _hidden(node_id, drawing.nodes)
    first, _, last = node_id.removesuffix("+").partition("-")
    called = [drawing.called.get(one, "a part") for one in (first, last) if one]
    name = f"{count} more below {called[0]}" if len(called) == 1 else f"{count} from {called[0]} to {called[1]}"
    about = {"kind": "stub", "name": name, "span": (start, end), "changes": [(0, "unseen")], "visits": []}
    return about | {"label": f"+{count}", "width": graph_layout.label_width(f"+{count}")}


def _hidden(stub: str, nodes: Mapping[str, Node]) -> tuple[int, int, int]:
    """How many nodes a stub replaces, and the span of the text below them."""
    first, _, last = stub.removesuffix("+").partition("-")
    ids = list(nodes[first]["children"]) if not last else []
    if last:
        at = [node_id for node_id, node in nodes.items() if node["level"] == nodes[first]["level"]]
        ids = at[at.index(first) : at.index(last) + 1]
    count, todo = 0, list(ids)
    while todo:
        count += 1
        todo.extend(nodes[todo.pop()]["children"])
    return count, nodes[ids[0]]["start"], nodes[ids[-1]]["end"]


def _key_words(nodes: Mapping[str, Node], visited: Set[str]) -> dict[str, str]:
    """A label, made by rule, for each visited inner node below the root: a name that sets its summary apart from its
    neighbours'."""
    by_level: dict[int, list[str]] = defaultdict(list)
    for node_id in visited:
        if nodes[node_id]["children"]:
            by_level[nodes[node_id]["level"]].append(node_id)
    found = {}
    for level, ids in by_level.items():
        alike = [node_id for node_id, node in nodes.items() if node["level"] == level]
        if len(alike) < 2:
            continue
        terms_of = {node_id: {term(word) for word in words(nodes[node_id]["summary"])} for node_id in alike}
        common = Counter(word for found_terms in terms_of.values() for word in found_terms)
        for node_id in ids:
            found[node_id] = _telling(nodes[node_id]["summary"], common, most=max(1, len(alike) // 3))
    return {node_id: words for node_id, words in found.items() if words}


def _telling(summary: str, common: Counter[str], *, most: int) -> str:
    """The most frequent name here that at most `most` of the neighbours have; empty if there is none."""
    inside = [word for word in _NAME.findall(summary) if common[term(word)] <= most]
    often = Counter(inside)
    best = max(inside, key=lambda word: (often[word] / common[term(word)], often[word]), default="")
    return best if len(best) <= LONGEST_NAME else ""


def _texts(nodes: Mapping[str, Node]) -> dict[str, str]:
    """Every summary, for the node's card and for searching; in a very large tree only the beginning of each."""
    most = max(200, TEXTS_AT_MOST // len(nodes))
    return {
        node_id: node["summary"] if len(node["summary"]) <= most else node["summary"][:most] + " …"
        for node_id, node in nodes.items()
    }


def _carried(trace: Trace, called: Mapping[str, str]) -> dict[int, list[str]]:
    """The working memory of each call, by step: the nodes that had their summaries in it, by name."""
    found = {}
    for step in trace.steps:
        for event in trace.events[step.start : step.end]:
            parts = dict(event.parts) if isinstance(event, Asked) else {}
            carried = [refs.node_id(piece.origin) for text in parts.get("memory", ()) for piece in text]
            if carried:
                found[step.number] = [called[node_id] for node_id in dict.fromkeys(carried) if node_id in called]
    return found
