"""MemWalker's picture: the tree by levels, left to right in the order of the text, and the walk through it. Pure.

Each node has states by step: `unseen`, `offered` (its summary was compared), `visited`, `back` (the walk went back from it),
`answer`. The moves of the walk are numbered, down along the tree and back up. In a tree of more than `MOST` nodes, what is off
the path is folded into stubs with counts; opening a stub shows the next level below it. It is made from the reader's state, as
its `view` is, so it shows what the run file has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from components.player import graph_layout
from components.player.pictures.memwalker_compared import compared, words_met
from components.player.shared_words import most_telling
from readers.engine import on_first_use
from readers.engine.questions.no_answer_given import none_given
from readers.engine.record.events import Answered, Asked, Wrote
from readers.engine.record.trace import Trace
from readers.engine.text import refs
from readers.engine.text.phrases import times
from readers.engine.text.shorten import truncate_at_word
from readers.engine.text.words import term
from readers.memwalker.state import MemWalkerState, Node

if TYPE_CHECKING:
    import networkx as nx
else:
    nx = on_first_use.module("networkx")

MOST = 150
FEW = 12  # nodes of a level that all have room for a label
NARROW, THIN = 10, 3  # the width of a node without a label, and where there are very many of them
LABELLED = 60  # room for a label, about
ROW_WIDTH = 660  # of all labels of a level, in pixels
WIDE = 130
TEXTS_AT_MOST = 3_000_000
MOVES = {"enter": "down", "revert": "back"}
UNDER_A_NUMBER = "Under a number, if there is room: words of its summary that met the question."
BUILT = "built"  # nothing is said of a node before the walk: none can be opened
MEANINGS = {
    "visited": "on its way",
    "back": "turned back",
    "offered": "compared, not opened",
    "unseen": "not opened",
}

Change = tuple[int, str]


@dataclass
class _WalkByNode:
    """What happened on the walk, by node and step."""

    changes: dict[str, list[Change]] = field(default_factory=lambda: defaultdict(list))
    moves: list[dict[str, Any]] = field(default_factory=list)
    visits: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    here: dict[int, str] = field(default_factory=dict)

    def move(self, row: Mapping[str, Any]) -> None:
        """Add a numbered move down or up."""
        start, end, step, kind = row["node"], row["to"], row["step"], MOVES[row["action"]]
        self.changes[end if kind == "down" else start].append((step, "visited" if kind == "down" else "back"))
        number = str(len(self.moves) + 1)
        self.moves.append({"start": start, "end": end, "kind": kind, "label": number, "changes": [(step, kind)]})


@dataclass(frozen=True)
class _Drawing:
    """What determines how a node is drawn."""

    tree: MemWalkerState
    walk: _WalkByNode
    met: Mapping[str, list[tuple[int, list[str]]]]
    opened: Set[str]

    @property
    def nodes(self) -> Mapping[str, Node]:
        return self.tree.nodes

    @cached_property
    def on_level(self) -> Counter[int]:
        """How many nodes each level has."""
        return Counter(node["level"] for node in self.nodes.values())

    def is_labelled(self, node_id: str, parent: str) -> bool:
        """Whether a node has room for its name: there are few on its level, or a person opened the path to it. It never depends
        on where the walk will go; where there is no room, the player names the nodes that the walk came to."""
        return self.on_level[self.nodes[node_id]["level"]] <= FEW or parent in self.opened


def draw(trace: Trace, opened: Set[str], *, question: str = "") -> dict[str, Any] | None:
    """The tree and the walk so far; None before there is a node. The words that met the `question` are marked in summaries."""
    state = MemWalkerState.of(trace)
    if not (nodes := state.nodes):
        return None
    walk = _walk(state)
    path = {*walk.visits, *(move["end"] for move in walk.moves)}  # the last node entered may have no step yet
    shown = _folded(nodes, state.roots, path, opened)
    texts = _texts(nodes)
    steps = compared(trace, texts, question)
    tree = _tree(shown, _Drawing(state, walk, words_met(steps), opened))
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(tree)
    for move in walk.moves:
        graph.add_edge(move.pop("start"), move.pop("end"), **move)
    return graph_layout.picture(
        graph,
        caption="The tree it walked" if walk.visits else "The tree it builds",
        hint="numbers: the order of the walk" if walk.moves else "",
        here=[walk.here.get(step.number) for step in trace.steps],
        meanings=MEANINGS,
        notes=[(step, UNDER_A_NUMBER) for step in graph_layout.first_words(tree)],
        names=state.called,
        numbers=graph_layout.stacked(tree),
        texts=texts,
        compared=steps,
        parents={child: node_id for node_id, node in nodes.items() for child in node["children"]},
        carried=_carried(trace, state.called),
        refused=_refused(state),
    )


def _walk(state: MemWalkerState) -> _WalkByNode:
    """The states of each node by step, and the numbered moves down and back up."""
    trace, nodes, walk = state.trace, state.nodes, _WalkByNode()
    for step, event in trace.by_step():
        if isinstance(event, Wrote) and str(event.n) in nodes:
            walk.changes[str(event.n)].append((step.number, BUILT))
    by_step: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in state.walk:
        by_step[row["step"]].append(row)
    walked = [step for step in trace.steps if step.phase == "walk"]
    for node in nodes if walked else ():
        walk.changes[node].append((walked[0].number, "unseen"))
    none = isinstance(trace.end, Answered) and none_given("answered", trace.end.text)
    here = next(reversed(nodes))
    for step in walked:
        walk.here[step.number] = here
        walk.visits[here].append(step.number)
        walk.changes[here].append((step.number, "visited"))
        for child in nodes[here]["children"]:
            if child not in walk.visits:
                walk.changes[child].append((step.number, "offered"))
        for row in by_step[step.number]:
            if row["action"] in MOVES:
                walk.move(row)
                here = row["to"]
            elif row["action"] == "commit" and not none:  # what says that there is no answer marks no place as the answer's
                walk.changes[here].append((step.number, "answer"))
    return walk


def _refused(state: MemWalkerState) -> dict[int, list[graph_layout.Refusal]]:
    """The choices of each step that were refused, by the node that was chosen: where going back up was, by the node itself."""
    rows = [row for row in state.walk if row["action"] == "refused"]
    counted = Counter((row["step"], row["node"], row["to"]) for row in rows)
    why = {row["to"]: row["reasoning"] for row in rows}
    found: dict[int, list[graph_layout.Refusal]] = defaultdict(list)
    for (step, here, to), count in counted.items():
        often = f" {times(count)}" if count > 1 else ""
        words = f"refused{often}" if to in state.nodes else f"going up refused{often}"
        found[step].append({"id": to if to in state.nodes else here, "words": words, "why": why[to]})
    return found


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
    room = _room(shown, drawing)
    todo = [("", child) for child in reversed(shown[""])]
    tree.add_node("", row=-1, width=0.0)
    while todo:
        parent, node_id = todo.pop()
        row = tree.nodes[parent]["row"] + 1 if parent else top - nodes[node_id]["level"] if node_id in nodes else top
        if node_id.endswith("+"):
            tree.add_node(node_id, row=row, **_stub(node_id, drawing))
        else:
            labelled, plain = room[nodes[node_id]["level"]]
            wide = labelled if drawing.is_labelled(node_id, parent) else 0.0
            tree.add_node(node_id, row=row, **_look(node_id, drawing, wide, plain=plain))
        tree.add_edge(parent, node_id)
        todo.extend((node_id, child) for child in reversed(shown.get(node_id, [])))
    graph_layout.lay_out_tree(tree, "")
    tree.remove_node("")
    for start, end in tree.edges:
        born = tree.nodes[start]["changes"][0][0]
        tree.edges[start, end].update(kind="tree", changes=[(born, "tree")])
    return tree


def _room(shown: Mapping[str, list[str]], drawing: _Drawing) -> dict[int, tuple[float, float]]:
    """How wide the nodes of each level may be, those with a label and the others, so that together they fit into the picture.
    Without labels, nodes get thinner before labels do."""
    labelled, others = Counter[int](), Counter[int]()
    for parent, children in shown.items():
        for child in children:
            if child in drawing.nodes:
                (labelled if drawing.is_labelled(child, parent) else others)[drawing.nodes[child]["level"]] += 1
    room: dict[int, tuple[float, float]] = {}
    for level in labelled.keys() | others.keys():
        count, plain = labelled[level], others[level]
        thin = (ROW_WIDTH - count * LABELLED) / plain / (1 + graph_layout.GAP / NARROW) if plain else NARROW
        thin = min(NARROW, max(THIN, thin))
        left = ROW_WIDTH - plain * (thin + graph_layout.gap(thin))
        room[level] = (min(WIDE, max(1.0, left / count - graph_layout.GAP)) if count else 0.0, thin)
    return room


def _look(node_id: str, drawing: _Drawing, width: float, *, plain: float) -> dict[str, Any]:
    """How a node is drawn, with this much room for its label, which it takes however long the label is; without room it has no
    label, and the width of a `plain` one."""
    node, changes = drawing.nodes[node_id], drawing.walk.changes[node_id]
    name = drawing.tree.called.get(node_id, "a part of the text")
    labels = _labels(node_id, drawing, width)
    least = width if drawing.on_level[node["level"]] > 1 else 0
    return {
        "kind": "node",
        "name": name,
        "label": labels[-1][1],
        "labels": labels,
        "width": max(least, graph_layout.label_width(labels[0][1])) if width else plain,
        "span": (node["start"], node["end"]),
        "changes": changes,
        "visits": drawing.walk.visits.get(node_id, []),
        "leaf": not node["children"],
        "refs": drawing.tree.stands_for(node_id),
    }


def _labels(node_id: str, drawing: _Drawing, width: float) -> list[tuple[int, str]]:
    """A node's number and, as far as there is room, the words of its summary that had met the question by a step: first those
    that the fewest of its neighbours had then. By the step from which on each label holds."""
    born = next((step for step, _ in drawing.walk.changes[node_id]), 0)
    if node_id not in drawing.tree.called or not width:
        return [(born, "")]
    number = drawing.tree.called[node_id].removeprefix("part ")
    labels = [(born, number)]
    level = drawing.nodes[node_id]["level"]
    for step, words in drawing.met.get(node_id, ()):
        then = (_words_by(step, found) for other, found in drawing.met.items() if drawing.nodes[other]["level"] == level)
        beside = [{term(word) for word in met} for met in then]
        if telling := most_telling(words, others=beside, room=graph_layout.letters(width)):
            labels.append((step, f"{number}\n{telling}"))
    return labels


def _words_by(step: int, found: Iterable[tuple[int, list[str]]]) -> list[str]:
    return next((words for at, words in reversed(list(found)) if at <= step), [])


def _stub(node_id: str, drawing: _Drawing) -> dict[str, Any]:
    """A stub is drawn with the number of nodes it replaces, and named for where it is."""
    hidden = [(one, drawing.nodes[one]) for one in _hidden(node_id, drawing.nodes)]
    count, span = len(hidden), (min(node["start"] for _, node in hidden), max(node["end"] for _, node in hidden))
    first, _, last = node_id.removesuffix("+").partition("-")
    called = [drawing.tree.called.get(one, "a part") for one in (first, last) if one]
    name = f"{count} more below {called[0]}" if len(called) == 1 else f"{count} from {called[0]} to {called[1]}"
    stands_for = [ref for one, _ in hidden for ref in drawing.tree.stands_for(one)]
    changes = [(0, BUILT), *(change for change in drawing.walk.changes[hidden[0][0]] if change[1] == "unseen")]
    about = {"kind": "stub", "name": name, "span": span, "changes": changes, "visits": [], "refs": stands_for}
    return about | {"label": f"+{count}", "width": graph_layout.label_width(f"+{count}")}


def _hidden(stub: str, nodes: Mapping[str, Node]) -> list[str]:
    """The nodes that a stub replaces."""
    first, _, last = stub.removesuffix("+").partition("-")
    ids = list(nodes[first]["children"]) if not last else []
    if last:
        at = [node_id for node_id, node in nodes.items() if node["level"] == nodes[first]["level"]]
        ids = at[at.index(first) : at.index(last) + 1]
    for node_id in ids:  # grows meanwhile
        ids.extend(nodes[node_id]["children"])
    return ids


def _texts(nodes: Mapping[str, Node]) -> dict[str, str]:
    """Every summary, for the node's card and for searching; in a very large tree only the beginning of each."""
    most = max(200, TEXTS_AT_MOST // len(nodes))
    return {node_id: truncate_at_word(node["summary"], most) for node_id, node in nodes.items()}


def _carried(trace: Trace, called: Mapping[str, str]) -> dict[int, list[str]]:
    """The working memory of each call, by step: the nodes that had their summaries in it, by name."""
    found = {}
    for step, event in trace.by_step():
        parts = dict(event.parts) if isinstance(event, Asked) else {}
        carried = [refs.node_id(piece.origin) for text in parts.get("memory", ()) for piece in text]
        if carried:
            found[step.number] = [called[node_id] for node_id in dict.fromkeys(carried) if node_id in called]
    return found
